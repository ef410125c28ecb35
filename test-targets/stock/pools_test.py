# SPDX-License-Identifier: Apache-2.0
"""Workers of OpenBLAS's pool that wait for work, beside threads that wait for each other, each for a
condition of its own (pools/pools.c, which says which thread is which)."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import debian
import gdbrun
import xmltest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pools", "pools.c")
PACKAGE = "libopenblas0-pthread"
LIBRARY = "usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0"
WORKERS, STAGES = 3, 4


class Pools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        try:
            library = debian.unpacked(PACKAGE, LIBRARY)
        except debian.Unusable as error:
            raise unittest.SkipTest(str(error)) from None
        program = os.path.join(cls.folder, "pools")
        # By its path: the name is one of the system's alternatives.
        subprocess.run(["gcc", "-g", "-fopenmp", SOURCE, library, "-o", program,
                        "-Wl,-rpath," + os.path.dirname(library)], check=True)
        env = dict(os.environ, OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS=str(WORKERS + 1))
        cls.process = subprocess.Popen([program], env=env, stdout=subprocess.PIPE,
                                       universal_newlines=True)
        cls.addClassCleanup(cls.process.stdout.close)
        cls.addClassCleanup(cls.process.wait)
        cls.addClassCleanup(cls.process.kill)
        words = [cls.process.stdout.readline().split() for _ in range(WORKERS + STAGES)]
        cls.tids = {kind: sorted(int(tid) for word, tid in words if word == kind)
                    for kind in ("worker", "stage")}
        for _ in range(100):  # the last ones have said their word a moment before they sleep
            cls.report = json.loads(cls.ask("report", "--json"))
            if all(row["asleep"] is not False and (row["wait"] or row["activity"]["asleep"])
                   for row in cls.report["threads"]):
                break

    @classmethod
    def ask(cls, *words):
        return subprocess.run([gdbrun.find("command/ompd"), *words, "-p", str(cls.process.pid),
                               "--ompd-library", gdbrun.find("ompd/libompd.so.1")],
                              stdout=subprocess.PIPE, universal_newlines=True, check=False).stdout

    def of_pools(self):
        rows = self.report["threads"]
        return {row["lwp"]: row["activity"]["pool"] for row in rows if row["activity"]["pool"]}

    def test_workers_are_known(self):
        self.assertEqual(len(self.tids["worker"]), WORKERS)
        self.assertEqual(self.of_pools(), {tid: "OpenBLAS" for tid in self.tids["worker"]})

    def test_workers_are_one_row(self):
        idle = [line for line in self.ask("threads").splitlines() if "idle" in line]
        self.assertEqual(len(idle), 1)
        self.assertRegex(idle[0], r"\(%d threads\) +idle +OpenBLAS's thread pool$" % WORKERS)
        self.assertEqual(len(re.findall("^LWPs .* idle$", self.ask("stacks"), re.MULTILINE)), 1)
        waits = self.ask("waits")
        for tid in self.tids["worker"]:
            self.assertNotIn(str(tid), waits)

    def test_a_ring_is_one_row(self):
        row, = [line for line in self.ask("threads").splitlines() if "filled" in line]
        self.assertRegex(row, r"\(%d threads\) +waiting +condition variables filled\[0\] to filled\[3\] " %
                         STAGES)
        self.assertEqual(self.ask("waits").count("filled[0] to filled[3]"), 1)
        names = {row["lwp"]: row["activity"]["name"] for row in self.report["threads"]}
        self.assertEqual([names[tid] for tid in self.tids["stage"]],
                         ["filled[%d]" % i for i in range(STAGES)])

    def test_the_ring_stays_in_the_graph(self):
        self.assertEqual(self.report["verdict"]["kind"], "unknown")
        self.assertRegex(self.report["verdict"]["sentence"],
                         "^Nothing is proved: 2 threads wait, directly or indirectly, for LWP %d, .* "
                         "and %d more threads wait;" % (self.tids["stage"][0], STAGES - 1))

    def test_reads_are_those_of_the_target(self):
        trace = os.path.join(self.folder, "trace")
        said = subprocess.run(["strace", "-f", "-qq", "-e", "trace=process_vm_readv", "-o", trace,
                               gdbrun.find("command/ompd"), "status", "--stats", "--json", "-p",
                               str(self.process.pid), "--ompd-library", gdbrun.find("ompd/libompd.so.1")],
                              stdout=subprocess.PIPE, universal_newlines=True, check=False).stdout
        with open(trace, encoding="utf-8") as file:
            calls = sum("process_vm_readv(" in line for line in file)
        reads = json.loads(said)["stats"]["reads"]
        self.assertGreater(reads, 0)
        self.assertLessEqual(reads, calls)
        self.assertGreaterEqual(reads, calls - 2)  # of what is read once the answer is ready


if __name__ == "__main__":
    xmltest.main()
