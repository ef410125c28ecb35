#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ompd loops` on Companion: what each member has, against the iteration that the member itself has written
before it waits there. Programs of gcc and clang; living, and from a recorded snapshot."""
import json
import os
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops.c")
MEMBERS = {"dynamic": 4, "monotonic": 4, "guided": 4, "static": 4, "static3": 4, "runtime": 4, "ordered": 1,
           "doacross": 1, "sections": 2, "taskloop": 4}
# What the program's source says.
WHOLE = {"dynamic": ("dynamic", 100, 3), "monotonic": ("dynamic", 45, 3), "guided": ("guided", 100, 1),
         "runtime": ("static", 100, 4), "ordered": ("dynamic", 100, 2), "sections": ("sections", 3, 1)}


class Loops(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        companion = gdbrun.find("runtime/libompcompanion.so.1.0.0")
        for name in ("libgomp.so.1", "libomp.so", "libompcompanion.so.1"):
            os.symlink(companion, os.path.join(cls.folder.name, name))
        cls.programs = {}
        for compiler in ("gcc", "clang"):
            cls.programs[compiler] = os.path.join(cls.folder.name, compiler)
            subprocess.run([compiler, "-g", "-fopenmp", SOURCE, "-L" + cls.folder.name, "-o",
                            cls.programs[compiler]], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ompd(self, *arguments):
        library = () if "--snapshot" in arguments else ("--ompd-library", gdbrun.find("ompd/libompd.so.1"))
        for _ in range(5):
            done = subprocess.run([gdbrun.find("command/ompd"), *map(str, arguments), *library],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                                  timeout=300)
            if done.returncode != 1:  # on a busy machine a thread may not have come to a stop
                break
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def look(self, compiler, what):
        """The member's own words, and the rows: of the process, and of a snapshot of it."""
        environment = dict(os.environ, LD_LIBRARY_PATH=self.folder.name, OMP_SCHEDULE="static,4",
                           OMP_WAIT_POLICY="passive")
        with subprocess.Popen([self.programs[compiler], what], env=environment, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                words = [process.stdout.readline().split() for _ in range(MEMBERS[what])]
                wait_for_the_others(process.pid)
                live = json.loads(self.ompd("loops", "-p", process.pid, "--json"))["loops"]
                path = os.path.join(self.folder.name, "snapshot.json")
                self.ompd("record", "-p", process.pid, "-o", path, "--force")
                kept = json.loads(self.ompd("loops", "--snapshot", path, "--json"))["loops"]
                self.assertIn("Region ", self.ompd("loops", "--snapshot", path))
            finally:
                process.kill()
        self.assertEqual(live, kept)
        # clang counts the iterations of a loop with bounds of its own from 0.
        of_clang = compiler == "clang" and what == "monotonic"
        return {int(member): (int(number) - 10) // 2 if of_clang else int(number)
                for member, number in words}, live

    def check(self, compiler, what):
        words, rows = self.look(compiler, what)
        rows = [row for row in rows if row["lwp"]]
        self.assertEqual(len({row["id"] for row in rows}) == 1, what != "taskloop")
        for row in rows:
            number = words.get(row["thread_num"])
            if number is None:
                continue
            self.assertLessEqual(row["has"]["first"], number, row)
            self.assertGreaterEqual(row["has"]["last"], number, row)
            if row["at"] is not None:
                self.assertEqual(row["at"], number, row)
        found = {row["thread_num"] for row in rows}
        self.assertLessEqual(set(words), found)
        for row in rows if what in WHOLE else ():
            self.assertEqual((row["schedule"], row["iterations"], row["chunk"]), WHOLE[what])
        return words, rows

    def test_dynamic(self):
        for compiler in self.programs:
            _, rows = self.check(compiler, "dynamic")
            self.assertTrue(all(row["shares"] for row in rows))
            self.assertEqual(len({row["left"] for row in rows}), 1)
            # Nobody has left: what is not begun is in the members' shares.
            self.assertEqual(rows[0]["left"], sum(row["share"] for row in rows))

    def test_one_counter(self):
        for what in ("monotonic", "guided"):
            for compiler in self.programs:
                _, rows = self.check(compiler, what)
                last = max(row["has"]["last"] for row in rows)
                self.assertEqual(rows[0]["next"], last + rows[0]["step"])
                executed = (rows[0]["next"] - rows[0]["first"]) // rows[0]["step"]
                self.assertEqual(rows[0]["left"], rows[0]["iterations"] - executed)

    def test_static(self):
        words, rows = self.check("clang", "static")
        self.assertEqual({row["thread_num"]: row["at"] for row in rows}, words)
        self.assertEqual([row["has"]["count"] for row in rows], [25] * 4)
        words, rows = self.check("clang", "static3")
        self.assertEqual({row["thread_num"]: row["at"] for row in rows}, words)
        # What gcc has made of it nobody can know.
        self.assertEqual(self.look("gcc", "static")[1], [])

    def test_static_by_the_runtime(self):
        words, rows = self.check("gcc", "runtime")
        for row in rows:
            chunks = range(words[row["thread_num"]] // 4 + 4, 25, 4)
            self.assertEqual(row["share"], 4 * len(chunks), row)

    def test_ordered(self):
        for compiler in self.programs:
            words, rows = self.check(compiler, "ordered")
            (member, number), = words.items()
            turn = next(row for row in rows if row["thread_num"] == member)
            self.assertTrue(turn["has"]["first"] <= turn["turn"] <= number)

    def test_doacross(self):
        for compiler in self.programs:
            words, rows = self.check(compiler, "doacross")
            (member, number), = words.items()
            waits = {row["at"]: row["waits_for"] for row in rows}
            self.assertIsNone(waits.pop(number))
            self.assertEqual(waits, {at: at - 1 for at in (number + 1, number + 2, number + 3)})
            self.assertTrue(all(row["doacross"] for row in rows))

    def test_sections(self):
        _, rows = self.check("gcc", "sections")
        self.assertEqual((rows[0]["left"], rows[0]["next"]), (1, 2))

    def test_taskloop(self):
        for compiler in self.programs:
            _, rows = self.look(compiler, "taskloop")
            self.check(compiler, "taskloop")
            self.assertEqual(sorted(row["has"]["first"] for row in rows), list(range(0, 100, 10)))
            self.assertEqual({row["has"]["last"] - row["has"]["first"] for row in rows}, {9})


def wait_for_the_others(pid):
    """Until no thread of the process runs: those that wait for their turn have come to rest too."""
    def running():
        states = []
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
        return any(state != "S" for state in states)
    quiet = 0
    while quiet < 20:
        quiet = 0 if running() else quiet + 1
        subprocess.run(["sleep", "0.01"], check=True)


if __name__ == "__main__":
    xmltest.main()
