# SPDX-License-Identifier: Apache-2.0
"""struct insp_host over the GDB API: one inferior, as inspect sees it.

Nothing here runs the program, and whatever selects another thread puts the selection back. An exception in a
ctypes callback would hand C a random number, so each is caught, kept in `error` and raised by the command
once C has returned. A Ctrl-C can strike between any two instructions of Python, so also before a callback's
`try`: SIGINT is held back while C runs, and let through inside the `try` of each callback.
"""

import contextlib
import itertools
import os
import re
import signal
import socket
import time

import gdb

from . import available, cli, library, lines, older, origin, parse

_SIGINT = (signal.SIGINT,)
# The function without the wrapper, which makes a set of each old mask: a sixth of the time of a screen.
_sigmask = getattr(signal, "_signal", signal).pthread_sigmask
_IDENTIFIER = re.compile(r"[A-Za-z_.$][A-Za-z0-9_.$]*$")
# signal(7), action "Core". SIGTRAP is left out: it is what gcore writes of a process at a breakpoint.
_FATAL = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGQUIT, signal.SIGSEGV,
          signal.SIGSYS, signal.SIGXCPU, signal.SIGXFSZ)
_EM_X86_64 = 62
_SP = 7, "rsp"  # DWARF's number, and GDB's name
_ARGUMENTS = ("rdi", "rsi", "rdx", "r10", "r8", "r9")
_STOCK = re.compile(rb"lib(gomp|i?omp5?)\b.*\.so")
# As in inspect: a recursion that ran away is told by these.
_FRAMES_MAX = 1024
# Seconds that a Ctrl-C may wait: to let it through and hold it back again takes longer than most callbacks.
_HELD = 0.005


def selection():
    """What the user has selected, for restore()."""
    thread = gdb.selected_thread()
    frame = level = None
    with contextlib.suppress(gdb.error):
        frame = gdb.selected_frame()
        level = older.level(frame)
    return thread, frame, level


def restore(was):
    """Selects again what selection() gave. A Ctrl-C that strikes here is raised when all is as it was."""
    thread, frame, level = was
    interrupted = False
    for _ in range(3):
        try:
            if thread is not None and thread.is_valid():
                thread.switch()
                # Level 0 is what the switch to another thread selects.
                if level or (level == 0 and older.level(gdb.selected_frame())):
                    _select_frame(frame, level)
            break
        except KeyboardInterrupt:
            interrupted = True
            # GDB may have remembered that the stack ends where the interrupt struck.
            gdb.invalidate_cached_frames()
    if interrupted:
        raise KeyboardInterrupt


@contextlib.contextmanager
def kept_selection():
    """Whatever thread and frame the body selects, the user's are selected afterwards."""
    was = selection()
    try:
        yield
    finally:
        restore(was)


def _select_frame(frame, level):
    try:
        frame.select()
        return
    except gdb.error:
        pass  # frames are found again by their id, which fails on a damaged stack: count instead
    with contextlib.suppress(gdb.error):
        found = next((one for one in available.stack() if older.level(one) >= level), None)
        if found is not None:
            found.select()


def _symbol(addr, linkers=False):
    """(name, offset) of what the linker put at ADDR; (None, 0). C++ names are for people; LINKERS: those of
    functions are the linker's."""
    raw = None
    with contextlib.suppress(gdb.error, UnicodeError):
        raw = parse.raw_symbol(older.format_address(addr))
    # `info symbol` takes ".omp_outlined." for a name of Ada's or D's and demangles it, so it is asked for C++
    # only.
    if raw and not raw[0].startswith("_Z") and not (_is_made(raw[0]) if linkers else "(" in raw[0]):
        return raw
    if raw and linkers and _is_made(raw[0]):
        return _linked(addr) or raw[0], raw[1]
    with contextlib.suppress(gdb.error, UnicodeError):
        found = parse.symbol(cli.text("info symbol 0x%x" % addr))
        if found:
            return raw if raw and linkers and "(" in found[0] else found[:2]
    return raw or (None, 0)


def _is_made(name):
    """Whether GDB has made the name, as DWARF has none of the linker's: "main()", "smooth::body"."""
    return "(" in name or "::" in name


def _linked(addr):
    """The linker's symbol at ADDR, as it is; None."""
    with contextlib.suppress(gdb.error, UnicodeError):
        found = parse.symbol(cli.text("with print demangle off -- info symbol 0x%x" % addr))
        return found[0] if found else None
    return None


def _own_number(pid, lwp):
    """The thread's number in the pid namespace that it lives in; 0 unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        with open("/proc/%d/task/%d/status" % (pid, lwp), "rb") as f:
            line = next((line for line in f if line.startswith(b"NSpid:")), b"")
        return int(line.split()[-1])
    return 0


def _said(ask):
    """What ASK returns, as C sees it; None for bytes that are no text in the host's character set."""
    try:
        return _bytes(ask())
    except UnicodeError:
        return None


def _bytes(text):
    return None if text is None else text.encode(errors="surrogateescape")


def _declared(frame):
    """The source file in which the debug information has a frame's function; None where GDB does not tell.
    The symbol of an inlined one has the file of the call, which is that of the function around it."""
    function, inner = frame.function(), frame.newer()
    if frame.type() == gdb.INLINE_FRAME or inner is not None and inner.type() == gdb.INLINE_FRAME:
        function = inner.function() if inner is not None and inner.type() == gdb.INLINE_FRAME else None
    return None if function is None or function.symtab is None else function.symtab.filename


class Host:
    """The callbacks by their names in host.h, and what they answer from: lists made once a stop."""

    def __init__(self, lib, inferior):
        self._lib = lib
        self._memmove = lib.ctypes.memmove
        self._inferior = inferior
        self.error = None
        self._core = None
        # Number of the thread whose breakpoint condition GDB evaluates: it calls that one running still.
        self.stopped = None
        self._handed = {}  # callback -> the strings that it has given away last
        self._shared = {}  # _shares_namespace()
        self._local = False  # memory is read without a connection that may hang
        self._is_core = self._x86_64 = False
        self._was = None  # the user's selection, while frames of other threads are looked at
        self._looked_at = None  # LWP of the thread that is selected for that
        self._walked = None  # (LWP, frames, those behind them) of that thread
        self._held_until = 0  # until then SIGINT may be held back from one callback to the next
        # what was answered since the last begin(); what may differ without being seen is a new object
        self.told = []
        self.struct = lib.Host(library.HOST_VERSION, lib.ctypes.sizeof(lib.Host), None)
        for name, kind in lib.callbacks.items():
            # The structure keeps the trampoline alive.
            setattr(self.struct, name, kind(self._trampoline(name)))
        self.forget(True)

    def forget(self, files):
        """The program has run, or its memory was changed; FILES: it may have mapped some or let some go."""
        if files:
            self._modules = None
            self._places = {}
            self._names = {}
            self._rows = {}
            self._lines = lines.Lines()
            self._absent = None
        self._threads = self._by_lwp = None
        self._calls = {}  # LWP -> _call()
        self._tops = {}  # LWP -> its stack pointer
        self._environment = None
        self._stack = None
        self._regions = None
        self._mappings = None
        self._variables = None
        self._covering = None, ()
        self._locals = None, ()
        self._registers = None

    def begin(self):
        """A snapshot is taken next. Of the same answers inspect makes the same."""
        self.told = []
        connection = older.connection(self._inferior)
        self._local = connection is not None and connection.type in ("native", "core")
        self._is_core = connection is not None and connection.type == "core"
        self._x86_64 = self._is_x86_64()
        self._shared = {}
        self._held_until = 0

    def answers_again(self, told):
        """Whether what was told would be told once more; nothing is asked of the library."""
        if self._modules is None:
            return False
        for one in told:
            if type(one) is list:
                self._threads = self._list_threads()
                same = self._threads == one
            elif type(one) is tuple and type(one[1]) is bytes:
                same = bool(one[1]) and self._memory(one[0], len(one[1])) == one[1]
            else:
                same = one == self._kind()
            if not same:
                return False
        return True

    def forget_threads(self):
        """Another thread was selected."""
        self._threads = self._by_lwp = None

    def _trampoline(self, name):
        listed = "_modules" if name == "module" else "_threads" if name == "thread" else None
        quick = name in ("process", "progress", "read", "system_call", "kernel", "reg", "registers")

        def call(_ctx, *arguments):
            try:
                # Hundreds of calls for a list that is ready: nothing there can take long. A read here and now
                # neither, nor a register.
                if self.error is None and (getattr(self, listed) is not None if listed else
                                           quick and time.monotonic() < self._held_until):
                    return getattr(self, name)(*arguments)
                try:
                    _sigmask(signal.SIG_UNBLOCK, _SIGINT)
                    if self.error is not None:
                        return library.HOST_FAILED
                    return getattr(self, name)(*arguments)
                finally:
                    _sigmask(signal.SIG_BLOCK, _SIGINT)
                    if self._local:
                        self._held_until = time.monotonic() + _HELD
            except BaseException as error:
                if self.error is None:
                    self.error = error
                return library.HOST_FAILED
        if name == "print":  # returns void; ctypes would complain of a number
            return lambda *arguments: call(*arguments) and None
        return call

    @contextlib.contextmanager
    def asking(self):
        """Around each call of the library; raises afterwards what a callback has caught."""
        self.error = None
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGINT)
        try:
            yield
        finally:
            self._walked = self._looked_at = self._stack = None
            try:
                if self._was is not None:
                    was, self._was = self._was, None
                    restore(was)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _hand(self, callback, text):
        """TEXT as C sees it, kept until the next call of the same callback."""
        data = _bytes(text)
        self._handed[callback].append(data)
        return data

    # --- the callbacks
    # -----------------------------------------------------------------------------------------

    def process(self, pid, exe, core, hostname, signo, crashed_lwp):
        self._handed["process"] = []
        told = self._kind()
        kind = told[1]
        pid[0] = self._inferior.pid
        exe[0] = self._hand("process", self._executable())
        core[0] = self._hand("process", self._core_path() if kind == "core" else None)
        hostname[0] = self._hand("process", socket.gethostname() if kind == "native" else None)
        signo[0], crashed_lwp[0] = self._death() if kind == "core" else (0, 0)
        self.told.append(told)
        return 0

    def _kind(self):
        connection = older.connection(self._inferior)
        return self._inferior.pid, connection.type if connection is not None else ""

    def module(self, index, ret):
        if self._modules is None:
            self._modules = [(base, _bytes(path)) for base, path in self._list_modules()]
            self.told.append(object())
        if index >= len(self._modules):
            return 1
        ret[0].base, ret[0].path = self._modules[index]
        return 0

    def read(self, addr, buf, size):
        data = self._memory(addr, size)
        self.told.append((addr, data))
        if len(data) != size:
            return -1
        self._memmove(buf, data, size)
        return 0

    def _memory(self, addr, size):
        # GDB 16 reads zeros from a core at the last bytes of the address space, where nothing is.
        if addr + size >= 2**64:
            return b""
        try:
            data = self._inferior.read_memory(addr, size).tobytes()
        except gdb.MemoryError:
            return b""
        except OverflowError:  # an address that no target has
            return b""
        return b"" if self._is_core and self._reads_zeros(addr, data) else data

    def _reads_zeros(self, addr, data):
        """Whether a part of DATA is not in the core, and in no file that GDB has."""
        if self._absent is None:
            from . import absent
            self._absent = absent.Absent(self._core_path())
        return self._absent.reads_zeros(addr, data) and gdb.current_progspace().solib_name(addr) is None

    def thread(self, index, ret):
        if self._threads is None:
            self._threads = self._list_threads()
        if index == 0:
            self.told.append(self._threads)
        if index >= len(self._threads):
            return 1
        r = ret[0]
        r.lwp, r.pthread, r.gdb_num, r.is_current, r.running = self._threads[index]
        return 0

    def lookup(self, symbol, module, addr):
        self.told.append(object())
        name = symbol.decode(errors="replace")
        value = self._address_of(name) if _IDENTIFIER.match(name) else None
        if value is None:
            return 1
        addr[0] = value
        return 0

    def lookup_tls(self, lwp, symbol, module, addr):
        self.told.append(object())
        name = symbol.decode(errors="replace")
        value = self._address_of(name) if _IDENTIFIER.match(name) and self._look_at(lwp) else None
        if value is None:
            return 1
        addr[0] = value
        return 0

    def place(self, addr, ret):
        place = self._places.get(addr)
        if place is None:
            place = self._places[addr] = self._place(addr)
        symbol, offset, file, line, module = place
        if symbol is None and file is None and module is None:
            return 1
        r = ret[0]
        r.symbol, r.offset, r.file, r.line, r.module = symbol, offset, file, line, module
        return 0

    def reg(self, lwp, dwarf_reg, value):
        self.told.append(object())
        name = library.REGISTERS.get(dwarf_reg)
        found = self._tops.get(lwp) if dwarf_reg == _SP[0] else None
        if found is None:
            if name is None or not self._look_at(lwp):
                return 1
            found = available.register(available.newest(), name)
        if found is None:
            return 1
        value[0] = found
        return 0

    def progress(self, what, done, total):
        return 0  # a Ctrl-C comes as an exception, see the trampoline

    def frame(self, lwp, index, ret):
        self.told.append(object())
        if not self._look_at(lwp):
            return -1
        if self._stack is None or self._stack[0] != lwp:
            newest = available.newest()
            self._stack = lwp, [], self._frame_rows(available.placed(newest))
            # These are asked next, for all threads, and to select a thread twice costs more.
            self._calls[lwp] = self._call(newest)
            self._tops[lwp] = available.register(newest, _SP[1]) if self._x86_64 else None
        _, rows, others = self._stack
        # Who asks what a thread does goes no further than to the program's own code.
        rows.extend(itertools.islice(others, max(0, index + 1 - len(rows))))
        if index >= len(rows):
            return 1 if rows else -1
        r = ret[0]
        p = r.place
        r.pc, p.symbol, p.file, p.line, p.module, r.inlined, r.declared = rows[index]
        p.offset = 0
        return 0

    def system_call(self, lwp, ret):
        self.told.append(object())
        if lwp not in self._calls:
            self._calls[lwp] = self._call(available.newest()) if self._look_at(lwp) else None
        found = self._calls[lwp]
        if not found:
            return -1 if found is None else 1
        r = ret[0]
        r.machine, r.inside = _EM_X86_64, 0
        r.number, r.result, r.arg[:] = found
        return 0

    def _call(self, newest):
        """(number, result, arguments) of a thread's system call; () of none, None where that is not known."""
        number = available.register(newest, "orig_rax") if newest is not None and self._x86_64 else None
        if number is None or number >> 63:
            return None if number is None else ()
        result, *arguments = (available.register(newest, name) for name in ("rax", *_ARGUMENTS))
        if result is None or None in arguments:
            return None
        return number, result - (result >> 63 << 64), tuple(arguments)

    def kernel(self, lwp, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            with open("/proc/%d/task/%d/stat" % (pid, lwp), "rb") as f:
                # The name of the program, in parentheses, may contain any character.
                words = f.read().rpartition(b")")[2].split()
            state, ticks, processor = words[0], int(words[11]) + int(words[12]), int(words[36])
        except (OSError, IndexError, ValueError):
            return 1
        r = ret[0]
        # GDB holds it: what it did before that is not known.
        r.state = b"\0" if state in (b"t", b"T") else state
        r.cpu_ns, r.processor = ticks * (10**9 // os.sysconf("SC_CLK_TCK")), processor
        # In GDB's own namespace it is the LWP, as in a core, which cannot say more.
        r.target_tid = 0 if self._shares_namespace(pid, "pid") else _own_number(pid, lwp)
        r.realtime = time.time_ns()
        r.monotonic = time.monotonic_ns() if self._shares_namespace(pid, "time") else 0
        return 0

    def allowed(self, lwp, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            with open("/proc/%d/task/%d/status" % (pid, lwp), "rb") as f:
                found = next((line.split()[1] for line in f if line.startswith(b"Cpus_allowed_list:")), b"")
        except (OSError, IndexError):
            return 1
        if not found:
            return 1
        self._handed["allowed"] = []
        ret[0] = self._hand("allowed", found.decode(errors="replace"))
        return 0

    def _shares_namespace(self, pid, kind):
        """Whether the process' numbers of threads, or its clocks, are those that GDB has."""
        if kind not in self._shared:
            try:
                self._shared[kind] = os.readlink("/proc/%d/ns/%s" % (pid, kind)) == \
                    os.readlink("/proc/self/ns/" + kind)
            except OSError:
                return False
        return self._shared[kind]

    def descriptor(self, number, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if connection != "native":
            return 1
        try:
            found = os.readlink("/proc/%d/fd/%d" % (pid, number))
        except OSError:
            return 1
        self._handed["descriptor"] = []
        ret[0] = self._hand("descriptor", found)
        return 0

    def task(self, tid, pid, parent):
        self.told.append(object())
        own, connection = self._kind()
        if connection != "native":
            return -1
        if not self._shares_namespace(own, "pid"):
            return -1  # TID is another number here
        try:
            with open("/proc/%d/status" % tid, "rb") as f:
                of = dict(line.split(b":", 1) for line in f.read().splitlines() if b":" in line)
            pid[0] = int(of[b"Tgid"])
            with open("/proc/%d/status" % own, "rb") as f:
                parent[0] = int(b"\nPPid:\t%d\n" % pid[0] in f.read())
        except FileNotFoundError:
            return 1
        except (OSError, KeyError, ValueError):
            return -1
        return 0

    def origin(self, forked, parent):
        # It stays as it is for as long as process() has the same answer.
        pid, connection = self._kind()
        found = origin.origin(pid) if connection == "native" else None
        if found is None:
            return 1
        forked[0], parent[0] = found
        return 0

    def own_line(self, start, addr, declared, file, line):
        found = self._lines.own(start, addr, declared)
        if found is None:
            return 1
        self._handed["own_line"] = []
        file[0], line[0] = self._hand("own_line", found[0].filename), found[1]
        return 0

    def environment(self, index, ret):
        pid, connection = self._kind()
        if connection != "native":
            return -1
        if index == 0 or self._environment is None:
            try:
                with open("/proc/%d/environ" % pid, "rb") as f:
                    self._environment = f.read().split(b"\0")[:-1]
            except OSError:
                return -1
            self.told.append(object())
        if index >= len(self._environment):
            return 1
        ret[0] = self._environment[index]
        return 0

    def registers(self, lwp, values, known):
        self.told.append(object())
        found = self._all_registers().of(lwp)
        if found is None:
            return 1
        data, known[0] = found
        self._memmove(values, data, len(data))
        return 0

    def frame_registers(self, lwp, index, ret):
        self.told.append(object())
        found = self._all_registers().frame(lwp, index)
        if not found:
            return 1 if found is None else -1
        r = ret[0]
        r.pc, r.sp, r.known, r.exact, (r.rbx, r.rbp, r.r12, r.r13, r.r14, r.r15) = found
        return 0

    def mapping(self, addr, ret):
        self.told.append(object())
        pid, connection = self._kind()
        if self._mappings is None:
            from . import crash  # most stops need it never
            self._mappings = crash.living(pid) if connection == "native" else \
                crash.of_core(self._core_path()) if self._is_core else crash.Mappings(())
        if not self._mappings:
            return 1
        self._handed["mapping"] = []
        r = ret[0]
        r.start, r.end, r.mapped, r.access, path = self._mappings.at(addr)
        r.path = self._hand("mapping", path)
        return 0

    def signal(self, ret):
        self.told.append(object())
        from . import crash
        number, lwp = self._death() if self._is_core else (0, 0)
        found = crash.siginfo() if lwp and self._look_at(lwp) else None
        if not self._is_core:
            lwp, found = self._fatal_stop(crash.siginfo)
            number = found[0] if found else 0
        if not number:
            return 1
        r = ret[0]
        r.lwp, r.number = lwp, number
        r.known = int(found is not None and found[0] == number)
        if r.known:
            _, r.code, r.address = found
        return 0

    def _fatal_stop(self, siginfo):
        """(LWP, siginfo) of the thread that has been stopped at a signal which would end the program; (0,
        None) none. The user's thread is asked first, and of a remote target no other one."""
        rows = self._threads if self._threads is not None else self._list_threads()
        for lwp, _, _, current, running in sorted(rows, key=lambda row: -row[3]):
            if running or not (current or self._local) or not self._look_at(lwp):
                continue
            found = siginfo()
            if found is not None and found[0] in _FATAL:
                return lwp, found
        return 0, None

    def _all_registers(self):
        if self._registers is None:
            from . import registers  # a runtime of this project needs them never
            here = self._kind()[1] == "native" and gdb.current_recording() is None
            ours = self._is_x86_64()
            self._registers = registers.Registers(
                self._frame_at if ours else lambda lwp, level: None, self._has_code,
                self._lib.ctypes if ours and here else None)
        return self._registers

    def _has_code(self, pc):
        """Whether GDB has the code at PC."""
        return bool(self._memory(pc, 1))

    # Facts of which names of objects are made. A search asks for thousands, so the user's thread is selected
    # again only when it is over, in asking().

    def region(self, addr, ret):
        self.told.append(object())
        r = ret[0]
        r.start, r.end, r.memory, r.lwp = self._memory_map().at(addr)
        return 0

    def _memory_map(self):
        if self._regions is None:
            from . import regions  # most stops need it never
            self._regions = regions.Regions(self._inferior, self._heap_end, kept_selection)
        return self._regions

    def _program(self):
        """Its variables."""
        if self._variables is None:
            from . import types, variables  # most stops need them never
            self._variables = variables.Variables(types.Types(), _symbol)
        return self._variables

    def _heap_end(self):
        at = self._address_of("__curbrk")
        return int.from_bytes(self._memory(at, 8), "little") if at is not None else 0

    def data(self, index, start, end, module):
        rows = self._memory_map().data()
        if index >= len(rows):
            return 1
        start[0], end[0] = rows[index][:2]
        self._handed["data"] = []
        module[0] = self._hand("data", rows[index][2] or None)
        return 0

    def variable_at(self, addr, index, ret):
        self.told.append(object())
        if not index or self._covering[0] != addr:
            self._covering = addr, self._program().at(addr)
        rows = self._covering[1]
        if index >= len(rows):
            return 1
        rows[index].fill(ret[0])
        return 0

    def unit(self, pc, ret):
        number = self._program().unit(pc)
        if number is None:
            return 1
        ret[0] = number
        return 0

    def variable(self, scope, of, frame, index, ret):
        if scope == library.SCOPE_UNIT:
            row = self._program().of_unit(of, index)
        else:
            found = self._frame_at(of, frame)
            row = self._program().of_frame((of, frame), found, index) if found is not None else None
        if row is None:
            return 1
        row.fill(ret[0])
        return 0

    def local(self, lwp, frame, index, ret):
        self.told.append(object())
        found = self._frame_at(lwp, frame)
        if found is None:
            return 1
        if not index or self._locals[0] != (lwp, frame):
            from . import local_values  # asked for by `ompd stacks -locals` only
            self._locals = (lwp, frame), list(local_values.of_frame(found))
        rows = self._locals[1]
        if index >= len(rows):
            return 1
        r, self._handed["local"] = ret[0], []
        name, kind, value, why, r.argument, r.depth = rows[index]
        r.name, r.type, r.value, r.why = (self._hand("local", text) for text in (name, kind, value, why))
        return 0

    def _look_at(self, lwp):
        """Selects the thread until asking() ends: to select another one, GDB forgets all frames. Whether it
        can be looked at."""
        if self._looked_at == lwp:
            return True
        thread = self._thread_of(lwp)
        # In a condition the thread that stops counts as running, and has registers.
        if thread is None or thread.is_running() and thread.global_num != self.stopped:
            return False
        if self._was is None:
            self._was = selection()
        self._looked_at = self._walked = self._stack = None
        thread.switch()
        self._looked_at = lwp
        return True

    def _frame_at(self, lwp, index):
        """A frame of the thread, which is then selected."""
        if not self._look_at(lwp):
            return None
        if self._walked is None or self._walked[0] != lwp:
            self._walked = lwp, [], available.stack()
        _, found, others = self._walked
        found.extend(itertools.islice(others, max(0, index + 1 - len(found))))
        return found[index] if index < len(found) else None

    def type(self, number, ret):
        return 0 if self._program().types.type(number, ret[0]) else 1

    def field(self, number, index, ret):
        return 0 if self._program().types.field(number, index, ret[0]) else 1

    def array(self, number, addr, ret, start):
        found = self._program().types.array(number, addr, ret[0])
        if found is None:
            return 1
        start[0] = found
        return 0

    def print(self, text):
        gdb.write(text.decode(errors="replace"), gdb.STDERR)

    # --- what they answer from
    # ---------------------------------------------------------------------------------

    def _list_modules(self):
        try:
            found = parse.modules(parse.mappings(cli.text("info proc mappings")))
        except gdb.error:
            found = []  # a remote server or a target without /proc
        if not found:
            exe = self._inferior.progspace.filename
            try:
                found = parse.modules_of_sections(cli.text("info files"), exe)
            except gdb.error:
                found = []
        return found

    def _list_threads(self):
        selected = gdb.selected_thread() if self._was is None else self._was[0]
        current = selected.global_num if selected is not None else None
        rows = []
        without = []
        for thread in sorted(self._inferior.threads(), key=lambda t: t.num):
            if not thread.is_valid() or thread.is_exited():
                continue
            pid, lwp, tid = thread.ptid
            running = thread.is_running() and thread.global_num != self.stopped
            pthread = 0
            try:
                pthread = int.from_bytes(thread.handle(), "little")
            except (gdb.error, RuntimeError):
                if not running:
                    without.append((len(rows), thread))
            rows.append([lwp or tid or pid, pthread, thread.num, int(thread.global_num == current),
                         int(running)])
        if without:
            self._handles_from_registers(rows, without)
        return rows

    def _handles_from_registers(self, rows, without):
        """Without libthread_db (a core whose libc is missing): glibc's pthread_t is the thread pointer."""
        if not self._is_x86_64():
            return
        with kept_selection():
            for index, thread in without:
                thread.switch()
                # A thread without one is matched by its LWP.
                rows[index][1] = available.register(available.newest(), "fs_base") or 0

    def _is_x86_64(self):
        return "x86-64" in self._inferior.architecture().name()

    def _thread_of(self, lwp):
        if self._by_lwp is None:
            self._by_lwp = {}
            for thread in reversed(self._inferior.threads()):
                self._by_lwp[thread.ptid[2]] = self._by_lwp[thread.ptid[1]] = thread
        thread = self._by_lwp.get(lwp)
        return thread if thread is not None and thread.is_valid() else None

    def _frame_rows(self, frames):
        """(pc, function, file, line, module, whether it is inlined) of FRAMES, as GDB unwinds them.

        All of it hangs on the address, and on the order of functions inlined there. Of these GDB may hide
        some at the newest frame; the name tells which one is shown."""
        called, depth = False, 0
        for pc, frame in itertools.islice(frames, _FRAMES_MAX):
            kind = frame.type()
            key = pc, kind, called, depth, None if called else _said(frame.name)
            row = self._rows.get(key)
            if row is None:
                row = self._rows[key] = self._frame_row(frame, called)
            yield row
            if kind == gdb.INLINE_FRAME:
                depth += 1
            else:
                if self._is_core and self._callers_are_guesses(pc):
                    return
                called, depth = kind != gdb.SIGTRAMP_FRAME, 0

    def _callers_are_guesses(self, pc):
        """Whether PC is in an OpenMP runtime without frame pointers, of which GDB has no code."""
        path = next((path for base, path in sorted(self._modules or (), reverse=True) if base <= pc), b"")
        return _STOCK.match(os.path.basename(path)) is not None and not self._has_code(pc)

    def _frame_row(self, frame, called):
        """CALLED: its pc is a return address."""
        pc, sal = available.pc(frame), frame.find_sal()
        file, line = None, 0
        if sal.symtab is not None and sal.line:
            file, line = _said(lambda: sal.symtab.filename), sal.line
        inlined = frame.type() == gdb.INLINE_FRAME
        if frame.type() == gdb.SIGTRAMP_FRAME:
            name = _said(frame.name)
        else:
            name = _said(lambda: self._linker_name(frame, pc - called, inlined))
        return (pc, name, file, line, _said(lambda: gdb.current_progspace().solib_name(pc)), int(inlined),
                _said(lambda: _declared(frame)))

    def _linker_name(self, frame, addr, inlined):
        """The linker's name of a frame's function; of an inlined one, that of the debug information."""
        function = frame.function()
        if inlined:
            return function.linkage_name if function is not None else frame.name()
        if function is None and frame.name() is None:
            return None
        # "main()" and "slow" are DWARF's where the linker has "main" and "slow.constprop.0".
        start = addr
        with contextlib.suppress(gdb.error, RuntimeError, ValueError):
            start = int(function.value().address) & (2**64 - 1) if function is not None else addr
        if start not in self._names:
            name = function.linkage_name if function is not None else frame.name()
            self._names[start] = _linked(start) or name
        return self._names[start]

    def _address_of(self, name):
        try:
            if older.current_language() in ("c", "c++", "asm", "minimal"):
                value = gdb.parse_and_eval("(long)&'%s'" % name)
            else:
                with older.with_parameter("language", "c"):
                    value = gdb.parse_and_eval("(long)&'%s'" % name)
            return int(value) & (2**64 - 1)
        except gdb.error:
            return None

    def _place(self, addr):
        file = module = None
        line = 0
        symbol, offset = _symbol(addr, linkers=True)
        with contextlib.suppress(gdb.error, UnicodeError):
            module = gdb.current_progspace().solib_name(addr)
            symbol = self._lines.inlined(addr, addr - offset) or symbol
            opening = self._lines.opening(addr)
            if opening is not None:
                file, line = opening[0].filename, opening[1]
            else:
                sal = gdb.find_pc_line(addr)
                if sal.symtab is not None:
                    file, line = (sal.symtab.filename, sal.line) if sal.line else (None, 0)
        return _bytes(symbol), offset, _bytes(file), line, _bytes(module)

    def _executable(self):
        name = self._inferior.progspace.filename
        if name:
            return name[len("target:"):] if name.startswith("target:") else name
        # A core without its program: the kernel has noted where the program headers are, and which file that
        # is.
        with contextlib.suppress(gdb.error):
            at = parse.program_headers(cli.text("info auxv"))
            for row in parse.mappings(cli.text("info proc mappings")):
                if at is not None and row.path and row.start <= at < row.end:
                    return row.path
        return None

    def _core_path(self):
        if self._core is None:
            try:
                self._core = parse.core_path(cli.text("info target")) or "core"
            except gdb.error:
                self._core = "core"
        return self._core

    def _death(self):
        """(signal, LWP) by which a core's process ended. $_exitsignal is one for all inferiors of a
        session."""
        signo = gdb.convenience_variable("_exitsignal")
        if signo is None or len([i for i in gdb.inferiors() if i.pid]) > 1 or int(signo) not in _FATAL:
            return 0, 0
        # The kernel writes the thread that got the signal first.
        first = min(self._inferior.threads(), key=lambda t: t.num, default=None)
        return int(signo), (first.ptid[1] or first.ptid[2]) if first is not None else 0
