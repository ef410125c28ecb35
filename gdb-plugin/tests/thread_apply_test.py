# SPDX-License-Identifier: Apache-2.0
"""What the extension does inside of GDB's `thread apply` and `frame apply` leaves nothing behind: each of its
commands prints afterwards what it prints in a GDB that has executed no such command.

All commands come from GDB's command line. One that Python executes before them would hide the defect that
cli.py describes.
"""

import os
import re
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

ENV = {"OMP_WAIT_POLICY": "passive", "OMP_MAX_ACTIVE_LEVELS": "2", "OMP_DYNAMIC": "false",
       "TRUTH_HOLD_SECONDS": "120", "TRUTH_TIMEOUT": "60"}
ALONE = dict(ENV, OMP_THREAD_LIMIT="1")
# taas: `thread apply all -s -- `; tfaas: `thread apply all -s -- frame apply all -s -- `.
BEFORE = ("thread apply all bt", "thread apply 1 bt", "taas bt", "tfaas bt", "frame apply all bt 1",
          "frame apply all output $ompd_thread_num()", "thread apply all ompd up")
# Each that prints a frame, a table, a list or a text of GDB's, or selects.
PRINTS = ("ompd up", "ompd down", "ompd frame up", "ompd frame down", "ompd up 2", "ompd task -select",
          "ompd task 5 -select", "ompd thread 1", "ompd thread 0 bt 2", "ompd team bt 1",
          "ompd team info threads", "ompd print owner", "ompd catch task", "ompd catch barrier all",
          "ompd catch lock if $ompd_level() == 1", "info breakpoints", "show ompd", "ompd", "info openmp",
          "ompd waits", "bt", "python gdb.execute('frame')")
RUNS = ("ompd step", "ompd step", "ompd next", "ompd up", "ompd down", "ompd catch barrier all", "continue",
        "bt", "ompd up", "ompd frame up", "delete", "ompd step", "python gdb.execute('info threads')",
        "ompd finish")
MARK = "--- %d"


def walk_line(text):
    with open(os.path.join(gdbrun.ROOT, "gdb-plugin/tests/walk.c")) as f:
        return next(number for number, one in enumerate(f, 1) if "/* %s */" % text in one)


class ThreadApply(unittest.TestCase):
    maxDiff = None

    def screens(self, before, commands, *arguments, start=(), env=None):
        """What each of COMMANDS prints, after START and the command BEFORE."""
        line = list(start) + ([before] if before else [])
        for number, one in enumerate(commands):
            line += ["echo \\n%s\\n" % (MARK % number), one]
        line += ["echo \\n%s\\n" % (MARK % len(commands))]
        options = [word for one in line for word in ("-ex", one)]
        answer = gdbrun.gdb("", [*options, *arguments], env=env or ENV)
        self.assertEqual(answer.problems(), [], "%s\n%s" % (before, answer))
        found, rest = [], answer.out
        for number in range(len(commands) + 1):
            screen, mark, rest = rest.partition("\n%s\n" % (MARK % number))
            self.assertTrue(mark, "%s\n%s" % (before, answer))
            screen = re.sub(r"\b(process|LWP) \d+", r"\1 N", screen)  # each live one has another
            # Of a file that it does not have GDB speaks from the second time on.
            found.append(re.sub(r"(?m)^\d+\t(in .*|.*: No such file or directory\.)\n", "", screen))
        return found[1:]

    def check(self, commands, *arguments, **more):
        """command -> all that it has printed where nothing was executed before"""
        expected = self.screens(None, commands, *arguments, **more)
        for before in BEFORE:
            found = self.screens(before, commands, *arguments, **more)
            for command, ours, theirs in zip(commands, found, expected):
                self.assertEqual(ours, theirs, "%s, after %s" % (command, before))
        texts = {}
        for command, screen in zip(commands, expected):
            texts[command] = texts.get(command, "") + screen
        return texts

    def held(self, compiler):
        """A process in which each thread sleeps or waits."""
        program = gdbrun.find("test-targets/task_lock_%s.exe" % compiler)
        process = subprocess.Popen([program], env=dict(os.environ, **ENV), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        process.stdout.readline()
        return process, program

    def check_prints(self, expected):
        """The commands did print: what is compared is not that nothing was there."""
        self.assertIn("in main", expected["bt"])
        for command in ("ompd thread 1", "ompd up 2", "ompd task -select", "python gdb.execute('frame')"):
            self.assertIn("#", expected[command], command)
        self.assertIn("Breakpoint 1: task begin", expected["ompd catch task"])

    def test_attached(self):
        process, _ = self.held("gcc")
        self.check_prints(self.check(PRINTS, "-p", str(process.pid)))

    def test_core(self):
        process, program = self.held("clang")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            subprocess.run(["gcore", "-o", os.path.join(folder, "core"), str(process.pid)], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            core = os.path.join(folder, "core.%d" % process.pid)
            self.check_prints(self.check(PRINTS, program, core))

    def test_live(self):
        start = ("break walk.c:%d" % walk_line("in the region"), "run")
        for compiler in ("clang", "gcc"):
            program = gdbrun.find("gdb-plugin/tests/walk_%s.exe" % compiler)
            expected = self.check(RUNS, program, start=start, env=ALONE)
            self.assertRegex(expected["ompd step"], r"(?m)^\d+\t")
            self.assertIn("walk.c", expected["bt"])


if __name__ == "__main__":
    xmltest.main()
