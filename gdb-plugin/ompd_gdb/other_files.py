# SPDX-License-Identifier: Apache-2.0
"""Files that GDB reads for a core although the core was written with other ones."""

import os
import struct

import gdb

from ompd_common import absent, library, messages
from . import cli, parse

_IDENT = b"\x7fELF\x02\x01"
_NOTE = struct.Struct("<III")
_PT_NOTE, _PT_LOAD, _NT_GNU_BUILD_ID = 4, 1, 3
_PAGE = 4096  # the kernel writes the first page of each file to a core, and there the build-id is


def _id_in(page):
    """The build-id in the first page of an ELF file, as text; None."""
    if not page.startswith(_IDENT) or len(page) < 64:
        return None
    at, = struct.unpack_from("<Q", page, 32)
    size, count = struct.unpack_from("<HH", page, 54)
    for i in range(count):
        if at + (i + 1) * size > len(page):
            return None
        kind, _, offset, _, _, stored = struct.unpack_from("<IIQQQQ", page, at + i * size)
        if kind == _PT_NOTE and offset + stored <= len(page):
            found = _id_of(page[offset:offset + stored])
            if found:
                return found
    return None


def _id_of(notes):
    at = 0
    while at + _NOTE.size <= len(notes):
        name, size, kind = _NOTE.unpack_from(notes, at)
        start = at + _NOTE.size + (name + 3 & ~3)
        if kind == _NT_GNU_BUILD_ID and notes[at + _NOTE.size:start].rstrip(b"\0") == b"GNU":
            return notes[start:start + size].hex()
        at = start + (size + 3 & ~3)
    return None


def _used():
    """{path, as GDB and by its real name: build-id} of the files that GDB reads."""
    found = {}
    for one in gdb.objfiles():
        if one.is_valid() and one.owner is None and one.filename and one.build_id:
            for name in (one.filename, one.username, os.path.realpath(one.filename)):
                found[name] = one.build_id
    return found


def find():
    """Sentences about the files of the process in the core that GDB has open."""
    used, said = _used(), []
    try:
        core = parse.core_path(cli.text("info target"))
        rows = [row for row in parse.mappings(cli.text("info proc mappings")) if row.offset == 0]
        with open(core, "rb") as file:
            parts = [part for part in absent.segments(file) if part[0] == _PT_LOAD]
            for row in rows:
                ours = used.get(row.path) or used.get(os.path.realpath(row.path))
                part = next((p for p in parts if p[2] <= row.start < p[2] + p[3]), None)
                if ours is None or part is None:
                    continue
                file.seek(part[1] + row.start - part[2])
                theirs = _id_in(file.read(min(_PAGE, part[2] + part[3] - row.start)))
                if theirs and theirs != ours:
                    said.append(messages.OTHER_FILE % (library.printable(row.path), ours, theirs))
    except (OSError, TypeError, ValueError, OverflowError, struct.error, gdb.error):
        return []  # of another kind, or gone: nothing can be compared
    return list(dict.fromkeys(said))
