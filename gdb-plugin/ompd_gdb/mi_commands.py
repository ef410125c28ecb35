# SPDX-License-Identifier: Apache-2.0
"""MI commands such as -ompd-threads, with the data of "ompd threads -json". They need GDB 13."""

import gdb

from ompd_common import library, messages
from . import errors, print_command, session


def value(given):
    """A JSON value as an MI result: strings, lists and dictionaries. null is left out."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, dict):
        return {_name(key): value(one) for key, one in given.items() if one is not None}
    if isinstance(given, list):
        return [value(one) for one in given if one is not None]
    return given if isinstance(given, int) else str(given)


def _name(key):
    # MI allows letters, digits, - and _; the keys of `unknown` contain dots.
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in key) or "_"


def register():
    """Registers the commands if GDB has MI commands in Python."""
    if not hasattr(gdb, "MICommand"):
        return

    class _Command(gdb.MICommand):
        """One view."""

        def __init__(self, word, want, view):
            super().__init__("-ompd-" + word)
            self._word, self._want, self._view = word, want, view

        @errors.guarded
        def invoke(self, arguments):
            if arguments:
                raise gdb.GdbError(messages.NO_ARGUMENTS % ("-ompd-" + self._word))
            return value(session.current().document(self._want, self._view))

    class _Print(gdb.MICommand):
        """A value, as `ompd print -json` has it."""

        def __init__(self):
            super().__init__("-ompd-print")

        @errors.guarded
        def invoke(self, arguments):
            team = arguments[:1] in (["-team"], ["--team"])
            if len(arguments) != 1 + team:
                raise gdb.GdbError(messages.EXPRESSION_MISSING)
            return value(print_command.document(print_command.needs_stopped(), arguments[team], team))

    _Print()
    for word, (view, want) in library.VIEWS.items():
        _Command(word, want, view)
