# SPDX-License-Identifier: Apache-2.0
"""The ctypes binding of libompdinspect (inspect/host.h, inspect/inspect.h), and the search for the libraries.

Loading ctypes takes GDB some 15 ms, so it is loaded with the library at the first command. ompd_lldb.py uses
this file too, so it works without the gdb module.
"""

import os

from . import messages
from .sentence import sentence

try:
    from gdb import GdbError as Error
except ImportError:  # another debugger
    class Error(Exception):
        """An error that the user sees as one sentence."""

INSPECT = "libompdinspect.so.1"
OMPD = "libompd.so.1"

HOST_VERSION = 1
HOST_FAILED = -1000

THREADS, REGIONS, TASKS, ICVS = 1, 2, 4, 8
ALL = 15
STACKS, MOVING, ACTIVITY, UNNAMED, LOCALS, PLACEMENT, LOOPS = 16, 32, 64, 128, 256, 512, 1024
(VIEW_THREADS, VIEW_PARALLEL, VIEW_TASKS, VIEW_ICVS, VIEW_REPORT, VIEW_STATUS, VIEW_WAITS,
 VIEW_STACKS, VIEW_LOOPS) = range(9)
# View -> its number, and what a snapshot contains for it. Regions and tasks tell whose function the body of a
# construct is.
VIEWS = {
    "threads": (VIEW_THREADS, THREADS | REGIONS | TASKS | ACTIVITY),
    "parallel": (VIEW_PARALLEL, THREADS | REGIONS | ACTIVITY),
    "tasks": (VIEW_TASKS, THREADS | REGIONS | TASKS | ACTIVITY),
    "waits": (VIEW_WAITS, ALL | ACTIVITY),
    "icvs": (VIEW_ICVS, THREADS | ICVS),
    "stacks": (VIEW_STACKS, ALL | STACKS),
    "report": (VIEW_REPORT, ALL | STACKS | LOOPS),
    "status": (VIEW_STATUS, THREADS),
    "loops": (VIEW_LOOPS, THREADS | REGIONS | TASKS | ACTIVITY | LOOPS),
}
TEXT, JSON, DOT, HTML, FOLDED = range(5)
# GDB's names of the registers of struct insp_frame_registers, the members, and bits of ompdx_register_t.
KEPT = {"rip": ("pc", 16), "rsp": ("sp", 19), "rbp": ("rbp", 4), "rbx": ("rbx", 5), "r12": ("r12", 3),
        "r13": ("r13", 2), "r14": ("r14", 1), "r15": ("r15", 0)}

CODE_UNKNOWN, CODE_USER, CODE_OPENMP, CODE_LIBC, CODE_MPI, CODE_CXX, CODE_SYSTEM = range(7)
SCOPE_UNIT, SCOPE_FRAME = range(2)
# Members of struct insp_host of which names of objects are made.
OBJECTS = ("region", "data", "variable_at", "unit", "variable", "type", "field", "array")

# DWARF number -> GDB's and lldb's name: psABI x86-64, figure 3.36.
REGISTERS = dict(enumerate("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()))
REGISTERS.update({58: "fs_base", 59: "gs_base"})

_library = None


def _folders():
    """(folder of inspect, folder of ompd) where the libraries may be, in the order of preference."""
    chosen = os.environ.get("OMPD_LIBDIR")
    if chosen:
        yield chosen, chosen
        return
    here = os.path.dirname(os.path.abspath(__file__))
    for package in dict.fromkeys((here, os.path.realpath(here))):
        share = os.path.dirname(package)
        if os.path.basename(os.path.dirname(share)) == "share":
            prefix = os.path.dirname(os.path.dirname(share))
            for name in ("lib", "lib64", "lib/ompd"):
                folder = os.path.join(prefix, name)
                yield folder, folder
            # Debian's multiarch folder.
            multiarch = os.path.join(prefix, "lib", os.uname().machine + "-linux-gnu")
            yield multiarch, multiarch
        tree = os.path.dirname(share)  # the source tree, or a test's runfiles
        for root in (tree, os.path.join(tree, ".bazel", "bin")):
            yield os.path.join(root, "inspect"), os.path.join(root, "ompd")


def locate():
    """The paths of (libompdinspect, libompd); Error if one is missing."""
    tried = []
    for inspect, ompd in _folders():
        paths = os.path.join(inspect, INSPECT), os.path.join(ompd, OMPD)
        if all(os.path.isfile(path) for path in paths):
            return paths
        tried.append(inspect)
    if os.environ.get("OMPD_LIBDIR"):
        raise Error(messages.LIBDIR_INCOMPLETE % (tried[0], INSPECT, OMPD))
    raise Error(messages.LIBRARIES_NOT_FOUND % (INSPECT, OMPD, ", ".join(dict.fromkeys(tried))))


class Library:
    """The loaded library, with its structures and functions as attributes."""

    def __init__(self, inspect, ompd):
        import ctypes

        self.ctypes = ctypes
        self.path, self.ompd = inspect, ompd
        p, i32, i64, u32, u64, s = (ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint32,
                                    ctypes.c_uint64, ctypes.c_char_p)
        ref = ctypes.POINTER

        class Module(ctypes.Structure):
            _fields_ = [("base", u64), ("path", s)]

        class Thread(ctypes.Structure):
            _fields_ = [("lwp", i64), ("pthread", u64), ("gdb_num", i32), ("is_current", i32),
                        ("running", i32)]

        class Place(ctypes.Structure):
            _fields_ = [("symbol", s), ("offset", u64), ("file", s), ("line", i32), ("module", s)]

        class Frame(ctypes.Structure):
            _fields_ = [("pc", u64), ("place", Place), ("inlined", i32), ("declared", s)]

        class FrameRegisters(ctypes.Structure):
            _fields_ = [(name, u64) for name in "pc sp known rbx rbp r12 r13 r14 r15".split()] + \
                [("exact", i32)]

        class SystemCall(ctypes.Structure):
            _fields_ = [("machine", i32), ("number", i64), ("arg", u64 * 6), ("result", i64), ("inside", i32)]

        class Kernel(ctypes.Structure):
            _fields_ = [("state", ctypes.c_char), ("cpu_ns", u64), ("processor", i32),
                        ("target_tid", i64), ("realtime", i64), ("monotonic", i64)]

        class Viewer(ctypes.Structure):
            _fields_ = [("lwp", i64), ("pc", u64)]

        class Region(ctypes.Structure):
            _fields_ = [("start", u64), ("end", u64), ("memory", i32), ("lwp", i64)]

        class Mapping(ctypes.Structure):
            _fields_ = [("start", u64), ("end", u64), ("mapped", i32), ("access", i32), ("path", s)]

        class Signal(ctypes.Structure):
            _fields_ = [("lwp", i64), ("number", i32), ("known", i32), ("code", i32), ("address", u64)]

        class Variable(ctypes.Structure):
            _fields_ = [("name", s), ("function", s), ("symbol", s), ("file", s), ("line", i32),
                        ("type", u64), ("address", u64), ("is_value", i32), ("depth", i32)]

        class Local(ctypes.Structure):
            _fields_ = [("name", s), ("type", s), ("value", s), ("why", s), ("argument", i32),
                        ("depth", i32)]

        class Dimension(ctypes.Structure):
            _fields_ = [("lower", i64), ("count", u64)]

        class Type(ctypes.Structure):
            _fields_ = [("kind", i32), ("fortran", i32), ("name", s), ("size", u64), ("target", u64),
                        ("described", i32), ("dimensions", u32), ("dimension", Dimension * 16)]

        class Field(ctypes.Structure):
            _fields_ = [("name", s), ("type", u64), ("offset", u64), ("bit_size", u32), ("base", i32)]

        class Object(ctypes.Structure):
            _fields_ = [("kind", i32), ("text", s), ("function", s), ("type", s), ("file", s), ("line", i32),
                        ("lwp", i64)]

        def function(*arguments):
            return ctypes.CFUNCTYPE(ctypes.c_int, p, *arguments)

        # Member of struct insp_host -> its type, in the order of the header.
        self.callbacks = {
            "process": function(ref(i64), ref(s), ref(s), ref(s), ref(i32), ref(i64)),
            "module": function(u32, ref(Module)),
            "read": function(u64, p, u64),
            "thread": function(u32, ref(Thread)),
            "lookup": function(s, s, ref(u64)),
            "lookup_tls": function(i64, s, s, ref(u64)),
            "place": function(u64, ref(Place)),
            "reg": function(i64, u32, ref(u64)),
            "progress": function(s, u64, u64),
            "print": ctypes.CFUNCTYPE(None, p, s),
            "frame": function(i64, u32, ref(Frame)),
            "region": function(u64, ref(Region)),
            "data": function(u32, ref(u64), ref(u64), ref(s)),
            "variable_at": function(u64, u32, ref(Variable)),
            "unit": function(u64, ref(u64)),
            "variable": function(ctypes.c_int, u64, u32, u32, ref(Variable)),
            "type": function(u64, ref(Type)),
            "field": function(u64, u32, ref(Field)),
            "array": function(u64, u64, ref(Type), ref(u64)),
            "system_call": function(i64, ref(SystemCall)),
            "kernel": function(i64, ref(Kernel)),
            "descriptor": function(i32, ref(s)),
            "task": function(i64, ref(i64), ref(i32)),
            "environment": function(u32, ref(s)),
            "registers": function(i64, ref(u64), ref(u64)),
            "frame_registers": function(i64, u32, ref(FrameRegisters)),
            "mapping": function(u64, ref(Mapping)),
            "signal": function(ref(Signal)),
            "allowed": function(i64, ref(s)),
            "local": function(i64, u32, u32, ref(Local)),
            "origin": function(ref(i32), ref(i64)),
            "own_line": function(u64, u64, s, ref(s), ref(i32)),
        }

        class Host(ctypes.Structure):
            _fields_ = [("version", u32), ("size", u32), ("ctx", p)]
            for name, kind in self.callbacks.items():
                # Some members no debugger fills.
                _fields_ += [("unused", p * 2)] * (name == "region") + [("identity", p)] * (name == "local")
                _fields_ += [("opened", p)] * (name == "origin") + [("reads", p)] * (name == "own_line")
                _fields_ += [(name, kind)]

        class RenderOptions(ctypes.Structure):
            _fields_ = [("size", u32), ("view", i32), ("format", i32), ("width", i32), ("colour", i32),
                        ("stats", i32), ("addresses", i32), ("filter", s), ("scope", s),
                        ("expand", i32), ("frames", i32), ("svg_tree", s), ("svg_waits", s),
                        ("verbose", i32), ("locals", i32)]

        self.FrameRegisters, self.Read = FrameRegisters, ctypes.CFUNCTYPE(ctypes.c_int, p, u64, p, u64)
        self.Host, self.RenderOptions, self.Viewer, self.Object = Host, RenderOptions, Viewer, Object
        self.Type = Type
        try:
            lib = ctypes.CDLL(inspect)
            # A returned string is a plain pointer here, as it has to be freed.
            for name, result, arguments in (
                    ("insp_open", p, (ref(Host), s, ref(p))),
                    ("insp_close", None, (p,)),
                    ("insp_take", p, (p, ctypes.c_uint, ref(p))),
                    ("insp_free", None, (p,)),
                    ("insp_render", p, (p, ref(RenderOptions), ref(p))),
                    ("insp_string_free", None, (p,)),
                    ("insp_printable", p, (s,)),
                    ("insp_function", p, (s,)),
                    ("insp_svg", p, (s, ref(p))),
                    ("insp_record", p, (p, ref(p))),
                    ("insp_name", ctypes.c_int, (p, u64, ref(Viewer), u32, ref(Object))),
                    ("insp_thread_value", i64, (p, i64, s)),
                    ("insp_trace", ctypes.c_int, (s, ref(p))),
                    ("insp_code_at", ctypes.c_int, (p, u64, ctypes.c_int)),
                    ("insp_layout_file", ctypes.c_int, (p, s, ref(p))),
                    ("insp_layout_text", ctypes.c_int, (p, s, ctypes.c_size_t, s, ref(p))),
                    ("insp_layout_wanted", ctypes.c_int, (p, u32, ref(u64), ref(s))),
                    ("insp_caller", ctypes.c_int, (p, self.Read, p, ref(FrameRegisters))),
                    ("insp_runtimes", ctypes.c_int, (p,)),
                    ("insp_frame_ranges", ctypes.c_int, (p, ref(u64 * 2), ctypes.c_int)),
                    ("insp_runtime_ranges", ctypes.c_int, (p, ref(u64 * 2), ctypes.c_int))):
                f = getattr(lib, name)
                f.restype, f.argtypes = result, arguments
                setattr(self, name[len("insp_"):], f)
        except (OSError, AttributeError) as error:
            raise Error(messages.LIBRARY_UNUSABLE % (inspect, " ".join(str(error).split()))) from None

    def caller_of(self, handle, memory, newest, registers):
        """The registers {name: value} of a frame's caller in a runtime without a file; None: not known.

        HANDLE is the session's, MEMORY gives the bytes at (address, size) or raises; NEWEST: the thread was
        interrupted at its pc, where else a call returns to.
        """
        def read(_, address, buffer, size):
            try:
                self.ctypes.memmove(buffer, bytes(memory(address, size)), size)
                return 0
            except BaseException as problem:  # pylint: disable=broad-except
                failed.append(problem)
                return -1

        failed = []
        frame = self.FrameRegisters(exact=newest)
        for name, (member, bit) in KEPT.items():
            if name in registers:
                setattr(frame, member, registers[name])
                frame.known |= 1 << bit
        found = self.caller(handle, self.Read(read), None, self.ctypes.byref(frame)) == 0
        if failed and not isinstance(failed[-1], Exception):
            raise failed[-1]  # Ctrl-C
        if not found:
            return None
        return {name: getattr(frame, member) for name, (member, bit) in KEPT.items()
                if frame.known >> bit & 1}

    def start_trace(self, path):
        """Traces the calls of the OMPD library to the file PATH; "" ends the trace."""
        why = self.ctypes.c_void_p()
        if self.trace(os.fsencode(os.path.expanduser(path)), self.ctypes.byref(why)) != 0:
            raise Error(sentence(self.take_string(why.value)) or messages.NOT_TRACED)

    def picture(self, dot):
        """DOT text as SVG, converted by Graphviz."""
        why = self.ctypes.c_void_p()
        text = self.svg(dot.encode(), self.ctypes.byref(why))
        if not text:
            raise Error(sentence(self.take_string(why.value)) or messages.NO_PICTURE)
        return self.take_string(text)

    def show(self, text):
        """TEXT, not from insp_render, as one line that is safe to write to a terminal."""
        return self.take_string(self.printable(text.encode(errors="surrogateescape")))

    def spelled(self, symbol):
        """The user's function that SYMBOL, the linker's name, stands for; None when it does not tell."""
        return self.take_string(self.function(symbol.encode(errors="surrogateescape"))) or None

    def take_string(self, pointer):
        """The text at POINTER, a string of the library that the caller has to free; "" for NULL."""
        if not pointer:
            return ""
        try:
            return self.ctypes.string_at(pointer).decode(errors="replace")
        finally:
            self.string_free(pointer)


def get():
    """The library; the first call loads it."""
    global _library
    if _library is None:
        _library = Library(*locate())
    return _library


def printable(text):
    """TEXT that may contain names of the program, as one line that is safe to write to a terminal."""
    if text.isascii() and text.isprintable():
        return text
    try:
        return get().show(text)
    except Error:  # there is no library
        return "".join(one if one.isprintable() else "?" for one in text)
