# SPDX-License-Identifier: Apache-2.0
"""What the user is told when something fails: one sentence, never a traceback."""

import functools

import gdb

from . import library
from .sentence import sentence


def as_gdb_error(error):
    """ERROR as a gdb.GdbError with one sentence."""
    if isinstance(error, gdb.GdbError):
        text = library.printable(str(error))
        return error if text == str(error) else gdb.GdbError(text)
    if isinstance(error, gdb.error):
        return gdb.GdbError(library.printable(sentence(error)) or "GDB failed without a reason.")
    what = library.printable(sentence("%s: %s" % (type(error).__name__, error)).rstrip("."))
    return gdb.GdbError("The OpenMP extension itself failed (%s); GDB and the program are as they were." % what)


def guarded(function):
    """For a command's invoke: every exception becomes a sentence, KeyboardInterrupt GDB's Quit."""
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
    """For what GDB calls by itself (events, completion, unwinding): a failure must not reach the screen."""
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
