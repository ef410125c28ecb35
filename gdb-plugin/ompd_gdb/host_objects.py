# SPDX-License-Identifier: Apache-2.0
"""The part of the host that knows memory, variables and types, of which names of objects are made."""

from ompd_common import library
from . import naming, selection


class Objects:
    """Callbacks of host.Host. A search asks for thousands, so the user's thread is selected again only when
    it is over, in asking()."""

    def region(self, addr, ret):
        self.told.append(object())
        r = ret[0]
        r.start, r.end, r.memory, r.lwp = self._memory_map().at(addr)
        return 0

    def _memory_map(self):
        if self._regions is None:
            from . import regions  # most stops need it never
            self._regions = regions.Regions(self._inferior, self._heap_end, selection.kept)
        return self._regions

    def _program(self):
        """Its variables."""
        if self._variables is None:
            from . import types, variables  # most stops need them never
            self._variables = variables.Variables(types.Types(), naming.symbol)
        return self._variables

    def _heap_end(self):
        at = self._address_of("__curbrk")
        return int.from_bytes(self._memory(at, 8), "little") if at is not None else 0

    def data(self, index, start, end, module):
        rows = self._memory_map().data()
        if index >= len(rows):
            return 1
        start[0], end[0] = rows[index][:2]
        self._handed["data"] = []
        module[0] = self._hand("data", rows[index][2] or None)
        return 0

    def variable_at(self, addr, index, ret):
        self.told.append(object())
        if not index or self._covering[0] != addr:
            self._covering = addr, self._program().at(addr)
        rows = self._covering[1]
        if index >= len(rows):
            return 1
        rows[index].fill(ret[0])
        return 0

    def unit(self, pc, ret):
        number = self._program().unit(pc)
        if number is None:
            return 1
        ret[0] = number
        return 0

    def variable(self, scope, of, frame, index, ret):
        if scope == library.SCOPE_UNIT:
            row = self._program().of_unit(of, index)
        else:
            found = self._frame_at(of, frame)
            row = self._program().of_frame((of, frame), found, index) if found is not None else None
        if row is None:
            return 1
        row.fill(ret[0])
        return 0

    def local(self, lwp, frame, index, ret):
        self.told.append(object())
        found = self._frame_at(lwp, frame)
        if found is None:
            return 1
        if not index or self._locals[0] != (lwp, frame):
            from . import local_values  # asked for by `ompd stacks -locals` only
            self._locals = (lwp, frame), list(local_values.of_frame(found))
        rows = self._locals[1]
        if index >= len(rows):
            return 1
        r, self._handed["local"] = ret[0], []
        name, kind, value, why, r.argument, r.depth = rows[index]
        r.name, r.type, r.value, r.why = (self._hand("local", text) for text in (name, kind, value, why))
        return 0

    def type(self, number, ret):
        return 0 if self._program().types.type(number, ret[0]) else 1

    def field(self, number, index, ret):
        return 0 if self._program().types.field(number, index, ret[0]) else 1

    def array(self, number, addr, ret, start):
        found = self._program().types.array(number, addr, ret[0])
        if found is None:
            return 1
        start[0] = found
        return 0
