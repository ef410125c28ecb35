# SPDX-License-Identifier: Apache-2.0
"""Children of fork() after OpenMP was used, against what the program itself knows (fork/held.c): who is a
member of the child's team, who only has the stack of one that stayed in the parent, and that no such
team gets on."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fork", "held.c")
TEAM, OWN = 4, 3
LOOKS = 100


class Fork(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, runtime, *arguments):
        """The parent, held until the end of the test."""
        self.program = os.path.join(self.folder, "fork_held")
        compiler = "clang" if runtime.startswith("libomp") else "gcc"
        env = dict(os.environ, OMP_WAIT_POLICY="passive", LD_LIBRARY_PATH=self.folder)
        options = []
        if runtime != "libgomp":
            known = stock_programs.EVERY[runtime]
            try:
                for name in (known.soname,) + tuple(known.aliases):
                    shutil.copy(known.file(), os.path.join(self.folder, name))
                options = stock_programs.include_options(compiler) + \
                    (stock_programs.link_options(compiler, self.folder) if compiler == "clang" else [])
            except stock_programs.NoRuntime as error:
                self.skipTest(str(error))
        subprocess.run([compiler, "-D_GNU_SOURCE", "-g", "-fopenmp", SOURCE, "-o", self.program] + options,
                       check=True)
        process = subprocess.Popen([self.program, *arguments], stdout=subprocess.PIPE, env=env,
                                   universal_newlines=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def words(self, process, counts):
        """{word: rows of numbers}, so many of each."""
        found = {word: [] for word in counts}
        while any(len(found[word]) < count for word, count in counts.items()):
            word, *numbers = process.stdout.readline().split()
            found[word].append([int(number) for number in numbers])
        return found

    def ask(self, *of):
        command = [gdbrun.find("command/ompd"), "report", "--json", "--ompd-library",
                   gdbrun.find("ompd/libompd.so.1"), *map(str, of)]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)

    def stuck(self, child):
        """The report once the child waits, for which nobody has a word."""
        for _ in range(LOOKS):
            report = self.ask("-p", child)
            if report["verdict"]["kind"] == "stuck":
                return report
        return self.fail(report["verdict"])

    def check_stuck(self, report, parent, at):
        said = "by PID %d after that had" % parent if parent else "by one that had"
        self.assertTrue(report["verdict"]["sentence"].startswith(
            "Stuck: this process was forked %s used OpenMP; " % said), report["verdict"])
        region, = [row for row in report["regions"] if row["kind"] == "parallel"]
        self.assertEqual([member["gone"] for member in region["members"]],
                         [member["thread_num"] != at for member in region["members"]])
        self.assertEqual(len(region["members"]), TEAM)
        self.assertEqual([task["thread_num"] for task in report["tasks"] if task["kind"] == "implicit"], [at])
        self.assertEqual((report["problems"], report["process"]["forked"], report["process"]["forked_from"]),
                         ([], True, parent))

    def check_strangers(self, report, words):
        rows = {row["lwp"]: row for row in report["threads"]}
        for tid, in words["thread"]:
            self.assertFalse(rows[tid]["openmp"])
            self.assertIsNone(rows[tid]["region"])
            self.assertEqual(rows[tid]["activity"]["kind"], "signal")

    def check_members(self, report, words):
        rows = {row["lwp"]: row for row in report["threads"]}
        for number, size, tid in words["member"]:
            self.assertEqual((rows[tid]["openmp"], rows[tid]["thread_num"], rows[tid]["team_size"]),
                             (True, number, size))

    def test_libgomp_after_a_region(self):
        parent = self.start("libgomp")
        words = self.words(parent, {"child": 1, "thread": OWN})
        child = words["child"][0][0]
        report = self.stuck(child)
        self.check_stuck(report, parent.pid, 0)
        self.check_strangers(report, words)
        core = os.path.join(self.folder, "core")
        subprocess.run(["gdb", "-batch", "-nx", "-p", str(child), "-ex", "gcore " + core], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = self.ask(self.program, core)
        self.check_stuck(report, None, 0)
        self.check_strangers(report, words)
        said = subprocess.run(["gdb", "-batch", "-nx", "-p", str(child), "-x", gdbrun.PLUGIN,
                               "-ex", "ompd waits"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False, universal_newlines=True).stdout
        self.assertIn("Stuck: this process was forked by PID %d after" % parent.pid, " ".join(said.split()))

    def check_inside(self, runtime):
        parent = self.start(runtime, "in")
        words = self.words(parent, {"child": 1, "member": 1})
        report = self.stuck(words["child"][0][0])
        self.check_stuck(report, parent.pid, 1)
        self.check_members(report, words)
        parents = self.ask("-p", parent.pid)
        self.assertEqual([row["team_size"] for row in parents["threads"]], [TEAM] * TEAM)
        self.assertEqual(parents["process"]["forked_from"], None)
        self.assertNotEqual(parents["verdict"]["kind"], "stuck")

    def test_libgomp_inside_a_region(self):
        self.check_inside("libgomp")

    def test_companion_inside_a_region(self):
        self.check_inside("companion")

    def check_through(self, runtime):
        """After a region the child has a team of its own."""
        parent = self.start(runtime)
        words = self.words(parent, {"child": 1, "thread": OWN, "member": TEAM})
        report = self.ask("-p", words["child"][0][0])
        self.check_members(report, words)
        self.check_strangers(report, words)
        self.assertNotEqual(report["verdict"]["kind"], "stuck")
        self.assertFalse(any(member["gone"] for row in report["regions"] for member in row["members"]))

    def test_companion_after_a_region(self):
        self.check_through("companion")

    def test_libomp_14_after_a_region(self):
        self.check_through("libomp-14")

    def test_libomp_19_after_a_region(self):
        self.check_through("libomp-19")


if __name__ == "__main__":
    xmltest.main()
