# SPDX-License-Identifier: Apache-2.0
"""What an address lies in: a file's memory, a thread's stack, the heap, or what was mapped without a file."""

import bisect
import contextlib

import gdb

from . import available, cli, parse

NONE, ANONYMOUS, FILE, HEAP, STACK = range(5)
_DATA = (".data", ".bss")
_END = 2**64 - 1


class Regions:
    """Answers for one stop of the program."""

    def __init__(self, inferior, heap_end, kept_selection):
        self._inferior = inferior
        self._kept_selection = kept_selection
        self._heap_end = heap_end  # () -> where the heap ends that grows by brk(2)
        self._sections = []
        self._mapped = []
        self._stacks = None
        with contextlib.suppress(gdb.error):
            self._sections = sorted(parse.sections(cli.text("info files")))
        for table in ("info proc mappings", "info files"):
            with contextlib.suppress(gdb.error):
                self._mapped += parse.regions(cli.text(table))
        self._mapped.sort()

    def data(self):
        """(start, end, path or "" of the program) of the sections with variables."""
        return [(start, end, file) for start, end, name, file in self._sections if name in _DATA]

    def at(self, addr):
        """(start, end, what, LWP of a stack)"""
        at = bisect.bisect_right(self._mapped, (addr, _END, "")) - 1
        start, end, path = self._mapped[at] if at >= 0 else (0, 0, "")
        if addr >= end:
            return end, self._mapped[at + 1][0] if at + 1 < len(self._mapped) else _END, NONE, 0
        if path.startswith("/"):
            return start, end, FILE, 0
        # The kernel names no file for .bss, and joins it with what is mapped behind it.
        at = bisect.bisect_right(self._sections, (addr, _END)) - 1
        if at >= 0:
            if addr < self._sections[at][1]:
                return max(start, self._sections[at][0]), min(end, self._sections[at][1]), FILE, 0
            start = max(start, self._sections[at][1])
        owner = self._owner(addr, start, end)
        if owner is not None:
            return start, end, STACK, owner.ptid[1] or owner.ptid[2]
        heap = path == "[heap]" or not path and self._ends_heap(addr, end)
        return start, end, HEAP if heap else ANONYMOUS, 0

    def _ends_heap(self, addr, end):
        """A core does not say which of its parts is the heap: it ends where glibc's __curbrk stands."""
        top = self._heap_end()
        return addr < top and end - top < 4096

    def _owner(self, addr, start, end):
        """The thread whose stack it is: the nearest stack pointer below, in the same memory."""
        if self._stacks is None:
            with self._kept_selection():
                self._stacks = sorted(self._stack_pointers(), key=lambda row: row[:2])
        at = bisect.bisect_right(self._stacks, (addr, _END)) - 1
        return self._stacks[at][2] if at >= 0 and self._stacks[at][0] >= start else None

    def _stack_pointers(self):
        for thread in self._inferior.threads():
            if thread.is_valid() and not thread.is_exited() and not thread.is_running():
                thread.switch()
                at = available.register(available.newest(), "sp")
                if at is not None:
                    yield at, thread.num, thread
