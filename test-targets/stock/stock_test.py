# SPDX-License-Identifier: Apache-2.0
"""The programs of test-targets/ on stock runtimes: no cell of an answer is wrong, and nearly all are known.

STOCK=all: each runtime with a quarter of the programs, options and situations by turns; the whole is
`./dev matrix --stock`. Without it a few programs on libgomp 12 and libomp 14.
PROGRAMS and RUNTIMES (comma-separated) choose some.
"""

import collections
import os
import shutil
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import stock_programs
import stock_score
import stock_situations
import xmltest

ALL = os.environ.get("STOCK") == "all"
WORKERS = 3
SOME = ("barrier", "critical_named", "depend", "foreign", "idle", "lock", "lock_in_pthread", "loop_end",
        "nested_waits", "ordered_wait", "queued_tasks", "roots", "serial_inside", "single", "target",
        "taskwait", "tasks_below", "user_calls", "f_lock", "f_nested", "cxx_locks")
# Verdicts for which it has to be known who has come to a barrier.
VERDICTS = {"region_in_task": "none", "serial_inside": "none", "tasks_below": "none"}
OTHERS = ("kernel core", "no file", "attach", "gcore", "GDB core", "GDB live")
# What a runtime's file tells without its text is not in every core; there less is known.
KNOWN = 0.99


def chosen(variable, otherwise):
    return [name for name in os.environ.get(variable, "").split(",") if name] or otherwise


def work():
    """{name of the case: (runtime, program, compiler, option, situations)}"""
    found = {}
    runtimes = chosen("RUNTIMES", list(stock_programs.RUNTIMES) if ALL else ["libgomp-12", "libomp-14"])
    names = chosen("PROGRAMS", sorted(stock_programs.programs()) if ALL else SOME)
    for r, runtime in enumerate(runtimes):
        for i, name in enumerate(names):
            if not stock_programs.runs_on(name, runtime) or ALL and (i + r) % 4:
                continue
            option = list(stock_programs.OPTIONS)[(i + r) % 3]
            situations = {"-p", OTHERS[(i + 2 * r) % 6]}
            if option == "stripped" and "GDB live" in situations:
                situations = {"-p", "attach"}  # GDB has no symbol to stop at
            if name in stock_programs.CRASHING:
                situations = {"kernel core", "no file"}
            for compiler in stock_programs.RUNTIMES[runtime].compilers:
                if stock_programs.compiles(name, compiler):
                    case = "%s_%s" % (runtime.replace("-", "_"), name)
                    found[case] = runtime, name, compiler, option, situations
    return found


WORK = work()


class Stock(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.counts = collections.defaultdict(lambda: [0, 0, 0])
        cls.lock = threading.Lock()
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        os.mkdir(os.path.join(cls.folder, "programs"))
        cls.building = collections.defaultdict(threading.Lock)
        pool = ThreadPoolExecutor(WORKERS)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        cls.done = {case: pool.submit(cls.look, case, *what) for case, what in WORK.items()}

    @classmethod
    def tearDownClass(cls):
        for (runtime, situation), counts in sorted(cls.counts.items()):
            print("%s, %s: %d right, %d not known, %d wrong" % (runtime, situation, *counts))

    @classmethod
    def look(cls, case, runtime, name, compiler, option, situations):
        """The wrong sentences of one run."""
        with cls.building[name, compiler, option]:
            path = stock_programs.build(name, compiler, option, os.path.join(cls.folder, "programs"))
        run = stock_programs.Run(path, name, stock_programs.RUNTIMES[runtime],
                                 os.path.join(cls.folder, case))
        wrong = []
        try:
            run.start()
            for situation, truth, report in stock_situations.reports(run, situations):
                if isinstance(report, Exception):
                    wrong.append("%s: %s" % (situation, report))
                    continue
                result = stock_score.score(truth, report, option == "o0",
                                            (runtime, name) in stock_programs.INDIRECT, option != "stripped")
                wrong += ["%s: %s" % (situation, sentence) for sentence in result.wrong]
                kind = report["verdict"]["kind"]
                # Without the runtime's code fewer owners are known.
                allowed = (VERDICTS.get(name, kind), "unknown" if situation == "no file" else None)
                wrong += ["%s: %s" % (situation, report["verdict"])] * (kind not in allowed)
                with cls.lock:
                    totals = cls.counts[runtime, situation]
                    for i, number in enumerate(result.totals(stock_score.COUNTED)):
                        totals[i] += number
        finally:
            run.stop()
            shutil.rmtree(run.folder, ignore_errors=True)
        return wrong

    def test_nearly_all_is_known(self):
        for finished in self.done.values():
            finished.exception()
        sums = collections.defaultdict(lambda: [0, 0])
        for (runtime, _), (right, unknown, _) in self.counts.items():
            both = sums[runtime]
            both[0] += right
            both[1] += right + unknown
        for runtime, (right, all_of_them) in sums.items():
            with self.subTest(runtime=runtime):
                self.assertGreaterEqual(right, KNOWN * all_of_them)


def _add(case):
    def check(self):
        try:
            self.assertEqual(self.done[case].result(), [])
        except (stock_programs.NoRuntime, stock_programs.NoRest) as error:
            self.skipTest(str(error))
    setattr(Stock, "test_" + case, check)


for _case in WORK:
    _add(_case)

if __name__ == "__main__":
    xmltest.main()
