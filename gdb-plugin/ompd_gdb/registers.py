# SPDX-License-Identifier: Apache-2.0
"""Registers of threads and of their frames, for an OpenMP runtime that records nothing for debuggers.

To select a thread costs more than all that is read there, so both are kept for the stop.
"""

import struct

import gdb

from . import available

# In the order of ompdx_register_t (struct user_regs_struct); segments are left out, nobody asks for them.
_NAMES = ("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi",
          "rdi", "orig_rax", "rip", None, "eflags", "rsp", None, "fs_base", None, None, None, None, None)
_ALL = struct.Struct("27Q")
# Members of struct insp_frame_registers that a call keeps.
_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")
_RIP, _RSP = _NAMES.index("rip"), _NAMES.index("rsp")
_NUMBERS = {name: _NAMES.index(name) for name in _KEPT}
_PTRACE_GETREGS = 12
# As in inspect: a recursion that ran away is told by these.
_FRAMES_MAX = 1024


class _Stack:
    """What is known of a thread's frames."""

    def __init__(self):
        self.rows = []
        self.level = 0       # of the frame that comes next, inlined ones included
        self.called = False  # whether the pc of that is a return address
        self.ended = False


class Registers:
    """FRAME_AT(lwp, level): a frame, of the thread that is then selected; None. HAS_CODE(pc): whether the
    code of a frame can be read. CTYPES: of a process that GDB has stopped here and that is in no recorded
    past."""

    def __init__(self, frame_at, has_code, ctypes=None):
        self._frame_at, self._has_code = frame_at, has_code
        self._ctypes, self._ptrace = ctypes, None
        if ctypes is not None:
            self._ptrace = ctypes.CDLL(None).ptrace
            self._ptrace.restype = ctypes.c_long
            self._ptrace.argtypes = ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p
        self._threads, self._stacks = {}, {}
        self._readable = {}

    def of(self, lwp):
        """(all registers as the kernel's structure, the bits of those that are known); None."""
        if lwp not in self._threads:
            self._threads[lwp] = self._from_kernel(lwp) or self._read(self._frame_at(lwp, 0))
        return self._threads[lwp]

    def _from_kernel(self, lwp):
        """The same of a thread that GDB itself holds: without selecting it, which takes ten times as long."""
        if self._ptrace is None:
            return None
        data = bytearray(_ALL.size)
        at = (self._ctypes.c_char * len(data)).from_buffer(data)
        if self._ptrace(_PTRACE_GETREGS, lwp, None, at):
            return None  # it runs, or somebody else holds it
        return bytes(data), (1 << len(_NAMES)) - 1

    def _read(self, newest):
        found = [None if name is None else available.register(newest, name) for name in _NAMES]
        known = sum(1 << i for i, value in enumerate(found) if value is not None)
        return (_ALL.pack(*(value or 0 for value in found)), known) if known else None

    def frame(self, lwp, index):
        """(pc, sp, bits of what is known, whether the pc is the next instruction, registers) of the INDEX-th
        frame that is no inlined one; None behind the last, False if there is no stack."""
        stack = self._stacks.setdefault(lwp, _Stack())
        while index >= len(stack.rows) and not stack.ended:
            self._extend(lwp, stack)
        if index < len(stack.rows):
            return stack.rows[index]
        return None if stack.rows else False

    def _extend(self, lwp, stack):
        """One frame more. What GDB unwinds without the code of the inner function is a guess."""
        if len(stack.rows) >= _FRAMES_MAX or stack.called and not self._can_read(stack.rows[-1][0]):
            stack.ended = True
            return
        frame = self._frame_at(lwp, stack.level)
        if frame is None:
            stack.ended = True
            return
        stack.level += 1
        kind = frame.type()
        if kind == gdb.INLINE_FRAME:
            return
        found = [available.register(frame, name) for name in _KEPT]
        sp = available.register(frame, "rsp")
        known = 1 << _RIP | (sp is not None) << _RSP
        for name, value in zip(_KEPT, found):
            known |= (value is not None) << _NUMBERS[name]
        stack.rows.append((available.pc(frame), sp or 0, known, int(not stack.called),
                           [value or 0 for value in found]))
        stack.called = kind != gdb.SIGTRAMP_FRAME

    def _can_read(self, pc):
        if pc not in self._readable:
            self._readable[pc] = self._has_code(pc)
        return self._readable[pc]
