# SPDX-License-Identifier: Apache-2.0
"""What a signal says of a crash, and what is mapped at its address: facts for inspect/crash/."""

import bisect
import contextlib
import struct

import gdb

from ompd_common import absent
from . import cli, older, parse

# siginfo_t on x86-64: si_signo, si_code; si_addr, where the signal has one.
_SIGNAL = ("si_signo", "si_code", "_sifields._sigfault.si_addr")
_PT_LOAD = 1
_READ, _WRITE = 4, 2
_END = 2**64 - 1
_MASK = 2**64 - 1


def siginfo():
    """(signal, code, address) of the selected thread; None where the target does not tell."""
    try:
        with older.with_parameter("language", "c"):
            number, code, address = (int(gdb.parse_and_eval("(long)$_siginfo." + name)) for name in _SIGNAL)
    except gdb.error:
        return None
    return number, code, address & _MASK


class Mappings:
    """What the process had mapped, by address."""

    def __init__(self, rows):
        self._rows = sorted(rows)

    def at(self, addr):
        """(start, end, whether mapped, access as enum insp_access or -1, path or None)"""
        at = bisect.bisect_right(self._rows, (addr, _END)) - 1
        if at >= 0 and addr < self._rows[at][1]:
            start, end, access, path = self._rows[at]
            return start, end, 1, access, path
        return (self._rows[at][1] if at >= 0 else 0,
                self._rows[at + 1][0] if at + 1 < len(self._rows) else _END, 0, -1, None)

    def __bool__(self):
        return bool(self._rows)


def living(pid):
    """Those of a process of this machine; none where nobody may look."""
    rows = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        with open("/proc/%d/maps" % pid, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                words = line.rstrip("\n").split(None, 5)
                start, end = (int(word, 16) for word in words[0].split("-"))
                bits = sum(bit for letter, bit in zip(words[1], (4, 2, 1)) if letter != "-")
                rows.append((start, end, bits, words[5] if len(words) > 5 else ""))
    return Mappings(rows)


def of_core(path):
    """Those that a core has noted: its program headers, and the names of files."""
    named = []
    with contextlib.suppress(gdb.error):
        named = sorted((row.start, row.end, row.path)
                       for row in parse.mappings(cli.text("info proc mappings")))
    rows = []
    try:
        with open(path, "rb") as file:
            for kind, flags, start, size in absent.permissions(file):
                if kind == _PT_LOAD and size:
                    rows.append((start, start + size, flags & 7, _name(named, start)))
    except (OSError, TypeError, struct.error):
        rows = []
    # GDB's gcore writes of every mapping that it may be read. A core of the kernel's has some that may not.
    if all(access & _READ for _, _, access, _ in rows):
        rows = [(start, end, access if access & _WRITE else -1, path) for start, end, access, path in rows]
    # gcore also leaves out what it can read in a file again.
    noted = Mappings(rows)
    rows += [(start, end, -1, path) for start, end, path in named if rows and not noted.at(start)[2]]
    return Mappings(rows)


def _name(named, addr):
    at = bisect.bisect_right(named, (addr, _END)) - 1
    return named[at][2] if at >= 0 and addr < named[at][1] else ""
