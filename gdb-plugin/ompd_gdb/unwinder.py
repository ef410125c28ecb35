# SPDX-License-Identifier: Apache-2.0
"""Stacks through a runtime whose file is missing.

Such a mapping has no unwind tables, so GDB's own unwinders stop at the first of its frames and the user's
frames above are lost. What the library knows of the runtime's frames leads on (insp_caller), only inside a
runtime's mapping and only where GDB knows neither file nor symbol.
"""

import re

import gdb
import gdb.unwinder

from . import available, cli, errors, older, session

NAME = "ompd-runtime"

# Those that a call keeps; what the caller is found by.
_REGISTERS = "rip rsp rbp rbx r12 r13 r14 r15".split()

# Of `info files`.
_ENTRY = re.compile(r"Entry point: (0x[0-9a-f]+)")

_known = set()  # pages of which GDB knows something
_programs = {}  # (start, end) of a mapped file -> whether GDB has it as the program
_busy = False


class _FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


def _forget(_event=None):
    _known.clear()
    _programs.clear()


def _is_program(pair):
    """Whether the program's own file, which GDB has, is mapped from the one address to the other."""
    if pair not in _programs:
        entry = _ENTRY.search(cli.text("info files"))
        _programs[pair] = entry is not None and pair[0] <= int(entry.group(1), 16) < pair[1]
    return _programs[pair]


def _gdb_knows(pc):
    """True when GDB has a file or a symbol for PC, so that its own unwinders know better."""
    page = pc >> 12
    if page in _known:
        return True
    if gdb.current_progspace().solib_name(pc) is not None or gdb.find_pc_line(pc).symtab is not None \
            or cli.text("info symbol 0x%x" % pc).rstrip().find(" in section ") > 0:
        _known.add(page)
        return True
    return False


def _has_file(pair):
    """Whether GDB has the file that is mapped from the one address to the other: it knows a page of it then.

    A stripped static program has no symbol in any page, but GDB has its unwind information."""
    step = max((pair[1] - pair[0]) // 32, 4096)
    return any(map(_gdb_knows, range(*pair, step))) or _is_program(pair)


def _has_called(level):
    """Whether the frame of that level waits for a call to return, and was not interrupted at its pc; so it is
    taken where the level is not known."""
    if level is None:
        return True
    if level == 0:
        return False
    inner = next((frame for frame in available.callers(available.newest())
                  if older.level(frame) == level - 1), None)
    return inner is None or inner.type() != gdb.SIGTRAMP_FRAME


class RuntimeUnwinder(gdb.unwinder.Unwinder):
    """For pcs in a mapped OpenMP runtime of which GDB has no file."""

    def __init__(self):
        self._at, self._needed = None, True
        super().__init__(NAME)
        self._on = True

    @property
    def enabled(self):
        """Off as well where GDB has the file of each runtime: it asks for every frame of every stack."""
        if not self._on:
            return False
        inferior = gdb.selected_inferior()
        at = session.mapped(), inferior.num, inferior.pid
        if at != self._at:
            ranges = session.known_ranges()
            if ranges is None:
                return True
            self._at, self._needed = at, not all(map(_has_file, ranges))
        return self._needed

    @enabled.setter
    def enabled(self, value):
        if getattr(self, "_on", None) != value:
            self._on = value
            gdb.invalidate_cached_frames()

    @errors.silent(None)
    def __call__(self, pending_frame):
        global _busy
        # GDB may unwind while it answers the questions below.
        if _busy or "x86-64" not in pending_frame.architecture().name():
            return None
        _busy = True
        try:
            return self._unwind(pending_frame)
        finally:
            _busy = False

    def _unwind(self, pending_frame):
        mask = 2**64 - 1
        pc = int(pending_frame.read_register("rip")) & mask
        inferior = gdb.selected_inferior()
        if not inferior.pid or pc < 0x1000 or _gdb_knows(pc):
            return None
        ranges = session.current().frame_ranges()
        pair = next((pair for pair in ranges or () if pair[0] <= pc < pair[1]), None)
        if pair is None or _is_program(pair):
            return None
        newest = not _has_called(older.pending_level(pending_frame))
        registers = {name: int(value) & mask for name, value in _readable(pending_frame)}
        found = session.current().caller_of(newest, registers)
        if found is None or not found["rip"] or found["rsp"] <= registers["rsp"]:
            return None
        info = pending_frame.create_unwind_info(_FrameId(gdb.Value(found["rsp"]), gdb.Value(pair[0])))
        for name, value in found.items():
            info.add_saved_register(name, gdb.Value(value))
        return info


def _readable(pending_frame):
    """(name, value) of the registers whose value is known."""
    for name in _REGISTERS:
        value = pending_frame.read_register(name)
        if not value.is_optimized_out:
            yield name, value


def register():
    """Registers the unwinder for all programs, once."""
    for name in ("new_objfile", "free_objfile", "clear_objfiles"):
        older.connect_if_there(name, _forget)
    gdb.unwinder.register_unwinder(None, RuntimeUnwinder(), replace=True)
