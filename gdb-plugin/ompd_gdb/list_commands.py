# SPDX-License-Identifier: Apache-2.0
"""The `ompd` commands that list threads, regions, tasks and waits. None runs the program."""

import contextlib

import gdb

from ompd_common import library, messages
from . import cli, command, errors, session
from .command import Command, show
from .model import Model, selected_region, selected_task

_TASK_STATES = ("created", "blocked", "ready", "running", "suspended", "completing", "detached", "cancelled")
_SCOPES = ("global", "address_space", "thread", "parallel", "implicit_task", "task", "teams", "target")


class Ompd(gdb.Command):
    """Show the OpenMP threads, regions and tasks of the program.

The program may be a live process, local or remote, or a core file.  Nothing
has to be initialised.  Only "ompd step", "ompd next" and "ompd finish" run the
program.  The commands that list are also subcommands of "info openmp"."""

    name = "ompd"

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)

    @errors.guarded
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if argument:
            raise gdb.GdbError(messages.UNDEFINED_COMMAND % (self.name, argument.split()[0], self.name))
        cli.show("help " + self.name, from_tty)


class InfoOpenmp(Ompd):
    """List the OpenMP threads, regions, tasks and waits of the program.

These are the ompd commands of the same names."""

    name = "info openmp"


class Threads(Command):
    """Display the threads of the process, what each does and its OpenMP state.
Usage: ompd threads [-all] [-json] [-verbose]

Each row shows GDB's thread number, the OpenMP thread number and team, the
region, what the thread does, and where in the program.  For a waiting thread it
also shows what it waits for and which thread holds that.  An asterisk marks the
selected thread.  If the process has more than 32 threads, equal ones share a row.

Options:
  -all
    Show a row for each thread.
  -json
    Print the list as JSON.
  -verbose
    Show also what each thread holds, on which processor it ran last and on
    which it may run, and what is wrong with that."""

    word = "threads"
    options = {"-all": None, "-json": None, "-verbose": None}

    def run(self, options, arguments):
        # Regions and tasks tell whose function the body of a construct is.
        want = library.THREADS | library.REGIONS | library.TASKS | library.ACTIVITY
        verbose = "-verbose" in options
        show(want | library.PLACEMENT if verbose else want, library.VIEW_THREADS, options,
             verbose=int(verbose))


class Parallel(Command):
    """Display the tree of OpenMP parallel regions of the process.
Usage: ompd parallel [-tree | -ancestors] [-all] [-json]

Each region is shown below the one that encloses it, with its nesting level,
its team and its place in the source.  An asterisk marks the region of the
selected thread.

Options:
  -tree
    Show the whole tree.  This is the default.
  -ancestors
    Show only the selected thread's region and those that enclose it,
    innermost first.
  -all
    Show a line for each member of a team.
  -json
    Print the regions as JSON."""

    word = "parallel"
    options = {"-tree": None, "-ancestors": None, "-all": None, "-json": None}

    def run(self, options, arguments):
        want = library.THREADS | library.REGIONS | library.ACTIVITY
        if "-ancestors" not in options:
            show(want, library.VIEW_PARALLEL, options)
            return
        if "-tree" in options:
            raise self.mistake(messages.EXCLUSIVE_OPTIONS)
        model = Model()
        model.write(model.ancestors(selected_region(model)), "regions", model.region_line, options)


class Tasks(Command):
    """Display the tree of OpenMP tasks, including those that no thread executes yet.
Usage: ompd tasks [-tree | -ancestors] [-all] [-json] [-state STATE]

Each task is shown below the task that created it, with its state, its function,
its place in the source, and the tasks it depends on.

Options:
  -tree
    Show the whole tree.  This is the default.
  -ancestors
    Show only the selected thread's task and those that created it,
    innermost first.
  -all
    Show a row for each member of a team.
  -json
    Print the tasks as JSON.
  -state STATE
    Show only tasks in STATE: created, blocked, ready, running, suspended,
    completing, detached or cancelled."""

    word = "tasks"
    options = {"-tree": None, "-ancestors": None, "-all": None, "-json": None, "-state": _TASK_STATES}

    def run(self, options, arguments):
        want = library.THREADS | library.REGIONS | library.TASKS | library.ACTIVITY
        if "-ancestors" not in options:
            show(want, library.VIEW_TASKS, options, filter=options.get("-state"))
            return
        if "-tree" in options:
            raise self.mistake(messages.EXCLUSIVE_OPTIONS)
        model = Model()
        chain = model.creators(selected_task(model))
        state = options.get("-state")
        chain = [task for task in chain if state in (None, task["state"])]
        model.write(chain, "tasks", model.task_line, options)


class Loops(Command):
    """Show which iterations of a loop each thread has, and how many are left.
Usage: ompd loops [-json]

For each loop of each region: its schedule, what is left to be handed out, whose
turn it is in an ordered loop, and for each member of the team the iterations it
has and how many it still gets.  What a static loop gives each thread is in the
compiler's code, so it is known only where clang's debug information tells it.

Options:
  -json
    Print the list as JSON."""

    word = "loops"
    options = {"-json": None}

    def run(self, options, arguments):
        want = library.THREADS | library.REGIONS | library.TASKS | library.ACTIVITY | library.LOOPS
        show(want, library.VIEW_LOOPS, options)


class Waits(Command):
    """Show which thread waits for which, and whether the program can proceed.
Usage: ompd waits [-all] [-json]

The first line is the verdict: a deadlock, threads that wait for one that has
ended, no deadlock, or what is not certain.  The waits follow, each with the
thread that has to go on first.  Threads that OpenMP does not know, and waits
for mutexes and for other threads to end, count as well.

Options:
  -all
    Show a row for each thread.
  -json
    Print the verdict and the waits as JSON."""

    word = "waits"
    options = {"-all": None, "-json": None}

    def run(self, options, arguments):
        show(library.ALL | library.ACTIVITY, library.VIEW_WAITS, options)


class Icvs(Command):
    """Display the OpenMP internal control variables (ICVs) as the selected thread has them.
Usage: ompd icvs [-json] [-scope SCOPE] [NAME]

NAME is the name of one variable, for example "nthreads-var" or "nthreads".

Options:
  -json
    Print the variables as JSON.
  -scope SCOPE
    Show only variables of SCOPE: global, address_space, thread, parallel,
    implicit_task, task, teams or target."""

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
    """Print the call stacks of the program's own code in all threads.
Usage: ompd stacks [-all] [-frames] [-locals] [-json]

Equal stacks are printed once.  The stack of an OpenMP worker continues with that
of the thread that created its region.

Options:
  -all
    Print a stack for each thread.
  -frames
    Include the frames of the OpenMP runtime and of the system.
  -locals
    Print the arguments and local variables of the program's own frames.  Only
    threads in which all of them are equal share a stack then.
  -json
    Print the stacks as JSON."""

    word = "stacks"
    options = {"-all": None, "-frames": None, "-locals": None, "-json": None}

    def run(self, options, arguments):
        want = library.ALL | library.STACKS
        local = "-locals" in options
        show(want | library.LOCALS if local else want, library.VIEW_STACKS, options, locals=int(local))


class Report(Command):
    """Print everything that is known about the threads and OpenMP in the program.
Usage: ompd report [-all] [-json]

The report has the threads, regions, tasks, waits, stacks and internal control
variables, and says whether the program can proceed.

Options:
  -all
    Show a row for each thread.
  -json
    Print one JSON document (schema 1)."""

    word = "report"
    options = {"-all": None, "-json": None}

    def run(self, options, arguments):
        show(library.ALL | library.STACKS | library.LOOPS, library.VIEW_REPORT, options)


class Status(Command):
    """Show which OpenMP runtime the program uses and how much of its state can be read.
Usage: ompd status [-json] [-stats]

This prints the version of the runtime, the OMPD library in use, and what is not
available, with the reason.

Options:
  -json
    Print the status as JSON.
  -stats
    Also show how many symbols were looked up and how much memory was read
    since the program started."""

    word = "status"
    options = {"-json": None, "-stats": None}

    def run(self, options, arguments):
        want = session.current().has(library.THREADS)
        show(want, library.VIEW_STATUS, options, stats=int("-stats" in options))


class Init(Command):
    """Do nothing: the ompd commands need no initialisation.
Usage: ompd init

The command exists because other OpenMP extensions of GDB require it."""

    word = "init"

    def run(self, options, arguments):
        command.write(messages.NOTHING_TO_INITIALISE)


LISTERS = (Threads, Parallel, Tasks, Loops, Waits, Icvs, Stacks, Report, Status)


def register():
    """Registers the commands."""
    Ompd()
    InfoOpenmp()
    for lister in LISTERS:
        lister()
        lister("info openmp")
    Init()
