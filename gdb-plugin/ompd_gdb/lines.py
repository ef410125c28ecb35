# SPDX-License-Identifier: Apache-2.0
"""The line in which a function begins.

Of several lines at one address GDB takes the last: where a breakpoint at the function is to stop. With -O2
the body of a construct often has its own first line there, and that of a function inlined into it. The first
is the line of the function itself, which for the body of a construct is the directive's.
"""

import os

import gdb

_MASK = 2**64 - 1
_ERRORS = gdb.error, RuntimeError, ValueError
# A file of a template library has a hundred thousand rows: these many tables are kept.
_TABLES = 4
# Ranges of one line that are looked at in a function whose beginning is another file's code.
_RANGES = 64


class Lines:
    """Answers for one set of mapped files."""

    def __init__(self):
        self._tables = {}  # (file, object file) -> address -> first line there
        self._own = {}  # (start, address, file) -> what `own` has found

    def opening(self, addr):
        """(symtab, line) when a function begins at ADDR, whose line is known; else None."""
        try:
            found = [one for one in _functions(addr) if int(one.function.value().address) & _MASK == addr]
            if not found:
                return None
            # Functions that are inlined there begin there too. The body of a construct is nested in its
            # function for DWARF, but that one begins elsewhere.
            own = found[-1]
            # It has no declaration, so its file is the unit's. In an included file, its own code says which.
            symtabs = [own.function.symtab]
            if len(found) == 1:
                symtabs.append(gdb.find_pc_line(addr).symtab)
            for symtab in symtabs:
                line = self._first(symtab).get(addr) if symtab is not None else None
                if line:
                    return symtab, line
            return _least(_key(own), addr)
        except _ERRORS:
            return None

    def inlined(self, addr, start):
        """The name that the debug information has for the function whose code is at ADDR if that is inlined
        into the one that begins at START; else None."""
        try:
            block = next(_functions(addr), None)
            if block is None or start == addr or int(block.function.value().address) & _MASK == start:
                return None
            return block.function.linkage_name
        except _ERRORS:
            return None

    def own(self, start, addr, declared=None):
        """(symtab, line): the last line from START to ADDR in the file DECLARED (bytes) or, without one, in
        that of the function that begins at START; None.

        GDB has dropped a row where another file's begins at the same address. Where only the line of the
        function's beginning is left of its own, that is no answer; nor where the code is of a function that
        is inlined there, for its row may be the one that was dropped."""
        key = start, addr, declared
        if key not in self._own:
            try:
                self._own[key] = self._find_own(start, addr, declared)
            except _ERRORS:
                self._own[key] = None
        return self._own[key]

    def _find_own(self, start, addr, declared):
        opening = self.opening(start)
        inner = next(_functions(addr), None)
        if opening is None or inner is None or int(inner.function.value().address) & _MASK != start:
            return None
        symtab, first = opening
        if declared is not None and os.fsencode(symtab.filename) != declared:
            return None
        before = [(pc, line) for pc, line in self._first(symtab).items()
                  if start < pc <= addr and line and line != first]
        return (symtab, max(before)[1]) if before else None

    def _first(self, symtab):
        key = symtab.fullname(), symtab.objfile.filename
        if key not in self._tables:
            if len(self._tables) >= _TABLES:
                del self._tables[next(iter(self._tables))]
            table = self._tables[key] = {}
            for row in table_of(symtab):
                table.setdefault(row.pc, row.line)
        return self._tables[key]


def table_of(symtab):
    """The line table; empty where there is none: GDB 13 crashes when one that is not there is iterated, but
    raises an error when it is asked for a line."""
    try:
        table = symtab.linetable()
        table.has_line(1)
        return table
    except _ERRORS:
        return ()


def _functions(addr):
    """The blocks of the functions around ADDR, from the innermost of those that are inlined."""
    block = gdb.block_for_pc(addr)
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None:
            yield block
        block = block.superblock


def _key(block):
    return block.start, block.end, block.function.linkage_name


def _least(own, addr):
    """What is inlined at the beginning hides its line: GDB drops a row where the next file begins at the same
    address. The function's own code that follows has no line before that one."""
    file = symtab = least = None
    for _ in range(_RANGES):
        around = [_key(one) for one in _functions(addr)]
        sal = gdb.find_pc_line(addr)
        if own not in around or sal.symtab is None or not sal.last or sal.last < addr:
            break
        if sal.line and around[0] == own and file in (None, sal.symtab.fullname()):
            file, symtab = sal.symtab.fullname(), sal.symtab
            least = sal.line if least is None else min(least, sal.line)
        addr = sal.last + 1
    return (symtab, least) if symtab is not None else None
