# SPDX-License-Identifier: Apache-2.0
"""Regions, places and stacks of a program that was compiled with -O2: lines of headers in the program's own
functions, bodies with a cold part, bodies that end in a jump, creators at the end of their region. The lines
are those of comments in the source (optimised.cc).

A function that is inlined into another one has a row like any; one that has left by a jump has none.
"""
import json
import os
import re
import subprocess
import time

import gdbrun
import xmltest
from installed import Case, FOLDER

SOURCE = gdbrun.find("corefiles/tests/optimised.cc")
LIBRARIES = os.path.join(FOLDER, "prefix/lib/ompcompanion")
with open(SOURCE) as _file:
    LINES = {name: number for number, line in enumerate(_file, 1) for name in re.findall(r"/\*@(\w+)\*/", line)}
# What is around the region, from its call outwards.
OUTSIDE = {"header": [("header", "header"), ("main", "from_header")],
           "cold": [("cold", "cold"), ("main", "from_cold")],
           "jump": [("jump", "jump"), ("main", "from_jump")]}
# Function and line of the worker's own rows; of a body the line is not asked.
WORKER = {"header": [("by_pointer", "by_pointer"), ("header", None)],
          "cold": [("seldom", "seldom"), ("cold", None)],
          "jump": [("last", "last")],
          "nested": [("by_pointer", "by_pointer"), ("nested", None), ("nested", "nested"), ("nested", "inner"),
                     ("nested", "nested"), ("main", "from_nested")]}


class Optimised(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for compiler in "g++", "clang++-14":
            subprocess.run([compiler, "-g", "-O2", "-std=c++17", "-fopenmp", SOURCE, "-o",
                            os.path.join(FOLDER, "optimised_" + compiler)], check=True)

    def waiting(self, process):
        """The report once thread 1 waits for the lock and the others for it."""
        for _ in range(600):
            report = json.loads(self.ok("report", "--json", "-p", process.pid).stdout)
            if len(report["threads"]) > 1 and all(row["wait"] for row in report["threads"]):
                return report
            time.sleep(.05)
        raise AssertionError(report["threads"])

    def rows(self, report, thread):
        """[function, line] of the program's frames, with those of its creators."""
        stacks = {stack["lwp"]: stack for stack in report["stacks"]}
        found = [frame for frame in stacks[thread["lwp"]]["frames"] if frame["kind"] == "user"]
        for part in stacks[thread["lwp"]]["joined"]:
            found += [frame for frame in stacks[part["lwp"]]["frames"][part["frame"]:] if frame["kind"] == "user"]
        return [(frame["function"], frame["line"] if frame["file"].endswith("optimised.cc") else frame["file"])
                for frame in found]

    def check(self, what, compiler, worker=None, **env):
        with self.subTest(what, compiler=compiler), \
                subprocess.Popen([os.path.join(FOLDER, "optimised_" + compiler), what],
                                 stdout=subprocess.PIPE, universal_newlines=True,
                                 env=dict(os.environ, OMP_WAIT_POLICY="passive", **env)) as process:
            try:
                self.assertEqual(process.stdout.readline(), "ready\n")
                report = self.waiting(process)
                bt = gdbrun.gdb("for t in gdb.selected_inferior().threads():\n"
                                "    if t.ptid[1] == %d: t.switch(); say(run('bt')[0])" % self.lock(report)["lwp"],
                                ["-p", str(process.pid)], env={"LD_LIBRARY_PATH": ""})
            finally:
                process.kill()
            for region in report["regions"]:
                if region["kind"] == "parallel":
                    self.assertEqual((region["function"], region["line"]), (what, LINES[what]))
            thread = self.lock(report)
            expected = (worker or WORKER[what]) + ([] if what == "nested" else OUTSIDE[what])
            self.assertEqual(thread["wait"]["at"]["function"], expected[0][0])
            self.assertEqual(thread["wait"]["at"]["line"], LINES[expected[0][1]])
            rows = self.rows(report, thread)
            self.assertEqual([row[0] for row in rows], [row[0] for row in expected])
            for row, (_, line) in zip(rows, expected):
                self.assertIn(row[1], [LINES[line]] if line else range(1, 100))
            self.assertEqual(bt.problems(), [])
            # GDB's rows: the functions are the same, its own lines of the innermost one are not.
            self.assertEqual(re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) .*optimised.cc", bt.said[0], re.M)[-3:],
                             [row[0] for row in expected][-3:], bt.said[0])

    @staticmethod
    def lock(report):
        return next(row for row in report["threads"] if row["wait"]["kind"] == "lock")

    def test_libgomp(self):
        for what in WORKER:
            self.check(what, "g++")

    def test_companion(self):
        for what in WORKER:
            self.check(what, "g++", LD_LIBRARY_PATH=LIBRARIES)

    def test_companion_of_clang(self):
        for what in WORKER:
            self.check(what, "clang++-14", LD_LIBRARY_PATH=LIBRARIES)


if __name__ == "__main__":
    xmltest.main()
