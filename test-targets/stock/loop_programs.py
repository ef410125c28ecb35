# SPDX-License-Identifier: Apache-2.0
"""loops/gomp_loops.c on a stock runtime: members of a team that have stopped in a loop, each of which has
written its number; and what `ompd loops` says then, of the process and of its core.

    class Loops(loop_programs.Held): waiting, runtime = (…), …
    words, rows = self.look("dynamic")       # {member: the number that it has written}, {member: its row}

RUNTIMES (comma-separated) chooses some of stock_programs.EVERY.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import compare
import gdbrun
import stock_programs

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops", "gomp_loops.c")
# Members that stop in the construct.
MEMBERS = {"sections": 2, "inner_sections": 2, "ordered": 1, "ordered_static": 1, "doacross": 1, "single": 1,
           "exhausted": 3, "few": 3, "outer": 2, "nowait": 1}


def cases(base, runtimes):
    """{name: a test case of BASE} for each of the runtimes, or for those of RUNTIMES."""
    names = [name for name in os.environ.get("RUNTIMES", "").split(",") if name] or runtimes
    made = ("Loops_" + name.replace("-", "_") for name in names)
    return {case: type(case, (base, unittest.TestCase), {"runtime": name}) for case, name in zip(made, names)}


class Held:
    """The tests of one runtime."""

    longMessage = True
    runtime = None
    # Constructs in which members do not sleep while they wait for others.
    waiting = ()

    @classmethod
    def setUpClass(cls):
        runtime = stock_programs.EVERY[cls.runtime]
        compiler = "gcc" if "gcc" in runtime.compilers else "clang"
        cls.gcc = compiler == "gcc"
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        try:
            shutil.copy(runtime.file(), os.path.join(cls.folder, runtime.soname))
            link = stock_programs.link_options(compiler, cls.folder)
        except stock_programs.NoRuntime as error:
            raise unittest.SkipTest(str(error)) from None
        cls.program = os.path.join(cls.folder, "loops")
        subprocess.run([compiler, "-g", "-O2", "-fopenmp", SOURCE, "-o", cls.program] +
                       stock_programs.include_options(compiler) + link, check=True)

    def ompd(self, *arguments):
        done = subprocess.run([gdbrun.find("command/ompd"), *map(str, arguments), "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def until_all_wait(self, pid):
        """The members spin: until three of them wait for iterations, as often as a machine may need."""
        for _ in range(500):
            threads = json.loads(self.ompd("threads", "-p", pid, "--json"))["threads"]
            if sum(row["state"] == "wait_ordered" for row in threads) == 3:
                return
        self.fail("the members do not come to wait for each other")

    def core(self, process):
        """A core that the kernel writes, or None where it writes none here."""
        process.send_signal(signal.SIGABRT)
        process.wait()
        found = [os.path.join(self.folder, name) for name in os.listdir(self.folder)
                 if name.startswith("core")]
        return found[0] if found else None

    def look(self, what):
        """({member: number}, rows by member): rows as of the process and as of its core."""
        env = dict(os.environ, LD_LIBRARY_PATH=self.folder, OMP_WAIT_POLICY="passive")
        with subprocess.Popen(["sh", "-c", "ulimit -c unlimited; exec \"$@\"", "sh", self.program, what],
                              env=env, cwd=self.folder, stdout=subprocess.PIPE,
                              universal_newlines=True) as process:
            try:
                words = [process.stdout.readline().split() for _ in range(MEMBERS.get(what, 4))]
                (self.until_all_wait if what in self.waiting else compare.until_all_sleep)(process.pid)
                live = json.loads(self.ompd("loops", "-p", process.pid, "--json"))
                core = self.core(process)
            finally:
                process.kill()
        if core:
            kept = json.loads(self.ompd("loops", "--core", core, "--json"))
            self.assertEqual(live["loops"], kept["loops"])
            os.unlink(core)
        self.assertEqual(live["problems"], [])
        rows = [row for row in live["loops"] if row["lwp"]]
        self.assertEqual(len({row["id"] for row in rows}), min(len(rows), 1))
        return {int(member): int(number) for member, number in words}, \
            {row["thread_num"]: row for row in rows}
