# SPDX-License-Identifier: Apache-2.0
"""A program that was linked with libomp runs on Companion by LD_LIBRARY_PATH alone.

The libomp that it is linked with is made here: a library with libomp's SONAME and version node and the
symbols that the program needs, none of which does anything. So what runs can only be Companion.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, OBJECT, MAIN, HEADERS = sys.argv[1:5]


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


class DropIn(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        undefined = re.findall(r" U ((?:__kmpc_|omp_)\w+)", run("nm", OBJECT))
        with open(self.path("empty.c"), "w") as source:
            source.writelines("int %s(void) { return 0; }\n" % name for name in undefined)
        with open(self.path("empty.lds"), "w") as script:
            script.write("VERSION { global: *; };\n")
        run("gcc", "-w", "-shared", "-fPIC", self.path("empty.c"), "-o", self.path("libomp.so.5"),
            "-Wl,-soname,libomp.so.5,--version-script=" + self.path("empty.lds"))
        run("gcc", "-I", HEADERS, MAIN, OBJECT, self.path("libomp.so.5"), "-o", self.path("app"), "-pthread")
        os.mkdir(self.path("ompcompanion"))
        for name in ("libomp.so", "libomp.so.5", "libiomp5.so"):
            os.symlink(os.path.abspath(LIBRARY), self.path("ompcompanion", name))

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def run_with(self, directory):
        return subprocess.run([self.path("app")], env=dict(os.environ, LD_LIBRARY_PATH=self.path(directory)),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)

    def test_the_empty_library_alone_does_not_pass(self):
        self.assertNotEqual(self.run_with("").returncode, 0)

    def test_all_cases_hold_on_companion_without_a_word_on_stderr(self):
        done = self.run_with("ompcompanion")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_linked_in_one_go(self):
        """Each compiler's -fopenmp takes Companion from the folder of names as `./dev install` makes it."""
        with open(self.path("sum.c"), "w") as source:
            source.write(
                "#include <stdio.h>\nint main(void) { int n = 0;\n#pragma omp parallel reduction(+ : n) "
                "num_threads(3)\n"
                         "n++; printf(\"%d\\n\", n); }\n")
        for name in ("libgomp.so", "libompcompanion.so.1"):
            os.symlink(os.path.abspath(LIBRARY), self.path("ompcompanion", name))
        for compiler in ("gcc", "clang"):
            run(compiler, "-fopenmp", self.path("sum.c"), "-L", self.path("ompcompanion"),
                "-Wl,-rpath," + self.path("ompcompanion"), "-o", self.path("sum"))
            needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", self.path("sum")))
            self.assertIn("libompcompanion.so.1", needed, compiler)
            self.assertFalse([one for one in needed if "gomp" in one or "libomp.so" in one], needed)
            self.assertEqual(run(self.path("sum")), "3\n")


if __name__ == "__main__":
    del sys.argv[1:5]
    xmltest.main()
