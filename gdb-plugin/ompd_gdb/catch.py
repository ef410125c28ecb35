# SPDX-License-Identifier: Apache-2.0
"""`ompd catch`: ordinary breakpoints of GDB at what all OpenMP events of a kind pass."""

import gdb

from . import session
from .command import Command, one_of

# OpenMP 6.0, chapter 42.4, has places for three; for the others it is what compilers call (runtime/abi).
_PLACES = {
    "parallel": (("ompd_bp_parallel_begin",), ("ompd_bp_parallel_end",)),
    "task": (("ompd_bp_task_begin",), ("ompd_bp_task_end",)),
    "thread": (("ompd_bp_thread_begin",), ("ompd_bp_thread_end",)),
    "barrier": (("__kmpc_barrier", "__kmpc_cancel_barrier", "GOMP_barrier", "GOMP_barrier_cancel", "GOMP_loop_end",
                 "GOMP_sections_end"), None),
    "critical": (("__kmpc_critical", "__kmpc_critical_with_hint", "GOMP_critical_start", "GOMP_critical_name_start"),
                 ("__kmpc_end_critical", "GOMP_critical_end", "GOMP_critical_name_end")),
    "lock": (("omp_set_lock", "omp_set_nest_lock", "omp_set_lock_", "omp_set_nest_lock_"),
             ("omp_unset_lock", "omp_unset_nest_lock", "omp_unset_lock_", "omp_unset_nest_lock_")),
}


class Catch(Command):
    """Stop at OpenMP events of a kind.

Usage: ompd catch KIND [begin | end] [if CONDITION]

KIND is parallel, task, thread, barrier, critical or lock.  What is made are
breakpoints, which "info breakpoints" lists and "delete" removes; before the
OpenMP runtime is loaded they are pending.  Without begin or end it is begin; a
barrier has no end.  A barrier is one that the program's code comes to: that at
the end of a region is "parallel end".

CONDITION is evaluated in the runtime, where the program's local variables are
not in scope; $ompd_thread_num () and the like are.

  ompd catch parallel if $ompd_level () == 1
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
        end = 0
        if word in ("begin", "end"):
            end, rest = int(word == "end"), after.strip()
        if rest and not rest.startswith(("if ", "if(")):
            raise gdb.GdbError("ompd catch %s does not take \"%s\". %s." % (kind, rest, self.usage()))
        places = _PLACES[kind][end]
        if places is None:
            raise gdb.GdbError("The end of a %s cannot be caught: use \"ompd catch %s\" and \"finish\"." % (kind, kind))
        for place in places:
            gdb.execute("with breakpoint pending on -- break -qualified -function %s%s"
                        % (place, " " + rest if rest else ""))

    def candidates(self, words):
        if not words:
            return list(_PLACES)
        if len(words) == 1:
            return ["begin", "end", "if"] if _PLACES.get(words[0], (None, None))[1] else ["begin", "if"]
        return ["if"] if len(words) == 2 and words[1] in ("begin", "end") else ()


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
