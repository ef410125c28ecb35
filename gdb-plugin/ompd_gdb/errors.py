# SPDX-License-Identifier: Apache-2.0
"""Failures as the user sees them: one sentence, never a traceback."""

import functools

import gdb

from ompd_common import library, messages
from ompd_common.sentence import sentence


def as_gdb_error(error):
    """ERROR as a gdb.GdbError with one sentence."""
    if isinstance(error, gdb.GdbError):
        text = library.printable(str(error))
        return error if text == str(error) else gdb.GdbError(text)
    if isinstance(error, gdb.error):
        return gdb.GdbError(library.printable(sentence(error)) or messages.GDB_FAILED)
    what = library.printable(sentence("%s: %s" % (type(error).__name__, error)).rstrip("."))
    return gdb.GdbError(messages.INTERNAL_ERROR % what)


def guarded(function):
    """For a command's `invoke`: an exception becomes one sentence, and KeyboardInterrupt GDB's "Quit"."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except KeyboardInterrupt:
            raise KeyboardInterrupt from None
        except BaseException as error:
            raise as_gdb_error(error) from None
    return call


def silent(default):
    """For functions that GDB itself calls (events, completion, unwinding): DEFAULT instead of an error."""
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except KeyboardInterrupt:
                raise KeyboardInterrupt from None
            except BaseException:
                return default
        return call
    return decorate
