#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Debian packages of the last commit: built in a fresh system, installed in another, and tried there.
#
#     try_packages.sh SUITE [FOLDER]        bookworm, trixie or sid
#
# lintian must find no error. GDB must load the extension by itself, `ompd run` must find the deadlock of
# test-targets/demo.c, and `ompd EXE -c CORE`, as coredumpctl calls it, too. The packages stay in FOLDER. Needs
# root; tools/release_root.sh makes the systems.
set -euo pipefail
tree=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
die() { printf 'try_packages: %s\n' "$*" >&2; exit 1; }
step() { printf '== %s\n' "$*"; }
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi
suite=$1
bare=${XDG_CACHE_HOME:-$HOME/.cache}/ompd-tools/roots/$suite-bare
"$tree/tools/release_root.sh" --bare "$suite"
scratch=$(mktemp -d /var/tmp/ompd-packages-XXXXXX)
trap 'rm -rf --one-file-system "$scratch"' EXIT

enter() { # builder|user COMMAND...
    local root=$scratch/$1
    shift
    "$tree/tools/release_root.sh" --run "$root" "$@" </dev/null
}

# apt-get there, its output only where it fails.
apt() { # builder|user ARGUMENT...
    local root=$1
    shift
    enter "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 "$@" \
        >"$scratch/apt.log" 2>&1 || { tail -20 "$scratch/apt.log" >&2; die "apt-get $1 failed"; }
}

build() {
    local name
    name=ompd-$(cat "$tree/VERSION")
    git -C "$tree" archive --prefix="$name/" HEAD | tar x -C "$scratch/builder/srv"
    cp -r "$scratch/builder/srv/$name/packaging/debian" "$scratch/builder/srv/$name/debian"
    step "build ($suite)"
    apt builder update
    apt builder install build-essential lintian
    apt builder build-dep "/srv/$name"
    enter builder sh -c "cd /srv/$name && dpkg-buildpackage -us -uc -b -j$(nproc)" >"$scratch/build.log" 2>&1 ||
        { tail -30 "$scratch/build.log" >&2; die "the packages could not be built"; }
    step "lintian"
    enter builder sh -c "cd /srv && lintian --allow-root --fail-on error *.changes" || die "lintian has an error"
    mkdir -p "$scratch/debs"
    cp "$scratch"/builder/srv/*.deb "$scratch/debs"
}

# shellcheck disable=SC2016 # expanded there
try='
set -e
cd /tmp
gcc -g -fopenmp demo.c -o demo
ompd run --timeout 3 -- ./demo >run.log 2>&1 || true
grep "^Deadlock: " run.log
LD_LIBRARY_PATH=$(dirname /usr/lib/*/ompcompanion/libgomp.so.1) OMP_DEBUG=enabled ./demo >/dev/null 2>&1 &
sleep 4
gdb -q -batch -p $! -ex "ompd waits" -ex "gcore core" >live.log 2>&1 </dev/null
kill $!
grep "^Deadlock: " live.log
ompd ./demo -c core >core.log
grep "^Deadlock: " core.log
man -w ompd ompd_gdb >/dev/null'

use() {
    step "install in a fresh system ($suite)"
    cp "$scratch"/debs/*.deb "$scratch/user/srv"
    apt user update
    enter user sh -c 'rm -f /etc/dpkg/dpkg.cfg.d/* && rm -f /srv/*dbgsym*.deb'
    mapfile -t debs < <(cd "$scratch/user/srv" && printf '/srv/%s\n' *.deb)
    apt user install man-db gdb gcc libc6-dev "${debs[@]}"
    cp "$tree/test-targets/demo.c" "$scratch/user/tmp"
    step "GDB by itself, ompd run, ompd EXE -c CORE"
    enter user sh -c "$try" || die "what was installed does not work"
}

for root in builder user; do
    cp -a "$bare" "$scratch/$root"
    cp /etc/resolv.conf "$scratch/$root/etc/resolv.conf"
done
build
use
if [ $# = 2 ]; then
    mkdir -p "$2"
    cp "$scratch"/debs/*.deb "$2"
fi
step "the packages of $suite work"
