# SPDX-License-Identifier: Apache-2.0
"""Memory that a core has left out. GDB reads zeros there unless it has the file that was mapped."""

import bisect
import struct

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_PT_LOAD, _PN_XNUM = 1, 0xffff


def _headers(file):
    """The program headers of FILE, as they are."""
    head = _HEADER.unpack(file.read(_HEADER.size))
    at, sections, size, count = head[5], head[6], head[9], head[10]
    if count == _PN_XNUM:
        file.seek(sections)
        count = _SECTION.unpack(file.read(_SECTION.size))[7]
    file.seek(at)
    table = file.read(size * count)
    for i in range(0, len(table), size):
        yield _SEGMENT.unpack_from(table, i)


def segments(file):
    """(kind, offset in the file, address, bytes in the file, bytes in memory) of each segment of FILE."""
    for kind, _, offset, start, _, stored, whole, _ in _headers(file):
        yield kind, offset, start, stored, whole


def permissions(file):
    """(kind, permissions, address, bytes in memory) of each segment of FILE."""
    for kind, flags, _, start, _, _, whole, _ in _headers(file):
        yield kind, flags, start, whole


def _ranges(file):
    """[start, end) of what segments have in memory and not in FILE."""
    for kind, _, start, stored, whole in segments(file):
        if kind == _PT_LOAD and stored < whole:
            yield start + stored, start + whole


class Absent:
    def __init__(self, path):
        self._starts, self._ends = [], []
        try:
            with open(path, "rb") as file:
                found = sorted(_ranges(file))
        except (OSError, TypeError, struct.error):
            found = []  # GDB has read it: it is of another kind, or gone now
        for start, end in found:
            self._starts.append(start)
            self._ends.append(end)

    def reads_zeros(self, addr, data):
        """Whether a part of DATA, read at ADDR, is left out and GDB has no file for it."""
        end = addr + len(data)
        i = max(0, bisect.bisect_right(self._starts, addr) - 1)
        while i < len(self._starts) and self._starts[i] < end:
            part = data[max(0, self._starts[i] - addr):max(0, self._ends[i] - addr)]
            if part and part.count(0) == len(part):
                return True
            i += 1
        return False
