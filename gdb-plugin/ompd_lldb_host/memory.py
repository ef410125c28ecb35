# SPDX-License-Identifier: Apache-2.0
"""Regions of memory: what an address lies in."""

import bisect

import lldb

from . import names

(_NONE, _ANONYMOUS, _FILE, _HEAP, _STACK) = range(5)
_END = 2**64 - 1


class Memory:
    """What an address lies in."""

    def __init__(self, process, heap_end):
        self._process = process
        self._heap_end = heap_end
        target = process.GetTarget()
        program = target.GetExecutable()
        self.data = []
        for module in target.module_iter():
            path = None if module.GetFileSpec() == program else names.path(module.GetFileSpec())
            # lldb has the sections of a file as parts of its segments.
            for section in [one for outer in module.section_iter() for one in (outer, *outer)]:
                start = section.GetLoadAddress(target)
                if section.GetName() in (".data", ".bss") and start != lldb.LLDB_INVALID_ADDRESS:
                    self.data.append((start, start + section.GetByteSize(), path))
        self.data.sort(key=lambda row: row[:2])
        self._stacks = sorted((thread.GetFrameAtIndex(0).GetSP(), thread.GetThreadID()) for thread in process
                              if thread.GetFrameAtIndex(0).IsValid())

    def at(self, addr):
        """(start, end, what, LWP of a stack); None: lldb does not know."""
        region = lldb.SBMemoryRegionInfo()
        if not self._process.GetMemoryRegionInfo(addr, region).Success():
            return None
        start, end, path = region.GetRegionBase(), region.GetRegionEnd(), region.GetName() or ""
        if not region.IsMapped() or not region.IsReadable():
            return start, end, _NONE, 0
        if path.startswith("/"):
            return start, end, _FILE, 0
        at = bisect.bisect_right(self.data, (addr, _END), key=lambda row: row[:2]) - 1
        if at >= 0:
            # The kernel names no file for .bss, and joins it with what is mapped behind it.
            if addr < self.data[at][1]:
                return max(start, self.data[at][0]), min(end, self.data[at][1]), _FILE, 0
            start = max(start, self.data[at][1])
        at = bisect.bisect_right(self._stacks, (addr, _END)) - 1
        if at >= 0 and self._stacks[at][0] >= start:
            return start, end, _STACK, self._stacks[at][1]
        top = self._heap_end()
        heap = path == "[heap]" or not path and addr < top and end - top < 4096
        return start, end, _HEAP if heap else _ANONYMOUS, 0
