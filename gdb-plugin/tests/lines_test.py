# SPDX-License-Identifier: Apache-2.0
"""The lines of constructs in GDB are those of the directives, optimised or not.

    lines_test.py SHARED-LIBRARY
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import gdbrun
import xmltest

SHARED = os.path.abspath(sys.argv.pop(1))
FILES = [gdbrun.find("gdb-plugin/tests/" + name) for name in ("lines.cc", "lines.h")]


def directives(word):
    """(file, line) of each "#pragma omp WORD", from the source."""
    found = set()
    for path in FILES:
        with open(path) as f:
            found |= {(os.path.basename(path), number) for number, line in enumerate(f, 1)
                      if re.match(r"#pragma omp %s\b" % word, line)}
    return found


class Lines(unittest.TestCase):
    def check(self, compiler, *options):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            program = os.path.join(folder, "program")
            done = subprocess.run([compiler, "-g", "-fPIE", *options, "-fopenmp", "-I", gdbrun.ROOT,
                                   "-c", FILES[0], "-o", program + ".o"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            os.symlink(os.path.realpath(SHARED), os.path.join(folder, "libompcompanion.so.1"))
            subprocess.run(["g++", program + ".o", SHARED, "-pthread", "-o", program], check=True)
            # The first task is held until all others are created, and they depend on it.
            answer = gdbrun.gdb("""
run("break all_created"); run("run")
say(document("ompd tasks -json")["tasks"]); say(document("ompd parallel -json")["regions"])
say(run("bt -hide")[0])
""", ["--args", program], env={"OMP_WAIT_POLICY": "passive", "LD_LIBRARY_PATH": folder})
        self.assertEqual(answer.problems(), [], str(answer))
        tasks, regions, bt = answer.said
        self.assertEqual({(os.path.basename(row["file"]), row["line"]) for row in tasks
                          if row["kind"] == "explicit"}, directives("task"))
        self.assertEqual({(os.path.basename(row["file"]), row["line"]) for row in regions
                          if row["kind"] == "parallel"}, directives("parallel"))
        # At -O2 a body whose last call is a jump has no frame.
        shown = {(file, int(line)) for file, line in re.findall(r"\[#pragma omp \w+ at (\S+):(\d+)\]", bt)}
        self.assertLessEqual(shown, directives("parallel") | directives("task"), bt)
        if options[0] == "-O0":
            self.assertLessEqual(directives("parallel"), shown, bt)

    def test_gcc(self):
        for level in ("-O0", "-O1", "-O2", "-O3"):
            with self.subTest(level):
                self.check("g++", level)

    def test_clang(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level):
                self.check("clang++", level)


if __name__ == "__main__":
    xmltest.main()
