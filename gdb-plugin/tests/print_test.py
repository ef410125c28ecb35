# SPDX-License-Identifier: Apache-2.0
"""`ompd print`: the values that the program has printed itself, from a worker, living and on a core, on
Companion and on the compiler's own runtime.

    print_test.py SHARED-LIBRARY
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import gdbrun
import xmltest

SHARED = os.path.abspath(sys.argv.pop(1))
ASK = """
def ask():
    # A worker, whose stack does not have the function around the region.
    run("ompd thread 2")
    was = selection()
    said = {name: run("ompd print " + name) for name in %r}
    said["::shade"] = run("ompd print ::shade")
    said["team mine"] = run("ompd print -team mine")
    said["team pass"] = run("ompd print -team pass")
    said["nothing"] = run("ompd print")
    said["selection"] = was, selection()
    return said
"""
RUN = """
run("break all_here"); run("run")
say(ask()); run("gcore core")
say([run(c)[0] for c in ("ompd print ::shade++", "output ::shade")])
"""


class Print(unittest.TestCase):
    longMessage = True

    def check(self, compiler, source, stock=False):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            for name in ("libompcompanion.so.1", "libomp.so", "libgomp.so.1", "libomp.so.5"):
                os.symlink(os.path.realpath(SHARED), os.path.join(folder, name))
            program = os.path.join(folder, "program")
            subprocess.run([compiler, "-g", "-fopenmp", "-I", os.path.join(gdbrun.ROOT, "include"),
                            gdbrun.find("gdb-plugin/tests/" + source), "-L", folder, "-o", program],
                           check=True)
            env = {"OMP_WAIT_POLICY": "passive"}
            if not stock:
                env["LD_LIBRARY_PATH"] = folder
            names = ("pass", "shade", "unused") + (() if source.endswith(".f90") else ("kept",))
            ask = ASK % (names,)
            live = gdbrun.gdb(ask + RUN, ["--args", program], env=env, cwd=folder)
            truth = json.loads(re.search("^TRUTH (.*)$", live.out, re.M).group(1))
            core = gdbrun.gdb(ask + "say(ask())", [program, os.path.join(folder, "core")], cwd=folder)
            for answer in (live, core):
                self.assertEqual(answer.problems(), [], str(answer))
                self.judge(truth, answer.said[0], names)
            if source.endswith(".c"):
                self.assertRegex(" ".join(live.said[1]), r"^\$\d+ = 1\n(.*\n)? 2$", "evaluated once")

    def judge(self, truth, said, names):
        for name in names:
            text, error = said[name]
            self.assertIsNone(error, name)
            # gcc describes a static variable for the body too.
            thread = "[13]" if name == "kept" else "1"
            self.assertRegex(text, r"^\$\d+ = %d\n  in (outer::)?work, frame \d+ of thread %s "
                             % (truth[name], thread), name)
        self.assertRegex(said["team pass"][0], r"^0-3  %d  in (outer::)?work\n$" % truth["pass"])
        self.assertIn("The expression is missing", said["nothing"][1])
        self.assertEqual(*said["selection"])
        if "kept" in names:
            self.assertEqual(said["team mine"][0], "0-1, 3  7  in hold\n     2  5  in hold\n")
            self.assertRegex(said["::shade"][0], r"^\$\d+ = 1\n")

    def test_gcc(self):
        self.check("gcc", "outer.c")

    def test_clang(self):
        self.check("clang", "outer.c")

    def test_gfortran(self):
        self.check("gfortran", "outer_fortran.f90")

    def test_gcc_on_libgomp(self):
        self.check("gcc", "outer.c", stock=True)


if __name__ == "__main__":
    xmltest.main()
