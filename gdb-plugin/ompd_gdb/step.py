# SPDX-License-Identifier: Apache-2.0
"""`ompd step`, `ompd next`, `ompd finish`: they run the program until it is in the user's code again, not in
the runtime.

These are the commands that run the program. A stop that is not theirs (a user's breakpoint, a signal, the
end) ends them.
"""

import contextlib
import itertools
import re

import gdb

from ompd_common import messages
from . import available, classify, entry_points, older, selection, session, stack
from .command import Command, needs_stopped_thread
from .internal_breakpoints import Stops, physical, stepping_over_the_runtime, task_is
from .model import Model, gdb_thread, selected_row

# Turns that one step may take through the runtime: wrappers, tasks that run meanwhile.
_TURNS = 256
# What compilers call the body of a construct; its first line is the pragma's, and so are those that end it.
_BODY = re.compile(r"omp_outlined|omp_task_entry|\._omp_fn\.[0-9]+$")


def _in_runtime(classifier):
    """Whether the selected thread is in the runtime, in what the runtime has called of the system, or in the
    linkage table on the way to it, where a function that ends in a jump has left it."""
    for frame in available.stack():
        kind = classifier.kind(frame)
        if kind != classify.SYSTEM and not (frame.name() or "").endswith("@plt"):
            return kind == classify.RUNTIME
    return False


def _lines(frame):
    """Whether GDB knows the lines of the function."""
    return frame.find_sal().symtab is not None


def _body(frame):
    """(start, line, table of lines) of the function of a construct's body that a frame is in; None, also for
    one without lines, in which a step is GDB's own. An inlined function is its caller's."""
    frame = physical(frame)
    name = frame.name() or ""
    start = stack.start(frame) if _BODY.search(name) and classify.layer(name) != 1 else None
    if start is None:
        return None
    first = gdb.find_pc_line(start)
    return (start, first.line, first.symtab.linetable()) if first.symtab is not None else None


def _between(frame):
    """Whether the line is the compiler's and not the user's: what surrounds a construct's body in its
    function."""
    found = _body(frame)
    return found is not None and found[1] == frame.find_sal().line


def _add_ends(stops, classifier):
    """Places where the selected thread's way out of a construct begins: such lines, and the return to the
    runtime."""
    for frame in available.stack():
        if classifier.kind(frame) == classify.RUNTIME:
            stops.add_return(*_place(frame), stops.thread)
            return
        found = _body(frame)
        block = gdb.block_for_pc(found[0]) if found is not None else None
        if block is not None:
            start, line, table = found
            for pc in {one.pc for one in table.line(line) or () if start < one.pc < block.end}:
                stops.add_return(pc, _place(frame)[1], stops.thread)


def _place(frame):
    """(pc, stack pointer) of a frame."""
    return available.pc(frame), available.register(frame, "sp")


def _caller(stops, classifier):
    """(the user's frame to which the thread is to return from the runtime, whether GDB steps over what it has
    called).

    GDB steps over functions without lines. As long as the function in which the step began has not got back
    from them, the thread must not stop in any of them."""
    seen, found = False, []
    for frame in itertools.takewhile(lambda frame: not classifier.begins_thread(frame), available.stack()):
        kind = classifier.kind(frame)
        seen = seen or kind == classify.RUNTIME
        if kind == classify.USER and seen and not classifier.is_nameless(frame):
            found.append(frame)
    if not found or stops.begin not in found:
        return (found[0] if found else None), False
    frame = next(one for one in found if one == stops.begin or _lines(one))
    return frame, frame != found[0]


def _after(model, region):
    """(thread, pc, stack pointer) where a region's creator goes on after it; None when it ends nowhere."""
    primary = model.primary(region)
    if primary is None or region["kind"] not in ("parallel", "teams"):
        return None
    creator = gdb_thread(primary)
    with selection.kept():
        creator.switch()
        row = model.row_of(primary)
        rest = stack.outside(stack.of_thread(model, row), region, row)
        if not rest:
            raise gdb.GdbError(messages.CREATOR_FRAME_NOT_FOUND % (region["id"], model.thread_words(primary)))
        frame = rest[0].own.inferior_frame()
        return creator, *_place(frame)


def _add_bodies(stops, model, row, over):
    """Places at what the runtime is about to call: the code of a region or task, and where it will know of
    one."""
    entries = {one["entry"] for one in model.regions if one["entry"]}
    task = model.task(row) if row is not None else None
    if task is not None and task["entry"]:
        entries.add(task["entry"])
    if entry_points.used():
        entries |= {one["entry"] for one in model.tasks if one["entry"]}
        body = entry_points.body()
        if body is not None:
            entries.add("0x%x" % body)
    for address in entries:
        # A library's body may have no line to rest at, but it may call a function of the program's.
        if not over or gdb.find_pc_line(int(address, 16)).symtab is not None:
            stops.add("*" + address, stops.thread)
    _add_begins(stops)


def _add_begins(stops):
    if entry_points.used():
        for at in entry_points.addresses():
            stops.add("*0x%x" % at, stops.thread)
        return
    for place in ("ompd_bp_parallel_begin", "ompd_bp_task_begin"):
        stops.add(place, stops.thread)


def _through(stops, into):
    """From within the runtime to the user's code: the caller, what follows the region, and with INTO what the
    runtime calls. True: back in the middle of a line; False: at a line's beginning; None: the stop is not
    ours."""
    for _ in range(_TURNS):
        classifier = classify.Classifier()
        if not _in_runtime(classifier):
            return False
        thread = stops.thread
        model = Model()
        row = model.row_of(thread.ptid[1] or thread.ptid[2])
        caller, over = _caller(stops, classifier)
        if caller is None:
            after = _after(model, model.region(row)) if row is not None else None
            if after is None:
                raise gdb.GdbError(messages.NOTHING_TO_STEP_TO % thread.num)
            returns = after[1:]
            stops.add_return(*returns, after[0])
        else:
            returns = _place(caller)
            stops.add_return(*returns, thread)
        if into:
            _add_bodies(stops, model, row, over)
        if not stops.go("continue"):
            return None
        stops.clear()
        frame = available.newest()
        if frame is not None and available.pc(frame) == returns[0]:
            return not _lines(frame) or frame.find_sal().pc != returns[0]
        # At the first instruction of a construct's body; clang's wrapper has one more function inside. A body
        # without lines is stepped through to its end, with the constructs in it.
        if not _in_runtime(classify.Classifier()):
            if into:
                _add_begins(stops)
            done = stops.go("step")
            stops.clear()
            if not done:
                return None
    return False


class Step(Command):
    """Step to another source line, into OpenMP constructs but not into the runtime.
Usage: ompd step

This is like "step".  But where "step" would stop in the OpenMP runtime, the
thread goes on into the code of the region or task that it begins, or back to
the code of the program.  At the end of a worker's part of a region, the command
follows the thread that created the region.  It stops at your breakpoints."""

    word = "step"
    line, into = "step", True

    def run(self, options, arguments):
        needs_stopped_thread(self.word)
        with Stops() as stops:
            if not session.has_runtime():
                stops.go(self.line)
                return
            with stepping_over_the_runtime() if self.into else contextlib.nullcontext():
                self._run(stops)
            stops.show()

    def _run(self, stops):
        # A thread that is stopped in the runtime has no line to step over.
        inside = _in_runtime(classify.Classifier())
        for _ in range(_TURNS):
            if not inside:
                _add_ends(stops, classify.Classifier())
                if self.into:  # GDB steps over a runtime without debug information
                    _add_begins(stops)
                done = stops.go(self.line)
                stops.clear()
                if not done:
                    return
            inside = False
            if _in_runtime(classify.Classifier()):
                # Back in the middle of a line is no place to rest: what follows of it is part of the step.
                middle = _through(stops, self.into)
                if middle is None:
                    return
                if middle:
                    continue
            frame = available.newest()
            if frame is None or not _between(frame):
                return


class Next(Step):
    """Step to the next line of the program, over OpenMP constructs and the frames of the runtime.
Usage: ompd next

This is like "next".  But a thread that reaches the end of a region or task goes
on to the code of the program that follows.  For a worker there is no such code,
so the command follows the thread that created the region, to the code after the
region."""

    word = "next"
    line, into = "next", False


class Finish(Command):
    """Run until the selected thread's OpenMP task or region has ended.
Usage: ompd finish

From an explicit task, the thread runs to the next code of the program that it
executes: another task, or what the task had interrupted.  Otherwise the program
runs to where the thread that created the region continues after it.  It stops
at your breakpoints."""

    word = "finish"

    def run(self, options, arguments):
        needs_stopped_thread(self.word)
        model = Model()
        row = selected_row(model)
        task, region = model.task(row), model.region(row)
        with Stops() as stops:
            if task is not None and task["kind"] not in ("implicit", "initial"):
                self._add_end(stops, model, task)
                if stops.go("continue"):
                    stops.clear()
                    _through(stops, True)
            else:
                after = _after(model, region)
                if after is None:
                    raise gdb.GdbError(messages.NO_REGION_TO_FINISH)
                stops.add_return(after[1], after[2], after[0])
                stops.go("continue")
            stops.show()


    @staticmethod
    def _add_end(stops, model, task):
        """Places at which a task ends."""
        if not entry_points.used():
            # Of any thread: an untied task may move.
            stops.add("ompd_bp_task_end", None, task_is(task["id"]))
            return
        frame = stack.frame_of(model, task)
        caller = next((one for one in available.callers(frame) if older.level(one) > older.level(frame)
                       and one.type() != gdb.INLINE_FRAME), None) if frame is not None else None
        if caller is None:
            raise gdb.GdbError(messages.TASK_FRAME_NOT_FOUND % task["id"])
        stops.add_return(*_place(caller), stops.thread)


def register():
    """Registers the commands."""
    for one in (Step, Next, Finish):
        one()
