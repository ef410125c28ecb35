#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A hanging program in GDB, live and from its core file, by what is installed under PREFIX. `./dev demo` and
# `./dev matrix` run it; it fails if the screens do not show what test-targets/demo.c stages.
#
#     demo.sh PREFIX [COMPILER]        default: clang
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '3,6s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi
prefix=$1
compiler=${2:-clang}
program=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")/test-targets/demo.c
plugin=$prefix/share/ompd/ompd.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
die() { printf 'demo: %s\n' "$*" >&2; exit 1; }

# The demo's own check: the lock wait and the critical wait that demo.c stages are on the screens.
check_screens() { # TRANSCRIPT WHAT
    local word
    for word in "^Deadlock: " "lock grid_lock, held by" "critical .*, held by" "blocked .*task"; do
        grep -q "$word" "$1" || die "the screens of $2 do not show '$word'"
    done
}

echo "== A program that hangs: test-targets/demo.c, built by $compiler against the installation"
echo "\$ $compiler -g -fopenmp -I PREFIX/include demo.c -L PREFIX/lib/ompcompanion -Wl,-rpath,PREFIX/lib -o demo"
"$compiler" -g -fopenmp -I "$prefix/include" "$program" -o "$scratch/demo" \
    -L "$prefix/lib/ompcompanion" -Wl,-rpath,"$prefix/lib"

screens=()
for word in waits threads parallel tasks status; do
    screens+=(-ex "echo \\n(gdb) ompd $word\\n" -ex "ompd $word")
done
gdb=(timeout --foreground 120 gdb -nx -q -batch -iex "set debuginfod enabled off" -x "$plugin")
# GDB 10 has no debuginfod.
gdb -nx -batch -ex "show debuginfod enabled" >/dev/null 2>&1 ||
    gdb=(timeout --foreground 120 gdb -nx -q -batch -x "$plugin")
rc=0
cd "$scratch"
echo
echo "== The live program"
echo "\$ gdb -x PREFIX/share/ompd/ompd.py ./demo"
"${gdb[@]}" -ex "break stuck" -ex "echo (gdb) run\\n" -ex run "${screens[@]}" \
    -ex "echo \\n(gdb) gcore demo.core\\n" -ex "gcore demo.core" -ex kill ./demo </dev/null 2>&1 |
    tee live || rc=$?
check_screens live "the live program"
[ -s demo.core ] || die "GDB wrote no core file (status $rc)"
echo
echo "== The same from the core file"
echo "\$ gdb -x PREFIX/share/ompd/ompd.py ./demo demo.core"
"${gdb[@]}" "${screens[@]}" ./demo demo.core </dev/null 2>&1 | tee dead || rc=$?
check_screens dead "the core"
echo
echo "demo done: the screens above were printed live and from the core"
