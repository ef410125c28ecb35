# SPDX-License-Identifier: Apache-2.0
"""The part of the host that asks the kernel: /proc, and what it has noted in a core."""

import contextlib
import os
import re
import time

from ompd_common import core_notes, origin
from .registers import ORIG_RAX, RIP, USER

_EM_X86_64 = 62
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8", "r9")  # of a system call
_END = 2**64 - 1


class Kernel:
    """Callbacks of host.Host."""

    def _proc(self, name):
        """What a file of the process in /proc holds; None where there is none to be read."""
        if not self._local:
            return None
        try:
            with open("/proc/%d/%s" % (self._process.GetProcessID(), name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _shares_namespace(self, kind):
        """Whether the process' own numbers of threads, or its clocks, are those that lldb has."""
        if not self._local:
            return False
        try:
            return os.readlink("/proc/%d/ns/%s" % (self._process.GetProcessID(), kind)) == \
                os.readlink("/proc/self/ns/" + kind)
        except OSError:
            return False

    def _call(self, lwp):
        """(orig_rax, arguments) of a thread, None where that is not known. lldb has no orig_rax; the kernel
        has, of a thread that a debugger has stopped too, and writes it into a core."""
        if not self._is_x86_64():
            return None
        if self._is_core():
            if self._noted is None:
                self._noted = core_notes.registers(self._core())
            row, thread = self._noted.get(lwp), self._by_lwp.get(lwp)
            # Before version 18 it may be another file that is read here.
            if row is None or thread is None or row[RIP] != self._register(thread, "rip"):
                return None
            return row[ORIG_RAX], [row[USER.index(name)] for name in _ARGUMENTS]
        words = (self._proc("task/%d/syscall" % lwp) or b"").split()
        if not words or words == [b"running"]:
            return None
        return int(words[0]) & _END, [int(word, 16) for word in words[1:7]]

    def system_call(self, lwp, ret):
        call, thread = self._call(lwp), self._by_lwp.get(lwp)
        result = self._register(thread, "rax") if thread is not None else None
        if call is None or result is None:
            return -1
        if call[0] >> 63:
            return 1
        row = ret[0]
        row.machine, row.number, row.inside = _EM_X86_64, call[0], 0
        row.arg[:] = call[1]
        row.result = result - (result >> 63 << 64)
        return 0

    def kernel(self, lwp, ret):
        task = "task/%d/" % lwp
        # A program's name may contain any character.
        words = (self._proc(task + "stat") or b"").rpartition(b")")[2].split()
        try:
            state, ticks, processor = words[0], int(words[11]) + int(words[12]), int(words[36])
        except (IndexError, ValueError):
            return 1
        row = ret[0]
        # The debugger has stopped it: what it did before is not known.
        row.state = b"\0" if state in b"tT" else state
        used = ticks * (10**9 // os.sysconf("SC_CLK_TCK"))
        with contextlib.suppress(IndexError, ValueError):
            used = int((self._proc(task + "schedstat") or b"").split()[0]) or used
        row.cpu_ns, row.processor = used & _END, processor
        # In lldb's own namespace it is the LWP.
        row.target_tid = 0 if self._shares_namespace("pid") else self._own_number(task)
        row.realtime = time.time_ns()
        row.monotonic = time.monotonic_ns() if self._shares_namespace("time") else 0
        return 0

    def _own_number(self, task):
        """The thread's number in the pid namespace that it lives in; 0 unknown."""
        found = re.search(rb"^NSpid:.*\s(\d+)$", self._proc(task + "status") or b"", re.MULTILINE)
        return int(found[1]) if found else 0

    def descriptor(self, number, ret):
        if not self._local:
            return 1
        try:
            path = os.readlink("/proc/%d/fd/%d" % (self._process.GetProcessID(), number))
        except OSError:
            return 1
        ret[0], = self._keep("descriptor", path)
        return 0

    def task(self, tid, pid, parent):
        if not self._shares_namespace("pid"):
            return -1  # TID is another number here
        try:
            with open("/proc/%d/status" % tid, "rb") as file:
                of = re.search(rb"^Tgid:\t(\d+)$", file.read(), re.MULTILINE)
        except (FileNotFoundError, ProcessLookupError):  # the second: it ends just now
            return 1
        except OSError:
            return -1
        own = re.search(rb"^PPid:\t(\d+)$", self._proc("status") or b"", re.MULTILINE)
        if not of or not own:
            return -1
        pid[0], parent[0] = int(of[1]), int(of[1] == own[1])
        return 0

    def origin(self, forked, parent):
        found = origin.origin(self._process.GetProcessID()) if self._local else None
        if found is None:
            return 1
        forked[0], parent[0] = found
        return 0

    def environment(self, index, ret):
        if self._strings is None:
            text = self._proc("environ")
            if text is None:
                return -1
            self._strings = text.split(b"\0")[:-1]
        if index >= len(self._strings):
            return 1
        ret[0] = self._strings[index]
        return 0
