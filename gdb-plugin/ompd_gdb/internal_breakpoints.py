# SPDX-License-Identifier: Apache-2.0
"""The places at which a thread that a command lets run comes to rest.

GDB prints a stop before Python hears of it, so what is on the way has silent breakpoints, and a step ends at one of them
rather than in the runtime. All that is the user's (a breakpoint, a signal, the end) GDB prints as always.
"""

import contextlib

import gdb

from . import available, session

# Functions that a runtime has for programs (OpenMP reserves the first two prefixes), and what clang makes for a task.
_NOT_INTO = r"^\(omp\|ompx\|kmp\|__kmpc\|GOMP\)_\|omp_task_\(privates_map\|dup\|destructor\)"

class _Place(gdb.Breakpoint):
    """An internal breakpoint that stops only where TEST says so."""

    def __init__(self, where, thread, test):
        super().__init__(where, internal=True)
        self.silent = True
        if thread is not None:
            self.thread = thread
        self._test = test

    def stop(self):
        try:
            return self._test is None or bool(self._test())
        except (gdb.error, gdb.GdbError):
            return True  # the command that waits looks for itself


def _outside(sp):
    """Whether the thread has come back to the frame whose stack pointer was SP, or left that too: not a recursion."""
    return lambda: int(gdb.parse_and_eval("$sp")) >= sp


def task_is(number):
    """Whether the thread that stops is in the task of that number."""
    return lambda: session.current().thread_value("task") == number


def physical(frame):
    """The frame of the function that an inlined one is in."""
    return next((one for one in available.callers(frame) if one.type() != gdb.INLINE_FRAME), frame)


class Stops:
    """Internal breakpoints, and whether the last stop was at one of them."""

    def __init__(self):
        self._made = []
        self._event = None
        self._frame = available.newest()  # where the command began
        self.begin = None  # and the last step: the frame of the function
        self._unseen = False  # the last stop was at a silent place
        self.thread = gdb.selected_thread()  # the one that is followed

    def __enter__(self):
        gdb.events.stop.connect(self._stopped)
        return self

    def __exit__(self, *_):
        gdb.events.stop.disconnect(self._stopped)
        self.clear()

    def _stopped(self, event):
        self._event = event

    def clear(self):
        """Takes all places away."""
        for one in self._made:
            if one.is_valid():
                one.delete()
        self._made = []

    def add(self, where, thread=None, test=None):
        """A place at which the thread (any without one) is to stop when TEST says so."""
        try:
            self._made.append(_Place(where, thread.global_num if thread is not None else None, test))
        except (gdb.error, RuntimeError):
            pass  # without that place the others have to do

    def add_return(self, pc, sp, thread):
        """The place to which a thread returns in a frame of its own."""
        if pc is not None and sp is not None:
            self.add("*0x%x" % pc, thread, _outside(sp))

    def go(self, line):
        """Runs LINE; True when the stop is at a place of ours or the end of a plain step."""
        self._event = None
        self._unseen = False
        if line != "continue":
            frame = available.newest()
            self.begin = physical(frame) if frame is not None else None
        # Elsewhere than where it began GDB is to say where.
        if not self._same() and gdb.parameter("print frame-info") == "auto":
            gdb.execute("with print frame-info source-and-location -- " + line)
        else:
            gdb.execute(line)
        thread = gdb.selected_thread()
        if not gdb.selected_inferior().pid or thread is None:
            return False
        if isinstance(self._event, gdb.BreakpointEvent):
            self._unseen = all(one in self._made for one in self._event.breakpoints)
            if self._unseen:
                self.thread = thread
            return self._unseen
        # A plain event is the end of a step, and "continue" has none.
        return not isinstance(self._event, gdb.SignalEvent) and line != "continue" \
            and thread.global_num == self.thread.global_num

    def _same(self):
        return self._frame is not None and self._frame.is_valid() and available.newest() == self._frame

    def show(self):
        """What GDB prints at a stop, where it has printed nothing: at a silent place."""
        if self._unseen:
            gdb.execute("with print frame-info source-line -- frame" if self._same() else "frame")


@contextlib.contextmanager
def stepping_over_the_runtime():
    """GDB's `step` goes over the functions of a runtime that has debug information, as over one that has none."""
    gdb.execute("skip -rfu '%s'" % _NOT_INTO, to_string=True)
    # The newest stands last.
    number = gdb.execute("info skip", to_string=True).split("\n")[-2].split()[0]
    try:
        yield
    finally:
        gdb.execute("skip delete " + number, to_string=True)
