# SPDX-License-Identifier: Apache-2.0
"""The `ompd` commands that list. Each asks the session for a view and writes it; none runs the program or moves the
selection."""

import contextlib

import gdb

from . import command, errors, library, session
from .command import Command, show
from .model import Model, selected_region, selected_task

_TASK_STATES = ("created", "blocked", "ready", "running", "suspended", "completing", "detached", "cancelled")
_SCOPES = ("global", "address_space", "thread", "parallel", "implicit_task", "task", "teams", "target")


class Ompd(gdb.Command):
    """Ask about the OpenMP threads, regions and tasks of the program.

The program may run under GDB, be attached to, be remote, or be a core file.
Nothing has to be initialised.  No lister lets the program run or selects
another thread or frame.  "info openmp" is another name for the listers."""

    name = "ompd"

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)

    @errors.guarded
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if argument:
            raise gdb.GdbError("Undefined %s command: \"%s\".  Try \"help %s\"."
                               % (self.name, argument.split()[0], self.name))
        gdb.execute("help " + self.name, from_tty)


class InfoOpenmp(Ompd):
    """List the OpenMP threads, regions, tasks and waits of the program.

The same as the ompd commands of these names."""

    name = "info openmp"


class Threads(Command):
    """List the threads with what OpenMP knows of each.

Usage: ompd threads [-all] [-json]

One row for each thread of the process: GDB's number, the OpenMP thread number
and team, the region, the state, and for a waiting thread what it waits for and
who holds it.  An asterisk marks the selected thread.  In a process of more
than 32 threads, equal ones share a row.

  -all    A row for each thread.
  -json   Print the list as JSON."""

    word = "threads"
    options = {"-all": None, "-json": None}

    def run(self, options, arguments):
        show(library.THREADS, library.VIEW_THREADS, options)


class Parallel(Command):
    """Show the tree of OpenMP parallel regions of the whole process.

Usage: ompd parallel [-tree | -ancestors] [-all] [-json]

Each region with its nesting level, team and place in the program, below the
region that encloses it.  An asterisk marks the region of the selected thread.

  -tree        The whole tree; this is what is shown anyway.
  -ancestors   Only the selected thread's region and those around it, from the
               innermost.
  -all         A line for each member of a team.
  -json        Print the regions as JSON."""

    word = "parallel"
    options = {"-tree": None, "-ancestors": None, "-all": None, "-json": None}

    def run(self, options, arguments):
        want = library.THREADS | library.REGIONS
        if "-ancestors" not in options:
            show(want, library.VIEW_PARALLEL, options)
            return
        if "-tree" in options:
            raise gdb.GdbError("-tree and -ancestors exclude each other. %s." % self.usage())
        model = Model()
        model.write(model.ancestors(selected_region(model)), "regions", model.region_line, options)


class Tasks(Command):
    """Show the tree of OpenMP tasks of the whole process, also those that no thread runs yet.

Usage: ompd tasks [-tree | -ancestors] [-all] [-json] [-state STATE]

Each task with its state, function and place in the program, below the task
that created it, and the tasks it depends on.

  -tree          The whole tree; this is what is shown anyway.
  -ancestors     Only the selected thread's task and those that created it, from
                 the innermost.
  -all           A row for each member of a team.
  -json          Print the tasks as JSON.
  -state STATE   Only tasks that are created, blocked, ready, running,
                 suspended, completing, detached or cancelled."""

    word = "tasks"
    options = {"-tree": None, "-ancestors": None, "-all": None, "-json": None, "-state": _TASK_STATES}

    def run(self, options, arguments):
        want = library.THREADS | library.REGIONS | library.TASKS
        if "-ancestors" not in options:
            show(want, library.VIEW_TASKS, options, filter=options.get("-state"))
            return
        if "-tree" in options:
            raise gdb.GdbError("-tree and -ancestors exclude each other. %s." % self.usage())
        model = Model()
        chain = model.creators(selected_task(model))
        state = options.get("-state")
        model.write([task for task in chain if state in (None, task["state"])], "tasks", model.task_line, options)


class Waits(Command):
    """Tell who waits for whom, and whether the program can go on.

Usage: ompd waits [-all] [-json]

First the verdict on the OpenMP program: a deadlock, threads that wait
for ever for one that has ended, no deadlock, or what is not certain.  Then
each wait with its owner.

  -all    A row for each thread.
  -json   Print verdict and edges as JSON."""

    word = "waits"
    options = {"-all": None, "-json": None}

    def run(self, options, arguments):
        show(library.ALL, library.VIEW_WAITS, options)


class Icvs(Command):
    """Show the OpenMP internal control variables, as the selected thread has them.

Usage: ompd icvs [-json] [-scope SCOPE] [NAME]

NAME is that of one variable, "nthreads-var" or "nthreads".

  -json          Print the variables as JSON.
  -scope SCOPE   Only variables of the scope global, address_space, thread,
                 parallel, implicit_task, task, teams or target."""

    word = "icvs"
    options = {"-json": None, "-scope": _SCOPES}
    arguments = 1

    def run(self, options, arguments):
        show(library.THREADS | library.ICVS, library.VIEW_ICVS, options, scope=options.get("-scope"),
             filter=arguments[0] if arguments else None)

    def candidates(self, words):
        with contextlib.suppress(gdb.GdbError):
            found = session.current().document(library.THREADS | library.ICVS, library.VIEW_ICVS)
            return sorted({icv["name"] for icv in found["icvs"]})
        return ()


class Stacks(Command):
    """Show the call stacks as the program's author thinks of them, equal ones together.

Usage: ompd stacks [-all] [-frames] [-json]

An OpenMP worker's stack goes on in the stack of the thread that created its
region.

  -all      A stack for each thread.
  -frames   The frames of the runtime and the system too.
  -json     Print the stacks as JSON."""

    word = "stacks"
    options = {"-all": None, "-frames": None, "-json": None}

    def run(self, options, arguments):
        show(library.ALL | library.STACKS, library.VIEW_STACKS, options)


class Report(Command):
    """Print all that is known of the program's OpenMP state.

Usage: ompd report [-all] [-json]

Threads, regions, tasks, waits, stacks, internal control variables, and whether
the program can go on.

  -all    A row for each thread.
  -json   Print one JSON document, schema 1."""

    word = "report"
    options = {"-all": None, "-json": None}

    def run(self, options, arguments):
        show(library.ALL | library.STACKS, library.VIEW_REPORT, options)


class Status(Command):
    """Tell which OpenMP runtime the program has, and what can be known of it.

Usage: ompd status [-json] [-stats]

The runtime with its version, the OMPD library in use, what is and what is not
available, and why.

  -json    Print it as JSON.
  -stats   Also how many symbols were looked up and how much memory was read
           since the program started."""

    word = "status"
    options = {"-json": None, "-stats": None}

    def run(self, options, arguments):
        show(session.current().has(library.THREADS), library.VIEW_STATUS, options, stats=int("-stats" in options))


class Init(Command):
    """Do nothing: OpenMP needs no initialisation here.

Usage: ompd init

Other OpenMP extensions of GDB want this first, so the word is kept."""

    word = "init"

    def run(self, options, arguments):
        command.write("Nothing to initialise: the ompd commands work as soon as the program runs.")


LISTERS = (Threads, Parallel, Tasks, Waits, Icvs, Stacks, Report, Status)


def register():
    """Registers the commands."""
    Ompd()
    InfoOpenmp()
    for lister in LISTERS:
        lister()
        lister("info openmp")
    Init()
