# SPDX-License-Identifier: Apache-2.0
"""Every registered command with every option in each situation; bt, thread names, functions, and MI.

Asserted in each situation: no traceback, no change of the selection or of the program, a text or one sentence.
"""

import os
import subprocess
import unittest

import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
STEP = gdbrun.find("gdb-plugin/tests/walk_gcc.exe")
PLAIN = gdbrun.find("gdb-plugin/tests/threads")
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'
ENV = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "120", "TRUTH_TIMEOUT": "60"}

# All commands that the extension has registered, each with each of its options and with arguments of all sorts.
EVERY = """
import gc, tempfile
from ompd_gdb import command
def lines():
    for one in sorted((o for o in gc.get_objects() if isinstance(o, command.Command)), key=lambda o: o.name):
        if one.word in ("step", "next", "finish", "catch"):
            continue  # these run the program or make breakpoints
        arguments = {"region": ["", "1", "2", "99999", "x"], "task": ["", "1", "2", "99999", "-1"],
                     "thread": ["", "0 frame", "1 print 1", "2.1 bt 1", "77 bt", "x y", "0 nonsense"],
                     "team": ["", "bt 1", "2 print 1", "999 bt", "nonsense"], "frame": ["", "sideways"],
                     "icvs": ["", "nthreads", "nowhere"], "export": ["", "x", FOLDER + "/a.json", FOLDER + "/a.dot",
                     FOLDER + "/a.html", FOLDER + "/a.txt", FOLDER + "/a.folded", FOLDER + "/a.snapshot",
                     "/nonexistent/a.json"]}.get(one.word, ["", "surplus"])
        options = [""]
        for name, values in one.options.items():
            if name != "-select":
                options += [name] if values is None else [name + " " + value for value in values] + [name, name + " no"]
        yield from (" ".join((one.name, option, argument)).strip() for option in options for argument in arguments)
    for name in ("addresses", "library", "runtime-frames", "thread-names", "trace", "width"):
        yield "show ompd " + name
    for name in ("addresses on", "addresses off", "runtime-frames hide", "runtime-frames dim", "thread-names off",
                 "thread-names on", "width 40", "width unlimited", "library /nonexistent", "library", "trace"):
        yield "set ompd " + name
    yield from ("ompd", "info openmp", "show ompd", "bt", "bt -hide", "bt 2", "bt -no-filters", "info frame-filter")
    for name in ("thread_num", "team_size", "level", "region", "task", "state", "in_parallel"):
        yield "print $ompd_%s()" % name
def state():
    inferior = gdb.selected_inferior()
    return [selection(), inferior.num, inferior.pid, sorted(t.global_num for t in inferior.threads()),
            [b.number for b in gdb.breakpoints()]]
def every():
    wrong, count, sentences = [], 0, set()
    for line in lines():
        before = state()
        text, error = run(line)
        count += 1
        if state() != before:
            wrong.append([line, "was %s, is %s" % (before, state())])
        if error is not None:
            sentences.add(error)
            if "itself failed" in error or "Python" in error or "\\n" in error or not error.strip():
                wrong.append([line, error])
        elif " -json" in line and "team" not in line and "thread " not in line:
            try:
                json.loads(text[text.index("{"):])
            except ValueError:
                wrong.append([line, "no JSON: " + text[:200]])
    return {"wrong": wrong, "count": count, "sentences": sorted(sentences)}
"""


class _Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def gdb(self, script, *arguments, **more):
        folder = os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), "exports.%d" % os.getpid())
        os.makedirs(folder, exist_ok=True)
        env = dict(ENV, **more.pop("env", {}))
        answer = gdbrun.gdb("FOLDER = %r\n" % folder + EVERY + script, arguments, env=env, **more)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def held(self, target, script, **more):
        return self.gdb(HELD + script, "--args", self.exe(target), **more)

    def exe(self, target):
        return os.path.join(DIR, target + ".exe")


class Everything(_Case):
    def check(self, said, some=True):
        self.assertEqual(said["wrong"], [])
        self.assertGreater(said["count"], 150)
        if not some:
            self.assertIn(gdbrun.NOT_RUN, said["sentences"])

    def test_no_program(self):
        self.check(self.gdb("say(every())").said[0], some=False)

    def test_before_run_and_after_exit(self):
        answer = self.gdb("say(every()); gdb.execute('run', to_string=True); say(every())", STEP)
        for said in answer.said:
            self.check(said, some=False)

    def test_before_the_runtime_started(self):
        self.check(self.gdb("gdb.execute('break main', to_string=True); gdb.execute('run', to_string=True); say(every())",
                            STEP).said[0])

    def test_in_a_region_and_in_a_foreign_pthread(self):
        answer = self.held("deadlock_clang", "say(every()); gdb.execute('thread 3'); gdb.execute('up'); say(every())")
        for said in answer.said:
            self.check(said)
        self.assertTrue([one for one in answer.said[0]["sentences"] if "not an OpenMP thread" in one])

    def test_serial(self):
        self.check(self.held("serial_gcc", "gdb.execute('thread 1'); say(every())").said[0])

    def test_without_openmp(self):
        self.check(self.gdb(HELD + "say(every())", "--args", PLAIN, "3").said[0])

    def test_core(self):
        core = os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), "e.core")
        self.held("task_lock_gcc", "gdb.execute('gcore %s', to_string=True)" % core)
        answer = self.gdb("gdb.execute('thread 3'); say(every()); say([run('ompd %s')[1] for c in 'abc'])" % "step",
                          self.exe("task_lock_gcc"), core)
        self.check(answer.said[0])
        self.assertEqual(set(answer.said[1]), {"A core file cannot go on: ompd step needs a running program."})
        os.remove(core)

    def test_two_inferiors(self):
        answer = self.held("nested_gcc", """
gdb.execute("add-inferior -exec %s", to_string=True); gdb.execute("inferior 2", to_string=True)
say(every())
gdb.execute("run", to_string=True); say(every()); gdb.execute("inferior 1"); say(every())
""" % self.exe("parallel_clang"))
        for said in answer.said:
            self.check(said)

    def test_gdbserver(self):
        server = subprocess.Popen(["gdbserver", "--once", "localhost:0", self.exe("nested_clang")],
                                  env=dict(os.environ, **ENV), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  universal_newlines=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.addCleanup(server.stderr.close)
        port = next(line for line in server.stderr if line.startswith("Listening on port")).split()[-1]
        self.check(self.gdb("""
gdb.execute("target remote localhost:%s", to_string=True)
gdb.execute("break held", to_string=True); gdb.execute("continue", to_string=True)
gdb.execute("thread 3"); say(every()); gdb.execute("kill", to_string=True)
""" % port, self.exe("nested_clang")).said[0])

    LISTERS = ["ompd " + word for word in ("threads", "parallel", "tasks", "waits", "icvs", "status")]

    def test_non_stop(self):
        answer = self.gdb("gdb.execute('set non-stop on')\n" + HELD + "time.sleep(0.5)\n"
                          "say([run(c) for c in %r])\n" % self.LISTERS +
                          "say([t['state'] for t in document('ompd threads -json')['threads'] if t['running']])",
                          "--args", self.exe("nested_clang"))
        self.assertEqual([error for _, error in answer.said[0]], [None] * len(self.LISTERS))
        # Of a running thread nothing is claimed.
        self.assertEqual(set(answer.said[1]), {None})

    def test_damaged_memory(self):
        """The runtime's own variables overwritten: whatever is said, GDB and the selection stay as they were."""
        answer = self.held("nested_clang", """
gdb.execute("thread 3"); run("ompd report")
from ompd_gdb import session
low, high = session.ranges()[0]
inferior = gdb.selected_inferior()
for line in gdb.execute("info proc mappings", to_string=True).splitlines():
    words = line.split()
    if len(words) >= 5 and words[0].startswith("0x") and low <= int(words[0], 16) < high and "rw" in words[4]:
        at = int(words[0], 16)
        inferior.write_memory(at + 512, b"\\xa5" * 256)
say(every())
""", timeout=200)
        self.check(answer.said[0])


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
                self.assertIn("runtime/core/team.c", raw)
                self.assertIn("    #", full)
                self.assertEqual(selected[:2], [int(number), 0])
                self.assertEqual(len([line for line in one.splitlines() if line.startswith("#")]), 1)

    def test_task(self):
        for target in ("task_lock_clang", "task_lock_gcc"):
            text = "\n".join(row[0] for row in self.bt(target).values())
            self.assertIn("#pragma omp task at task_lock.c:16", text)
            self.assertIn("[waits for lock]", text)

    def test_settings_and_disable(self):
        answer = self.held("nested_clang", """
gdb.execute("thread 3")
for c in ("set ompd runtime-frames hide", "set ompd runtime-frames show", "disable frame-filter global ompd",
          "enable frame-filter global ompd"):
    run(c); say(run("bt")[0])
""")
        hide, show, off, on = answer.said
        self.assertNotIn("rt_invoke", hide)
        self.assertRegex(show, r"(?m)^#.*rt_invoke")
        self.assertNotIn("pragma", off)
        self.assertIn("pragma", on)

    def test_frame_up_and_down(self):
        answer = self.held("nested_clang", """
gdb.execute("thread 6"); start = selection(); went = [start]
for way in ("up",) * 4: run("ompd frame " + way); went.append(selection())
say(went); say(run("ompd frame up")[1])
back = []
for way in ("down",) * 4: run("ompd frame " + way); back.append(selection())
say(back)
""")
        went, error, back = answer.said
        threads = [one[0] for one in went]
        self.assertEqual(threads[:3] + threads[-1:], [6, 6, 6, 1])
        self.assertIn(threads[3], (1, 3, 4))  # whoever of the outer team has created the inner region
        self.assertEqual(error, "There is no frame of the program above this one.")
        self.assertEqual(back, went[-2::-1])


class Values(_Case):
    def test_condition(self):
        """A breakpoint with $ompd_*: it stops only where the program itself says the same."""
        answer = self.gdb("""
gdb.execute("break busy_here if $ompd_thread_num() == 2 && $ompd_level() == 2", to_string=True)
gdb.execute("run", to_string=True)
gdb.execute("up"); gdb.execute("delete"); gdb.execute("set scheduler-locking on")
say([int(gdb.parse_and_eval("$ompd_" + f + "()")) for f in ("thread_num", "team_size", "level", "in_parallel")])
say([int(gdb.parse_and_eval("(int)" + f)) for f in ("omp_get_thread_num()", "omp_get_num_threads()", "omp_get_level()",
                                                   "omp_in_parallel()")])
say([gdb.parse_and_eval("$ompd_state()").string(), document("ompd report -json")])
say([int(gdb.parse_and_eval("$ompd_" + f + "()")) for f in ("region", "task")])
""", "--args", self.exe("nested_clang"))
        mine, theirs, (state, report), ids = answer.said
        self.assertEqual(mine, theirs)
        self.assertEqual(mine[:3], [2, 3, 2])
        row = next(t for t in report["threads"] if t["current"])
        self.assertEqual([row["state"], row["region"], row["task"]], [state] + ids)

    def mi(self, lines, program, wait):
        """What GDB answers in MI; after the first WAIT lines a stop is awaited."""
        process = subprocess.Popen(["gdb", "-q", "-nx", "-i=mi", "-iex", "set debuginfod enabled off", "-x",
                                    gdbrun.PLUGIN, "--args", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, universal_newlines=True, bufsize=1,
                                   env=dict(os.environ, HOME="/nonexistent", **ENV))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        answers = []
        for number, line in enumerate(lines):
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
                        "-ompd-threads surplus", "-ompd-tasks", "-ompd-parallel", "-ompd-icvs", "-ompd-stacks",
                        "-ompd-report", "-ompd-status", "-enable-frame-filters", "-stack-list-frames --thread 3"],
                       self.exe("nested_clang"), 2)
        self.assertTrue(all(one.split("^", 1)[1].startswith("done") for i, one in enumerate(done) if i != 4), done)
        self.assertEqual(done[1].count('state="work_parallel"'), 6)
        self.assertIn('verdict={kind="none"', done[2])
        self.assertEqual(done[3].count('name="omp '), 6)
        self.assertIn('^error,msg="-ompd-threads takes no arguments."', done[4])
        self.assertIn("#pragma omp parallel at nested.c:10", done[-1])
        self.assertIn("children=[", done[-1])

    def test_names_at_the_prompt(self):
        text = subprocess.run(["gdb", "-q", "-nx", "-iex", "set debuginfod enabled off", "-iex", "set confirm off",
                               "-iex", "set width 0", "-x", gdbrun.PLUGIN, "--args", self.exe("nested_clang")],
                              input="break held\nrun\ninfo threads\nset ompd thread-names off\ninfo threads\n"
                                    "set ompd thread-names on\ninfo threads\nquit\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=100,
                              env=dict(os.environ, HOME="/nonexistent", **ENV), check=False).stdout
        parts = text.split("Target Id")[1:]
        self.assertEqual([part.count('"omp ') for part in parts], [6, 0, 6], text)
        self.assertEqual([part.count('"nested_clang.ex"') for part in parts], [1, 7, 1], text)
        self.assertNotIn("Traceback", text)


if __name__ == "__main__":
    xmltest.main()
