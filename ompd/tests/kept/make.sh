#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Made the two binaries beside this script: libompd.so.1 and the runtime as the first issue left them (commit cf6d1b0),
# stripped and compressed. Run it only to keep a further pair; a kept pair never changes.
#   make.sh COMMIT NAME     writes NAME-libompd.so.1.xz and NAME-libompcompanion.so.1.0.0.xz
set -eu
commit=$1 name=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
git -C "$here/../../.." archive --format=tar "$commit" | tar -x -C "$scratch/tree"
cd "$scratch/tree"
bazel --output_user_root="$scratch/bazel" build --jobs=2 -c opt //ompd:libompd.so.1 //runtime:libompcompanion.so.1.0.0
bin=$(bazel --output_user_root="$scratch/bazel" info -c opt bazel-bin)
bazel --output_user_root="$scratch/bazel" shutdown
for file in ompd/libompd.so.1 runtime/libompcompanion.so.1.0.0; do
    kept=$here/$name-$(basename "$file").xz
    strip -o "$scratch/stripped" "$bin/$file"
    xz -9 --stdout "$scratch/stripped" >"$kept"
done
