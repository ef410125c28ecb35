#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The library and the runtime as the first issue left them, each with today's other half; the programs say what is true.
#   kept_test.sh CONFORMANCE LIBOMPD TARGETS.JSON OLD-LIBOMPD.xz OLD-RUNTIME.xz
set -eu
conformance=$1 libompd=$2 targets=$3 old_libompd=$4 old_runtime=$5
# The first runtime had clang's entry points only.
names=(serial nested3 serialised lock nest_lock critical_named deadlock barrier ordered_wait taskwait taskgroup depend
    queued_tasks task_untied task_nested idle foreign)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

xz -dc "$old_libompd" >"$scratch/libompd.so"
echo "today's runtime, the old library"
"$conformance" "$targets" "$scratch/libompd.so" --truth-only "${names[@]}"

# Copies: the loader looks for the runtime where the program's file really is.
mkdir "$scratch/old"
for name in "${names[@]}"; do
    cp -L "$(dirname "$targets")/${name}_clang.exe" "$scratch/old"
done
cp -L "$targets" "$scratch/old/targets.json"
xz -dc "$old_runtime" >"$scratch/old/libompcompanion.so.1"
echo "the old runtime, today's library"
"$conformance" "$scratch/old/targets.json" "$libompd" --truth-only "${names[@]}"
