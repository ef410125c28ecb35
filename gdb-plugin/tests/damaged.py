# SPDX-License-Identifier: Apache-2.0
"""Damages of a core file, as [(what, [(offset, bytes)])]: impossible registers and stacks, or none.

A thread loses its registers when the number by which the C library knows it is another than that of the
core's note: GDB then lists a thread that the core has nothing of.
"""

import struct

# <elf.h>, psABI x86-64: struct elf_prstatus and user_regs_struct.
_LOAD, _NOTE, _PRSTATUS = 1, 4, 1
_PID, _REGISTERS = 32, 112
# "CORE" and its padding; before it stand the sizes of name and description, and the type.
_NAME = 8
_RBP, _RIP, _RSP, _FS_BASE = 4, 16, 19, 21
# The number is in glibc's struct pthread, which is at fs_base.
_PTHREAD = 0x900


class Core:
    """A core file's bytes."""

    def __init__(self, data):
        self.data = data
        table, = struct.unpack_from("<Q", data, 32)
        count, = struct.unpack_from("<H", data, 56)
        headers = [(at, *struct.unpack_from("<IIQQQQ", data, at))
                   for at in range(table, table + 56 * count, 56)]
        # (header, offset in the file, address, bytes in the file)
        self.loads = [(at, offset, address, size) for at, kind, _, offset, address, _, size in headers
                      if kind == _LOAD]
        self.threads = [note for _, kind, _, offset, _, _, size in headers if kind == _NOTE
                        for note in self._notes(offset, offset + size)]

    def _notes(self, at, end):
        """Offsets of the PRSTATUS notes' descriptions: one for each thread."""
        while at + 12 <= end:
            name, size, kind = struct.unpack_from("<III", self.data, at)
            description = at + 12 + (name + 3) // 4 * 4
            if kind == _PRSTATUS:
                yield description
            at = description + (size + 3) // 4 * 4

    def register(self, note, number):
        return struct.unpack_from("<Q", self.data, note + _REGISTERS + 8 * number)[0]

    def offset(self, address):
        """Where in the file an address is; None."""
        return next((offset + address - begin for _, offset, begin, size in self.loads
                     if begin <= address < begin + size), None)

    def number(self, note):
        """Where the C library has noted the thread's number."""
        at = self.offset(self.register(note, _FS_BASE))
        pid = self.data[note + _PID:note + _PID + 4]
        return next(i for i in range(at, at + _PTHREAD, 4) if self.data[i:i + 4] == pid)


def _word(value):
    return struct.pack("<Q", value)


def edited(data, edits):
    """The bytes DATA of a core with the edits of one damage."""
    found = bytearray(data)
    for at, new in edits:
        found[at:at + len(new)] = new
    return bytes(found)


def short_notes(core):
    """More such damages: PRSTATUS notes that end before the registers."""
    found = []
    for i, note in enumerate(core.threads):
        size, = struct.unpack_from("<I", core.data, note - _NAME - 8)
        # The rest becomes a note of a type that nobody knows.
        rest = struct.pack("<III8s", 5, size - _REGISTERS - 12 - _NAME, 0x7777, b"CORE")
        found.append(("short note of thread %d" % i,
                      [(note - _NAME - 8, struct.pack("<I", _REGISTERS)), (note + _REGISTERS, rest)]))
    return found


def damages(core):
    """The list, for a Core."""
    found = []
    for i, note in enumerate(core.threads):
        found.append(("thread %d without registers" % i,
                      [(core.number(note), struct.pack("<i", 999000 + i))]))
        found.append(("note of thread %d" % i, [(note + _PID, struct.pack("<i", 888000 + i))]))
        stack = core.register(note, _RSP)
        header = next(at for at, _, begin, size in core.loads if begin <= stack < begin + size)
        found.append(("no stack of thread %d" % i, [(header + 32, _word(0))]))
    found.append(("no thread with registers",
                  [one for what, (one,) in found if what.endswith("without registers")]))
    note = core.threads[1]
    stack = core.register(note, _RSP)
    at = core.offset(stack)
    for register, name in ((_RIP, "rip"), (_RSP, "rsp"), (_RBP, "rbp")):
        for value in (0, 2**64 - 8, stack + 1):
            found.append(("%s is 0x%x" % (name, value), [(note + _REGISTERS + 8 * register, _word(value))]))
    # Words of the stack: all, each second one, and the first as an address of nothing, of itself, of the
    # stack's begin.
    found.append(("the stack's words", [(at + i, _word(0x4141414141414141)) for i in range(0, 2048, 8)]))
    found.append(("each second word", [(at + i, _word(2**64 - 1)) for i in range(0, 2048, 16)]))
    for value in (0, 0x10, stack, stack - 8):
        found.append(("words are 0x%x" % value, [(at + i, _word(value)) for i in range(0, 512, 8)]))
    # The stack ends in the middle of a function.
    header, _, begin, _ = next(row for row in core.loads if row[2] <= stack < row[2] + row[3])
    for more in (8, 64, 256):
        found.append(("%d bytes of stack" % more, [(header + 32, _word(stack + more - begin))]))
    return found
