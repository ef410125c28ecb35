# SPDX-License-Identifier: Apache-2.0
"""`ompd step`, `ompd next`, `ompd finish`: the program goes on, and rests in the user's code again, not in the runtime.

These are the commands that run the program. A stop that is not theirs (a user's breakpoint, a signal, the end) ends them.
"""

import contextlib
import re

import gdb

from . import host, ids, kinds, session, stack
from .catch import alive
from .command import Command
from .stops import Stops, stepping_over_the_runtime, task_is

# Turns that one step may take through the runtime: wrappers, tasks that run meanwhile.
_TURNS = 256
# What compilers call the body of a construct; its first line is the pragma's, and so are those that end it.
_BODY = re.compile(r"omp_outlined|omp_task_entry|\._omp_fn\.[0-9]+$")


def _in_runtime(classifier):
    """Whether the selected thread is in the runtime, or in what the runtime has called of the system."""
    frame = gdb.newest_frame()
    while frame is not None:
        kind = classifier.kind(frame)
        if kind != kinds.SYSTEM:
            return kind == kinds.RUNTIME
        frame = frame.older()
    return False


def _body(frame):
    """(start, line) of the function of a construct's body that a frame is in; None. An inlined one is its caller's."""
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    name = frame.name() or ""
    start = stack.start(frame) if _BODY.search(name) and not kinds.is_inner(name) else None
    return (start, gdb.find_pc_line(start).line) if start is not None else None


def _between(frame):
    """Whether the line is the compiler's and not the user's: what surrounds a construct's body in its function."""
    found = _body(frame)
    return found is not None and found[1] == frame.find_sal().line


def _add_ends(stops, classifier):
    """Places where the selected thread's way out of a construct begins: such lines, and the return to the runtime."""
    frame, thread = gdb.newest_frame(), stops.thread
    while frame is not None and classifier.kind(frame) != kinds.RUNTIME:
        found = _body(frame)
        if found is not None:
            start, line = found
            table = frame.find_sal().symtab.linetable()
            end = gdb.block_for_pc(start).end
            for pc in {one.pc for one in table.line(line) or () if start < one.pc < end}:
                stops.add_return(pc, int(frame.read_register("sp")), thread)
        frame = frame.older()
    if frame is not None:
        stops.add_return(frame.pc(), int(frame.read_register("sp")), thread)


def _caller(classifier):
    """(pc, stack pointer) of the newest frame of the user's around the runtime's; None. One that has lines is better."""
    frame, best, seen = gdb.newest_frame(), None, False
    while frame is not None and frame.name() not in kinds.BEGIN:
        kind = classifier.kind(frame)
        seen = seen or kind == kinds.RUNTIME
        if kind == kinds.USER and seen:
            found = frame.pc(), int(frame.read_register("sp"))
            if frame.find_sal().symtab is not None:
                return found
            best = best or found
        frame = frame.older()
    return best


def _after(model, region):
    """(thread, pc, stack pointer) where a region's creator goes on after it; None when it ends nowhere."""
    primary = model.primary(region)
    if primary is None or region["kind"] not in ("parallel", "teams"):
        return None
    creator = ids.gdb_thread(primary)
    with host.kept_selection():
        creator.switch()
        row = model.row_of(primary)
        rest = stack.outside(stack.of_thread(model, row), region, row)
        if not rest:
            raise gdb.GdbError("Where region %d was created cannot be found on the stack of %s."
                               % (region["id"], model.thread_words(primary)))
        frame = rest[0].own.inferior_frame()
        return creator, frame.pc(), int(frame.read_register("sp"))


def _add_bodies(stops, model, row):
    """Places at what the runtime is about to call: the code of a region or task, and where it will know of one."""
    entries = {one["entry"] for one in model.regions if one["entry"]}
    task = model.task(row) if row is not None else None
    if task is not None and task["entry"]:
        entries.add(task["entry"])
    for address in entries:
        if gdb.find_pc_line(int(address, 16)).symtab is not None:  # a library's body has no line to rest at
            stops.add("*" + address, stops.thread)
    _add_begins(stops)


def _add_begins(stops):
    for place in ("ompd_bp_parallel_begin", "ompd_bp_task_begin"):
        stops.add(place, stops.thread)


def _through(stops, into):
    """From within the runtime to the user's code: the caller, what follows the region, and with INTO what the runtime
    calls. True: back in the middle of a line; False: at a line's beginning; None: the stop is not ours."""
    for _ in range(_TURNS):
        classifier = kinds.Classifier(session.ranges())
        if not _in_runtime(classifier):
            return False
        thread = stops.thread
        model = ids.Model()
        row = model.row_of(thread.ptid[1] or thread.ptid[2])
        caller = _caller(classifier)
        if caller is None:
            after = _after(model, model.region(row)) if row is not None else None
            if after is None:
                raise gdb.GdbError("Thread %d is in no region, and no code of the program called it: select another "
                                   "thread, or use \"continue\"." % thread.num)
            returns = after[1:]
            stops.add_return(*returns, after[0])
        else:
            returns = caller
            stops.add_return(*returns, thread)
        if into:
            _add_bodies(stops, model, row)
        if not stops.go("continue"):
            return None
        stops.clear()
        frame = gdb.newest_frame()
        if frame.pc() == returns[0]:
            return frame.find_sal().pc != frame.pc()
        # At the first instruction of a construct's body; clang's wrapper has one more function inside.
        if not _in_runtime(kinds.Classifier(session.ranges())) and not stops.go("step"):
            return None
    return False


class Step(Command):
    """Step to another line of the program, into OpenMP constructs, over the frames of the runtime.

Usage: ompd step

Like "step", but where that would stop in the OpenMP runtime, the thread goes
on into the body of the region or task that it begins, or back to the program's
code.  At the end of a worker's part of a region it is the thread that created
the region that is followed.  Breakpoints of yours are not run over."""

    word = "step"
    line, into = "step", True

    def run(self, options, arguments):
        alive(self.word)
        with Stops() as stops:
            if not session.ranges():
                stops.go(self.line)
                return
            with stepping_over_the_runtime() if self.into else contextlib.nullcontext():
                self._run(stops)
            stops.show()

    def _run(self, stops):
        # A thread that is stopped in the runtime has no line to step over.
        inside = _in_runtime(kinds.Classifier(session.ranges()))
        for _ in range(_TURNS):
            if not inside:
                _add_ends(stops, kinds.Classifier(session.ranges()))
                if self.into:  # GDB steps over a runtime without debug information
                    _add_begins(stops)
                done = stops.go(self.line)
                stops.clear()
                if not done:
                    return
            inside = False
            if _in_runtime(kinds.Classifier(session.ranges())):
                # Back in the middle of a line is no place to rest: what follows of it is part of the step.
                middle = _through(stops, self.into)
                if middle is None:
                    return
                if middle:
                    continue
            if not _between(gdb.newest_frame()):
                return


class Next(Step):
    """Step to the next line of the program, over OpenMP constructs and the frames of the runtime.

Usage: ompd next

Like "next", but a thread that comes to the end of a region or task goes on to
the program's code that follows.  A worker has none: there it is the thread that
created the region that is followed, to the code after the region."""

    word = "next"
    line, into = "next", False


class Finish(Command):
    """Run until the selected thread's OpenMP task or region has ended.

Usage: ompd finish

In an explicit task: to what its thread does next of the program's code, another
task or what the task had interrupted.  Else to where the region's creator goes
on after it.  Breakpoints of yours are not run over."""

    word = "finish"

    def run(self, options, arguments):
        alive(self.word)
        model = ids.Model()
        row = ids.selected_row(model)
        task, region = model.task(row), model.region(row)
        with Stops() as stops:
            if task is not None and task["kind"] not in ("implicit", "initial"):
                # Of any thread: an untied task may move.
                stops.add("ompd_bp_task_end", None, task_is(task["id"]))
                if stops.go("continue"):
                    stops.clear()
                    _through(stops, True)
            else:
                after = _after(model, region)
                if after is None:
                    raise gdb.GdbError("The selected thread is in no region that ends: use \"finish\" for its "
                                       "function.")
                stops.add_return(after[1], after[2], after[0])
                stops.go("continue")
            stops.show()


def register():
    """Registers the commands."""
    for one in (Step, Next, Finish):
        one()
