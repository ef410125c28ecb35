# SPDX-License-Identifier: Apache-2.0
"""Global variables of files in which nobody waits. GDB lists them only by reading the whole program's debug
information; so the words of the program's data that point into allocated memory are looked for, and of those
the symbols.
"""

import array
import contextlib
import re

import gdb

from . import parse

# Bytes of data that are looked through, words of which the symbol is asked, symbols of which the file's debug
# information is read: that takes some 25 ms for a file of C++.
_BYTES, _WORDS, _SYMBOLS = 16 << 20, 4096, 64
_MODULE_VARIABLE = re.compile(r"__(\w+)_MOD_(\w+)$")


def _sections(system):
    """(start, end) of the program's data, then its libraries'."""
    found = []
    with contextlib.suppress(gdb.error):
        for start, end, name, file in parse.sections(gdb.execute("info files", to_string=True)):
            if name in (".data", ".bss") and not file.startswith(system):
                found.append((file != "", start, end))
    return [row[1:] for row in sorted(found)]


def _names(read, allocated, symbol_of, system):
    """Names of the variables in which pointers are, by address."""
    left, words, names = _BYTES, _WORDS, {}
    for start, end in _sections(system):
        if end - start > left:
            continue
        left -= end - start
        start += -start % 8
        data = array.array("Q", read(start, (end - start) & ~7))
        for i, value in enumerate(data):
            if not value or not allocated(value):
                continue
            words -= 1
            name = symbol_of(start + 8 * i)[0]
            if name:
                names.setdefault(_MODULE_VARIABLE.sub(r"\1::\2", name))
            if not words or len(names) == _SYMBOLS:
                return names
    return names


def variables(read, allocated, symbol_of, system):
    """gdb.Symbols."""
    for name in _names(read, allocated, symbol_of, system):
        with contextlib.suppress(gdb.error, RuntimeError):
            symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
            if symbol is not None:
                yield symbol
