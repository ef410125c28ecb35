# SPDX-License-Identifier: Apache-2.0
"""ompd_lldb.py in lldb: the targets' own truth, live and in kernel cores; each view; errors."""

import glob
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

import compare
import damaged
import gdbrun
import xmltest

PLUGIN = os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py")
LLDB = "lldb-19"
DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = {one["name"]: one for one in json.load(_f)["targets"]}
# What the callback `reg` of each thread answers.
REGISTERS = ("script import ompd_lldb; h = ompd_lldb.Host(ompd_lldb.library.get(), lldb.process); "
             "print([h._register(t, 'rip') for t in lldb.process])")
VIEWS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report", "status")


class Lldb(unittest.TestCase):
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def lldb(self, commands, *arguments, env=None, timeout=120):
        """What lldb prints for each of the commands, in order, and the rest."""
        command = [LLDB, "-x", "-b"]
        for one in ["settings set use-color false", "settings set stop-line-count-before 0",
                    "command script import " + PLUGIN] + list(commands):
            command += ["-o", one]
        env = dict(os.environ, HOME=self.folder(), **(env or {}))
        done = subprocess.run(command + list(arguments), env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=timeout)
        self.assertNotIn("Traceback", done.stdout)
        self.assertEqual(done.returncode in (0, 1), True, done.stdout)
        return done.stdout

    def answers(self, text):
        """{command: what lldb has printed for it}."""
        return dict(re.findall(r"^\(lldb\) (.*)\n((?:(?!\(lldb\) ).*\n?)*)", text, re.MULTILINE))

    def env(self, target, **more):
        return dict(target["env"], TRUTH_HOLD_SECONDS="60", TRUTH_TIMEOUT="30", **more)

    def live(self, name, *commands):
        """(truth, answers) of a target held under lldb."""
        target = TARGETS[name]
        text = self.lldb(["breakpoint set -n held", "run"] + list(commands) + ["process kill"], "--",
                         os.path.join(DIR, target["exe"]), *target["args"], env=self.env(target))
        return compare.read_truth(text), self.answers(text)

    def report(self, found):
        return json.loads(found["ompd report -json"])

    def test_live(self):
        for name in ("deadlock", "deadlock_gcc", "nested_gcc", "task_lock", "depend", "barrier", "idle",
                     "f_nested",
                     "foreign"):
            with self.subTest(name):
                truth, found = self.live(name, "ompd report -json")
                self.assertIsNotNone(truth)
                self.assertEqual(compare.compare(truth, self.report(found), names=True), [])

    def core(self, name):
        """(truth, program, core) of a target that has ended with a kernel core."""
        target, folder = TARGETS[name], self.folder()
        for one in [target["exe"], "libompcompanion.so.1"]:
            shutil.copy(os.path.realpath(os.path.join(DIR, one)), os.path.join(folder, one))
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
        program = os.path.join(folder, target["exe"])
        os.chmod(program, 0o755)
        env = dict(os.environ, **self.env(target, TRUTH_CORE="1"))
        done = subprocess.run([program] + target["args"], cwd=folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True, timeout=90)
        cores = glob.glob(os.path.join(folder, "core*"))
        self.assertEqual(len(cores), 1, "no core; core_pattern must be a plain file name")
        return compare.read_truth(done.stdout), program, cores[0]

    def test_core(self):
        for name in ("deadlock", "task_lock_gcc", "crash_segv"):
            with self.subTest(name):
                truth, program, core = self.core(name)
                found = self.answers(self.lldb(["ompd report -json", "ompd threads"], program, "-c", core))
                report = self.report(found)
                self.assertEqual(compare.compare(truth, report, names=True), [])
                self.assertTrue(report["process"]["core"])
                self.assertIn("Region", found["ompd threads"])

    def test_damaged_cores(self):
        """Impossible registers and stacks, or none: each view answers, and the rest is still right."""
        truth, program, path = self.core("nested_gcc")
        with open(path, "rb") as f:
            data = f.read()
        core = damaged.Core(data)
        damages = damaged.damages(core) + damaged.short_notes(core)
        commands, registers = [], "script print([t.frame[0].FindRegister('rip').value for t in lldb.process])"
        for i, (what, edits) in enumerate(damages):
            one = "%s.%d" % (path, i)
            with open(one, "wb") as f:
                f.write(damaged.edited(data, edits))
            commands += ["script print(%r)" % ("== " + what), "target create %s -c %s" % (program, one),
                         registers,
                         REGISTERS, *("ompd %s -all" % view for view in VIEWS), "ompd report -json",
                         "target delete --all"]
        text = self.lldb(commands, timeout=400)
        self.assertNotIn("itself failed", text)
        parts = dict(part.split("\n", 1) for part in text.split("\n== ")[1:])
        self.assertEqual(list(parts), [what for what, _ in damages])
        for what, part in parts.items():
            with self.subTest(what):
                found = self.answers(part)
                self.assertNotIn("error:", part)
                for view in VIEWS:
                    self.assertTrue(found["ompd %s -all" % view].strip(), view)
                theirs, ours = json.loads(found[registers].replace("None", "null").replace("'", '"')), \
                    json.loads(found[REGISTERS].replace("None", "null"))
                # A register that lldb does not have is not 0.
                self.assertEqual([one and int(one, 16) for one in theirs], ours)
                if what.startswith(("rip", "rsp", "rbp", "short", "the stack", "each", "words")):
                    # The pthread_t of a thread is in its registers.
                    wrong = [one for one in compare.compare(truth, self.report(found), names=True)
                             if not (what.startswith("short") and "pthread is None" in one)]
                    self.assertEqual(wrong, [])
        self.assertTrue(any("[None" in self.answers(part)[REGISTERS] for part in parts.values()))

    def test_views(self):
        _, found = self.live("deadlock", *["ompd %s%s" % (view, option) for view in VIEWS
                                           for option in ("", " -json")])
        for view in VIEWS:
            self.assertEqual(json.loads(found["ompd %s -json" % view])["schema"], 1)
            text = found["ompd " + view]
            self.assertTrue(text.strip(), view)
            # Paths are not cut.
            self.assertLessEqual(max(len(one) for one in text.splitlines() if "/" not in one), 80, text)
        self.assertIn("lock right, held by thread", found["ompd threads"])
        self.assertIn("parallel at deadlock.c:13", found["ompd parallel"])
        self.assertTrue(found["ompd waits"].startswith("Deadlock: "))
        # lldb's own numbers and selection are those of the list.
        self.assertIn("region created by thread 1", found["ompd stacks"])

    def test_the_selection_stays(self):
        _, found = self.live("nested", "thread select 3", "frame select 1", "ompd report", "frame info",
                             "ompd threads")
        self.assertRegex(found["frame info"], "frame #1")
        self.assertRegex(found["ompd threads"], r"\n\* +3 ")

    def test_errors(self):
        for command, sentence in (("ompd threads", "The program is not being run"),
                                  ("ompd nonsense", 'does not take "nonsense"'),
                                  ("ompd threads -x", 'does not take "-x"'), ("ompd", "Usage: ompd threads")):
            text = self.lldb([command], os.path.join(DIR, TARGETS["serial"]["exe"]))
            self.assertRegex(text, "error: .*" + re.escape(sentence))
        self.assertIn("-json", self.lldb(["help ompd"]))

    def test_without_openmp(self):
        text = self.lldb(["breakpoint set -n held", "run", "ompd threads", "process kill"], "--",
                         gdbrun.find("gdb-plugin/tests/threads"), "2")
        self.assertRegex(self.answers(text)["ompd threads"], "No|no")


if __name__ == "__main__":
    xmltest.main()
