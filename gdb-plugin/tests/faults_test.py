# SPDX-License-Identifier: Apache-2.0
"""Errors and a Ctrl-C at each callback of the host: the command ends with a sentence, GDB is as before."""

import os

import gdbrun
import xmltest
from fake_case import Case, THREADS


class Faults(Case):
    def check(self, answer):
        self.assertTrue(answer.said)
        for row in answer.said[:-1]:
            self.assertEqual(row["wrong"], [], row)
            self.assertGreater(row["calls"], 10)
        self.assertEqual(answer.said[-1], "alive")

    def sweep(self, commands):
        return """
import sys; sys.path.insert(0, %r)
import faults; faults.install()
gdb.execute("thread 2", to_string=True); gdb.execute("frame 1", to_string=True)
for c in %r: faults.sweep(c, say, selection, run)
say("alive")
""" % (gdbrun.HERE, commands)

    def test_every_callback_raises(self):
        self.check(self.live(self.sweep(["ompd report", "ompd threads -json"])))

    def test_every_callback_raises_on_a_core(self):
        core = os.path.join(self.folder(), "g.core")
        self.live("gdb.execute('gcore %s', to_string=True)" % core)
        self.check(self.gdb(self.sweep(["ompd report"]), THREADS, core))

    def test_every_callback_raises_without_libthread_db(self):
        self.check(self.live(self.sweep(["ompd report"]),
                             before=["set libthread-db-search-path /nonexistent"]))

    def test_completion_and_unwinding_stay_silent(self):
        answer = self.live("""
import sys; sys.path.insert(0, %r)
import faults; faults.install(); faults._what = RuntimeError
for k in range(1, 20):
    faults._count, faults._at = 0, k
    from ompd_gdb import session; session._changed()
    say(run("complete ompd icvs n"))
""" % gdbrun.HERE)
        for text, error in answer.said:
            self.assertIsNone(error)
            self.assertIn(text.strip(), ("", "ompd icvs nthreads-var"))

    def test_control_c(self):
        """A real SIGINT, at many moments of a long listing."""
        answer = self.live("""
import os, subprocess
gdb.execute("thread 2", to_string=True); gdb.execute("frame 1", to_string=True)
before = selection()
for i in range(12):
    killer = subprocess.Popen(["sh", "-c", "sleep 0.%d; kill -INT %d" % (2 + i, os.getpid())],
                              start_new_session=True)
    begin = time.time()
    out, error = run("ompd report")
    say([error, time.time() - begin, selection() == before])
    killer.wait()
import ctypes; ctypes.CDLL(None).setenv(b"FAKE_ROUNDS", b"1", 1)
say(run("ompd report -json")[1])
""", env={"FAKE_ROUNDS": "1000000000"})
        self.assertEqual(len(answer.said), 13)
        for error, seconds, same in answer.said[:-1]:
            self.assertEqual((error, same), ("Quit", True))
            self.assertLess(seconds, 20)
        self.assertIsNone(answer.said[-1])


if __name__ == "__main__":
    xmltest.main()
