# SPDX-License-Identifier: Apache-2.0
"""`ompd loops` on libomp, against what each member of the team has written of itself before it stopped
(loops/gomp_loops.c) and what the source says: what is told is right, the rest has a reason.

RUNTIMES (comma-separated) chooses some of stock_programs.EVERY.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops", "gomp_loops.c")
# Members that stop in the construct.
MEMBERS = {"sections": 2, "inner_sections": 2, "ordered": 1, "ordered_static": 1, "doacross": 1, "single": 1,
           "exhausted": 3, "few": 3, "outer": 2, "nowait": 1}
# The first iteration's number and the step, as the source has them; what stop() writes of them.
FIRST = {"monotonic": (10, 2), "down": (50, -3), "static": (3, 1)}
NO_CHUNKS = "libomp does not record which chunk a member has"


def still(pid):
    """Until no thread of the process has run for a while: who waits for others has come to rest too."""
    quiet, looks = 0, 0
    while quiet < 20 and looks < 1000:
        states = []
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
        quiet, looks = quiet + 1 if set(states) == {"S"} else 0, looks + 1
        subprocess.run(["sleep", "0.01"], check=True)


class Loops:
    """The tests of one runtime."""

    longMessage = True
    runtime = None

    @classmethod
    def setUpClass(cls):
        runtime = stock_programs.EVERY[cls.runtime]
        cls.gcc = "gcc" in runtime.compilers
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        try:
            shutil.copy(runtime.file(), os.path.join(cls.folder, runtime.soname))
            compiler = "gcc" if cls.gcc else "clang"
            link = stock_programs._link_options(compiler, cls.folder)
        except stock_programs.NoRuntime as error:
            raise unittest.SkipTest(str(error)) from None
        cls.program = os.path.join(cls.folder, "loops")
        subprocess.run([compiler, "-g", "-O2", "-fopenmp", SOURCE, "-o", cls.program] +
                       stock_programs._include(compiler) + link, check=True)

    def ompd(self, *arguments):
        done = subprocess.run([gdbrun.find("corefiles/ompd"), *map(str, arguments), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def until_all_wait(self, pid):
        """Threads that wait in a loop do not sleep: until three of them wait, as often as it may need."""
        for _ in range(500):
            threads = json.loads(self.ompd("threads", "-p", pid, "--json"))["threads"]
            if sum(row["state"] == "wait_ordered" for row in threads) == 3:
                return
        self.fail("the members do not come to wait for each other")

    def core(self, process):
        """A core that the kernel writes, or None where it writes none here."""
        process.send_signal(signal.SIGABRT)
        process.wait()
        found = [os.path.join(self.folder, name) for name in os.listdir(self.folder)
                 if name.startswith("core")]
        return found[0] if found else None

    def look(self, what):
        """({member: iteration from 0}, rows by member): rows as of the process and as of its core."""
        env = dict(os.environ, LD_LIBRARY_PATH=self.folder, OMP_WAIT_POLICY="passive")
        with subprocess.Popen(["sh", "-c", "ulimit -c unlimited; exec \"$@\"", "sh", self.program, what],
                              env=env, cwd=self.folder, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                words = [process.stdout.readline().split() for _ in range(MEMBERS.get(what, 4))]
                waits = what in ("ordered", "ordered_static", "doacross")
                (self.until_all_wait if waits else still)(process.pid)
                live = json.loads(self.ompd("loops", "-p", process.pid, "--json"))
                core = self.core(process)
            finally:
                process.kill()
        if core:
            kept = json.loads(self.ompd("loops", "--core", core, "--json"))
            self.assertEqual(live["loops"], kept["loops"])
            os.unlink(core)
        self.assertEqual(live["problems"], [])
        rows = {row["thread_num"]: row for row in live["loops"] if row["lwp"]}
        self.assertEqual(len({row["id"] for row in rows.values()}), min(len(rows), 1))
        first, step = FIRST.get(what, (0, 1))
        for row in rows.values() if what not in ("doacross", "unsigned") else ():
            # clang counts all loops from 0.
            self.assertEqual((row["first"], row["step"]), (first, step) if self.gcc else (0, 1))
        sign = -1 if what == "down" else 1
        return {int(member): (sign * int(number) - first) // step for member, number in words}, rows

    @staticmethod
    def has(row):
        """The iterations in hand, counted from 0."""
        return range((row["has"]["first"] - row["first"]) // row["step"],
                     (row["has"]["last"] - row["first"]) // row["step"] + 1)

    def facts(self, rows, **facts):
        for row in rows.values():
            self.assertEqual({key: row[key] for key in facts}, facts)

    def check_shares(self, what, chunk, iterations):
        """What clang and libomp make of a dynamic loop: shares, of which members take from one another."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        self.facts(rows, schedule="dynamic", chunk=chunk, iterations=iterations, shares=True)
        for member, row in rows.items():
            self.assertIn(words[member], self.has(row))
            self.assertEqual(self.has(row)[0] % chunk, 0)
        self.assertEqual({row["left"] for row in rows.values()}, {sum(row["share"] for row in rows.values())})
        return words, rows

    def check_counter(self, what, chunk, iterations):
        words, rows = self.look(what)
        after = min((max(words.values()) // chunk + 1) * chunk, iterations)
        self.assertEqual(sorted(rows), sorted(words))
        self.facts(rows, schedule="dynamic", chunk=chunk, iterations=iterations, shares=False,
                   left=iterations - after, has=None)
        for row in rows.values():
            self.assertEqual(row["unknown"]["has"], NO_CHUNKS)
            if row["left"]:
                self.assertEqual(row["next"], row["first"] + after * row["step"])

    def test_dynamic(self):
        if self.gcc:  # its loops are monotonic
            self.check_counter("dynamic", 3, 100)
            self.check_counter("down", 2, 34)
            return
        words, rows = self.check_shares("dynamic", 3, 100)
        # Of its share the first member had three chunks, each other one.
        self.assertEqual(rows[0]["left"], 100 - 3 * (words[0] // 3 + 1) - 9)
        self.check_shares("unsigned", 4, 80)
        # The first member takes from others until it comes to iteration 24 or a later one.
        self.check_shares("down", 2, 34)

    def test_one_counter(self):
        self.check_counter("monotonic", 3, 45)
        self.check_counter("exhausted", 5, 15)

    def test_guided(self):
        words, rows = self.look("guided")
        self.assertEqual(sorted(rows), list(range(4)))
        # A chunk is what was left, divided by twice the number of members.
        after = max(words.values()) + (100 - max(words.values())) // 8
        self.facts(rows, schedule="guided", chunk=1, iterations=100, left=100 - after, next=after)

    def check_static(self, what, parts, chunk, iterations):
        """PARTS: by member, the chunks that it gets."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), sorted(words))
        self.facts(rows, schedule="static", chunk=chunk, iterations=iterations)
        for member, row in rows.items():
            begun = [part for part in parts[member] if part[0] <= words[member]]
            self.assertEqual(self.has(row), begun[-1])
            share = sum(len(part) for part in parts[member]) - sum(len(part) for part in begun)
            self.assertEqual(row["share"], share)
            one = len(begun[-1]) == 1
            self.assertEqual(row["at"], row["has"]["first"] if one else None)

    def test_static_by_the_runtime(self):
        parts = [[range(0, 26)], [range(26, 52)], [range(52, 77)], [range(77, 102)]]
        self.check_static("static", parts, None, 102)
        self.check_static("few", [[range(i, i + 1)] for i in range(3)], None, 3)
        parts = [[range(i, min(i + 4, 99)) for i in range(4 * member, 99, 16)] for member in range(4)]
        self.check_static("static4", parts, 4, 99)

    def test_ordered(self):
        for what in ("ordered", "ordered_static"):
            words, rows = self.look(what)
            (member, number), = words.items()
            self.facts(rows, ordered=True, turn=number, iterations=100)
            # In gcc's programs libomp passes over the chunk of an ordered static loop.
            parts = [range(0, 25), range(25, 50), range(50, 75), range(75, 100)]
            if what == "ordered" or not self.gcc:
                parts = [range(8, 10), range(10, 12), range(12, 14), range(14, 16)]
            self.assertEqual(sorted((self.has(row) for row in rows.values()), key=list), parts)
            self.assertIn(number, self.has(rows[member]))

    def test_doacross(self):
        words, rows = self.look("doacross")
        self.assertEqual(sorted(rows), list(range(4)))
        self.facts(rows, doacross=True, waits_for=None)
        for member, row in rows.items():
            self.assertEqual("waits_for" in row["unknown"], member not in words)

    def test_sections(self):
        for what in ("sections", "inner_sections") if self.gcc else ():  # clang divides them itself
            words, rows = self.look(what)
            self.facts(rows, schedule="sections", iterations=3, left=1, next=2)

    def test_what_is_no_loop(self):
        for what in ("region", "single", "inlined"):
            with self.subTest(what=what):
                self.assertEqual(self.look(what)[1], {})

    def test_around_another_region(self):
        words, rows = self.look("outer")
        self.assertEqual({member: self.has(row) for member, row in rows.items()},
                         {0: range(0, 5), 1: range(5, 10)})
        self.assertEqual(set(words), set(rows))

    def test_the_last_one_in_a_loop(self):
        words, rows = self.look("nowait")
        self.assertEqual({member: row["left"] for member, row in rows.items()}, {min(words): 0})


NAMES = ["libomp-14", "libomp-19", "libomp-19-as-libgomp"]
for _name in [name for name in os.environ.get("RUNTIMES", "").split(",") if name] or NAMES:
    _case = "Loops_" + _name.replace("-", "_")
    globals()[_case] = type(_case, (Loops, unittest.TestCase), {"runtime": _name})

if __name__ == "__main__":
    xmltest.main()
