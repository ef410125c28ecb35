# SPDX-License-Identifier: Apache-2.0
"""The benchmark's table names exactly the program's rows, and every row runs on each runtime. No figure is
judged."""

import argparse
import os
import tempfile
import unittest
import xml.etree.ElementTree as ET

import micro
import picture
import runtimes
import xmltest

_parser = argparse.ArgumentParser()
_parser.add_argument("--clang", required=True, type=os.path.abspath)
_parser.add_argument("--gcc", required=True, type=os.path.abspath)
runtimes.arguments(_parser)
OPTIONS = _parser.parse_args()
PROGRAMS = {"clang": OPTIONS.clang, "gcc": OPTIONS.gcc}
PINNED, FREE = micro.pinned_setting(2), micro.free_setting(4)


class Rows(unittest.TestCase):
    """A test downloads no libomp from Debian: only the benchmark runs it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.notes = []
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none")
        found = micro.usable(runtimes.contenders(options, []), PROGRAMS, folder.name, self.notes)
        self.contenders = {c.name: c for c in found}

    def check(self, name):
        self.assertIn(name, self.contenders, self.notes)
        contender = self.contenders[name]
        figures = micro.run(contender, PROGRAMS[contender.compiler], PINNED, samples=1, ms=1)
        self.assertEqual(set(figures), set(micro.PEERS))
        for row, (least, middle) in figures.items():
            self.assertLessEqual(least, middle, row)

    def test_companion_clang(self):
        self.check("companion-clang")

    def test_companion_gcc(self):
        self.check("companion-gcc")

    def test_libgomp(self):
        self.check("libgomp")

    def test_only_these_rows_and_not_bound(self):
        figures = micro.run(self.contenders["libgomp"], PROGRAMS["gcc"], FREE, samples=1, ms=1,
                            only="=lock-1thread,task-if0")
        self.assertEqual(set(figures), {"lock-1thread", "task-if0"})

    def test_what_cannot_run_is_told(self):
        broken = runtimes.Contender("broken", "gcc", "/dev/null")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(micro.usable([broken], PROGRAMS, folder, self.notes), [])
        self.assertIn("broken", self.notes[-1])


class Bars(unittest.TestCase):
    def test_bar(self):
        self.assertEqual(micro.bar("fork-join", "clang"), 0.59)
        self.assertEqual(micro.bar("fork-join", "gcc"), 0.68)
        self.assertEqual(micro.bar("lock", "clang"), 1.0)  # libgomp is the better peer
        self.assertEqual(micro.bar("master", "clang"), 11.58)  # gcc inlines it
        self.assertEqual(micro.bar("master", "gcc"), 1.0)

    def test_names(self):
        for names in (micro.INLINED_BY_GCC, micro.LEVEL, micro.OVERSUBSCRIBED):
            self.assertLessEqual(set(names), set(micro.PEERS))

    def judge(self, row, ours, theirs, setting=PINNED, **libomp):
        return micro.judge(row, "clang", setting, ours, dict(libomp, libgomp=theirs))

    def test_quotient(self):
        j = self.judge("barrier", [33.0] * 6, [100.0] * 6)
        self.assertEqual((j["ratio"], j["bar"], j["quotient"], j["verdict"]), (0.33, 0.66, 0.5, "met"))

    def test_a_row_may_be_a_little_over(self):
        self.assertEqual(self.judge("nestlock-1thread", [120.0] * 6, [100.0] * 6)["verdict"], "allowed")
        self.assertEqual(self.judge("nestlock-1thread", [130.0] * 6, [100.0] * 6)["verdict"], "missed")

    def test_a_named_row_has_to_be_level(self):
        self.assertEqual(self.judge("lock", [120.0] * 6, [100.0] * 6)["verdict"], "missed")
        wide = [120.0, 80.0, 121.0, 82.0, 119.0, 118.0]
        self.assertEqual(self.judge("lock", wide, [100.0] * 6)["verdict"], "level")

    def test_a_very_small_ratio_is_not_zero(self):
        self.assertGreater(self.judge("task-1producer", [20.0] * 6, [1e6] * 6)["quotient"], 0)

    def test_small_rows(self):
        self.assertFalse(self.judge("taskwait-empty", [3.9] * 6, [2.0] * 6)["judged"])
        self.assertTrue(self.judge("taskwait-empty", [4.1] * 6, [2.0] * 6)["judged"])
        self.assertTrue(self.judge("task-if0", [3.9] * 6, [8.0] * 6)["judged"])

    def test_oversubscribed(self):
        j = self.judge("critical", [60.0] * 6, [80.0] * 6, FREE, libomp19=[40.0] * 6)
        self.assertEqual((j["peer"], j["bar"], j["quotient"], j["verdict"]),
                         ("libomp19", 1.0, 1.5, "allowed"))
        j = self.judge("critical", [60.0] * 6, [20.0] * 6, FREE, libomp19=[40.0] * 6)
        self.assertEqual((j["peer"], j["quotient"], j["verdict"]), ("libgomp", 3.0, "missed"))
        self.assertFalse(self.judge("task-serial", [60.0] * 6, [20.0] * 6, FREE)["judged"])

    def test_other_thread_counts_have_no_bar(self):
        self.assertFalse(self.judge("lock", [9.0] * 6, [9.0] * 6, micro.pinned_setting(1))["judged"])


class Report(unittest.TestCase):
    def setUp(self):
        cost = {"fork-join": 2, "lock": 5, "omp_get_thread_num": 0.1}
        self.rounds = {name: [{row: (c * k, c * k) for row, c in cost.items()} for _ in range(6)]
                       for name, k in (("companion-clang", 10), ("companion-gcc", 8), ("libgomp", 10),
                                       ("libomp14", 30), ("libomp19", 20))}

    def rows(self, setting=PINNED):
        return micro.figures_of(self.rounds, setting)

    def test_summary(self):
        total = micro.summary(self.rows(), "clang", PINNED)
        self.assertEqual((total["judged"], total["highest_row"], total["highest"]), (2, "fork-join", 1.695))
        self.assertEqual(total["missed"], ["fork-join"])
        self.assertFalse(total["met"])

    def test_the_newest_libomp_is_the_peer(self):
        def peers():
            return {j["peer"] for r in self.rows(FREE) for j in r["judgements"]}

        cheap = [{row: (1.0, 1.0) for row in r} for r in self.rounds["libgomp"]]
        dear, self.rounds["libomp14"] = self.rounds["libomp14"], cheap
        self.assertEqual(peers(), {"libgomp"})
        self.rounds.update(libomp14=dear, libomp19=[{row: (0.5, 0.5) for row in r} for r in cheap])
        self.assertIn("libomp19", peers())

    def test_a_runtime_is_missing(self):
        del self.rounds["companion-gcc"]
        self.assertEqual({j["compiler"] for r in self.rows() for j in r["judgements"]}, {"clang"})
        self.assertIsNone(micro.summary(self.rows(), "gcc", PINNED))
        del self.rounds["libgomp"]
        self.assertEqual([r["judgements"] for r in self.rows()], [[], [], []])

    def test_picture(self):
        settings = [{"title": micro.how(s), "pinned": s.pinned, "rows": self.rows(s),
                     "summaries": [micro.summary(self.rows(s), c, s) for c in ("clang", "gcc")]}
                    for s in (PINNED, FREE)]
        root = ET.fromstring(picture.draw(settings, "a <machine>"))
        words = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        for row in ("fork-join", "lock", "omp_get_thread_num"):
            self.assertEqual(words.count(row), 2)
        self.assertTrue(any(w.endswith("missed") for w in words))


if __name__ == "__main__":
    xmltest.main()
