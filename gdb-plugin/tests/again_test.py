# SPDX-License-Identifier: Apache-2.0
"""What is remembered from stop to stop shows nothing of an earlier one: bt and thread names against GDB's own
and fresh answers."""

import os
import re
import shutil
import subprocess
import unittest

import gdbrun
import xmltest

WAYS = ("", "-full", "-frame-arguments all", "-frame-arguments none", "-frame-arguments presence",
        "-entry-values if-needed",
        "-entry-values no", "-frame-info short-location", "-frame-info location-and-address")
# The default is one line for the runtime's frames. The rest is compared with all of them: also in those
# nothing may be old.
COUNTED = "ompd runtime-frames count"
SETTINGS = ("print address off", "filename-display basename", "filename-display absolute",
            "print demangle off", "ompd runtime-frames show")

# Backtraces with the filter, by GDB alone and with a filter that does nothing, and names, of the selected
# thread; the fresh answer last.
SCRIPT = """
from ompd_gdb import thread_names
for line in ("set width 0", "set print thread-events off", "break held",
             "handle SIGUSR1 nostop noprint pass", "set ompd runtime-frames dim"):
    run(line)
ours = gdb.frame_filters["ompd"]
class Same:
    name, priority, enabled = "ompd", 100, True
    def filter(self, frames): return frames
def both(way, setting=None):
    before = "with " + setting + " -- " if setting else ""
    # Of its own decorators GDB says some things in another way than without filters.
    found = [run(before + "bt " + way)[0], run(before + "bt -no-filters " + way)[0]]
    gdb.frame_filters["ompd"] = Same()
    found.append(run(before + "bt " + way)[0])
    gdb.frame_filters["ompd"] = ours
    return found
def stop(all_ways):
    thread_names.refresh()
    given = {t.ptid[1]: t.name for t in gdb.selected_inferior().threads()}
    found = {"": both(""), %r: both("", %r)}
    if all_ways:
        found.update((way, both(way)) for way in %r)
        found.update((setting, both("", setting)) for setting in %r)
        found[""] = both("")  # the setting is gone again
    rows = {row["lwp"]: row for row in document("ompd threads -json")["threads"]}
    frames, frame = [], gdb.newest_frame()
    while frame is not None:
        frames.append([frame.name(), frame.pc()]); frame = frame.older()
    names = [[given[lwp], thread_names.openmp_part(row)] for lwp, row in rows.items()]
    say({"bt": found, "names": names, "frames": frames, "gdb": int(gdb.VERSION.split(".")[0])})
def life(line, stops):
    run("tbreak down if depth == 0")
    run(line)
    for way in ("next", "step", "step", "continue"):  # where an inlined function begins, GDB may hide it
        stop(False); run(way)
    for number in range(stops):
        if number: run("continue")
        stop(True)
        run("next"); stop(False)
        run("finish"); stop(False)
        run("stepi"); stop(False)
    run("kill")
""" % (COUNTED, COUNTED, WAYS, SETTINGS)

# What the host is asked for thread names, for the table of threads, and for what a thread does.
ASKED = """
from ompd_common import library
from ompd_gdb import session, thread_names
for line in ("set width 0", "set print thread-events off", "break held", "run"):
    run(line)
host = session.current()._host
asked, names, rows, lines = [], [], [], []
for one in host._lib.callbacks:
    def tell(*arguments, name=one, own=getattr(host, one)):
        asked.append(name)
        return own(*arguments)
    setattr(host, one, tell)
def other():
    return next(t for t in gdb.selected_inferior().threads() if t.num == 2)
while "wait lock" not in (other().name or ""):
    run("continue"); thread_names.refresh()
run("set scheduler-locking on")
def named(what):
    before = session.current()._documents[library.VIEW_THREADS, library.THREADS | library.UNNAMED][2]
    asked.clear(); thread_names.refresh()
    now = session.current()._documents[library.VIEW_THREADS, library.THREADS | library.UNNAMED][2]
    names.append([what, list(asked), other().name, before is now])
def table():
    asked.clear()
    row = next(r for r in document("ompd threads -json")["threads"] if r["gdb_num"] == 2)
    rows.append([list(asked), row["wait"]["name"]])
run("stepi"); named("first")
for _ in range(2):
    for _ in range(2):
        run("stepi"); named("stepi")
    table()
    run("stepi"); named("after the table")
run("tbreak held"); run("continue")
for _ in range(3):
    found = session.current().document(library.THREADS | library.ACTIVITY, library.VIEW_THREADS)
    lines.append(next(r for r in found["threads"] if r["gdb_num"] == 1)["activity"]["at"]["line"])
    run("next")
say(names); say(rows); say(lines)
"""

# What is read and shown of one stop, whatever was asked before. The first time each view is of a snapshot of
# its own.
VIEWS = ["ompd %s%s" % (view, form) for view in ("threads", "parallel", "tasks", "waits", "stacks", "report")
         for form in ("", " -json")]
ONE_STOP = """
from ompd_common import library
from ompd_gdb import session
for line in ("set width 0", "set print thread-events off", "break held", "run"):
    run(line)
while len([t for t in document("ompd threads -json")["threads"] if t["wait"]]) != 1:
    run("continue")
lib, takes = session.current()._lib, []
take = lib.take
def counted(*arguments):
    takes.append(arguments[1])
    return take(*arguments)
lib.take = counted
def shown():
    return {view: run(view)[0] for view in %r}
def count(*views):
    takes.clear()
    texts = [run(view)[0] for view in views]
    return len(takes), texts
alone = {}
for view in %r:
    session._changed(); alone[view] = run(view)[0]
session._changed()
locals_first = count("ompd stacks -locals", "ompd stacks", "ompd threads", "ompd tasks -json", "ompd waits")
more = count("ompd threads -verbose", "ompd stacks -locals", "ompd threads", "ompd stacks -locals -json",
             "ompd threads -verbose -json")
say([locals_first, more, alone, shown()])
session._changed()
say(count("ompd threads")[0])
say([want & (library.STACKS | library.LOCALS | library.PLACEMENT) for want in takes])
""" % (VIEWS, VIEWS)


# What `bt -full` says of a frame without variables, and of one without symbols.
NOTHING = ("No locals.", "No symbol table info available.")


def frames(text):
    """Number of a frame -> what is said of it, as a filter's frames say it."""
    found, number = {}, None
    # A structure that is optimized out has its members named in a filter's frame.
    # GDB 16 on has "???" for a filter's frame without a name.
    text = text.replace(" in ??? ()", " in ?? ()")
    for line in re.sub(r"\{(\w+ = <optimized out>(, )?)+\}", "<optimized out>", text).splitlines():
        start = re.match(r"\s*#(\d+) +", line)
        if start:
            number = int(start.group(1))
            # GDB says "from LIBRARY" by itself, and "at LIBRARY" of a filter's frame.
            found[number] = [re.sub(r" from (/\S+)$", r" at \1", line[start.end():])]
        elif number is not None and line not in NOTHING and " (LWP " not in line:
            # No filter can say these, and the latter is another thread's frame.
            found[number].append(line.strip())
    return found


def numbers(found):
    """Which frames are shown by FOUND, in order, where one line may stand for several."""
    shown = []
    for number, lines in sorted(found.items()):
        counted = re.match(r"\.\.\. (\d+) frames of ", lines[0])
        shown += range(number, number + (int(counted.group(1)) if counted else 1))
    return shown


class Again(unittest.TestCase):
    maxDiff = None

    def check(self, said):
        """Each frame that bears no label is as GDB says it; returns how many were compared."""
        compared = 0
        for stop in said:
            for way, (ours, plain, unfiltered) in stop["bt"].items():
                mine, own, other = frames(ours), frames(plain), frames(unfiltered)
                self.assertEqual(numbers(mine), sorted(own), way + ours)
                for number, lines in mine.items():
                    if " [" in lines[0]:
                        continue
                    self.assertIn(lines, (own[number], other[number]), "%s, frame %d" % (way, number))
                    if way in ("", COUNTED) and "<signal handler" not in lines[0]:
                        self.assertEqual(lines, own[number])
                    compared += 1
            for given, fresh in stop["names"]:
                self.assertEqual(given.endswith(fresh) if fresh else "omp" not in given, True, (given, fresh))
        return compared

    def values(self, stop):
        """The arguments of down(), outermost first."""
        return [int(value)
                for value in re.findall(r" down \(depth=\d+, value=(\d+)\)", stop["bt"][""][0])][::-1]

    def live(self, script, program):
        libraries = [os.path.abspath(gdbrun.find("gdb-plugin/tests/again_%s_gcc.so" % name))
                     for name in ("first", "other")]
        answer = gdbrun.gdb(SCRIPT + script % {"libraries": " ".join(libraries)}, ("--args", program),
                            env={"OMP_WAIT_POLICY": "passive"})
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said

    def test_nothing_is_old(self):
        for compiler in ("clang", "gcc"):
            with self.subTest(compiler):
                said = self.live('life("run 5 %(libraries)s", 8); life("run 70", 6)',
                                 gdbrun.find("gdb-plugin/tests/again_%s.exe" % compiler))
                self.assertGreater(self.check(said), 1000)
                stops = [stop for stop in said if stop["frames"][0][0] == "held" and "-full" in stop["bt"]]
                # Each of two threads, and the signal's handler (SIGUSR1 is 10), has held() called twice.
                expected = []
                for base in (5, 70):
                    for first, depth in ((base, 4), (base + 1, 4), (10, 2)):
                        values = [first]
                        while len(values) < depth:
                            values.append(values[-1] * 3 + 1)
                        expected += [values] * 2
                    expected += [[]] * 2 if base == 5 else []
                self.assertEqual([self.values(stop) for stop in stops], expected)
                # One address, three functions.
                top = [stop["frames"][0] for stop in said[1:4]]
                self.assertEqual([name for name, _ in top], ["down", "first", "second"])
                self.assertEqual(len({pc for _, pc in top}), 1)
                # One address, two libraries.
                library = [[frame for frame in stop["frames"] if "_one" in str(frame[0])] for stop in stops]
                first, other = [found[0] for found in library if found]
                self.assertEqual([first[0], other[0]], ["first_one", "other_one"])
                self.assertEqual(first[1], other[1])
                handler = [stop["bt"][""][0] for stop in stops if self.values(stop)[:1] == [10]]
                self.assertEqual(["<signal handler called>" in text for text in handler], [True] * 4)

    def test_a_name_that_the_user_gives(self):
        said = self.live("""
run("run 5"); thread_names.refresh()
run("thread name mine")
for i in range(2):
    run("stepi"); thread_names.refresh(); say(gdb.selected_thread().name)
#%(libraries)s""", gdbrun.find("gdb-plugin/tests/again_clang.exe"))
        self.assertEqual(said, ["mine: omp 0/2 work"] * 2)

    def test_what_is_asked_again(self):
        """Names of threads are set at each stop, with hundreds of threads. So nothing is asked where nothing
        has changed, and never for other threads' registers. What all threads do is asked anew: it hangs on
        registers, and to compare those takes as long as to ask."""
        answer = gdbrun.gdb(ASKED, ("--args", gdbrun.find("gdb-plugin/tests/again_lock_clang.exe")),
                            env={"OMP_WAIT_POLICY": "passive"})
        self.assertEqual(answer.problems(), [], str(answer))
        names, rows, lines = answer.said
        for what, asked, part, same in names:
            self.assertEqual(part, "omp 1/2 wait lock", what)
            # What the mapped files, the list of threads, memory and the kernel's flags of the process tell.
            self.assertLessEqual(set(asked), {"process", "progress", "module", "thread", "read", "place",
                                              "origin"}, what)
            if what == "stepi":
                self.assertEqual((asked, same), ([], True), what)
        self.assertEqual([what for what, *_ in names].count("stepi"), 4)
        for asked, name in rows:
            self.assertEqual(name, "box->lock")
            self.assertLessEqual({"frame", "kernel", "system_call", "variable"}, set(asked))
        self.assertEqual([line - lines[0] for line in lines], [0, 1, 2])

    def test_one_snapshot_for_all_views(self):
        """What one view asks for beyond the others is read once, and is no part of what they show."""
        answer = gdbrun.gdb(ONE_STOP, ("--args", gdbrun.find("gdb-plugin/tests/again_lock_clang.exe")),
                            env={"OMP_WAIT_POLICY": "passive"})
        self.assertEqual(answer.problems(), [], str(answer))
        (first, said), (second, more), alone, after = answer.said[0]
        self.assertEqual((first, second), (1, 1))
        self.assertRegex(said[0], r"\n +box = 0x")
        self.assertNotIn("box = ", said[1])
        self.assertIn("May run on", more[0])
        self.assertEqual((more[1], more[2]), (said[0], said[2]))
        self.assertIn('"locals"', more[3])
        self.assertIn('"holds"', more[4])
        for view in VIEWS:
            self.assertEqual(after[view], alone[view], view)
        # The next stop's table asks for no more than it shows.
        self.assertEqual(answer.said[1:], [1, [0]])

    def test_another_file_of_the_same_name(self):
        """The program is built again without debug information: the same addresses, and less is known of
        them."""
        folder = os.environ.get("TEST_TMPDIR", "/tmp")
        program = os.path.join(folder, "program")
        shutil.copy(gdbrun.find("gdb-plugin/tests/again_clang.exe"), program)
        os.symlink(os.path.realpath(gdbrun.find("gdb-plugin/tests/libompcompanion.so.1")),
                   os.path.join(folder, "libompcompanion.so.1"))
        subprocess.run(["strip", "-g", program, "-o", program + ".new"], check=True, timeout=60)
        said = self.live("""
run("run 5"); stop(True)
run("kill")
import os
os.utime(%(program)r + ".new", (1, 1))  # GDB looks at the time
os.replace(%(program)r + ".new", %(program)r)
run("run 5"); stop(True)
""" % {"program": program} + "#%(libraries)s", program)
        self.assertGreater(self.check(said), 100)
        first, second = said
        same = [[frame for frame in stop["frames"] if frame[0] == "down"][1:] for stop in said]
        self.assertEqual(same[0], same[1])  # the first one stands in an inlined function where that is known
        self.assertEqual(self.values(first), [5, 16, 49, 148])
        self.assertRegex(first["bt"][""][0], r"held \(value=297\) at .*again\.c:\d+")
        # GDB 16 goes on with what it has read of the old file, in its own `bt` too.
        ours, plain = second["bt"][""][:2]
        for words in (r"in held \(\)\n", r"in down \(\)"):
            self.assertEqual(bool(re.search(words, ours)), bool(re.search(words, plain)), ours)
            if second["gdb"] < 14:
                self.assertRegex(plain, words)


if __name__ == "__main__":
    xmltest.main()
