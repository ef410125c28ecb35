# SPDX-License-Identifier: Apache-2.0
"""What is said of programs drawn by lot, beside what they count themselves: motion_looks.py for SECONDS, of
which the programs that stop for ever get a third. SEED repeats a run (the instants of the looks are others).

No alarm is said of a program that moves, never that one can go on that is dead, and each host answers. How
often the answer is open is bounded where there are enough looks.
"""

import os
import random
import subprocess
import tempfile
import unittest

import motion_looks
import motion_programs
import xmltest
from motion_hosts import Answer

SECONDS = int(os.environ.get("SECONDS", "60"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)
RUNTIMES = ("companion", "libgomp-12", "libomp-14", "libomp-19")
# The command costs least, and is what most people use.
HOSTS = "command,command,command,command,watch,run,gdb,gcore,kernel"
# Of a hundred answers so many may be open, from so many looks on: where there may be a second look, and not.
# Of one look at a team whose members are all at a barrier, a moment before it opens, nothing can be said.
OPEN = {("command", "watch"): 10, ("run", "gdb", "gcore", "kernel"): 30}
ENOUGH = 100


class Judged(unittest.TestCase):
    """The words for answers."""

    def test_a_program_that_moves(self):
        for word, answer in (("fine", Answer("none", "No deadlock: 1 thread computes.", 0)),
                             ("alarm", Answer("deadlock", "Deadlock: A waits for B.", 3)),
                             ("alarm", Answer("stuck", "Stuck: A waits for B.", None)),
                             ("alarm", Answer("suspected", "Suspected deadlock: A waits for B.", 0)),
                             ("alarm", Answer("unknown", "Stuck: A waits for B.", 0)),
                             ("alarm", Answer("unknown", "It cannot be said.", 3)),
                             ("open", Answer("unknown", "It cannot be said.", 0))):
            self.assertEqual(motion_looks.judge("moves", answer), word, answer)

    def test_a_dead_one(self):
        for word, answer in (("lie", Answer("none", "No deadlock: 1 thread computes.", 0)),
                             ("lie", Answer("unknown", "It runs: 3 threads move.", 0)),
                             ("proved", Answer("stuck", "Stuck: A waits for B.", 3)),
                             ("open", Answer("suspected", "Suspected deadlock: A waits for B.", 0)),
                             ("open", Answer("unknown", "It cannot be said.", 0))):
            self.assertEqual(motion_looks.judge("dead", answer), word, answer)

    def test_each_pass_has_every_runtime_with_every_kind(self):
        kinds = motion_programs.KINDS
        for number in range(2):
            size = len(RUNTIMES) * len(kinds)
            drawn = [motion_looks.session(i, 1, RUNTIMES, kinds, False)
                     for i in range(number * size, (number + 1) * size)]
            self.assertEqual(len({(one.runtime, one.kind) for one in drawn}), size)

    def test_a_log_of_which_a_line_is_half(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            path = os.path.join(folder, "log")
            record = motion_looks.Record(path)
            record.take({"number": 0, "all": 7, "word": "fine", "truth": "moves"})
            record.take({"number": 0, "all": 7, "session_ends": True})
            record.file.write('{"number": 1, "al')
            record.file.close()
            for _ in range(2):
                again = motion_looks.Record(path)
                self.assertEqual((len(again.lines), again.ended, again.seed), (1, {0}, 7))
                again.file.close()

    def test_sentences_of_one_form_are_equal(self):
        self.assertEqual(*[motion_looks.plain(sentence) for sentence in (
            "Deadlock: LWP 12 waits at a.c:3 for thread 2 (LWP 14), LWP 15 and LWP 16.",
            "Deadlock: LWP 345 waits at b.cc:99 for LWP 14.")])


class Motion(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.moving, cls.dead = motion_looks.Record(), motion_looks.Record()
        found = [name for name in RUNTIMES if name in motion_programs.available()[0]]
        print("SEED=%d, %s" % (SEED, ", ".join(found)), flush=True)
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            cls.drawn = {compiler: cls.draw(compiler, folder) for compiler in ("gcc", "clang")}
            for record, plants, share in (cls.moving, [], 2), (cls.dead, ["--plants"], 1):
                options = motion_looks.parse(["--seconds", str(SECONDS * share // 3), "--seed", str(SEED),
                                              "--runtimes", ",".join(found), "--hosts", HOSTS] + plants)
                motion_looks.work(options, folder, record)
                print("\n".join(motion_looks.table(record)), flush=True)

    @staticmethod
    def draw(compiler, folder):
        """{kind or mistake: programs in words}"""
        path = motion_programs.build(compiler, "companion", folder)
        home = os.path.join(folder, "draw_" + compiler)
        env = motion_programs.Program(path, "companion", home, 0, 4, "any").env

        def words(seed, kind, mistake):
            return subprocess.run([path, "-", str(seed), "4", kind, mistake], env=env, check=True,
                                  stdout=subprocess.PIPE, universal_newlines=True).stdout

        found = {kind: [words(seed, kind, "-") for seed in range(8)] for kind in motion_programs.KINDS}
        found.update((mistake, [words(seed, "any", mistake) for seed in range(8)])
                     for mistake in motion_programs.MISTAKES)
        return found

    def test_the_seed_decides(self):
        """The same program by each compiler, and not the same for each seed; what is asked for is in it."""
        for what, texts in self.drawn["gcc"].items():
            self.assertEqual(self.drawn["clang"][what], texts)
            self.assertGreater(len(set(texts)), 1, what)
            for text in texts:
                self.assertIn(what + " from" if what in motion_programs.MISTAKES else what, text)
                self.assertEqual("plant" in text, what in motion_programs.MISTAKES, text)

    def none(self, lines):
        self.assertEqual([motion_looks.told(line) for line in lines], [])

    def looks(self, *words):
        return [line for record in (self.moving, self.dead) for line in record.lines if line["word"] in words]

    def test_no_alarm_of_a_program_that_moves(self):
        self.assertTrue(self.moving.of_truth("moves"))
        self.none(self.looks("alarm"))

    def test_one_look_is_enough(self):
        """No further look had to take a proof back."""
        self.none(line for line in self.moving.of_truth("moves") if line["withdrawn"])

    def test_a_dead_program_is_never_said_to_run(self):
        self.assertTrue(self.dead.of_truth("dead"))
        self.none(self.looks("lie"))

    def test_what_is_recorded_is_proved(self):
        """Who owns a mutex is known everywhere, who owns a lock of OpenMP on Companion."""
        self.none(line for line in self.dead.of_truth("dead") if line["word"] != "proved" and
                  (line["proof"] == "everywhere" or
                   line["proof"] == "owners" and line["runtime"] == "companion"))

    def test_each_host_answers(self):
        self.none(self.looks("error"))

    def test_no_program_crashes_on_companion(self):
        self.none(line for line in self.looks("lost") if line["runtime"] == "companion")

    def test_few_answers_are_open(self):
        for hosts, bound in OPEN.items():
            looks = [line for line in self.moving.of_truth("moves") if line["host"] in hosts]
            if len(looks) >= ENOUGH:
                with self.subTest(hosts=hosts):
                    count = sum(line["word"] == "open" for line in looks)
                    self.assertLessEqual(count, bound * len(looks) / 100)


if __name__ == "__main__":
    xmltest.main()
