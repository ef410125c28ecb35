# SPDX-License-Identifier: Apache-2.0
"""The registers of a core's threads as the kernel has noted them: lldb leaves orig_rax out."""

import struct

from . import absent

_NOTE = struct.Struct("<III")
_PT_NOTE, _NT_PRSTATUS = 4, 1
# <sys/procfs.h>'s struct elf_prstatus on x86-64: pr_pid, and pr_reg, which is a struct user_regs_struct.
_TID = struct.Struct("<32xi")
_REGISTERS = struct.Struct("<112x27Q")
# What lies beyond is not read: 65,536 threads of a core have so much, with all that is noted of each.
_BYTES_MAX = 1 << 29


def _statuses(notes):
    at = 0
    while at + _NOTE.size <= len(notes):
        name_size, size, kind = _NOTE.unpack_from(notes, at)
        name = at + _NOTE.size
        start = name + (name_size + 3 & ~3)
        if kind == _NT_PRSTATUS and notes[name:name + name_size] == b"CORE\0" and \
                size >= _REGISTERS.size and start + size <= len(notes):
            yield start
        at = start + (size + 3 & ~3)


def registers(path):
    """{tid: the registers of struct user_regs_struct, in its order}; of a thread noted twice, nothing."""
    found = {}
    try:
        with open(path, "rb") as file:
            for kind, offset, _, stored, _ in list(absent.segments(file)):
                if kind != _PT_NOTE:
                    continue
                file.seek(offset)
                notes = file.read(min(stored, _BYTES_MAX))
                for start in _statuses(notes):
                    tid, = _TID.unpack_from(notes, start)
                    found[tid] = None if tid in found else _REGISTERS.unpack_from(notes, start)
    except (OSError, TypeError, ValueError, OverflowError, struct.error):
        return {}  # lldb has read it: it is of another kind, or gone now
    return {tid: row for tid, row in found.items() if row is not None}
