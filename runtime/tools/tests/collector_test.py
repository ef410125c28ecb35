# SPDX-License-Identifier: Apache-2.0
"""The collector API: the 41 rows of the checklist and the eleven known defects of other implementations, by
number, and the events, for programs of both compilers.

    collector_test.py RUNTIME RUNTIME-TSAN EARLY-SOURCE HEADER PROGRAM...

Each case is a process of its own (collector_client.c); the programs judge themselves.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import tsan
import xmltest

RUNTIME, TSAN, EARLY, HEADER = (os.path.abspath(path) for path in sys.argv[1:5])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[5:]]
del sys.argv[1:]
EARLY_ROW = 9
ROWS = ["row_%02d" % n for n in range(1, 42) if n != EARLY_ROW] + ["defect_%02d" % n for n in range(1, 12)]


def output_of(command, **env):
    done = subprocess.run(command, env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError("%s: %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


def program(name, compiler):
    return next(path for path in PROGRAMS if os.path.basename(path) == "%s_%s.exe" % (name, compiler))


class Cases(unittest.TestCase):
    def test_all_are_there(self):
        for compiler in ("clang", "gcc"):
            self.assertEqual(sorted(output_of([program("collector_cases", compiler)]).split()), sorted(ROWS))

    def test_row_09(self):
        include = "-I" + os.path.dirname(HEADER)
        for compiler in ("clang", "gcc"):
            with tempfile.TemporaryDirectory() as there:
                library, main, exe = (os.path.join(there, name) for name in ("libearly.so", "main.o", "main"))
                runtime = os.path.join(there, "libompcompanion.so.1")
                os.symlink(os.path.realpath(RUNTIME), runtime)
                output_of([compiler, "-shared", "-fPIC", "-DLIBRARY", include, EARLY, "-o", library])
                output_of([compiler, "-fopenmp", include, "-c", EARLY, "-o", main])
                output_of([compiler, main, "-Wl,--no-as-needed,-rpath," + there, runtime, library, "-o", exe])
                self.assertEqual(output_of([exe]), "early 1 forks 5\n")


def add_case(name):
    def run(self):
        for compiler in ("clang", "gcc"):
            with self.subTest(compiler):
                output_of([program("collector_cases", compiler), name])
    setattr(Cases, "test_" + name, run)


for row in ROWS:
    add_case(row)


class Events(unittest.TestCase):
    def check(self, mode, **env):
        for compiler in ("clang", "gcc"):
            with self.subTest(compiler):
                self.assertIn("events", output_of([program("collector_events", compiler), mode], **env))

    def test_begin_to_end(self):
        self.check("all")

    def test_session_that_begins_in_a_region(self):
        self.check("late")

    def races(self, mode):
        with tempfile.TemporaryDirectory() as scratch:
            self.check(mode, **tsan.environment(TSAN, scratch))
            self.assertEqual(tsan.reports(scratch), "")

    def test_no_races(self):
        self.races("all")

    def test_no_races_with_sessions_that_come_and_go(self):
        self.races("sessions")


if __name__ == "__main__":
    xmltest.main()
