# SPDX-License-Identifier: Apache-2.0
"""The program of task lengths runs each task once on Companion and on libgomp, and the judging is right. No
time is judged."""

import argparse
import tempfile
import unittest

import runtimes
import task_lengths
import xmltest

_parser = argparse.ArgumentParser()
task_lengths.arguments(_parser)
OPTIONS = _parser.parse_args()
LENGTHS = (0, 15, 50, 150, 500, 1500, 5000, 50000)


class Program(unittest.TestCase):
    """It counts its tasks itself and ends with 1 when one is missing."""

    def check(self, wanted):
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none",
                                     release=False, samples=1, ms=1, shapes=["one", "all", "fib"])
        contender, = [c for c in runtimes.contenders(options, []) if c.name == wanted]
        program = getattr(OPTIONS, contender.compiler)
        with tempfile.TemporaryDirectory() as folder:
            contender.prepare(folder)
            self.assertTrue(contender.takes_its_library(program))
            for threads in (1, 2, 4):
                with self.subTest(threads=threads):
                    rows = task_lengths.run(contender, program, threads, options, 1000)
                    self.assertEqual(set(rows), {(s, n) for s in ("loop", "one", "all") for n in LENGTHS}
                                     | {("fib", 0), ("loop-fib", 0)})
                    for figure in rows.values():
                        self.assertTrue(0 <= figure.others <= 1)
                    if threads == 1:
                        self.assertEqual({figure.others for figure in rows.values()}, {0})

    def test_companion_clang(self):
        self.check("companion-clang")

    def test_companion_gcc(self):
        self.check("companion-gcc")

    def test_libgomp(self):
        self.check("libgomp")


def rounds_of(**ns):
    """Six rounds in which contender NAME takes ns for ("one", 0) and a loop 10 ns."""
    return {name.replace("_", "-"): [{("one", 0): task_lengths.Figure(value, 0.5),
                                      ("loop", 0): task_lengths.Figure(10.0, 0.0)}] * 6
            for name, value in ns.items()}


class Judging(unittest.TestCase):
    def judge(self, ours, **ns):
        return task_lengths.judge(("one", 0), ours, rounds_of(**ns))

    def test_best_of_peer_baseline_and_loop(self):
        found = self.judge("companion-gcc", companion_gcc=9.0, libgomp=30.0, baseline_gcc=6.0)
        self.assertEqual((found["best"], found["ratio"], found["over"]), ("baseline-gcc", 1.5, True))
        found = self.judge("companion-gcc", companion_gcc=9.0, libgomp=8.5, baseline_gcc=16.0)
        self.assertEqual((found["best"], found["over"]), ("libgomp", False))
        found = self.judge("companion-gcc", companion_gcc=12.0, libgomp=30.0)
        self.assertEqual((found["best"], found["ratio"], found["over"]), ("loop", 1.2, True))

    def test_code_of_the_other_compiler_is_no_bar(self):
        found = self.judge("companion-gcc", companion_gcc=9.0, libgomp=30.0, baseline_clang=1.0, libomp19=1.0)
        self.assertEqual(set(found["held_against"]), {"loop", "libgomp"})
        found = self.judge("companion-clang", companion_clang=9.0, libgomp=30.0, baseline_gcc=1.0,
                           libomp19=5.0)
        self.assertEqual(found["best"], "libomp19")

    def test_baseline_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(SystemExit):
            task_lengths.baselines(argparse.Namespace(baseline=folder))

    def test_shapes(self):
        self.assertEqual(task_lengths.shapes("one,fib"), ["one", "fib"])
        with self.assertRaises(argparse.ArgumentTypeError):
            task_lengths.shapes("loop")


if __name__ == "__main__":
    xmltest.main()
