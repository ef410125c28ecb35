# SPDX-License-Identifier: Apache-2.0
"""What GDB 10 to 13 lack in their Python API, made of what they have. Later versions are asked themselves."""

import contextlib
import re

import gdb

from . import cli


def level(frame):
    """The number that `bt` gives the frame (GDB 11)."""
    if hasattr(frame, "level"):
        return frame.level()
    found = 0
    newer = frame.newer()
    while newer is not None:
        found, newer = found + 1, newer.newer()
    return found


def pending_level(pending_frame):
    """The level of a frame that an unwinder is asked for; None if GDB does not say."""
    return pending_frame.level() if hasattr(pending_frame, "level") else None


def format_address(address):
    """"0x401136 <main+4>" (GDB 13)."""
    if hasattr(gdb, "format_address"):
        return gdb.format_address(address)
    text = cli.text("with language c -- output/a 0x%xUL" % address)
    # It writes no spaces around the line, and a file and line with them only where the user wants that.
    return text.strip()


def current_language():
    """The language of expressions, "c" or the like (GDB 13)."""
    if hasattr(gdb, "current_language"):
        return gdb.current_language()
    # The current source language is "auto; currently c". / is "c".
    found = re.search(r'"(?:auto; currently )?([^"]+)"', cli.text("show language"))
    return found[1] if found else "c"


@contextlib.contextmanager
def with_parameter(name, value):
    """A setting of GDB's for a time (GDB 12)."""
    if hasattr(gdb, "with_parameter"):
        with gdb.with_parameter(name, value):
            yield
        return
    before = re.search(r'"([^";]+)', cli.text("show " + name))[1]
    cli.text("set %s %s" % (name, value))
    try:
        yield
    finally:
        cli.text("set %s %s" % (name, before))


class Connection:
    """What GDB 12 has as gdb.TargetConnection."""

    def __init__(self, kind):
        self.type = kind


def connection(inferior):
    """How GDB reaches the program: its `type` is "native", "core", "remote" or the like; None (GDB 12)."""
    if hasattr(inferior, "connection"):
        return inferior.connection
    # "* 1    process 4711      1 (native)           /bin/app"
    text = cli.text("info inferiors %d" % inferior.num)
    found = re.search(r"^[* ] %d\s.*?\s\d+ \(([\w-]+)" % inferior.num, text, re.MULTILINE)
    return Connection(found[1]) if found else None


def connection_num(inferior):
    """The number of that connection (GDB 11); None. Unwinders ask, so no command may be executed for it."""
    return inferior.connection_num if hasattr(inferior, "connection_num") else None


def connect_if_there(name, function):
    """Connects FUNCTION to the events gdb.events.NAME, which may be younger than this GDB."""
    registry = getattr(gdb.events, name, None)
    if registry is not None:
        registry.connect(function)
