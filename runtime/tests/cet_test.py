# SPDX-License-Identifier: Apache-2.0
"""What is written in assembly keeps a library's marks for IBT and shadow stacks, which the linker sets only
if all objects have them; and without -fcf-protection it asks for nothing.

    cet_test.py ARCH.S
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import xmltest

SOURCE = os.path.abspath(sys.argv[1])
del sys.argv[1]


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


class Cet(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def library(self, compiler, protection):
        """With one object in C, by the compiler alone: distributions' start files may have no marks."""
        c, path = os.path.join(self.folder, "c.c"), os.path.join(self.folder, "library.so")
        with open(c, "w") as out:
            out.write("int c(void)\n{\n    return 1;\n}\n")
        output(compiler, "-fcf-protection=" + protection, "-fPIC", "-shared", "-nostartfiles",
               "-Wl,--no-undefined", c, SOURCE, "-o", path)
        return path

    def code(self, library, function):
        """Its instructions."""
        text = output("objdump", "-d", "--no-show-raw-insn", library)
        body = re.search(r"<%s>:\n((?:.+\n)+)" % function, text).group(1)
        return [line.split("\t")[1].split()[0] for line in body.splitlines() if "\t" in line]

    def test_marks(self):
        for compiler in ("gcc", "clang"):
            for protection, marks in (("full", {"IBT", "SHSTK"}), ("branch", {"IBT"}), ("return", {"SHSTK"}),
                                      ("none", set())):
                with self.subTest((compiler, protection)):
                    notes = output("readelf", "-nW", self.library(compiler, protection))
                    self.assertEqual(set(re.findall(r"\b(IBT|SHSTK)\b", notes)), marks, notes)

    def test_target_of_an_indirect_jump(self):
        for compiler in ("gcc", "clang"):
            for protection, first in (("full", "endbr64"), ("none", "ret")):
                with self.subTest((compiler, protection)):
                    library = self.library(compiler, protection)
                    self.assertEqual(self.code(library, "rt_task_passed")[0].replace("retq", "ret"), first)


if __name__ == "__main__":
    xmltest.main()
