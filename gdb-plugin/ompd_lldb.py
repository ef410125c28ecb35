# SPDX-License-Identifier: Apache-2.0
"""OpenMP in lldb, for a live process or a core: `command script import ompd_lldb.py`, then `ompd threads`.

ompd_lldb_host/ is a host of libompdinspect (inspect/host.h) over lldb's Python API; the library's binding
is that of the extension of GDB too. Each command takes a snapshot of its own, so nothing is cached that could
become stale. Nothing here runs the process or selects a thread.
"""

import os
import re
import shlex
import sys

import lldb

# This file may be reached through a link; the package is beside the file or beside the link.
for _folder in (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.realpath(__file__))):
    if os.path.isdir(os.path.join(_folder, "ompd_common")) and _folder not in sys.path:
        sys.path.insert(0, _folder)

from ompd_common import library, messages  # noqa: E402  (found by the lines above)
from ompd_common.sentence import sentence  # noqa: E402
from ompd_lldb_host.host import Host  # noqa: E402

_HELP = {
    "threads": "the threads with their OpenMP state",
    "parallel": "the tree of parallel regions",
    "tasks": "the tree of tasks",
    "loops": "which iterations of a loop each thread has",
    "waits": "which thread waits for which, and whether the program can proceed",
    "icvs": "the internal control variables",
    "stacks": "the call stacks as the source code reads",
    "report": "everything that is known",
    "status": "the OpenMP runtime and the OMPD library",
}
_OPTIONS = {"-all": "Show a row for each thread.", "-json": "Print JSON (schema 1)."}
_USAGE = "Usage: ompd %s [-all] [-json]" % " | ".join(_HELP)
# As in GDB: if there are more threads, equal ones share a row.
_EACH_UP_TO = 32
# Files of OpenMP runtimes.
_RUNTIMES = r"^lib(ompcompanion|gomp|i?omp5?)[.-].*"


def _failed(lib, why, otherwise):
    return library.Error(sentence(lib.take_string(why.value)) or otherwise)


def _answer(process, want, view, **options):
    """The text of a view of the process."""
    lib = library.get()
    host, why = Host(lib, process), lib.ctypes.c_void_p()
    handle = lib.open(lib.ctypes.byref(host.struct), os.fsencode(lib.ompd), lib.ctypes.byref(why))
    if not handle:
        raise _failed(lib, why, messages.NOT_OPENED)
    snapshot = None
    try:
        snapshot = lib.take(handle, want, lib.ctypes.byref(why))
        if host.error is not None:
            raise host.error
        if not snapshot:
            raise _failed(lib, why, messages.NO_SNAPSHOT)
        chosen = lib.RenderOptions(lib.ctypes.sizeof(lib.RenderOptions), view)
        for name, value in options.items():
            setattr(chosen, name, value)
        text = lib.render(snapshot, lib.ctypes.byref(chosen), lib.ctypes.byref(why))
        if not text:
            raise _failed(lib, why, messages.NOT_WRITTEN)
        return lib.take_string(text)
    finally:
        if snapshot:
            lib.free(snapshot)
        lib.close(handle)


def _stopped(context):
    """The process of the command; library.Error unless it is stopped."""
    process = context.GetProcess()
    state = process.GetState() if process.IsValid() else lldb.eStateInvalid
    if state in (lldb.eStateRunning, lldb.eStateStepping):
        raise library.Error(messages.LLDB_PROCESS_RUNS)
    if state not in (lldb.eStateStopped, lldb.eStateCrashed, lldb.eStateSuspended):
        raise library.Error(messages.NOT_RUN)
    return process


def _parsed(line):
    """(a key of _HELP, the options) of the command line; a key may be abbreviated."""
    first, *rest = shlex.split(line) or [""]
    found = [first] if first in _HELP else [word for word in _HELP if first and word.startswith(first)]
    unexpected = [first] if len(found) != 1 else [word for word in rest if word not in _OPTIONS]
    if unexpected:
        raise library.Error("%s %s." % (messages.UNEXPECTED_ARGUMENT % ("ompd", unexpected[0]), _USAGE))
    return found[0], rest


def _run(debugger, line, context):
    """The output of the command."""
    word, options = _parsed(line)
    process = _stopped(context)
    view, want = library.VIEWS[word]
    few = process.GetNumThreads() <= _EACH_UP_TO and view != library.VIEW_STACKS
    expand = int(few or "-all" in options)
    if "-json" in options:
        return _answer(process, want, view, format=library.JSON, expand=expand)
    return _answer(process, want, view, format=library.TEXT, expand=expand, width=debugger.GetTerminalWidth(),
                   colour=int(debugger.GetUseColor() and sys.stdout.isatty()))


class Ompd:
    """The command; lldb creates one object of it."""

    def __init__(self, debugger, _dictionary):
        self._debugger = debugger

    def __call__(self, debugger, line, context, result):
        try:
            result.AppendMessage(_run(debugger, line, context).rstrip("\n"))
        except KeyboardInterrupt:
            result.SetError("Quit")
        except (library.Error, ValueError) as error:  # shlex raises ValueError
            result.SetError(library.printable(sentence(error)))
        except BaseException as error:
            what = sentence("%s: %s" % (type(error).__name__, error)).rstrip(".")
            result.SetError(library.printable(messages.LLDB_INTERNAL_ERROR % what))

    def get_short_help(self):
        return "Show the OpenMP threads, regions and tasks of the program."

    def get_long_help(self):
        views = "\n".join("  %-9s %s" % row for row in _HELP.items())
        options = "\n".join("  %s\n    %s" % row for row in _OPTIONS.items())
        return "%s\n\n%s\n\nOptions:\n%s\n" % (_USAGE, views, options)


class RuntimeFrames:
    """lldb's `bt` leaves out what it is registered for; `bt -u` shows all."""

    def get_recognized_arguments(self, _frame):
        return []

    def should_hide(self, _frame):
        return True


def _hide_runtime_frames(debugger):
    # Before version 20 a recognizer cannot hide a frame. A name is matched by the file that is mapped.
    found = re.search(r"version (\d+)", debugger.GetVersionString())
    if found and int(found[1]) >= 20:
        debugger.HandleCommand("frame recognizer add -f false -l %s.RuntimeFrames -s '%s' -x -n '.*'" %
                               (__name__, _RUNTIMES))


def __lldb_init_module(debugger, _dictionary):
    debugger.HandleCommand("command script add -o -c %s.Ompd ompd" % __name__)
    _hide_runtime_frames(debugger)
