#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles each public header alone, and programs that use them, with every compiler there is.
# shellcheck disable=SC2086 # $warn and $openmp are lists of options
set -eu
include=include
tests=include/tests
warn="-Wall -Wextra -Werror -pedantic -I$include"
out=${TEST_TMPDIR:-$(mktemp -d)}
count=0

check() { # compiler and arguments
    count=$((count + 1))
    if ! "$@"; then
        echo "FAILED: $*" >&2
        exit 1
    fi
}

for pair in gcc:g++ clang:clang++; do
    cc=${pair%:*}
    cxx=${pair#*:}
    if ! command -v "$cc" >/dev/null || ! command -v "$cxx" >/dev/null; then
        echo "$cc is not installed: left out"
        continue
    fi
    for openmp in "" -fopenmp; do
        for header in "$include"/*.h; do
            for std in c11 gnu17; do
                check "$cc" -std=$std $warn $openmp -fsyntax-only -x c "$header"
            done
            for std in c++11 c++17 c++20; do
                check "$cxx" -std=$std $warn $openmp -fsyntax-only -x c++ "$header"
            done
        done
        check "$cc" -std=c11 $warn $openmp -Wno-unknown-pragmas -fsyntax-only "$tests/program.c"
        check "$cxx" -std=c++17 $warn $openmp -Wno-unknown-pragmas -fsyntax-only "$tests/program.cc"
        check "$cc" -std=c11 $warn $openmp -fsyntax-only "$tests/tool_50.c"
        check "$cxx" -std=c++17 $warn $openmp -fsyntax-only -x c++ "$tests/tool_50.c"
    done
    check "$cxx" -std=c++17 $warn -fno-exceptions -fsyntax-only -x c++ "$include/omp.h"

    # The four affinity-format routines must be bound to the flavour with C's arguments.
    check "$cc" -std=c11 $warn -Wno-unknown-pragmas -fopenmp -c "$tests/program.c" -o "$out/program.o"
    check "$cxx" -std=c++17 $warn -Wno-unknown-pragmas -fopenmp -c "$tests/program.cc" -o "$out/programxx.o"
    if "$cc" -dM -E -x c /dev/null | grep -q __clang__; then
        want=ompc_
    else
        want=omp_
    fi
    for routine in set_affinity_format get_affinity_format display_affinity capture_affinity; do
        for object in program.o programxx.o; do
            if ! nm -u "$out/$object" | grep -q "U ${want}${routine}\$"; then
                echo "FAILED: $cc: $object does not call ${want}${routine}" >&2
                exit 1
            fi
        done
    done
done
[ "$count" -gt 0 ] || { echo "FAILED: no compiler found" >&2; exit 1; }
echo "$count compilations"
