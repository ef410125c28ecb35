# SPDX-License-Identifier: Apache-2.0
"""Ordered loops and doacross nests wake whose turn it is, and nobody else: so many voluntary switches, not so
many a thread.

    turns_test.py LIBRARY

Where gcc's own runtime sleeps too (it spins in doacross nests), it is the measure: at most twice its switches
and 200.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY = os.path.abspath(sys.argv[1])
del sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
THREADS, ITERATIONS = 128, 512
# Case -> how often an iteration may sleep: once in its own code, and once for each that it waits for.
CASES = {"ordered": 2, "dynamic": 2, "chunks": 2, "chain": 2, "nest": 5}
SPINS = ("chain", "nest")
# A thread sleeps when it is made, for the region, at its end; and some turns share a futex and a bit.
FOR_A_THREAD = 8


class Turns(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.program = os.path.join(cls.folder, "turns")
        os.mkdir(os.path.join(cls.folder, "lib"))
        os.symlink(LIBRARY, os.path.join(cls.folder, "lib", "libgomp.so.1"))
        done = subprocess.run(["gcc", "-O1", "-fopenmp", os.path.join(HERE, "turns.c"), "-o", cls.program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        if done.returncode:
            raise AssertionError(done.stdout)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def switches(self, case, companion):
        env = {name: value for name, value in os.environ.items()
               if not re.match("G?OMP_|KMP_|LD_LIBRARY", name)}
        env["OMP_STACKSIZE"] = "256K"
        if companion:
            env["LD_LIBRARY_PATH"] = os.path.join(self.folder, "lib")
        done = subprocess.run([self.program, case, str(THREADS), str(ITERATIONS)], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout)
        return int(re.search(r"switches (\d+)", done.stdout).group(1))

    def check(self, case):
        ours = self.switches(case, True)
        print(case, ours)
        self.assertLessEqual(ours, CASES[case] * ITERATIONS + FOR_A_THREAD * THREADS)
        if case not in SPINS:
            self.assertLessEqual(ours, 2 * self.switches(case, False) + 200)


for name in CASES:
    setattr(Turns, "test_" + name, lambda self, case=name: self.check(case))

if __name__ == "__main__":
    xmltest.main()
