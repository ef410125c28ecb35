# SPDX-License-Identifier: Apache-2.0
"""Every registered command with every option (every.py) in each situation that a GDB can be in. One GDB a
situation.

Asserted of each line: no traceback; no change of thread, frame, settings or program, by GDB's own events; the
text or the sentence that is right there. What is right comes from the program itself (TRUTH, lives.c), not
from the extension. """

import json
import os
import re
import subprocess
import unittest

import compare
import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
ONE_TASK = gdbrun.find("gdb-plugin/tests/one_task_gcc.exe")
LIVES = gdbrun.find("gdb-plugin/tests/lives_gcc.exe")
STATIC = gdbrun.find("gdb-plugin/tests/lives_static")
PLAIN = gdbrun.find("gdb-plugin/tests/threads")
ENV = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "120", "TRUTH_TIMEOUT": "60"}
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'
PRELUDE = """
import os, sys
sys.path.insert(0, %r)
import every
def all_of_it():
    gdb.execute("set ompd width 100")  # GDB's own counts as unlimited when its output goes to a string
    found = every.every(run, FOLDER)
    found["state"] = every.state()
    say(found)
def who():
    # What the threads of lives.c have noted: tid -> number, size of the team, level.
    said = gdb.parse_and_eval("said")
    return {int(said[i]["tid"]): [int(said[i][name]) for name in ("thread_num", "team_size", "level")]
            for i in range(int(gdb.parse_and_eval("team")))}
def shown():
    return {row["target_tid"]: [row["thread_num"], row["team_size"], row["level"]]
            for row in document("ompd threads -json")["threads"] if row["openmp"] and row["state"] != "idle"}
def the_same():
    say([who(), shown()])
""" % gdbrun.HERE
NO_RUNTIME = "has not loaded an OpenMP runtime that ompd knows"
NOT_OPENMP = "The selected thread is not an OpenMP thread"
NO_THREAD = "No thread of this program is an OpenMP thread now"
RUNS = "The selected thread is running: interrupt it first."
# Need no program.
ALWAYS = re.compile(r"(set|show|help|apropos|ompd catch|ompd init|ompd job|ompd$|info openmp$|ompd nonsense|"
                    r"info openmp nonsense)\b")
# The lines that are a lister or one of its relatives without a mistake in them.
PLAIN_LINE = re.compile(r"(ompd|info openmp) (threads|parallel|tasks|loops|waits|icvs|stacks|report|status)"
                        r"( -(all|tree|ancestors|json|frames|stats|state \w+|scope \w+))*$")
# What is wrong with the line itself is told before anything else, in every situation.
MISTAKE = re.compile(r"Usage: |; it is one of: |needs one of: |needs one string|names no format|"
                     r"^\".*\" is not the number of a ")


class _Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def folder(self):
        folder = os.path.join(os.environ.get("TEST_TMPDIR", "/tmp"), "situations.%d" % os.getpid())
        os.makedirs(folder, exist_ok=True)
        return folder

    def gdb(self, script, *arguments, **more):
        more["env"] = dict(ENV, **more.get("env", {}))
        answer = gdbrun.gdb("FOLDER = %r\n" % self.folder() + PRELUDE + script, arguments, cwd=self.folder(),
                            **more)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def exe(self, target):
        return os.path.join(DIR, target + ".exe")

    def check(self, found, running=False, wide=False):
        """What holds of every line in every situation. RUNNING: threads come and go; WIDE: what is told is
        too long."""
        wrong = []
        for line, text, error, changed in found["rows"]:
            if running:
                changed = [one for one in changed if one[0] not in ("events", "running", "threads")]
            if changed:
                wrong.append([line, "changed", changed])
            said = error if error is not None else text
            if re.search(r"itself failed|Python|Traceback|\x1b", said):
                wrong.append([line, said])
            elif error is not None and (not error.strip() or "\n" in error.strip()):
                wrong.append([line, "no sentence", error])
            elif error is not None and line.startswith(("ompd", "info openmp")) and error[-1] not in ".\"":
                wrong.append([line, "no end", error])
            elif error is None and not text.strip() and not line.startswith("set ompd"):
                wrong.append([line, "said nothing"])
            elif error is None and PLAIN_LINE.match(line) and " -json" in line:
                try:
                    if json.loads(text[text.index("{"):])["schema"] != 1:
                        wrong.append([line, text[:200]])
                except ValueError:
                    wrong.append([line, "no JSON", text[:200]])
            elif error is None and PLAIN_LINE.match(line) and not wide:
                # A path alone on its line stays whole: it is there to be copied.
                wrong += [[line, "too wide", one] for one in text.splitlines() if len(one) > 100
                          and "/" not in one.split()[0]
                          and not one.startswith("Process ")
                          and " status" not in line]
        self.assertEqual(wrong[:20], [])
        self.assertGreater(len(found["rows"]), 900)
        # What GDB has registered: nobody has forgotten a word of the list.
        for word in "threads parallel tasks loops waits icvs stacks report status".split():
            self.assertIn("ompd " + word, found["commands"])
            self.assertIn("info openmp " + word, found["commands"])
        self.assertLess({"ompd region", "ompd task", "ompd thread", "ompd team", "ompd frame", "ompd catch",
                         "ompd export", "ompd job", "ompd up", "ompd down", "ompd print"},
                        set(found["commands"]))
        self.assertEqual(len(found["functions"]), 8)
        self.assertEqual(found["valued"], ["-scope", "-state", "-view"])

    def said(self, found, line):
        return next(row[2] if row[2] is not None else row[1] for row in found["rows"] if row[0] == line)

    def json(self, found, line):
        text = self.said(found, line)
        return json.loads(text[text.index("{"):])  # GDB's warnings about a core may stand before it

    def check_not_run(self, found):
        """Whatever has no mistake in it says that there is no program, and how to get one."""
        self.check(found)
        for line, text, error, _ in found["rows"]:
            if line.startswith(("ompd", "info openmp", "print $ompd")) and not ALWAYS.match(line) \
                    and not (error and MISTAKE.search(error)) and not line.endswith("(1)"):
                self.assertEqual(error, gdbrun.NOT_RUN, line)
            if ALWAYS.match(line) and error is None and not line.startswith("set"):
                self.assertTrue(text.strip(), line)

    def check_no_openmp(self, found):
        self.check(found)
        for line, text, error, _ in found["rows"]:
            if not PLAIN_LINE.match(line) or (error and MISTAKE.search(error)):
                continue
            if "-ancestors" in line:
                self.assertIn(NO_THREAD, error, line)
            else:
                self.assertIn(NO_RUNTIME, text, line)
        for name in set(found["functions"]) - {"ompd_outer"}:  # needs an expression
            expected = {"ompd_state": '"none"', "ompd_in_parallel": "0"}.get(name, "-1")
            self.assertRegex(self.said(found, "print $%s()" % name), r"= %s\n" % re.escape(expected))
        self.assertNotIn("pragma", self.said(found, "bt"))

    def check_texts(self, found, openmp=True):
        """The texts of a process with OpenMP against the JSON, which the truth is compared with elsewhere."""
        self.check(found)
        report = self.json(found, "ompd report -json")
        threads = self.said(found, "ompd threads")
        for row in report["threads"]:
            if row["openmp"]:
                self.assertRegex(threads, r"(?m)^\*? +%d +%d " % (row["gdb_num"], row["lwp"]))
        lines = self.said(found, "ompd parallel"), self.said(found, "ompd tasks")
        if all(region["kind"] == "initial" for region in report["regions"]):
            self.assertEqual(lines[0], "There is no parallel region.\n")
        else:
            for region in report["regions"]:
                self.assertRegex(lines[0], r"(?m)^\*? *Region %d: %s" % (region["id"], region["kind"]))
        if all(task["kind"] == "initial" for task in report["tasks"]):
            self.assertEqual(lines[1], "There are no explicit tasks.\n")
        else:
            for task in report["tasks"]:
                # For a task that runs stands what its thread does.
                word = r"\S" if task["state"] == "running" else task["state"]
                self.assertRegex(lines[1], r"(?m)^\*? +%d +%s +%s" % (task["id"], task["kind"], word))
        self.assertIn(report["verdict"]["sentence"].split()[0], self.said(found, "ompd waits"))
        mine = NOT_OPENMP not in self.said(found, "ompd task")
        for icv in self.json(found, "ompd icvs -json")["icvs"] if mine else ():
            self.assertIn(icv["name"], self.said(found, "ompd icvs"))
        for line, text, error, _ in found["rows"]:
            if PLAIN_LINE.match(line) and "-ancestors" not in line and not (error and MISTAKE.search(error)):
                self.assertIsNone(error, line)
            # The aliases are the same commands.
            if (line.startswith("info openmp ") and PLAIN_LINE.match(line) and "report" not in line
                    and "stats" not in line):
                twin = self.said(found, line.replace("info openmp", "ompd", 1)).replace("Usage: ompd",
                                                                                        "Usage: info openmp")
                self.assertEqual(error or text, twin, line)
        if not openmp:
            for line in ("ompd parallel -ancestors", "ompd tasks -ancestors", "ompd region", "ompd task"):
                self.assertIn(NOT_OPENMP, self.said(found, line))
            for name in set(found["functions"]) - {"ompd_outer"}:
                expected = {"ompd_state": '"none"', "ompd_in_parallel": "0"}.get(name, "-1")
                self.assertRegex(self.said(found, "print $%s()" % name), r"= %s\n" % re.escape(expected))
        return report

    def truth(self, text):
        return [compare.read_truth(line + "\n") for line in text.splitlines() if line.startswith("TRUTH ")]


class Situations(_Case):
    def test_no_program(self):
        self.check_not_run(self.gdb("all_of_it()").said[0])

    def test_before_run_and_after_exit_and_run_again(self):
        answer = self.gdb("all_of_it(); gdb.execute('run', to_string=True); all_of_it()\n"
                          "gdb.execute('break body', to_string=True); gdb.execute('run', to_string=True); "
                          "all_of_it()\n"
                          "gdb.execute('run', to_string=True); all_of_it()\n"
                          "say([run('%s')[1] for c in 'x']); gdb.execute('kill')\n"
                          "say([run('ompd ' + c)[1] for c in ('step', 'next', 'finish')])\n"
                          % "ompd threads", ONE_TASK)
        for found in answer.said[:2]:
            self.check_not_run(found)
        for found in answer.said[2:4]:
            report = self.check_texts(found)
            self.assertEqual([task["kind"] for task in report["tasks"]
                              if task["kind"] != "initial"].count("explicit"), 1)
        self.assertEqual(answer.said[5], [gdbrun.NOT_RUN] * 3)

    def test_before_the_runtime_has_started(self):
        answer = self.gdb("gdb.execute('break main', to_string=True); gdb.execute('run', to_string=True); "
                          "all_of_it()", ONE_TASK)
        found = answer.said[0]
        self.check(found)
        self.assertIn("There is no parallel region", self.said(found, "ompd parallel"))
        self.assertIn("There are no explicit tasks", self.said(found, "ompd tasks"))
        self.assertNotRegex(self.said(found, "ompd threads"), r"\d/\d")
        self.assertIn(NO_THREAD, self.said(found, "ompd region"))

    def test_in_a_region_and_in_a_foreign_pthread(self):
        answer = self.gdb(HELD
                          + "gdb.execute('thread 2'); all_of_it(); gdb.execute('thread 3'); "
                            "gdb.execute('up'); all_of_it()\n"
                          "gdb.execute('thread 7'); all_of_it(); gdb.execute('delete'); gdb.execute('set "
                          "confirm off')",
                          "--args", self.exe("foreign_clang"))
        truth = self.truth(answer.out)[0]
        for found, openmp in zip(answer.said, (False, False, True)):
            self.assertEqual(compare.compare(truth, self.check_texts(found, openmp), names=True), [])

    def test_serial_and_then_the_end(self):
        answer = self.gdb(HELD + "gdb.execute('thread 1'); all_of_it()", "--args", self.exe("serial_gcc"))
        report = self.check_texts(answer.said[0])
        self.assertEqual(compare.compare(self.truth(answer.out)[0], report, names=True), [])
        # The program goes on as if nobody had asked.
        answer = self.gdb("gdb.execute('break body', to_string=True); gdb.execute('run', to_string=True); "
                          "all_of_it()\n"
                          "gdb.execute('delete'); gdb.execute('continue', to_string=True)\n"
                          "say(int(gdb.convenience_variable('_exitcode')))", ONE_TASK)
        self.check_texts(answer.said[0])
        self.assertEqual(answer.said[1], 0)
        self.assertIn("\n10\n", "\n" + answer.out)

    def test_without_openmp(self):
        answer = self.gdb(HELD + "all_of_it()", "--args", PLAIN, "3")
        self.check_no_openmp(answer.said[0])

    def test_core(self):
        core = os.path.join(self.folder(), "e.core")
        live = self.gdb(HELD + "gdb.execute('gcore %s', to_string=True)" % core, "--args",
                        self.exe("task_lock_gcc"))
        self.addCleanup(os.remove, core)
        answer = self.gdb("gdb.execute('thread 3'); all_of_it(); say([run('ompd ' + c)[1] for c in ('step', "
                          "'next', 'finish')])",
                          self.exe("task_lock_gcc"), core)
        self.assertEqual(compare.compare(self.truth(live.out)[0], self.check_texts(answer.said[0]),
                                         names=True), [])
        self.assertEqual(answer.said[1], ["A core file cannot be run: \"ompd %s\" needs a live process."
                                          % word
                                          for word in ("step", "next", "finish")])

    def test_two_inferiors(self):
        answer = self.gdb(HELD + """
gdb.execute("add-inferior -exec %s", to_string=True); gdb.execute("inferior 2", to_string=True)
all_of_it()
gdb.execute("run", to_string=True); all_of_it(); gdb.execute("inferior 1"); all_of_it()
""" % self.exe("parallel_clang"), "--args", self.exe("nested_gcc"))
        self.check_not_run(answer.said[0])
        truths = {truth["target"]: truth for truth in self.truth(answer.out)}
        for found, name in zip(answer.said[1:], ("parallel", "nested")):
            self.assertEqual(compare.compare(truths[name], self.check_texts(found), names=True), [])

    def test_gdbserver(self):
        server = subprocess.Popen(["gdbserver", "--once", "localhost:0", LIVES], env=dict(os.environ, **ENV),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.addCleanup(server.stderr.close)
        port = next(line for line in server.stderr if line.startswith("Listening on port")).split()[-1]
        answer = self.gdb("""
gdb.execute("target remote localhost:%s", to_string=True); all_of_it()
gdb.execute("break held", to_string=True); gdb.execute("continue", to_string=True)
the_same(); all_of_it(); gdb.execute("kill", to_string=True)
""" % port, LIVES)
        self.check(answer.said[0])
        self.assertEqual(*answer.said[1])
        self.assertEqual(len(answer.said[1][0]), 2)
        self.check_texts(answer.said[2])

    def test_attach_and_detach(self):
        process = subprocess.Popen([self.exe("deadlock_gcc")], env=dict(os.environ, **ENV),
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        truth = self.truth(process.stdout.readline())[0]
        answer = self.gdb("all_of_it(); gdb.execute('detach'); all_of_it()\n"
                          "gdb.execute('attach %d', to_string=True); all_of_it()" % process.pid, "-p",
                          str(process.pid))
        for found in (answer.said[0], answer.said[2]):
            self.assertEqual(compare.compare(truth, self.check_texts(found), names=True), [])
            self.assertRegex(self.said(found, "ompd waits"), "^Deadlock")
        self.check_not_run(answer.said[1])
        self.assertIsNone(process.poll())

    def test_non_stop(self):
        """Threads that run beside the one that stopped; then all run; then all have been interrupted."""
        answer = self.gdb("""
gdb.execute("set non-stop on")
""" + HELD + """
gdb.execute("thread 2"); all_of_it(); gdb.execute("thread 1"); all_of_it()
say([run(c)[1] for c in ("ompd step", "ompd next", "ompd finish", "ompd frame up", "bt")])
gdb.execute("thread 2"); gdb.execute("continue&", to_string=True); all_of_it()
stopped = []
gdb.events.stop.connect(lambda event: stopped.append(event))
gdb.execute("interrupt -a")
def wait():
    # GDB handles a thread's stop only between two commands.
    if any(t.is_running() for t in gdb.selected_inferior().threads()):
        time.sleep(0.01); gdb.post_event(wait)
    else:
        gdb.execute("thread 1"); all_of_it(); gdb.execute("quit")
gdb.post_event(wait)
""", "--args", self.exe("deadlock_gcc"), interactive=True)
        beside, runs, errors, all_run, interrupted = answer.said
        truth = self.truth(answer.out)[0]
        for found, gdb_nums in ((beside, {1, 3, 4}), (runs, {1, 3, 4}), (all_run, {1, 2, 3, 4})):
            self.check(found, running=True)
            self.assertEqual(set(found["state"]["running"]), gdb_nums)
            rows = self.json(found, "ompd threads -json")["threads"]
            self.assertEqual({row["gdb_num"] for row in rows if row["running"]}, gdb_nums)
            for row in rows:
                if row["running"]:  # nothing is claimed of it
                    self.assertEqual({key for key, value in row.items() if value not in (None, [])}
                                     - {"activity", "cpu_ns", "target_tid", "moving", "released"},
                                     {"lwp", "pthread", "gdb_num", "current", "running", "openmp", "unknown"})
                    self.assertIn((row["activity"] or {}).get("kind"), (None, "unknown"))
                    self.assertFalse(row["moving"] or row["released"])
            for number in gdb_nums:
                self.assertRegex(self.said(found, "ompd threads"),
                                 r"(?m)^\*? +%d +[0-9]+ +not stopped$" % number)
            self.assertRegex(self.said(found, "ompd waits"),
                             r"^Nothing can be said about deadlocks: \d threads are running\.")
        for line in ("ompd task", "ompd region", "ompd tasks -ancestors", "print $ompd_level()",
                     "print $ompd_state()"):
            self.assertEqual(self.said(runs, line), RUNS)
        self.assertEqual(errors, [RUNS] * 4 + ["Selected thread is running."])
        self.assertEqual(compare.compare(truth, self.check_texts(interrupted), names=True), [])

    def test_damaged_memory(self):
        """Whatever is said of a runtime in ruins, GDB and the selection stay as they were; put right, all is
        as before."""
        answer = self.gdb(HELD + """
import corrupt
from ompd_gdb import session
gdb.execute("thread 3"); gdb.execute("up"); good = run("ompd report -json")
for name, damage in corrupt.wholesale().items():
    before = corrupt.put(damage)
    if "table" in name: session.drop_all()  # it is read once a process
    begin = time.time(); found = every.every(run, FOLDER)
    say([name, found, time.time() - begin])
    corrupt.put(list(reversed(before)))
    if "table" in name: session.drop_all()
    say([name, run("ompd report -json") == good])
""", "--args", self.exe("nested_clang"), timeout=800)
        self.assertGreater(len(answer.said), 30)
        for name, *said in answer.said:
            with self.subTest(damage=name):
                if len(said) == 1:
                    self.assertTrue(said[0])
                    continue
                self.check(said[0], wide=True)
                # A person waits for an answer; 3,000 of them take some seconds.
                self.assertLess(said[1], 60)


class Lives(_Case):
    """fork, exec, static, dlopen: what the threads have noted of themselves against what is shown."""

    def check_lives(self, answer, sizes):
        pairs = [said for said in answer.said if isinstance(said, list)]
        for who, shown in pairs:
            self.assertEqual(who, shown)
        self.assertEqual([len(who) for who, _ in pairs], sizes)
        for found in answer.said:
            if isinstance(found, dict):
                self.check_texts(found)

    def test_fork(self):
        start = HELD + "the_same()\n%s\ngdb.execute('continue', to_string=True); the_same(); all_of_it()\n"
        follow = "gdb.execute('set follow-fork-mode %s')"
        self.check_lives(self.gdb(start % (follow % "parent"), "--args", LIVES, "fork"), [2, 4])
        self.check_lives(self.gdb(start % (follow % "child"), "--args", LIVES, "fork"), [2, 3])

    def test_fork_and_keep_both(self):
        """detach-on-fork off: the other process is an inferior of its own, and stands still."""
        answer = self.gdb(HELD + """
the_same()
gdb.execute("set detach-on-fork off"); gdb.execute("set schedule-multiple off")
gdb.execute("continue", to_string=True); the_same(); all_of_it()
gdb.execute("inferior 2", to_string=True); found = every.every(run, FOLDER); say(["between", found])
gdb.execute("continue", to_string=True); the_same(); all_of_it()
gdb.execute("inferior 1", to_string=True); the_same()
""", "--args", LIVES, "fork")
        between = next(said for said in answer.said if isinstance(said, list) and said[0] == "between")
        answer.said.remove(between)
        self.check(between[1])
        self.check_lives(answer, [2, 4, 3, 4])

    def test_exec(self):
        answer = self.gdb(HELD
                          + "the_same(); all_of_it()\ngdb.execute('continue', to_string=True); the_same(); "
                            "all_of_it()",
                          "--args", LIVES, "exec")
        self.check_lives(answer, [2, 2])

    def test_static(self):
        answer = self.gdb(HELD + "the_same(); all_of_it()", "--args", STATIC)
        self.check_lives(answer, [2])

    def test_loaded_by_dlopen(self):
        answer = self.gdb("gdb.execute('break main', to_string=True); gdb.execute('run', to_string=True); "
                          "all_of_it()\n"
                          "gdb.execute('break held', to_string=True); gdb.execute('continue', "
                          "to_string=True)\n"
                          "gdb.execute('thread 1'); all_of_it()", "--args", self.exe("dlopen_clang"))
        self.check_no_openmp(answer.said[0])
        self.assertEqual(compare.compare(self.truth(answer.out)[0], self.check_texts(answer.said[1]),
                                         names=True), [])


if __name__ == "__main__":
    xmltest.main()
