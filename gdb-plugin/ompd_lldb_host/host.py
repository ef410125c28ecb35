# SPDX-License-Identifier: Apache-2.0
"""struct insp_host over lldb's Python API: one process, as inspect sees it.

lldb's Python functions do not raise errors. They return an object that is not valid, or 0 and an error beside
it; both are checked, as a register that is not available is not 0.
"""

import itertools
import socket
import sys

import lldb

from ompd_common import library
from . import names, types, variables
from .kernel import Kernel
from .objects import Objects
from .registers import KEPT, ORIG_RAX, RIP, USER

_FRAMES_MAX = 1024


class Host(Kernel, Objects):
    """The callbacks by their names in host.h."""

    def __init__(self, lib, process):
        self._lib = lib
        self._process = process
        self._target = process.GetTarget()
        self._threads = list(process)
        self._by_lwp = {thread.GetThreadID(): thread for thread in self._threads}
        self._modules = [row for row in map(self._module, self._target.module_iter()) if row is not None]
        self._kept = {}  # callback -> the strings that its last call returned
        self._texts = {}  # those of names, for the snapshot
        self._types = types.Types()
        self._variables = variables.Variables(self._target, self._types)
        self._regions = None
        self._local = not self._is_core() and self._target.GetPlatform().GetName() == "host"
        self._strings = None  # the environment
        self._noted = None  # LWP -> registers, of a core
        self._stacks = {}  # LWP -> its frames but for inlined ones
        self._same = {}  # address of a file's build-id -> _is_same()
        self.error = None
        self.struct = lib.Host(library.HOST_VERSION, lib.ctypes.sizeof(lib.Host), None)
        for name, kind in lib.callbacks.items():
            # What is not offered here stays NULL. lookup_tls: lldb's Python API cannot look up a thread-local
            # variable in a given thread.
            if hasattr(self, name):
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
        self._kept[callback] = [names.encoded(text) for text in texts]
        return self._kept[callback]

    def _is_core(self):
        return self._process.GetPluginName() == "elf-core"

    def process(self, pid, exe, core, hostname, signo, crashed_lwp):
        pid[0] = self._process.GetProcessID()
        exe[0], core[0], hostname[0] = self._keep(
            "process", names.path(self._target.GetExecutable()), self._core() if self._is_core() else None,
            None if self._is_core() else socket.gethostname())
        signo[0], crashed_lwp[0] = self._death() if self._is_core() else (0, 0)
        return 0

    def _core(self):
        """The core's file, which lldb tells from version 18 on."""
        file = self._process.GetCoreFile() if hasattr(self._process, "GetCoreFile") else None
        return file is not None and names.path(file) or "core"

    def _death(self):
        for thread in self._threads:
            if thread.GetStopReason() == lldb.eStopReasonSignal and thread.GetStopReasonDataCount():
                return thread.GetStopReasonDataAtIndex(0), thread.GetThreadID()
        return 0, 0

    def _module(self, module):
        base = module.GetObjectFileHeaderAddress().GetLoadAddress(self._target)
        if base == lldb.LLDB_INVALID_ADDRESS:
            return None
        return base, names.encoded(names.path(module.GetFileSpec())) or b""

    def module(self, index, ret):
        if index >= len(self._modules):
            return 1
        ret[0].base, ret[0].path = self._modules[index]
        return 0

    def read(self, addr, buf, size):
        error = lldb.SBError()
        data = self._process.ReadMemory(addr, size, error)
        if not error.Success() or data is None:
            data = self._from_file(addr, size) if self._is_core() else None
        if data is None or len(data) != size:
            return -1
        self._lib.ctypes.memmove(buf, data, size)
        return 0

    def _from_file(self, addr, size):
        """Code and constants, which a core leaves out: the file has them if it is still the same; else
        None."""
        at = self._target.ResolveLoadAddress(addr)
        section, offset = at.GetSection(), at.GetOffset()
        if not section.IsValid() or section.GetPermissions() & lldb.ePermissionsWritable or \
                not 0 < size <= section.GetFileByteSize() - offset or not self._is_same(at.GetModule()):
            return None
        return self._content(section, offset, size)

    def _content(self, section, offset, size):
        """Bytes of a section of a file; None."""
        error = lldb.SBError()
        data = section.GetSectionData(offset, size).ReadRawData(error, 0, size)
        return data if error.Success() else None

    def _is_same(self, module):
        """Whether a module's file is the one that the process had: the core has the build-id."""
        section = module.FindSection(".note.gnu.build-id")
        at, size = section.GetLoadAddress(self._target), section.GetFileByteSize()
        if at not in self._same:
            error = lldb.SBError()
            noted = self._process.ReadMemory(at, size, error) if section.IsValid() and size else None
            self._same[at] = noted is not None and error.Success() and \
                noted == self._content(section, 0, size)
        return self._same[at]

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
        name = name or names.symbol_name(symbol)
        start = symbol.GetStartAddress().GetLoadAddress(self._target) if name and symbol.IsValid() else addr
        file = names.source(line.GetFileSpec()) if line.IsValid() else None
        module = names.path(address.GetModule().GetFileSpec())
        row.symbol, row.file, row.module = self._keep(callback, name, file, module)
        row.offset, row.line = addr - start, line.GetLine() if file else 0
        # Of a stripped library it is worth saying which it is.
        return 0 if name or file or module and module != names.path(self._target.GetExecutable()) else 1

    def _register(self, thread, name):
        """A register of the thread's newest frame, or None."""
        return self._frame_register(thread.GetFrameAtIndex(0), name)

    def _frame_register(self, frame, name):
        error = lldb.SBError()
        value = frame.FindRegister(name).GetValueAsUnsigned(error)
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
        # The function whose code it is has the linker's name; an inlined one has none.
        name = frame.GetFunctionName() if frame.IsInlined() else names.symbol_name(frame.GetSymbol())
        if name is None and frame.GetFunction().IsValid():
            name = frame.GetFunctionName()
        self._fill("frame", ret[0].place, frame.GetPCAddress(), context, frame.GetPC(), name)
        ret[0].place.offset = 0
        ret[0].inlined = int(frame.IsInlined())
        return 0

    def registers(self, lwp, values, known):
        thread = self._by_lwp.get(lwp)
        if thread is None or not self._is_x86_64():
            return 1
        found = [self._register(thread, name) if name else None for name in USER]
        call = self._call(lwp)
        if call is not None:
            found[ORIG_RAX] = call[0]
        if found[RIP] is None:
            return 1
        for i, value in enumerate(found):
            values[i] = value or 0
        known[0] = sum(1 << i for i, value in enumerate(found) if value is not None)
        return 0

    def _is_x86_64(self):
        return self._target.GetTriple().startswith("x86_64")

    def frame_registers(self, lwp, index, ret):
        if lwp not in self._stacks:
            thread = self._by_lwp.get(lwp)
            self._stacks[lwp] = self._real_frames(thread) if thread is not None and self._is_x86_64() else []
        frames = self._stacks[lwp]
        if index >= len(frames):
            return 1 if frames else -1
        frame, row = frames[index], ret[0]
        row.pc, row.sp = frame.GetPC(), frame.GetSP()
        row.known = 1 << RIP | 1 << USER.index("rsp")
        for name in KEPT:
            value = self._frame_register(frame, name)
            setattr(row, name, value or 0)
            row.known |= (value is not None) << USER.index(name)
        # The C library's name for what a signal's handler returns to.
        row.exact = int(index == 0 or names.symbol_name(frames[index - 1].GetSymbol()) == "__restore_rt")
        return 0

    def _real_frames(self, thread):
        """The frames that are no inlined ones. Behind one whose code cannot be read lldb guesses."""
        found = []
        for frame in itertools.islice(thread, _FRAMES_MAX):
            if not frame.IsValid() or frame.GetPC() == lldb.LLDB_INVALID_ADDRESS:
                break
            if not frame.IsInlined():
                found.append(frame)
                if not self._has_code(frame.GetPC()):
                    break
        return found

    def _has_code(self, pc):
        error = lldb.SBError()
        data = self._process.ReadMemory(pc, 1, error)
        return error.Success() and bool(data) or self._is_core() and self._from_file(pc, 1) is not None

    def print(self, text):
        sys.stderr.write(text.decode(errors="replace"))
