#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds a fuzzer of this folder from the sources around, with libFuzzer, ASan and UBSan, and runs it for FUZZ_SECONDS
# (10). In the tree's top directory or Bazel's copy of it:
#
#   fuzz.sh IMAGES NAME [CORPUS]   IMAGES: the C source that embed.py makes; NAME: adapters, rows
set -euo pipefail

images=$(realpath "$1") name=$2
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tools/libfuzzer.sh
. tools/libfuzzer.sh

flags=(-std=gnu11 -g -O1 -fno-omit-frame-pointer "-fsanitize=address,undefined" -fno-sanitize-recover=all -I "$here"
    -I "$here/include" -I "$here/ompd")
mkdir "$scratch/objects"
(
    cd "$scratch/objects"
    clang "${flags[@]}" -fsanitize-coverage=inline-8bit-counters,pc-table -c "$here"/ompd/*.c "$here"/ompd/api/*.c \
        "$here"/ompd/providers/*.c "$here"/ompd/runtimes/*.c
)
clang "${flags[@]}" "$images" "ompd/fuzz/stock/target.c" "ompd/fuzz/stock/fuzz_$name.c" "$scratch"/objects/*.o \
    -fsanitize=fuzzer -o "$scratch/fuzz"
run_libfuzzer "$scratch" "$scratch/fuzz" "stock_$name" "ompd/fuzz/stock/corpus/$name.hex" 200 "${@:3}"
