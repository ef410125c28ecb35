# SPDX-License-Identifier: Apache-2.0
"""No construct takes more instructions, and no more for tracking, than tracking.json allows (2 % slack).

What now takes fewer: `./dev bench tracking --counts-only --update` lowers the ratchet. Raising it is a
decision that the change's note has to give reasons for.
"""

import argparse
import tempfile
import unittest

import tracking
import xmltest

_parser = argparse.ArgumentParser()
tracking.arguments(_parser)
OPTIONS = _parser.parse_args()


class Tracking(unittest.TestCase):
    longMessage = True

    def test_ratchet(self):
        ratchet = tracking.read_ratchet(OPTIONS.ratchet)
        built_by = tracking.compiler(OPTIONS.tracked)
        if built_by != ratchet["compiler"]:
            self.skipTest("tracking.json holds the counts of %s, this runtime was built by %s"
                          % (ratchet["compiler"], built_by))
        if not tracking.plain(OPTIONS.tracked):
            self.skipTest("this runtime is instrumented")
        self.assertEqual(set(ratchet["instructions"]), set(tracking.ONE_THREAD))
        with tempfile.TemporaryDirectory() as folder:
            libraries = tracking.Libraries(folder, OPTIONS.program, OPTIONS.tracked, OPTIONS.untracked)
            measured = tracking.counts(libraries)
        self.assertEqual(tracking.over_the_ratchet(ratchet, measured), [], measured)


class Ratchet(unittest.TestCase):
    RATCHET = {"instructions": {"lock-1thread": {"tracked": 100.0, "untracked": 90.0}}}

    def problems(self, tracked, untracked):
        measured = {"lock-1thread": {"tracked": tracked, "untracked": untracked}}
        return tracking.over_the_ratchet(self.RATCHET, measured)

    def test_the_same_and_the_slack(self):
        self.assertEqual(self.problems(100.0, 90.0), [])
        self.assertEqual(self.problems(102.0, 90.0), [])

    def test_more_instructions(self):
        self.assertEqual(len(self.problems(103.0, 95.0)), 1)

    def test_more_tracking_in_less_code(self):
        self.assertEqual(len(self.problems(100.0, 80.0)), 1)

    def test_unknown_row(self):
        measured = {"new": {"tracked": 1.0, "untracked": 1.0}}
        self.assertEqual(len(tracking.over_the_ratchet(self.RATCHET, measured)), 1)


if __name__ == "__main__":
    xmltest.main()
