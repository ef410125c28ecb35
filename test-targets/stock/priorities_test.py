# SPDX-License-Identifier: Apache-2.0
"""Tasks with a priority (queued_priority.c, whose I-th task has the priority I % 6): all are found, and with
the priority that the runtime schedules them by, which OMP_MAX_TASK_PRIORITY limits. libomp takes notice of
priorities since version 15."""

import os
import shutil
import tempfile
import unittest

import stock_programs
import stock_score
import stock_situations
import xmltest

TASKS = 30


class Priorities(unittest.TestCase):
    def look(self, runtime, compiler, most):
        """The explicit tasks."""
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        try:
            path = stock_programs.build("queued_priority", compiler, "o2", folder)
            run = stock_programs.Run(path, "queued_priority", stock_programs.RUNTIMES[runtime],
                                     os.path.join(folder, "run"), {"OMP_MAX_TASK_PRIORITY": str(most)})
            try:
                run.start()
                (_, truth, report), = stock_situations.reports(run, {"-p"})
            finally:
                run.stop()
        except stock_programs.Missing as error:
            self.skipTest(str(error))
        result = stock_score.score(truth, report)
        self.assertEqual((result.wrong, result.unknown), ([], []))
        tasks = [task for task in report["tasks"] if task["kind"] == "explicit"]
        self.assertEqual(len(tasks), TASKS)
        return tasks

    def check(self, runtime, compiler="clang"):
        for most in (10, 3, 0):
            tasks = self.look(runtime, compiler, most)
            truth = sorted(min(i % 6, most) for i in range(TASKS))
            self.assertEqual(sorted(task["priority"] for task in tasks), truth, most)
            for task in tasks:
                self.assertEqual(task["not_taken"]["before"], sum(one > task["priority"] for one in truth))

    def test_libgomp_12(self):
        self.check("libgomp-12", "gcc")

    def test_libomp_15(self):
        self.check("libomp-15")

    def test_libomp_19(self):
        self.check("libomp-19")

    def test_libomp_14(self):
        """Its tasks are executed in whatever order, and that is said."""
        tasks = self.look("libomp-14", "clang", 10)
        self.assertEqual({(task["priority"], task["not_taken"]["before"]) for task in tasks}, {(None, None)})


if __name__ == "__main__":
    xmltest.main()
