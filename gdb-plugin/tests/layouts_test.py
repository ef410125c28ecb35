# SPDX-License-Identifier: Apache-2.0
"""Layouts that the command `ompd` makes for GDB: made-up commands that answer, fail, are killed, never end,
or are interrupted. Whatever they do, none is left, and the user is told."""

import os
import tempfile
import unittest

import gdbrun
import xmltest

PROGRAM = os.path.realpath(gdbrun.find("gdb-plugin/tests/threads"))
COMMANDS = {
    "answers": "echo row of $*",
    "fails": "echo 'ompd: first' >&2; echo \"ompd: FILE: it is neither\" >&2; exit 2",
    "fails without a word": "exit 3",
    "is killed": "kill -SEGV $$",
    "never ends": "sleep 600",
    "never ends and has a child": "sleep 600 & echo $! >>PIDS; wait",
    "is interrupted": "kill -INT $PPID; sleep 600",
    "cannot be started": None,
}
# A library that asks for one layout, of the program's own file.
SCRIPT = """
import ctypes, os, sys
from ompd_gdb import layouts
class Library:
    ctypes = ctypes
    path = FOLDER + "/lib/libompdinspect.so.1"
    def __init__(self): self.taken = []
    def layout_wanted(self, handle, index, base, path):
        base._obj.value, path._obj.value = 4096, os.fsencode(PROGRAM)
        return index
    def layout_text(self, handle, row, length, of, why):
        self.taken.append([row.decode(), length, os.fsdecode(of)])
        return 0
    def take_string(self, why): return None
if QUICK: layouts.SECONDS = 1
lib, tried = Library(), set()
try: made = layouts.make(lib, None, tried)
except KeyboardInterrupt: made = "interrupted"
say([made, lib.taken, layouts.make(lib, None, tried)])
"""


def lives(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Layouts(unittest.TestCase):
    def ask(self, kind, by_link=False):
        """(what make() returned, layouts taken, what GDB wrote as errors)"""
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            for name in ("lib", "bin"):
                os.mkdir(os.path.join(folder, name))
            pids, path = os.path.join(folder, "pids"), os.path.join(folder, "bin", "ompd")
            with open(path, "w") as f:
                text = COMMANDS[kind]
                f.write("#!/nowhere\n" if text is None else
                        "#!/bin/sh\necho $$ >>%s\n%s\n" % (pids, text.replace("PIDS", pids)))
            os.chmod(path, 0o755)
            asked = os.path.join(folder, "link") if by_link else PROGRAM
            if by_link:
                os.symlink(PROGRAM, asked)
            start = "FOLDER, PROGRAM, QUICK = %r, %r, %r\n" % (folder, asked, kind.startswith("never"))
            answer = gdbrun.gdb(start + SCRIPT, [PROGRAM], timeout=60)
            self.assertEqual(answer.problems(), [], str(answer))
            # On a busy machine one that never ends may be ended before it has begun.
            if not kind.startswith("never") and text is not None:
                self.assertTrue(os.path.exists(pids), kind)
            if os.path.exists(pids):
                with open(pids) as f:
                    self.assertEqual([pid for pid in map(int, f) if lives(pid)], [], kind)
        (made, taken, again), = answer.said
        self.assertFalse(again, kind)  # nothing is asked twice
        return made, taken, answer.err.replace(folder, "FOLDER").replace(PROGRAM, "FILE")

    def test_a_layout(self):
        made, ((row, length, of),), err = self.ask("answers")
        self.assertTrue(made)
        self.assertEqual((row[:13], length, of, err), ("row of layout", len(row), PROGRAM, ""))

    def test_a_link(self):
        """GDB and the kernel have other names of the file."""
        made, ((row, _, of),), err = self.ask("answers", by_link=True)
        self.assertTrue(made)
        self.assertEqual((row[:13], os.path.basename(of), err), ("row of layout", "link", ""))

    def test_no_layout(self):
        for kind, sentence in {
            "fails": "FILE: it is neither.",
            "fails without a word": "FILE: \"ompd layout\" ended with status 3.",
            "is killed": "FILE: \"ompd layout\" was ended by signal 11.",
            "never ends": "FILE: \"ompd layout\" was not done in 1 seconds and was ended.",
            "never ends and has a child": "FILE: \"ompd layout\" was not done in 1 seconds and was ended.",
            "cannot be started": "FOLDER/lib/../bin/ompd: No such file or directory.",
        }.items():
            made, taken, err = self.ask(kind)
            self.assertEqual((made, taken), (False, []), kind)
            self.assertEqual(err, "There is no layout of an OpenMP runtime: %s\n" % sentence)

    def test_interrupted(self):
        self.assertEqual(self.ask("is interrupted"), ("interrupted", [], ""))


if __name__ == "__main__":
    xmltest.main()
