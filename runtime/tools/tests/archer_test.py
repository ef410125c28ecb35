# SPDX-License-Identifier: Apache-2.0
"""Archer, LLVM's race detector for OpenMP, on Companion: it finds each planted race of archer_program.c and has nothing to
say of its other cases. Archer is an OMPT tool that was written for libomp, so it is also a judge of our events.

    archer_test.py RUNTIME PROGRAM.C HEADERS

The libraries are Debian's, of three releases: downloaded and unpacked, not installed (tools/debian.py).
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import debian
import xmltest

RUNTIME, SOURCE, HEADERS = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:]
RACES = {"race_region", "race_lock", "race_nowait", "race_tasks", "race_dependence"}
FOUND = 66  # the exit code for a report


class Archer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        os.symlink(RUNTIME, os.path.join(cls.scratch, "libompcompanion.so.1"))
        os.symlink(RUNTIME, os.path.join(cls.scratch, "libomp.so"))
        cls.program = os.path.join(cls.scratch, "program")
        subprocess.run(["clang", "-g", "-O0", "-Wall", "-fsanitize=thread", "-fopenmp", "-fopenmp-version=51", SOURCE,
                        "-I", HEADERS, "-L", cls.scratch, "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch, ignore_errors=True)

    def run_case(self, name, archer):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_"))}
        env.update(LD_LIBRARY_PATH=self.scratch, OMP_MAX_ACTIVE_LEVELS="3", ARCHER_OPTIONS="verbose=1",
                   TSAN_OPTIONS="ignore_noninstrumented_modules=1:atexit_sleep_ms=50:exitcode=%d" % FOUND)
        if archer is not None:
            env["OMP_TOOL_LIBRARIES"] = archer
        return subprocess.run([self.program] + name, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=120)

    def check(self, version):
        try:
            archer = debian.unpacked("libomp-%d-dev" % version, "usr/lib/llvm-%d/lib/libarcher.so" % version)
        except debian.Unusable as error:
            raise unittest.SkipTest(str(error)) from None
        names = self.run_case([], archer).stdout.split("\n")
        names = [name for name in names if name and " " not in name]
        self.assertTrue(RACES < set(names) and len(names) >= len(RACES) + 16, names)
        for name in names:
            with self.subTest(name, archer=version):
                # Of accesses at the very same time ThreadSanitizer may see none, once in many runs.
                for _ in range(5 if name in RACES else 1):
                    done = self.run_case([name], archer)
                    if done.returncode == FOUND:
                        break
                self.assertIn("Archer detected OpenMP application with TSan", done.stdout)
                self.assertEqual(done.returncode, FOUND if name in RACES else 0, done.stdout)
                self.assertEqual("data race" in done.stdout, name in RACES, done.stdout)

    def test_archer_14(self):
        self.check(14)

    def test_archer_16(self):
        self.check(16)

    def test_archer_19(self):
        self.check(19)

    def test_it_is_archer_that_knows(self):
        """Without it ThreadSanitizer takes a correct program for a wrong one: our events make the difference."""
        self.assertEqual(self.run_case(["locks"], None).returncode, FOUND)


if __name__ == "__main__":
    xmltest.main()
