# SPDX-License-Identifier: Apache-2.0
"""What all commands share: options, completion, errors as sentences, and how a view is written."""

import functools
import os
import re

import gdb

from ompd_common import library, messages
from . import errors, older, parameters, selection, session

# Up to this many threads each gets a row of its own; if there are more, equal ones share a row.
EACH_UP_TO = 32


def one_of(words, given):
    """The entry of WORDS that GIVEN is, or is an unambiguous prefix of; else None."""
    if given in words:
        return given
    found = [word for word in words if word.startswith(given)]
    return found[0] if len(found) == 1 else None


class Command(gdb.Command):
    """A subcommand of "ompd", or of another prefix command that it is created for."""

    word = ""
    options = {}  # name -> None for a flag, else the values that the option takes
    arguments = 0  # the number of words without a dash
    rest = False  # after these words the rest of the line is one more argument

    def __init__(self, prefix="ompd"):
        self.name = "%s %s" % (prefix, self.word)
        # GDB takes the help from the object.
        self.__doc__ = self.__doc__.replace("Usage: ompd ", "Usage: %s " % prefix)
        super().__init__(self.name, gdb.COMMAND_STATUS)

    def run(self, options, arguments):
        raise NotImplementedError

    @errors.guarded
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        was = selection.current()
        try:
            self.run(*self.parsed(argument))
        except KeyboardInterrupt:
            # GDB may have cached that a stack ends where the interrupt arrived.
            gdb.invalidate_cached_frames()
            selection.restore(was)
            raise

    def mistake(self, message):
        """The error for a command line that is wrong: MESSAGE and the usage line of the help."""
        usage = next(line for line in self.__doc__.splitlines() if line.startswith("Usage: "))
        return gdb.GdbError("%s %s." % (message, usage))

    def _option(self, word, words, options):
        name = one_of(list(self.options), "-" + word.lstrip("-"))
        if name is None:
            raise self.mistake(messages.NO_OPTION % (self.name, word))
        values = self.options[name]
        if values is None:
            options[name] = True
            return
        if not words:
            raise gdb.GdbError(messages.OPTION_NEEDS_VALUE % (name, ", ".join(values)))
        given = words.pop(0)
        options[name] = one_of(values, given)
        if options[name] is None:
            raise gdb.GdbError(messages.OPTION_VALUE_WRONG % (name, given, ", ".join(values)))

    def parsed(self, argument):
        """({option: value}, [word]) of what the user typed."""
        options, arguments = {}, []
        if self.rest:
            # The line ends with a GDB command, whose quotes are its own.
            while argument and len(arguments) < self.arguments:
                word, _, argument = argument.strip().partition(" ")
                arguments.append(word)
            return options, [word for word in arguments + [argument.strip()] if word]
        words = gdb.string_to_argv(argument)
        while words:
            word = words.pop(0)
            if word.startswith("-") and word != "-":
                self._option(word, words, options)
            else:
                arguments.append(word)
        if len(arguments) > self.arguments:
            raise self.mistake(messages.UNEXPECTED_ARGUMENT % (self.name, arguments[self.arguments]))
        return options, arguments

    def candidates(self, words):
        """The completions of an argument without a dash that follows WORDS."""
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
            found = self.candidates(words)
        # For GDB a word ends at "-" and at ".", so only what follows the last of these is returned.
        done = len(token) - len(word)
        return [candidate[done:] for candidate in found if candidate.startswith(token)]


@functools.lru_cache(maxsize=None)
def for_an_editor():
    """Whether GDB's interpreter is MI or DAP."""
    try:
        with open("/proc/self/cmdline", "rb") as f:
            line = f.read().decode(errors="replace")
    except OSError:
        return False
    return re.search(r"(^|\0)--?i(nterpreter)?[=\0](mi|dap)", line) is not None


def on_terminal():
    """Whether GDB's output goes to a terminal."""
    try:
        return os.isatty(1) and not for_an_editor()
    except OSError:
        return False


def needs_stopped_thread(word):
    """Raises gdb.GdbError unless "ompd WORD" can run the selected thread on."""
    inferior = gdb.selected_inferior()
    if not inferior.pid:
        raise gdb.GdbError(messages.NOT_RUN)
    connection = older.connection(inferior)
    if connection is not None and connection.type == "core":
        raise gdb.GdbError(messages.NEEDS_LIVE_PROCESS % word)
    thread = gdb.selected_thread()
    if thread is None or thread.is_running():
        raise gdb.GdbError(messages.SELECTED_IS_RUNNING)


def write(text):
    """Writes TEXT as lines of GDB's output, which GDB paginates."""
    if text:
        gdb.write(text if text.endswith("\n") else text + "\n")


def coloured():
    """Whether GDB itself would use colours."""
    return bool(gdb.parameter("style enabled")) and on_terminal()


def styled(text, code):
    """TEXT in the SGR colour CODE."""
    return "\x1b[%sm%s\x1b[m" % (code, text)


def style(text, code):
    """TEXT in the SGR colour CODE, where GDB itself would use colours."""
    return styled(text, code) if coloured() else text


def show(want, view, options, **more):
    """Writes a view of the selected process according to the command's options and to `set ompd`."""
    as_json = "-json" in options
    colour = not as_json and coloured()
    few = len(gdb.selected_inferior().threads()) <= EACH_UP_TO and view != library.VIEW_STACKS
    write(session.current().render(
        want, view, format=library.JSON if as_json else library.TEXT, width=parameters.width(),
        colour=int(colour), addresses=int(parameters.ADDRESSES.value), expand=int(few or "-all" in options),
        frames=int(parameters.FRAMES.value == "show" or "-frames" in options), **more))
