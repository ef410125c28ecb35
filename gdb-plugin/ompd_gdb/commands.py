# SPDX-License-Identifier: Apache-2.0
"""The `ompd` commands. Each asks the session for a view and writes it; none runs the program or moves the selection."""

import contextlib
import json
import os

import gdb

from . import errors, library, session

_TASK_STATES = ("created", "blocked", "ready", "running", "suspended", "completing", "detached", "cancelled")
_SCOPES = ("global", "address_space", "thread", "parallel", "implicit_task", "task", "teams", "target")


def _one_of(words, given):
    """The entry of WORDS that GIVEN is or begins, without doubt; None."""
    if given in words:
        return given
    found = [word for word in words if word.startswith(given)]
    return found[0] if len(found) == 1 else None


class _Command(gdb.Command):
    """What the subcommands share: options, completion, errors as sentences."""

    word = ""
    options = {}  # name -> None for a flag, or the words its value may be
    arguments = 0  # how many words without a dash

    def __init__(self):
        super().__init__("ompd " + self.word, gdb.COMMAND_STATUS)

    def run(self, options, arguments):
        raise NotImplementedError

    @errors.guarded
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        self.run(*self._parsed(argument))

    def _usage(self):
        return next(line for line in self.__doc__.splitlines() if line.startswith("Usage: "))

    def _parsed(self, argument):
        options, arguments = {}, []
        words = gdb.string_to_argv(argument)
        while words:
            word = words.pop(0)
            if not word.startswith("-") or word == "-":
                arguments.append(word)
                continue
            name = _one_of(list(self.options), "-" + word.lstrip("-"))
            if name is None:
                raise gdb.GdbError("ompd %s has no option %s. %s." % (self.word, word, self._usage()))
            if self.options[name] is None:
                options[name] = True
                continue
            if not words:
                raise gdb.GdbError("Option %s needs one of: %s." % (name, ", ".join(self.options[name])))
            given = words.pop(0)
            options[name] = _one_of(self.options[name], given)
            if options[name] is None:
                raise gdb.GdbError("Option %s cannot be \"%s\"; it is one of: %s."
                                   % (name, given, ", ".join(self.options[name])))
        if len(arguments) > self.arguments:
            raise gdb.GdbError("ompd %s does not take \"%s\". %s."
                               % (self.word, arguments[self.arguments], self._usage()))
        return options, arguments

    def candidates(self):
        """Words that may stand where an argument without a dash is expected."""
        return ()

    @errors.silent([])
    def complete(self, text, word):
        if word is None:  # GDB only asks where the word begins
            return []
        before, _, token = text.rpartition(" ")
        words = before.split()
        if words and self.options.get(words[-1]) is not None:
            found = self.options[words[-1]]
        elif token.startswith("-"):
            found = [name for name in self.options if name not in words]
        else:
            found = self.candidates()
        # "-" and "." end a word for GDB, so only what follows the last of them is handed back.
        done = len(token) - len(word)
        return [candidate[done:] for candidate in found if candidate.startswith(token)]


def _on_terminal():
    try:
        return os.isatty(1)
    except OSError:
        return False


def _show(want, view, options, **more):
    as_json = "-json" in options
    colour = not as_json and bool(gdb.parameter("style enabled")) and _on_terminal()
    current = session.current()
    text = current.render(want, view, format=library.JSON if as_json else library.TEXT,
                          width=gdb.parameter("width") or 0, colour=int(colour), **more)
    gdb.write(text if text.endswith("\n") or not text else text + "\n")


class Ompd(gdb.Command):
    """Ask about the OpenMP threads, regions and tasks of the program.

The program may run under GDB, be attached to, be remote, or be a core file.
Nothing has to be initialised, and no command lets the program run or selects
another thread or frame."""

    def __init__(self):
        super().__init__("ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_COMMAND, True)

    @errors.guarded
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if argument:
            raise gdb.GdbError("Undefined ompd command: \"%s\".  Try \"help ompd\"." % argument.split()[0])
        gdb.execute("help ompd", from_tty)


class Threads(_Command):
    """List the threads with what OpenMP knows of each.

Usage: ompd threads [-json]

One row for each thread of the process: GDB's number, the OpenMP thread number
and team, the region, the state, and for a waiting thread what it waits for and
who holds it.  An asterisk marks the selected thread.

  -json   Print the list as JSON."""

    word = "threads"
    options = {"-json": None}

    def run(self, options, arguments):
        _show(library.THREADS, library.VIEW_THREADS, options)


class Parallel(_Command):
    """Show the tree of OpenMP parallel regions of the whole process.

Usage: ompd parallel [-json]

Each region with its nesting level, team and place in the program, below the
region that encloses it.  An asterisk marks the region of the selected thread.

  -json   Print the regions as JSON."""

    word = "parallel"
    options = {"-json": None}

    def run(self, options, arguments):
        _show(library.THREADS | library.REGIONS, library.VIEW_PARALLEL, options)


class Tasks(_Command):
    """Show the tree of OpenMP tasks of the whole process, also those that no thread runs yet.

Usage: ompd tasks [-json] [-state STATE]

Each task with its state, function and place in the program, below the task
that created it, and the tasks it depends on.

  -json          Print the tasks as JSON.
  -state STATE   Only tasks that are created, blocked, ready, running,
                 suspended, completing, detached or cancelled."""

    word = "tasks"
    options = {"-json": None, "-state": _TASK_STATES}

    def run(self, options, arguments):
        _show(library.THREADS | library.REGIONS | library.TASKS, library.VIEW_TASKS, options,
              filter=options.get("-state"))


class Icvs(_Command):
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
        _show(library.THREADS | library.ICVS, library.VIEW_ICVS, options, scope=options.get("-scope"),
              filter=arguments[0] if arguments else None)

    def candidates(self):
        with contextlib.suppress(gdb.GdbError):
            text = session.current().render(library.THREADS | library.ICVS, library.VIEW_ICVS, format=library.JSON)
            return sorted({icv["name"] for icv in json.loads(text)["icvs"]})
        return ()


class Report(_Command):
    """Print all that is known of the program's OpenMP state.

Usage: ompd report [-json]

Threads, regions, tasks, internal control variables, and whether the program
can go on.

  -json   Print one JSON document, schema 1."""

    word = "report"
    options = {"-json": None}

    def run(self, options, arguments):
        _show(library.ALL, library.VIEW_REPORT, options)


class Status(_Command):
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
        _show(session.current().has(library.THREADS), library.VIEW_STATUS, options, stats=int("-stats" in options))


class Init(_Command):
    """Do nothing: OpenMP needs no initialisation here.

Usage: ompd init

Other OpenMP extensions of GDB want this first, so the word is kept."""

    word = "init"

    def run(self, options, arguments):
        gdb.write("Nothing to initialise: the ompd commands work as soon as the program runs.\n")


def register():
    """Registers the commands."""
    for command in (Ompd, Threads, Parallel, Tasks, Icvs, Report, Status, Init):
        command()
