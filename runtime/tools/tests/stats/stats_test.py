# SPDX-License-Identifier: Apache-2.0
"""Statistics: KMP_STATS_FILE and KMP_STATS_THREADS (the libomp interface page).

    stats_test.py PROGRAM...

The counts are read off stats_program.c. Times are only compared with each other, and with a sleep inside a
region.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import xmltest

PROGRAMS = [os.path.abspath(path) for path in sys.argv[1:] if path.endswith(".exe")]
del sys.argv[1:]
HERE = tempfile.mkdtemp()

COUNTS = {"OMP_PARALLEL": 1, "OMP_NESTED_PARALLEL": 1, "OMP_FOR_dynamic": 3, "OMP_FOR_guided": 3,
          "OMP_SINGLE": 1, "OMP_TASKWAIT": 1, "OMP_TASKGROUP": 1, "OMP_CRITICAL": 3, "OMP_ORDERED": 4,
          "OMP_set_lock": 3, "OMP_test_lock": 1, "TASK_created": 8, "TASK_executed": 8}
# gcc ends single by a call of the routine of `barrier`; its reductions are inlined.
BARRIERS = {"clang": 3, "gcc": 3 * 2}
SCALE = {"G": 1e9, "M": 1e6, "k": 1e3, "": 1, "m": 1e-3, "u": 1e-6, "n": 1e-9}


def number(text):
    match = re.fullmatch(r"([0-9.]+)([GMkmun]?)s?", text)
    return float(match.group(1)) * SCALE[match.group(2)]


def rows(block, head):
    """name -> numbers, of the table under the line that begins with `head`."""
    found, inside = {}, False
    for line in block.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == 1 or cells[0] in ("Timer", "Counter"):
            inside = cells[0] == head
        elif inside:
            found[cells[0]] = [number(cell) for cell in cells[1:]]
    return found


def parts(text):
    """(list of threads' blocks, aggregate) of one run's text"""
    head, aggregate = text.split("Aggregate for all threads\n")
    lines = head.split("Statistics on exit\n")
    assert lines[0] == "" and len(lines) == 2, text
    return re.split(r"^Thread \d+\n", lines[1], flags=re.M)[1:], aggregate


class Statistics(unittest.TestCase):
    def programs(self):
        self.assertEqual(len(PROGRAMS), 2)
        for program in PROGRAMS:
            with self.subTest(os.path.basename(program)):
                yield program

    def start(self, program, *args, **env):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KMP_STATS")}
        done = subprocess.run([program] + list(args), env=dict(clean, **env), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60, cwd=HERE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(done.stdout.splitlines()), {"3 21"})
        return done.stderr

    def check_aggregate(self, program, aggregate):
        compiler = "clang" if "clang" in program else "gcc"
        counters = {name: columns[4] for name, columns in rows(aggregate, "Counter").items()}
        expected = dict(COUNTS, OMP_BARRIER=BARRIERS[compiler])
        if compiler == "clang":
            expected["OMP_REDUCE"] = counters.get("OMP_REDUCE", 0)  # atomic ones are not told
        for name, count in expected.items():
            self.assertEqual(counters.get(name, 0), count, name)
        self.assertLessEqual(set(counters), set(expected) | {"TASK_stolen", "OMP_FLUSH"})
        timers = rows(aggregate, "Timer")
        for name in ("OMP_parallel", "OMP_implicit_task", "OMP_task", "OMP_worksharing", "OMP_barrier_wait"):
            self.assertIn(name, timers)
        for name, (count, least, mean, most, total, deviation) in timers.items():
            self.assertTrue(count > 0 and least <= mean * 1.001 and mean <= most * 1.001, name)
            self.assertAlmostEqual(total / (mean * count), 1, 2, name)
            self.assertLessEqual(deviation, most)
        self.assertEqual(timers["OMP_task"][0], 8)
        self.assertEqual(timers["OMP_parallel"][0], 2)
        self.assertEqual(timers["OMP_implicit_task"][0], 3 + 2)
        self.assertGreaterEqual(timers["OMP_parallel"][1], 0.02)  # the region inside sleeps so long
        self.assertGreaterEqual(timers["OMP_parallel"][4], 0.04)

    def test_off(self):
        for program in self.programs():
            self.assertEqual(self.start(program), "")

    def test_file_is_appended(self):
        for program in self.programs():
            path = os.path.join(HERE, os.path.basename(program) + ".txt")
            with open(path, "w") as f:
                f.write("mine\n")
            for run in (1, 2):
                self.assertEqual(self.start(program, KMP_STATS_FILE=path), "")
                with open(path) as f:
                    blocks = f.read().split("Statistics on exit\n")
                self.assertEqual((blocks[0], len(blocks)), ("mine\n", run + 1))
                for block in blocks[1:]:
                    threads, aggregate = parts("Statistics on exit\n" + block)
                    self.assertEqual(threads, [])
                    self.check_aggregate(program, aggregate)

    def test_threads_on_stderr(self):
        for program in self.programs():
            for value in ("true", "on", "1", "yes", "TRUE"):
                threads, aggregate = parts(self.start(program, KMP_STATS_THREADS=value))
                self.check_aggregate(program, aggregate)
                self.assertEqual(len(threads), 4)
                totals = {}
                for block in threads:
                    for name, (count,) in rows(block, "Counter").items():
                        totals[name] = totals.get(name, 0) + count
                self.assertEqual(totals, {name: row[4] for name, row in rows(aggregate, "Counter").items()})
                self.assertEqual(rows(threads[0], "Counter")["OMP_PARALLEL"], [1])
                self.assertNotIn("OMP_PARALLEL", rows(threads[1], "Counter"))

    def test_threads_off(self):
        for program in self.programs():
            threads, aggregate = parts(self.start(program, KMP_STATS_THREADS="false"))
            self.assertEqual(threads, [])
            self.check_aggregate(program, aggregate)
            err = self.start(program, KMP_STATS_THREADS="perhaps")
            self.assertIn("KMP_STATS_THREADS='perhaps' has no effect", err)

    def test_file_that_cannot_be_written(self):
        for program in self.programs():
            err = self.start(program, KMP_STATS_FILE="/nowhere/stats.txt")
            self.assertIn("KMP_STATS_FILE='/nowhere/stats.txt': No such file", err)
            self.check_aggregate(program, parts(err[err.index("Statistics"):])[1])

    def test_child_of_fork_reports_its_own(self):
        for program in self.programs():
            path = os.path.join(HERE, os.path.basename(program) + ".fork")
            self.start(program, "fork", KMP_STATS_FILE=path)
            with open(path) as f:
                blocks = f.read().split("Statistics on exit\n")[1:]
            self.assertEqual(len(blocks), 2)
            for block in blocks:
                self.check_aggregate(program, parts("Statistics on exit\n" + block)[1])


if __name__ == "__main__":
    xmltest.main()
