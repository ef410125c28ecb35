# SPDX-License-Identifier: Apache-2.0
"""`ompd catch`: ordinary breakpoints of GDB at what all OpenMP events of a kind pass."""

import os
import re

import gdb

from . import command, errors, session, stack
from .command import Command, one_of
from .model import Model, current_model, number_list, selected_row, wrapped

# OpenMP 6.0, chapter 42.4, has places for three; for the others it is what compilers call (runtime/abi), and where the
# members of a team come to the end of their region.
_PLACES = {
    "parallel": (("ompd_bp_parallel_begin",), ("ompd_bp_parallel_end",)),
    "task": (("ompd_bp_task_begin",), ("ompd_bp_task_end",)),
    "thread": (("ompd_bp_thread_begin",), ("ompd_bp_thread_end",)),
    "barrier": (("__kmpc_barrier", "__kmpc_cancel_barrier", "__kmpc_barrier_master", "__kmpc_barrier_master_nowait",
                 "GOMP_barrier", "GOMP_barrier_cancel", "GOMP_loop_end", "GOMP_loop_end_cancel", "GOMP_sections_end",
                 "GOMP_sections_end_cancel", "rt_join_arrive"), None),
    "critical": (("__kmpc_critical", "__kmpc_critical_with_hint", "GOMP_critical_start", "GOMP_critical_name_start"),
                 ("__kmpc_end_critical", "GOMP_critical_end", "GOMP_critical_name_end")),
    "lock": (("omp_set_lock", "omp_set_nest_lock", "omp_set_lock_", "omp_set_nest_lock_"),
             ("omp_unset_lock", "omp_unset_nest_lock", "omp_unset_lock_", "omp_unset_nest_lock_")),
}


class _Arrivals:
    """Who has come to the barrier of each region. All come to one before anybody comes to the next, so counting tells; a
    look at the others' states would not, as they run while GDB asks."""

    def __init__(self, condition):
        self._condition = condition
        self._arrived = {}  # (process, region) -> LWPs
        if gdb.selected_inferior().pid and session.ranges():
            for row in Model().threads:
                if row["wait"] and row["wait"]["kind"] == "barrier":
                    self._here(row["region"]).add(row["lwp"])

    def _here(self, region):
        return self._arrived.setdefault((gdb.selected_inferior().pid, region), set())

    def complete(self):
        """Whether the selected thread is the last to arrive."""
        current, thread = session.current(), gdb.selected_thread()
        here = self._here(current.thread_value("region"))
        here.add(thread.ptid[1] or thread.ptid[2])
        if len(here) < current.thread_value("team_size"):
            return False
        here.clear()
        return self._condition is None or bool(gdb.parse_and_eval(self._condition))


class _Last(gdb.Breakpoint):
    """A breakpoint at a barrier, for the thread that completes it."""

    def __init__(self, place, arrivals):
        super().__init__(function=place, qualified=True)
        self._arrivals = arrivals

    def stop(self):
        try:
            return self._arrivals.complete()
        except (gdb.error, gdb.GdbError) as error:
            gdb.write("%s\n" % errors.as_gdb_error(error), gdb.STDERR)
            return True


_caught = {}  # number of a breakpoint -> the kind of event and "begin", "end" or "all"
_make = None  # what _quietly() runs


def _quietly(make):
    """Calls MAKE while GDB's own output is kept back: of a pending breakpoint it writes two lines, also from Python."""
    global _make
    failed = []

    def caught():
        try:
            make()
        except BaseException as error:  # GDB would write it, and raise another
            failed.append(error)
    _make = caught
    gdb.execute("python __import__('sys').modules[%r]._make()" % __name__, to_string=True)
    if failed:
        raise failed[0]


@errors.silent(None)
def _tell(event):
    """What begins or ends, behind GDB's lines on a stop that are about a function of the runtime."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    found = next((_caught[one.number] for one in event.breakpoints if one.number in _caught), None)
    if found is None:
        return
    kind, when = found
    model = current_model()
    row = selected_row(model)
    task = model.task(row)
    if kind == "task" and task is not None:
        text = model.task_line(task)
    else:
        text = _place(model, row)
    if text:
        command.write(wrapped("Caught %s: %s" % (_words(kind, when), text)))


def _words(kind, when):
    """"task begin"; a barrier has no end."""
    return "%s %s" % (kind, when) if kind != "barrier" or when == "all" else kind


def _place(model, row):
    """"main at nested.c:9" of the program's own code that the selected thread is in; None."""
    part = next((one for one in stack.of_selected(model, row) if one.label != stack.RUNTIME), None)
    code = part.own.code if part is not None else None
    if code is None or not code.filename or not code.line:
        return None
    return "%s at %s:%d" % (code.function, os.path.basename(code.filename), code.line)


class Catch(Command):
    """Stop at OpenMP events of a kind.

Usage: ompd catch KIND [begin | end | all] [if CONDITION]

KIND is parallel, task, thread, barrier, critical or lock.  What is made are
breakpoints, which "info breakpoints" lists and "delete" removes; before the
OpenMP runtime is loaded they are pending.  Without begin or end it is begin.

A barrier has no end.  Each thread that comes to one stops; with all only the
one that comes last, so that all have arrived.  The barriers at the end of loops,
sections, single constructs and regions are caught too.

CONDITION is evaluated in the runtime, where the program's local variables are
not in scope; $ompd_thread_num () and the like are.

  ompd catch parallel if $ompd_level () == 1
  ompd catch barrier all
  ompd catch task end"""

    word = "catch"
    arguments = 1
    rest = True

    def run(self, options, arguments):
        kind = one_of(list(_PLACES), arguments[0]) if arguments else None
        if kind is None:
            raise gdb.GdbError("What can be caught is one of: %s. %s." % (", ".join(_PLACES), self.usage()))
        rest = arguments[1].strip() if len(arguments) > 1 else ""
        word, _, after = rest.partition(" ")
        when = "begin"
        if word in ("begin", "end", "all"):
            when, rest = word, after.strip()
        if rest and not re.match(r"if[ (]", rest):
            raise gdb.GdbError("ompd catch %s does not take \"%s\". %s." % (kind, rest, self.usage()))
        places = _PLACES[kind][when == "end"]
        if places is None:
            raise gdb.GdbError("The end of a %s cannot be caught: use \"ompd catch %s\" and \"finish\"." % (kind, kind))
        if when == "all" and kind != "barrier":
            raise gdb.GdbError("Only a barrier is something at which all arrive, a %s is not. %s." % (kind, self.usage()))
        before = {one.number for one in gdb.breakpoints()}
        if when == "all":
            arrivals = _Arrivals(rest[2:].strip() or None)
            _quietly(lambda: [_Last(place, arrivals) for place in places])
        else:
            _quietly(lambda: [self._break(place, rest) for place in places])
        made = [one for one in gdb.breakpoints() if one.number not in before]
        _caught.update((one.number, (kind, when)) for one in made)
        numbers = number_list([one.number for one in made])
        command.write("Breakpoint%s %s: %s%s" % ("s" if len(made) > 1 else "", numbers, _words(kind, when),
                                                 ", pending" if all(one.pending for one in made) else ""))

    def _break(self, place, rest):
        gdb.execute("with breakpoint pending on -- break -qualified -function %s%s" % (place, " " + rest if rest else ""))

    def candidates(self, words):
        if not words:
            return list(_PLACES)
        if len(words) == 1:
            more = ["end"] if _PLACES.get(words[0], (None, None))[1] else ["all"] if words[0] == "barrier" else []
            return ["begin"] + more + ["if"]
        return ["if"] if len(words) == 2 and words[1] in ("begin", "end", "all") else ()


def alive(what):
    """The selected thread when the program can go on; an error with the remedy."""
    inferior = gdb.selected_inferior()
    if not inferior.pid:
        raise gdb.GdbError(session.NOT_RUN)
    if inferior.connection is not None and inferior.connection.type == "core":
        raise gdb.GdbError("A core file cannot go on: ompd %s needs a running program." % what)
    thread = gdb.selected_thread()
    if thread is None or thread.is_running():
        raise gdb.GdbError("The selected thread runs: interrupt it first.")
    return thread


def register():
    """Registers the command."""
    Catch()
    gdb.events.stop.connect(_tell)
