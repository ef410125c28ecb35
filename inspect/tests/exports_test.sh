#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The exported functions are those of the golden list, the SONAME is the installed one, and libc and jansson
# are all that is needed.
#   exports_test.sh LIBRARY LIST
set -euo pipefail

diff <(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort) "$2"

dynamic=$(readelf -d "$1")
grep -q 'SONAME.*\[libompdinspect.so.1\]' <<<"$dynamic" || { echo "wrong SONAME"; exit 1; }
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
for library in $needed; do
    case $library in
    libc.so.6 | libdl.so.2 | libjansson.so.4 | libasan* | libubsan* | libtsan* | libm.so.6) ;;
    *) echo "needs $library"; exit 1 ;;
    esac
done
