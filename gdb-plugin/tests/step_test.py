# SPDX-License-Identifier: Apache-2.0
"""`ompd step`, `next` and `finish`: where they stop, against the same program without OpenMP, and on every
target."""

import json
import os
import re
import unittest

import gdbrun
import xmltest

HERE = "gdb-plugin/tests"
WALKS = [gdbrun.find("%s/walk_%s.exe" % (HERE, compiler)) for compiler in ("clang", "gcc")]
SERIAL = gdbrun.find(HERE + "/walk_serial")
with open(os.path.join(gdbrun.ROOT, HERE, "walk.c")) as _f:
    SOURCE = _f.read().splitlines()
with open(os.path.join(gdbrun.ROOT, HERE, "lined.c")) as _f:
    LINED = _f.read().splitlines()
# The lines at which work() begins, and that follows the calls.
ENTRY, AFTER = LINED.index("{", LINED.index("static volatile int sum;")) + 1, LINED.index("    sum++;") + 1
DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = json.load(_f)["targets"]
ENV = {"OMP_WAIT_POLICY": "passive", "OMP_MAX_ACTIVE_LEVELS": "2", "OMP_DYNAMIC": "false"}
ALONE = dict(ENV, OMP_THREAD_LIMIT="1")
# The runtime's own files and functions, which no screen may show.
RUNTIME = re.compile(r"runtime/(core|abi|tools)/|\b(GOMP_|__kmpc_|rt_)\w+ \(")

PRELUDE = """
import os
def where():
    if not gdb.selected_inferior().pid: return None
    frame = gdb.newest_frame(); sal = frame.find_sal()
    file = os.path.basename(sal.symtab.filename) if sal.symtab else None
    return [gdb.selected_thread().num, file, sal.line]
def to(place, only=None):
    made = gdb.Breakpoint(place, temporary=True)
    if only is not None: made.condition = "$ompd_thread_num() == %d && $ompd_level() == 1" % only
    gdb.execute("run", to_string=True)
    say(where())
def walk(command, end, most=120):
    for _ in range(most):
        gdb.execute(command)
        at = where()
        say(at)
        # What is beyond main is not the program's.
        if at is None or at[1] != "walk.c" or at[2] in end: break
"""


def line(text):
    """The line of walk.c with the comment TEXT."""
    return next(number for number, one in enumerate(SOURCE, 1) if "/* %s */" % text in one)


def between(first, last):
    return set(range(line(first), line(last) + 1))


def lines(said):
    """The lines of stops in walk.c that a reader takes for a step: neither a pragma nor a brace, and no line
    twice."""
    found = []
    for one in said:
        if one is None or one[1] != "walk.c":
            continue
        text = SOURCE[one[2] - 1].strip()
        if not text.startswith("#pragma") and text != "}" and found[-1:] != [one[2]]:
            found.append(one[2])
    return found


class _Case(unittest.TestCase):
    maxDiff = None

    def gdb(self, script, program, env=None, plugin=True):
        answer = gdbrun.gdb(PRELUDE + script, ["--args", program], plugin=plugin, env=env or ENV)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertIsNone(RUNTIME.search(answer.out), str(answer))
        return answer

    def serial(self, command, begin, *without):
        """What GDB's own command does in the program without OpenMP, but for the lines WITHOUT."""
        said = self.gdb("to('walk.c:%d'); walk('%s', (%d,))" % (begin, command, line("the end")), SERIAL,
                        plugin=False).said
        return [one for one in lines(said) if not any(one in block for block in without)]


class Reader(_Case):
    """The stops are those of a reader for whom the pragmas are comments."""

    def test_step_is_the_serial_order_on_one_thread(self):
        begin = line("before the region")
        expected = self.serial("step", begin)
        self.assertGreater(len(expected), 30)
        for program in WALKS:
            said = self.gdb("to('walk.c:%d'); walk('ompd step', (%d,))" % (begin, line("the end")), program,
                            ALONE).said
            self.assertEqual(lines(said), expected, program)

    def test_next_goes_over_a_region(self):
        begin = line("before the region")
        expected = self.serial("next", begin, between("in the region", "the region's last"))
        self.assertEqual(expected, [begin, line("after the region"), line("after the region") + 1,
                                    line("the end")])
        for program in WALKS:
            said = self.gdb("to('walk.c:%d'); walk('ompd next', (%d,))" % (begin, line("the end")),
                            program).said
            self.assertEqual(lines(said), expected, program)
            self.assertEqual({one[0] for one in said}, {1})

    def check_region(self, number, expect_thread):
        """From the region's first line: over the inner region and the tasks, to the code after the region."""
        begin = line("in the region")
        whole = self.serial("next", begin, between("in the inner region", "the inner region's last"),
                            between("in the task", "in the task at once"))
        # Another member may be the one that executes the single construct.
        without = [one for one in whole if one not in between("in the task", "after the tasks")]
        for program in WALKS:
            said = self.gdb("to('walk.c:%d', %d); walk('ompd next', (%d,))"
                            % (begin, number, line("the end")), program).said
            self.assertIn(lines(said), (whole, without), program)
            inside = [one[0] for one in said if one[2] < line("after the region")]
            self.assertEqual(len(set(inside)), 1, said)
            self.assertEqual({one[0] for one in said[len(inside):]}, {1}, said)
            self.assertEqual(inside[0] == 1, expect_thread == 1, said)

    def test_next_in_a_region(self):
        self.check_region(0, 1)

    def test_next_in_a_worker_follows_the_creator(self):
        self.check_region(1, 2)

    def test_next_out_of_a_task(self):
        for program in WALKS:
            said = self.gdb("to('walk.c:%d'); walk('ompd next', (%d,))"
                            % (line("in the task"), line("the end")), program).said
            found = lines(said)
            task = between("in the task", "the task's last")
            self.assertEqual(found[:3], sorted(task), said)
            # The thread then is where it waited in its own region, or has none that goes on: then after the
            # region.
            self.assertIn(found[3], (line("after the tasks"), line("the region's last"),
                                     line("after the region")), said)
            self.assertEqual(found[-1], line("the end"))
            inside = {one[0] for one in said if one[2] in task}
            self.assertEqual(len(inside), 1)

    def test_recursion(self):
        """A thread that executes tasks of the same code while it waits comes back to its own frame, not to
        theirs."""
        script = """
gdb.Breakpoint("walk.c:%d", temporary=True); gdb.execute("run", to_string=True)
def depth():
    frame, count = gdb.newest_frame(), 0
    while frame is not None:
        count += frame.name() == "deep"; frame = frame.older()
    return count
gdb.execute("ompd step"); say([where(), int(gdb.parse_and_eval("number"))])
for _ in range(8):
    gdb.execute("ompd next")
    if gdb.newest_frame().name() != "deep": break
    say([where(), int(gdb.parse_and_eval("number"))])
""" % line("after the tasks")
        for program in WALKS:
            said = self.gdb(script, program).said
            self.assertEqual({number for _, number in said}, {3}, said)
            self.assertEqual(lines([at for at, _ in said])[-1], line("after the deep task"), said)

    def test_step_into_a_region_and_its_inner_one(self):
        for program in WALKS:
            said = self.gdb("to('walk.c:%d'); walk('ompd step', (%d,))"
                            % (line("before the region"), line("after the inner region")), program).said
            found = lines(said)
            for text in ("in the region", "in add", "in the inner region", "after the inner region"):
                self.assertIn(line(text), found)
            self.assertEqual({one[0] for one in said}, {1})

    def test_runtime_without_debug_information(self):
        """As packages have it: GDB's own step then goes over all of a construct."""
        for compiler in ("clang", "gcc"):
            program = gdbrun.find("%s/stripped/walk_%s.exe" % (HERE, compiler))
            said = self.gdb("to('walk.c:%d'); walk('ompd step', (%d,))"
                            % (line("before the region"), line("the end")),
                            program, ALONE).said
            self.assertEqual(lines(said), self.serial("step", line("before the region")))
            said = self.gdb("to('walk.c:%d', 1); walk('ompd next', (%d,))"
                            % (line("in the region"), line("the end")),
                            program).said
            self.assertEqual([one[0] for one in said][-1], 1)
            self.assertEqual(lines(said)[-1], line("the end"))

    def test_finish(self):
        script = """
to("walk.c:%d")
task, thread = int(gdb.parse_and_eval("$ompd_task()")), where()[0]
gdb.execute("ompd finish"); say([int(gdb.parse_and_eval("$ompd_task()")) == task, where()])
gdb.execute("kill"); to("walk.c:%d", 1)
gdb.execute("ompd finish"); say(where())
""" % (line("in the task"), line("in the region"))
        for program in WALKS:
            _, (same, after_task), worker, after_region = self.gdb(script, program).said
            self.assertFalse(same)
            self.assertEqual(after_task[1], "walk.c")
            self.assertNotEqual(worker[0], 1)
            self.assertEqual(after_region[:2], [1, "walk.c"])
            self.assertGreaterEqual(after_region[2], line("the region") - 1)


class Lineless(_Case):
    """A program of which one part has no lines, like a library, and calls a part that has: a step stops in
    the part with lines where plain GDB's does in the same program without OpenMP."""

    def stops(self, kind, has_main, begin, command):
        """[(line, argument of work)] but for the line of work's brace: GDB stops there when work was entered
        by a jump, and which last calls compilers make jumps differs with OpenMP."""
        script = """
gdb.Breakpoint(%r, temporary=True); gdb.execute("run", to_string=True)
for _ in range(80):
    frame = gdb.newest_frame(); at = where()
    if at[1] not in (None, "lined.c"): break
    if at[1]: say([at[2], int(frame.read_var("i")) if frame.name() == "work" and at[2] != %d else None])
    error = run(%r)[1]
    if error or not gdb.selected_inferior().pid: say(error); break
""" % (begin, ENTRY, command)
        ours = command.startswith("ompd")
        program = gdbrun.find("%s/lineless_%s_%s.%s" % (HERE, kind, has_main, "exe" if ours else "serial"))
        answer = gdbrun.gdb(PRELUDE + script, ["--args", program], plugin=ours, env=ALONE)
        self.assertEqual(answer.problems(), [], str(answer))
        return [one for one in answer.said if one is None or one[0] != ENTRY]

    def test_as_without_openmp(self):
        for kind in ("clangO0", "gccO0", "gccO2"):
            for has_main, begin, command, calls in (
                    ("lined", "work if i == 0", "step", [0, 1, 10, 11, 14, 20]), ("lined", "main",
                                                                                  "step", []),
                    ("lined", "work if i == 10", "next", None), ("lineless", "main", "step", [30, 31, 40])):
                with self.subTest("%s, main is %s, %s from %s" % (kind, has_main, command, begin)):
                    expected = self.stops(kind, has_main, begin, command)
                    if calls is not None:
                        self.assertEqual(list(dict.fromkeys(i for _, i in expected if i is not None)), calls)
                    self.assertEqual(self.stops(kind, has_main, begin, "ompd " + command), expected)

    def test_every_callback_is_reached(self):
        """clang -O2 enters work by jumps at other places than without OpenMP; each call is a stop all the
        same."""
        said = self.stops("clangO2", "lined", "work if i == 0", "ompd step")
        self.assertEqual(list(dict.fromkeys(i for _, i in said if i is not None)), [0, 1, 10, 11, 14, 20])
        said = self.stops("clangO2", "lined", "work if i == 10", "ompd next")
        self.assertIn([AFTER, None], said)

    def test_members_of_a_team(self):
        """With two threads each comes to its own calls, and then the creator to what follows."""
        for kind in ("clangO0", "gccO2"):
            program = gdbrun.find("%s/lineless_%s_lined.exe" % (HERE, kind))
            for number in (0, 1):
                answer = gdbrun.gdb(PRELUDE + """
to("work if i == %d")
for _ in range(60):
    error = run("ompd next")[1]
    say([where(), error])
    if error or where()[1] != "lined.c" and where()[1]: break
""" % number, ["--args", program], env=dict(ENV, OMP_NUM_THREADS="2"))
                self.assertEqual(answer.problems(), [], str(answer))
                self.assertEqual([error for _, error in answer.said[1:] if error], [], answer)
                inside = [at for at, _ in answer.said[1:] if at[1] == "lined.c" and at[2] > ENTRY + 3]
                self.assertIn(AFTER, [at[2] for at in inside], answer)
                self.assertEqual(inside[0][0], 1, answer)


class Breakpoints(_Case):
    """What is the user's ends a step, and is reported as GDB reports it."""

    def test_not_run_over(self):
        for program in WALKS:
            answer = self.gdb("""
to("walk.c:%d"); b = gdb.Breakpoint("deep")
for i in range(4):
    gdb.execute("ompd next")
    if gdb.newest_frame().name() == "deep": break
say([gdb.newest_frame().name(), b.hit_count, len(gdb.breakpoints())])
""" % line("before the region"), program)
            self.assertEqual(answer.said[1:], [["deep", 1, 1]], answer)
            self.assertRegex(answer.out, r'Thread \d "walk_.*" hit Breakpoint \d+, deep \(number=3\)')

    def test_at_the_place_where_a_step_ends(self):
        for program in WALKS:
            answer = self.gdb("""
to("walk.c:%d", 1); b = gdb.Breakpoint("walk.c:%d")
for i in range(20):
    gdb.execute("ompd next")
    if b.hit_count: break
say([where(), b.hit_count])
""" % (line("in the region"), line("after the region")), program)
            self.assertEqual(answer.said[1], [[1, "walk.c", line("after the region")], 1])

    def test_watchpoint_and_signal(self):
        for program in WALKS:
            answer = self.gdb("""
to("walk.c:%d"); w = gdb.Breakpoint("sum", gdb.BP_WATCHPOINT); w.condition = "sum >= 2000"
while not w.hit_count and where()[2] < %d: gdb.execute("ompd next")
say([w.hit_count, int(gdb.parse_and_eval("sum")) >= 2000])
w.delete(); os.kill(gdb.selected_inferior().pid, 10); seen = []
gdb.events.stop.connect(lambda e: seen.append(getattr(e, "stop_signal", None)))
gdb.execute("ompd next"); say(seen)
""" % (line("before the region"), line("after the region")), program)
            self.assertEqual(answer.said[1], [1, True])
            self.assertEqual(answer.said[2], ["SIGUSR1"])
            self.assertIn("Old value", answer.out)

    def test_nothing_is_left_behind(self):
        for program in WALKS:
            answer = self.gdb("""
to("walk.c:%d")
for c in ("step", "next", "finish"): run("ompd " + c)
say([len(gdb.breakpoints()), gdb.execute("info skip", to_string=True),
     gdb.execute("maint info breakpoints", to_string=True)])
""" % line("in the region"), program)
            visible, skips, internal = answer.said[1]
            self.assertEqual((visible, skips), (0, "Not skipping any files or functions.\n"))
            self.assertEqual([one for one in internal.splitlines() if re.match(r"-\d+ +breakpoint", one)], [])


class Targets(_Case):
    """Every target: `ompd next` from a region's first line (else the start) to where the target comes to
    rest."""

    def first_line_of_a_region(self, target):
        """The first line of the user's in the first parallel region of the target's source; None."""
        name = target.get("target", target["name"])
        for suffix in (".c", ".cc", ".F90"):
            path = os.path.join(gdbrun.ROOT, "test-targets", name + suffix)
            if os.path.exists(path):
                break
        else:
            return None
        with open(path) as f:
            text = f.read().splitlines()
        inside = False
        for number, one in enumerate(text, 1):
            one = one.strip()
            if re.match(r"(#pragma|!\$) ?omp parallel", one):
                inside = True
            elif inside and one and not re.match(r"[{}]|#|/\*|!|int |integer", one):
                return "%s:%d" % (os.path.basename(path), number)
        return None

    def check(self, target):
        place = self.first_line_of_a_region(target)
        script = """
gdb.execute("set breakpoint pending on")
place = %r
if place: gdb.execute("tbreak " + place, to_string=True); gdb.execute("run", to_string=True)
else: gdb.execute("start", to_string=True)
b = gdb.Breakpoint("held"); stops = []
gdb.events.stop.connect(stops.append)
for i in range(60):
    error = run("ompd next")[1]
    at = where()
    say([at, b.hit_count, error])
    if at is None or b.hit_count or error or isinstance(stops[-1], gdb.SignalEvent): break
""" % place
        env = dict(ENV, **target["env"], TRUTH_HOLD_SECONDS="60", TRUTH_TIMEOUT="30")
        answer = gdbrun.gdb(PRELUDE + script, ["--args", os.path.join(DIR, target["exe"])] + target["args"],
                            env=env)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertIsNone(RUNTIME.search(answer.out), str(answer))
        self.assertTrue(answer.said, str(answer))
        self.assertEqual([error for _, _, error in answer.said if error], [])
        for at, _, _ in answer.said[:-1]:
            self.assertIsNotNone(at, answer.said)
            self.assertRegex(at[1] or "", r"\.(c|cc|h|F90)$", answer.said)
        if target["stop"] == "held":
            self.assertEqual(answer.said[-1][1], 1, "held() was run over or not reached: %s" % answer.said)

    def test_targets(self):
        for target in TARGETS:
            if re.search(os.environ.get("TARGETS", ""), target["name"]):
                with self.subTest(target["name"]):
                    self.check(target)


if __name__ == "__main__":
    xmltest.main()
