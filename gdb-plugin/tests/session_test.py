# SPDX-License-Identifier: Apache-2.0
"""The whole path: every target in every situation, its own truth against `ompd report -json` in GDB.

SITUATIONS (comma-separated), TARGETS, SHARE (xmltest.py) and BY_TURNS choose a part. One GDB per target and
situation runs all commands.
"""

import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import compare
import gdbrun
import golden
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = json.load(_f)["targets"]
RUNTIME = "libompcompanion.so.1"
COMMANDS = ["ompd threads", "ompd parallel", "ompd tasks", "ompd tasks -state running", "ompd icvs",
            "ompd icvs -scope task", "ompd waits", "ompd stacks", "ompd report", "ompd status",
            "ompd status -stats"]
ALL = COMMANDS + [command + " -json" for command in COMMANDS]
SITUATIONS = ["live", "gcore", "attach", "kernel_core", "stripped", "gdbserver", "pid_namespace",
              "missing_runtime",
              "missing_program"]

# Runs every command and says the document, the errors and whether the selection moved.
ASK = """
before = selection()
texts, errors = {}, []
for c in %r:
    texts[c], error = run(c)
    if error is not None:
        errors.append([c, error])
    if selection() != before:
        errors.append([c, "selected is %%s, not %%s" %% (selection(), before)])
    if error is None and c.endswith("-json"):
        json.loads(texts[c][texts[c].index('{'):])
say({"report": document("ompd report -json"), "errors": errors,
     "texts": {c: texts[c] for c in texts if "-json" not in c}})
""" % ALL
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'


def setUpModule():
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


class _Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def exe(self, target):
        return os.path.join(DIR, target["exe"])

    def env(self, target, **more):
        return dict(target["env"], TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT="60", **more)

    def gdb(self, script, *arguments, **more):
        answer = gdbrun.gdb(script, arguments, **more)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def copy(self, target):
        """The target with the runtime in a folder of its own: what can be taken away or stripped."""
        folder = self.folder()
        for name in [target["exe"], RUNTIME] + target["data"]:
            shutil.copy(os.path.realpath(os.path.join(DIR, name)), os.path.join(folder, name))
        for name in os.listdir(folder):
            os.chmod(os.path.join(folder, name), 0o755)
        return folder, os.path.join(folder, target["exe"])

    def start(self, target, program, before=(), **env):
        """A running target that rests in held(), and its truth."""
        out = tempfile.TemporaryFile("w+", dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(out.close)
        process = subprocess.Popen(list(before) + [program] + target["args"], stdout=out,
                                   stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, **self.env(target, **env)))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(600):
            out.seek(0)
            truth = compare.read_truth(out.read())
            if truth is not None:
                return process, truth
            if process.poll() is not None:
                break
            time.sleep(0.1)
        self.fail("%s came to no rest" % target["name"])
        return None

    def core(self, target, program, folder):
        """A kernel core of the target and its truth."""
        done = subprocess.run([program] + target["args"], cwd=folder,
                              env=dict(os.environ, **self.env(target, TRUTH_CORE="1")),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True,
                              timeout=90)
        found = glob.glob(os.path.join(folder, "core*"))
        self.assertEqual(len(found), 1, "no core; core_pattern must be a plain file name")
        self.assertLess(done.returncode, 0)
        return found[0], compare.read_truth(done.stdout)

    def check(self, said, truth, names):
        self.assertIsNotNone(truth)
        self.assertEqual(said["errors"], [])
        report = said["report"]
        self.assertEqual(compare.compare(truth, report, names=names), [])
        self.check_texts(said, report)

    def check_texts(self, said, report):
        for command, text in said["texts"].items():
            self.assertTrue(text.strip(), command)
            self.assertNotIn("\x1b", text, command)
        rows = {row["lwp"] for row in report["threads"] if row["openmp"]}
        for row in report["threads"]:
            self.assertIsNotNone(row["gdb_num"])
        self.assertTrue(rows)


class Matrix(_Case):
    """test_<situation>_<target>: made below."""

    def live(self, target):
        # Who comes first is another one in each run of some programs; what is wrong is wrong in each.
        for _ in range(3):
            answer = self.gdb(HELD + ASK + golden.script(target["name"]), "--args", self.exe(target),
                              *target["args"],
                              env=self.env(target))
            self.check(answer.said[0], compare.read_truth(answer.out), True)
            difference = golden.difference(target["name"], answer.said[1])
            if not difference:
                return
        self.fail(difference)

    def gcore(self, target):
        core = os.path.join(self.folder(), "g.core")
        live = self.gdb(HELD + "gdb.execute('gcore %s', to_string=True)" % core, "--args", self.exe(target),
                        *target["args"], env=self.env(target), plugin=False)
        answer = self.gdb(ASK, self.exe(target), core)
        self.check(answer.said[0], compare.read_truth(live.out), True)

    def attach(self, target):
        process, truth = self.start(target, self.exe(target))
        answer = self.gdb(ASK, "-p", str(process.pid))
        self.check(answer.said[0], truth, True)
        self.assertIsNone(process.poll())

    def kernel_core(self, target):
        core, truth = self.core(target, self.exe(target), self.folder())
        answer = self.gdb(ASK, self.exe(target), core)
        self.check(answer.said[0], truth, True)
        if truth["signal"] is not None:
            self.assertEqual(answer.said[0]["report"]["process"]["signal"],
                             int(signal.Signals[truth["signal"]]))
            self.assertEqual(answer.said[0]["report"]["process"]["crashed_lwp"], truth["crashed_tid"])

    def stripped(self, target):
        folder, program = self.copy(target)
        for name in os.listdir(folder):
            subprocess.run(["strip", os.path.join(folder, name)], check=True)
        core, truth = self.core(target, program, folder)
        self.check(self.gdb(ASK, program, core).said[0], truth, False)
        if target["stop"] != "held":
            return
        process, truth = self.start(target, program)
        self.check(self.gdb(ASK, "-p", str(process.pid)).said[0], truth, False)

    def gdbserver(self, target):
        folder = self.folder()
        with open(os.path.join(folder, "out"), "w+") as out:
            server = subprocess.Popen(["gdbserver", "--once", "localhost:0", self.exe(target)]
                                      + target["args"],
                                      env=dict(os.environ, **self.env(target)), stdout=out,
                                      stderr=subprocess.PIPE,
                                      universal_newlines=True)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            self.addCleanup(server.stderr.close)
            port = next(line for line in server.stderr if line.startswith("Listening on port")).split()[-1]
            answer = self.gdb("""
gdb.execute("target remote localhost:%s", to_string=True)
gdb.execute("break held", to_string=True); gdb.execute("continue", to_string=True)
%s
gdb.execute("kill", to_string=True)""" % (port, ASK), self.exe(target))
            out.seek(0)
            self.check(answer.said[0], compare.read_truth(out.read()), True)

    def pid_namespace(self, target):
        # The target looks at itself in /proc, so it needs its namespace's own.
        unshare = ["unshare", "-pf", "--mount-proc", "--kill-child"]
        if subprocess.run(unshare + ["true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("this user may not make PID namespaces")
        if target["stop"] != "held":
            return
        outer, truth = self.start(target, self.exe(target), unshare)
        with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid)) as f:
            child = int(f.read().split()[0])
        self.assertNotEqual(child, truth["pid"])
        self.check(self.gdb(ASK, "-p", str(child)).said[0], truth, True)

    def missing_runtime(self, target):
        folder, program = self.copy(target)
        core, truth = self.core(target, program, folder)
        with_it = self.gdb(ASK + STACKS, program, core)
        self.check(with_it.said[0], truth, True)
        os.remove(os.path.join(folder, RUNTIME))
        without = self.gdb(ASK + STACKS, program, core)
        self.check(without.said[0], truth, True)
        self.assertEqual(without.said[1], with_it.said[1])
        user = [names for names in without.said[1].values()
                if any(name.startswith("main:") for name in names)]
        self.assertTrue(user, without.said[1])

    def missing_program(self, target):
        folder, program = self.copy(target)
        core, truth = self.core(target, program, folder)
        os.remove(program)
        os.remove(os.path.join(folder, RUNTIME))
        self.check(self.gdb(ASK, "-c", core).said[0], truth, False)


# The user's functions on each thread's stack: what the unwinder has to bring back.
# A Fortran program's main program is "main" for GDB as soon as it has read, in threads of its own, what the
# compiler says of it; before, the C function that calls it is. Past either the stack is the same.
STACKS = """
gdb.execute("set backtrace past-main on")
stacks = {}
for thread in gdb.selected_inferior().threads():
    thread.switch()
    names, frame = [], gdb.newest_frame()
    while frame is not None and len(names) < 500:
        sal = frame.find_sal()
        if sal.symtab is not None and "test-targets" in sal.symtab.filename:
            names.append("%s:%d" % (frame.name(), sal.line))
        frame = frame.older()
    stacks[str(thread.ptid[1])] = names
say(stacks)
"""


def _make(situation, target):
    def test(self):
        getattr(self, situation)(target)
    test.__doc__ = None
    return test


_CHOSEN = os.environ.get("SITUATIONS", ",".join(SITUATIONS)).split(",")
_NAMES = [name for name in os.environ.get("TARGETS", "").split(",") if name]
# BY_TURNS: each program by one of its two compilers. Where memory comes from has nothing to do with them.
_TURNS = [one for i, one in enumerate(TARGETS) if not os.environ.get("BY_TURNS") or (i + i // 2) % 2 == 0]
for _situation in SITUATIONS:
    for _target in xmltest.share(_TURNS):
        _excluded = {e["situation"] for e in _target["excluded"]}
        _by_other_name = {"pid_namespace": "attach", "gdbserver": "live"}.get(_situation, _situation)
        if _situation in _CHOSEN and _by_other_name not in _excluded and (not _NAMES
                                                                          or _target["name"] in _NAMES):
            setattr(Matrix, "test_%s_%s" % (_situation, _target["name"]), _make(_situation, _target))


def _target_named(name):
    return next(target for target in TARGETS if target["name"] == name)


class Sessions(_Case):
    """What LLVM's plug-in gets wrong (its failures are listed in the reference), and what a session must
    bear."""

    def live(self, name, script, held=HELD, **more):
        target = _target_named(name)
        return self.gdb(held + script, "--args", self.exe(target), *target["args"], env=self.env(target),
                        **more)

    def test_trace(self):
        path = os.path.join(self.folder(), "trace")
        answer = gdbrun.gdb("say(run('set ompd trace %s'))\nsay(run('show ompd trace'))\n%s"
                            "say(run('ompd threads'))\nsay(run('set ompd trace'))\nsay(run('ompd threads'))\n"
                            "say(run('set ompd trace /nonexistent/x'))\nsay(run('show ompd trace'))\n"
                            % (path, HELD), ["--args", os.path.join(DIR, "lock_clang.exe")])
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertEqual(answer.said[0], ["", None])
        self.assertIn(path, answer.said[1][0])
        self.assertIsNone(answer.said[2][1])
        self.assertIn("cannot be written", answer.said[5][1])
        self.assertIn("not traced", answer.said[6][0])
        with open(path) as f:
            lines = f.read().splitlines()
        self.assertRegex(lines[0], "^# calls of .*libompd")
        for line in lines[1:]:
            self.assertRegex(line, r"^ompdx?_\w+\(.*\) = \w+; callbacks: \d+")
        # One process was opened, and closed only after the trace had ended.
        self.assertEqual(sum(line.startswith("ompd_process_initialize(") for line in lines), 1)
        self.assertFalse([line for line in lines if line.startswith("ompd_finalize(")])

    def test_256_threads_cost(self):
        answer = self.live("many_threads", """
say(run("ompd threads")[1]); say(run("ompd status -stats")[0])
figures = []
for i in range(10):
    for flush in (0, 1):
        gdb.execute("maintenance flush register-cache", to_string=True)
        from ompd_gdb import session; session._changed()
        begin = time.perf_counter(); run("ompd threads" if flush else "info threads")
        figures.append([flush, time.perf_counter() - begin])
say(figures)
""")
        self.assertIsNone(answer.said[0])
        numbers = [int(word)
                   for word in answer.said[1].split("Asked of the process: ")[1].replace(",", "").split()
                   if word.isdigit()]
        self.assertLessEqual(numbers[0], 3, answer.said[1])
        self.assertLessEqual(numbers[1], 16, answer.said[1])
        theirs, ours = (min(t for f, t in answer.said[2] if f == flush) for flush in (0, 1))
        print("256 threads: %d look-ups, %d reads; info threads %.1f ms, ompd threads %.1f ms (ratio %.2f)"
              % (numbers[0], numbers[1], theirs * 1e3, ours * 1e3, ours / theirs))

    def test_every_callback_raises(self):
        script = """
import sys; sys.path.insert(0, %r)
import faults; faults.install()
gdb.execute("thread 1", to_string=True); gdb.execute("up", to_string=True)
for c in ("ompd report", "ompd threads", "ompd icvs"):
    faults.sweep(c, say, selection, run, exceptions=(Exception, KeyboardInterrupt), most=60)
say("alive")
""" % gdbrun.HERE
        for name in ("nested", "deadlock"):
            answer = self.live(name, script)
            for row in answer.said[:-1]:
                self.assertEqual(row["wrong"], [], row)
            self.assertEqual(answer.said[-1], "alive")

    def test_damaged_memory(self):
        answer = self.live("depend", """
import sys; sys.path.insert(0, %r)
import corrupt; corrupt.sweep(run, say, every=%d)
""" % (gdbrun.HERE, int(os.environ.get("DAMAGE_EVERY", "7"))), timeout=250)
        print("%(damages)d damages in %(slots)d slots" % answer.said[0])
        self.assertEqual(answer.said[0]["wrong"], [])
        self.assertGreater(answer.said[0]["damages"], 100)

    def test_loops(self):
        answer = self.live("nested", """
import sys; sys.path.insert(0, %r)
import corrupt; corrupt.loops(run, say, ["ompd parallel", "ompd tasks", "ompd report -json"])
""" % gdbrun.HERE, timeout=250)
        self.assertEqual(answer.said[0]["wrong"], [])
        self.assertGreater(answer.said[0]["damages"], 5)

    def test_run_again_and_breakpoint(self):
        """LLVM 2.7: after the second `run` the user's breakpoint was run over."""
        answer = self.live("parallel", """
say([gdb.selected_frame().name(), document("ompd report -json")])
for i in range(2):
    gdb.execute("run", to_string=True)
    say([gdb.selected_frame().name(), document("ompd report -json")])
gdb.execute("kill", to_string=True); say(run("ompd threads")[1])
""")
        truths = [compare.read_truth(line + "\n") for line in answer.out.splitlines()
                  if line.startswith("TRUTH ")]
        self.assertEqual(len(truths), 3)
        for truth, (name, report) in zip(truths, answer.said):
            self.assertEqual(name, "held")
            self.assertEqual(compare.compare(truth, report, names=True), [])
        self.assertEqual(answer.said[3], gdbrun.NOT_RUN)

    def test_two_inferiors(self):
        one, two = _target_named("parallel"), _target_named("nested")
        answer = self.gdb(HELD + """
gdb.execute("add-inferior -exec %s", to_string=True); gdb.execute("inferior 2", to_string=True)
gdb.execute("run", to_string=True)
for i in range(3):
    for n in (1, 2):
        gdb.execute("inferior %%d" %% n, to_string=True)
        say(document("ompd report -json"))
gdb.execute("kill inferiors 1", to_string=True); say(document("ompd report -json"))
""" % self.exe(two), self.exe(one), env=self.env(one))
        truths = {t["target"]: t for t in (compare.read_truth(line + "\n") for line in answer.out.splitlines()
                                           if line.startswith("TRUTH "))}
        self.assertEqual(sorted(truths), ["nested", "parallel"])
        for i, report in enumerate(answer.said):
            name = "nested" if i % 2 or i == 6 else "parallel"
            self.assertEqual(compare.compare(truths[name], report, names=True), [], "%d %s" % (i, name))

    def test_before_and_outside(self):
        """Sentences before `run`, before the runtime has started, and in a program loaded by dlopen before it
        is."""
        for name in ("parallel", "dlopen"):
            answer = self.live(name, """
say(run("ompd threads"))
gdb.execute("break main", to_string=True); gdb.execute("run", to_string=True)
for c in %r: say(run(c))
gdb.execute("break held", to_string=True); gdb.execute("continue", to_string=True)
say(run("ompd threads"))
""" % COMMANDS, held="")
            self.assertEqual(answer.said[0], ["", gdbrun.NOT_RUN])
            for text, error in answer.said[1:-1]:
                self.assertIsNone(error)
                self.assertTrue(text.strip())
            self.assertIsNone(answer.said[-1][1])

    def test_without_openmp(self):
        answer = self.gdb('gdb.execute("catch syscall clock_nanosleep", to_string=True); gdb.execute("run", '
                          'to_string=True)\n'
                          "for c in %r: say(run(c))" % ALL, "/bin/sleep", "--args", "/bin/sleep", "9")
        for text, error in answer.said:
            self.assertIsNone(error)
            self.assertTrue(text.strip())


if "live" not in _CHOSEN or _NAMES or not xmltest.share([Sessions]):
    del Sessions  # another part of the matrix runs here


if __name__ == "__main__":
    xmltest.main()
