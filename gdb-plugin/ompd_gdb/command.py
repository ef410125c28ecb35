# SPDX-License-Identifier: Apache-2.0
"""What all commands share: options, completion, errors as sentences, how a view is written."""

import functools
import os
import re

import gdb

from . import errors, host, library, parameters, session

# Up to so many threads each has a line of its own; more are grouped where they are equal.
EACH_UP_TO = 32


def one_of(words, given):
    """The entry of WORDS that GIVEN is or begins, without doubt; None."""
    if given in words:
        return given
    found = [word for word in words if word.startswith(given)]
    return found[0] if len(found) == 1 else None


class Command(gdb.Command):
    """A command under the prefix "ompd", and under another one too when it is made for it."""

    word = ""
    options = {}  # name -> None for a flag, or the words its value may be
    arguments = 0  # how many words without a dash; the rest of the line when `rest` is set
    rest = False

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
        was = host.selection()
        try:
            self.run(*self.parsed(argument))
        except KeyboardInterrupt:
            # GDB may have remembered that a stack ends where the interrupt struck.
            gdb.invalidate_cached_frames()
            host.restore(was)
            raise

    def usage(self):
        """The help's line, as the end of an error."""
        return next(line for line in self.__doc__.splitlines() if line.startswith("Usage: "))

    def _option(self, word, words, options):
        name = one_of(list(self.options), "-" + word.lstrip("-"))
        if name is None:
            raise gdb.GdbError("%s has no option %s. %s." % (self.name, word, self.usage()))
        if self.options[name] is None:
            options[name] = True
            return
        if not words:
            raise gdb.GdbError("Option %s needs one of: %s." % (name, ", ".join(self.options[name])))
        given = words.pop(0)
        options[name] = one_of(self.options[name], given)
        if options[name] is None:
            raise gdb.GdbError("Option %s cannot be \"%s\"; it is one of: %s."
                               % (name, given, ", ".join(self.options[name])))

    def parsed(self, argument):
        """({option: value}, [word]) of what the user typed."""
        options, arguments = {}, []
        if self.rest:
            # A command of GDB's stands at the end: its quotes are its own.
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
            raise gdb.GdbError("%s does not take \"%s\". %s." % (self.name, arguments[self.arguments], self.usage()))
        return options, arguments

    def candidates(self, words):
        """Words that may stand where an argument without a dash is expected, after WORDS."""
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
        # "-" and "." end a word for GDB, so only what follows the last of them is handed back.
        done = len(token) - len(word)
        return [candidate[done:] for candidate in found if candidate.startswith(token)]


@functools.lru_cache(maxsize=None)
def for_an_editor():
    """True when GDB talks MI or DAP."""
    try:
        with open("/proc/self/cmdline", "rb") as f:
            line = f.read().decode(errors="replace")
    except OSError:
        return False
    return re.search(r"(^|\0)--?i(nterpreter)?[=\0](mi|dap)", line) is not None


def on_terminal():
    """True when what is written is seen by a person."""
    try:
        return os.isatty(1) and not for_an_editor()
    except OSError:
        return False


def write(text):
    """TEXT as lines of GDB's output, which GDB paginates."""
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
    """Writes a view of the selected process, as the options and GDB's settings want it."""
    as_json = "-json" in options
    colour = not as_json and coloured()
    current = session.current()
    few = len(gdb.selected_inferior().threads()) <= EACH_UP_TO and view != library.VIEW_STACKS
    write(current.render(want, view, format=library.JSON if as_json else library.TEXT,
                         width=parameters.width(), colour=int(colour), addresses=int(parameters.ADDRESSES.value),
                         expand=int(few or "-all" in options),
                         frames=int(parameters.FRAMES.value == "show" or "-frames" in options), **more))
