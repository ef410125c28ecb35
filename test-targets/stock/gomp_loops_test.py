# SPDX-License-Identifier: Apache-2.0
"""`ompd loops` on libgomp, against what each member of the team has written of itself before it stopped
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
SPINNING = ("doacross",)
NO_CHUNKS = "libgomp does not record which chunk a member has"
NO_BEGINNING = "libgomp records only where the rest of such a loop begins"


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
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        try:
            shutil.copy(stock_programs.EVERY[cls.runtime].file(), os.path.join(cls.folder, "libgomp.so.1"))
        except stock_programs.NoRuntime as error:
            raise unittest.SkipTest(str(error)) from None
        cls.program = os.path.join(cls.folder, "loops")
        subprocess.run(["gcc", "-g", "-O2", "-fopenmp", SOURCE, "-o", cls.program], check=True)

    def ompd(self, *arguments):
        done = subprocess.run([gdbrun.find("corefiles/ompd"), *map(str, arguments), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def until_all_wait(self, pid):
        """The members spin: until three of them wait for iterations, as often as a machine may need."""
        for _ in range(500):
            threads = json.loads(self.ompd("threads", "-p", pid, "--json"))["threads"]
            if sum(row["state"] == "wait_ordered" for row in threads) == 3:
                return
        self.fail("the members do not come to wait for each other")

    def core(self, process):
        """A core that the kernel writes, or None where it writes none here."""
        process.send_signal(signal.SIGABRT)
        process.wait()
        path = os.path.join(self.folder, "core")
        found = [os.path.join(self.folder, name) for name in os.listdir(self.folder)
                 if name.startswith("core")]
        if not found:
            return None
        os.replace(found[0], path)
        return path

    def look(self, what):
        """({member: number}, rows by member, problems): rows as of the process and as of its core."""
        env = dict(os.environ, LD_LIBRARY_PATH=self.folder, OMP_WAIT_POLICY="passive")
        with subprocess.Popen(["sh", "-c", "ulimit -c unlimited; exec \"$@\"", "sh", self.program, what],
                              env=env, cwd=self.folder, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                words = [process.stdout.readline().split() for _ in range(MEMBERS.get(what, 4))]
                (self.until_all_wait if what in SPINNING else still)(process.pid)
                live = json.loads(self.ompd("loops", "-p", process.pid, "--json"))
                core = self.core(process)
            finally:
                process.kill()
        if core:
            kept = json.loads(self.ompd("loops", "--core", core, "--json"))
            self.assertEqual(live["loops"], kept["loops"])
            os.unlink(core)
        self.assertEqual(live["problems"], [])
        rows = [row for row in live["loops"] if row["lwp"]]
        self.assertEqual(len({row["id"] for row in rows}), min(len(rows), 1))
        return {int(member): int(number) for member, number in words}, \
            {row["thread_num"]: row for row in rows}

    def check_counter(self, what, chunk, next_number, left, **more):
        """A loop with one counter; NEXT_NUMBER and LEFT are of what the members have written."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        for member, row in rows.items():
            facts = {"schedule": "dynamic", "chunk": chunk, "step": 1, **more}
            self.assertEqual({key: row[key] for key in facts}, facts)
            after = next_number(words)
            self.assertEqual(row["left"], left(after))
            if row["left"]:
                self.assertEqual(row["next"], after)
            self.assertEqual(row["iterations"], None)
            self.assertEqual(row["unknown"]["iterations"], NO_BEGINNING)
            self.assertEqual((row["has"], row["unknown"].get("has")),
                             (None, NO_CHUNKS if member in words else None), row)
        return words, rows

    def test_dynamic(self):
        self.check_counter("dynamic", 3, lambda words: max(words.values()) // 3 * 3 + 3,
                           lambda after: 100 - after)

    def test_numbers_are_the_program_s(self):
        self.check_counter("monotonic", 3, lambda words: (max(words.values()) - 10) // 6 * 6 + 16,
                           lambda after: len(range(after, 100, 2)), step=2)

    def test_downwards(self):
        self.check_counter("down", 2, lambda words: 50 - (50 + max(words.values())) // 6 * 6 - 6,
                           lambda after: len(range(after, -51, -3)), step=-3)

    def test_without_a_sign(self):
        # Numbers from half of their range on are shown as negative ones.
        self.check_counter("unsigned", 4, lambda words: max(words.values()) // 4 * 4 + 4 - 0x10 - 2 ** 63,
                           lambda after: 0x40 + 2 ** 63 - (after + 2 ** 64))

    def test_all_handed_out(self):
        self.check_counter("exhausted", 5, lambda words: 15, lambda after: 0)

    def test_guided(self):
        words, rows = self.look("guided")
        self.assertEqual(sorted(rows), list(range(4)))
        for row in rows.values():
            self.assertEqual((row["schedule"], row["chunk"], row["step"]), ("guided", 1, 1))
            self.assertGreater(row["next"], max(words.values()))
            self.assertEqual(row["left"], 100 - row["next"])
            # The last chunk was as large as the team's share of what was left then, rounded up.
            begun = max(words.values())
            self.assertEqual(row["next"], begun + -(-(100 - begun) // 4))

    def check_static(self, what, parts, chunk, **more):
        """PARTS: by member, the chunks that it gets."""
        words, rows = self.look(what)
        self.assertEqual(sorted(rows), list(range(4)))
        for member, row in rows.items():
            facts = {"schedule": "static", "chunk": chunk, "step": 1, **more}
            self.assertEqual({key: row[key] for key in facts}, facts)
            begun = [part for part in parts[member] if member in words and part[0] <= words[member]]
            share = sum(len(part) for part in parts[member]) - sum(len(part) for part in begun)
            if member in words:
                has = {"first": begun[-1][0], "last": begun[-1][-1], "count": len(begun[-1])}
                self.assertEqual((row["has"], row["share"]), (has, share))
                self.assertEqual(row["at"], words[member] if has["count"] == 1 else None)
            self.assertIsNone(row["unknown"].get("has"))
        return words, rows

    def test_static_in_parts(self):
        parts = [[range(3, 29)], [range(29, 55)], [range(55, 80)], [range(80, 105)]]
        self.check_static("static", parts, None, iterations=102, first=3)
        _, rows = self.check_static("few", [[range(0, 1)], [range(1, 2)], [range(2, 3)], []], None,
                                    iterations=3)
        self.assertEqual((rows[3]["has"], rows[3]["share"]), (None, 0))

    def test_static_in_chunks(self):
        parts = [[range(i, min(i + 4, 99)) for i in range(4 * member, 99, 16)] for member in range(4)]
        self.check_static("static4", parts, 4, iterations=99, first=0)

    def test_ordered(self):
        for what in ("ordered", "ordered_static"):
            words, rows = self.look(what)
            (member, number), = words.items()
            self.assertEqual({row["ordered"] for row in rows.values()}, {True})
            self.assertIn("turn", rows[member]["unknown"])
            if what == "ordered":
                self.assertEqual({(row["left"], row["next"]) for row in rows.values()}, {(84, 16)})
            else:
                self.assertEqual(rows[member]["has"], {"first": 8, "last": number, "count": 2})
                self.assertEqual(sorted(row["has"]["first"] for row in rows.values()), [8, 10, 12, 14])

    def test_doacross(self):
        words, rows = self.look("doacross")
        (member, number), = words.items()
        self.assertEqual({row["doacross"] for row in rows.values()}, {True})
        self.assertEqual(rows[member]["at"], number)
        self.assertEqual(sorted(row["at"] for row in rows.values()), [9, 10, 11, 12])
        for other, row in rows.items():
            self.assertIsNone(row["waits_for"])
            self.assertEqual("waits_for" in row["unknown"], True, (other, row))

    def test_sections(self):
        for what in ("sections", "inner_sections"):
            _, rows = self.look(what)
            self.assertEqual({(row["schedule"], row["iterations"], row["left"], row["next"])
                              for row in rows.values()}, {("sections", 3, 1, 2)})

    def test_what_is_no_loop(self):
        """Records of earlier loops lie where these constructs have theirs."""
        for what in ("region", "single", "inlined", "conditional"):
            with self.subTest(what=what):
                self.assertEqual(self.look(what)[1], {})

    def test_what_cannot_be_told_apart(self):
        for what, members in (("single_alone", [0]), ("task_reduction", [0, 1, 2, 3])):
            with self.subTest(what=what):
                _, rows = self.look(what)
                self.assertEqual(sorted(rows), members)
                for row in rows.values():
                    self.assertIsNone(row["schedule"])
                    self.assertIn("it may as well be another construct", row["unknown"]["schedule"])
                    self.assertEqual([row[key] for key in ("iterations", "left", "next", "has", "share")],
                                     [None] * 5)

    def test_around_another_region(self):
        words, rows = self.look("outer")
        self.assertEqual({member: row["has"]["first"] for member, row in rows.items()}, words)
        self.assertEqual({member: row["has"]["last"] for member, row in rows.items()}, {0: 4, 1: 9})

    def test_the_last_one_in_a_loop(self):
        words, rows = self.look("nowait")
        (member, _), = words.items()
        self.assertEqual({row: (rows[row]["schedule"], rows[row]["left"]) for row in rows},
                         {member: ("dynamic", 0)})


for _name in [name for name in os.environ.get("RUNTIMES", "").split(",") if name] or ["libgomp-12"]:
    _case = "Loops_" + _name.replace("-", "_")
    globals()[_case] = type(_case, (Loops, unittest.TestCase), {"runtime": _name})

if __name__ == "__main__":
    xmltest.main()
