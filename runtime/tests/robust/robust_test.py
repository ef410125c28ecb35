# SPDX-License-Identifier: Apache-2.0
"""Real processes on Companion: fork, dlopen, foreign threads, exits, signals, and the lack of threads, stack
and memory.

Arguments: the library, the directory of omp.h. Each program of this directory checks itself and ends by
itself; it is built with gcc and with clang. gcc's programs are linked with gcc's libgomp, as a user's are,
and find Companion under that name; clang's development name for its runtime need not be installed, so they
are linked with Companion.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, HEADERS = (os.path.abspath(path) for path in sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 200
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
NAMES = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so", "libompcompanion.so.1")
PROGRAMS = sorted(name for name in os.listdir(HERE) if name.endswith((".c", ".cc")) and name != "plugin.c")


class Robust(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        os.mkdir(self.path("ompcompanion"))
        for name in NAMES:
            os.symlink(LIBRARY, self.path("ompcompanion", name))

    def tearDown(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def build(self, compiler, source, output, *options):
        command = [COMPILERS[compiler][source.endswith(".cc")], "-O1", "-g", "-I", HEADERS, *options,
                   os.path.join(HERE, source), "-o", self.path(output), "-pthread"]
        if compiler == "clang":
            command += ["-L" + self.path("ompcompanion")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def check(self, compiler, source):
        if source == "dlopen.c":
            self.build(compiler, "plugin.c", "plugin.so", "-fopenmp", "-fPIC", "-shared")
            self.build(compiler, source, "app", "-ldl")
        else:
            self.build(compiler, source, "app", "-fopenmp")
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
        env["LD_LIBRARY_PATH"] = self.path("ompcompanion")
        used = subprocess.run(["ldd", self.path("plugin.so" if source == "dlopen.c" else "app")], env=env,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout
        self.assertIn(self.path("ompcompanion"), used)
        done = subprocess.run([self.path("app")], env=env, timeout=SECONDS, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^checks [1-9]\d*$")


for program in PROGRAMS:
    for name in COMPILERS:
        setattr(Robust, "test_%s_%s" % (program.rpartition(".")[0], name),
                lambda self, c=name, s=program: self.check(c, s))

if __name__ == "__main__":
    del sys.argv[1:3]
    xmltest.main()
