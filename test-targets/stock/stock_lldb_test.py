# SPDX-License-Identifier: Apache-2.0
"""Programs on stock runtimes in lldb, attached and on a core: no cell is wrong, and each screen answers."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import stock_score
import xmltest

LLDB = "lldb-19"
PLUGIN = os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py")
PROGRAMS = ("critical_named", "lock", "nested", "queued_tasks", "taskwait")
VIEWS = ("threads", "parallel", "tasks", "waits", "stacks")
# lldb supplies less than GDB: docs/lldb.md.
KNOWN = 0.95


class Lldb(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def ask(self, folder, *arguments):
        """The report, and the text of each view."""
        command = [LLDB, "-x", "-b", "-o", "settings set use-color false",
                   "-o", "command script import " + PLUGIN, "-o", "ompd report -json"]
        for view in VIEWS:
            command += ["-o", "ompd " + view]
        done = subprocess.run(command + list(arguments), env=dict(os.environ, HOME=folder),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=120)
        found = dict(re.findall(r"^\(lldb\) (.*)\n((?:(?!\(lldb\) ).*\n?)*)", done.stdout, re.MULTILINE))
        self.assertNotIn("Traceback", done.stdout)
        for view in VIEWS:
            self.assertTrue(found["ompd " + view].strip(), view)
            self.assertNotIn("error:", found["ompd " + view])
        return json.loads(found["ompd report -json"])

    def score(self, truth, report, indirect, totals, where):
        result = stock_score.score(truth, report, True, indirect, True)
        self.assertEqual(result.wrong, [], where)
        right, unknown, _ = result.totals(stock_score.COUNTED)
        totals[0] += right
        totals[1] += right + unknown

    def check(self, runtime):
        compiler, totals = stock_programs.RUNTIMES[runtime].compilers[0], [0, 0]
        for name in PROGRAMS:
            folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
            try:
                path = stock_programs.build(name, compiler, "o0", folder)
                run = stock_programs.Run(path, name, stock_programs.RUNTIMES[runtime],
                                         os.path.join(folder, "run"))
            except stock_programs.NoRuntime as error:
                self.skipTest(str(error))
            self.addCleanup(run.stop)
            run.start()
            indirect = (runtime, name) in stock_programs.INDIRECT
            self.score(run.truth, self.ask(folder, "-p", str(run.process.pid)), indirect, totals,
                       name + ", attached")
            core = run.core(signal.SIGABRT)
            self.score(run.truth, self.ask(folder, path, "-c", core), indirect, totals, name + ", core")
        self.assertGreaterEqual(totals[0], KNOWN * totals[1])
        print("%s: %d of %d cells known" % (runtime, *totals))

    def test_libgomp(self):
        self.check("libgomp-12")

    def test_libomp(self):
        self.check("libomp-14")


if __name__ == "__main__":
    xmltest.main()
