# SPDX-License-Identifier: Apache-2.0
"""The part of the host that asks the kernel: what /proc says of a living process on this machine."""

import contextlib
import os
import time

from ompd_common import origin


def _own_number(pid, lwp):
    """The thread's number in the pid namespace that it lives in; 0 unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        with open("/proc/%d/task/%d/status" % (pid, lwp), "rb") as f:
            line = next((line for line in f if line.startswith(b"NSpid:")), b"")
        return int(line.split()[-1])
    return 0


class Kernel:
    """Callbacks of host.Host."""

    def kernel(self, lwp, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            with open("/proc/%d/task/%d/stat" % (pid, lwp), "rb") as f:
                # The name of the program, in parentheses, may contain any character.
                words = f.read().rpartition(b")")[2].split()
            state, ticks, processor = words[0], int(words[11]) + int(words[12]), int(words[36])
        except (OSError, IndexError, ValueError):
            return 1
        r = ret[0]
        # GDB holds it: what it did before that is not known.
        r.state = b"\0" if state in (b"t", b"T") else state
        r.cpu_ns, r.processor = ticks * (10**9 // os.sysconf("SC_CLK_TCK")), processor
        # In GDB's own namespace it is the LWP, as in a core, which cannot say more.
        r.target_tid = 0 if self._shares_namespace(pid, "pid") else _own_number(pid, lwp)
        r.realtime = time.time_ns()
        r.monotonic = time.monotonic_ns() if self._shares_namespace(pid, "time") else 0
        return 0

    def allowed(self, lwp, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            with open("/proc/%d/task/%d/status" % (pid, lwp), "rb") as f:
                found = next((line.split()[1] for line in f if line.startswith(b"Cpus_allowed_list:")), b"")
        except (OSError, IndexError):
            return 1
        if not found:
            return 1
        self._handed["allowed"] = []
        ret[0] = self._hand("allowed", found.decode(errors="replace"))
        return 0

    def _shares_namespace(self, pid, kind):
        """Whether the process' numbers of threads, or its clocks, are those that GDB has."""
        if kind not in self._shared:
            try:
                self._shared[kind] = os.readlink("/proc/%d/ns/%s" % (pid, kind)) == \
                    os.readlink("/proc/self/ns/" + kind)
            except OSError:
                return False
        return self._shared[kind]

    def descriptor(self, number, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            found = os.readlink("/proc/%d/fd/%d" % (pid, number))
        except OSError:
            return 1
        self._handed["descriptor"] = []
        ret[0] = self._hand("descriptor", found)
        return 0

    def task(self, tid, pid, parent):
        self.told.append(object())
        own, connection = self._kind()
        if connection != "native":
            return -1
        if not self._shares_namespace(own, "pid"):
            return -1  # TID is another number here
        try:
            with open("/proc/%d/status" % tid, "rb") as f:
                of = dict(line.split(b":", 1) for line in f.read().splitlines() if b":" in line)
            pid[0] = int(of[b"Tgid"])
            with open("/proc/%d/status" % own, "rb") as f:
                parent[0] = int(b"\nPPid:\t%d\n" % pid[0] in f.read())
        except FileNotFoundError:
            return 1
        except (OSError, KeyError, ValueError):
            return -1
        return 0

    def origin(self, forked, parent):
        # It stays as it is for as long as process() has the same answer.
        pid, connection = self._kind()
        found = origin.origin(pid) if connection == "native" else None
        if found is None:
            return 1
        forked[0], parent[0] = found
        return 0

    def environment(self, index, ret):
        pid, connection = self._kind()
        if connection != "native":
            return -1
        if index == 0 or self._environment is None:
            try:
                with open("/proc/%d/environ" % pid, "rb") as f:
                    self._environment = f.read().split(b"\0")[:-1]
            except OSError:
                return -1
            self.told.append(object())
        if index >= len(self._environment):
            return 1
        ret[0] = self._environment[index]
        return 0
