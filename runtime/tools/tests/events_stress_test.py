# SPDX-License-Identifier: Apache-2.0
"""Balance and order of OMPT's events under load, as event_checker.c judges them: event_load.c (64 threads, a
million tasks, nested regions, dependences, cancellation) and the random scenarios of runtime/tests/stress, by
both compilers.

    events_stress_test.py RUNTIME CHECKER LOAD.C HEADERS TASKS SECONDS [SANITIZED RUNTIME] --
    STRESS-SOURCES...

With a runtime that ThreadSanitizer instruments, any report of it is a failure; the tool is not instrumented.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import tsan
import xmltest

_split = sys.argv.index("--")
RUNTIME, CHECKER, LOAD, HEADERS = (os.path.abspath(path) for path in sys.argv[1:5])
TASKS, SECONDS = sys.argv[5:7]
SANITIZED = os.path.abspath(sys.argv[7]) if _split > 7 else None
STRESS = [path for path in sys.argv[_split + 1:] if path.endswith(".c")]
del sys.argv[1:]

COMPILERS = ("clang", "gcc")
NAMES = ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so", "libgomp.so.1")
LINE = re.compile(r"violations 0 events (\d+) open: threads 0 regions 0 implicit 0 tasks 0 mutexes 0; "
                  r"syncs \d+ discarded (\d+) dependences (\d+) created (\d+)\n")


class Stress(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.library = os.path.join(self.scratch, "lib")
        os.mkdir(self.library)
        for name in NAMES:
            os.symlink(RUNTIME, os.path.join(self.library, name))

    def tearDown(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def run_checked(self, compiler, sources, arguments):
        """The program's output, and how many events, discarded tasks, dependences and tasks the tool has
        counted."""
        program = os.path.join(self.scratch, "program_" + compiler)
        built = subprocess.run([compiler, "-std=gnu11", "-O1", "-g", "-fopenmp", "-I", HEADERS, *sources,
                                "-o", program, "-L" + self.library, "-pthread", "-lm"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(built.returncode, 0, built.stdout)
        counts = os.path.join(self.scratch, "counts")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_", "STRESS_"))}
        env.update(OMP_CANCELLATION="true", OMP_MAX_ACTIVE_LEVELS="3", OMP_TOOL_LIBRARIES=CHECKER,
                   LD_LIBRARY_PATH=self.library, EVENT_CHECK_OUT=counts)
        if SANITIZED:
            env.update(tsan.environment(SANITIZED, self.scratch))
        done = subprocess.run([program] + arguments, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=240, stdin=subprocess.DEVNULL)
        reports = tsan.reports(self.scratch)
        if reports:
            self.fail(reports[:20000])
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(counts) as f:
            text = f.read()
        os.remove(counts)
        line = LINE.fullmatch(text)
        self.assertTrue(line, text)
        return done.stdout, [int(n) for n in line.groups()]

    def test_load(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                out, (events, discarded, dependences, created) = self.run_checked(compiler, [LOAD], [TASKS])
                low, high = map(int, re.fullmatch(r"tasks (\d+) to (\d+)\n", out).groups())
                self.assertTrue(low <= created <= high, (low, created, high))
                self.assertGreaterEqual(low, int(TASKS))
                self.assertEqual(dependences, 64 * 100 * 2)
                # Of each task the creation, the beginning and the end.
                self.assertGreater(events, 3 * low)
                self.assertGreater(discarded, 0)

    def test_scenarios(self):
        for compiler in COMPILERS:
            seed = str(random.SystemRandom().randrange(1 << 48))
            with self.subTest(compiler, seed=seed):
                # A child of fork() has no other thread, so it cannot tell of their ends.
                out, _ = self.run_checked(compiler, STRESS,
                                          ["-x", "forks", "-x", "forks_inside", SECONDS, seed])
                self.assertRegex(out, r"all held\n$")


if __name__ == "__main__":
    xmltest.main()
