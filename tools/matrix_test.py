#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The order and the bookkeeping of the matrix; nothing is compiled or run."""

import json
import os
import tempfile
import unittest

import matrix
import stock_programs
import xmltest


def asked(*words):
    return list(matrix.combinations(matrix.parse(list(words))))


class Order(unittest.TestCase):
    def test_each_combination_once(self):
        whole = asked()
        self.assertEqual(len(whole), len(set(whole)))
        expected = {(runtime.name, name, compiler, option)
                    for runtime in stock_programs.EVERY.values() for compiler in runtime.compilers
                    for option in stock_programs.OPTIONS for name in stock_programs.programs()
                    if stock_programs.runs_on(name, runtime.name) and
                    stock_programs.compiles(name, compiler)}
        self.assertEqual(set(whole), expected)

    def test_the_first_runs_have_all_pairs(self):
        """Each runtime with each of its compilers and each option comes before any of these comes again."""
        whole = asked()
        groups = {(runtime, compiler, option) for runtime, _, compiler, option in whole}
        first = {(runtime, compiler, option) for runtime, _, compiler, option in whole[:len(groups)]}
        self.assertEqual(first, groups)
        programs = {name for _, name, _, _ in whole[:len(groups)]}
        self.assertGreater(len(programs), 25, "the same programs on every runtime")

    def test_it_is_the_same_each_time(self):
        self.assertEqual(asked(), asked())

    def test_a_choice(self):
        self.assertEqual(asked("--runtime", "libomp-14", "--program", "lock,f_lock", "--compiler", "clang",
                               "--option", "o2"), [("libomp-14", "lock", "clang", "o2")])


class Goes(unittest.TestCase):
    def line(self, wrong=(), missing=None):
        line = {"runtime": "libomp-14", "program": "lock", "compiler": "clang", "option": "o2",
                "seconds": 1.0,
                "situations": {"-p": {"cells": {"state": [3, 1, len(wrong)]}, "wrong": list(wrong),
                                      "unknown": []}}}
        return dict(line, missing=missing) if missing else line

    def results(self, *lines):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "results")
        with open(path, "w") as f:
            f.writelines(json.dumps(line) + "\n" for line in lines)
        return matrix.Results(path)

    KEY = ("libomp-14", "lock", "clang", "o2")

    def test_what_is_done_is_not_run_again(self):
        results = self.results(self.line())
        self.assertTrue(results.has(self.KEY, ["-p"], False))
        self.assertFalse(results.has(self.KEY, ["-p", "attach"], False), "a situation that was not asked")
        self.assertFalse(results.has(("libomp-14", "lock", "clang", "o0"), ["-p"], False))
        stripped = self.results(dict(self.line(), option="stripped"))
        self.assertTrue(stripped.has(self.KEY[:3] + ("stripped",), ["-p", "GDB live"], False), "never asked")

    def test_again(self):
        """What had a wrong cell, and what could not be run."""
        self.assertTrue(self.results(self.line()).has(self.KEY, ["-p"], True))
        self.assertFalse(self.results(self.line(wrong=["x"])).has(self.KEY, ["-p"], True))
        self.assertFalse(self.results(self.line(missing="no rest")).has(self.KEY, ["-p"], True))

    @staticmethod
    def counts(results):
        return matrix.totals(results.lines.values())["libomp-14", "-p"]

    def test_results_of_earlier_days(self):
        """They are kept compressed, are not run again, and a run of today counts before them."""
        results = self.results(self.line(wrong=["x"]))
        kept = results.path + ".xz"
        results.kept = kept
        results.keep()
        later = matrix.Results(None, kept)
        self.assertEqual(later.lines, results.lines)
        later.add(self.line())
        later.keep()
        self.assertEqual(self.counts(matrix.Results(None, kept)), [3, 1, 0])
        self.assertEqual(self.counts(matrix.Results(results.path, kept)), [3, 1, 1], "today's counts before")

    def test_the_last_line_counts(self):
        results = self.results(self.line(wrong=["x"]), self.line())
        self.assertEqual(self.counts(results), [3, 1, 0])

    def test_the_page(self):
        page = matrix.page([dict(self.line(), commit="abc1234", date="2026-11-22")], 1.5, 1000)
        self.assertIn("in 1.5 hours", page)
        self.assertIn("1 on 2026-11-22 at commit abc1234", page)
        self.assertIn("1 runs of 1 programs (all runtimes, compilers and options would make 1000): 3 cells "
                      "right, 1 not known", page)
        self.assertIn("| libomp-14 | 1 | 3 / 1 / 0 |", page)


if __name__ == "__main__":
    xmltest.main()
