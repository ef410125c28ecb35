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
SMALL = {"stencil": 16, "fft": 7, "nbody": 60, "cg": 30, "sort": 30000, "cholesky": 4, "queens": 9,
         "strassen": 2, "bfs": 9, "mandelbrot": 40, "wave": 16, "quadrature": 2}


class Programs(unittest.TestCase):
    def check(self, wanted):
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none",
                                     release=False)
        contender, = [c for c in runtimes.contenders(options, []) if c.name == wanted]
        with tempfile.TemporaryDirectory() as folder:
            contender.prepare(folder)
            for (name, compiler), program in programs.paths(OPTIONS).items():
                if compiler != contender.compiler:
                    continue
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



class Judgement(unittest.TestCase):
    def rounds(self, companion_gcc, others=0.0):
        seconds = {"companion-gcc": companion_gcc, "companion-clang": 3.0, "libgomp": 1.0, "libomp19": 6.0}
        return [{"program": "sort", "threads": 2, "distance": [25.0, 170.0], "others": others,
                 "seconds": dict(seconds)} for _ in range(6)]

    def test_ratio_is_of_the_same_compilers_code(self):
        line, = programs.figures(self.rounds(0.5))
        self.assertEqual({peer: f["ratio"] for peer, f in line["peers"].items()},
                         {"libgomp": 0.5, "libomp19": 0.5})

    def test_goal(self):
        def verdict(rounds):
            line, = programs.figures(rounds)
            return line["peers"]["libgomp"]["verdict"]

        self.assertEqual(verdict(self.rounds(1.02)), "met")
        self.assertEqual(verdict(self.rounds(1.03)), "over")
        self.assertEqual(verdict(self.rounds(1.5) + self.rounds(1.0)), "met")  # the interval reaches below
        self.assertEqual(verdict(self.rounds(0.5)[:5]), "few")

    def test_a_copy_of_libgomp(self):
        rounds = self.rounds(0.5)
        for r, again in zip(rounds, (1.0, 1.0, 1.0, 2.0, 2.0, 2.0)):
            r["seconds"] = dict(r["seconds"], **{"libgomp-again": again})
        line, = programs.figures(rounds)
        self.assertEqual(set(line["peers"]), {"libgomp", "libomp19", "A/A"})
        found = line["peers"]["A/A"]
        self.assertEqual((found["ratio"], found["low"], found["verdict"]), (1.5, 1.0, "met"))
        total, = [t for t in programs.summaries([line]) if t["peer"] == "A/A"]
        self.assertEqual(total["unseen"], (1.5, 1.5))
        programs.print_report([line], programs.summaries([line]))

    def test_few_rounds_meet_nothing(self):
        totals = programs.summaries(programs.figures(self.rounds(0.5)[:5]))
        self.assertEqual([(t["few"], t["met"]) for t in totals], [(1, False)] * 2)

    def test_report(self):
        lines = programs.figures(self.rounds(1.1))
        totals = {t["peer"]: t for t in programs.summaries(lines)}
        self.assertEqual({peer: t["met"] for peer, t in totals.items()}, {"libgomp": False, "libomp19": True})
        self.assertEqual(totals["libgomp"]["missed"], ["sort/2"])
        programs.print_report(lines, programs.summaries(lines))

    def test_a_process_failed_in_one_round(self):
        broken = dict(self.rounds(9.0)[0], seconds={"libgomp": 1.0})
        line, = programs.figures(self.rounds(0.5) + [broken])
        self.assertEqual((line["peers"]["libgomp"]["rounds"], line["peers"]["libgomp"]["ratio"]), (6, 0.5))

    def test_disturbed_rounds_are_left_out(self):
        line, = programs.figures(self.rounds(0.5) + self.rounds(9.0, others=0.3))
        self.assertEqual((line["peers"]["libgomp"]["rounds"], line["peers"]["libgomp"]["ratio"]), (6, 0.5))

    def test_far_share(self):
        self.assertEqual(programs.far_share(self.rounds(1.0)), 0.5)

    def test_mean(self):
        totals = programs.summaries(programs.figures(self.rounds(0.95)))
        total, = [t for t in totals if t["peer"] == "libgomp"]
        self.assertEqual((total["missed"], total["met"]), ([], False))


class Statistics(unittest.TestCase):
    def test_order_interval(self):
        self.assertEqual(common.order_interval([5, 1, 3]), (1, 5))  # too few for 95 %: the range
        self.assertEqual(common.order_interval(list(range(1, 7))), (1, 6))
        self.assertEqual(common.order_interval(list(range(1, 11))), (2, 9))
        self.assertEqual(common.order_interval(list(range(1, 21))), (6, 15))

    def test_paired_ratio(self):
        theirs = [1.0, 7.0, 3.0, 20.0, 5.0, 2.0]
        self.assertEqual(common.bootstrap_ratio([2 * t for t in theirs], theirs), (2.0, 2.0))

    def test_unseen(self):
        self.assertEqual(common.unseen([{"ratio": 1.0, "low": 1.0}, {"ratio": 2.4, "low": 0.4},
                                        {"ratio": 1.1, "low": 1.0}]), (1.1, 6.0))

    def test_geometric_mean(self):
        self.assertAlmostEqual(common.geometric_mean([0.5, 2.0, 1.0]), 1.0)

    def test_order_of_the_rounds(self):
        orders = [runtimes.in_order(["a", "b", "c"], i) for i in range(6)]
        self.assertEqual(orders[:4], [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"], ["a", "c", "b"]])
        self.assertEqual(sorted(o[0] for o in orders), ["a", "a", "b", "b", "c", "c"])


if __name__ == "__main__":
    xmltest.main()
