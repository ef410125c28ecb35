# SPDX-License-Identifier: Apache-2.0
"""What GDB 13 tells only as text: pure functions, tested without GDB. Written for any GDB language and column
width."""

import collections
import re

Mapping = collections.namedtuple("Mapping", "start end offset path")

_HEX = r"(0x[0-9a-fA-F]+)"
_MAPPING = re.compile(r"\s*%s\s+%s\s+%s\s+%s(?:\s+(.*))?$" % (_HEX, _HEX, _HEX, _HEX))
# A core's table has no column of permissions, and neither has GDB before 12.
_PERMISSIONS = re.compile(r"[-r][-w][-x][-ps](?:\s+|$)")
_SECTION = re.compile(r"\s*%s - %s is (\S+)(?: in (.*))?$" % (_HEX, _HEX))
_PART = re.compile(r"load\d")  # of a core
_BRACKETS = re.compile(r"0x[0-9a-f]+ <(.+?)(?:\+(\d+))?(?: (?:at|in) .*)?>$")
_SYMBOL = re.compile(r"(.+?)(?: \+ (\d+))? in (?:load address range of )?section (\S+)(?: of (.*))?$")


def mappings(text):
    """The rows of `info proc mappings` that name a file: with many threads most rows are stacks."""
    rows = []
    for line in text.splitlines():
        m = _MAPPING.match(line) if "/" in line else None
        if not m:
            continue
        path = _PERMISSIONS.sub("", m.group(5) or "", count=1).strip()
        rows.append(Mapping(int(m.group(1), 16), int(m.group(2), 16), int(m.group(4), 16), path))
    return rows


def regions(text):
    """(start, end, path or "") of the rows of `info proc mappings`, or of a core's parts in `info files`."""
    rows = []
    for line in text.splitlines():
        m = _MAPPING.match(line)
        if m:
            path = _PERMISSIONS.sub("", m.group(5) or "", count=1).strip()
            rows.append((int(m.group(1), 16), int(m.group(2), 16), path))
            continue
        m = _SECTION.match(line)
        if m and _PART.match(m.group(3)):
            rows.append((int(m.group(1), 16), int(m.group(2), 16), ""))
    return rows


def sections(text):
    """(start, end, name, path, "" of the program) of the sections of files in `info files`."""
    found = (_SECTION.match(line) for line in text.splitlines())
    return [(int(m.group(1), 16), int(m.group(2), 16), m.group(3), m.group(4) or "")
            for m in found if m and not _PART.match(m.group(3))]


def modules(rows):
    """(address of the ELF header, path) of the files among ROWS: those mapped from their first byte."""
    found = []
    before = None
    for row in rows:
        # lld lets text share the first page with the header, so that page is mapped twice in a row: one
        # module.
        again = before and before.path == row.path and before.end == row.start and before.offset == 0
        if row.path.startswith("/") and row.offset == 0 and not again:
            path = row.path
            if path.endswith(" (deleted)"):
                path = path[:-len(" (deleted)")]
            found.append((row.start, path))
        before = row
    return found


def modules_of_sections(text, exe):
    """The same from `info files`: a file's header is in the page in which its first section begins."""
    first = {}
    for line in text.splitlines():
        m = _SECTION.match(line)
        if not m or not m.group(3).startswith("."):
            continue  # a core's own sections are load1, load2, ...
        path = m.group(4) or exe
        address = int(m.group(1), 16)
        if path and address:
            first[path] = min(first.get(path, address), address)
    return sorted((address & ~0xfff, path) for path, address in first.items())


def symbol(text):
    """(name, offset, module or None) from `info symbol`; None when there is none."""
    for line in text.splitlines():
        m = _SYMBOL.match(line)
        if m:
            return m.group(1), int(m.group(2) or 0), m.group(4)
    return None


def raw_symbol(text):
    """(name, offset) from gdb.format_address, whose names are the linker's; None when there is none."""
    m = _BRACKETS.match(text)
    return (m.group(1), int(m.group(2) or 0)) if m else None


def core_path(text):
    """The core file's name from `info target`."""
    m = re.search(r"core[^\n]*\n\s*[`'\u2018](.+?)['\u2019], ", text)
    return m.group(1) if m else None


def program_headers(text):
    """AT_PHDR from `info auxv`, or None."""
    m = re.search(r"^\s*3\s+AT_PHDR\s.*?%s\s*$" % _HEX, text, re.MULTILINE)
    return int(m.group(1), 16) if m else None
