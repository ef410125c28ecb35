# SPDX-License-Identifier: Apache-2.0
"""Run by GDB: what a file's debug information says of the members and variables that libompd wants, as JSON:
"sizes": {TAG: BYTES}, "fields": {NAME: [OFFSET, BYTES] or [OFFSET, 4, MASK]},
"variables": {NAME: [ADDRESS, BYTES]}.

    DEFINITIONS=ompd/providers/gomp.def gdb -q -nx -batch -x layout_truth.py FILE
"""

import json
import os
import re

import gdb

# libomp's variables have two underscores more; GDB knows no thread-local one's address.
PREFIXES = ("", "__")


def find_type(tag):
    for name in ("struct " + tag, tag + "_t", tag):
        try:
            return gdb.lookup_type(name).strip_typedefs()
        except gdb.error:
            pass
    return None


def find_field(where, name):
    """(bits from the start, field), also in members without a name and in base classes."""
    for field in where.fields():
        if field.name == name:
            return field.bitpos, field
        if field.is_base_class or not field.name:
            found = find_field(field.type.strip_typedefs(), name)
            if found:
                return field.bitpos + found[0], found[1]
    return None


def place(where, path):
    """[OFFSET, BYTES] or [OFFSET, 4, MASK] of a member; None: the structure has none of that name."""
    at, bits = 0, 0
    for part in path.replace("[", ".[").split("."):
        where = where.strip_typedefs()
        if part.startswith("["):
            where = where.target()
            at += int(part[1:-1]) * where.sizeof * 8
            continue
        found = find_field(where, part) if where.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) else None
        if not found:
            return None
        at, where, bits = at + found[0], found[1].type, found[1].bitsize
    if bits:
        return [at // 32 * 4, 4, ((1 << bits) - 1) << at % 32]
    return [at // 8, where.sizeof]


def variable(name):
    for prefix in PREFIXES:
        try:
            value = gdb.parse_and_eval("&'%s'" % (prefix + name))
            return [int(value), value.type.target().sizeof]
        except gdb.error:
            pass
    return None


def main(text):
    ret = {"sizes": {}, "fields": {}, "variables": {}}
    for tag in re.findall(r"STOCK_STRUCT\(\d+, (\w+)", text):
        where = find_type(tag)
        if where:
            ret["sizes"][tag] = where.sizeof
    for tag, path in re.findall(r'STOCK_FIELD\(\d+, (\w+), \w+, "([^"]+)"', text):
        where = find_type(tag)
        found = place(where, path) if where else None
        if found:
            ret["fields"][tag + "." + path] = found
    for name in re.findall(r"STOCK_VAR\(\d+, (\w+)", text):
        found = variable(name)
        if found:
            ret["variables"][name] = found
    print(json.dumps(ret))


with open(os.environ["DEFINITIONS"], encoding="utf-8") as file:
    main(file.read())
