# SPDX-License-Identifier: Apache-2.0
"""OMPT of 2016: handshake, OMP_TOOL, look-up, events, inquiry, fork(), and beside a tool of today.

    draft_test.py RUNTIME-TSAN TOOL-LIBRARY-OF-TODAY PROGRAM...

The programs have draft_tool.c in them, which judges what comes; draft_and_ompt has both times' handshakes.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import tsan
import xmltest

TSAN, TODAY = (os.path.abspath(path) for path in sys.argv[1:3])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[3:]]
del sys.argv[1:]

STATES = """work_serial=0 work_parallel=1 work_reduction=2 idle=10 overhead=20 wait_barrier=40
    wait_barrier_implicit=41 wait_barrier_explicit=42 wait_taskwait=50 wait_taskgroup=51 wait_lock=60
    wait_nest_lock=61 wait_critical=62 wait_atomic=63 wait_ordered=64 undefined=70""".split()
NO_CALLBACK, NEVER, SOMETIMES, ALWAYS = 1, 2, 3, 4
# docs/tools.md has the same by name.
GCC_INLINES = (27, 28, 37, 38, 61)
SPECIAL = {n: SOMETIMES for n in (20, 49, 55)}
SPECIAL.update({n: NEVER for n in [35, 36] + list(range(62, 69))})
SPECIAL.update({69: NO_CALLBACK, 70: NO_CALLBACK})


def handshake(program):
    special = dict(SPECIAL)
    if program.endswith("_gcc.exe"):
        special.update({n: SOMETIMES for n in GCC_INLINES})
    answers = [0] + [special.get(n, ALWAYS) for n in range(1, 71)] + [0]
    return ["initialize Companion version 2 names 18 global 0 unknown 0", "states " + " ".join(STATES),
            "answers " + " ".join(map(str, answers))]


def start(program, mode, status=0, **env):
    done = subprocess.run([program, mode], env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    if done.returncode != status:
        raise AssertionError("%s %s: %d\n%s%s" % (program, mode, done.returncode, done.stdout, done.stderr))
    return done.stdout.splitlines(), done.stderr


class Draft(unittest.TestCase):
    maxDiff = None

    def programs(self, name="draft_program"):
        found = [path for path in PROGRAMS if os.path.basename(path).startswith(name + "_")]
        self.assertEqual(len(found), 2)
        for program in found:
            with self.subTest(os.path.basename(program)):
                yield program

    def test_handshake(self):
        for program in self.programs():
            wanted = ["ompt_tool 1"] + handshake(program) + ["program: threads 3 asked 1",
                                                             "shutdown violations 0"]
            for value in (None, "enabled", " Enabled\t"):
                env = {} if value is None else {"OMP_TOOL": value}
                self.assertEqual(start(program, "plain", TOOL="print", **env), (wanted, ""))

    def test_null(self):
        for program in self.programs():
            self.assertEqual(start(program, "plain", TOOL="null"),
                             (["ompt_tool 1", "program: threads 3 asked 1"], ""))

    def test_disabled(self):
        for program in self.programs():
            for value in ("disabled", "  DISABLED "):
                self.assertEqual(start(program, "plain", TOOL="print", OMP_TOOL=value),
                                 (["program: threads 3 asked 0"], ""))

    def test_other_values_end_the_program(self):
        for program in self.programs():
            for value in ("maybe", "1", "enabled disabled", ""):
                lines, said = start(program, "plain", status=1, TOOL="print", OMP_TOOL=value)
                self.assertEqual(lines, [])
                self.assertIn("error: OMP_TOOL: '%s' is neither enabled nor disabled" % value, said)

    def test_events(self):
        for program in self.programs():
            start(program, "load")

    def test_no_races(self):
        for program in self.programs():
            with tempfile.TemporaryDirectory() as scratch:
                start(program, "load", **tsan.environment(TSAN, scratch))
                self.assertEqual(tsan.reports(scratch), "")

    def test_inquiry(self):
        for program in self.programs():
            start(program, "ask")

    def test_fork(self):
        for program in self.programs():
            lines, _ = start(program, "fork", OMP_NUM_THREADS="2")
            self.assertEqual(lines,
                             ["child: threads 4 asked 1 more, thread begins 2 more", "parent: child ended 0",
                                     "program: threads 3 asked 1",
                                     "child: threads 0 asked 0 more, thread begins 0 more",
                              "parent: child ended 0",
                                     "child: threads 6 asked 1 more, thread begins 3 more",
                              "parent: child ended 0",
                                     "program: threads 3 asked 1"])

    def test_beside_a_tool_of_today_in_a_library(self):
        for program in self.programs():
            lines, _ = start(program, "plain", TOOL="print", OMP_TOOL_LIBRARIES=TODAY)
            today = [line for line in lines if line.startswith("library:")]
            self.assertEqual(today[0], "library: start 202111 Companion")
            self.assertEqual(today[-1], "library: finalize data 7 threads 3 3")
            # The draft's comes behind it, and hears of the same threads: none is open at the shutdown.
            self.assertEqual([line for line in lines if not line.startswith("library:")],
                             ["ompt_tool 1"] + handshake(program)
                             + ["program: threads 3 asked 1", "shutdown violations 0"])
            self.assertLess(lines.index(today[1]), lines.index("ompt_tool 1"))

    def test_illegal_value_beside_a_tool_of_today(self):
        for program in self.programs():
            self.assertIn("ompt_tool 1", start(program, "plain", TOOL="print", OMP_TOOL_LIBRARIES=TODAY,
                                               OMP_TOOL="maybe")[0])

    def test_one_module_is_one_tool(self):
        for program in self.programs("draft_and_ompt"):
            lines, _ = start(program, "plain", TOOL="print")
            self.assertIn("program: start 202111 Companion", lines)
            self.assertIn("program: threads 3 asked 0", lines)
            lines, _ = start(program, "plain", TOOL="print", TOOL_START="null")
            self.assertEqual(lines, ["program: start 202111 Companion", "ompt_tool 1"] + handshake(program) +
                             ["program: threads 3 asked 1", "shutdown violations 0"])


if __name__ == "__main__":
    xmltest.main()
