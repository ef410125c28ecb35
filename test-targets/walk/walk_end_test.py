# SPDX-License-Identifier: Apache-2.0
"""Programs that end: a crash in an iteration, as it is told of the core by `ompd` and GDB and by GDB at the
signal; and `ompd run` with programs of each compiler. The truth is what the program has said before.
WALK chooses among the programs, as in walk_rest_test.py.
"""

import json
import os
import re
import signal
import subprocess
import time
import unittest

import gdbrun
import ompd_schema
import stock_programs
import walk_programs
import xmltest

IN_GDB = """
said = run("ompd report")[0], document("ompd report -json")["process"]
say(said)
"""


class Ends:
    """The tests of one program on one runtime."""

    longMessage, maxDiff = True, None
    walk = None

    @classmethod
    def setUpClass(cls):
        cls.folder = walk_programs.folder_of_walks(cls)
        try:
            cls.walk.program(cls.folder)
        except stock_programs.NoRuntime as error:
            raise unittest.SkipTest(str(error)) from None

    # ---- crashes --------------------------------------------------------------------------------

    def test_crash(self):
        held = walk_programs.Held(self.walk, self.folder, "crash").start()
        self.addCleanup(held.stop)
        core = held.core()
        done = walk_programs.ompd("report", "--json", "--core", core, *walk_programs.library(), status=(0, 1))
        document = json.loads(done.stdout)
        ompd_schema.check(document)
        text = walk_programs.ompd("report", "--core", core, *walk_programs.library(), status=(0, 1)).stdout
        self.judge(held.members[3], document["process"]["crash"], text)
        answer = self.gdb(held, held.path, core)
        self.judge(held.members[3], answer[1]["crash"], answer[0])
        self.assertEqual(answer[1]["crash"], document["process"]["crash"])

    def test_at_the_signal(self):
        """A living program in GDB; what it has said is in GDB's own output."""
        held = walk_programs.Held(self.walk, self.folder, "crash")
        (text, process), out = self.gdb(held, "--args", held.path, "crash", before="run('run')\n", out=True)
        self.assertEqual((process["crash"]["live"], process["signal"]), (True, None))
        self.assertIn("Stopped at SIG", text)
        held.truth = json.loads(re.search("^TRUTH (.*)$", out, re.M)[1])
        self.judge(held.members[3], process["crash"], text)

    def gdb(self, held, *arguments, before="", out=False):
        answer = gdbrun.gdb(before + IN_GDB, arguments, cwd=held.folder,
                            env={key: held.env[key] for key in ("LD_LIBRARY_PATH", "OMP_WAIT_POLICY")})
        self.assertEqual(answer.problems(), [], str(answer))
        return (answer.said[0], answer.out) if out else answer.said[0]

    def judge(self, said, crash, text):
        text = " ".join(text.split())
        self.assertEqual((crash["lwp"], crash["thread_num"]), (said["lwp"], 3))
        if self.walk.language == "c++":
            words = "row %d is bad" % said["iteration"]
            self.assertEqual((crash["kind"], crash["signal"]), ("exception", signal.SIGABRT))
            self.assertEqual(crash["exception"], {"type": "grid::Bad", "what": words, "what_why": None})
            self.assertIn('An exception was not caught: grid::Bad, "%s". In OpenMP the thread must catch it '
                          'in the same construct.' % words, text)
        else:
            self.assertEqual((crash["kind"], crash["signal"]), ("null", signal.SIGSEGV))
            self.assertIn("The address is ", text)
            self.assertIn("held.", text.partition("The address is")[0])
        # gfortran's library handles the signal; at the first one it has not yet.
        handled = self.walk.compiler == "gfortran" and not crash["live"]
        self.assertEqual(crash["raised_again"], handled)
        self.assertNotIn("called from __clang_call_terminate", text)
        self.assertRegex(text, r"It ran implicit task \d+( \([^)]*\))?, created by initial task \d+")
        self.iteration(said["iteration"] + (self.walk.compiler == "flang"), crash["loop"], text)

    def iteration(self, number, loop, text):
        self.assertEqual(loop["schedule"], "dynamic")
        if not self.walk.records_chunks:
            self.assertEqual((loop["first"], loop["last"], loop["at"]), (None,) * 3)
            self.assertIn("Which iteration of a loop with schedule(dynamic) it was in cannot be known: "
                          "%s does not record which chunk a member has."
                          % ("libgomp" if self.walk.family == "gomp" else "libomp"), text)
            return
        self.assertEqual((loop["first"], loop["last"]), (number, number + 2))
        if self.walk.compiler == "clang" and not self.walk.optimised:
            self.assertEqual((loop["at"], loop["why"]), (number, None))
            self.assertIn("It was in iteration %d of a loop with schedule(dynamic)." % number, text)
        else:
            # clang's exception has left the body, in which the iteration's variable is.
            self.assertIn(loop["at"], (None, number) if self.walk.compiler == "clang++" else (None,))
            self.assertEqual(loop["at"] is None, loop["why"] is not None)
            self.assertIn("it was in", text)

    # ---- ompd run -------------------------------------------------------------------------------

    def test_run(self):
        """A report at SIGUSR1, and the program goes on; at SIGINT another one, and the program gets it."""
        held = walk_programs.Held(self.walk, self.folder)
        answer = os.path.join(held.folder, "answer")
        program = [gdbrun.find("command/ompd"), "run", "-q", "--runtime=own", *walk_programs.library(),
                   "--force", "--json", "-o", answer, "--", held.path]
        with subprocess.Popen(program, env=held.env, cwd=held.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True) as held.process:
            try:
                self.reports(held, answer)
            finally:
                self.end(held.process)

    def reports(self, held, answer):
        command = held.process
        held.truth = json.loads(command.stdout.readline()[len("TRUTH "):])
        with open("/proc/%d/task/%d/children" % (command.pid, command.pid), encoding="utf-8") as f:
            child = int(f.read().split()[0])
        held.until_at_rest(child)
        command.send_signal(signal.SIGUSR1)
        self.judge_report(held, wait_for_document(answer), child)
        os.unlink(answer)
        self.assertTrue(os.path.exists("/proc/%d" % child))
        command.send_signal(signal.SIGINT)
        self.assertEqual(command.wait(walk_programs.SECONDS), 128 + signal.SIGINT)
        self.judge_report(held, wait_for_document(answer), child)

    def judge_report(self, held, document, child):
        ompd_schema.check(document)
        self.assertEqual(document["process"]["pid"], child)
        rows = {row["thread_num"]: row for row in document["threads"]}
        self.assertEqual({number: row["lwp"] for number, row in rows.items()},
                         {number: one["lwp"] for number, one in held.members.items()})
        self.assertEqual(rows[1]["wait"]["at"]["line"], self.walk.line("WAITS"))
        self.assertEqual(document["runtimes"][0]["kind"], {"companion": "companion", "gomp": "libgomp",
                                                           "kmp": "libomp"}[self.walk.family])

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)


def wait_for_document(path):
    until = time.monotonic() + walk_programs.SECONDS
    while time.monotonic() < until:
        try:
            with open(path, encoding="utf-8") as f:
                return json.load(f)
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(.02)
    raise AssertionError("there is no report")


globals().update(walk_programs.cases("Ends", Ends))

if __name__ == "__main__":
    xmltest.main()
