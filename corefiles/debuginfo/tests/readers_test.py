# SPDX-License-Identifier: Apache-2.0
"""Both readers of debug information against each other and against what programs say of themselves: for each
compiler, each version of DWARF, compressed, with type units, with parts in other files. And which files they
open, by strace.
"""

import os
import re
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

READERS = {name: gdbrun.find("corefiles/debuginfo/" + program)
           for name, program in (("libdw", "dump-libdw"), ("libdwarf", "ompd-dwarf"))}
CC, F90, NUMBERS = [os.path.realpath(os.path.join(gdbrun.ROOT, "corefiles/debuginfo", name))
                    for name in ("tests/layouts.cc", "tests/layouts_f.f90", "dwarf5.h")]
SECONDS = 60
SYSTEM = r"/etc/ld\.so\.cache|(/usr)?/lib(64)?/.*\.so[.0-9]*$|/proc/self/"  # the loader's, a sanitizer's

C = ["-x", "c"]
BUILDS = {
    "gcc DWARF 5": ["gcc", *C, "-g", "-gdwarf-5"],
    "gcc DWARF 4": ["gcc", *C, "-g", "-gdwarf-4"],
    "gcc optimised": ["gcc", *C, "-g", "-O2"],
    "g++ DWARF 5": ["g++", "-g", "-gdwarf-5"],
    "g++ DWARF 4": ["g++", "-g", "-gdwarf-4"],
    "g++ compressed": ["g++", "-g", "-gz"],
    "g++ type units, DWARF 5": ["g++", "-g", "-gdwarf-5", "-fdebug-types-section"],
    "g++ type units, DWARF 4": ["g++", "-g", "-gdwarf-4", "-fdebug-types-section"],
    "clang DWARF 5": ["clang", *C, "-g", "-gdwarf-5"],
    "clang DWARF 4": ["clang", *C, "-g", "-gdwarf-4"],
    "clang++ DWARF 5": ["clang++", "-g", "-gdwarf-5"],
    "clang++ compressed, optimised": ["clang++", "-g", "-O2", "-gz"],
    "clang++ type units, DWARF 5": ["clang++", "-g", "-gdwarf-5", "-fdebug-types-section"],
    "clang++ type units, DWARF 4": ["clang++", "-g", "-gdwarf-4", "-fdebug-types-section"],
    "gfortran DWARF 5": ["gfortran", "-cpp", "-g", "-gdwarf-5"],
    "gfortran DWARF 4": ["gfortran", "-cpp", "-g", "-gdwarf-4"],
}
TAGS = {int(number, 16): name for name, number in
        re.findall(r"TAG_(\w+) = (0x[0-9a-f]+)", open(NUMBERS, encoding="utf-8").read())}
LINE = re.compile(r"( *)([0-9a-f]+) ([0-9a-f]{2}) (.*)")
WRAPPERS = ("typedef", "const_type", "volatile_type")
CLASSES = ("structure_type", "class_type", "union_type")


def run(*words, cwd=None, env=None):
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, timeout=SECONDS, cwd=cwd,
                          env=env)
    return done.stdout


def numbers(text):
    """{name: number} of C's enumerators and macros such as DW_TAG_member."""
    found = re.findall(r"\b(DW_\w+)\s*(?:=\s*)?(0x[0-9a-f]+)", text)
    return {name: int(value, 16) for name, value in found}


class Die:
    """A line of the dump."""

    def __init__(self, offset, tag, rest):
        self.offset, self.tag, self.children = offset, TAGS.get(tag, tag), []
        # The name, which may have blanks, ends before the first "key=".
        self.name = re.split(r" \w+=| \[", rest)[0]
        self.values = dict(re.findall(r"(\w+)=(\S+)", rest))

    def type(self, dies):
        reference = self.values.get("type", "?:").split(":")[0]
        return dies.get(int(reference, 16)) if re.fullmatch(r"[0-9a-f]+", reference) else None


def parse(text):
    """{offset: Die} of a dump."""
    dies, above = {}, []
    for line in text.splitlines():
        blanks, offset, tag, rest = LINE.fullmatch(line).groups()
        die = Die(int(offset, 16), int(tag, 16), rest)
        dies[die.offset] = die
        del above[len(blanks):]
        if above:
            above[-1].children.append(die)
        above.append(die)
    return dies


def plain(die, dies):
    while die and die.tag in WRAPPERS:
        die = die.type(dies)
    return die


def size(die, dies):
    die = plain(die, dies)
    if die.tag == "array_type" and "size" not in die.values:
        total = size(die.type(dies), dies)
        for child in die.children:
            total *= bounds(child, False)[1]
        return total
    return int(die.values["size"])


def bounds(subrange, fortran):
    lower = int(subrange.values.get("lower", int(fortran)))
    return lower, int(subrange.values.get("count", int(subrange.values.get("upper", -1)) - lower + 1))


def member(die, name, dies):
    """(offset, type) of a member, also of a base class; None."""
    for child in die.children:
        at = int(child.values.get("at", 0))
        if child.tag == "member" and child.name == name:
            return at, child.type(dies)
        if child.tag == "inheritance":
            inner = member(plain(child.type(dies), dies), name, dies)
            if inner:
                return at + inner[0], inner[1]
    return None


def follow(path, dies):
    """(offset, name of the type, line) of a path such as grid.cells[1][2].lock, as the dump tells it."""
    fortran = "%" in path
    steps = re.findall(r"\w+|\[\d+\]|\([-\d,]+\)", path)
    # A declaration has no place.
    variable = next(die for die in dies.values()
                    if die.tag == "variable" and die.name == steps[0] and "location" in die.values)
    offset, at = 0, variable.type(dies)
    i = 1
    while i < len(steps):
        at = plain(at, dies)
        if steps[i][0] in "[(":
            ranges = [bounds(child, fortran) for child in at.children if child.tag == "subrange_type"]
            index = []
            while len(index) < len(ranges):
                index += [int(number) for number in re.findall(r"-?\d+", steps[i])]
                i += 1
            linear = 0
            order = list(zip(index, ranges))
            for number, (lower, count) in reversed(order) if fortran else order:
                linear = linear * count + number - lower
            at = at.type(dies)
            offset += linear * size(at, dies)
        else:
            inner, at = member(at, steps[i], dies)
            offset += inner
            i += 1
    return offset, at.name, int(variable.values["line"])


class Readers(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name

    def build(self, words, *more):
        program = os.path.join(self.scratch, "program")
        run(*words, F90 if words[0] == "gfortran" else CC, *more, "-o", program, cwd=self.scratch)
        return program

    def dumps(self, *files):
        return {name: run(reader, "dump", *files) for name, reader in READERS.items()}

    def same(self, dumps):
        """The same of both, but for lines whose file Debian 12's libdwarf does not know."""
        texts = [re.sub(r" first=\S+:\d+$", "", text, flags=re.MULTILINE) for text in dumps.values()]
        self.assertEqual(*texts)
        # What it says of lines is right.
        for ours, theirs in zip(*(text.splitlines() for text in dumps.values())):
            if " first=" in theirs:
                self.assertEqual(ours, theirs)

    def check(self, program, dumps):
        for name, dump in dumps.items():
            dies = parse(dump)
            for line in run(program).splitlines():
                words = line.split("|")
                with self.subTest(reader=name, line=line):
                    if words[0] != "size":
                        self.assertEqual((int(words[1]), words[2], int(words[3])), follow(words[0], dies))
                        continue
                    layout = run(READERS[name], "layout", program, words[1])
                    self.assertEqual("%s %s" % tuple(words[1:]), layout.splitlines()[0])
                    self.assertNotIn(" ? ", layout)  # clang's pointers have no size of their own
                    found = [die for die in dies.values()
                             if die.tag in CLASSES and die.name == words[1] and "size" in die.values]
                    self.assertEqual({words[2]}, {die.values["size"] for die in found})

    def check_build(self, words):
        program = self.build(words)
        dumps = self.dumps(program)
        self.assertIn("main", dumps["libdw"].lower())
        self.same(dumps)
        self.check(program, dumps)

    def test_dwz(self):
        """What programs share is in a file that is handed over; without it nothing is made up."""
        first = self.build(["g++", "-g"])
        second = os.path.join(self.scratch, "second")
        os.rename(first, second)
        first = self.build(["g++", "-g", "-O1"])
        alternate = os.path.join(self.scratch, "alternate")
        before = self.dumps(first)["libdw"]
        run("dwz", "-m", alternate, first, second)
        dumps = self.dumps(first, alternate)
        self.same(dumps)
        self.assertRegex(dumps["libdwarf"], r"type=[0-9a-f]+alt:grid")
        # No variable has lost its name.
        names = [sorted(die.name for die in parse(text).values() if die.tag == "variable")
                 for text in (before, dumps["libdwarf"])]
        self.assertEqual(*names)
        alone = self.dumps(first)
        self.same(alone)
        self.assertIn("type=?", alone["libdwarf"])
        self.assertNotIn("<DW_FORM", alone["libdwarf"])

    def test_split(self):
        """The DIEs are in a file that neither opens: the program's own part is a root without children."""
        program = self.build(["g++", "-g", "-gsplit-dwarf"])
        self.assertTrue([name for name in os.listdir(self.scratch) if name.endswith(".dwo")])
        dumps = self.dumps(program)
        self.same(dumps)
        self.assertEqual(["skeleton_unit"], [die.tag for die in parse(dumps["libdwarf"]).values()])

    def test_opens(self):
        """Nothing by name but what the user names: no alternate file, no .dwo, no debug file."""
        for words, after in ((["g++", "-g", "-gsplit-dwarf"], []), (["g++", "-g"], ["dwz"])):
            program = self.build(words)
            if after:
                copy = os.path.join(self.scratch, "copy")
                run("cp", program, copy)
                run("dwz", "-m", os.path.join(self.scratch, "alternate"), program, copy)
            for name, reader in READERS.items():
                log = os.path.join(self.scratch, "log")
                run("strace", "-f", "-qq", "-e", "trace=open,openat,openat2,creat", "-o", log,
                    reader, "dump", program,
                    env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})  # which would need ptrace itself
                with open(log, encoding="utf-8") as f:
                    opened = re.findall(r'open\w*\([^"]*"([^"]*)"', f.read())
                ours = [path for path in opened if not re.match(SYSTEM, path)]
                self.assertEqual([program], ours, name)

    def test_refused(self):
        for name, reader in READERS.items():
            program = self.build(["gcc", *C, "-g"])
            for words, code in (([], 64), (["dump", "/dev/null"], 2), (["dump", "/no/such"], 2),
                                (["layout", program, "nothing"], 1)):
                done = subprocess.run([reader, *words], capture_output=True, text=True, timeout=SECONDS,
                                      check=False)
                self.assertEqual((code, ""), (done.returncode, done.stdout), name)
                self.assertTrue(done.stderr)

    def test_siblings(self):
        """A damaged DW_AT_sibling that leads to the first child: each level would be seen twice as often."""
        levels = 64
        dies = ["1, %s" % ",".join(str(byte) for byte in (12 + 5 * (k + 1)).to_bytes(4, "little"))
                for k in range(levels)]
        source, program = [os.path.join(self.scratch, name) for name in ("damaged.s", "damaged")]
        with open(source, "w", encoding="utf-8") as f:
            f.write("""
                .section .debug_abbrev
                .byte 1, 0x39, 1, 0x01, 0x13, 0, 0  # a namespace with children and DW_AT_sibling
                .byte 2, 0x11, 1, 0, 0, 0           # a compilation unit
                .section .debug_info
                .long end - begin
                begin: .short 4
                .long 0
                .byte 8, 2
                .byte %s
                .fill %d
                end:
            """ % ("\n.byte ".join(dies), levels + 1))
        run("gcc", "-shared", "-nostdlib", source, "-o", program)
        for name, dump in self.dumps(program).items():
            self.assertEqual(len(dump.splitlines()), levels + 1, name)

    def test_first_line(self):
        """gcc may leave a line of the function before at the address where a function begins."""
        source, program = [os.path.join(self.scratch, name) for name in ("two.c", "two.s")]
        with open(source, "w", encoding="utf-8") as f:
            f.write("int before(int n)\n{\n    return n + 1;\n}\n\nint behind(int n)\n{\n"
                    "    return n + 2;\n}\n")
        run("gcc", "-g", "-O0", "-S", "-fPIC", source, "-o", program)
        with open(program, encoding="utf-8") as f:
            text = f.read()
        self.assertEqual(text.count("\nbehind:\n"), 1)
        with open(program, "w", encoding="utf-8") as f:
            f.write(text.replace("\nbehind:\n",
                                 "\n\t.loc 1 3 14 is_stmt 0\nbehind:\n\t.loc 1 6 1 is_stmt 1\n"))
        run("gcc", "-shared", "-nostdlib", program, "-o", os.path.join(self.scratch, "two"))
        for name, dump in self.dumps(os.path.join(self.scratch, "two")).items():
            lines = {die.name: die.values["first"].rpartition(":")[2] for die in parse(dump).values()
                     if die.tag == "subprogram"}
            self.assertEqual(lines, {"before": "2", "behind": "6"}, name)

    def test_numbers(self):
        """Our names have the numbers of both libraries' headers."""
        prefixes = {"TAG": "DW_TAG", "ATTR": "DW_AT", "OP": "DW_OP", "ENCODING": "DW_ATE",
                    "LANGUAGE": "DW_LANG"}
        with open(NUMBERS, encoding="utf-8") as f:
            ours = re.findall(r"\b([A-Z]+)_(\w+) = (0x[0-9a-f]+)", f.read())
        self.assertGreater(len(ours), 90)
        for path in ("/usr/include/dwarf.h", "/usr/include/libdwarf/dwarf.h"):
            with open(path, encoding="utf-8") as f:
                theirs = numbers(f.read())
            for prefix, name, number in ours:
                self.assertEqual(theirs["%s_%s" % (prefixes[prefix], name)], int(number, 16), name)


for build, command in BUILDS.items():
    setattr(Readers, "test_" + re.sub(r"\W+", "_", build.replace("+", "p")),
            lambda self, command=command: self.check_build(command))

if __name__ == "__main__":
    xmltest.main()
