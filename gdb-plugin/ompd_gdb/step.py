# SPDX-License-Identifier: Apache-2.0
"""`ompd step`, `ompd next`, `ompd finish`: the program goes on, and rests in the user's code again, not in the runtime.

These are the commands that run the program. A stop that is not theirs (a user's breakpoint, a signal, the end) ends them.
"""

import gdb

from . import command, host, ids, session, stack
from .catch import alive
from .command import Command

# Turns that one step may take through the runtime: wrappers, tasks that run meanwhile.
_TURNS = 64


class _Stops:
    """Internal breakpoints of one thread, and whether the last stop was at one of them."""

    def __init__(self, thread):
        self._thread = thread
        self._made = []
        self.event = None
        self.back = False  # the last stop was at the return from the runtime
        self.quiet = False  # the last stop was at one of these, so GDB has printed nothing

    def __enter__(self):
        gdb.events.stop.connect(self._stopped)
        return self

    def __exit__(self, *_):
        gdb.events.stop.disconnect(self._stopped)
        self.clear()

    def _stopped(self, event):
        self.event = event

    def clear(self):
        for one in self._made:
            if one.is_valid():
                one.delete()
        self._made = []

    def add(self, where, condition=None):
        try:
            made = gdb.Breakpoint(where, internal=True)
            made.silent = True
            if self._thread is not None:
                made.thread = self._thread
            if condition:
                made.condition = condition
            self._made.append(made)
        except (gdb.error, RuntimeError):
            pass  # without that place the others have to do

    def go(self, line):
        """Runs LINE; True when the stop is an internal one or the end of a plain step."""
        self.event = None
        self.quiet = False
        gdb.execute(line)
        if not gdb.selected_inferior().pid or gdb.selected_thread() is None:
            return False
        if isinstance(self.event, gdb.SignalEvent):
            return False
        if isinstance(self.event, gdb.BreakpointEvent):
            self.quiet = all(one in self._made or not one.visible for one in self.event.breakpoints)
            return self.quiet
        return True


def _in_runtime(frame):
    return stack.Classifier(session.ranges()).kind(frame) == stack.RUNTIME if session.ranges() else False


def _caller():
    """pc of the newest frame of the user's below the runtime's; None."""
    frame, classifier = gdb.newest_frame(), stack.Classifier(session.ranges())
    while frame is not None:
        if classifier.kind(frame) == stack.USER:
            return frame.pc()
        frame = frame.older()
    return None


def _bodies(model, row):
    """Addresses of code that the selected thread, in the runtime, may be about to run."""
    found = {one["entry"] for one in model.regions if one["entry"]}
    task = model.task(row)
    if task is not None and task["entry"]:
        found.add(task["entry"])
    return found


def _through(stops, into):
    """From within the runtime to the user's code: the caller, and with INTO what the runtime calls. False: not ours."""
    number = gdb.selected_thread().num
    for _ in range(_TURNS):
        if not _in_runtime(gdb.newest_frame()):
            return True
        caller = _caller()
        stops.clear()
        if caller is not None:
            stops.add("*0x%x" % caller)
        if into:
            model = ids.Model()
            lwp = gdb.selected_thread().ptid[1] or gdb.selected_thread().ptid[2]
            for address in _bodies(model, model.row_of(lwp) or {"runtime": None, "task": None}):
                stops.add("*" + address)
            for place in ("ompd_bp_parallel_begin", "ompd_bp_task_begin"):
                stops.add(place)
        elif caller is None:
            command.write("Thread %d has left its region, and no code of the program called it." % number)
            return True
        if not stops.go("continue"):
            return False
        stops.clear()
        pc = gdb.newest_frame().pc()
        stops.back = pc == caller and gdb.newest_frame().find_sal().pc != pc
        if pc != caller and not _in_runtime(gdb.newest_frame()):
            # At the first instruction of a construct's body; clang's wrapper has one more function inside.
            if not stops.go("step"):
                return False
    return True


def show_frame(stops):
    """What GDB prints at a stop, where it has printed nothing: at a breakpoint of ours."""
    if stops.quiet and gdb.selected_thread() is not None:
        gdb.execute("frame")


class Step(Command):
    """Step to another line of the program, into OpenMP constructs, over the frames of the runtime.

Usage: ompd step

Like "step", but where that would stop in the OpenMP runtime, the thread goes
on into the body of the region or task that it begins, or back to the program's
code.  Breakpoints of yours are not run over."""

    word = "step"
    line, into = "step", True

    def run(self, options, arguments):
        thread = alive(self.word)
        with _Stops(thread.global_num) as stops:
            for _ in range(_TURNS):
                # Back in the middle of a line is no place to rest: what follows of it is part of the step.
                stops.back = False
                if not stops.go(self.line) or not _through(stops, self.into) or not stops.back:
                    break
        show_frame(stops)


class Next(Step):
    """Step to the next line of the program, over OpenMP constructs and the frames of the runtime.

Usage: ompd next

Like "next", but a thread that comes to the end of a region or task goes on to
the program's code that follows.  A worker has none: there it says so."""

    word = "next"
    line, into = "next", False


class Finish(Command):
    """Run until the selected thread's OpenMP task or region has ended.

Usage: ompd finish

In an explicit task: to its end.  Else to where the region's creator goes on
after it.  Breakpoints of yours are not run over."""

    word = "finish"

    def run(self, options, arguments):
        alive(self.word)
        model = ids.Model()
        row = ids.selected_row(model)
        task, region = model.task(row), model.region(row)
        if task is not None and task["kind"] not in ("implicit", "initial"):
            with _Stops(gdb.selected_thread().global_num) as stops:
                stops.add("ompd_bp_task_end", "$ompd_task () == %d" % task["id"])
                stops.go("continue")
        else:
            stops = self._region(model, region)
        show_frame(stops)

    def _region(self, model, region):
        primary = next((one["lwp"] for one in region["members"] if one["thread_num"] == 0), None) if region else None
        if primary is None or region["kind"] not in ("parallel", "teams"):
            raise gdb.GdbError("The selected thread is in no region that ends: use \"finish\" for its function.")
        creator, pc = ids.gdb_thread(primary), None
        with host.kept_selection():
            creator.switch()
            row = model.row_of(primary)
            rest = stack.outside(stack.of_thread(model, row), region, row)
            if rest:
                pc = rest[0].own.inferior_frame().pc()
        if pc is None:
            raise gdb.GdbError("Where region %d was created cannot be found on the stack of %s."
                               % (region["id"], model.thread_words(primary)))
        with _Stops(creator.global_num) as stops:
            stops.add("*0x%x" % pc)
            stops.go("continue")
        return stops


def register():
    """Registers the commands."""
    for one in (Step, Next, Finish):
        one()
