#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes C source of images (memory.h): embed.py IMAGE... > images.c"""
import os
import sys

print('/* SPDX-License-Identifier: Apache-2.0 */\n#include "ompd/fuzz/memory.h"\n')
for i, path in enumerate(sys.argv[1:]):
    with open(path, "rb") as file:
        data = file.read()
    print("static const uint8_t image_%d[] = {%s};" % (i, ",".join(map(str, data))))
print("const struct mem_file mem_files[] = {")
for i, path in enumerate(sys.argv[1:]):
    name = os.path.basename(path).rpartition(".")[0]
    print('    {"%s", image_%d, sizeof image_%d},' % (name, i, i))
print("};\nconst size_t mem_file_count = %d;" % len(sys.argv[1:]))
