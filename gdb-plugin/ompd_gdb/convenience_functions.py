# SPDX-License-Identifier: Apache-2.0
"""$ompd_thread_num() and the like: what expressions and conditions can use of the selected thread."""

import gdb

from ompd_common import library, messages
from . import errors, selection, session
from .model import Model
from .print_command import outer_value


class _Number(gdb.Function):
    """A number of the selected thread's row."""

    field = ""

    def __init__(self):
        super().__init__("ompd_" + self.field)

    @errors.guarded
    def invoke(self, *arguments):
        if arguments:
            raise gdb.GdbError(messages.NO_ARGUMENTS % ("$ompd_" + self.field))
        return self.value()

    def value(self):
        """The value of the function."""
        return session.current().thread_value(self.field)


class ThreadNum(_Number):
    """$ompd_thread_num - the OpenMP thread number of the selected thread.
Usage: $ompd_thread_num ()

The value is -1 if the thread is not an OpenMP thread."""

    field = "thread_num"


class TeamSize(_Number):
    """$ompd_team_size - the size of the OpenMP team of the selected thread.
Usage: $ompd_team_size ()

The value is -1 if the thread is not an OpenMP thread."""

    field = "team_size"


class Level(_Number):
    """$ompd_level - the number of OpenMP parallel regions that enclose the selected thread.
Usage: $ompd_level ()

The value is -1 if the thread is not an OpenMP thread."""

    field = "level"


class Region(_Number):
    """$ompd_region - the number of the OpenMP region of the selected thread.
Usage: $ompd_region ()

It is the number that "ompd parallel" shows; -1 if there is none."""

    field = "region"


class Task(_Number):
    """$ompd_task - the number of the OpenMP task of the selected thread.
Usage: $ompd_task ()

It is the number that "ompd tasks" shows; -1 if there is none."""

    field = "task"


class InParallel(_Number):
    """$ompd_in_parallel - whether the selected thread is in an active OpenMP parallel region.
Usage: $ompd_in_parallel ()

The value is 1 or 0.  A region is active if its team has more than one thread."""

    field = "in_parallel"

    def value(self):
        return int(session.current().thread_value("active_level") > 0)


class State(_Number):
    """$ompd_state - the OpenMP state of the selected thread as a string.
Usage: $ompd_state ()

An example is "wait_barrier".  The value is "none" if the thread is not an OpenMP
thread."""

    field = "state"

    def value(self):
        thread = gdb.selected_thread()
        current = session.current()
        current.thread_value("level")  # takes the snapshot, also in a breakpoint condition
        for row in current.last_rows(library.VIEW_THREADS)["threads"]:
            if thread is not None and row["lwp"] == (thread.ptid[1] or thread.ptid[2]):
                return row["state"] or "none"
        return "none"


def _text(value):
    """A string literal of the current language; gdb.error of anything else."""
    if value.type.code != gdb.TYPE_CODE_STRING:
        return value.string()
    # Fortran's, of which GDB makes no Python string.
    return value.format_string(max_elements=0, repeat_threshold=0)[1:-1].replace("''", "'")


class Outer(gdb.Function):
    """$ompd_outer - an expression as the function around the selected construct has it.
Usage: $ompd_outer ("EXPRESSION")

The value is that in the nearest frame around the selected frame's region or task in
which a variable of the expression is local: that frame is of the thread that created
the region, or of the task that created the task.  The value has its type, so that
"print $ompd_outer("grid")->n" works.  In Fortran write $ompd_outer('grid')."""

    def __init__(self):
        super().__init__("ompd_outer")

    @errors.guarded
    def invoke(self, *arguments):
        if len(arguments) != 1:
            raise gdb.GdbError(messages.OUTER_ARGUMENT)
        try:
            expression = _text(arguments[0])
        except (gdb.error, UnicodeError):
            raise gdb.GdbError(messages.OUTER_ARGUMENT) from None
        with selection.kept():
            return outer_value(Model(), expression)


def register():
    """Registers the functions."""
    Outer()
    for function in (ThreadNum, TeamSize, Level, Region, Task, InParallel, State):
        function()
