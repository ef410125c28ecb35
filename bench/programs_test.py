# SPDX-License-Identifier: Apache-2.0
"""Each whole program of the benchmark gets the right result on Companion and on libgomp. No figure is
judged."""

import argparse
import tempfile
import unittest

import common
import programs
import runtimes
import xmltest

_parser = argparse.ArgumentParser()
programs.arguments(_parser)
OPTIONS = _parser.parse_args()
SMALL = {"stencil": 40, "sort": 30000, "cholesky": 4}


class Programs(unittest.TestCase):
    def check(self, wanted):
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none")
        contender, = [c for c in runtimes.contenders(options, []) if c.name == wanted]
        with tempfile.TemporaryDirectory() as folder:
            contender.prepare(folder)
            for name in programs.PROGRAMS:
                program = programs.paths(OPTIONS)["%s_%s" % (name, contender.compiler)]
                self.assertTrue(contender.takes_its_library(program))
                for threads in (1, 2, 4):
                    with self.subTest(name, threads=threads):
                        took = programs.run(contender, program, threads, False, (SMALL[name], 2))
                        self.assertGreaterEqual(took, 0)

    def test_companion_clang(self):
        self.check("companion-clang")

    def test_companion_gcc(self):
        self.check("companion-gcc")

    def test_libgomp(self):
        self.check("libgomp")

    def test_ratio_is_of_the_same_compilers_code(self):
        contenders = [runtimes.Contender("companion-gcc", "gcc"), runtimes.Contender("libgomp", "gcc"),
                      runtimes.Contender("libomp14", "clang")]
        figures = programs.figures_of(contenders, {"companion-gcc": [1.0] * 6, "libgomp": [2.0] * 6,
                                                   "libomp14": [4.0] * 6})
        self.assertEqual(figures["libgomp"]["companion_over_it"]["ratio"], 0.5)
        self.assertNotIn("companion_over_it", figures["libomp14"])
        self.assertNotIn("companion_over_it", figures["companion-gcc"])


class Statistics(unittest.TestCase):
    def test_order_interval(self):
        self.assertEqual(common.order_interval([5, 1, 3]), (1, 5))  # too few for 95 %: the range
        self.assertEqual(common.order_interval(list(range(1, 7))), (1, 6))
        self.assertEqual(common.order_interval(list(range(1, 11))), (2, 9))
        self.assertEqual(common.order_interval(list(range(1, 21))), (6, 15))

    def test_paired_ratio(self):
        theirs = [1.0, 7.0, 3.0, 20.0, 5.0, 2.0]
        self.assertEqual(common.bootstrap_ratio([2 * t for t in theirs], theirs), (2.0, 2.0))

    def test_geometric_mean(self):
        self.assertAlmostEqual(common.geometric_mean([0.5, 2.0, 1.0]), 1.0)

    def test_order_of_the_rounds(self):
        orders = [runtimes.in_order(["a", "b", "c"], i) for i in range(6)]
        self.assertEqual(orders[:4], [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"], ["a", "c", "b"]])
        self.assertEqual(sorted(o[0] for o in orders), ["a", "a", "b", "b", "c", "c"])


if __name__ == "__main__":
    xmltest.main()
