# SPDX-License-Identifier: Apache-2.0
"""The stress (stress.c) on Companion, as gcc and as clang build it: processes of some seconds each, one after
the other, whose seeds are consecutive, so that each draws settings of its own and every second one runs with
cancellation.

Arguments: the library, the directory of omp.h, seconds for each build; then, optionally, the library as
ThreadSanitizer instruments it: the programs are instrumented, too, and run on that one, and any report is a
failure. So the order is looked at that a program gets from barriers, locks and tasks. To see a failure again:
build the program the same way and run it with `0 SEED NUMBER` as the message gives them.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import tsan
import xmltest

LIBRARY, HEADERS = (os.path.abspath(path) for path in sys.argv[1:3])
SECONDS = float(sys.argv[3])
SANITIZED = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
del sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
# Seconds of a process, and what the program itself allows a scenario.
SLICE = 5 if SANITIZED else 3
PATIENCE = 60
NAMES = ("libgomp.so", "libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so", "libompcompanion.so.1")
TOLD = re.compile(r"seed \d+:((?: \w+=\w+)*)\n(?:.*\n)*seed \d+: (\d+) scenarios in \d+ s, all held\n")


class Stress(unittest.TestCase):
    maxDiff = None  # the sanitizer's whole report

    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        os.mkdir(self.path("ompcompanion"))
        for name in NAMES:
            os.symlink(SANITIZED or LIBRARY, self.path("ompcompanion", name))

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def command(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.scratch,
                              universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def build(self, compiler):
        """gcc links clang's objects, too: in a process there is one ThreadSanitizer, and the library is
        gcc's."""
        flags = ["-fsanitize=thread"] if SANITIZED else []
        self.command(compiler, "-std=gnu11", "-O1", "-g", "-fopenmp", *flags, "-I", HEADERS, "-c",
                     *glob.glob(HERE + "/*.c"))
        self.command("gcc", *flags, *glob.glob(self.path("*.o")), "-o", "stress",
                     "-L" + self.path("ompcompanion"), "-lgomp" if compiler == "gcc" else "-lomp", "-pthread",
                     "-lm")

    def environment(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("OMP_", "OMPC_", "GOMP_", "KMP_", "STRESS_"))}
        env["LD_LIBRARY_PATH"] = self.path("ompcompanion")
        used = subprocess.run(["ldd", self.path("stress")], env=env, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout
        self.assertIn(self.path("ompcompanion"), used)
        if SANITIZED:
            env["TSAN_OPTIONS"] = tsan.options(self.scratch)
        return env

    def check(self, compiler):
        self.build(compiler)
        env = self.environment()
        # ThreadSanitizer ends a child of fork() that makes threads.
        options = ["-x", "forks", "-x", "forks_inside"] if SANITIZED else []
        seed = random.SystemRandom().randrange(1 << 48)
        count, settings, end = 0, set(), time.monotonic() + SECONDS
        while time.monotonic() < end or len(settings) < 2:
            done = subprocess.run([self.path("stress"), *options, str(SLICE), str(seed)], env=env,
                                  cwd=self.scratch, timeout=SLICE + 5 * PATIENCE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, universal_newlines=True)
            reports = tsan.reports(self.scratch)
            self.assertEqual(reports, "", done.stdout)
            self.assertEqual(done.returncode, 0, done.stdout)
            told = TOLD.fullmatch(done.stdout)
            self.assertTrue(told, done.stdout)
            self.assertIn("OMP_CANCELLATION=%s" % ("true" if seed % 2 else "false"), told.group(1))
            settings.add(told.group(1))
            count += int(told.group(2))
            seed += 1
        print("%s: %d scenarios, %d settings, up to seed %d: all held"
              % (compiler, count, len(settings), seed - 1), flush=True)

    def test_gcc(self):
        self.check("gcc")

    def test_clang(self):
        self.check("clang")


if __name__ == "__main__":
    xmltest.main()
