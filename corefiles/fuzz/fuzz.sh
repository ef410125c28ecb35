#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzer of the core reader from the sources around, with libFuzzer, ASan and UBSan, and runs it for
# FUZZ_SECONDS (10). In the tree's top directory or Bazel's copy of it:
#
#   fuzz.sh PROGRAM [CORPUS]   PROGRAM: module.c's; new inputs stay in CORPUS
set -euo pipefail

program=$(realpath "$1")
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tools/libfuzzer.sh
. tools/libfuzzer.sh

flags=(-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize-recover=all
    -I "$here" -I "$here/include")
mkdir "$scratch/objects"
(
    cd "$scratch/objects"
    for file in "$here"/corefiles/*.c "$here"/corefiles/debuginfo/{libdw,scopes,source_name}.c \
        "$here"/inspect/{base/hash,base/mem,frames/function}.c; do
        case $file in
        */take.c) ;; # needs all of inspect, and is for live processes
        *) clang "${flags[@]}" -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp -c "$file" ;;
        esac
    done
)
clang "${flags[@]}" "$scratch"/objects/*.o corefiles/fuzz/{fuzz_core,mutate,survey}.c -fsanitize=fuzzer -o "$scratch/fuzz" \
    -ldw -lelf -lz -lzstd -llz4 -l:libsupc++.a
export FUZZ_PROGRAM=$program
run_libfuzzer "$scratch" "$scratch/fuzz" core corefiles/fuzz/corpus/core.hex 12288 "${@:2}"
