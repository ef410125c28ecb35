# SPDX-License-Identifier: Apache-2.0
"""The sample cores (corefiles/samples/make.py) against their truth. No program of theirs runs, and no file of
theirs is there: the core alone is enough. Each is read as it lies in the tree, unpacked, and as a copy with
holes."""

import hashlib
import json
import os
import subprocess
import tempfile
import unittest

import compare
import gdbrun
import huge
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
FOLDER = os.path.dirname(gdbrun.find("corefiles/samples/kernel.json"))
LAYOUT = gdbrun.find("runtime/layout.def")
NAMES = ("kernel", "gcore", "truncated")
SECONDS = 60


def run(*arguments):
    """A sysroot in which there is nothing, so that no file of this machine's is taken, be it even the
    same."""
    done = subprocess.run([SHOW, "-s", os.environ.get("TEST_TMPDIR", FOLDER)] + list(arguments),
                          timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return json.loads(done.stdout)


class Samples(unittest.TestCase):
    longMessage = True

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.truth, cls.plain = {}, {}
        for name in NAMES:
            with open(os.path.join(FOLDER, name + ".json")) as f:
                cls.truth[name] = json.load(f)
            cls.plain[name] = os.path.join(cls.folder.name, name)
            subprocess.run(["zstd", "-q", "-d", "-f", "--sparse", os.path.join(FOLDER, name + ".core.zst"),
                            "-o", cls.plain[name]], check=True, timeout=SECONDS)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, name, core):
        truth = self.truth[name]
        openmp = [t["tid"] for t in truth["omp"]["threads"] if t["openmp"]]
        document = run("-r", LIBOMPD, core)
        self.assertEqual(compare.compare(truth["omp"], document, names=False), [])
        self.assertEqual(sorted(t["lwp"] for t in document["threads"]),
                         sorted(openmp + truth["omp"]["not_openmp"]))
        process = document["process"]
        self.assertEqual((process["signal"] or 0, process["crashed_lwp"] or 0),
                         (truth["signal"], truth["crashed_lwp"]))
        raw = run(core)
        self.assertEqual(raw["truncated"], int(truth["size"] < truth["whole_size"]))
        self.assertEqual(raw["pid"], truth["pid"])
        self.assertEqual([p[0] for p in raw["problems"][:raw["truncated"]]],
                         ["The core file is not complete."] * raw["truncated"])
        # Threads by other means than OpenMP: the handle is in the registers.
        self.assertEqual({t["lwp"]: t["pthread"] for t in raw["threads"] if t["lwp"] in openmp},
                         {t["tid"]: int(t["pthread"], 16) for t in truth["omp"]["threads"] if t["openmp"]})

    def test_they_are_the_ones(self):
        for name in NAMES:
            with open(self.plain[name], "rb") as f:
                self.assertEqual(hashlib.sha256(f.read()).hexdigest(), self.truth[name]["sha256"])

    def test_compressed(self):
        for name in NAMES:
            self.check(name, os.path.join(FOLDER, name + ".core.zst"))

    def test_with_holes(self):
        for name in NAMES:
            copy = self.plain[name] + ".copy"
            subprocess.run(["cp", "--sparse=always", self.plain[name], copy], check=True, timeout=SECONDS)
            before = os.stat(copy)
            self.assertLess(before.st_blocks * 512, before.st_size, "it has no holes")
            self.check(name, copy)
            self.assertEqual(os.stat(copy).st_blocks, before.st_blocks)

    def test_what_is_cut_off(self):
        """The first thread's stack is behind the cut: missing, not zeros, and no stack is made up for it."""
        first = self.truth["truncated"]["pid"]
        tids = [t["tid"] for t in self.truth["truncated"]["omp"]["threads"] if t["tid"] != first]
        rows = {row["lwp"]: row for row in run("-k", self.plain["truncated"])["threads"]}
        stack = hex(rows[first]["r7"])
        self.assertIsNone(run("-a", stack, self.plain["truncated"])["bytes"][stack])
        self.assertNotEqual(rows[first]["stack_rc"], 0)
        self.assertIsNotNone(rows[first]["why"])
        other = hex(rows[tids[0]]["r7"])
        self.assertIsNotNone(run("-a", other, self.plain["truncated"])["bytes"][other])

    def test_part_of_the_tasks(self):
        """A core that ends within the descriptors: those before the end are shown, and that others are
        not."""
        threads, tasks = 4, 300
        huge.TASKS_PER_SLAB = 10
        with open(self.plain["kernel"], "rb") as f, open(LAYOUT) as definitions:
            core = os.path.join(self.folder.name, "part")
            size = huge.write(core, f.read(), definitions.read(), threads, tasks)
        whole = run("-r", LIBOMPD, core)
        self.assertEqual(len(whole["tasks"]), 1 + threads + tasks)
        os.truncate(core, size - 64)  # of the last slab's last descriptor
        document = run("-r", LIBOMPD, core)
        self.assertIn("not all tasks are known", [problem["what"] for problem in document["problems"]])
        self.assertFalse(document["complete"])
        left = {task["id"] for task in document["tasks"]}
        self.assertGreater(len(left), tasks - 4 * huge.TASKS_PER_SLAB)
        self.assertLess(left, {task["id"] for task in whole["tasks"]})


if __name__ == "__main__":
    xmltest.main()
