# SPDX-License-Identifier: Apache-2.0
"""libomp's hidden helper threads, which run the tasks of `target nowait`: what is said of them, against what
the target regions themselves have written (loops/target_nowait.c). Seven of the eight helpers run tasks."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops", "target_nowait.c")
TASKS, RUNNING = 12, 7


class Helpers(unittest.TestCase):
    def look(self, runtime):
        """({tid: (thread number, level)} by the program's words, the report)."""
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        try:
            shutil.copy(stock_programs.RUNTIMES[runtime].file(), os.path.join(folder, "libomp.so.5"))
            link = stock_programs.link_options("clang", folder)
        except stock_programs.NoRuntime as error:
            self.skipTest(str(error))
        program = os.path.join(folder, "target_nowait")
        subprocess.run(["clang", "-D_GNU_SOURCE", "-g", "-fopenmp", SOURCE, "-o", program] +
                       stock_programs.include_options("clang") + link, check=True)
        env = dict(os.environ, LD_LIBRARY_PATH=folder, OMP_WAIT_POLICY="passive")
        with subprocess.Popen([program], env=env, stdout=subprocess.PIPE, universal_newlines=True) as process:
            try:
                words = [[int(word) for word in process.stdout.readline().split()] for _ in range(RUNNING)]
                for _ in range(100):  # all tasks are made when the thread that makes them sleeps
                    report = json.loads(subprocess.run(
                        [gdbrun.find("command/ompd"), "report", "--json", "-p", str(process.pid),
                         "--ompd-library", gdbrun.find("ompd/libompd.so.1")],
                        stdout=subprocess.PIPE, universal_newlines=True).stdout)
                    if sum(task["kind"] == "explicit" for task in report["tasks"]) == TASKS:
                        break
            finally:
                process.kill()
        return {tid: (number, level) for number, level, tid in words}, report

    def check(self, runtime):
        words, report = self.look(runtime)
        rows = {row["lwp"]: row for row in report["threads"]}
        tasks = {task["id"]: task for task in report["tasks"]}
        explicit = [task for task in report["tasks"] if task["kind"] == "explicit"]
        self.assertEqual(len(words), RUNNING)
        for tid, (number, level) in words.items():
            row = rows[tid]
            self.assertEqual((row["thread_num"], row["level"]), (number, level))
            self.assertEqual(row["state"], "work_parallel")
            task = tasks[row["task"]]
            self.assertEqual((task["kind"], task["state"]), ("explicit", "running"))
        self.assertEqual(sorted(task["state"] for task in explicit),
                         ["ready"] * (TASKS - RUNNING) + ["running"] * RUNNING)
        self.assertEqual([problem for problem in report["problems"] if "task" in problem["what"]], [])

    def test_libomp_14(self):
        self.check("libomp-14")

    def test_libomp_19(self):
        self.check("libomp-19")


if __name__ == "__main__":
    xmltest.main()
