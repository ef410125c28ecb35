# SPDX-License-Identifier: Apache-2.0
"""OpenMP in lldb, for a live process or a core: `command script import ompd_lldb.py`, then `ompd threads`.

This is a host of libompdinspect (inspect/host.h) over lldb's Python API; it uses the library binding of the
GDB extension. Each command takes a snapshot of its own, so nothing is cached that could become stale. Nothing
here runs the process or selects a thread.

lldb's Python functions do not raise errors. They return an object that is not valid, or 0 and an error beside
it; both are checked here, as a register that is not available is not 0.
"""

import bisect
import contextlib
import itertools
import os
import re
import shlex
import socket
import sys
import time

import lldb

# This file may be reached through a link; the package is beside the file or beside the link.
for _folder in (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.realpath(__file__))):
    if os.path.isdir(os.path.join(_folder, "ompd_gdb")) and _folder not in sys.path:
        sys.path.insert(0, _folder)

from ompd_gdb import core_notes, library, messages, origin  # noqa: E402  (found by the lines above)
from ompd_gdb.sentence import sentence  # noqa: E402

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
_FRAMES_MAX = 1024
# Files of OpenMP runtimes.
_RUNTIMES = r"^lib(ompcompanion|gomp|i?omp5?)[.-].*"


def _bytes(text):
    return None if text is None else text.encode(errors="surrogateescape")


def _path(spec):
    return spec.fullpath if spec.IsValid() else None


def _source(spec):
    """A source file. lldb leaves out each ".." with the folder before it, a link like /bin too: of clang's
    "/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include" "/include" is left."""
    path = _path(spec)
    return "/usr" + path if path and path.startswith("/include/") else path


def _symbol_name(symbol):
    """A symbol as the linker has it; None also for one that lldb has made up of a stripped file's unwind
    table ("___lldb_unnamed_symbol42")."""
    if not symbol.IsValid() or symbol.IsSynthetic():
        return None
    return symbol.GetMangledName() or symbol.GetName()


(_OTHER, _INTEGER, _ALIAS, _POINTER, _REFERENCE, _ARRAY, _STRUCT, _UNION) = range(8)
_KINDS = {lldb.eTypeClassTypedef: _ALIAS, lldb.eTypeClassPointer: _POINTER,
          lldb.eTypeClassReference: _REFERENCE, lldb.eTypeClassArray: _ARRAY, lldb.eTypeClassStruct: _STRUCT,
          lldb.eTypeClassClass: _STRUCT, lldb.eTypeClassUnion: _UNION}
_TARGET = {_ALIAS: "GetTypedefedType", _POINTER: "GetPointeeType", _REFERENCE: "GetDereferencedType",
           _ARRAY: "GetArrayElementType"}
(_NONE, _ANONYMOUS, _FILE, _HEAP, _STACK) = range(5)
_DATA_SYMBOLS = (lldb.eSymbolTypeData, lldb.eSymbolTypeObjectFile, lldb.eSymbolTypeVariable)
# Variables of one name that are looked at.
_ALIKE = 256
# "ns::fn<int>(int) const::count": ns::fn; "fn.count": fn.
_OF_FUNCTION = re.compile(r"([\w:~]+)(?:<.*>)?\(.*\)[ a-z]*::\w+$|(\w+)\.\w+$")
_ANONYMOUS_SCOPE = "(anonymous namespace)::"
_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
# As in corefiles/variables.c.
_COVERING = 64
_EM_X86_64 = 62
_END = 2**64 - 1
# In the order of ompdx_register_t; segments are left out, nobody asks for them.
_USER = ("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi",
         "rdi", None, "rip", None, "rflags", "rsp", None, "fs_base", None, None, None, None, None)
_ORIG_RAX, _RIP = 15, 16
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8", "r9")  # of a system call
_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")


def _address(value):
    """Where a variable lies; None for one that is in a register, for which GetLoadAddress gives its value."""
    at = value.GetLoadAddress()
    return at if at != lldb.LLDB_INVALID_ADDRESS and value.GetLocation() == "0x%016x" % at else None


def _kind(kind):
    what = _KINDS.get(kind.GetTypeClass(), _OTHER)
    return _INTEGER if what == _OTHER and kind.GetTypeFlags() & lldb.eTypeIsInteger else what


def _variable_name(symbol):
    """The last part of "ns::Grid::table", of gcc's "count.0" and clang's "fn.count"."""
    parts = [part for part in symbol.split(".") if not part.isdigit()]
    return parts[-1].rpartition("::")[2] if parts else symbol


class _Types:
    """Types of the program by numbers that are good for one snapshot."""

    def __init__(self):
        self._list = [None]
        self._numbers = {}
        self._members = None, ()

    def number(self, kind):
        key = self._key(kind)
        if key not in self._numbers:
            self._numbers[key] = len(self._list)
            self._list.append(kind)
        return self._numbers[key]

    def _outline(self, member):
        kind = member.GetType()
        return member.GetName(), member.GetOffsetInBits(), kind.GetName(), kind.GetByteSize()

    def _key(self, kind):
        """What tells types apart: lldb does not say whether two of its objects are one type."""
        what = _kind(kind)
        if what in (_STRUCT, _UNION):
            return what, kind.GetName(), kind.GetByteSize(), tuple(map(self._outline, kind.fields))
        if what in _TARGET:
            name = kind.GetName() if what == _ALIAS else None
            return what, name, kind.GetByteSize(), self._key(getattr(kind, _TARGET[what])())
        return what, kind.GetName(), kind.GetByteSize()

    def type(self, number, ret, text):
        kind = self._list[number]
        ret.kind = what = _kind(kind)
        # What lldb writes for the others is no name.
        named = what not in (_POINTER, _REFERENCE, _ARRAY) and not kind.IsAnonymousType()
        ret.name = text(kind.GetUnqualifiedType().GetName() if named else None)
        ret.size = kind.GetByteSize()
        if what in _TARGET:
            target = getattr(kind, _TARGET[what])()
            ret.target = self.number(target)
            if what == _ARRAY:
                ret.dimensions = 1
                ret.dimension[0].lower = 0
                ret.dimension[0].count = ret.size // target.GetByteSize() if target.GetByteSize() else 0

    def field(self, number, index, ret, text):
        """Whether there is one."""
        if self._members[0] != number:
            kind = self._list[number]
            if kind.GetTypeClass() == lldb.eTypeClassTypedef:
                kind = kind.GetCanonicalType()
            # Virtual bases have no place that is fixed.
            virtual = {member.GetName() for member in kind.vbases}
            self._members = number, [(member, 1) for member in kind.bases
                                     if member.GetName() not in virtual] + [(m, 0) for m in kind.fields]
        if index >= len(self._members[1]):
            return False
        member, base = self._members[1][index]
        ret.name = text(member.GetName() or None)
        ret.type = self.number(member.GetType())
        ret.offset = member.GetOffsetInBits() // 8
        ret.bit_size = member.GetBitfieldSizeInBits() if member.IsBitfield() else 0
        ret.base = base
        return True


class _Memory:
    """What an address lies in."""

    def __init__(self, process, heap_end):
        self._process = process
        self._heap_end = heap_end
        target = process.GetTarget()
        program = target.GetExecutable()
        self.data = []
        for module in target.module_iter():
            path = None if module.GetFileSpec() == program else _path(module.GetFileSpec())
            # lldb has the sections of a file as parts of its segments.
            for section in [one for outer in module.section_iter() for one in (outer, *outer)]:
                start = section.GetLoadAddress(target)
                if section.GetName() in (".data", ".bss") and start != lldb.LLDB_INVALID_ADDRESS:
                    self.data.append((start, start + section.GetByteSize(), path))
        self.data.sort(key=lambda row: row[:2])
        self._stacks = sorted((thread.GetFrameAtIndex(0).GetSP(), thread.GetThreadID()) for thread in process
                              if thread.GetFrameAtIndex(0).IsValid())

    def at(self, addr):
        """(start, end, what, LWP of a stack); None: lldb does not know."""
        region = lldb.SBMemoryRegionInfo()
        if not self._process.GetMemoryRegionInfo(addr, region).Success():
            return None
        start, end, path = region.GetRegionBase(), region.GetRegionEnd(), region.GetName() or ""
        if not region.IsMapped() or not region.IsReadable():
            return start, end, _NONE, 0
        if path.startswith("/"):
            return start, end, _FILE, 0
        at = bisect.bisect_right(self.data, (addr, _END), key=lambda row: row[:2]) - 1
        if at >= 0:
            # The kernel names no file for .bss, and joins it with what is mapped behind it.
            if addr < self.data[at][1]:
                return max(start, self.data[at][0]), min(end, self.data[at][1]), _FILE, 0
            start = max(start, self.data[at][1])
        at = bisect.bisect_right(self._stacks, (addr, _END)) - 1
        if at >= 0 and self._stacks[at][0] >= start:
            return start, end, _STACK, self._stacks[at][1]
        top = self._heap_end()
        heap = path == "[heap]" or not path and addr < top and end - top < 4096
        return start, end, _HEAP if heap else _ANONYMOUS, 0


class _Variables:
    """Variables of the program: of a unit, of a frame, and by address. lldb lists those outside of functions
    for the whole program only; a unit's are those that are declared in its file."""

    def __init__(self, target, kinds):
        self._target, self._kinds = target, kinds
        self._statics = None  # rows by address
        self._files = {}      # source file -> its rows
        self._units = []
        self._frame = None, ()

    def unit(self, file):
        """A number for the unit of a source file."""
        if file not in self._units:
            self._units.append(file)
        return self._units.index(file) + 1

    def _row(self, value, function=None, depth=0):
        """(address, size, name, function, file, line, type, is_value, depth); None where it has no place."""
        kind, address, is_value = value.GetType(), _address(value), 0
        error = lldb.SBError()
        what = _kind(kind.GetCanonicalType())
        if what == _REFERENCE or what == _POINTER and address is None:
            address, is_value = value.GetValueAsUnsigned(error), 1
        if address is None or not error.Success() or not value.GetName():
            return None
        declared, name = value.GetDeclaration(), value.GetName().removeprefix("::")
        if function is None and "(" in name.replace(_ANONYMOUS_SCOPE, ""):  # "fn(int)::count"
            function, _, name = name.rpartition("::")
        return (address, kind.GetByteSize(), name, function or None,
                _source(declared.GetFileSpec()), declared.GetLine(), kind, is_value, depth)

    def _list_statics(self):
        if self._statics is not None:
            return
        found = {}
        for module in self._target.module_iter():
            # The system's libraries have thousands, none of which a program's lock is.
            if (_path(module.GetFileSpec()) or "").startswith(_SYSTEM):
                continue
            symbols = [symbol.GetName() or "" for symbol in module if symbol.GetType() in _DATA_SYMBOLS]
            for value in itertools.chain(self._named(module, symbols), self._of_functions(module, symbols)):
                row = self._row(value)
                if row is not None and not row[7]:
                    found[row[0], row[2]] = row
        self._statics = sorted(found.values(), key=lambda row: row[:2])
        for row in self._statics:
            self._files.setdefault(row[4], []).append(row)

    def _named(self, module, symbols):
        """Variables with the names of SYMBOLS."""
        for name in {_variable_name(symbol) for symbol in symbols}:
            yield from module.FindGlobalVariables(self._target, name, _ALIKE)

    def _of_functions(self, module, symbols):
        """Those of functions, which lldb knows only by the function: "fn(int)::count", clang's "fn.count"."""
        functions = {match.group(1) or match.group(2) for match in map(_OF_FUNCTION.match, symbols) if match}
        for name in functions:
            for context in module.FindFunctions(name, lldb.eFunctionNameTypeAuto):
                blocks = [context.GetFunction().GetBlock()]
                while blocks:
                    block = blocks.pop()
                    if not block.IsValid():
                        continue
                    blocks += block.GetSibling(), block.GetFirstChild()
                    for value in block.GetVariables(self._target, False, False, True):
                        yield value

    def at(self, addr):
        """Rows of the variables that cover ADDR."""
        self._list_statics()
        end = bisect.bisect_right(self._statics, addr, key=lambda row: row[0])
        return [row for row in self._statics[max(0, end - _COVERING):end][::-1]
                if addr < row[0] + max(row[1], 1)]

    def of_unit(self, number, index):
        self._list_statics()
        rows = self._files.get(self._units[number - 1], ()) if 0 < number <= len(self._units) else ()
        return rows[index] if index < len(rows) else None

    def of_frame(self, key, frame, index):
        if self._frame[0] != key:
            self._frame = key, list(self._list_frame(frame))
        return self._frame[1][index] if index < len(self._frame[1]) else None

    def _list_frame(self, frame):
        function = _symbol_name(frame.GetSymbol()) if not frame.IsInlined() else frame.GetFunctionName()
        block, depth = frame.GetBlock(), 0
        while block.IsValid():
            for value in block.GetVariables(frame, True, True, True, lldb.eNoDynamicValues):
                row = self._row(value, function, depth) if value.IsInScope() else None
                if row is not None:
                    yield row
            if block.IsInlined():
                return
            block, depth = block.GetParent(), depth + 1

    def fill(self, row, ret, text):
        """A row into a struct insp_variable."""
        ret.address, _, name, function, file, ret.line, kind, ret.is_value, ret.depth = row
        ret.name, ret.function, ret.file = text(name), text(function), text(file)
        ret.symbol = None
        ret.type = self._kinds.number(kind)


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
        self._texts = {}  # those of names, for the snapshot
        self._types = _Types()
        self._variables = _Variables(self._target, self._types)
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
        self._kept[callback] = [_bytes(text) for text in texts]
        return self._kept[callback]

    def _is_core(self):
        return self._process.GetPluginName() == "elf-core"

    def process(self, pid, exe, core, hostname, signo, crashed_lwp):
        pid[0] = self._process.GetProcessID()
        exe[0], core[0], hostname[0] = self._keep(
            "process", _path(self._target.GetExecutable()), self._core() if self._is_core() else None,
            None if self._is_core() else socket.gethostname())
        signo[0], crashed_lwp[0] = self._death() if self._is_core() else (0, 0)
        return 0

    def _core(self):
        """The core's file, which lldb tells from version 18 on."""
        file = self._process.GetCoreFile() if hasattr(self._process, "GetCoreFile") else None
        return file is not None and _path(file) or "core"

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
        name = name or _symbol_name(symbol)
        start = symbol.GetStartAddress().GetLoadAddress(self._target) if name and symbol.IsValid() else addr
        file = _source(line.GetFileSpec()) if line.IsValid() else None
        module = _path(address.GetModule().GetFileSpec())
        row.symbol, row.file, row.module = self._keep(callback, name, file, module)
        row.offset, row.line = addr - start, line.GetLine() if file else 0
        # Of a stripped library it is worth saying which it is.
        return 0 if name or file or module and module != _path(self._target.GetExecutable()) else 1

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
        name = frame.GetFunctionName() if frame.IsInlined() else _symbol_name(frame.GetSymbol())
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
        found = [self._register(thread, name) if name else None for name in _USER]
        call = self._call(lwp)
        if call is not None:
            found[_ORIG_RAX] = call[0]
        if found[_RIP] is None:
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
        row.known = 1 << _RIP | 1 << _USER.index("rsp")
        for name in _KEPT:
            value = self._frame_register(frame, name)
            setattr(row, name, value or 0)
            row.known |= (value is not None) << _USER.index(name)
        # The C library's name for what a signal's handler returns to.
        row.exact = int(index == 0 or _symbol_name(frames[index - 1].GetSymbol()) == "__restore_rt")
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

    # Facts of which names of objects are made.

    def _text(self, text):
        """TEXT as C sees it, kept for the snapshot."""
        if not text:
            return None
        if text not in self._texts:
            self._texts[text] = _bytes(text)
        return self._texts[text]

    def _memory(self):
        if self._regions is None:
            self._regions = _Memory(self._process, self._heap_end)
        return self._regions

    def _heap_end(self):
        at = self._lib.ctypes.c_uint64()
        if self.lookup(b"__curbrk", None, self._lib.ctypes.pointer(at)):
            return 0
        error = lldb.SBError()
        end = self._process.ReadPointerFromMemory(at.value, error)
        return end if error.Success() else 0

    def region(self, addr, ret):
        found = self._memory().at(addr)
        if found is None:
            return 1
        ret[0].start, ret[0].end, ret[0].memory, ret[0].lwp = found
        return 0

    def data(self, index, start, end, module):
        rows = self._memory().data
        if index >= len(rows):
            return 1
        start[0], end[0], path = rows[index]
        module[0] = self._text(path)
        return 0

    def variable_at(self, addr, index, ret):
        rows = self._variables.at(addr)
        if index >= len(rows):
            return 1
        self._variables.fill(rows[index], ret[0], self._text)
        return 0

    def unit(self, pc, ret):
        unit = self._context(pc)[1].GetCompileUnit()
        if not unit.IsValid():
            return 1
        ret[0] = self._variables.unit(_source(unit.GetFileSpec()))
        return 0

    def variable(self, scope, of, frame, index, ret):
        if scope == library.SCOPE_UNIT:
            row = self._variables.of_unit(of, index)
        else:
            thread = self._by_lwp.get(of)
            found = thread.GetFrameAtIndex(frame) if thread is not None else None
            row = self._variables.of_frame((of, frame), found, index) if found and found.IsValid() else None
        if row is None:
            return 1
        self._variables.fill(row, ret[0], self._text)
        return 0

    def type(self, number, ret):
        self._types.type(number, ret[0], self._text)
        return 0

    def field(self, number, index, ret):
        return 0 if self._types.field(number, index, ret[0], self._text) else 1

    def array(self, number, addr, ret, start):
        return 1  # lldb has no Fortran

    # What the kernel knows.

    def _proc(self, name):
        """What a file of the process in /proc holds; None where there is none to be read."""
        if not self._local:
            return None
        try:
            with open("/proc/%d/%s" % (self._process.GetProcessID(), name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def _shares_namespace(self, kind):
        """Whether the process' own numbers of threads, or its clocks, are those that lldb has."""
        if not self._local:
            return False
        try:
            return os.readlink("/proc/%d/ns/%s" % (self._process.GetProcessID(), kind)) == \
                os.readlink("/proc/self/ns/" + kind)
        except OSError:
            return False

    def _call(self, lwp):
        """(orig_rax, arguments) of a thread, None where that is not known. lldb has no orig_rax; the kernel
        has, of a thread that a debugger has stopped too, and writes it into a core."""
        if not self._is_x86_64():
            return None
        if self._is_core():
            if self._noted is None:
                self._noted = core_notes.registers(self._core())
            row, thread = self._noted.get(lwp), self._by_lwp.get(lwp)
            # Before version 18 it may be another file that is read here.
            if row is None or thread is None or row[_RIP] != self._register(thread, "rip"):
                return None
            return row[_ORIG_RAX], [row[_USER.index(name)] for name in _ARGUMENTS]
        words = (self._proc("task/%d/syscall" % lwp) or b"").split()
        if not words or words == [b"running"]:
            return None
        return int(words[0]) & _END, [int(word, 16) for word in words[1:7]]

    def system_call(self, lwp, ret):
        call, thread = self._call(lwp), self._by_lwp.get(lwp)
        result = self._register(thread, "rax") if thread is not None else None
        if call is None or result is None:
            return -1
        if call[0] >> 63:
            return 1
        row = ret[0]
        row.machine, row.number, row.inside = _EM_X86_64, call[0], 0
        row.arg[:] = call[1]
        row.result = result - (result >> 63 << 64)
        return 0

    def kernel(self, lwp, ret):
        task = "task/%d/" % lwp
        # A program's name may contain any character.
        words = (self._proc(task + "stat") or b"").rpartition(b")")[2].split()
        try:
            state, ticks, processor = words[0], int(words[11]) + int(words[12]), int(words[36])
        except (IndexError, ValueError):
            return 1
        row = ret[0]
        # The debugger has stopped it: what it did before is not known.
        row.state = b"\0" if state in b"tT" else state
        used = ticks * (10**9 // os.sysconf("SC_CLK_TCK"))
        with contextlib.suppress(IndexError, ValueError):
            used = int((self._proc(task + "schedstat") or b"").split()[0]) or used
        row.cpu_ns, row.processor = used & _END, processor
        # In lldb's own namespace it is the LWP.
        row.target_tid = 0 if self._shares_namespace("pid") else self._own_number(task)
        row.realtime = time.time_ns()
        row.monotonic = time.monotonic_ns() if self._shares_namespace("time") else 0
        return 0

    def _own_number(self, task):
        """The thread's number in the pid namespace that it lives in; 0 unknown."""
        found = re.search(rb"^NSpid:.*\s(\d+)$", self._proc(task + "status") or b"", re.MULTILINE)
        return int(found[1]) if found else 0

    def descriptor(self, number, ret):
        if not self._local:
            return 1
        try:
            path = os.readlink("/proc/%d/fd/%d" % (self._process.GetProcessID(), number))
        except OSError:
            return 1
        ret[0], = self._keep("descriptor", path)
        return 0

    def task(self, tid, pid, parent):
        if not self._shares_namespace("pid"):
            return -1  # TID is another number here
        try:
            with open("/proc/%d/status" % tid, "rb") as file:
                of = re.search(rb"^Tgid:\t(\d+)$", file.read(), re.MULTILINE)
        except (FileNotFoundError, ProcessLookupError):  # the second: it ends just now
            return 1
        except OSError:
            return -1
        own = re.search(rb"^PPid:\t(\d+)$", self._proc("status") or b"", re.MULTILINE)
        if not of or not own:
            return -1
        pid[0], parent[0] = int(of[1]), int(of[1] == own[1])
        return 0

    def origin(self, forked, parent):
        found = origin.origin(self._process.GetProcessID()) if self._local else None
        if found is None:
            return 1
        forked[0], parent[0] = found
        return 0

    def environment(self, index, ret):
        if self._strings is None:
            text = self._proc("environ")
            if text is None:
                return -1
            self._strings = text.split(b"\0")[:-1]
        if index >= len(self._strings):
            return 1
        ret[0] = self._strings[index]
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
