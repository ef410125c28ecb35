#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzer of the reader of layouts' files from the sources around, with libFuzzer, ASan and UBSan, and runs it
# for FUZZ_SECONDS (10). In the tree's top directory or Bazel's copy of it:
#
#   fuzz.sh [CORPUS]   new inputs stay in CORPUS
set -euo pipefail

here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tools/libfuzzer.sh
. tools/libfuzzer.sh

clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer \
    -fno-sanitize-recover=all -I "$here" -I "$here/include" inspect/fuzz/fuzz_layout_file.c -o "$scratch/fuzz" -ljansson
run_libfuzzer "$scratch" "$scratch/fuzz" layout_file inspect/fuzz/corpus/layout_file.hex 3000 "$@"
