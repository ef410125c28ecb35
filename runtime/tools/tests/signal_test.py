# SPDX-License-Identifier: Apache-2.0
"""A profiler's signal at 1 kHz on every thread asks all windows at once (signal_program.c, which judges).

    signal_test.py RUNTIME-TSAN OMPT-LIBRARY PROGRAM...

20 seconds for the programs of both compilers side by side; SIGNAL_SECONDS in the environment says otherwise:
    bazel test //runtime/tools/tests:signal_test --test_env=SIGNAL_SECONDS=60
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import tsan
import xmltest

TSAN, OMPT = (os.path.abspath(path) for path in sys.argv[1:3])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[3:]]
del sys.argv[1:]
SECONDS = int(os.environ.get("SIGNAL_SECONDS", "20"))
STATES = "OVHD WORK IBAR EBAR IDLE SERIAL REDUC LKWT CTWT ODWT ATWT".split()


class Signals(unittest.TestCase):
    def side_by_side(self, seconds, env=None):
        running = [subprocess.Popen([program, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    universal_newlines=True,
                                    env=dict(os.environ, OMP_TOOL_LIBRARIES=OMPT, **(env or {})))
                   for program in PROGRAMS]
        seen = []
        try:
            for process in running:
                text = process.communicate(timeout=seconds + 60)[0]  # a deadlock is what this may be
                print(text)
                self.assertEqual(process.returncode, 0, text)
                line = re.search(r"signals (\d+) violations 0 skipped (\d+) waits (\d+) states ([\d ]+)",
                                 text)
                self.assertTrue(line, text)
                self.assertGreater(int(line.group(1)), 100)
                seen.append(dict(zip(STATES, map(int, line.group(4).split()))))
        finally:
            for process in running:
                process.kill()
        return seen

    def test_no_state_is_impossible(self):
        self.assertEqual(len(PROGRAMS), 2)
        for seen in self.side_by_side(SECONDS):
            for state in ("WORK", "IBAR", "IDLE", "SERIAL"):
                self.assertGreater(seen[state], 0, seen)

    def test_no_races(self):
        with tempfile.TemporaryDirectory() as scratch:
            self.side_by_side(4, tsan.environment(TSAN, scratch))
            self.assertEqual(tsan.reports(scratch), "")


if __name__ == "__main__":
    xmltest.main()
