#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Further looks of `ompd` at a process: a proof is withdrawn when a thread of it has gone on, by the
process' own count of rounds, and stays where nothing moves."""

import os
import re
import subprocess
import tempfile
import time
import unittest

import gdbrun
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "settle.c")
LOOKS = 25


class Settle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = os.path.join(cls.folder.name, "settle")
        subprocess.run(["gcc", "-g", "-O1", "-pthread", SOURCE, "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, kind):
        process = subprocess.Popen([self.program, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.assertEqual(process.stdout.readline(), "ready %d\n" % process.pid)
        return process

    @staticmethod
    def rounds(process):
        process.stdin.write("\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    def look(self, process, *options):
        done = subprocess.run([gdbrun.find("command/ompd"), "waits", "--check", "-v",
                               "-p", str(process.pid), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              timeout=300, check=False)
        sentence = " ".join(done.stdout.split("\n\n", maxsplit=1)[0].split())
        return sentence, done.returncode, done.stderr

    def test_a_circle_that_another_thread_opens_is_withdrawn(self):
        process = self.start("given")
        withdrawn = 0
        for look in range(LOOKS):
            before = self.rounds(process)
            sentence, status, said = self.look(process)
            while self.rounds(process) == before:  # it goes on, by its own word
                time.sleep(.01)
            self.assertNotRegex(sentence, "^(Deadlock|Stuck|Suspected)", look)
            self.assertNotEqual(status, 3, look)
            withdrawn += len(re.findall(r"proofs? (?:was|were) withdrawn", said))
        self.assertGreater(withdrawn, 0)

    def test_a_circle_stays(self):
        process = self.start("circle")
        while self.look(process)[1] != 3:  # they have come there
            time.sleep(.01)
        self.assertEqual(self.rounds(process), 0)
        for _ in range(3):
            sentence, status, said = self.look(process)
            self.assertRegex(sentence, "^Deadlock: LWP .* holds mutex a and waits for mutex b")
            self.assertEqual(status, 3)
            self.assertNotIn("withdrawn", said)
        self.assertEqual(self.rounds(process), 0)

    def test_watch_judges_by_the_sample_before(self):
        process = self.start("given")
        for look in range(5):
            sentence, status, _ = self.look(process, "--watch", ".1")
            self.assertNotRegex(sentence, "^(Deadlock|Stuck|Suspected)", look)
            self.assertNotEqual(status, 3, look)


if __name__ == "__main__":
    xmltest.main()
