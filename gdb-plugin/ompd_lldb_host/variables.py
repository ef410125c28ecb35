# SPDX-License-Identifier: Apache-2.0
"""Variables of the program as inspect/host.h wants them."""

import bisect
import itertools
import re

import lldb

from . import names, types

_DATA_SYMBOLS = (lldb.eSymbolTypeData, lldb.eSymbolTypeObjectFile, lldb.eSymbolTypeVariable)
# Variables of one name that are looked at.
_ALIKE = 256
# "ns::fn<int>(int) const::count": ns::fn; "fn.count": fn.
_OF_FUNCTION = re.compile(r"([\w:~]+)(?:<.*>)?\(.*\)[ a-z]*::\w+$|(\w+)\.\w+$")
_ANONYMOUS_SCOPE = "(anonymous namespace)::"
_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
# As in corefiles/variables.c.
_COVERING = 64


def _address(value):
    """Where a variable lies; None for one that is in a register, for which GetLoadAddress gives its value."""
    at = value.GetLoadAddress()
    return at if at != lldb.LLDB_INVALID_ADDRESS and value.GetLocation() == "0x%016x" % at else None


def _variable_name(symbol):
    """The last part of "ns::Grid::table", of gcc's "count.0" and clang's "fn.count"."""
    parts = [part for part in symbol.split(".") if not part.isdigit()]
    return parts[-1].rpartition("::")[2] if parts else symbol


class Variables:
    """Variables of the program: of a unit, of a frame, and by address. lldb lists those outside of functions
    for the whole program only; a unit's are those that are declared in its file."""

    def __init__(self, target, kinds):
        self._target, self._kinds = target, kinds
        self._statics = None  # rows by address
        self._files = {}      # source file -> its rows
        self._units = []
        self._frame = None, ()

    def unit(self, file):
        """A number for the unit of a source file."""
        if file not in self._units:
            self._units.append(file)
        return self._units.index(file) + 1

    def _row(self, value, function=None, depth=0):
        """(address, size, name, function, file, line, type, is_value, depth); None where it has no place."""
        kind, address, is_value = value.GetType(), _address(value), 0
        error = lldb.SBError()
        what = types.kind_of(kind.GetCanonicalType())
        if what == types.REFERENCE or what == types.POINTER and address is None:
            address, is_value = value.GetValueAsUnsigned(error), 1
        if address is None or not error.Success() or not value.GetName():
            return None
        declared, name = value.GetDeclaration(), value.GetName().removeprefix("::")
        if function is None and "(" in name.replace(_ANONYMOUS_SCOPE, ""):  # "fn(int)::count"
            function, _, name = name.rpartition("::")
        return (address, kind.GetByteSize(), name, function or None,
                names.source(declared.GetFileSpec()), declared.GetLine(), kind, is_value, depth)

    def _list_statics(self):
        if self._statics is not None:
            return
        found = {}
        for module in self._target.module_iter():
            # The system's libraries have thousands, none of which a program's lock is.
            if (names.path(module.GetFileSpec()) or "").startswith(_SYSTEM):
                continue
            symbols = [symbol.GetName() or "" for symbol in module if symbol.GetType() in _DATA_SYMBOLS]
            for value in itertools.chain(self._named(module, symbols), self._of_functions(module, symbols)):
                row = self._row(value)
                if row is not None and not row[7]:
                    found[row[0], row[2]] = row
        self._statics = sorted(found.values(), key=lambda row: row[:2])
        for row in self._statics:
            self._files.setdefault(row[4], []).append(row)

    def _named(self, module, symbols):
        """Variables with the names of SYMBOLS."""
        for name in {_variable_name(symbol) for symbol in symbols}:
            yield from module.FindGlobalVariables(self._target, name, _ALIKE)

    def _of_functions(self, module, symbols):
        """Those of functions, which lldb knows only by the function: "fn(int)::count", clang's "fn.count"."""
        functions = {match.group(1) or match.group(2) for match in map(_OF_FUNCTION.match, symbols) if match}
        for name in functions:
            for context in module.FindFunctions(name, lldb.eFunctionNameTypeAuto):
                blocks = [context.GetFunction().GetBlock()]
                while blocks:
                    block = blocks.pop()
                    if not block.IsValid():
                        continue
                    blocks += block.GetSibling(), block.GetFirstChild()
                    for value in block.GetVariables(self._target, False, False, True):
                        yield value

    def at(self, addr):
        """Rows of the variables that cover ADDR."""
        self._list_statics()
        end = bisect.bisect_right(self._statics, addr, key=lambda row: row[0])
        return [row for row in self._statics[max(0, end - _COVERING):end][::-1]
                if addr < row[0] + max(row[1], 1)]

    def of_unit(self, number, index):
        self._list_statics()
        rows = self._files.get(self._units[number - 1], ()) if 0 < number <= len(self._units) else ()
        return rows[index] if index < len(rows) else None

    def of_frame(self, key, frame, index):
        if self._frame[0] != key:
            self._frame = key, list(self._list_frame(frame))
        return self._frame[1][index] if index < len(self._frame[1]) else None

    def _list_frame(self, frame):
        function = names.symbol_name(frame.GetSymbol()) if not frame.IsInlined() else frame.GetFunctionName()
        block, depth = frame.GetBlock(), 0
        while block.IsValid():
            for value in block.GetVariables(frame, True, True, True, lldb.eNoDynamicValues):
                row = self._row(value, function, depth) if value.IsInScope() else None
                if row is not None:
                    yield row
            if block.IsInlined():
                return
            block, depth = block.GetParent(), depth + 1

    def fill(self, row, ret, text):
        """A row into a struct insp_variable."""
        ret.address, _, name, function, file, ret.line, kind, ret.is_value, ret.depth = row
        ret.name, ret.function, ret.file = text(name), text(function), text(file)
        ret.symbol = None
        ret.type = self._kinds.number(kind)
