# SPDX-License-Identifier: Apache-2.0
"""Barriers and regions of many threads, counted on a model of caches (scenarios.c), not timed.

    mesi_test.py SCENARIOS THREADS...

Prints the table that docs/benchmarks.md shows.
"""
import math
import os
import re
import subprocess
import sys
import unittest

import xmltest

SCENARIOS = os.path.abspath(sys.argv[1])
SIZES = [int(size) for size in sys.argv[2:]]
del sys.argv[1:]
CLUSTER, NEAR, FAR = 8, 1, 3
LEAF, FAN_IN, COPY = 8, 4, 8
ONE_COUNTER = {"OMPC_BARRIER_CLUSTER": "0"}


def run(*words, **variables):
    """What scenarios prints: {word: number}."""
    env = {name: value for name, value in os.environ.items() if not re.match("G?OMP|KMP_", name)}
    done = subprocess.run([SCENARIOS] + [str(word) for word in words], env=dict(env, **variables),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          timeout=200)
    if done.returncode != 0:
        raise AssertionError("%s: status %d\n%s" % (" ".join(map(str, words)), done.returncode, done.stdout))
    return {name: float(number) for name, number in re.findall(r"(\w+) ([\d.]+)", done.stdout)}


def counted(whose, what, threads, cluster=CLUSTER, **variables):
    figures = run(whose, what, threads, cluster, 1, **variables)
    about = (" one counter" if variables else "") + (" private" if cluster == 1 else "")
    print("%-8s %4d threads  %-22s transfers a thread %5.2f, far %5.2f, most %3d, time %7.1f"
          % (what, threads, whose + about, figures["transfers"], figures["far"], figures["most"],
             figures["time"]), flush=True)
    return figures


def way_up(threads):
    """The longest chain through counters: those of a cache one after the other, then four a level."""
    count, time = math.ceil(threads / LEAF), LEAF * NEAR
    while count > 1:
        time += min(count, FAN_IN) * FAR
        count = math.ceil(count / FAN_IN)
    return time


def way_down(threads):
    """The copies are stored one by one; of each cache one thread after the other fetches the last."""
    caches = math.ceil(threads / CLUSTER)
    copies = math.ceil(caches / COPY)
    return (copies + 1 if copies > 1 else 0) * FAR + min(caches, COPY) * FAR + CLUSTER * NEAR


class Counts(unittest.TestCase):
    longMessage = True

    def test_barrier(self):
        for n in SIZES:
            with self.subTest(n):
                ours = counted("companion", "barrier", n)
                one = counted("companion", "barrier", n, **ONE_COUNTER)
                # One line goes through all threads: their number is the least that the time can be.
                self.assertGreaterEqual(one["time"], n * NEAR)
                if n == 2:  # which is also what lets both go: there and back, and the first look
                    self.assertLessEqual(one["time"], 3 * NEAR)
                if n <= CLUSTER:
                    self.assertEqual(ours, one)
                    continue
                self.assertLess(ours["time"], one["time"])
                # A few transfers more where a thread's own lines and the team's head come in, and some room.
                self.assertLessEqual(ours["time"], 1.05 * (way_up(n) + way_down(n) + 8))
                self.assertLessEqual(ours["transfers"], 3)
                self.assertLess(ours["far"], 0.6)

    def test_one_counter_grows_as_the_team(self):
        if len(SIZES) < 2:
            self.skipTest("one size")
        few, many = SIZES[-2:]
        times = [run("companion", "barrier", n, CLUSTER, 1, **ONE_COUNTER)["time"] for n in (few, many)]
        self.assertGreater(times[1] / times[0], 0.9 * many / few)

    def test_private_caches(self):
        """Each thread has a counter for itself: the team's own word is all that a few meet at."""
        for n in SIZES:
            with self.subTest(n):
                ours = counted("companion", "barrier", n, 1)
                one = counted("companion", "barrier", n, 1, **ONE_COUNTER)
                if n == 2:
                    self.assertEqual(ours, one)
                elif n >= 2 * CLUSTER:
                    self.assertLess(ours["time"], one["time"])
                self.assertLessEqual(ours["transfers"], 3.5)

    def test_region(self):
        for n in SIZES:
            with self.subTest(n):
                ours = counted("companion", "region", n)
                one = counted("companion", "region", n, **ONE_COUNTER)
                # Of each other thread the signal, the description's line, its arrival; their stores by one.
                self.assertLessEqual(ours["transfers"], 3.5 + 0.1)
                if n <= CLUSTER:
                    self.assertEqual(ours, one)
                elif n >= 4 * CLUSTER:
                    self.assertLess(ours["time"], one["time"])

    def test_described(self):
        for n in SIZES:
            with self.subTest(n):
                for whose in ("textbook", "libgomp", "libomp"):
                    figures = counted(whose, "barrier", n)
                    if whose == "libgomp":  # each thread: the counter once, the generation once
                        self.assertLessEqual(figures["transfers"], 2.01)
                    if whose == "libomp":  # each child: its word and its parent's look at it, both ways
                        self.assertAlmostEqual(figures["transfers"], 4 * (n - 1) / n, delta=0.1)
                for whose in ("libgomp", "libomp"):
                    counted(whose, "region", n)


class Lots(unittest.TestCase):
    """Who goes on is decided by lot at each access; nobody passes early, and nobody is left asleep."""

    def test_orders(self):
        seeds = 10 if max(SIZES) > 64 else 3
        for n in [2, 3, 5, 9, 16, 33, 40]:
            for cluster in (1, 2, 3, 8):
                for seed in range(1, 3 * seeds if n == 2 else seeds):
                    with self.subTest((n, cluster, seed)):
                        self.assertGreater(run("companion", "lots", n, cluster, seed)["switches"], n)

    def test_one_counter(self):
        for seed in range(1, 10):
            with self.subTest(seed):
                run("companion", "lots", 16, 4, seed, **ONE_COUNTER)


if __name__ == "__main__":
    xmltest.main()
