# SPDX-License-Identifier: Apache-2.0
"""One truth: every window of the runtime and OMPD say the same of every thread.

    truth_test.py WINDOWS

A target runs with all windows open (windows.c, preloaded) until it rests in its state. Then each thread is
signalled where it waits or works, asks each window about itself in the handler, and parks there; and `ompd`
asks from outside.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import threading
import unittest

import xmltest

WINDOWS = os.path.abspath(sys.argv[1])
del sys.argv[1:]
OMPD = os.path.abspath("command/ompd")
LIBOMPD = os.path.abspath("ompd/libompd.so.1")
TARGETS = os.path.abspath("test-targets")
SECONDS = 60

RUNNING, BLOCKED = 1, 2
MUTEX, COND, EVENTUAL, BARRIER = 5, 6, 8, 10
# What a state is called by each window: OMPD's name: OMPT 5.x, OMPT of 2016, collector, work unit's state and
# what it waits for. A nestable lock has a number of its own in 2016.
STATES = {
    "work_serial": (0x000, 0x00, 6, RUNNING, 0),
    "work_parallel": (0x001, 0x01, 2, RUNNING, 0),
    "work_reduction": (0x002, 0x02, 7, RUNNING, 0),
    "idle": (0x100, 0x10, 5, None, 0),
    "wait_barrier": (0x010, 0x40, 3, BLOCKED, BARRIER),
    "wait_barrier_implicit_parallel": (0x011, 0x41, 3, BLOCKED, BARRIER),
    "wait_barrier_implicit_workshare": (0x012, 0x41, 3, BLOCKED, BARRIER),
    "wait_barrier_explicit": (0x014, 0x42, 4, BLOCKED, BARRIER),
    "wait_taskwait": (0x020, 0x50, 1, BLOCKED, EVENTUAL),
    "wait_taskgroup": (0x021, 0x51, 1, BLOCKED, EVENTUAL),
    "wait_lock": (0x041, 0x60, 8, BLOCKED, MUTEX),
    "wait_critical": (0x042, 0x62, 9, BLOCKED, MUTEX),
    "wait_atomic": (0x043, 0x63, 11, BLOCKED, MUTEX),
    "wait_ordered": (0x044, 0x64, 10, BLOCKED, COND),
    "undefined": (0x102, 0x70, 6, None, 0),  # no OpenMP thread
}
DRAFT_NEST_LOCK = 0x61
COLLECTOR_WAITS = (3, 4, 8, 9, 10, 11)
WINDOW_NAMES = ("ompt", "draft", "collector", "unit")

NAMES = """serial serialised parallel nested idle idle_some foreign lock nest_lock critical_named
    critical_unnamed barrier barrier_loop barrier_parallel ordered_wait ordered_wait_dynamic taskwait
    taskgroup depend depend_undeferred task_lock task_nested task_undeferred task_untied queued_tasks deadlock
    for_dynamic single""".split()
FORTRAN = "f_nest_lock f_ordered f_taskwait".split()


class Target:
    """A target at rest, asked from inside and from outside."""

    def __init__(self, target):
        self.answers, self.events = {}, {}
        env = dict(os.environ, TRUTH_HOLD_SECONDS=str(SECONDS), LD_PRELOAD=WINDOWS, **target["env"])
        self.process = subprocess.Popen([os.path.join(TARGETS, target["exe"])] + target["args"], env=env,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        universal_newlines=True)
        clock = threading.Timer(SECONDS, self.process.kill)
        clock.start()
        try:
            line = self.process.stdout.readline()
            if not line.startswith("TRUTH "):
                raise AssertionError("%r\n%s" % (line, self.process.stderr.read()))
            self.process.stdin.write("x")
            self.process.stdin.flush()
            for line in self.process.stderr:
                words = line.split()
                if words[0] == "events":
                    self.events = self.numbers(words[1:])
                    break
                found = self.numbers(words)
                self.answers[found.pop("tid")] = found
            done = subprocess.run([OMPD, "report", "--json", "--ompd-library", LIBOMPD, "--pid",
                                   str(self.process.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=SECONDS, universal_newlines=True)
            if done.stderr:
                raise AssertionError(done.stderr)
            self.report = json.loads(done.stdout)
        finally:
            clock.cancel()
            self.process.kill()
            self.process.communicate()

    @staticmethod
    def numbers(words):
        return {name: int(value) for name, value in (word.split("=") for word in words)}


class OneTruth(unittest.TestCase):
    longMessage = True

    def same_thing(self, known, what, inside, outside):
        """Both sides call one thing always by one name, each by its own."""
        for side in ((what, "in", inside), (what, "out", outside)):
            name = known.setdefault(side, (inside, outside))
            self.assertEqual(name, (inside, outside), side)

    def check(self, target):
        found = Target(target)
        rows = {row["lwp"]: row for row in found.report["threads"]}
        asker = found.events.pop("asker")
        self.assertEqual(set(found.answers) | {asker}, set(rows))
        known, seen = {}, set()
        for lwp, answers in found.answers.items():
            with self.subTest(target["name"], lwp=lwp, state=rows[lwp]["state"]):
                seen.add(self.check_thread(answers, rows[lwp], found.report, known))
        self.assertGreaterEqual(seen, set(target["states"]) - {"null"})
        for window in WINDOW_NAMES:
            self.assertTrue(found.events[window] > 0 or target["exe"].startswith("serial_"), window)
        return seen

    def check_thread(self, answers, row, report, known):
        state = row["state"] if row["openmp"] else "undefined"
        ompt, draft, collector, unit_state, unit_sync = STATES[state]
        wait = row["wait"]
        if wait is not None and wait["kind"] == "nest_lock":
            draft = DRAFT_NEST_LOCK
        self.assertEqual([answers[name + "_state"] for name in ("ompt", "draft", "collector")],
                         [ompt, draft, collector])
        if not row["openmp"]:
            self.assertEqual([answers[name]
                              for name in ("draft_task", "ompt_task", "unit_task", "unit_thread")],
                             [-1, -1, -1, -1])
            return state
        self.check_wait(answers, wait, collector, unit_state)
        self.check_place(answers, row, report, known)
        if unit_state is not None:
            self.assertEqual((answers["unit_state"], answers["unit_sync"]), (unit_state, unit_sync))
        return state

    def check_wait(self, answers, wait, collector, unit_state):
        self.assertEqual(wait is not None, unit_state == BLOCKED)
        if wait is None:
            waits = ("ompt_wait", "draft_wait", "collector_wait", "unit_wait")
            self.assertEqual([answers[name] for name in waits], 4 * [0])
            return
        expected = int(wait["id"], 16)
        self.assertEqual([answers[name] for name in ("ompt_wait", "draft_wait", "unit_wait")], 3 * [expected])
        self.assertEqual(answers["collector_wait"], expected if collector in COLLECTOR_WAITS else 0)

    def check_place(self, answers, row, report, known):
        """Thread, region and task."""
        for window in ("ompt", "draft", "unit"):
            self.same_thing(known, window + " thread", answers[window + "_thread"], row["lwp"])
        if row["state"] == "idle":
            self.assertEqual([answers[name]
                              for name in ("ompt_region", "ompt_task", "draft_task", "unit_task")],
                             [-1, -1, -1, -1])
            self.assertEqual([answers[name] for name in ("draft_region", "collector_region")], [0, 0])
            return
        region = next(r for r in report["regions"] if r["id"] == row["region"])
        inside = region["kind"] == "parallel"
        self.assertEqual([answers[name] for name in ("draft_region", "collector_region")],
                         2 * [row["region"] if inside else 0])
        self.assertEqual(answers["draft_team_size"], row["team_size"] if inside else -1)
        self.assertEqual(answers["ompt_team_size"], row["team_size"])
        self.same_thing(known, "ompt region", answers["ompt_region"], row["region"])
        self.assertEqual([answers[name] for name in ("ompt_thread_num", "draft_thread_num")],
                         2 * [row["thread_num"]])
        self.assertEqual(answers["draft_task"], row["task"])
        for window in ("ompt", "unit"):
            self.same_thing(known, window + " task", answers[window + "_task"], row["task"])

    def check_all(self, suffixes, names):
        with open(os.path.join(TARGETS, "targets.json")) as f:
            targets = json.load(f)["targets"]
        wanted = [t for t in targets
                  if any(t["exe"] == name + suffix for name in names for suffix in suffixes) and
                  t["stop"] == "held"]
        self.assertEqual(len({t["exe"] for t in wanted}), len(names) * len(suffixes))
        with concurrent.futures.ThreadPoolExecutor(3) as pool:  # they sleep more than they work
            futures = [pool.submit(self.check, target) for target in wanted]
        return set().union(*(future.result() for future in futures))

    def test_clang(self):
        seen = self.check_all(["_clang.exe"], NAMES)
        self.assertEqual(set(STATES) - seen, {"work_reduction", "wait_atomic", "wait_barrier"})

    def test_gcc(self):
        seen = self.check_all(["_gcc.exe"], NAMES)
        self.assertEqual(set(STATES) - seen, {"work_reduction", "wait_atomic", "wait_barrier_explicit",
                                              "wait_barrier_implicit_workshare"})

    def test_fortran(self):
        self.check_all(["_gfortran.exe", "_flang.exe"], FORTRAN)


if __name__ == "__main__":
    xmltest.main()
