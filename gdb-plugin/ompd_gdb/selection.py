# SPDX-License-Identifier: Apache-2.0
"""The thread and the frame that the user has selected: kept while others are looked at."""

import contextlib

import gdb

from . import available, older


def current():
    """What the user has selected, for restore()."""
    thread = gdb.selected_thread()
    frame = level = None
    with contextlib.suppress(gdb.error):
        frame = gdb.selected_frame()
        level = older.level(frame)
    return thread, frame, level


def restore(was):
    """Selects again what current() gave. A Ctrl-C that strikes here is raised when all is as it was."""
    thread, frame, level = was
    interrupted = False
    for _ in range(3):
        try:
            if thread is not None and thread.is_valid():
                thread.switch()
                # Level 0 is what the switch to another thread selects.
                if level or (level == 0 and older.level(gdb.selected_frame())):
                    _select_frame(frame, level)
            break
        except KeyboardInterrupt:
            interrupted = True
            # GDB may have remembered that the stack ends where the interrupt struck.
            gdb.invalidate_cached_frames()
    if interrupted:
        raise KeyboardInterrupt


@contextlib.contextmanager
def kept():
    """Whatever thread and frame the body selects, the user's are selected afterwards."""
    was = current()
    try:
        yield
    finally:
        restore(was)


def _select_frame(frame, level):
    try:
        frame.select()
        return
    except gdb.error:
        pass  # frames are found again by their id, which fails on a damaged stack: count instead
    with contextlib.suppress(gdb.error):
        found = next((one for one in available.stack() if older.level(one) >= level), None)
        if found is not None:
            found.select()
