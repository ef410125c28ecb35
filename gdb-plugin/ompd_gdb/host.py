# SPDX-License-Identifier: Apache-2.0
"""struct insp_host over the GDB API: one inferior, as inspect sees it.

Nothing here runs the program, and whatever selects another thread puts the selection back. An exception in a
ctypes callback would hand C a random number, so each is caught, kept in `error` and raised by the command
once C has returned. A Ctrl-C can strike between any two instructions of Python, so also before a callback's
`try`: SIGINT is held back while C runs, and let through inside the `try` of each callback.
"""

import contextlib
import re
import signal
import socket
import time

import gdb

from ompd_common import library
from . import available, cli, lines, naming, older, parse, selection
from .host_frames import Frames
from .host_kernel import Kernel
from .host_objects import Objects

_SIGINT = (signal.SIGINT,)
# The function without the wrapper, which makes a set of each old mask: a sixth of the time of a screen.
_sigmask = getattr(signal, "_signal", signal).pthread_sigmask
_IDENTIFIER = re.compile(r"[A-Za-z_.$][A-Za-z0-9_.$]*$")
# signal(7), action "Core". SIGTRAP is left out: it is what gcore writes of a process at a breakpoint.
_FATAL = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGQUIT, signal.SIGSEGV,
          signal.SIGSYS, signal.SIGXCPU, signal.SIGXFSZ)
# Seconds that a Ctrl-C may wait: to let it through and hold it back again takes longer than most callbacks.
_HELD = 0.005


class Host(Frames, Kernel, Objects):
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
                    selection.restore(was)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _hand(self, callback, text):
        """TEXT as C sees it, kept until the next call of the same callback."""
        data = naming.encoded(text)
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
            self._modules = [(base, naming.encoded(path)) for base, path in self._list_modules()]
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
            from ompd_common import absent
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

    def progress(self, what, done, total):
        return 0  # a Ctrl-C comes as an exception, see the trampoline

    def own_line(self, start, addr, declared, file, line):
        found = self._lines.own(start, addr, declared)
        if found is None:
            return 1
        self._handed["own_line"] = []
        file[0], line[0] = self._hand("own_line", found[0].filename), found[1]
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
        with selection.kept():
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
        symbol, offset = naming.symbol(addr, linkers=True)
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
        return naming.encoded(symbol), offset, naming.encoded(file), line, naming.encoded(module)

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
