# SPDX-License-Identifier: Apache-2.0
"""Locks of libomp by KMP_LOCK_KIND: which one a thread waits for is known of each kind, of a program's first
lock too; who holds it of nestable locks, of the kinds tas and futex, and of all locks with
KMP_CONSISTENCY_CHECK. Truth is what the program says of itself."""

import os
import shutil
import tempfile
import unittest

import stock_programs
import stock_score
import stock_situations
import xmltest

KINDS = ("queuing", "ticket", "drdpa", "tas", "futex")
INDIRECT = ("queuing", "ticket", "drdpa")
CHECKED = {"KMP_CONSISTENCY_CHECK": "all"}


class Kinds(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        os.mkdir(os.path.join(cls.folder, "programs"))
        cls.runs = 0

    def score(self, runtime, name, env, situation):
        runtime = stock_programs.RUNTIMES[runtime]
        compiler = next(one for one in runtime.compilers if stock_programs.compiles(name, one))
        type(self).runs += 1
        try:
            path = stock_programs.build(name, compiler, "o2", os.path.join(self.folder, "programs"))
            run = stock_programs.Run(path, name, runtime, os.path.join(self.folder, str(self.runs)), env)
            try:
                run.start()
                (_, truth, report), = stock_situations.reports(run, {situation})
            finally:
                run.stop()
        except (stock_programs.NoRuntime, stock_programs.NoRest) as error:
            self.skipTest(str(error))
        if isinstance(report, Exception):
            raise report
        result = stock_score.score(truth, report)
        self.assertEqual(result.wrong, [])
        self.assertEqual(result.cells["wait.id"][1], 0, result.unknown)
        self.assertGreater(result.cells["wait.id"][0], 0)
        return result.cells["owner"]

    def check(self, runtime, situation, names=("lock", "nest_lock", "critical_named", "locks_many")):
        for kind in KINDS:
            for name in names:
                with self.subTest(kind=kind, name=name):
                    right, unknown, _ = self.score(runtime, name, {"KMP_LOCK_KIND": kind}, situation)
                    if name in ("nest_lock", "critical_named") or kind not in INDIRECT:
                        self.assertEqual(unknown, 0)
                    if name != "lock":
                        self.assertGreater(right, 0)

    def test_living(self):
        self.check("libomp-14", "-p")

    def test_core_and_another_version(self):
        self.check("libomp-19", "kernel core", ("lock", "nest_lock"))
        self.check("libomp-13", "-p", ("nest_lock",))

    def test_gcc(self):
        self.check("libomp-19-as-libgomp", "-p", ("lock", "critical_named"))

    def test_many(self):
        for runtime in ("libomp-14", "libomp-19"):
            for kind in INDIRECT:
                with self.subTest(runtime=runtime, kind=kind):
                    self.score(runtime, "locks_numbered", {"KMP_LOCK_KIND": kind}, "-p")

    def test_checked(self):
        """Then libomp writes the owner into each lock."""
        for kind in INDIRECT:
            for name in ("lock", "locks_many"):
                with self.subTest(kind=kind, name=name):
                    right, unknown, _ = self.score("libomp-14", name, dict(CHECKED, KMP_LOCK_KIND=kind), "-p")
                    self.assertGreater(right, 0)
                    self.assertEqual(unknown, 0)


if __name__ == "__main__":
    xmltest.main()
