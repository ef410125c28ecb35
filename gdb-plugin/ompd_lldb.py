# SPDX-License-Identifier: Apache-2.0
"""OpenMP in lldb, for a live process or a core: `command script import ompd_lldb.py`, then `ompd threads`.

This is a host of libompdinspect (inspect/host.h) over lldb's Python API; it uses the library binding of the
GDB extension. Each command takes a snapshot of its own, so nothing is cached that could become stale. Nothing
here runs the process or selects a thread.

lldb's Python functions do not raise errors. They return an object that is not valid, or 0 and an error beside
it; both are checked here, as a register that is not available is not 0.
"""

import os
import shlex
import socket
import sys

import lldb

# This file may be reached through a link; the package is beside the file or beside the link.
for _folder in (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.realpath(__file__))):
    if os.path.isdir(os.path.join(_folder, "ompd_gdb")) and _folder not in sys.path:
        sys.path.insert(0, _folder)

from ompd_gdb import library, messages  # noqa: E402  (found by the lines above)
from ompd_gdb.sentence import sentence  # noqa: E402

# Word -> the contents of the snapshot, the view, and the help.
_ALL = library.ALL
_VIEWS = {
    "threads": (library.THREADS, library.VIEW_THREADS, "the threads with their OpenMP state"),
    "parallel": (library.THREADS | library.REGIONS, library.VIEW_PARALLEL, "the tree of parallel regions"),
    "tasks": (library.THREADS | library.REGIONS | library.TASKS, library.VIEW_TASKS, "the tree of tasks"),
    "waits": (_ALL, library.VIEW_WAITS, "which thread waits for which, and whether the program can proceed"),
    "icvs": (library.THREADS | library.ICVS, library.VIEW_ICVS, "the internal control variables"),
    "stacks": (_ALL | library.STACKS, library.VIEW_STACKS, "the call stacks as the source code reads"),
    "report": (_ALL | library.STACKS, library.VIEW_REPORT, "everything that is known"),
    "status": (library.THREADS, library.VIEW_STATUS, "the OpenMP runtime and the OMPD library"),
}
_OPTIONS = {"-all": "Show a row for each thread.", "-json": "Print JSON (schema 1)."}
_USAGE = "Usage: ompd %s [-all] [-json]" % " | ".join(_VIEWS)
# As in GDB: if there are more threads, equal ones share a row.
_EACH_UP_TO = 32
_FRAMES_MAX = 1024


def _bytes(text):
    return None if text is None else text.encode(errors="surrogateescape")


def _path(spec):
    return spec.fullpath if spec.IsValid() else None


class Host:
    """The callbacks by their names in host.h."""

    def __init__(self, lib, process):
        self._lib = lib
        self._process = process
        self._target = process.GetTarget()
        self._threads = list(process)
        self._by_lwp = {thread.GetThreadID(): thread for thread in self._threads}
        self._modules = [row for row in map(self._module, self._target.module_iter()) if row is not None]
        self._kept = {}  # callback -> the strings that its last call returned
        self.error = None
        self.struct = lib.Host(library.HOST_VERSION, lib.ctypes.sizeof(lib.Host), None)
        for name, kind in lib.callbacks.items():
            # lldb's Python API cannot look up a thread-local variable in a given thread. Objects are named by
            # `place`.
            if name != "lookup_tls" and name not in library.OBJECTS:
                setattr(self.struct, name, kind(self._guarded(name, getattr(self, name))))

    def _guarded(self, name, function):
        """FUNCTION as a callback. Its exception is raised after C has returned; ctypes would drop it."""
        def call(_ctx, *arguments):
            if self.error is None:
                try:
                    return function(*arguments)
                except BaseException as error:
                    self.error = error
            return library.HOST_FAILED if name != "print" else None
        return call

    def _keep(self, callback, *texts):
        """The texts as C strings, which live until the next call of the same callback."""
        self._kept[callback] = [_bytes(text) for text in texts]
        return self._kept[callback]

    def _is_core(self):
        return self._process.GetPluginName() == "elf-core"

    def process(self, pid, exe, core, hostname, signo, crashed_lwp):
        pid[0] = self._process.GetProcessID()
        # lldb 19 does not say which file a core is.
        exe[0], core[0], hostname[0] = self._keep(
            "process", _path(self._target.GetExecutable()), "core" if self._is_core() else None,
            None if self._is_core() else socket.gethostname())
        signo[0], crashed_lwp[0] = self._death() if self._is_core() else (0, 0)
        return 0

    def _death(self):
        for thread in self._threads:
            if thread.GetStopReason() == lldb.eStopReasonSignal and thread.GetStopReasonDataCount():
                return thread.GetStopReasonDataAtIndex(0), thread.GetThreadID()
        return 0, 0

    def _module(self, module):
        base = module.GetObjectFileHeaderAddress().GetLoadAddress(self._target)
        if base == lldb.LLDB_INVALID_ADDRESS:
            return None
        return base, _bytes(_path(module.GetFileSpec())) or b""

    def module(self, index, ret):
        if index >= len(self._modules):
            return 1
        ret[0].base, ret[0].path = self._modules[index]
        return 0

    def read(self, addr, buf, size):
        error = lldb.SBError()
        data = self._process.ReadMemory(addr, size, error)
        if not error.Success() or data is None or len(data) != size:
            return -1
        self._lib.ctypes.memmove(buf, data, size)
        return 0

    def thread(self, index, ret):
        if index >= len(self._threads):
            return 1
        thread, row = self._threads[index], ret[0]
        row.lwp = thread.GetThreadID()
        # glibc's pthread_t is the thread pointer; lldb does not tell it. 0: not known.
        row.pthread = self._register(thread, "fs_base") or 0
        row.gdb_num = thread.GetIndexID()
        row.is_current = int(thread.GetThreadID() == self._process.GetSelectedThread().GetThreadID())
        row.running = 0
        return 0

    def lookup(self, symbol, module, addr):
        for context in self._target.FindSymbols(symbol.decode(errors="replace")):
            found = context.GetSymbol().GetStartAddress().GetLoadAddress(self._target)
            if found != lldb.LLDB_INVALID_ADDRESS:
                addr[0] = found
                return 0
        return 1

    def place(self, addr, ret):
        context = self._context(addr)
        return self._fill("place", ret[0], context[0], context[1], addr)

    def _context(self, addr):
        found = self._target.ResolveLoadAddress(addr)
        return found, self._target.ResolveSymbolContextForAddress(found, lldb.eSymbolContextEverything)

    def _fill(self, callback, row, address, context, addr, name=None):
        """Fills a struct insp_place; 1 if nothing is known."""
        symbol, line = context.GetSymbol(), context.GetLineEntry()
        start = symbol.GetStartAddress().GetLoadAddress(self._target) if symbol.IsValid() else addr
        name = name or (symbol.GetName() if symbol.IsValid() else None)
        file = _path(line.GetFileSpec()) if line.IsValid() else None
        module = _path(address.GetModule().GetFileSpec())
        row.symbol, row.file, row.module = self._keep(callback, name, file, module)
        row.offset, row.line = addr - start, line.GetLine() if file else 0
        return 0 if name or file else 1

    def _register(self, thread, name):
        """A register of the thread's newest frame, or None."""
        error = lldb.SBError()
        value = thread.GetFrameAtIndex(0).FindRegister(name).GetValueAsUnsigned(error)
        return value if error.Success() else None

    def reg(self, lwp, dwarf_reg, value):
        name, thread = library.REGISTERS.get(dwarf_reg), self._by_lwp.get(lwp)
        found = self._register(thread, name) if name and thread is not None else None
        if found is None:
            return 1
        value[0] = found
        return 0

    def progress(self, what, done, total):
        return 0

    def frame(self, lwp, index, ret):
        thread = self._by_lwp.get(lwp)
        if thread is None:
            return -1
        frame = thread.GetFrameAtIndex(index)
        if not frame.IsValid() or frame.GetPC() == lldb.LLDB_INVALID_ADDRESS:
            return 1 if index else -1
        # As in GDB, a stack ends with main.
        if index >= _FRAMES_MAX or index and thread.GetFrameAtIndex(index - 1).GetFunctionName() == "main":
            return 1
        ret[0].pc = frame.GetPC()
        context = frame.GetSymbolContext(lldb.eSymbolContextEverything)
        name = frame.GetFunctionName()
        self._fill("frame", ret[0].place, frame.GetPCAddress(), context, frame.GetPC(), name)
        ret[0].place.offset = 0
        return 0

    def print(self, text):
        sys.stderr.write(text.decode(errors="replace"))


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
    """(a key of _VIEWS, the options) of the command line; a key may be abbreviated."""
    first, *rest = shlex.split(line) or [""]
    found = [first] if first in _VIEWS else [word for word in _VIEWS if first and word.startswith(first)]
    unexpected = [first] if len(found) != 1 else [word for word in rest if word not in _OPTIONS]
    if unexpected:
        raise library.Error("%s %s." % (messages.UNEXPECTED_ARGUMENT % ("ompd", unexpected[0]), _USAGE))
    return found[0], rest


def _run(debugger, line, context):
    """The output of the command."""
    word, options = _parsed(line)
    process = _stopped(context)
    want, view, _ = _VIEWS[word]
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
        views = "\n".join("  %-9s %s" % (word, text) for word, (_, _, text) in _VIEWS.items())
        options = "\n".join("  %s\n    %s" % row for row in _OPTIONS.items())
        return "%s\n\n%s\n\nOptions:\n%s\n" % (_USAGE, views, options)


def __lldb_init_module(debugger, _dictionary):
    debugger.HandleCommand("command script add -o -c %s.Ompd ompd" % __name__)
