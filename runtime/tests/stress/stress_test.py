# SPDX-License-Identifier: Apache-2.0
"""The stress (stress.c) on Companion, as gcc and as clang build it, each with a seed of its own that is
printed.

Arguments: the library, the directory of omp.h, seconds for each build; then, optionally, the library as
ThreadSanitizer instruments it: the programs run on that one, and any report is a failure. To see a failure
again: build the program the same way and run it with `0 SEED NUMBER` as the message gives them.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, HEADERS = (os.path.abspath(path) for path in sys.argv[1:3])
SECONDS = sys.argv[3]
SANITIZED = os.path.abspath(sys.argv[4]) if len(sys.argv) > 4 else None
del sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
# What the program itself allows a scenario, and what a loaded machine needs to build it.
PATIENCE = 60
NAMES = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so", "libompcompanion.so.1")


def sanitizer():
    path = subprocess.run(["gcc", "-print-file-name=libtsan.so"], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    return os.path.realpath(path.strip())


class Stress(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        os.mkdir(self.path("ompcompanion"))
        for name in NAMES:
            os.symlink(LIBRARY, self.path("ompcompanion", name))

    def tearDown(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def build(self, compiler):
        command = [compiler, "-std=gnu11", "-O1", "-g", "-fopenmp", "-I", HEADERS, *glob.glob(HERE + "/*.c"),
                   "-o", self.path("stress"), "-pthread", "-lm"]
        if compiler == "clang":
            command += ["-L" + self.path("ompcompanion")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def check(self, compiler):
        self.build(compiler)
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_", "STRESS_"))}
        env["LD_LIBRARY_PATH"] = self.path("ompcompanion")
        options = []
        if SANITIZED:
            env["LD_PRELOAD"] = "%s %s" % (sanitizer(), SANITIZED)
            env["TSAN_OPTIONS"] = "log_path=%s:exitcode=66:handle_segv=0:handle_abort=0" % self.path("log")
            # ThreadSanitizer ends a child of fork() that makes threads.
            options = ["-x", "forks", "-x", "forks_inside"]
        else:
            used = subprocess.run(["ldd", self.path("stress")], env=env, stdout=subprocess.PIPE,
                                  universal_newlines=True).stdout
            self.assertIn(self.path("ompcompanion"), used)
        seed = str(random.SystemRandom().randrange(1 << 48))
        print("%s: seed %s, %s s" % (compiler, seed, SECONDS), flush=True)
        done = subprocess.run([self.path("stress"), *options, SECONDS, seed], env=env, cwd=self.scratch,
                              timeout=float(SECONDS) + 5 * PATIENCE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, universal_newlines=True)
        reports = "".join(open(log).read() for log in glob.glob(self.path("log*")))
        if reports:
            self.fail(reports[:10000])
        self.assertEqual(done.returncode, 0, done.stdout)
        held = re.search(r"(?m)^seed %s: \d+ scenarios in \d+ s, all held$" % seed, done.stdout)
        self.assertTrue(held, done.stdout)
        print("%s: %s" % (compiler, held.group()), flush=True)

    def test_gcc(self):
        self.check("gcc")

    def test_clang(self):
        self.check("clang")


if __name__ == "__main__":
    xmltest.main()
