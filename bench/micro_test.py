# SPDX-License-Identifier: Apache-2.0
"""The benchmark's table names exactly the program's rows, and every row runs on both runtimes. No figure is judged."""

import sys
import unittest

import micro
import xmltest

COMPANION, LIBGOMP = sys.argv[1:3]


class Micro(unittest.TestCase):
    def check(self, name, program):
        figures = micro.run(program, micro.BIND[name], threads=2, samples=1, ms=1, only=None)
        self.assertEqual(set(figures), set(micro.PEERS))
        for row, (least, middle) in figures.items():
            self.assertLessEqual(least, middle, row)

    def test_companion(self):
        self.check("companion", COMPANION)

    def test_libgomp(self):
        self.check("libgomp", LIBGOMP)

    def test_only_these_rows(self):
        figures = micro.run(COMPANION, {}, threads=2, samples=1, ms=1, only="=lock-1thread,task-if0")
        self.assertEqual(set(figures), {"lock-1thread", "task-if0"})

    def test_bar(self):
        self.assertEqual(micro.bar("fork-join"), 0.59)
        self.assertEqual(micro.bar("lock"), 1.0)  # libgomp is the better peer
        self.assertEqual(micro.bar("master"), 11.58)  # gcc inlines it

    def test_judge(self):
        quick, slow, odd = (9.0, 10.0), (11.0, 12.0), (9.0, 300.0)
        line = micro.judge("lock", [quick, quick, odd], [slow, slow, slow])
        self.assertTrue(line["met"])
        self.assertEqual((line["companion_ns"], line["libgomp_ns"], line["ratio"]), (10.0, 12.0, 0.833))
        self.assertFalse(micro.judge("lock", [slow, slow, slow], [quick, quick, quick])["met"])


if __name__ == "__main__":
    xmltest.main()
