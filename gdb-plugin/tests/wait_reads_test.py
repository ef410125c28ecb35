# SPDX-License-Identifier: Apache-2.0
"""How much memory GDB reads to say what threads outside of OpenMP wait for: each read may be a packet."""

import re
import unittest

import gdbrun
import xmltest

PROGRAM = gdbrun.find("gdb-plugin/tests/wait_reads")
NO_PLT = gdbrun.find("gdb-plugin/tests/wait_reads_no_plt")
NO_DEBUG_FILES = "set debug-file-directory /nonexistent"
# Of the program's kinds, as it lists them.
OBJECTS, TIMED, OTHER = 10, 2, 3
# Of its code, its slots for functions of libraries, and its variables.
PAGES = 5


class WaitReads(unittest.TestCase):
    none = None  # reads of the program without waits

    def reads(self, program, many, before):
        """How many reads a first `ompd threads` takes; all kinds of wait are right in it."""
        answer = gdbrun.gdb("""
run("break held"); run("run")
say(document("ompd threads -json")["threads"])
say(run("ompd status -stats")[0])
""", ["--args", program, str(many)], before=before)
        self.assertEqual(answer.problems(), [], str(answer))
        rows, status = answer.said
        truth = {int(tid): kind for tid, kind in re.findall(r"^(\d+) (\w+)$", answer.out, re.M)}
        self.assertEqual(len(truth), many * (OBJECTS + TIMED + OTHER))
        self.assertEqual({row["lwp"]: row["activity"]["kind"] for row in rows if row["lwp"] in truth}, truth)
        found = re.search(r"(\d+) symbol lookups, (\d+) memory reads", " ".join(status.split()))
        self.assertEqual(int(found[1]), 0)
        return int(found[2])

    def check(self, program, *before):
        if self.none is None:
            WaitReads.none = self.reads(program, 0, before)
        none, one, more = self.none, self.reads(program, 1, before), self.reads(program, 8, before)
        print("reads: %d of no waits, %d of one of each kind, %d of eight" % (none, one, more))
        # Objects, and the code that called libc, lie on few pages, which are read once. A time limit lies on
        # a stack of its own.
        self.assertLessEqual(one - none, PAGES + TIMED)
        self.assertLessEqual(more - one, 7 * TIMED)

    def test_names_of_libc(self):
        self.check(PROGRAM)

    def test_no_names_of_libc(self):
        self.check(PROGRAM, NO_DEBUG_FILES)

    def test_calls_by_the_table(self):
        self.check(NO_PLT, NO_DEBUG_FILES)


if __name__ == "__main__":
    xmltest.main()
