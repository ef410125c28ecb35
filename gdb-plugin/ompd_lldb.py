# SPDX-License-Identifier: Apache-2.0
"""OpenMP in lldb: `command script import ompd_lldb.py`, then `ompd threads` and so on, on a live process or a core.

A host of libompdinspect (inspect/host.h) over lldb's Python API; the library's binding is the GDB extension's. A snapshot is
taken for each command and nothing is kept, so there is nothing to invalidate. Nothing here runs the process or selects a
thread.
"""

import os
import shlex
import socket
import sys

import lldb

# A link to this file may stand anywhere; the package stands beside the file or beside the link.
for _folder in (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.realpath(__file__))):
    if os.path.isdir(os.path.join(_folder, "ompd_gdb")) and _folder not in sys.path:
        sys.path.insert(0, _folder)

from ompd_gdb import library  # noqa: E402  (found by the lines above)
from ompd_gdb.sentence import sentence  # noqa: E402

# Word -> what of the process it needs, its view, and its first line of help.
_ALL = library.ALL
_VIEWS = {
    "threads": (library.THREADS, library.VIEW_THREADS, "the threads with what OpenMP knows of each"),
    "parallel": (library.THREADS | library.REGIONS, library.VIEW_PARALLEL, "the tree of parallel regions"),
    "tasks": (library.THREADS | library.REGIONS | library.TASKS, library.VIEW_TASKS, "the tree of tasks"),
    "waits": (_ALL, library.VIEW_WAITS, "who waits for whom, and whether the program can go on"),
    "icvs": (library.THREADS | library.ICVS, library.VIEW_ICVS, "the internal control variables"),
    "stacks": (_ALL | library.STACKS, library.VIEW_STACKS, "the stacks as the program's author thinks of them"),
    "report": (_ALL | library.STACKS, library.VIEW_REPORT, "all that is known"),
    "status": (library.THREADS, library.VIEW_STATUS, "which runtime and library were found"),
}
_USAGE = "Usage: ompd %s [-all] [-json]" % " | ".join(_VIEWS)
# As in GDB: more threads are grouped where they are equal.
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
        self._kept = {}  # callback -> the strings that it has given away last
        self.error = None
        self.struct = lib.Host(library.HOST_VERSION, lib.ctypes.sizeof(lib.Host), None)
        for name, kind in lib.callbacks.items():
            # lldb's Python API finds no thread-local variable of another thread's by name. What lies in the heap has none.
            if name not in ("lookup_tls", "object_from"):
                setattr(self.struct, name, kind(self._guarded(name, getattr(self, name))))

    def _guarded(self, name, function):
        """An exception would hand C a random number: it is kept, and raised when C has returned."""
        def call(_ctx, *arguments):
            if self.error is None:
                try:
                    return function(*arguments)
                except BaseException as error:
                    self.error = error
            return library.HOST_FAILED if name != "print" else None
        return call

    def _keep(self, callback, *texts):
        """The texts as C sees them, kept until the same callback is called again."""
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
        return None if base == lldb.LLDB_INVALID_ADDRESS else (base, _bytes(_path(module.GetFileSpec())) or b"")

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
        # glibc's pthread_t is the thread pointer; lldb has no handle.
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
        """struct insp_place; 1 when nothing is known."""
        symbol, line = context.GetSymbol(), context.GetLineEntry()
        start = symbol.GetStartAddress().GetLoadAddress(self._target) if symbol.IsValid() else addr
        name = name or (symbol.GetName() if symbol.IsValid() else None)
        file = _path(line.GetFileSpec()) if line.IsValid() else None
        row.symbol, row.file, row.module = self._keep(callback, name, file, _path(address.GetModule().GetFileSpec()))
        row.offset, row.line = addr - start, line.GetLine() if file else 0
        return 0 if name or file else 1

    def _register(self, thread, name):
        found = thread.GetFrameAtIndex(0).FindRegister(name)
        return found.GetValueAsUnsigned() if found.IsValid() else None

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
        frame = thread.GetFrameAtIndex(index) if index < _FRAMES_MAX else None
        # As GDB does, no further than main.
        beyond = index and thread.GetFrameAtIndex(index - 1).GetFunctionName() == "main"
        if frame is None or not frame.IsValid() or beyond:
            return 1
        ret[0].pc = frame.GetPC()
        self._fill("frame", ret[0].place, frame.GetPCAddress(),
                   frame.GetSymbolContext(lldb.eSymbolContextEverything), frame.GetPC(), frame.GetFunctionName())
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
        raise _failed(lib, why, "The OpenMP library could not be opened.")
    snapshot = None
    try:
        snapshot = lib.take(handle, want, lib.ctypes.byref(why))
        if host.error is not None:
            raise host.error
        if not snapshot:
            raise _failed(lib, why, "No snapshot could be taken.")
        chosen = lib.RenderOptions(lib.ctypes.sizeof(lib.RenderOptions), view)
        for name, value in options.items():
            setattr(chosen, name, value)
        text = lib.render(snapshot, lib.ctypes.byref(chosen), lib.ctypes.byref(why))
        if not text:
            raise _failed(lib, why, "The answer could not be written.")
        return lib.take_string(text)
    finally:
        if snapshot:
            lib.free(snapshot)
        lib.close(handle)


def _stopped(context):
    """The process of the command, which must stand still."""
    process = context.GetProcess()
    if process.IsValid() and process.GetState() in (lldb.eStateRunning, lldb.eStateStepping):
        raise library.Error("The program runs: interrupt it with \"process interrupt\" first.")
    if not process.IsValid() or process.GetState() not in (lldb.eStateStopped, lldb.eStateCrashed, lldb.eStateSuspended):
        raise library.Error("The program is not being run: start it with \"run\", attach to a process, or open a core file.")
    return process


def _run(debugger, line, context):
    words_of_it = shlex.split(line)
    word = words_of_it.pop(0) if words_of_it else ""
    found = [word] if word in _VIEWS else [one for one in _VIEWS if word and one.startswith(word)]
    unknown = [one for one in words_of_it if one not in ("-all", "-json")]
    if len(found) != 1 or unknown:
        raise library.Error("ompd does not take \"%s\". %s." % (unknown[0] if len(found) == 1 else word, _USAGE))
    process = _stopped(context)
    want, view, _ = _VIEWS[found[0]]
    as_json = "-json" in words_of_it
    few = process.GetNumThreads() <= _EACH_UP_TO and view != library.VIEW_STACKS
    return _answer(process, want, view, format=library.JSON if as_json else library.TEXT,
                   width=0 if as_json else debugger.GetTerminalWidth(), expand=int(few or "-all" in words_of_it),
                   colour=int(not as_json and debugger.GetUseColor() and sys.stdout.isatty()))


class Ompd:
    """The command; lldb makes one object of it."""

    def __init__(self, debugger, _dictionary):
        self._debugger = debugger

    def __call__(self, debugger, line, context, result):
        try:
            text = _run(debugger, line, context)
            result.AppendMessage(text.rstrip("\n"))
        except KeyboardInterrupt:
            result.SetError("Quit")
        except BaseException as error:
            known = isinstance(error, (library.Error, ValueError))
            result.SetError(library.printable(sentence(error if known else "the OpenMP extension itself failed (%s: %s)"
                                                             % (type(error).__name__, error))))

    def get_short_help(self):
        return "Ask about the OpenMP threads, regions and tasks of the program."

    def get_long_help(self):
        return "%s\n\n%s\n\n  -all    A row for each thread.\n  -json   Print JSON, schema 1.\n" % (
            _USAGE, "\n".join("  %-9s %s" % (word, text) for word, (_, _, text) in _VIEWS.items()))


def __lldb_init_module(debugger, _dictionary):
    debugger.HandleCommand("command script add -o -c %s.Ompd ompd" % __name__)
