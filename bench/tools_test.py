# SPDX-License-Identifier: Apache-2.0
"""The benchmark of tools runs, and what it counts of one thread is in proportion: a tool that nobody has
costs a load and a branch per event, an empty one at most EVENT instructions for each."""

import argparse
import os
import tempfile
import unittest

import tools
import xmltest

_parser = argparse.ArgumentParser()
tools.arguments(_parser)
OPTIONS = _parser.parse_args()
OPTIONS.program = os.path.abspath(OPTIONS.program)
OPTIONS.libomp = "none"  # no peer is fetched for a test
# row -> events that a tool hears of, by OpenMP 5.2 chapter 19
ROWS = {"critical-1thread": 3, "lock-1thread": 3, "task+taskwait": 7}
LOOK = 4  # a load with test, a jump, and what they displace
EVENT = 115


class Tools(unittest.TestCase):
    def test_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            found = tools.variants(OPTIONS, folder, [])
            measured = tools.counts(found, OPTIONS.program, ROWS)
        for row, events in ROWS.items():
            now = measured[row]
            with self.subTest(row, now=now):
                self.assertLessEqual(now[tools.PLAIN] - now[tools.UNWATCHED], events * LOOK)
                self.assertLessEqual(now[tools.TOOL] - now[tools.PLAIN], events * EVENT)
                # It is the tool that is counted, not a failed search for it.
                self.assertGreater(now[tools.TOOL] - now[tools.PLAIN], events * 20)

    def test_rounds(self):
        with tempfile.TemporaryDirectory() as folder:
            found = tools.variants(OPTIONS, folder, [])
            ns = tools.rounds(found[1:], OPTIONS.program, 1, 1, 1)
        self.assertEqual({len(times) for rows in ns.values() for times in rows.values()}, {1})


if __name__ == "__main__":
    xmltest.main()
