# SPDX-License-Identifier: Apache-2.0
"""`ompd catch`: ordinary breakpoints at the functions that every OpenMP event of a kind calls."""

import os
import re

import gdb

from ompd_common import messages
from . import cli, command, entry_points, errors, session, stack
from .command import Command, one_of
from .model import Model, current_model, number_list, selected_row, wrapped

# OpenMP 6.0, chapter 42.4, defines functions for three kinds. For the others these are the functions that
# compilers call (runtime/abi), and the one that the members of a team call at the end of their region.
_FUNCTIONS = {
    "parallel": (("ompd_bp_parallel_begin",), ("ompd_bp_parallel_end",)),
    "task": (("ompd_bp_task_begin",), ("ompd_bp_task_end",)),
    "thread": (("ompd_bp_thread_begin",), ("ompd_bp_thread_end",)),
    "barrier": (("__kmpc_barrier", "__kmpc_cancel_barrier", "__kmpc_barrier_master",
                 "__kmpc_barrier_master_nowait", "GOMP_barrier", "GOMP_barrier_cancel", "GOMP_loop_end",
                 "GOMP_loop_end_cancel", "GOMP_sections_end", "GOMP_sections_end_cancel", "rt_join_arrive"),
                None),
    "critical": (("__kmpc_critical", "__kmpc_critical_with_hint", "GOMP_critical_start",
                  "GOMP_critical_name_start"),
                 ("__kmpc_end_critical", "GOMP_critical_end", "GOMP_critical_name_end")),
    "lock": (("omp_set_lock", "omp_set_nest_lock", "omp_set_lock_", "omp_set_nest_lock_"),
             ("omp_unset_lock", "omp_unset_nest_lock", "omp_unset_lock_", "omp_unset_nest_lock_")),
}


class _Arrivals:
    """Which threads have arrived at the current barrier of each region.

    They are counted: all threads arrive at one barrier before any arrives at the next. The states of the
    other threads would not tell, as these run meanwhile."""

    def __init__(self, condition):
        self._condition = condition
        self._arrived = {}  # (process, region) -> LWPs
        if session.has_runtime():
            for row in Model().threads:
                if row["wait"] and row["wait"]["kind"] == "barrier":
                    self._here(row["region"]).add(row["lwp"])

    def _here(self, region):
        return self._arrived.setdefault((gdb.selected_inferior().pid, region), set())

    def complete(self):
        """Whether the selected thread is the last one to arrive."""
        current, thread = session.current(), gdb.selected_thread()
        here = self._here(current.thread_value("region"))
        here.add(thread.ptid[1] or thread.ptid[2])
        if len(here) < current.thread_value("team_size"):
            return False
        here.clear()
        return self._condition is None or bool(gdb.parse_and_eval(self._condition))


class _BarrierComplete(gdb.Breakpoint):
    """A breakpoint at a barrier that stops only the last thread to arrive."""

    def __init__(self, function, arrivals):
        super().__init__(function=function, qualified=True)
        self._arrivals = arrivals

    def stop(self):
        try:
            return self._arrivals.complete()
        except (gdb.error, gdb.GdbError) as error:
            gdb.write("%s\n" % errors.as_gdb_error(error), gdb.STDERR)
            return True


# A runtime without events of its own: those that are seen where the program calls it.
_HAS_EVENT = {("parallel", "begin")}
_RUNTIME = re.compile(r"lib(gomp|i?omp5?)[-.]")
_caught = {}  # breakpoint number -> (kind of event; "begin", "end" or "all")
_make = None  # the function that _quietly() calls


def _quietly(make):
    """Calls MAKE without GDB's output, which for a pending breakpoint is two lines even from Python."""
    global _make
    failed = []

    def caught():
        try:
            make()
        except BaseException as error:  # GDB would print it, and raise another one
            failed.append(error)
    _make = caught
    cli.text("python __import__('sys').modules[%r]._make()" % __name__)
    if failed:
        raise failed[0]


def _print_event(event):
    """Prints a stop at a catchpoint. What GDB would print is a function of the runtime's and its source."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    one = next((one for one in event.breakpoints if one.number in _caught), None)
    if one is None:
        return
    text = _event_text(*_caught[one.number])
    if text:
        text = messages.CAUGHT % (gdb.selected_thread().num, one.number, text)
        command.write(wrapped(text))
    elif one.silent:
        cli.show("frame")


@errors.silent(None)
def _event_text(kind, when):
    """"task begin: Task 4: explicit, running, main at nested.c:9, in region 2"; None if nothing is known."""
    model = current_model()
    # Before the first region a runtime without events knows of no thread.
    row = selected_row(model) if any(one["openmp"] for one in model.threads) else None
    task = model.task(row) if row is not None else None
    text = model.task_line(task) if kind == "task" and task is not None else _place(model, row)
    return "%s: %s" % (_event_name(kind, when), text) if text else None


def _event_name(kind, when):
    """"task begin", or just "barrier", which has no end."""
    return "%s %s" % (kind, when) if kind != "barrier" or when == "all" else kind


def _place(model, row):
    """Where in the program's own code the selected thread is, "main at nested.c:9"; None if unknown."""
    part = next((one for one in stack.of_selected(model, row) if one.label != stack.RUNTIME), None)
    code = part.own.code if part is not None else None
    if code is None or not code.filename or not code.line:
        return None
    return "%s at %s:%d" % (code.function, os.path.basename(code.filename), code.line)


class _Later:
    """A catchpoint that was made before it was known which runtime the program has."""

    def __init__(self, kind, when, rest, numbers):
        self._kind, self._when, self._rest, self._numbers = kind, when, rest, numbers

    def decide(self):
        """The runtime is there, and it has no functions for events."""
        made = [one for one in gdb.breakpoints() if one.number in self._numbers]
        numbers = [one.number for one in made]
        for one in made:
            one.enabled = one.enabled and not entry_points.is_caller(one.location.split()[-1])
        if not _of_events(_FUNCTIONS[self._kind][self._when == "end"]):
            return
        if numbers and (self._kind, self._when) in _HAS_EVENT:
            _set(entry_points.region_functions(), self._kind, self._when, self._rest)
        elif numbers:
            command.write(messages.WILL_NOT_STOP % ("s" if len(numbers) > 1 else "", number_list(numbers),
                                                    _no_event(self._kind, self._when)))


_later = []  # _Later


def _no_event(kind, when):
    return messages.NO_EVENT % (when, kind, messages.NO_EVENT_REMEDIES[kind])


def _of_events(functions):
    """Whether the functions are those that Companion calls for the sake of debuggers."""
    return functions[0].startswith("ompd_bp_")


def _set(functions, kind, when, rest):
    """Ordinary breakpoints at functions; what was made."""
    before = {one.number for one in gdb.breakpoints()}
    _quietly(lambda: [_break(function, rest) for function in functions])
    return _note(before, kind, when)


def _note(before, kind, when):
    """Remembers the breakpoints that are not BEFORE as catchpoints; what they are."""
    made = [one for one in gdb.breakpoints() if one.number not in before]
    for one in made:
        _caught[one.number] = kind, when
        # An editor is told of a stop by GDB itself.
        one.silent = not command.for_an_editor()
    return made


def _break(function, condition):
    cli.show("with breakpoint pending on -- break -qualified -function %s %s" % (function, condition))


@errors.silent(None)
def _loaded(event):
    """A file was loaded: perhaps the runtime that the program has."""
    name = os.path.basename(os.path.realpath(event.new_objfile.filename or ""))
    if _later and _RUNTIME.match(name):
        for one in _later:
            one.decide()
        _later.clear()


class Catch(Command):
    """Stop at OpenMP events of one kind.
Usage: ompd catch KIND [begin | end | all] [if CONDITION]

KIND is parallel, task, thread, barrier, critical or lock.  Without "begin" or
"end" the program stops where the event begins.  The command sets ordinary
breakpoints: "info breakpoints" lists them, "delete" removes them, and they are
pending until the OpenMP runtime is loaded.

For barriers there is no "end": each thread stops as it arrives.  With "all" only
the last thread to arrive stops.  The implicit barriers of loop, sections,
single and parallel constructs count too.

CONDITION is evaluated in a frame of the runtime, where the local variables of
the program are not in scope.  Convenience functions such as $ompd_thread_num ()
work there.

Examples:
  ompd catch parallel if $ompd_level () == 1
  ompd catch barrier all
  ompd catch task end"""

    word = "catch"
    arguments = 1
    rest = True

    def run(self, options, arguments):
        kind = one_of(list(_FUNCTIONS), arguments[0]) if arguments else None
        if kind is None:
            raise self.mistake(messages.NO_SUCH_EVENT % ", ".join(_FUNCTIONS))
        rest = arguments[1].strip() if len(arguments) > 1 else ""
        word, _, after = rest.partition(" ")
        when = "begin"
        if word in ("begin", "end", "all"):
            when, rest = word, after.strip()
        if rest and not re.match(r"if[ (]", rest):
            raise self.mistake(messages.CATCH_ARGUMENT % (kind, rest))
        functions = _FUNCTIONS[kind][when == "end"]
        if functions is None:
            raise gdb.GdbError(messages.NO_END % (kind, kind))
        if when == "all" and kind != "barrier":
            raise self.mistake(messages.ALL_IS_FOR_BARRIERS % kind)
        if _of_events(functions) and entry_points.used():
            if (kind, when) not in _HAS_EVENT:
                raise gdb.GdbError(_no_event(kind, when))
            functions = entry_points.region_functions()
        elif entry_points.used():
            functions = [one for one in functions if not entry_points.is_caller(one)]
        if when == "all":
            before = {one.number for one in gdb.breakpoints()}
            arrivals = _Arrivals(rest[2:].strip() or None)
            _quietly(lambda: [_BarrierComplete(function, arrivals) for function in functions])
            made = _note(before, kind, when)
        else:
            made = _set(functions, kind, when, rest)
        if not session.has_runtime():
            _later.append(_Later(kind, when, rest, {one.number for one in made}))
        numbers = number_list([one.number for one in made])
        command.write(messages.CATCHPOINT % ("s" if len(made) > 1 else "", numbers, _event_name(kind, when),
                                             ", pending" if all(one.pending for one in made) else ""))

    def candidates(self, words):
        if not words:
            return list(_FUNCTIONS)
        if len(words) == 1:
            ends = _FUNCTIONS.get(words[0], (None, None))[1]
            return ["begin"] + ["end"] * bool(ends) + ["all"] * (words[0] == "barrier") + ["if"]
        return ["if"] if len(words) == 2 and words[1] in ("begin", "end", "all") else ()


def register():
    """Registers the command."""
    Catch()
    gdb.events.stop.connect(_print_event)
    gdb.events.new_objfile.connect(_loaded)
