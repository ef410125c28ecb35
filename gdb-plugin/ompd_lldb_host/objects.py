# SPDX-License-Identifier: Apache-2.0
"""The part of the host that knows memory, variables and types, of which names of objects are made."""

import lldb

from ompd_common import library
from . import memory, names


class Objects:
    """Callbacks of host.Host."""

    def _text(self, text):
        """TEXT as C sees it, kept for the snapshot."""
        if not text:
            return None
        if text not in self._texts:
            self._texts[text] = names.encoded(text)
        return self._texts[text]

    def _memory(self):
        if self._regions is None:
            self._regions = memory.Memory(self._process, self._heap_end)
        return self._regions

    def _heap_end(self):
        at = self._lib.ctypes.c_uint64()
        if self.lookup(b"__curbrk", None, self._lib.ctypes.pointer(at)):
            return 0
        error = lldb.SBError()
        end = self._process.ReadPointerFromMemory(at.value, error)
        return end if error.Success() else 0

    def region(self, addr, ret):
        found = self._memory().at(addr)
        if found is None:
            return 1
        ret[0].start, ret[0].end, ret[0].memory, ret[0].lwp = found
        return 0

    def data(self, index, start, end, module):
        rows = self._memory().data
        if index >= len(rows):
            return 1
        start[0], end[0], path = rows[index]
        module[0] = self._text(path)
        return 0

    def variable_at(self, addr, index, ret):
        rows = self._variables.at(addr)
        if index >= len(rows):
            return 1
        self._variables.fill(rows[index], ret[0], self._text)
        return 0

    def unit(self, pc, ret):
        unit = self._context(pc)[1].GetCompileUnit()
        if not unit.IsValid():
            return 1
        ret[0] = self._variables.unit(names.source(unit.GetFileSpec()))
        return 0

    def variable(self, scope, of, frame, index, ret):
        if scope == library.SCOPE_UNIT:
            row = self._variables.of_unit(of, index)
        else:
            thread = self._by_lwp.get(of)
            found = thread.GetFrameAtIndex(frame) if thread is not None else None
            row = self._variables.of_frame((of, frame), found, index) if found and found.IsValid() else None
        if row is None:
            return 1
        self._variables.fill(row, ret[0], self._text)
        return 0

    def type(self, number, ret):
        self._types.type(number, ret[0], self._text)
        return 0

    def field(self, number, index, ret):
        return 0 if self._types.field(number, index, ret[0], self._text) else 1

    def array(self, number, addr, ret, start):
        return 1  # lldb has no Fortran
