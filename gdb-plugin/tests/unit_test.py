# SPDX-License-Identifier: Apache-2.0
"""The parts of the extension that need no GDB: parsers, sentences, the frame-pointer step, the search for
libraries."""

import os
import sys
import tempfile
import types
import unittest

import xmltest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))


def _fake_gdb():
    gdb = types.ModuleType("gdb")
    gdb.error = type("error", (RuntimeError,), {})
    gdb.MemoryError = type("MemoryError", (gdb.error,), {})
    gdb.GdbError = type("GdbError", (Exception,), {})
    # What the modules use where they are imported.
    for name in ("Command", "Parameter"):
        setattr(gdb, name, type(name, (), {}))
    gdb.execute = lambda line, to_string: ""
    unwinder = types.ModuleType("gdb.unwinder")
    unwinder.Unwinder = type("Unwinder", (), {"__init__": lambda self, name: None})
    gdb.unwinder = unwinder
    sys.modules["gdb"], sys.modules["gdb.unwinder"] = gdb, unwinder
    return gdb


gdb = _fake_gdb()

from ompd_common import library  # noqa: E402  (needs the fake above)
from ompd_gdb import errors, parse, unwinder  # noqa: E402  (needs the fake above)

# The constants of types and symbols: each is itself.
gdb.__getattr__ = lambda name: name
from ompd_gdb import host, lines, variables  # noqa: E402
from ompd_gdb import types as kinds  # noqa: E402

LIVE = """process 9590
Mapped address spaces:

          Start Addr           End Addr       Size     Offset  Perms  objfile
      0x555555554000     0x555555555000     0x1000        0x0  r--p   /tmp/a b/t
      0x555555555000     0x555555556000     0x1000     0x1000  r-xp   /tmp/a b/t
      0x555555559000     0x55555557a000    0x21000        0x0  rw-p   [heap]
      0x7ffff6cd0000     0x7ffff6cd1000     0x1000        0x0  ---p
      0x7ffff7000000     0x7ffff7001000     0x1000        0x0  r--p   /lib/lld.so
      0x7ffff7001000     0x7ffff7003000     0x2000        0x0  r-xp   /lib/lld.so
      0x7ffff7003000     0x7ffff7004000     0x1000     0x2000  rw-p   /lib/lld.so
      0x7ffff7dd3000     0x7ffff7df9000    0x26000        0x0  r--p   /usr/lib/libomp.so.5 (deleted)
      0x7ffff7fc8000     0x7ffff7fca000     0x2000        0x0  r-xp   [vdso]
  0xffffffffff600000 0xffffffffff601000     0x1000        0x0  --xp   [vsyscall]
"""

CORE = """Mapped address spaces:

          Start Addr           End Addr       Size     Offset objfile
      0x56464b705000     0x56464b706000     0x1000        0x0 /apps/u/t
      0x56464b706000     0x56464b707000     0x1000     0x1000 /apps/u/t
      0x7f573bb25000     0x7f573bb4b000    0x26000        0x0 /usr/lib/x86_64-linux-gnu/libc.so.6
"""

FILES = """Symbols from "/tmp/t".
Remote target using gdb-specific protocol:
\t`/tmp/t', file type elf64-x86-64.
\tEntry point: 0x4010b0
\t0x0000000000400318 - 0x0000000000400334 is .interp
\t0x0000000000401000 - 0x0000000000401100 is .text
\t0x00007f0000001000 - 0x00007f0000002000 is load1
\t0x00007ffff7fca238 - 0x00007ffff7fca25c is .note.gnu.build-id in /lib64/ld-linux-x86-64.so.2
\t0x00007ffff7fcb000 - 0x00007ffff7ff0000 is .text in /lib64/ld-linux-x86-64.so.2
"""


class Parsers(unittest.TestCase):
    def test_mappings_live(self):
        rows = parse.mappings(LIVE)
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0], (0x555555554000, 0x555555555000, 0, "/tmp/a b/t"))
        self.assertEqual(parse.modules(rows), [(0x555555554000, "/tmp/a b/t"), (0x7ffff7000000,
                                                                                "/lib/lld.so"),
                                               (0x7ffff7dd3000, "/usr/lib/libomp.so.5")])

    def test_mappings_core(self):
        self.assertEqual(parse.modules(parse.mappings(CORE)),
                         [(0x56464b705000, "/apps/u/t"), (0x7f573bb25000,
                                                          "/usr/lib/x86_64-linux-gnu/libc.so.6")])

    def test_mappings_of_two_copies_side_by_side(self):
        rows = parse.mappings("0x1000 0x2000 0x1000 0x0 r--p /l.so\n0x2000 0x3000 0x1000 0x1000 rw-p /l.so\n"
                              "0x3000 0x4000 0x1000 0x0 r--p /l.so\n0x4000 0x5000 0x1000 0x1000 rw-p /l.so\n")
        self.assertEqual(parse.modules(rows), [(0x1000, "/l.so"), (0x3000, "/l.so")])

    def test_mappings_of_nonsense(self):
        for text in ("", "No /proc.\n", "0x1000 0x2000\n", "\n\n", "warning: 0x1 0x2 0x3 0x4\n"):
            self.assertEqual(parse.modules(parse.mappings(text)), [])

    def test_sections(self):
        self.assertEqual(parse.modules_of_sections(FILES, "/tmp/t"),
                         [(0x400000, "/tmp/t"), (0x7ffff7fca000, "/lib64/ld-linux-x86-64.so.2")])
        self.assertEqual(parse.modules_of_sections(FILES, None)[0][1], "/lib64/ld-linux-x86-64.so.2")

    def test_symbol(self):
        self.assertEqual(parse.symbol("held + 3 in section .text of /tmp/t\n"), ("held", 3, "/tmp/t"))
        self.assertEqual(parse.symbol("held in section .text\n"), ("held", 0, None))
        self.assertEqual(parse.symbol("f(int, char + 1) [clone .omp] + 7 in section .text of /a b\n"),
                         ("f(int, char + 1) [clone .omp]", 7, "/a b"))
        self.assertIsNone(parse.symbol("No symbol matches 0x10.\n"))
        self.assertIsNone(parse.symbol(""))

    def test_raw_symbol(self):
        for text, expected in (("0x4010 <.gomp_critical_user_till.var>", (".gomp_critical_user_till.var", 0)),
                               ("0x4010 <grid+136>", ("grid", 136)), ("0x4010 <main+4 at a b.c:3>", ("main",
                                                                                                     4)),
                               ("0x4010 <operator<(X, Y)+2>", ("operator<(X, Y)", 2)), ("0x4010", None)):
            self.assertEqual(parse.raw_symbol(text), expected)

    def test_core_path(self):
        text = ("Symbols from \"/tmp/t\".\nLocal core dump file:\n"
                "\t`/tmp/it's/core', file type elf64-x86-64.\n")
        self.assertEqual(parse.core_path(text), "/tmp/it's/core")
        self.assertIsNone(parse.core_path("Symbols from \"/tmp/t\".\n"))

    def test_program_headers(self):
        text = ("33   AT_SYSINFO_EHDR      System DSO 0x7f57\n"
                "3    AT_PHDR              Program headers 0x56464b705040\n")
        self.assertEqual(parse.program_headers(text), 0x56464b705040)
        self.assertIsNone(parse.program_headers("The program has no auxiliary information now.\n"))


class Sentences(unittest.TestCase):
    def test_sentence(self):
        self.assertEqual(errors.sentence("no such\n thing"), "No such thing.")
        self.assertEqual(errors.sentence("ompd_rc_error at 0x1"), "ompd_rc_error at 0x1.")
        self.assertEqual(errors.sentence("Really?"), "Really?")
        self.assertEqual(errors.sentence(""), "")

    def test_guarded(self):
        for given, text in ((gdb.GdbError("As it is"), "As it is"), (gdb.error("cannot access"),
                                                                     "Cannot access."),
                            (KeyError("a\nb"), "itself failed"), (SystemExit(3), "itself failed")):
            def fail(error=given):
                raise error
            with self.assertRaises(gdb.GdbError) as caught:
                errors.guarded(fail)()
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_quit_stays_quit(self):
        def fail():
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            errors.guarded(fail)()
        with self.assertRaises(KeyboardInterrupt):
            errors.silent(None)(fail)()

    def test_silent(self):
        def fail():
            raise SystemExit
        self.assertEqual(errors.silent([])(fail)(), [])


class Register:
    """As a gdb.Value."""

    def __init__(self, value):
        self.value, self.is_optimized_out = value, value is None

    def __int__(self):
        return self.value


class Unwinding(unittest.TestCase):
    """A frame of a runtime without a file."""

    def unwound(self, level, inner):
        """What the unwinder makes of it at that level; INNER is the type of the frame that it has called."""
        saved = {}
        frames = [types.SimpleNamespace(level=lambda n=n: n, type=lambda: inner, pc=lambda: 0x5000)
                  for n in range(level)]
        for n, one in enumerate(frames):
            one.older = lambda n=n: frames[n + 1] if n + 1 < len(frames) else None
        gdb.newest_frame = lambda: frames[0]
        gdb.Value, gdb.SIGTRAMP_FRAME = int, "signal"
        # The runtime's mapping is not the program's.
        gdb.execute = lambda line, to_string: "Local exec file:\n\tEntry point: 0x401060\n"
        gdb.selected_inferior = lambda: types.SimpleNamespace(pid=1)
        info = types.SimpleNamespace(add_saved_register=saved.__setitem__)
        pending = types.SimpleNamespace(
            level=lambda: level, create_unwind_info=lambda identity: info,
            read_register=lambda name: Register({"rip": 0x5000, "rsp": 0x1000, "rbp": 0x1100}.get(name)))
        # It leads elsewhere where the thread was interrupted than where a call returns.
        ranges = types.SimpleNamespace(
            frame_ranges=lambda: [(0x4000, 0x6000)],
            caller_of=lambda newest, registers: {"rip": 0xaaa if newest else 0xccc,
                                                 "rsp": registers["rsp"] + 8})
        session = types.SimpleNamespace(current=lambda: ranges)
        kept = unwinder.session, unwinder._gdb_knows
        unwinder.session, unwinder._gdb_knows = session, lambda pc: False
        try:
            unwinder.RuntimeUnwinder._unwind(types.SimpleNamespace(), pending)
        finally:
            unwinder.session, unwinder._gdb_knows = kept
        return saved["rip"]

    def test_where_a_call_returns(self):
        self.assertEqual(self.unwound(0, None), 0xaaa)
        self.assertEqual(self.unwound(1, "normal"), 0xccc)  # behind a call that does not return
        self.assertEqual(self.unwound(2, "signal"), 0xaaa)  # a signal came there


class Libraries(unittest.TestCase):
    def setUp(self):
        self.here = library.__file__
        self.chosen = os.environ.pop("OMPD_LIBDIR", None)
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name

    def tearDown(self):
        library.__file__ = self.here
        os.environ.pop("OMPD_LIBDIR", None)
        if self.chosen is not None:
            os.environ["OMPD_LIBDIR"] = self.chosen
        self.folder.cleanup()

    def make(self, path):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w"):
            return path

    def check(self, package, folder_of_inspect, folder_of_ompd):
        library.__file__ = self.make(os.path.join(package, "ompd_common", "library.py"))
        paths = (self.make(os.path.join(folder_of_inspect, library.INSPECT)),
                 self.make(os.path.join(folder_of_ompd, library.OMPD)))
        self.assertEqual(library.locate(), paths)

    def test_installed(self):
        self.check("p/share/ompd", "p/lib", "p/lib")

    def test_multiarch(self):
        folder = "p/lib/%s-linux-gnu" % os.uname().machine
        self.check("p/share/ompd", folder, folder)

    def test_source_tree(self):
        self.check("src/gdb-plugin", "src/.bazel/bin/inspect", "src/.bazel/bin/ompd")

    def test_runfiles(self):
        self.check("run/gdb-plugin", "run/inspect", "run/ompd")

    def test_chosen(self):
        os.environ["OMPD_LIBDIR"] = os.path.join(self.root, "mine")
        self.make("p/lib/" + library.INSPECT)
        self.check("p/share/ompd", "mine", "mine")

    def test_missing(self):
        library.__file__ = self.make("p/share/ompd/ompd_common/library.py")
        with self.assertRaises(gdb.GdbError) as caught:
            library.locate()
        self.assertIn("set OMPD_LIBDIR", str(caught.exception))
        os.environ["OMPD_LIBDIR"] = self.root
        with self.assertRaises(gdb.GdbError) as caught:
            library.locate()
        self.assertIn("OMPD_LIBDIR names " + self.root, str(caught.exception))


class _Symbol(types.SimpleNamespace):
    """Of a variable; NAME may be an exception, as of bytes that are no text."""
    is_variable, is_function, addr_class, line = True, False, "SYMBOL_LOC_STATIC", 1

    @property
    def print_name(self):
        self.asked()
        if isinstance(self.name, Exception):
            raise self.name
        return self.name

    @property
    def type(self):
        return types.SimpleNamespace(code="TYPE_CODE_INT", sizeof=8, name="long",
                                     strip_typedefs=lambda: self.type)

    def value(self):
        return types.SimpleNamespace(address=self.at, type=self.type)


class TypesTest(unittest.TestCase):
    @staticmethod
    def _type(code, name, sizeof, fields=(), target=None):
        return types.SimpleNamespace(
            code=gdb.__getattr__("TYPE_CODE_" + code), name=name, sizeof=sizeof, target=lambda: target,
            keys=lambda: [field.name for field in fields], fields=lambda: list(fields))

    def _node(self, first, at=64):
        members = (("p", self._type("PTR", None, 8, target=self._type("STRUCT", first, 8)), 0),
                   ("lock", self._type("TYPEDEF", "omp_lock_t", 4), at))
        return self._type("STRUCT", "node", 16, [
            types.SimpleNamespace(name=name, type=kind, bitpos=where, bitsize=0, is_base_class=False)
            for name, kind, where in members])

    def test_types_of_functions_that_look_alike(self):
        numbers, unit = kinds.Types(), type("Unit", (), {"fortran": ""})()
        first = numbers.number(self._node("a"), unit)
        self.assertEqual(numbers.number(self._node("a"), unit), first)
        self.assertNotEqual(numbers.number(self._node("b"), unit), first)
        self.assertNotEqual(numbers.number(self._node("a", 96), unit), first)


class VariablesTest(unittest.TestCase):
    def setUp(self):
        self.count = 0
        block = types.SimpleNamespace(start=1, end=2, global_block=[], static_block=[], function=None,
                                      superblock=None)
        symtab = types.SimpleNamespace(filename="a.c", static_block=lambda: block)
        numbers = types.SimpleNamespace(text=lambda text: text and text.encode(), number=lambda *_: 7)
        self.all = variables.Variables(numbers, lambda addr: (None, 0))
        self.unit = variables.Unit(types.SimpleNamespace(global_block=[], static_block=[]), symtab, 1)
        self.all._units[1, 2, ""] = self.all._by_number[1] = self.unit

    def _asked(self):
        self.count += 1

    def _put(self, *names):
        symtab = types.SimpleNamespace(filename="a.c", static_block=lambda: types.SimpleNamespace(
            global_block=types.SimpleNamespace(start=1, end=2)))
        self.unit.blocks = [[_Symbol(name=name, at=0x1000 + 8 * i, asked=self._asked, symtab=symtab)
                             for i, name in enumerate(names)]]

    def test_a_name_that_is_no_text(self):
        bad = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        self._put("one", bad, "three")
        rows = [self.all.of_unit(1, i) for i in range(4)]
        self.assertEqual([row and row.name for row in rows], [b"one", None, b"three", None])
        self.assertEqual([rows[1].type, rows[1].address], [0, 0])
        self.assertEqual([row.name for row in self.all.at(0x1010)], [b"three"])
        self.assertEqual(self.all.at(0x1008), [])

    def test_many_variables_are_not_all_looked_at_for_each_address(self):
        self._put(*("v%d" % i for i in range(10000)))
        self.all.at(0x1000)
        looked = 0

        class Counting(list):
            def __getitem__(self, what):
                nonlocal looked
                found = super().__getitem__(what)
                looked += len(found) if isinstance(what, slice) else 1
                return found
        self.unit.covered = Counting(self.unit.covered)
        self.assertEqual([row.name for row in self.all.at(0x1000 + 8 * 9000)], [b"v9000"])
        self.assertLess(looked, 200)

    def test_a_frame_whose_file_is_no_text(self):
        class Symtab:
            @property
            def filename(self):
                raise UnicodeDecodeError("ascii", b"\xe9", 0, 1, "ordinal not in range(128)")
        sal = types.SimpleNamespace(symtab=Symtab(), line=7)
        gdb.current_progspace = lambda: types.SimpleNamespace(solib_name=lambda pc: None)
        gdb.find_pc_line = lambda pc: sal
        gdb.format_address = lambda addr: Symtab().filename
        gdb.execute = lambda *_, **__: Symtab().filename
        gdb.block_for_pc = lambda pc: None
        frame = types.SimpleNamespace(pc=lambda: 0x5000, find_sal=lambda: sal, name=lambda: "work",
                                      type=lambda: gdb.NORMAL_FRAME, newer=lambda: None,
                                      function=lambda: types.SimpleNamespace(
                                          linkage_name="work", symtab=Symtab(),
                                          value=lambda: types.SimpleNamespace(address=0x5000)))
        one = host.Host.__new__(host.Host)
        one._lines, one._names = lines.Lines(), {}
        self.assertEqual(one._frame_row(frame, 0), (0x5000, b"work", None, 7, None, 0, None))
        self.assertEqual(one._place(0x5000)[:3], (None, 0, None))

    def test_a_function_that_gdb_cannot_find(self):
        def fail(pc):
            raise gdb.error("Cannot access memory")
        gdb.block_for_pc = fail
        self.assertIsNone(self.all.unit(0x5000))


if __name__ == "__main__":
    xmltest.main()
