# SPDX-License-Identifier: Apache-2.0
"""What changes GDB's own answers: bt, thread names, functions, MI. Queries: situations_test.py."""

import os
import re
import subprocess
import unittest

import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'
ENV = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "120", "TRUTH_TIMEOUT": "60"}


class _Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def gdb(self, script, *arguments, **more):
        env = dict(ENV, **more.pop("env", {}))
        answer = gdbrun.gdb(script, arguments, env=env, **more)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def held(self, target, script, **more):
        return self.gdb(HELD + script, "--args", self.exe(target), **more)

    def exe(self, target):
        return os.path.join(DIR, target + ".exe")


class Backtraces(_Case):
    def bt(self, target):
        """The functions and lines of `bt` in each OpenMP thread; and GDB's own."""
        return self.held(target, """
rows = {}
for t in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
    t.switch()
    rows[t.num] = [run("bt -hide")[0], run("bt -no-filters")[0], run("bt")[0], run("bt 1")[0], selection()]
say(rows)
""").said[-1]

    def test_worker_goes_on_in_its_creator(self):
        for target, pragma in (("nested_clang", "#pragma omp parallel at nested.c:%d"),
                               ("nested_gcc", "#pragma omp parallel at nested.c:%d"),
                               ("f_nested_gfortran", "!$omp parallel at f_nested.F90:%d")):
            rows = self.bt(target)
            for number, (hidden, raw, full, one, selected) in rows.items():
                if number == "2":
                    self.assertNotIn("omp parallel", hidden)  # the observer is a plain pthread
                    continue
                self.assertEqual([hidden.count(pragma % line) for line in (9, 10)], [1, 1], hidden)
                self.assertRegex(hidden, r"nested\.[cF90]+:[89]\n", target)
                for word in ("rt_invoke", "rt_team_serve", "start_thread", "clone"):
                    self.assertNotIn(word, hidden)
                self.assertNotIn("#pragma", raw)
                self.assertIn("runtime/core/region.c", raw)
                self.assertIn("    #", full)
                self.assertEqual(selected[:2], [int(number), 0])
                self.assertEqual(len([line for line in one.splitlines() if line.startswith("#")]), 1)

    def test_every_frame_keeps_its_number(self):
        """Also in a stop's first `bt`, which looks at the creating thread: GDB 13 then takes some frames for
        printed ones."""
        for target in ("nested_clang", "nested_gcc", "task_lock_gcc"):
            answer = self.held(target, """
import re
from ompd_gdb import session
def numbers(text):
    # A line that counts frames stands for that many from its number on.
    found = re.findall(r"(?m)^ *#(\\d+)(?: +\\.\\.\\. (\\d+) frames)?", text)
    return sorted(int(one) + i for one, count in found for i in range(int(count or 1)))
for t in gdb.selected_inferior().threads():
    t.switch()
    plain = numbers(run("bt -no-filters")[0])
    for mode in ("count", "dim", "show") * 3:
        run("set ompd runtime-frames " + mode)
        session._changed()
        say([mode, plain, numbers(run("bt")[0])])
""")
            self.assertGreaterEqual(len(answer.said), 18, target)  # two threads at least, nine times each
            for mode, plain, numbers in answer.said:
                self.assertGreater(len(plain), 1, target)
                self.assertEqual(numbers, plain, (target, mode))

    def test_task(self):
        for target in ("task_lock_clang", "task_lock_gcc"):
            text = "\n".join(row[0] for row in self.bt(target).values())
            self.assertIn("#pragma omp task at task_lock.c:16", text)
            self.assertRegex(text,
                             r"(?m)^#\d+ .* in omp_set_lock \[waits for lock drawer, held by thread \d+\]")

    def test_settings_and_disable(self):
        answer = self.held("nested_clang", """
gdb.execute("thread 3")
for c in ("set ompd runtime-frames hide", "set ompd runtime-frames show", "disable frame-filter global ompd",
          "enable frame-filter global ompd"):
    run(c); say(run("bt")[0])
""")
        hide, show, off, on = answer.said
        self.assertNotIn("rt_invoke", hide)
        self.assertNotIn("...", hide)
        self.assertRegex(show, r"(?m)^#.*rt_invoke")
        self.assertNotIn("pragma", off)
        self.assertIn("pragma", on)

    def test_frame_up_and_down(self):
        # How many frames of libc a waiting thread has depends on its version.
        answer = self.held("nested_clang", """
gdb.execute("thread 6"); went, error = [selection()], None
while error is None and len(went) < 20:
    error = run("ompd frame up")[1]
    went += [selection()] if error is None else []
say(went); say(error)
back = []
for _ in went[1:]: run("ompd frame down"); back.append(selection())
say(back)
""")
        went, error, back = answer.said
        threads = [one[0] for one in went]
        self.assertEqual(threads[:3] + threads[-1:], [6, 6, 6, 1])
        turns = [one for i, one in enumerate(threads) if threads[i - 1:i] != [one]]
        # In the middle whoever of the outer team has created the inner region.
        self.assertIn(turns, ([6, 1], [6, 3, 1], [6, 4, 1]))
        self.assertEqual(error, "There is no frame of the program above this one.")
        self.assertEqual(back, went[-2::-1])


class Costs(_Case):
    """What a question about 257 threads asks of GDB, counted: in -batch nothing else has asked before."""

    def test_stacks_of_many_threads(self):
        registers, lists, frames = self.held("many_threads_gcc", """
from ompd_gdb import session, unwinder
class Counted:
    def __init__(self, of, name): self._of, self._name, self.count = of, name, 0
    def __getattr__(self, name):
        self.count += name == self._name
        return getattr(self._of, name)
registers, whole = 0, unwinder.RuntimeUnwinder._unwind
def counted(self, pending):
    global registers
    pending = Counted(pending, "read_register"); found = whole(self, pending); registers += pending.count
    return found
unwinder.RuntimeUnwinder._unwind = counted
inferior = session.current()._host._inferior = Counted(gdb.selected_inferior(), "threads")
answer = document("ompd stacks -all -frames -json")
say([registers, inferior.count, sum(len(one["frames"]) for one in answer["stacks"])])
""").said[0]
        print("%d frames: %d registers read by the unwinder, %d lists of threads"
              % (frames, registers, lists))
        self.assertGreater(frames, 257 * 4)
        self.assertLess(registers, 10)
        self.assertLess(lists, 10)


class Names(_Case):
    def test_a_terminal_gets_no_controls(self):
        """GDB prints names of its own raw, of frames that no filter decorates; what the extension hands out
        is clean."""
        for compiler in ("clang", "gcc"):
            said = self.gdb("""
from ompd_gdb import thread_names
gdb.execute("break mark", to_string=True); gdb.execute("run", to_string=True); thread_names.refresh()
commands = ["bt", "bt -hide", "ompd stacks -frames", "ompd region", "ompd task", "ompd report",
            "ompd parallel -ancestors",
            "ompd tasks -ancestors", "ompd team print $nothing", "ompd task 99"]
say([run(c) for c in commands] + [[gdb.selected_thread().name, None]])
""", "--args", gdbrun.find("gdb-plugin/tests/escapes_%s.exe" % compiler)).said[0]
            for text, error in said:
                self.assertNotRegex(text + (error or ""), "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
            self.assertIn("name?[31m??", said[0][0])
            self.assertIn("file?[31m??.c:50", said[0][0])
            self.assertTrue(said[-1][0].startswith("me?[31m??: omp 0/2"), said[-1])

    def test_a_command_that_no_member_has(self):
        said = self.held("nested_clang", """
gdb.execute("thread 3", to_string=True)
for c in ("ompd team -bogus", "ompd team nonsense", "ompd team print nosuch"): say(run(c))
""").said
        self.assertIn("ompd team has no option -bogus", said[0][1])
        self.assertIn("Undefined command", said[1][1])
        self.assertIsNone(said[2][1])
        self.assertGreater(said[2][0].count("No symbol"), 1)


class Values(_Case):
    def test_condition(self):
        """A breakpoint with $ompd_*: it stops only where the program itself says the same."""
        answer = self.gdb("""
gdb.execute("break busy_here if $ompd_thread_num() == 2 && $ompd_level() == 2", to_string=True)
gdb.execute("run", to_string=True)
gdb.execute("up"); gdb.execute("delete"); gdb.execute("set scheduler-locking on")
say([int(gdb.parse_and_eval("$ompd_" + f + "()"))
     for f in ("thread_num", "team_size", "level", "in_parallel")])
say([int(gdb.parse_and_eval("(int)" + f))
     for f in ("omp_get_thread_num()", "omp_get_num_threads()", "omp_get_level()",
                                                   "omp_in_parallel()")])
say([gdb.parse_and_eval("$ompd_state()").string(), document("ompd report -json")])
say([int(gdb.parse_and_eval("$ompd_" + f + "()")) for f in ("region", "task")])
""", "--args", self.exe("nested_clang"))
        mine, theirs, (state, report), ids = answer.said
        self.assertEqual(mine, theirs)
        self.assertEqual(mine[:3], [2, 3, 2])
        row = next(t for t in report["threads"] if t["current"])
        self.assertEqual([row["state"], row["region"], row["task"]], [state] + ids)

    def mi(self, lines, arguments, wait, enough=lambda text: False):
        """What GDB answers in MI; after the first WAIT lines a stop is awaited. No more is asked after
        ENOUGH."""
        process = subprocess.Popen(["gdb", "-q", "-nx", "-i=mi", "-iex", "set debuginfod enabled off", "-x",
                                    gdbrun.PLUGIN] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, universal_newlines=True, bufsize=1,
                                   env=dict(os.environ, HOME="/nonexistent", **ENV))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        answers = []
        for number, line in enumerate(lines):
            if answers and enough(answers[-1]):
                break
            process.stdin.write("%d%s\n" % (number, line))
            for text in process.stdout:
                self.assertNotIn("Traceback", text)
                if number == wait - 1 and text.startswith("*stopped"):
                    break
                if number != wait - 1 and text.startswith("%d^" % number):
                    answers.append(text.strip())
                    break
        return answers

    def test_mi(self):
        done = self.mi(["-break-insert held", "-exec-run", "-ompd-threads", "-ompd-waits", "-thread-info",
                        "-ompd-threads surplus", "-ompd-tasks", "-ompd-parallel", "-ompd-icvs",
                        "-ompd-stacks",
                        "-ompd-report", "-ompd-status", "-ompd-print 40+2", "-enable-frame-filters",
                        "-stack-list-frames --thread 3"],
                       ["--args", self.exe("nested_clang")], 2)
        self.assertTrue(all(one.split("^", 1)[1].startswith("done") for i, one in enumerate(done) if i != 4),
                        done)
        self.assertEqual(done[1].count('state="work_parallel"'), 6)
        self.assertIn('verdict={kind="none"', done[2])
        self.assertEqual(done[3].count('name="omp '), 6)
        self.assertIn('^error,msg="-ompd-threads takes no arguments."', done[4])
        self.assertIn('value="42"', done[-3])
        self.assertIn("#pragma omp parallel at nested.c:10", done[-1])
        self.assertIn("children=[", done[-1])

    def test_names_in_mi_of_a_process_attached_at_the_start(self):
        """`gdb -i=mi -p PID`: GDB has stopped the process before it loads the extension."""
        process = subprocess.Popen([self.exe("nested_clang")], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL,
                                   universal_newlines=True, env=dict(os.environ, **ENV))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.assertTrue(any(line.startswith("TRUTH ") for line in process.stdout))

        # When GDB comes to what was put off until it rests is not known, so it is asked again.
        done = self.mi(["-thread-info"] * 100, ["-p", str(process.pid)], 0, lambda text: 'name="omp ' in text)
        self.assertEqual(done[-1].count('name="omp '), 6, done[-1])

    def prompt(self, lines, program):
        """What GDB writes at its prompt."""
        text = subprocess.run(["gdb", "-q", "-nx", "-iex", "set debuginfod enabled off", "-iex",
                               "set confirm off",
                               "-iex", "set width 0", "-x", gdbrun.PLUGIN, "--args", program],
                              input="\n".join(lines + ["quit", ""]),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              timeout=100,
                              env=dict(os.environ, HOME="/nonexistent", **ENV), check=False).stdout
        self.assertNotIn("Traceback", text)
        return text

    def test_a_thread_renames_itself(self):
        for compiler in ("clang", "gcc"):
            text = self.prompt(["break mark", "run", "info threads", "continue", "info threads",
                                "thread name mine",
                                "stepi", "info threads", "set ompd thread-names off", "info threads",
                                "thread name",
                                "info threads"],
                               gdbrun.find("gdb-plugin/tests/renames_%s.exe" % compiler))
            names = [re.search(r'\n\* 1 .*?"(.*?)"', part).group(1) for part in text.split("Target Id")[1:]]
            self.assertEqual(names, ["phase-one: omp 0/2 work", "phase-two: omp 0/2 work",
                                     "mine: omp 0/2 work", "mine",
                                     "phase-two"], text)

    def test_names_at_the_prompt(self):
        text = self.prompt(["break held", "run", "info threads", "set ompd thread-names off", "info threads",
                            "set ompd thread-names on", "info threads"], self.exe("nested_clang"))
        parts = text.split("Target Id")[1:]
        self.assertEqual([part.count('"omp ') for part in parts], [6, 0, 6], text)
        self.assertEqual([part.count('"nested_clang.ex"') for part in parts], [1, 7, 1], text)


if __name__ == "__main__":
    xmltest.main()
