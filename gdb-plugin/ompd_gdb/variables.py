# SPDX-License-Identifier: Apache-2.0
"""Variables of the program as inspect/host.h wants them: of a unit, of a frame, and by address."""

import bisect
import contextlib
import re

import gdb

from . import available, types
from .lines import table_of

_FORTRAN = (".f90", ".f95", ".f03", ".f08", ".f", ".for")
_FIXED = (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_UNRESOLVED)
_MODULE_VARIABLE = re.compile(r"__(\w+)_MOD_(\w+)$")
# The name of a function's own variable has the function's before it: "fn(int)::count".
_OWN_NAME = re.compile(r".*\)( const)?::")
_MASK = 2**64 - 1
# So many are looked at that begin before an address: as in corefiles/variables.c.
_COVERING = 64


class Unit:
    """A compilation unit."""

    def __init__(self, block, symtab, number):
        self.blocks = block.global_block, block.static_block
        self.symtab, self.number = symtab, number
        # Who has compiled it, if that is Fortran; else "".
        self.fortran = ""
        if symtab is not None and symtab.filename.lower().endswith(_FORTRAN):
            self.fortran = getattr(symtab, "producer", None) or "unknown"  # since GDB 12
        self.symbols = None
        self.covered = None


class Row:
    """What insp_variable wants; empty for a variable of which nothing can be said."""

    __slots__ = ("name", "function", "file", "line", "type", "address", "is_value", "depth")

    def __init__(self):
        self.name = self.function = self.file = None
        self.line = self.type = self.address = self.is_value = self.depth = 0

    def fill(self, ret):
        for member in self.__slots__:
            setattr(ret, member, getattr(self, member))


class Variables:
    """Answers for one stop of the program."""

    def __init__(self, kinds, symbol_of):
        self.types = kinds
        self._symbol_of = symbol_of
        self._units = {}  # (start, end, file) of its global block -> Unit
        self._by_number = {}
        self._frame = None, ()

    # --- units -----------------------------------------------------------------------------------------

    def unit(self, pc):
        """The number of the unit whose code is at PC; None when GDB knows of none."""
        with contextlib.suppress(*types.ERRORS):
            block = gdb.block_for_pc(pc)
            return self._unit(block, _symtab(block, pc)).number if block is not None else None
        return None

    def _unit(self, block, symtab):
        outer = block.global_block
        key = outer.start, outer.end, "" if outer.start or symtab is None else symtab.filename
        if key not in self._units:
            unit = self._units[key] = Unit(block, symtab, len(self._units) + 1)
            self._by_number[unit.number] = unit
        return self._units[key]

    def of_unit(self, number, index):
        """A Row, None after the last."""
        unit = self._by_number.get(number)
        if unit is None:
            return None
        if unit.symbols is None:
            unit.symbols = []
            with contextlib.suppress(*types.ERRORS):
                unit.symbols += (s for block in unit.blocks for s in block
                                 if s.is_variable and s.addr_class in _FIXED)
        return self._static(unit.symbols[index], unit) if index < len(unit.symbols) else None

    def _row(self, symbol, function, depth=0):
        row = Row()
        text = self.types.text
        row.name = text(_OWN_NAME.sub("", symbol.print_name) if function else symbol.print_name)
        row.function = text(function)
        row.file, row.line = text(symbol.symtab.filename if symbol.symtab is not None else None), symbol.line
        row.depth = depth
        return row

    def _static(self, symbol, unit, function=None):
        row = Row()
        with contextlib.suppress(*types.ERRORS):
            # A name that is no text in the host's character set is an error too.
            row = self._row(symbol, function)
            self._place(row, symbol, symbol.value(), unit)
        return row

    def _place(self, row, symbol, value, unit):
        """Where the variable lies, or what it holds."""
        if types.is_described(symbol.type):
            row.type = self.types.resolved(symbol.type, value, unit)
            row.address, row.is_value = int(value.address) & _MASK, 1
            return
        kind = value.type.strip_typedefs()
        if types.kind_of(kind) == types.REFERENCE:
            row.address, row.is_value = int(value.referenced_value().address) & _MASK, 1
        elif value.address is not None:
            row.address = int(value.address) & _MASK
        elif types.kind_of(kind) == types.POINTER:
            row.address, row.is_value = int(value) & _MASK, 1
        else:
            return
        row.type = self.types.number(symbol.type, unit)

    # --- frames ----------------------------------------------------------------------------------------

    def of_frame(self, key, frame, index):
        """A Row of the frame with this KEY, which must be of the selected thread; None after the last."""
        if self._frame[0] != key:
            self._frame = key, list(self._list_frame(frame))
        rows = self._frame[1]
        return rows[index] if index < len(rows) else None

    def _list_frame(self, frame):
        try:
            block = frame.block()
            unit = self._unit(block, _symtab(block, available.pc(frame)))
        except types.ERRORS:
            return  # a function without debug information
        depth = 0
        while block is not None:
            for symbol in block:
                if symbol.is_variable or symbol.is_argument:
                    with contextlib.suppress(*types.ERRORS):
                        value = frame.read_var(symbol, block)
                        if not value.is_optimized_out:
                            row = self._row(symbol, frame.name(), depth)
                            self._place(row, symbol, value, unit)
                            yield row
            depth += 1
            block = block.superblock if block.function is None else None

    # --- by address ------------------------------------------------------------------------------------

    def at(self, addr):
        """Rows of the variables that cover ADDR: those that the linker's symbol leads to, and those of the
        units that were asked for."""
        found = []
        name = self._symbol_of(addr)[0]
        if name:
            for symbol in _named(_MODULE_VARIABLE.sub(r"\1::\2", name)):
                self._covering(addr, symbol, None, found, True)
            self._in_function(addr, name, found)
        for unit in list(self._units.values()):
            self._in_unit(addr, unit, found)
        found.sort(key=lambda row: -row.address)
        return list({(row.address, row.name): row for row in found}.values())

    def _covering(self, addr, symbol, function, found, there=False):
        """THERE: it covers ADDR; of references and descriptors GDB does not say where they are themselves."""
        with contextlib.suppress(*types.ERRORS):
            if symbol.addr_class not in _FIXED or symbol.symtab is None:
                return
            unit = self._unit(symbol.symtab.static_block(), symbol.symtab)
            row = self._static(symbol, unit, function)
            if there if row.is_value else row.address <= addr < row.address + max(symbol.type.sizeof, 1):
                found.append(row)

    def _in_function(self, addr, name, found):
        """A function's own variable: C++ names it "fn()::count", clang "fn.count"."""
        for function, mark in (name.rpartition("::")[:2], name.partition(".")[:2]):
            with contextlib.suppress(*types.ERRORS):
                symbol = None
                if mark:
                    symbol = gdb.lookup_global_symbol(function) or gdb.lookup_static_symbol(function)
                if symbol is not None and symbol.is_function:
                    for own, whose in _statics_of(symbol, {}):
                        self._covering(addr, own, whose, found)

    def _in_unit(self, addr, unit, found):
        """For variables to which no symbol leads: gcc names a C function's own variable "count.0", and the
        variables of a Fortran COMMON block have none."""
        if unit.covered is None:
            unit.covered = []
            with contextlib.suppress(*types.ERRORS):
                lines = {}
                every = [(s, None) for block in unit.blocks for s in block if s.is_variable]
                every += [one for block in unit.blocks for s in block if s.is_function
                          for one in _statics_of(s, lines)]
                for symbol, whose in every:
                    with contextlib.suppress(*types.ERRORS):
                        if symbol.addr_class in _FIXED:
                            start = int(symbol.value().address) & _MASK
                            unit.covered.append((start, start + max(symbol.type.sizeof, 1), symbol, whose))
            unit.covered.sort(key=lambda row: row[:2])
        behind = bisect.bisect_right(unit.covered, (addr, 2 * _MASK))  # behind all that begin at ADDR
        # Thousands of words are asked for, and a unit can have as many variables.
        for _, end, symbol, whose in unit.covered[max(0, behind - _COVERING):behind]:
            if addr < end:
                self._covering(addr, symbol, whose, found)


def _symtab(block, pc):
    while block is not None and block.function is None:
        block = block.superblock
    return block.function.symtab if block is not None else gdb.find_pc_line(pc).symtab


def _named(name):
    """Symbols of variables outside of functions. In several files there can be one of the same name."""
    found = []
    with contextlib.suppress(*types.ERRORS):
        found = [gdb.lookup_global_symbol(name)] + list(gdb.lookup_static_symbols(name))
    return [symbol for symbol in found if symbol is not None and symbol.is_variable]


def _statics_of(function, lines):
    """(symbol, the function's name) of the variables of static storage in all blocks of a function. LINES
    keeps the addresses in the line tables of files from one function to the next."""
    outer = gdb.block_for_pc(int(function.value().address) & _MASK)
    while outer is not None and outer.function is None:
        outer = outer.superblock
    if outer is None:
        return
    seen = set()
    file = function.symtab.filename
    if file not in lines:
        lines[file] = sorted({line.pc for line in table_of(function.symtab)})
    first = bisect.bisect_left(lines[file], outer.start)
    last = bisect.bisect_left(lines[file], outer.end)
    for pc in {outer.start, *lines[file][first:last]}:
        block = gdb.block_for_pc(pc)
        while block is not None and (block.start, block.end) not in seen:
            seen.add((block.start, block.end))
            for symbol in block:
                if symbol.is_variable and symbol.addr_class == gdb.SYMBOL_LOC_STATIC:
                    yield symbol, function.print_name
            if block.function is not None:
                break
            block = block.superblock
