#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lays out what was built, by Bazel (`./dev install`) or by packaging/Makefile.
set -euo pipefail
tree=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

usage() {
    cat <<'HELP'
usage: ./dev install PREFIX [--libdir DIR] [--includedir DIR]
       packaging/install.sh BUILT PREFIX [--libdir DIR] [--includedir DIR] [--without-command]

Builds and installs under PREFIX; the second form installs what is in the folder BUILT.

  --libdir DIR      libraries, pkg-config and CMake files; default PREFIX/lib. `ompd` and the
                    extension of GDB look beside themselves in lib, lib64 and lib/MULTIARCH
  --includedir DIR  headers; default PREFIX/include, for /usr /usr/include/ompd, as omp.h there
                    is the compiler's
  --without-command what GDB and programs need, without the command `ompd`

A DIR that is not absolute is taken from PREFIX. The variable DESTDIR is put before all paths,
as packages are built.

Exit: 0 done, 1 something failed, 64 wrong usage.
HELP
}
die() { printf 'install: %s\n' "$*" >&2; exit 1; }
wrong() { printf 'install: %s\n' "$*" >&2; usage >&2; exit 64; }

version=$(cat "$tree/VERSION")

positional=() libdir="" includedir="" command=1
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --libdir | --includedir)
        [ $# -gt 1 ] || wrong "$1 needs a directory"
        if [ "$1" = --libdir ]; then libdir=$2; else includedir=$2; fi
        shift 2
        ;;
    --libdir=*) libdir=${1#*=}; shift ;;
    --includedir=*) includedir=${1#*=}; shift ;;
    --without-command) command=0; shift ;;
    -*) wrong "$1 is no option" ;;
    *) positional+=("$1"); shift ;;
    esac
done
[ ${#positional[@]} = 2 ] || wrong "a PREFIX is needed, and one only"
built=$(realpath "${positional[0]}")
prefix=$(realpath -ms "${positional[1]}")
# under PREFIX DIR: DIR, taken from PREFIX if it is not absolute
under() { case $2 in /*) realpath -ms "$2" ;; *) realpath -ms "$1/$2" ;; esac; }
libdir=$(under "$prefix" "${libdir:-lib}")
if [ -z "$includedir" ]; then
    includedir=include
    [ "$prefix" != /usr ] || includedir=include/ompd
fi
includedir=$(under "$prefix" "$includedir")
dest=${DESTDIR:-}
lib=$dest$libdir include=$dest$includedir share=$dest${prefix%/}/share bin=$dest${prefix%/}/bin

# GDB looks the script up under the name of the library that is mapped, with symbolic links resolved.
mkdir -p "$lib"
real=$libdir
[ -n "$dest" ] || real=$(realpath "$lib")
autoload=$share/gdb/auto-load$real

# put MODE FOLDER FILE…
put() {
    local mode=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    install -m "$mode" "$@" "$folder/"
}
# What is in the source tree and what was built have the same paths.
of_built() {
    if [ -e "$built/$1" ]; then printf '%s\n' "$built/$1"; else die "$1 was not built"; fi
}

for name in ompd/libompd.so.1 inspect/libompdinspect.so.1 runtime/libompcompanion.so.1.0.0; do
    file=$(of_built "$name")
    put 755 "$lib" "$file"
done
file=$(of_built runtime/abttool/libompcompanion-abttool.so)
install -m 755 "$file" "$lib/libompcompanion-abttool.so.1"
ln -sfn libompcompanion-abttool.so.1 "$lib/libompcompanion-abttool.so"
file=$(of_built runtime/libompcompanion.a)
put 644 "$lib" "$file"
ln -sfn libompd.so.1 "$lib/libompd.so"
ln -sfn libompcompanion.so.1.0.0 "$lib/libompcompanion.so.1"
ln -sfn libompcompanion.so.1.0.0 "$lib/libompcompanion.so"
# Links, never copies: two names of one file give one runtime in a process, copies would give two.
mkdir -p "$lib/ompcompanion"
for target in libomp.so libomp.so.5 libiomp5.so libgomp.so libgomp.so.1 libgomp.so.1.0.0 libompcompanion.so.1; do
    ln -sfn ../libompcompanion.so.1.0.0 "$lib/ompcompanion/$target"
done

# filled FILE.in MODE TARGET: a file of this folder with the paths of this installation
filled() {
    mkdir -p "$(dirname "$3")"
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@INCLUDEDIR@|$includedir|g" \
        -e "s|@VERSION@|$version|g" "$tree/packaging/$1" >"$3"
    chmod "$2" "$3"
}
filled ompd.pc.in 644 "$lib/pkgconfig/ompd.pc"
filled ompcompanion.pc.in 644 "$lib/pkgconfig/ompcompanion.pc"
filled ompdConfig.cmake.in 644 "$lib/cmake/ompd/ompdConfig.cmake"
filled ompdConfigVersion.cmake.in 644 "$lib/cmake/ompd/ompdConfigVersion.cmake"
filled module.in 644 "$share/modulefiles/ompd/$version"
filled module-companion.in 644 "$share/modulefiles/ompd/companion"

put 644 "$include" "$tree"/include/*.h "$tree"/include/*.F90
put 644 "$share/ompd" "$tree/gdb-plugin/ompd.py" "$tree/gdb-plugin/ompd_lldb.py"
put 755 "$share/ompd" "$tree/gdb-plugin/autoload.sh"
put 644 "$share/ompd" "$tree/corefiles/engines"
rm -f "$share"/ompd/ompd_common/*.py "$share"/ompd/ompd_gdb/*.py "$share"/ompd/ompd_lldb_host/*.py
put 644 "$share/ompd/ompd_common" "$tree"/gdb-plugin/ompd_common/*.py
put 644 "$share/ompd/ompd_gdb" "$tree"/gdb-plugin/ompd_gdb/*.py
put 644 "$share/ompd/ompd_lldb_host" "$tree"/gdb-plugin/ompd_lldb_host/*.py
# Compiled by GDB's own Python, for a user who may not write there. A package does that where it is installed.
rm -rf "$share/ompd/ompd_common/__pycache__" "$share/ompd/ompd_gdb/__pycache__"
if [ -z "$dest" ] && command -v gdb >/dev/null; then
    gdb -nx -q -batch -iex "set auto-load off" -ex "python import compileall" \
        -ex "python [compileall.compile_dir('$share/ompd/' + p, quiet=2) for p in ('ompd_common', 'ompd_gdb')]" >/dev/null 2>&1 || true
fi
put 644 "$autoload" "$tree/gdb-plugin/autoload/libompcompanion.so.1.0.0-gdb.py"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
put 644 "$share/man/man7" "$tree"/docs/man/*.7
if [ "$command" = 1 ]; then
    file=$(of_built command/ompd)
    put 755 "$bin" "$file"
    python3 "$tree/tools/man_pages.py" "$file" "$made"
    put 644 "$share/man/man1" "$tree"/docs/man/*.1 "$made"/*.1
else
    python3 "$tree/tools/man_pages.py" --without-command "$made"
fi
put 644 "$share/man/man7" "$made"/*.7

# completion SHELL FILE
completion() {
    mkdir -p "$(dirname "$2")"
    "$built/command/ompd" completion "$1" >"$2"
    chmod 644 "$2"
}
if [ "$command" = 1 ]; then
    completion bash "$share/bash-completion/completions/ompd"
    completion zsh "$share/zsh/site-functions/_ompd"
    completion fish "$share/fish/vendor_completions.d/ompd.fish"
fi

echo "installed in $dest$prefix"
if [ "$prefix" != /usr ]; then
    echo "for GDB to load the plugin by itself, add these two lines to ~/.gdbinit:"
    echo "add-auto-load-scripts-directory $prefix/share/gdb/auto-load"
    echo "add-auto-load-safe-path $prefix/share/gdb/auto-load"
fi
