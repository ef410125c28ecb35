# SPDX-License-Identifier: Apache-2.0
"""Internal breakpoints at which `ompd step`, `ompd next` and `ompd finish` stop the program.

GDB prints a stop before Python hears of it. So these breakpoints are silent, and a step ends at one of them
rather than in the runtime. GDB prints a stop for another reason (a breakpoint of the user's, a signal, the
exit) as always.
"""

import contextlib

import gdb

from . import available, cli, session

# What GDB's `step` is to pass: Companion's interface, in its own source files only (a function that begins
# with an inlined one is in that one's file, runtime/abi/../core/FILE), and what clang generates for tasks.
_INTERFACE = r"-rfu '^\(omp\|ompx\|kmp\|__kmpc\|GOMP\)_'"
_NOT_INTO = ["-gfi 'runtime/*/*%s' %s" % (deeper, _INTERFACE) for deeper in ("", "/*", "/*/*")]
_NOT_INTO.append(r"-rfu '^\.\?omp_task_\(privates_map\|dup\|destructor\)[.0-9]*$'")


class _Breakpoint(gdb.Breakpoint):
    """A silent internal breakpoint that stops only if TEST, a function, returns true."""

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
            return True  # the command decides


def _outside(sp):
    """A test whether the thread is back in the frame with stack pointer SP, or further out: no recursion."""
    return lambda: int(gdb.parse_and_eval("$sp")) >= sp


def task_is(number):
    """A test whether the thread that stops is in the task with that number."""
    return lambda: session.current().thread_value("task") == number


def physical(frame):
    """The frame of the function into which FRAME's is inlined; FRAME itself if it is not."""
    return next((one for one in available.callers(frame) if one.type() != gdb.INLINE_FRAME), frame)


class Stops:
    """A set of internal breakpoints, and whether the last stop was at one of them."""

    def __init__(self):
        self._made = []
        self._event = None
        self._frame = available.newest()  # where the command began
        self.begin = None  # the physical frame where the last step began
        self._silent = False  # the last stop was at one of the breakpoints, so GDB has printed nothing
        self.thread = gdb.selected_thread()  # the thread that the command follows

    def __enter__(self):
        gdb.events.stop.connect(self._stopped)
        return self

    def __exit__(self, *_):
        gdb.events.stop.disconnect(self._stopped)
        self.clear()

    def _stopped(self, event):
        self._event = event

    def clear(self):
        """Deletes the breakpoints."""
        for one in self._made:
            if one.is_valid():
                one.delete()
        self._made = []

    def add(self, where, thread=None, test=None):
        """A breakpoint at WHERE for THREAD (None: for all), which stops if TEST is None or returns true."""
        try:
            self._made.append(_Breakpoint(where, thread.global_num if thread is not None else None, test))
        except (gdb.error, RuntimeError):
            pass  # the other breakpoints have to suffice

    def add_return(self, pc, sp, thread):
        """A breakpoint where a thread returns to the frame with stack pointer SP at PC."""
        if pc is not None and sp is not None:
            self.add("*0x%x" % pc, thread, _outside(sp))

    def go(self, line):
        """Executes LINE; whether the stop is at one of the breakpoints or the end of a step."""
        self._event = None
        self._silent = False
        if line != "continue":
            frame = available.newest()
            self.begin = physical(frame) if frame is not None else None
        # In another frame than at the beginning, GDB is to print where.
        if not self._same() and gdb.parameter("print frame-info") == "auto":
            cli.show("with print frame-info source-and-location -- " + line)
        else:
            cli.show(line)
        thread = gdb.selected_thread()
        if not gdb.selected_inferior().pid or thread is None:
            return False
        if isinstance(self._event, gdb.BreakpointEvent):
            self._silent = all(one in self._made for one in self._event.breakpoints)
            if self._silent:
                self.thread = thread
            return self._silent
        # The end of a step has a plain event; a "continue" has no such end.
        return not isinstance(self._event, gdb.SignalEvent) and line != "continue" \
            and thread.global_num == self.thread.global_num

    def _same(self):
        return self._frame is not None and self._frame.is_valid() and available.newest() == self._frame

    def show(self):
        """Prints the stop as GDB does, if GDB has not."""
        if self._silent:
            cli.show("with print frame-info source-line -- frame" if self._same() else "frame")


def _skip(arguments):
    """The number of a new entry of GDB's `info skip`."""
    cli.text("skip " + arguments)
    # The new entry is the last one.
    return cli.text("info skip").split("\n")[-2].split()[0]


@contextlib.contextmanager
def stepping_over_the_runtime():
    """GDB's `step` steps over a runtime with debug information too, as it does over one without."""
    numbers = []
    try:
        for arguments in _NOT_INTO:
            numbers.append(_skip(arguments))
        yield
    finally:
        for number in numbers:
            cli.text("skip delete " + number)
