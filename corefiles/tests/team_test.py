#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ompd print`: a variable as each thread of a team has it, against what each thread has written. Programs of
g++, clang and gfortran, living and in a core; on Companion and on the system's libgomp; in text and JSON."""
import json
import os
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

FOLDER = os.path.dirname(os.path.abspath(__file__))
# What the source of team.cc says.
SAME = {"around": "5", "counter": "42", "inner::deep": "7", "g.id": "77", "g.cells[2].value": "20",
        "to->cells[3].next->value": "0", "same.table[2][3]": "23", "to->numbers[1]": "2", "*to->numbers": "1",
        "numbers": "{1, 2, 3}"}
WHY = {"g.bits": "bit-field", "g.nothing": "no member of that name", "g.table[2]": "an index for each",
       "g.cells[4]": "outside of the array", "around[0]": "no array and no pointer", "*around": "no pointer",
       "nothing": "GDB's `ompd print -team`"}
NO_EXPRESSIONS = ("n + 1", "f(x)", "(n)", "n.", "[1]", "a[b]", "-n", "n[", "x" * 300, "n" + "[1]" * 25,
                  "n.a" + "(1,2)" * 15 + ".b" * 9)
FORTRAN = {"table(2,3)": "23", "cells(2)%value": "200", "table(3,1)": None, "cells(0)%value": None}


class Team(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.companion = os.path.join(cls.folder.name, "companion")
        os.mkdir(cls.companion)
        for name in ("libgomp.so.1", "libomp.so", "libompcompanion.so.1"):
            os.symlink(gdbrun.find("runtime/libompcompanion.so.1.0.0"), os.path.join(cls.companion, name))
        for compiler, source in (("g++", "team.cc"), ("clang++", "team.cc"), ("gfortran", "team_f.f90")):
            subprocess.run([compiler, "-g", "-fopenmp", os.path.join(FOLDER, source), "-L" + cls.companion,
                            "-o", os.path.join(cls.folder.name, compiler)], cwd=cls.folder.name,
                           check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, compiler, library):
        """The process, and {thread number: what it has}."""
        process = subprocess.Popen([os.path.join(self.folder.name, compiler)],
                                   env=dict(os.environ, LD_LIBRARY_PATH=library), stdout=subprocess.PIPE,
                                   universal_newlines=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = [process.stdout.readline().split() for _ in range(2 if compiler == "gfortran" else 3)]
        return process, {int(number): value for number, value in lines}

    def ompd(self, *arguments):
        return subprocess.run([gdbrun.find("command/ompd"), "print", "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300, check=False)

    def team(self, source, expression):
        rows = json.loads(self.ompd(*source, "--json", expression).stdout)["team"]
        return {row["thread_num"]: row for row in rows if row["thread_num"] is not None}

    def values(self, source, expression):
        return {number: row["value"] for number, row in self.team(source, expression).items()}

    def check(self, source, said):
        self.assertEqual(self.values(source, "mine"), said)
        self.assertEqual(self.values(source, "n"), said)
        self.assertEqual(self.values(source, "*pointer"), said)
        for expression, value in SAME.items():
            with self.subTest(expression=expression):
                self.assertEqual(self.values(source, expression), dict.fromkeys(said, value))
        for expression, why in WHY.items():
            with self.subTest(expression=expression):
                rows = self.team(source, expression).values()
                self.assertEqual([row["value"] for row in rows], [None] * 3)
                self.assertTrue(all(why in row["why"] for row in rows), rows)
        row = self.team(source, "around")[2]
        self.assertEqual((row["type"], row["function"], row["why"]), ("int", "main", None))
        text = self.ompd(*source, "n").stdout.splitlines()
        self.assertEqual(len([line for line in text if line.startswith("  ")]), 2)
        self.assertIn("  0, 1  100  in main", text)
        self.assertIn("     2  101  in main", text)

    def test_gcc_on_companion(self):
        process, said = self.start("g++", self.companion)
        self.check(("-p", str(process.pid)), said)

    def test_clang_in_a_core(self):
        process, said = self.start("clang++", self.companion)
        core = os.path.join(self.folder.name, "core")
        subprocess.run(["gcore", "-o", core, str(process.pid)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        self.check(("--core", "%s.%d" % (core, process.pid)), said)

    def test_libgomp(self):
        process, said = self.start("g++", "")
        self.check(("-p", str(process.pid)), said)

    def test_fortran(self):
        process, said = self.start("gfortran", self.companion)
        source = ("-p", str(process.pid))
        self.assertEqual(self.values(source, "mine"), said)
        for expression, value in FORTRAN.items():
            with self.subTest(expression=expression):
                self.assertEqual(self.values(source, expression), dict.fromkeys(said, value))

    def test_command_lines(self):
        process, _ = self.start("g++", self.companion)
        source = ("-p", str(process.pid))
        for text in NO_EXPRESSIONS:
            with self.subTest(text=text):
                done = self.ompd(*source, "--", text)
                self.assertEqual(done.returncode, 64)
                self.assertIn("cannot be printed: ", done.stderr)
        self.assertEqual(self.ompd(*source).returncode, 64)
        done = self.ompd(*source, "--team", "2", "n")
        self.assertEqual((done.returncode, done.stdout.split(" (")[0]), (0, "Region 2"))
        done = self.ompd(*source, "--team", "999", "n")
        self.assertEqual((done.returncode, done.stdout), (2, "No thread is in region 999.\n"))
        self.assertEqual(self.ompd(*source, "nothing").returncode, 2)


if __name__ == "__main__":
    xmltest.main()
