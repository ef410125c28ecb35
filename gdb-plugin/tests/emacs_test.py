# SPDX-License-Identifier: Apache-2.0
"""Emacs with dape (Debian 13 has both) attaches to a process by GDB's DAP: its list of threads, the selected
frame and the console, as dape keeps them."""

import glob
import json
import os
import shutil
import subprocess
import unittest

import compare
import dap
import gdbrun
import xmltest

DAPE = glob.glob("/usr/share/emacs/site-lisp/elpa/dape-*")
MISSING = dap.missing() or (None if DAPE and shutil.which("emacs") else "there is no Emacs with dape")
SCRIPT = os.path.join(gdbrun.ROOT, "gdb-plugin/tests/dape.el")
REPORT, WAITS = "ompd report -json", "ompd waits"


def console(text, command):
    """What COMMAND has printed there; dape.el writes a line after each."""
    before, found, _ = text.partition("\nend of %s\n" % command)
    if not found:
        raise AssertionError("no answer to %r: %s" % (command, text[-2000:]))
    return before.rpartition("\nend of ")[2]


@unittest.skipIf(MISSING, MISSING)
class Emacs(unittest.TestCase):
    maxDiff = None

    def held(self, name):
        """(process, truth) of a target in its state."""
        env = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "600", "TRUTH_TIMEOUT": "60"}
        process = subprocess.Popen([gdbrun.find("test-targets/%s.exe" % name)], env=dict(os.environ, **env),
                                   stdout=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        text, truth = "", None
        while truth is None:
            line = process.stdout.readline()
            self.assertTrue(line, "%s has ended" % name)
            text += line
            truth = compare.read_truth(text)
        compare.until_observer_sleeps(truth, process.pid)
        return process, truth

    def test_a_process_that_hangs(self):
        process, truth = self.held("deadlock_gcc")
        done = subprocess.run(["emacs", "--batch", "-Q", "-L", DAPE[0], "-l", SCRIPT, str(process.pid),
                               gdbrun.PLUGIN, REPORT, WAITS], stdin=subprocess.DEVNULL,
                              env=dict(os.environ, HOME=os.environ.get("TEST_TMPDIR", "/tmp")),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        shown = json.loads(done.stdout)
        text = console(shown["console"], REPORT)
        report = json.loads(text[text.index("\n{") + 1:])
        self.assertEqual(compare.compare(truth, report, names=True), [])
        names = {one["id"]: one["name"] for one in shown["threads"]}
        known = {one["tid"]: one for one in truth["threads"]}
        self.assertEqual(set(names), {row["gdb_num"] for row in report["threads"]})
        seen = 0
        for row in report["threads"]:
            own = known.get(row["target_tid"])
            if own is None:
                self.assertNotIn("omp ", names[row["gdb_num"]])
                continue
            seen += 1
            self.assertRegex(names[row["gdb_num"]],
                             r"^omp %d/%d \w" % (own["thread_num"], own["team_size"]))
        self.assertEqual(seen, len(known))
        self.assertRegex(shown["frame"], r"^omp_set_lock \[waits for lock (left|right), held by thread \d\]$")
        self.assertRegex(console(shown["console"], WAITS), r"(?m)^Deadlock: ")


if __name__ == "__main__":
    xmltest.main()
