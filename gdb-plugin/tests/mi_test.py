# SPDX-License-Identifier: Apache-2.0
"""GDB's machine interface as front ends use it, by one of their libraries (pygdbmi, from the Python
registry): attached from the beginning, as Emacs does with `gdb -i=mi -p`, and started."""

import os
import subprocess
import sys
import unittest

import compare
import debian
import gdbrun
import pypi
import xmltest

ENV = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "600", "TRUTH_TIMEOUT": "60"}
GDB = ["gdb", "-q", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set confirm off",
       "--interpreter=mi3", "-x", gdbrun.PLUGIN]
SECONDS = 120  # then GDB hangs

try:
    sys.path.insert(0, pypi.wheel("pygdbmi", "0.11.0.0"))
    MISSING = None
except debian.Unusable as _error:
    MISSING = str(_error)


def has_commands():
    """Whether this GDB has MI commands in Python: 13 and later."""
    done = subprocess.run(["gdb", "-nx", "-batch", "-ex", "python gdb.MICommand"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return done.returncode == 0


@unittest.skipIf(MISSING, MISSING)
class FrontEnd(unittest.TestCase):
    maxDiff = None

    def gdb(self, *words):
        from pygdbmi.gdbcontroller import GdbController
        gdb = GdbController(GDB + list(words))
        self.addCleanup(gdb.exit)
        return gdb

    def ask(self, gdb, command):
        """The payload of a command's result."""
        found = gdb.write(command, timeout_sec=SECONDS, read_response=False) or []
        while True:
            found += gdb.get_gdb_response(timeout_sec=SECONDS)
            results = [one for one in found if one["type"] == "result"]
            if results:
                self.assertIn(results[-1]["message"], ("done", "running"), results[-1])
                return results[-1]["payload"]

    def held(self, name):
        """(process, its own word) of a program that runs by itself, held in its state."""
        process = subprocess.Popen([gdbrun.find("test-targets/%s.exe" % name)], env=dict(os.environ, **ENV),
                                   stdout=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        text = ""
        while compare.read_truth(text) is None:
            line = process.stdout.readline()
            self.assertTrue(line, text)
            text += line
        return process, compare.read_truth(text)

    def test_attached_at_the_start(self):
        """The names are there before the front end has asked for anything."""
        process, truth = self.held("nested_clang")
        gdb = self.gdb("-p", str(process.pid))
        names = [one.get("name", "") for one in self.ask(gdb, "-thread-info")["threads"]]
        expected = sorted("omp %d/%d" % (one["thread_num"], one["team_size"]) for one in truth["threads"])
        self.assertEqual(sorted(name.partition("omp ")[1] + name.partition("omp ")[2].split()[0]
                                for name in names if "omp " in name), expected)

    def test_stacks_and_commands(self):
        process, truth = self.held("deadlock_gcc")
        gdb = self.gdb("-p", str(process.pid))
        self.ask(gdb, "-enable-frame-filters")
        threads = self.ask(gdb, "-thread-info")["threads"]
        functions = []
        for one in threads:
            if "omp " in one.get("name", ""):
                stack = self.ask(gdb, "-stack-list-frames --thread %s" % one["id"])["stack"]
                functions.append([frame["func"] for frame in stack])
        self.assertEqual(len(functions), len(truth["threads"]))
        for stack in functions:
            begins = [name for name in stack if name.startswith(("rt_", "clone", "start_thread"))]
            self.assertEqual(begins, [])
            self.assertEqual([name for name in stack if name.startswith("main")][-1:], stack[-1:])
        if has_commands():
            rows = self.ask(gdb, "-ompd-threads")["threads"]
            self.assertEqual(sorted(int(row["thread_num"]) for row in rows if row["openmp"] == "true"),
                             sorted(one["thread_num"] for one in truth["threads"]))
            self.assertEqual(self.ask(gdb, "-ompd-waits")["verdict"]["kind"], "deadlock")


if __name__ == "__main__":
    xmltest.main()
