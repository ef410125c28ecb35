# SPDX-License-Identifier: Apache-2.0
"""`ompd catch`: it stops, as often as the program has such an event; what is made are breakpoints like
others."""

import unittest

import gdbrun
import xmltest

EVENTS = [gdbrun.find("gdb-plugin/tests/events_%s.exe" % compiler) for compiler in ("clang", "gcc")]
ENV = {"OMP_WAIT_POLICY": "passive", "OMP_DYNAMIC": "false"}

# What events.c says of itself: how often each stops, and in how many threads.
HITS = {"parallel": (1, 1), "parallel begin": (1, 1), "parallel end": (1, 1), "task": (3, None),
        "task end": (3, None),
        "thread": (2, 2), "thread end": (1, 1), "critical": (2, 2), "critical end": (2, 2), "lock": (2, 2),
        "lock end": (2, 2), "barrier": (6, 2), "barrier all": (3, None),
        "lock if $ompd_thread_num() == 1": (1, 1), "critical end if $ompd_thread_num() == 0": (1, 1),
        "barrier if $ompd_thread_num() == 1": (3, 1), "parallel if $ompd_level() == 7": (0, 0),
        "barrier all if $ompd_level() == 7": (0, 0)}

# One GDB for each kind: plain GDB 13 that starts a program again and again from Python now and then waits for
# ever (in poll(), while the program stands in ld.so).
SCRIPT = """
what = %r
error = run("ompd catch " + what)[1]
stops = []
run("run")
table = gdb.execute("info breakpoints", to_string=True)
while gdb.selected_inferior().pid and len(stops) < 20:
    stops.append(gdb.selected_thread().global_num)
    # GDB may find a process gone in the middle of its end.
    if run("continue")[1]: break
run("kill")
say([error, table, sum(b.hit_count for b in gdb.breakpoints()), stops])
"""


class Catch(unittest.TestCase):
    maxDiff = None

    def gdb(self, script, program):
        answer = gdbrun.gdb(script, ["--args", program], env=ENV)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said

    def test_each_kind(self):
        for program in EVENTS:
            for what, (count, threads) in HITS.items():
                error, table, hits, stops = self.gdb(SCRIPT % what, program)[0]
                self.assertIsNone(error)
                self.assertEqual(len(stops), count, (program, what, stops))
                if threads is not None:
                    self.assertEqual(len(set(stops)), threads, (program, what, stops))
                self.assertIn("breakpoint", table)
                self.assertGreaterEqual(hits, count)
                if " if " in what and " all " not in what:
                    self.assertIn("stop only if " + what.partition(" if ")[2], table)

    def test_all_have_arrived(self):
        """At that moment every other member stands at the barrier: GDB's own backtraces."""
        script = """
run("ompd catch barrier all"); run("run")
def stack(thread):
    thread.switch(); frame, names = gdb.newest_frame(), []
    while frame is not None: names.append(frame.name()); frame = frame.older()
    return names
say([stack(thread) for thread in gdb.selected_inferior().threads()])
"""
        for program in EVENTS:
            stacks = self.gdb(script, program)[0]
            self.assertEqual(len(stacks), 2)
            for names in stacks:
                # The entry point ends in a jump to the last one, so who waits already may have only that.
                self.assertTrue({"__kmpc_barrier", "GOMP_barrier", "rt_barrier_plain"} & set(names), stacks)

    def test_begun_when_one_waits_already(self):
        for program in EVENTS:
            said = self.gdb("""
gdb.execute("tbreak omp_unset_lock", to_string=True); gdb.execute("run", to_string=True)
first = gdb.selected_thread()
gdb.execute("set scheduler-locking on"); gdb.execute("tbreak rt_team_wait", to_string=True)
gdb.execute("continue", to_string=True); gdb.execute("set scheduler-locking off")
error = run("ompd catch barrier all")[1]; say([error, gdb.selected_thread() == first])
run("continue")
def stack():
    frame, found = gdb.newest_frame(), []
    while frame is not None: found.append([frame.name(), frame.find_sal().line]); frame = frame.older()
    return found
say([gdb.selected_thread() != first, [b.hit_count for b in gdb.breakpoints() if b.hit_count], stack()])
first.switch(); say(stack())
""", program)
            self.assertEqual(said[0], [None, True])
            self.assertEqual(said[1][:2], [True, [1]])
            # Both are at the same line of the program, the last one at the barrier's entry.
            entry = said[1][2]
            self.assertIn(entry[0][0], ("__kmpc_barrier", "GOMP_barrier"))
            self.assertIn(entry[1], said[2])

    def test_what_is_said(self):
        """Of the breakpoints one line, also before the runtime is loaded; and at a stop which event it is."""
        said = self.gdb("""
for c in ("barrier", "barrier all", "task", "lock"): say(run("ompd catch " + c))
for b in gdb.breakpoints()[1:22]: b.delete()
run("run"); kinds = set()
for i in range(12):
    text = run("continue")[0] if i else ""
    kinds.add(text)
    if not gdb.selected_inferior().pid: break
say("".join(sorted(kinds)))
""", EVENTS[1])
        self.assertEqual([error for _, error in said[:4]], [None] * 4)
        lines = ["Breakpoints 1-11: barrier", "Breakpoints 12-22: barrier all", "Breakpoint 23: task begin",
                 "Breakpoints 24-27: lock begin"]
        for (text, _), line in zip(said, lines):
            self.assertRegex(text, "^%s(, pending)?\n$" % line)
        self.assertRegex(said[4],
                         r"Thread \d+ hit Breakpoint 23, task begin: Task \d+: explicit, running, "
                         r"main at events\.c:41, in region")
        self.assertRegex(said[4], r"Thread \d+ hit Breakpoint 24, lock begin: main at events\.c:32")

    def test_table_and_errors(self):
        said = self.gdb("""
for c in ("parallel", "task", "critical end", "lock if $ompd_level() == 1"): say(run("ompd catch " + c)[1])
say(len(gdb.breakpoints()))
gdb.execute("delete %d" % gdb.breakpoints()[0].number); say(len(gdb.breakpoints()))
for c in ("nonsense", "barrier end", "task begin when", "lock all", ""): say(run("ompd catch " + c)[1])
""", EVENTS[1])
        self.assertEqual(said[:4], [None] * 4)
        self.assertEqual(said[4:6], [1 + 1 + 3 + 4, 1 + 1 + 3 + 4 - 1])
        self.assertIn("can be caught are: parallel, task, thread, barrier, critical, lock.", said[6])
        self.assertIn("cannot be caught", said[7])
        self.assertIn('does not take "when"', said[8])
        self.assertIn('"all" is for barriers only', said[9])
        self.assertIn("Usage: ompd catch KIND", said[10])


if __name__ == "__main__":
    xmltest.main()
