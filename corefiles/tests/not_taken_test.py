#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Why a ready task is not taken, on Companion and on the system's libgomp: by the words of the program's own
threads, which say where they are before they stay there."""
import json
import os
import subprocess
import tempfile
import time
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
        done = subprocess.run([gdbrun.find("command/ompd"), "tasks", "-p", str(pid), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), *options],
                              stdout=subprocess.PIPE, universal_newlines=True, timeout=300, check=False)
        self.assertIn(done.returncode, (0, 1))
        return done.stdout

    def look(self, case, library, reason=None):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive", LD_LIBRARY_PATH=library,
                           OMP_MAX_TASK_PRIORITY="10")
        with subprocess.Popen([self.program, case], env=environment, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                said = dict(process.stdout.readline().split() for _ in range(2))
                self.said = said
                until_asleep(process.pid, 1 if case == "busy" else 2)
                for _ in range(100):  # the creator is on its way to its taskwait
                    rows = json.loads(self.tasks(process.pid, "--json"))["tasks"]
                    ready = [row for row in rows if row["state"] == "ready"]
                    if {row["not_taken"]["reason"] for row in ready} == {reason or case}:
                        break
                text = self.tasks(process.pid)
            finally:
                process.kill()
        self.assertTrue(all(row["not_taken"] is None for row in rows if row not in ready))
        return rows, [row["not_taken"] for row in ready], " ".join(text.split())

    def other(self, who):
        """WHO is the one of the two threads that the first task is not on."""
        self.assertEqual(self.said["first"] == "0", self.said[who] == "1")

    def check(self, library, limit):
        _, reasons, text = self.look("busy", library)
        self.other("creator")
        self.assertEqual([(r["computes"], r["system_call"], r["waits"], r["inside"], r["lwp"], r["task"])
                          for r in reasons], [(1, 1, 0, 0, None, None)] * 3)
        self.assertIn("all threads of the team do something else: 1 computes, 1 is in a system call.", text)
        _, reasons, text = self.look("system_call", library)
        self.other("creator")
        self.assertEqual([(r["computes"], r["system_call"]) for r in reasons], [(0, 2)] * 3)
        self.assertIn("all 2 threads of the team are in system calls; LWP ", text)
        self.assertIn(" waits in pause, called from stay at not_taken.c:", text)
        rows, reasons, text = self.look("priority", library, "system_call")
        self.assertEqual(len(reasons), 5)
        self.assertEqual(sorted(str(r["before"]) for r in reasons),
                         ["0", "0", "2", "2", "2"])
        self.assertIn("2 ready tasks of a higher priority come before.", text)
        self.assertEqual(sorted(str(row["priority"]) for row in rows if row["not_taken"]),
                         ["0", "0", "0", "5", "5"])
        self.check_full(library, limit)
        self.check_constraint(library)

    def check_full(self, library, limit):
        """The creator executes the first task that has no room in its queue; it says which one that is."""
        _, reasons, text = self.look("full", library, "system_call")
        queued = int(self.said["executed"])
        self.assertEqual(len(reasons), queued)
        self.assertEqual({(r["queued"], r["queue_full"]) for r in reasons},
                         {(queued, queued if limit else None)})
        self.assertEqual("A thread with %d tasks in its queue executes further ones that it creates itself"
                         % queued in text, limit)

    def check_constraint(self, library):
        rows, reasons, text = self.look("constraint", library)
        self.other("child")
        waiting = next(row for row in rows if row["kind"] == "undeferred")
        self.assertEqual([(r["lwp"], r["task"]) for r in reasons], [(waiting["lwp"], waiting["id"])] * 3)
        self.assertIn("waits in tied task %d and may take only descendants" % waiting["id"], text)

    def test_companion(self):
        self.check(self.companion, True)

    def test_libgomp(self):
        self.check("", False)


def until_asleep(pid, count):
    """Until so many threads of the process sleep: they have said where they are before they get there."""
    for _ in range(6000):
        states = []
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
        if states.count("S") >= count:
            return
        time.sleep(.01)
    raise AssertionError("the threads do not come to rest: %s" % states)


if __name__ == "__main__":
    xmltest.main()
