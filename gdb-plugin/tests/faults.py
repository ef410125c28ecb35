# SPDX-License-Identifier: Apache-2.0
"""Runs in GDB: makes the k-th call of a host callback raise, for every k, and says what became of it."""

from ompd_common import library
from ompd_gdb import host, session

EXCEPTIONS = (Exception, KeyboardInterrupt, RuntimeError, SystemExit, GeneratorExit, MemoryError)

_count = 0
_at = 0
_what = None


def _wrapped(name, function):
    def call(self, *arguments):
        global _count
        _count += 1
        if _count == _at:
            raise _what("planted in %s" % name)
        return function(self, *arguments)
    return call


def install():
    """Puts the wrapper around each callback."""
    for name in library.get().callbacks:
        setattr(host.Host, name, _wrapped(name, getattr(host.Host, name)))


def sweep(command, say, selection, run, exceptions=EXCEPTIONS, most=None):
    """Says for each exception how many calls there were and what was wrong."""
    global _count, _at, _what
    before = selection()
    _at = 0
    run(command)  # files that are known are not read again
    session._changed()
    _count = 0
    good = run(command)
    calls = _count
    steps = range(1, calls + 1) if most is None or calls <= most else \
        sorted({1 + i * (calls - 1) // (most - 1) for i in range(most)})
    for exception in exceptions:
        wrong = []
        for k in steps:
            session._changed()
            _count, _at, _what = 0, k, exception
            out, error = run(command)
            expected = "Quit" if exception is KeyboardInterrupt else None
            if error is None:
                wrong.append("call %d: no error" % k)
            elif expected is not None and error != expected:
                wrong.append("call %d: %s" % (k, error))
            elif expected is None and ("planted in" not in error or "\n" in error or not error.endswith(".")):
                wrong.append("call %d: no sentence: %s" % (k, error))
            if selection() != before:
                wrong.append("call %d: selected is %s, not %s" % (k, selection(), before))
        say({"exception": exception.__name__, "command": command, "calls": calls, "wrong": wrong})
    _at = 0
    session._changed()
    again = run(command)
    say({"exception": "none", "command": command, "calls": calls,
         "wrong": [] if again[1] is None and good[1] is None else ["error: %s, %s" % (good[1], again[1])]})
