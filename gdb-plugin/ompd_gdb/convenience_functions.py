# SPDX-License-Identifier: Apache-2.0
"""$ompd_thread_num() and the like: the selected thread's row as values, for expressions and breakpoint conditions."""

import gdb

from . import errors, library, session


class _Number(gdb.Function):
    """What the numbers share."""

    field = ""

    def __init__(self):
        super().__init__("ompd_" + self.field)

    @errors.guarded
    def invoke(self, *arguments):
        if arguments:
            raise gdb.GdbError("$ompd_%s takes no arguments." % self.field)
        return self.value()

    def value(self):
        """What the function returns."""
        return session.current().thread_value(self.field)


class ThreadNum(_Number):
    """Return the OpenMP thread number of the selected thread; -1 for a thread that is not an OpenMP thread.

Usage: $ompd_thread_num ()"""

    field = "thread_num"


class TeamSize(_Number):
    """Return the size of the OpenMP team of the selected thread; -1 for a thread that is not an OpenMP thread.

Usage: $ompd_team_size ()"""

    field = "team_size"


class Level(_Number):
    """Return how many OpenMP parallel regions are around the selected thread; -1 for a thread that is not an OpenMP thread.

Usage: $ompd_level ()"""

    field = "level"


class Region(_Number):
    """Return the number of the OpenMP region of the selected thread, as "ompd parallel" shows it; -1: none.

Usage: $ompd_region ()"""

    field = "region"


class Task(_Number):
    """Return the number of the OpenMP task of the selected thread, as "ompd tasks" shows it; -1: none.

Usage: $ompd_task ()"""

    field = "task"


class InParallel(_Number):
    """Return 1 when the selected thread is in an active OpenMP parallel region, else 0.

Usage: $ompd_in_parallel ()"""

    field = "in_parallel"

    def value(self):
        return int(session.current().thread_value("active_level") > 0)


class State(_Number):
    """Return the OpenMP state of the selected thread as a string, "wait_barrier".

Usage: $ompd_state ()

A thread that is not an OpenMP thread has "none"."""

    field = "state"

    def value(self):
        thread = gdb.selected_thread()
        current = session.current()
        current.thread_value("level")  # takes the snapshot, also in a breakpoint's condition
        for row in current.last_rows(library.VIEW_THREADS)["threads"]:
            if thread is not None and row["lwp"] == (thread.ptid[1] or thread.ptid[2]):
                return row["state"] or "none"
        return "none"


def register():
    """Registers the functions."""
    for function in (ThreadNum, TeamSize, Level, Region, Task, InParallel, State):
        function()
