# SPDX-License-Identifier: Apache-2.0
"""The part of the host that knows registers and stacks. A thread that is looked at stays selected until
host.Host.asking() ends."""

import contextlib
import itertools
import os
import re

import gdb

from ompd_common import library
from . import available, naming, selection

_EM_X86_64 = 62
_SP = 7, "rsp"  # DWARF's number, and GDB's name
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8", "r9")
_STOCK = re.compile(rb"lib(gomp|i?omp5?)\b.*\.so")
# As in inspect: a recursion that ran away is told by these.
_FRAMES_MAX = 1024


class Frames:
    """Callbacks of host.Host."""

    def reg(self, lwp, dwarf_reg, value):
        self.told.append(object())
        name = library.REGISTERS.get(dwarf_reg)
        found = self._tops.get(lwp) if dwarf_reg == _SP[0] else None
        if found is None:
            if name is None or not self._look_at(lwp):
                return 1
            found = available.register(available.newest(), name)
        if found is None:
            return 1
        value[0] = found
        return 0

    def frame(self, lwp, index, ret):
        self.told.append(object())
        if not self._look_at(lwp):
            return -1
        if self._stack is None or self._stack[0] != lwp:
            newest = available.newest()
            self._stack = lwp, [], self._frame_rows(available.placed(newest))
            # These are asked next, for all threads, and to select a thread twice costs more.
            self._calls[lwp] = self._call(newest)
            self._tops[lwp] = available.register(newest, _SP[1]) if self._x86_64 else None
        _, rows, others = self._stack
        # Who asks what a thread does goes no further than to the program's own code.
        rows.extend(itertools.islice(others, max(0, index + 1 - len(rows))))
        if index >= len(rows):
            return 1 if rows else -1
        r = ret[0]
        p = r.place
        r.pc, p.symbol, p.file, p.line, p.module, r.inlined, r.declared = rows[index]
        p.offset = 0
        return 0

    def system_call(self, lwp, ret):
        self.told.append(object())
        if lwp not in self._calls:
            self._calls[lwp] = self._call(available.newest()) if self._look_at(lwp) else None
        found = self._calls[lwp]
        if not found:
            return -1 if found is None else 1
        r = ret[0]
        r.machine, r.inside = _EM_X86_64, 0
        r.number, r.result, r.arg[:] = found
        return 0

    def _call(self, newest):
        """(number, result, arguments) of a thread's system call; () of none, None where that is not known."""
        number = available.register(newest, "orig_rax") if newest is not None and self._x86_64 else None
        if number is None or number >> 63:
            return None if number is None else ()
        result, *arguments = (available.register(newest, name) for name in ("rax", *_ARGUMENTS))
        if result is None or None in arguments:
            return None
        return number, result - (result >> 63 << 64), tuple(arguments)

    def registers(self, lwp, values, known):
        self.told.append(object())
        found = self._all_registers().of(lwp)
        if found is None:
            return 1
        data, known[0] = found
        self._memmove(values, data, len(data))
        return 0

    def frame_registers(self, lwp, index, ret):
        self.told.append(object())
        found = self._all_registers().frame(lwp, index)
        if not found:
            return 1 if found is None else -1
        r = ret[0]
        r.pc, r.sp, r.known, r.exact, (r.rbx, r.rbp, r.r12, r.r13, r.r14, r.r15) = found
        return 0

    def _all_registers(self):
        if self._registers is None:
            from . import registers  # a runtime of this project needs them never
            here = self._kind()[1] == "native" and gdb.current_recording() is None
            ours = self._is_x86_64()
            self._registers = registers.Registers(
                self._frame_at if ours else lambda lwp, level: None, self._has_code,
                self._lib.ctypes if ours and here else None)
        return self._registers

    def _has_code(self, pc):
        """Whether GDB has the code at PC."""
        return bool(self._memory(pc, 1))

    def _look_at(self, lwp):
        """Selects the thread until asking() ends: to select another one, GDB forgets all frames. Whether it
        can be looked at."""
        if self._looked_at == lwp:
            return True
        thread = self._thread_of(lwp)
        # In a condition the thread that stops counts as running, and has registers.
        if thread is None or thread.is_running() and thread.global_num != self.stopped:
            return False
        if self._was is None:
            self._was = selection.current()
        self._looked_at = self._walked = self._stack = None
        thread.switch()
        self._looked_at = lwp
        return True

    def _frame_at(self, lwp, index):
        """A frame of the thread, which is then selected."""
        if not self._look_at(lwp):
            return None
        if self._walked is None or self._walked[0] != lwp:
            self._walked = lwp, [], available.stack()
        _, found, others = self._walked
        found.extend(itertools.islice(others, max(0, index + 1 - len(found))))
        return found[index] if index < len(found) else None

    def _frame_rows(self, frames):
        """(pc, function, file, line, module, whether it is inlined) of FRAMES, as GDB unwinds them.

        All of it hangs on the address, and on the order of functions inlined there. Of these GDB may hide
        some at the newest frame; the name tells which one is shown."""
        called, depth = False, 0
        for pc, frame in itertools.islice(frames, _FRAMES_MAX):
            kind = frame.type()
            key = pc, kind, called, depth, None if called else naming.said(frame.name)
            row = self._rows.get(key)
            if row is None:
                row = self._rows[key] = self._frame_row(frame, called)
            yield row
            if kind == gdb.INLINE_FRAME:
                depth += 1
            else:
                if self._is_core and self._callers_are_guesses(pc):
                    return
                called, depth = kind != gdb.SIGTRAMP_FRAME, 0

    def _callers_are_guesses(self, pc):
        """Whether PC is in an OpenMP runtime without frame pointers, of which GDB has no code."""
        path = next((path for base, path in sorted(self._modules or (), reverse=True) if base <= pc), b"")
        return _STOCK.match(os.path.basename(path)) is not None and not self._has_code(pc)

    def _frame_row(self, frame, called):
        """CALLED: its pc is a return address."""
        pc, sal = available.pc(frame), frame.find_sal()
        file, line = None, 0
        if sal.symtab is not None and sal.line:
            file, line = naming.said(lambda: sal.symtab.filename), sal.line
        inlined = frame.type() == gdb.INLINE_FRAME
        if frame.type() == gdb.SIGTRAMP_FRAME:
            name = naming.said(frame.name)
        else:
            name = naming.said(lambda: self._linker_name(frame, pc - called, inlined))
        module = naming.said(lambda: gdb.current_progspace().solib_name(pc))
        return (pc, name, file, line, module, int(inlined), naming.said(lambda: naming.declared(frame)))

    def _linker_name(self, frame, addr, inlined):
        """The linker's name of a frame's function; of an inlined one, that of the debug information."""
        function = frame.function()
        if inlined:
            return function.linkage_name if function is not None else frame.name()
        if function is None and frame.name() is None:
            return None
        # "main()" and "slow" are DWARF's where the linker has "main" and "slow.constprop.0".
        start = addr
        with contextlib.suppress(gdb.error, RuntimeError, ValueError):
            start = int(function.value().address) & (2**64 - 1) if function is not None else addr
        if start not in self._names:
            name = function.linkage_name if function is not None else frame.name()
            self._names[start] = naming.linked(start) or name
        return self._names[start]
