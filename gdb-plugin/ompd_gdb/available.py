# SPDX-License-Identifier: Apache-2.0
"""Frames and registers that GDB may not have.

In a damaged core a thread may have no registers, and a caller's may not be recoverable. GDB then prints
"<unavailable>", but its Python functions raise an error. Only this file calls those functions, so that no
other can forget the error; api_test.py checks that.
"""

import gdb

from ompd_common import messages

_MASK = 2**64 - 1


def newest():
    """The newest frame of the selected thread; None if GDB has no registers of that thread."""
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return None
    return frame if pc(frame) is not None else None


def older(frame):
    """The frame's caller; None where the stack ends or GDB cannot unwind further."""
    try:
        return frame.older()
    except gdb.error:
        return None


def callers(frame):
    """A frame and its callers; none if FRAME is None."""
    while frame is not None:
        yield frame
        frame = older(frame)


def placed(frame):
    """(code address, frame) of a frame and its callers, as far as GDB knows the addresses."""
    while frame is not None:
        at = pc(frame)
        if at is None:
            return
        yield at, frame
        frame = older(frame)


def stack():
    """The frames of the selected thread, newest first, as far as GDB knows their code addresses."""
    for _, frame in placed(newest()):
        yield frame


def pc(frame):
    """The code address of the frame, or None."""
    try:
        return frame.pc()
    except gdb.error:
        return None


def is_return_address(frame):
    """Whether the frame's pc is behind a call, which may have been its function's last instruction."""
    try:
        newer = frame.newer()
        while newer is not None and newer.type() == gdb.INLINE_FRAME:
            newer = newer.newer()
        return newer is not None and newer.type() != gdb.SIGTRAMP_FRAME
    except gdb.error:
        return False


def register(frame, name):
    """A register of FRAME (None: no frame) as an unsigned number, or None."""
    try:
        return int(frame.read_register(name)) & _MASK if frame is not None else None
    except (gdb.error, ValueError):
        return None


def no_registers(thread):
    """The error of a command that needs the stack of a thread without registers."""
    return gdb.GdbError(messages.NO_REGISTERS % thread.num)
