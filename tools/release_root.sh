#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Debian release in a folder, to try our files there: its own glibc, compilers, OpenMP runtimes and GDB.
#
#     release_root.sh [--build|--bazel|--bare] SUITE [DIR]
#                                                  makes the root, or completes it
#     release_root.sh --run DIR [--bind FOLDER PLACE]... COMMAND [ARGUMENT]...
#                                                  runs a command in it
#
# SUITE: trixie, sid; with --build bullseye and bookworm too. DIR: roots/SUITE in
# ${XDG_CACHE_HOME:-~/.cache}/ompd-tools, with --build roots/SUITE-build: that one has what packaging/Makefile
# and the debuggers' tests need; with --bazel roots/SUITE-bazel, for a build by the release's own Bazel; with
# --bare roots/SUITE-bare, the smallest system. Needs root and debootstrap. What is there is not made again.
# Packages come from where this machine's own come from, checked by Debian's keys; an expired Release file is no
# error, since a mirror may stand still.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # where debootstrap is; a test's PATH has neither

say() { printf 'release_root: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
usage() { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 64; }

# What every release has under the same name.
COMMON=(gdb python3 python3-jsonschema procps binutils gcc g++ gfortran libc6-dev libgomp1
    libelf1t64 libdw1t64 libjansson4 liblz4-1 libzstd1 zlib1g ca-certificates)

# release_packages SUITE: sets PACKAGES, and UNPACKED for those that conflict with them.
release_packages() {
    UNPACKED=()
    case $1 in
    trixie)
        PACKAGES=("${COMMON[@]}" clang-19 flang-19 libomp-19-dev)
        UNPACKED=(libomp5-18)
        ;;
    sid) PACKAGES=("${COMMON[@]}" gcc-16 g++-16 gfortran-16 clang flang libomp-dev) ;;
    bullseye | bookworm)
        die "$1: our files need glibc 2.36, and 12 is this machine; there is --build $1"
        ;;
    *) die "there is no list of packages for the release '$1'; there are: trixie, sid" ;;
    esac
}

# What builds the project without Bazel and runs the tests of GDB and lldb, under the same name in every release.
BUILDING=(gdb gdbserver lldb python3 python3-jsonschema procps binutils make gcc g++ gfortran libc6-dev
    clang libomp-dev libelf-dev libdw-dev libzstd-dev liblz4-dev zlib1g-dev libjansson-dev ca-certificates)

# build_packages SUITE: the same of a root to build in.
build_packages() {
    UNPACKED=()
    case $1 in
    bullseye) PACKAGES=("${BUILDING[@]}") ;;
    bookworm) PACKAGES=("${BUILDING[@]}" lldb-19) ;;
    trixie) PACKAGES=("${BUILDING[@]}" flang-19 emacs-nox elpa-dape) ;;
    sid) PACKAGES=("${BUILDING[@]}" flang emacs-nox elpa-dape) ;;
    *) die "there is no list of packages for the release '$1'; there are: bullseye, bookworm, trixie, sid" ;;
    esac
}

# What builds the project with Bazel, as `./dev build` does, and GDB to try it.
BAZEL=(bazel-bootstrap default-jre-headless g++ gcc gfortran clang python3 libelf-dev libdw-dev libzstd-dev
    liblz4-dev libdwarf-dev zlib1g-dev libjansson-dev googletest ca-certificates gdb procps)

bazel_packages() {
    UNPACKED=()
    case $1 in
    trixie) PACKAGES=("${BAZEL[@]}" flang-19) ;;
    sid)
        PACKAGES=("${BAZEL[@]}" flang bazel-skylib bazel-features bazel-rules-license bazel-rules-python
            bazel-rules-proto bazel-rules-cc bazel-rules-java)
        ;;
    *) die "there is no list of packages for the release '$1'; there are: trixie, sid" ;;
    esac
}

bare_packages() {
    UNPACKED=() PACKAGES=(ca-certificates)
}

# Where this machine's Debian packages come from.
mirror() {
    local found
    found=$(sed -nE 's#^(URIs: *|deb +(\[[^]]*\] +)?)([^ ]+/debian)/?( .*)?$#\3#p' \
        /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -1)
    [ -n "$found" ] || die "no source of Debian packages is set up in /etc/apt"
    printf '%s\n' "$found"
}

# in_root DIR COMMAND...: with /proc, /dev and /sys of a mount namespace that ends with the command.
in_root() {
    local dir=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare --mount --propagation private -- bash -c '
        dir=$1; shift
        mount -t proc proc "$dir/proc" && mount --rbind /dev "$dir/dev" &&
            mount --rbind /sys "$dir/sys" || exit 125
        while [ "$1" = --bind ]; do
            mkdir -p "$dir/$3" && mount --bind "$2" "$dir/$3" || exit 125
            shift 3
        done
        # Nothing of the environment but what a login has, and what is for the programs. In the folder that
        # this one is in, if the root has it.
        exec env -u LD_LIBRARY_PATH -u LD_PRELOAD HOME=/root LC_ALL=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            chroot "$dir" sh -c "cd \"\$1\" 2>/dev/null || cd /; shift; exec \"\$@\"" sh "$PWD" "$@"
    ' in_root "$dir" "$@"
}

# The smallest system; made beside and renamed, so that a folder that is there is whole.
bootstrap() { # SUITE DIR
    [ ! -e "$2/etc/debian_version" ] || return 0
    command -v debootstrap >/dev/null || {
        say "installing: debootstrap"
        DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
            --no-install-recommends debootstrap >/dev/null || die "could not install debootstrap"
    }
    say "making $2 ($1)"
    rm -rf --one-file-system "$2.new"
    debootstrap --variant=minbase "$1" "$2.new" "$(mirror)" >"$2.log" 2>&1 ||
        { tail -5 "$2.log" >&2; die "debootstrap failed; the whole is in $2.log"; }
    rm -f "$2.log"
    mv "$2.new" "$2"
}

APT=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3
    -o APT::Sandbox::User=root)

# One call of apt-get in the root, its output only where it fails.
apt() { # DIR ARGUMENTS...
    local dir=$1 log
    shift
    log=$(mktemp)
    in_root "$dir" "${APT[@]}" "$@" >"$log" 2>&1 ||
        { tail -15 "$log" >&2; rm -f "$log"; die "apt-get $1 failed in $dir"; }
    rm -f "$log"
}

install_packages() { # DIR PACKAGE...
    local dir=$1 package missing=()
    shift
    for package in "$@"; do
        # shellcheck disable=SC2016 # that is dpkg's
        [ "$(chroot "$dir" dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing: ${missing[*]}"
    # No service is started.
    printf '#!/bin/sh\nexit 101\n' >"$dir/usr/sbin/policy-rc.d"
    chmod 755 "$dir/usr/sbin/policy-rc.d"
    cp /etc/resolv.conf "$dir/etc/resolv.conf"
    apt "$dir" update
    apt "$dir" install -y --no-install-recommends "${missing[@]}"
    apt "$dir" clean
}

# Packages beside the installed ones, each in /opt/ompd/PACKAGE.
unpack_packages() { # DIR PACKAGE...
    local dir=$1 package
    shift
    for package in "$@"; do
        [ ! -e "$dir/opt/ompd/$package" ] || continue
        say "unpacking: $package"
        rm -rf "$dir/opt/ompd/new"
        mkdir -p "$dir/opt/ompd/new"
        # shellcheck disable=SC2016 # the inner shell expands it
        in_root "$dir" sh -c 'cd /opt/ompd/new && apt-get -qq -o APT::Sandbox::User=root download "$1" &&
            dpkg -x ./*.deb files && mv files "../$1"' sh "$package" ||
            die "$package could not be unpacked in $dir"
        rm -rf "$dir/opt/ompd/new"
    done
}

make_root() { # KIND SUITE [DIR], KIND: release, build, bazel, bare
    local kind=$1 dir=${3:-}
    shift
    if [ -z "$dir" ]; then
        dir=${XDG_CACHE_HOME:-$HOME/.cache}/ompd-tools/roots/$1
        [ "$kind" = release ] || dir=$dir-$kind
    fi
    "${kind}_packages" "$1"
    mkdir -p "$(dirname "$dir")"
    dir=$(realpath -m "$dir")
    bootstrap "$1" "$dir"
    install_packages "$dir" "${PACKAGES[@]}"
    [ ${#UNPACKED[@]} = 0 ] || unpack_packages "$dir" "${UNPACKED[@]}"
    [ "$kind" = bare ] || say "$dir has:"
    # shellcheck disable=SC2016 # the inner shell expands it
    [ "$kind" = bare ] || in_root "$dir" sh -c 'for program in ldd gcc gdb python3; do "$program" --version | sed -n 1p; done' >&2
}

[ $# -ge 1 ] || usage
[ "$(id -u)" = 0 ] || die "only root can make or enter a root; start it by sudo"
case $1 in
--run)
    [ $# -ge 3 ] || usage
    [ -e "$2/etc/debian_version" ] || die "$2 is no root of a release; release_root.sh SUITE makes one"
    shift
    in_root "$@"
    ;;
--build | --bazel | --bare)
    if [ $# -lt 2 ] || [ $# -gt 3 ]; then usage; fi
    kind=${1#--}
    shift
    make_root "$kind" "$@"
    ;;
-*) usage ;;
*)
    [ $# -le 2 ] || usage
    make_root release "$@"
    ;;
esac
