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
import gdbrun
import xmltest

PLUGIN = os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py")
LLDB = "lldb-19"
DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = {one["name"]: one for one in json.load(_f)["targets"]}
VIEWS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report", "status")


class Lldb(unittest.TestCase):
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def lldb(self, commands, *arguments, env=None):
        """What lldb prints for each of the commands, in order, and the rest."""
        command = [LLDB, "-x", "-b", "-o", "settings set use-color false", "-o", "settings set stop-line-count-before 0",
                   "-o", "command script import " + PLUGIN]
        for one in commands:
            command += ["-o", one]
        done = subprocess.run(command + list(arguments), env=dict(os.environ, HOME=self.folder(), **(env or {})),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=120)
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
        for name in ("deadlock", "deadlock_gcc", "nested_gcc", "task_lock", "depend", "barrier", "idle", "f_nested", "foreign"):
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
        done = subprocess.run([program] + target["args"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, **self.env(target, TRUTH_CORE="1")), universal_newlines=True, timeout=90)
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

    def test_views(self):
        _, found = self.live("deadlock", *["ompd %s%s" % (view, option) for view in VIEWS for option in ("", " -json")])
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
        _, found = self.live("nested", "thread select 3", "frame select 1", "ompd report", "frame info", "ompd threads")
        self.assertRegex(found["frame info"], "frame #1")
        self.assertRegex(found["ompd threads"], r"\n\* +3 ")

    def test_errors(self):
        for command, sentence in (("ompd threads", "The program is not being run"), ("ompd nonsense", "does not take"),
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
