# SPDX-License-Identifier: Apache-2.0
"""Names of code as inspect wants them: the linker's, and as C sees text."""

import contextlib

import gdb

from . import cli, older, parse


def symbol(addr, linkers=False):
    """(name, offset) of what the linker put at ADDR; (None, 0). C++ names are for people; LINKERS: those of
    functions are the linker's."""
    raw = None
    with contextlib.suppress(gdb.error, UnicodeError):
        raw = parse.raw_symbol(older.format_address(addr))
    # `info symbol` takes ".omp_outlined." for a name of Ada's or D's and demangles it, so it is asked for C++
    # only.
    if raw and not raw[0].startswith("_Z") and not (_is_made(raw[0]) if linkers else "(" in raw[0]):
        return raw
    if raw and linkers and _is_made(raw[0]):
        return linked(addr) or raw[0], raw[1]
    with contextlib.suppress(gdb.error, UnicodeError):
        found = parse.symbol(cli.text("info symbol 0x%x" % addr))
        if found:
            return raw if raw and linkers and "(" in found[0] else found[:2]
    return raw or (None, 0)


def _is_made(name):
    """Whether GDB has made the name, as DWARF has none of the linker's: "main()", "smooth::body"."""
    return "(" in name or "::" in name


def linked(addr):
    """The linker's symbol at ADDR, as it is; None."""
    with contextlib.suppress(gdb.error, UnicodeError):
        found = parse.symbol(cli.text("with print demangle off -- info symbol 0x%x" % addr))
        return found[0] if found else None
    return None


def said(ask):
    """What ASK returns, as C sees it; None for bytes that are no text in the host's character set."""
    try:
        return encoded(ask())
    except UnicodeError:
        return None


def encoded(text):
    return None if text is None else text.encode(errors="surrogateescape")


def declared(frame):
    """The source file in which the debug information has a frame's function; None where GDB does not tell.
    The symbol of an inlined one has the file of the call, which is that of the function around it."""
    function, inner = frame.function(), frame.newer()
    if frame.type() == gdb.INLINE_FRAME or inner is not None and inner.type() == gdb.INLINE_FRAME:
        function = inner.function() if inner is not None and inner.type() == gdb.INLINE_FRAME else None
    return None if function is None or function.symtab is None else function.symtab.filename
