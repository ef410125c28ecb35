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
    LINES = {name: number for number, line in enumerate(_file, 1)
             for name in re.findall(r"/\*@(\w+)\*/", line)}
BODY = 11  # lines, no region's is longer
# What is around the region, from its call outwards.
OUTSIDE = {"lambda": [("lambda", "lambda"), ("main", "from_lambda")],
           "header": [("header", "header"), ("main", "from_header")],
           "cold": [("cold", "cold"), ("main", "from_cold")],
           "jump": [("jump", "jump"), ("main", "from_jump")]}
# Function and line of the worker's own rows; of a body the line is not asked.
WORKER = {"lambda": [("operator()", "in_lambda"), ("lambda", None)],
          "header": [("by_pointer", "by_pointer"), ("header", None)],
          "cold": [("seldom", "seldom"), ("cold", None)],
          "jump": [("last", "last")],
          "nested": [("by_pointer", "by_pointer"), ("nested", None), ("nested", "inner"),
                     ("nested", "nested"), ("main", "from_nested")]}


class Optimised(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = os.path.join(FOLDER, "optimised")
        subprocess.run(["g++", "-g", "-O2", "-std=c++17", "-fopenmp", SOURCE, "-o", cls.program], check=True)

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
        found = list(stacks[thread["lwp"]]["frames"])
        for part in stacks[thread["lwp"]]["joined"]:
            found += stacks[part["lwp"]]["frames"][part["frame"]:]
        return [(frame["function"],
                 frame["line"] if frame["file"].endswith("optimised.cc") else frame["file"])
                for frame in found if frame["kind"] == "user"]

    def check(self, what, **env):
        with self.subTest(what), \
                subprocess.Popen([self.program, what], stdout=subprocess.PIPE, universal_newlines=True,
                                 env=dict(os.environ, OMP_WAIT_POLICY="passive", **env)) as process:
            try:
                self.assertEqual(process.stdout.readline(), "ready\n")
                report = self.waiting(process)
                text = self.ok("stacks", "-p", process.pid).stdout
                in_gdb = gdbrun.gdb('say(document("ompd report -json"))', ["-p", str(process.pid)],
                                    env={"LD_LIBRARY_PATH": ""})
            finally:
                process.kill()
            for region in report["regions"]:
                if region["kind"] == "parallel":
                    self.assertEqual((region["function"], region["line"]), (what, LINES[what]))
            thread = self.lock(report)
            expected = WORKER[what] + ([] if what == "nested" else OUTSIDE[what])
            self.assertEqual(thread["wait"]["at"]["function"], expected[0][0])
            self.assertEqual(thread["wait"]["at"]["line"], LINES[expected[0][1]])
            self.assertRegex(text, r"#\d+ +%s at optimised.cc:%d( \(inlined\))?\n" % (
                re.escape(expected[0][0]), LINES[expected[0][1]]))
            rows = self.rows(report, thread)
            self.assertEqual([row[0] for row in rows], [row[0] for row in expected])
            for row, (_, line) in zip(rows, expected):
                self.assertIn(row[1], [LINES[line]] if line else range(LINES[what], LINES[what] + BODY))
            self.assertEqual(in_gdb.problems(), [], str(in_gdb))
            # GDB has fewer lines (docs/limits.md), and the same functions.
            self.assertEqual([row[0] for row in self.rows(in_gdb.said[0], thread)], [row[0] for row in rows])

    @staticmethod
    def lock(report):
        return next(row for row in report["threads"] if row["wait"]["kind"] == "lock")

    def test_libgomp(self):
        for what in WORKER:
            self.check(what)

    def test_companion(self):
        for what in WORKER:
            self.check(what, LD_LIBRARY_PATH=LIBRARIES)


if __name__ == "__main__":
    xmltest.main()
