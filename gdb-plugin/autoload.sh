#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installed as PREFIX/share/ompd/autoload.sh. GDB names the script that it loads by itself after the file in which a
# runtime is; for a program that was linked with libompcompanion.a that is the program.
set -eu

usage() {
    cat <<'HELP'
usage: autoload.sh PROGRAM...

Lets GDB load the OpenMP commands by itself for each PROGRAM (or shared library)
that was linked with libompcompanion.a. It makes a symbolic link

    PREFIX/share/gdb/auto-load/DIRECTORY-OF-PROGRAM/PROGRAM-gdb.py

and is to be run again when the program is moved. GDB reads PREFIX/share/gdb/auto-load
by itself for PREFIX=/usr, else with the two lines in ~/.gdbinit that the installation
prints. A program that loads libompcompanion.so needs none of this.

Exit: 0 done, 1 something failed, 64 wrong usage.
HELP
}

fail() {
    printf 'autoload.sh: %s\n' "$*" >&2
    exit 1
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
-* | "")
    usage >&2
    exit 64
    ;;
esac

share=$(dirname "$(dirname "$(readlink -f "$0")")")
scripts=$share/gdb/auto-load
script=$(find "$scripts" -type f -name 'libompcompanion.so.*-gdb.py' 2>/dev/null | sort | head -n 1)
[ -n "$script" ] || fail "there is no libompcompanion.so.*-gdb.py under $scripts: install the project again"

for program; do
    [ -f "$program" ] || fail "$program is not a file"
    # GDB resolves symbolic links before it looks.
    program=$(readlink -f "$program")
    mkdir -p "$scripts$(dirname "$program")" || fail "the link for $program cannot be made"
    ln -sf "$script" "$scripts$program-gdb.py" || fail "the link for $program cannot be made"
    printf '%s\n' "$scripts$program-gdb.py"
done
