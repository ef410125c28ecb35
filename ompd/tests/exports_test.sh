#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libompd.so.1 exports exactly exports.txt (and so does the tests' list), needs libc alone, and has its
# SONAME.
#   exports_test.sh LIBRARY EXPORTS API_LIST
set -euo pipefail
library=$1 expected=$2 list=$3
fail() { echo "FAIL: $*" >&2; exit 1; }

found=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | LC_ALL=C sort)
diff <(LC_ALL=C sort "$expected") <(printf '%s\n' "$found") || fail "exported symbols differ from $expected"
listed=$(sed -n 's/^X(\(.*\))$/\1/p' "$list" | LC_ALL=C sort)
diff <(LC_ALL=C sort "$expected") <(printf '%s\n' "$listed") || fail "$list is not complete"
nm -D --defined-only "$library" |
    awk '$2 != "A" && $3 !~ /@@OMPD_1\.0$/ { bad = 1; print } END { exit bad }' || fail "a symbol without its version"

dynamic=$(readelf -d "$library")
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
# A sanitizer's build needs its runtime as well.
needed=$(grep -v -E '^lib(asan|ubsan|tsan)\.so' <<<"$needed")
[ "$needed" = libc.so.6 ] || fail "needs more than libc: $needed"
grep -q 'SONAME.*\[libompd\.so\.1\]' <<<"$dynamic" || fail "SONAME is not libompd.so.1"
undefined=$(nm -D --undefined-only "$library" | awk '{ print $NF }' | sed 's/@.*//')
forbidden='malloc|calloc|realloc|free|[fs]?n?printf|puts|fwrite|write|qsort|signal|sigaction|dlopen'
if grep -x -E "$forbidden" <<<"$undefined"; then
    fail "calls what a debugger's plug-in must not"
fi
echo "$(wc -l <"$expected") symbols, needs libc only"
