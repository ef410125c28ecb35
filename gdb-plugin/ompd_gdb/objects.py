# SPDX-License-Identifier: Apache-2.0
"""The name of a lock that is no global variable: a function's own, or what variables lead to, or where it
lies.

Variables are those that the functions see which wait for the lock or hold it: first the global ones of their
compilation units, then their own, inner functions first, as in corefiles/pointed.c.
"""

import bisect
import contextlib

import gdb

from . import available, elsewhere, parse, pointers, reach

# Functions of one thread, variables of one function, and stacks gone through for one stop.
_FRAMES, _LOCALS, _WALKS = 64, 256, 512
_FORTRAN = (".f90", ".f95", ".f03", ".f08", ".f", ".for")
# No variable of the system's libraries leads to a lock of the program's.
_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "[")
_FIXED = (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_UNRESOLVED)
_ERRORS = (gdb.error, gdb.MemoryError, RuntimeError, ValueError)


def _physical():
    """The selected thread's frames, each with those inlined into it before it."""
    group = []
    for frame in available.stack():
        group.append(frame)
        if frame.type() != gdb.INLINE_FRAME:
            yield group
            group = []


def _fortran(frame):
    """Who has compiled the function, if it is one of Fortran; else ""."""
    function = frame.function()
    return _compiler(function.symtab) if function is not None else ""


def _compiler(unit):
    if unit is None or not unit.filename.lower().endswith(_FORTRAN):
        return ""
    return getattr(unit, "producer", None) or "unknown"  # since GDB 12


def _add(search, symbol, value, descriptor=None):
    """A variable with what GDB knows of it: where it lies, or what it holds; for an array that is described,
    where."""
    kind, _ = pointers.strip(value.type)
    if descriptor:
        search.add(symbol.print_name, symbol.type, None, descriptor)
    elif kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        search.add(symbol.print_name, value.type, None, int(value.referenced_value().address))
    elif value.address is not None:
        search.add(symbol.print_name, value.type, int(value.address))
    elif pointers.is_pointer(kind):
        search.add(symbol.print_name, value.type, None, int(value))


class Objects:
    """Answers for one stop of the program."""

    def __init__(self, inferior, read, address_of, symbol_of):
        self._inferior = inferior
        self._read = read
        self._address_of = address_of
        self._symbol_of = symbol_of
        self._units = {}
        self._left, self._walks = reach.ALL_READS, _WALKS
        self._regions = self._sections = self._stacks = self._others = None

    def name(self, addr, threads):
        """The expression, or where it lies in parentheses; None. It selects threads.

        THREADS: gdb threads, each with the return address of its innermost frame that counts, 0 for all.
        """
        start, end, path = self._region(addr)
        if not end or path.startswith("/") or self._is_files(addr):
            return None
        owner = self._owner(addr, start, end)
        if owner is not None:
            owner.switch()
            with contextlib.suppress(*_ERRORS):
                return self._through(addr, 0,
                                     self._own) or "(on the stack of LWP %d)" % (owner.ptid[1]
                                                                                 or owner.ptid[2])
            return None
        heap = path == "[heap]" or not path and self._ends_heap(addr, end)
        return self._pointed(addr, threads) or ("(in the heap)" if heap else "(in allocated memory)")

    def _region(self, addr):
        if self._regions is None:
            self._regions = []
            for table in ("info proc mappings", "info files"):
                with contextlib.suppress(gdb.error):
                    self._regions += parse.regions(gdb.execute(table, to_string=True))
            self._regions.sort()
        at = bisect.bisect_right(self._regions, (addr, 2**64, "")) - 1
        row = self._regions[at] if at >= 0 else (0, 0, "")
        return row if addr < row[1] else (0, 0, "")

    def _is_files(self, addr):
        """Whether a variable lies there: of what a file leaves to be zero (.bss) the kernel names no file."""
        if self._sections is None:
            self._sections = []
            with contextlib.suppress(gdb.error):
                self._sections = sorted(parse.sections(gdb.execute("info files", to_string=True)))
        at = bisect.bisect_right(self._sections, (addr, 2**64)) - 1
        return at >= 0 and addr < self._sections[at][1]

    def _ends_heap(self, addr, end):
        """A core does not say which of its parts is the heap: it ends where glibc's __curbrk stands."""
        at = self._address_of("__curbrk")
        top = int.from_bytes(self._read(at, 8), "little") if at is not None else 0
        return addr < top and end - top < 4096

    def _owner(self, addr, start, end):
        """The thread whose stack it is: the nearest stack pointer below, in the same memory."""
        if self._stacks is None:
            self._stacks = []
            for thread in self._inferior.threads():
                if thread.is_valid() and not thread.is_exited() and not thread.is_running():
                    thread.switch()
                    at = available.register(available.newest(), "sp")
                    if at is not None:
                        self._stacks.append((at, thread.num, thread))
        below = [row for row in self._stacks if start <= row[0] <= addr < end]
        return max(below, key=lambda row: row[:2])[2] if below else None

    def _own(self, addr, group):
        """The part of a variable of the function that lies there."""
        for symbol, value in self._variables(group):
            with contextlib.suppress(*_ERRORS):
                at = value.address
                if at is not None and 0 <= addr - int(at) < value.type.sizeof:
                    path = pointers.path(value.type, addr - int(at), _fortran(group[-1]))
                    if path is not None:
                        return symbol.print_name + path
        return None

    def _pointed(self, addr, threads):
        for look in (self._globals, self._locals):
            for thread, pc in threads:
                self._walks -= 1
                if self._walks < 0:
                    return self._elsewhere(addr)
                thread.switch()
                with contextlib.suppress(*_ERRORS):
                    found = self._through(addr, pc, look)
                    if found:
                        return found
        return self._elsewhere(addr)

    def _elsewhere(self, addr):
        if self._others is None:
            units = {}
            for symbol in elsewhere.variables(self._read, self._is_allocated, self._symbol_of, _SYSTEM):
                units.setdefault(_compiler(symbol.symtab), []).append(symbol)
            self._others = [self._search(compiler, reach.READS, False) for compiler in units]
            for search, symbols in zip(self._others, units.values()):
                self._add_globals(search, symbols)
        return next(filter(None, (search.find(addr) for search in self._others)), None)

    def _is_allocated(self, addr):
        _, end, path = self._region(addr)
        return end and not path.startswith("/")

    def _through(self, addr, pc, look):
        left = _FRAMES
        for group in _physical():
            here = available.pc(group[-1])
            if pc and here != pc:
                continue
            pc = 0
            library = gdb.current_progspace().solib_name(here)
            if library and library.startswith(_SYSTEM):
                continue
            found = look(addr, group)
            if found or left == 1:
                return found
            left -= 1
        return None

    def _search(self, compiler, limit, one_unit=True):
        return reach.Reach(self._read, lambda addr: self._region(addr)[1], compiler, min(limit, self._left),
                           one_unit)

    def _add_globals(self, search, symbols):
        found = []
        for symbol in symbols:
            with contextlib.suppress(*_ERRORS):
                if symbol.is_variable and symbol.addr_class in _FIXED and search.wanted(symbol.type):
                    # The value of a described array is where its elements lie.
                    at = self._address_of(symbol.linkage_name) if pointers.is_descriptor(
                        symbol.type) else None
                    found.append((at or int(symbol.value().address), symbol.print_name, symbol, at))
        for _, _, symbol, at in sorted(found, key=lambda row: row[:2]):
            with contextlib.suppress(*_ERRORS):
                _add(search, symbol, symbol.value(), at)
        search.run()
        self._left -= search.reads

    def _globals(self, addr, group):
        try:
            block = group[-1].block()
        except RuntimeError:
            return None  # a function without debug information
        unit = block.global_block.start, block.global_block.end
        if unit not in self._units:
            self._units[unit] = self._search(_fortran(group[-1]), reach.READS)
            self._add_globals(self._units[unit], list(block.global_block) + list(block.static_block))
        return self._units[unit].find(addr)

    def _variables(self, group):
        """(symbol, value) of the function's variables, inner blocks first; of a block those declared
        first."""
        found = []
        level = 0
        for frame in group:
            try:
                block = frame.block()
            except RuntimeError:
                continue
            while block is not None:
                for symbol in block:
                    if (symbol.is_variable or symbol.is_argument) and len(found) < _LOCALS:
                        found.append((level, symbol.line, symbol.name, symbol, frame, block))
                level += 1
                block = block.superblock if block.function is None else None
        for _, _, _, symbol, frame, block in sorted(found, key=lambda row: row[:3]):
            with contextlib.suppress(*_ERRORS):
                value = frame.read_var(symbol, block)
                if not value.is_optimized_out:
                    yield symbol, value

    def _locals(self, addr, group):
        search = self._search(_fortran(group[-1]), reach.LOCAL_READS)
        for symbol, value in self._variables(group):
            with contextlib.suppress(*_ERRORS):
                if search.wanted(symbol.type):
                    _add(search, symbol, value)
        search.run()
        self._left -= search.reads
        return search.find(addr)
