# SPDX-License-Identifier: Apache-2.0
"""`ompd print`, `ompd up` and $ompd_outer: the values that the program has printed itself, from a worker,
living and on a core, on Companion and on the compiler's own runtime.

    print_test.py SHARED-LIBRARY
"""

import contextlib
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
    said["json"] = document("ompd print -json pass")
    said["json team"] = document("ompd print -team -json pass")
    # GDB's "auto" takes the frame's language: in libc's it may be that of the program, or C.
    run("set language c")
    said["outer"] = {name: run('output $ompd_outer("%%s")' %% name) for name in %r}
    run("set language fortran")
    said["outer in Fortran"] = {name: run("output $ompd_outer('%%s')" %% name) for name in said["outer"]}
    run("set language auto")
    said["selection"] = was, selection()
    return said
def walk():
    # `ompd up` from the worker until another thread is selected, and back.
    run("ompd thread 2")
    at = [selection()]
    while at[-1][0] == at[0][0]:
        said = run("ompd up")
        at.append(selection())
        if said[1]: break
    here = said[0].splitlines()[0], run("output pass")[0], run("info locals")[0]
    back = run("ompd down")[0].splitlines()[0], selection()
    return at, here, back
"""
RUN = """
run("break all_here"); run("run")
say(ask()); run("gcore core")
say([run(c)[0] for c in ("ompd print ::shade++", "output ::shade")])
say(walk())
"""
# At a breakpoint's condition too.
MEMBERS = """
run('break all_here if $ompd_outer("pass") > 20'); run("run")
run("thread %d")
say([{name: run('output $ompd_outer("%%s")' %% name) for name in %r},
     {name: run("ompd print " + name) for name in %r}, run("bt"), document("ompd print -json lost")])
"""
INNER = {"depth": 3, "m": 5, "this->m": 5, "inherited": 81, "pass": 22, "outermost": 11}
TASK = {"width": 60, "height": 61, "m": 5, "inherited": 81, "pass": 21, "outermost": 11}


class Print(unittest.TestCase):
    longMessage = True

    @contextlib.contextmanager
    def built(self, compiler, source, stock):
        """(the program, its environment), in a folder of its own."""
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
            yield program, env

    def check(self, compiler, source, stock=False):
        with self.built(compiler, source, stock) as (program, env):
            folder = os.path.dirname(program)
            names = ("pass", "shade", "unused") + (() if source.endswith(".f90") else ("kept",))
            ask = ASK % (names, names[:3])
            live = gdbrun.gdb(ask + RUN, ["--args", program], env=env, cwd=folder)
            truth = json.loads(re.search("^TRUTH (.*)$", live.out, re.M).group(1))
            core = gdbrun.gdb(ask + "say(ask())", [program, os.path.join(folder, "core")], cwd=folder)
            for answer in (live, core):
                self.assertEqual(answer.problems(), [], str(answer))
                self.judge(truth, answer.said[0], names)
            at, here, back = live.said[2]
            self.assertEqual(at[-1][0], 1, "the thread that created the region")
            self.assertRegex(here[0], r"^In thread 1 \(LWP \d+\), which created region \d+\. .*goes back to")
            self.assertEqual(here[1], str(truth["pass"]))
            self.assertIn("shade = %d" % truth["shade"], here[2])
            self.assertRegex(back[0], r"^Back in thread \d")
            self.assertEqual(back[1], at[-2])
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
        for way in ("outer", "outer in Fortran"):
            for name, (text, error) in said[way].items():
                self.assertEqual((text, error), (str(truth[name]), None), (way, name))
        one, team = said["json"], said["json team"]["team"]
        self.assertEqual((one["value"], one["why"]), (str(truth["pass"]), None))
        self.assertEqual(one["type"].lower()[:3], "int")
        self.assertEqual([row["value"] for row in team], [str(truth["pass"])] * 4)
        self.assertIn("The expression is missing", said["nothing"][1])
        self.assertEqual(*said["selection"])
        if "kept" in names:
            self.assertEqual(said["team mine"][0], "0-1, 3  7  in hold\n     2  5  in hold\n")
            self.assertRegex(said["::shade"][0], r"^\$\d+ = 1\n")

    def members(self, compiler, way, thread, truth, stock=False):
        with self.built(compiler, "outer_members.cc", stock) as (program, env):
            names = tuple(truth) + ("lost", "argc")
            answer = gdbrun.gdb(MEMBERS % (thread, names, names), ["--args", program, way], env=env)
            self.assertEqual(answer.problems(), [], str(answer))
            outer, printed, stack, lost = answer.said[0]
            for name, value in truth.items():
                self.assertEqual(outer[name], [str(value), None], name)
                self.assertRegex(printed[name][0], r"^\$\d+ = %d\n  in " % value, name)
            # No function around, but main has called that.
            self.assertEqual(outer["argc"][1], 'No function around the selected frame has "argc".')
            self.assertIsNone(lost["value"])
            self.assertIn("No symbol", lost["why"])

    def test_members_and_nested_regions(self):
        self.members("g++", "nested", 4, INNER)

    def test_tasks_clang(self):
        self.members("clang++", "tasks", 2, TASK)

    def test_tasks_on_libgomp(self):
        self.members("g++", "tasks", 2, TASK, stock=True)

    def test_creator_returned(self):
        """Whatever lies behind a task on its own thread has nothing to do with it."""
        with self.built("g++", "outer_members.cc", False) as (program, env):
            answer = gdbrun.gdb(MEMBERS % (2, ("lost", "pass"), ("lost", "pass")),
                                ["--args", program, "gone"], env=env)
            self.assertEqual(answer.problems(), [], str(answer))
            outer, printed, _, lost = answer.said[0]
            words = r"Solver::gone, which created task \d+, is no longer on the stack of thread 1 "
            for text in (outer["lost"][1], outer["pass"][1], printed["lost"][1], lost["why"]):
                self.assertRegex(text, words + r"\(LWP \d+\)\.$")

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
