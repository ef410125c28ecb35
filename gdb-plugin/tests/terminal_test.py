# SPDX-License-Identifier: Apache-2.0
"""GDB in a real terminal: completion, pages, colours, Ctrl-C, a narrow screen.

    PYTHONPATH=tools:test-targets gdb-plugin/tests/terminal_test.py --update     makes docs/screens/ anew
"""

import os
import re
import sys
import unittest

import gdbrun
import svg
import terminal
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
PICTURES = os.path.join(os.path.dirname(os.path.dirname(gdbrun.HERE)), "docs", "screens")
UPDATE = "--update" in sys.argv
MORE = re.compile(r"--Type <RET> for more, q to quit, c to continue without paging--$")


class _Case(unittest.TestCase):
    longMessage = True

    def start(self, target, thread, **size):
        """A terminal in which the program rests."""
        found = terminal.Terminal(["--args", os.path.join(DIR, target + ".exe")], **size)
        self.addCleanup(found.close)
        found.run("break held")
        found.run("set print thread-events off")
        found.run("run >/dev/null")
        found.run("thread %d" % thread)
        return found

    def selected(self, screen):
        """What GDB says is selected."""
        return re.findall(r"(?m)^\[Current thread is (\d+)", screen.run("thread"))

    def keep(self, name, screen, columns=80):
        """A picture for docs/, with --update."""
        text = screen.screen(colours=True)
        self.assertNotIn("Traceback", text)
        if UPDATE:
            os.makedirs(PICTURES, exist_ok=True)
            with open(os.path.join(PICTURES, name + ".svg"), "w") as f:
                f.write(svg.picture(text, columns))
        # What stands in docs/ are pictures of these screens.
        if "TEST_SRCDIR" not in os.environ:
            self.assertTrue(os.path.exists(os.path.join(PICTURES, name + ".svg")), name)


class Screens(_Case):
    def test_colours_and_selection(self):
        screen = self.start("deadlock_gcc", 3)
        screen.run("ompd threads")
        text = screen.screen(colours=True)
        self.assertRegex(text, r"\x1b\[33m +1 +\d+ +0/3 .*waiting")  # who waits
        self.assertRegex(text, r"\x1b\[1m(\x1b\[39m)?\* +3 ")  # the selected one
        self.keep("threads", screen)
        screen.run("set style enabled off")
        screen.run("ompd threads")
        self.assertNotIn("\x1b", screen.screen(colours=True))

    def test_backtrace_dims_the_runtime(self):
        screen = self.start("task_lock_gcc", 1, width=100, height=40)
        threads = screen.run("info threads")
        waits = re.search(r"(?m)^\*? +(\d+) .*wait lock", threads)
        screen.run("thread %s" % waits.group(1))
        screen.run("bt -frame-arguments none")
        self.assertRegex(screen.screen(colours=True),
                         r"    #\d+ +[^\n]*\x1b\[2m(\x1b\[33m)?\.\.\. \d+ frames of the OpenMP runtime")
        self.keep("bt", screen, 100)
        screen.run("set ompd runtime-frames dim")
        screen.run("bt -frame-arguments none")
        text = screen.screen(colours=True)
        self.assertRegex(text, r"    #\d+ +[^\n]*\x1b\[2m(\x1b\[33m)?rt_")
        self.assertRegex(text, r"\x1b\[33m\S+ \[#pragma omp task at task_lock.c:\d+\]")
        screen.run("bt -hide")
        self.assertNotIn("\x1b[2m", screen.screen(colours=True))
        screen.run("set ompd runtime-frames hide")
        self.assertNotIn("rt_futex", screen.run("bt"))

    def test_completion(self):
        screen = self.start("nested_clang", 3)
        screen.keys("C-l")
        screen.keys("ompd ", "Tab", "Tab")
        text = screen.wait(r"(?s)threads +waits.*\(gdb\) ompd $|waits.*\(gdb\) ompd *$")
        for word in ("catch", "export", "parallel", "region", "status"):
            self.assertIn(word, text)
        screen.keys("tasks -st", "Tab")
        screen.wait(r"ompd tasks -state *$")
        screen.keys("ru", "Tab")
        screen.wait(r"ompd tasks -state running *$")
        screen.keys("C-u")
        screen.keys("ompd region ", "Tab", "Tab")
        text = screen.wait(r"(?s)ompd region *\n[ \d]+\n\(gdb\) ompd region *$")
        self.assertIn(" 2 ", text.split("ompd region")[-2])
        self.keep("completion", screen)
        screen.keys("C-u")
        screen.keys("set ompd runtime-frames ", "Tab", "Tab")
        screen.wait(r"(?s)count +dim +hide +show\s+\(gdb\) set ompd runtime-frames *$")
        screen.keys("C-u")
        self.assertEqual(self.selected(screen), ["3"])

    def test_pages_and_interrupt_at_one(self):
        screen = self.start("many_threads_gcc", 3)
        grouped = screen.run("ompd threads")
        self.assertRegex(grouped, r"\(1\d\d threads\)")  # 256 threads are a few rows
        self.keep("grouped", screen)
        screen.keys("C-l")
        screen.keys("ompd threads -all", "Enter")
        screen.wait(MORE)
        self.keep("pages", screen)
        screen.keys("q", "Enter")
        screen.wait(r"(?s)Quit\n\(gdb\) $")
        screen.keys("C-l")
        screen.keys("ompd threads -all", "Enter")
        screen.wait(MORE)
        screen.keys("C-c")
        screen.wait(r"(?s)Quit\n\(gdb\) $")
        self.assertEqual(self.selected(screen), ["3"])

    def test_narrow(self):
        screen = self.start("cxx_templates_clang", 3, width=60, height=90)
        for line in ("ompd threads", "ompd parallel", "ompd stacks"):
            text = screen.run(line)
            # A line that the terminal has to break would have all its columns filled.
            long = [one for one in text.splitlines() if len(one) >= 60]
            self.assertEqual(long, [], line)
        self.assertIn("\u2026", screen.run("ompd stacks"))
        self.keep("narrow", screen, 60)


class Interrupt(_Case):
    """Ctrl-C while a listing is made: GDB's word for it, nothing moved, and the next command as if nothing
    had been."""

    def test_long_listing(self):
        script = """
import os, signal, subprocess
gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)
gdb.execute("thread 3"); gdb.execute("up")
from ompd_gdb import session
good = {}
def once(command, delay):
    session._changed()
    begin = time.perf_counter()
    line = "sleep %f; kill -INT %d" % (delay, os.getpid())
    killer = subprocess.Popen(["sh", "-c", line]) if delay else None
    answer = run(command)
    took = time.perf_counter() - begin
    try:
        if killer: killer.wait()
        time.sleep(0.01)  # the signal may have come after the end
    except KeyboardInterrupt:
        if killer: killer.wait()
    return answer, took
before = selection()
for command in ("ompd report", "ompd threads -all", "bt"):
    (text, error), took = once(command, 0)
    said = []
    for i in range(30):
        try:
            (now, error), _ = once(command, took * (i % 15 + 1) / 16)
        except KeyboardInterrupt:
            now, error = "", "Quit"
        # GDB's own bt writes what it has until it is interrupted, and says nothing then.
        said.append([error, now in ("", text) or command == "bt", selection() == before])
    session._changed()
    if command == "bt":
        gdb.invalidate_cached_frames()  # GDB's own bt leaves frames half known
    again = run(command)
    say([command, said, again[0] == text, again[1]])
"""
        answer = gdbrun.gdb(script, ["--args", os.path.join(DIR, "many_threads_gcc.exe")],
                            env={"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "200"}, timeout=250)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertEqual(len(answer.said), 3, str(answer))
        for command, said, same, error in answer.said:
            self.assertEqual({one[0] for one in said} - {"Quit", None}, set(), command)
            self.assertEqual([one for one in said if not one[1] or not one[2]], [], command)
            self.assertTrue(same, command)
            self.assertIsNone(error)
        self.assertIn("Quit", [one[0] for one in answer.said[0][1]])


if __name__ == "__main__":
    if UPDATE:
        sys.argv.remove("--update")
    xmltest.main()
