# SPDX-License-Identifier: Apache-2.0
"""What GDB may not have of a frame.

A thread of a damaged core may have no registers, and an unwinder may find none for a caller. GDB then prints
"<unavailable>", but its Python functions raise an error. No other module calls those functions, so none can forget
the error; api_test.py checks that.
"""

import gdb

_MASK = 2**64 - 1


def newest():
    """The selected thread's newest frame; None when GDB has no registers of that thread."""
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return None
    return frame if pc(frame) is not None else None


def older(frame):
    """The frame's caller; None where the stack ends, or where GDB cannot go on."""
    try:
        return frame.older()
    except gdb.error:
        return None


def callers(frame):
    """A frame and those that called it; nothing for None."""
    while frame is not None:
        yield frame
        frame = older(frame)


def stack():
    """The selected thread's frames from the newest, as far as GDB has their addresses."""
    for frame in callers(newest()):
        if pc(frame) is None:
            return
        yield frame


def pc(frame):
    """The frame's address of code, or None."""
    try:
        return frame.pc()
    except gdb.error:
        return None


def register(frame, name):
    """A register of a frame as an unsigned number, or None; FRAME may be None."""
    try:
        return int(frame.read_register(name)) & _MASK if frame is not None else None
    except (gdb.error, ValueError):
        return None


def no_registers(thread):
    """The error of a command that needs the stack of such a thread."""
    return gdb.GdbError("GDB has no registers of thread %d, so it cannot show its stack." % thread.num)
