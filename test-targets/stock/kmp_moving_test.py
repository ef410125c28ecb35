# SPDX-License-Identifier: Apache-2.0
"""A team on libomp that goes through a barrier and the end of its region one thread at a time: GDB lets one
thread run until it has left the barrier, or until it yields in libomp. Then the truth is plain: who
has not come, who waits, and who has only not run since it was released."""

import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

SOURCE = r"""
#include <omp.h>
__attribute__((noinline)) void ready(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void passed(void) { __asm__ volatile("" ::: "memory"); }
int main(void)
{
    for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(MEMBERS)
        {
            if (omp_get_thread_num() == 0 && round == 3)
                ready();
#pragma omp barrier
            if (round == 3)
                passed();
        }
    }
    return 0;
}
"""
SCRIPT = r'''
for s in ("pagination off", "print thread-events off", "breakpoint pending on"):
    gdb.execute("set " + s)
gdb.execute("break ready")
gdb.execute("run >/dev/null", to_string=True)
gdb.execute("set scheduler-locking on")
gdb.execute("delete")
threads = {t.ptid[1]: t for t in gdb.selected_inferior().threads()}
def report():
    return document("ompd report -json")
def run_to(lwp, place):
    threads[lwp].switch()
    point = gdb.Breakpoint(place, internal=True)
    gdb.execute("continue", to_string=True)
    point.delete()
def settle(lwp):
    run_to(lwp, "sched_yield")
order = [row["lwp"] for row in sorted(report()["threads"], key=lambda row: row["thread_num"])]
for lwp in reversed(order[1:]):  # those that others gather come first
    settle(lwp)
say(["before", report()])
run_to(order[0], "passed")
say(["passed", report()])
settle(order[0])
say(["end", report()])
for lwp in order[1:]:
    run_to(lwp, "passed")
    settle(lwp)
    say(["next", report()])
gdb.execute("kill")
'''


class Moving(unittest.TestCase):
    def look(self, runtime, members, env):
        """[what was done, {thread number: row}, report]"""
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        try:
            shutil.copy(stock_programs.RUNTIMES[runtime].file(), os.path.join(folder, "libomp.so.5"))
            link = stock_programs.link_options("clang", folder)
        except stock_programs.NoRuntime as error:
            self.skipTest(str(error))
        program = os.path.join(folder, "program")
        subprocess.run(["clang", "-g", "-O2", "-fopenmp", "-DMEMBERS=%d" % members, "-x", "c", "-", "-o",
                        program] + stock_programs.include_options("clang") + link,
                       input=SOURCE, check=True, universal_newlines=True)
        answer = gdbrun.gdb(SCRIPT, ["--args", program], env=dict(env, LD_LIBRARY_PATH=folder), timeout=100)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertEqual(len(answer.said), 3 + members - 1, str(answer))
        return [(what, {row["thread_num"]: row for row in report["threads"]}, report)
                for what, report in answer.said]

    def waits(self, row, missing):
        self.assertEqual((row["wait"] or {}).get("kind"), "barrier", row)
        self.assertTrue(row["wait"]["lasts"] and not row["released"], row)
        self.assertEqual(row["wait"]["missing"], missing)

    def check(self, runtime, members, **env):
        others = range(1, members)
        # Who waits yields, and never sleeps: it would hold a mutex on its way there.
        looks = self.look(runtime, members, dict(env, KMP_BLOCKTIME="infinite", KMP_USE_YIELD="1"))
        for what, rows, report in looks:
            self.assertNotIn(report["verdict"]["kind"], ("deadlock", "stuck", "suspected"), what)
            self.assertEqual(len(rows), members, what)
        before, passed, end = (rows for _, rows, _ in looks[:3])
        for i in others:
            self.waits(before[i], [0])
            for rows in passed, end:
                self.assertTrue(rows[i]["released"], rows[i])
                self.assertIsNone(rows[i]["wait"])
        self.assertFalse(passed[0]["released"])
        self.waits(end[0], list(others))
        for come, (_, rows, _) in enumerate(looks[3:], 1):
            # The primary thread gathers one after the other, and has not run since the first one came.
            self.assertTrue(rows[0]["released"], rows[0])
            for i in range(1, come + 1):
                self.waits(rows[i], [0] + list(range(come + 1, members)))
            for i in range(come + 1, members):
                self.assertTrue(rows[i]["released"], rows[i])

    def test_14(self):
        self.check("libomp-14", 3)

    def test_19(self):
        self.check("libomp-19", 3)

    def test_linear(self):
        """Of five members, number 4 gathers nobody."""
        self.check("libomp-14", 5, KMP_PLAIN_BARRIER_PATTERN="linear,linear",
                   KMP_FORKJOIN_BARRIER_PATTERN="linear,linear")


if __name__ == "__main__":
    xmltest.main()
