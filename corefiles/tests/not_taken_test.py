#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Why a ready task is not taken, on Companion and on the system's libgomp: by the words of the program's own
threads, which say where they are before they stay there."""
import json
import os
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "not_taken.c")


class NotTaken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = os.path.join(cls.folder.name, "program")
        subprocess.run(["gcc", "-g", "-fopenmp", SOURCE, "-o", cls.program], check=True)
        cls.companion = os.path.join(cls.folder.name, "companion")
        os.mkdir(cls.companion)
        os.symlink(gdbrun.find("runtime/libompcompanion.so.1.0.0"),
                   os.path.join(cls.companion, "libgomp.so.1"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def tasks(self, pid, *options):
        done = subprocess.run([gdbrun.find("corefiles/ompd"), "tasks", "-p", str(pid), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), *options],
                              stdout=subprocess.PIPE, universal_newlines=True, timeout=300, check=False)
        self.assertIn(done.returncode, (0, 1))
        return done.stdout

    def look(self, case, library):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive", LD_LIBRARY_PATH=library)
        with subprocess.Popen([self.program, case], env=environment, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                said = dict(process.stdout.readline().split() for _ in range(2))
                self.assertEqual(said["first"] == "0", said.get("creator", said.get("child")) == "1")
                for _ in range(100):  # the creator is on its way to its taskwait
                    rows = json.loads(self.tasks(process.pid, "--json"))["tasks"]
                    ready = [row for row in rows if row["state"] == "ready"]
                    if {row["not_taken"]["reason"] for row in ready} == {case}:
                        break
                text = self.tasks(process.pid)
            finally:
                process.kill()
        self.assertEqual(len(ready), 3)
        self.assertTrue(all(row["not_taken"] is None for row in rows if row not in ready))
        return rows, [row["not_taken"] for row in ready], " ".join(text.split())

    def check(self, library):
        _, reasons, text = self.look("busy", library)
        self.assertEqual(reasons, [{"reason": "busy", "lwp": None, "task": None}] * 3)
        self.assertIn("all threads of the team do something else", text)
        rows, reasons, text = self.look("constraint", library)
        waiting = next(row for row in rows if row["kind"] == "undeferred")
        reason = {"reason": "constraint", "lwp": waiting["lwp"], "task": waiting["id"]}
        self.assertEqual(reasons, [reason] * 3)
        self.assertIn("waits in tied task %d and may take only descendants" % waiting["id"], text)

    def test_companion(self):
        self.check(self.companion)

    def test_libgomp(self):
        self.check("")


if __name__ == "__main__":
    xmltest.main()
