# SPDX-License-Identifier: Apache-2.0
"""A debugger written to the early draft's names, on targets that know the truth: live, and on cores."""

import glob
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import compare
import xmltest

LINKED, LOADED, LIBRARY, LIST = (os.path.abspath(path) for path in sys.argv[1:5])
DIR = os.path.dirname(LIST)
# gcc's calls reach the same structures: a few suffice here.
GCC = ("nested_gcc", "serialised_gcc", "barrier_gcc", "taskgroup_gcc", "lock_gcc")
# Another truth about ICVs: what the user asked for.
ASKED = {"OMP_SCHEDULE": "guided,7", "OMP_THREAD_LIMIT": "777", "OMP_NUM_THREADS": "9,8,7",
         "OMP_PROC_BIND": "close"}
GUIDED, CLOSE = 3, 3
# Today's finer states have one name in the draft.
STATES = {"wait_barrier_implicit_parallel": "wait_barrier_implicit",
          "wait_barrier_implicit_workshare": "wait_barrier_implicit"}


def _targets():
    """All that come to rest by themselves. Functions of loaded libraries would need an nm of their own."""
    with open(LIST) as f:
        targets = json.load(f)["targets"]
    return [t for t in targets if t["stop"] == "held" and not t["name"].startswith("dlopen")
            and (not t["name"].endswith("_gcc") or t["name"] in GCC)]


def _outer_functions(program, base):
    """Addresses in the process of what the compiler made of parallel constructs and tasks."""
    out = subprocess.run(["nm", program], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return {int(row[0], 16) + base for row in rows
            if len(row) == 3 and any(part in row[2] for part in ("omp_outlined", "_omp_fn", "omp_par"))}


class Draft(unittest.TestCase):
    """test_<target>: made below."""

    def start(self, target, folder):
        path = os.path.join(folder, "out")
        env = dict(os.environ, TRUTH_HOLD_SECONDS="100", TRUTH_TIMEOUT="60", **dict(target["env"], **ASKED))
        cores = (resource.RLIM_INFINITY,) * 2
        with open(path, "w") as out:
            process = subprocess.Popen(
                [os.path.join(DIR, target["exe"])] + target["args"], stdout=out, stderr=subprocess.DEVNULL,
                env=env, cwd=folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, cores))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(900):
            with open(path) as out:
                truth = compare.read_truth(out.read())
            if truth is not None:
                return process, truth
            if process.poll() is not None:
                break
            time.sleep(0.05)
        self.fail("%s came to no rest" % target["name"])
        return None

    def ask(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def run_target(self, target):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            process, truth = self.start(target, folder)
            with open("/proc/%d/maps" % process.pid) as maps:
                base = int(maps.readline().split("-")[0], 16)
            functions = _outer_functions(os.path.join(DIR, target["exe"]), base)
            live = self.ask(LINKED, str(process.pid))
            self.check(truth, live, functions)
            self.assertEqual(self.ask(LOADED, str(process.pid), LIBRARY), live)
            process.send_signal(signal.SIGABRT)
            process.wait()
            cores = glob.glob(os.path.join(folder, "core*"))
            self.assertEqual(len(cores), 1, "no core; core_pattern must be a plain file name")
            self.assertEqual(self.ask(LINKED, cores[0]), live)

    def check(self, truth, said, functions):
        threads = {row["lwp"]: row for row in said["threads"]}
        expected = {row["tid"]: row for row in truth["threads"] if row["openmp"]}
        self.assertEqual(set(threads), set(expected))
        self.assertEqual({int(lwp) for lwp, openmp in said["native"].items() if openmp}, set(expected))
        foreign = {int(lwp) for lwp, openmp in said["native"].items() if not openmp}
        self.assertEqual(foreign, set(truth["not_openmp"]))
        self.assertEqual(said["in_both"], len(expected))
        self.assertEqual(len({row["id"] for row in said["threads"]}), len(expected))
        self.assertEqual(said["num_procs"], len(os.sched_getaffinity(0)))
        self.assertEqual(said["thread_limit"], 777)
        for name, value in ASKED.items():
            self.assertIn("%s=%s" % (name, value), said["control_vars"])
        regions = {}
        for tid, row in expected.items():
            with self.subTest(thread=tid):
                self.check_thread(row, threads[tid], regions, truth, functions)

    def check_thread(self, truth, row, regions, document, functions):
        if truth["state"] is not None:
            self.assertEqual(row["state"], STATES.get(truth["state"], truth["state"]))
        self.assertEqual(row["pthread"], int(truth["pthread"], 16))
        if truth["wait"] is not None and truth["wait"]["id"] is not None:
            self.assertEqual(row["wait_id"], int(truth["wait"]["id"], 16))
        if truth["thread_num"] is None:
            self.assertNotIn("region", row)
            return
        self.assertEqual(row["thread_num"], truth["thread_num"])
        self.check_regions(truth, row, document, functions)
        if truth["region"] is not None:
            self.assertEqual(regions.setdefault(truth["region"], row["region"]["id"]), row["region"]["id"])
        self.check_task(truth, row["task"], row["region"])

    def check_regions(self, truth, row, document, functions):
        region = row["region"]
        if truth["region"] is not None:
            self.assertEqual(region["lwps"], document["regions"][truth["region"]]["members"])
        for level in range(truth["level"], -1, -1):
            number, size = truth["ancestors"][level]
            self.assertEqual([region["size"], len(region["lwps"]), len(region["implicit"])], [size] * 3)
            if level == truth["level"]:
                self.assertEqual(region["lwps"][number], truth["tid"])
            # clang calls a serialised region's function by itself: no runtime hears of it.
            if level > 0 and (size > 1 or region["function"] != 0):
                self.assertIn(region["function"], functions)
            region = region["outer"]
        self.assertIsNone(region)

    def check_task(self, truth, task, region):
        for field in ("level", "active_level"):
            self.assertEqual(task[field], truth[field])
        for field in ("in_parallel", "in_final"):
            self.assertEqual(task[field], int(truth[field]))
        self.assertEqual(task["implicit"], int(not truth["task_explicit"]))
        self.assertEqual(task["region"], region["id"])
        if task["implicit"]:
            self.assertEqual(task["id"], region["implicit"][truth["thread_num"]])
        seen = set()
        while task is not None:
            self.assertEqual(task["schedule"], [GUIDED, 7])
            self.assertEqual(task["bind"], CLOSE)
            self.assertEqual(task["max_threads"], (9, 8, 7, 7)[task["level"]])
            self.assertEqual(task["dynamic"], 0)
            self.assertNotIn(task["id"], seen)
            seen.add(task["id"])
            level, task = task["level"], task["generator"]
        self.assertEqual(level, 0)


def _make(target):
    return lambda self: self.run_target(target)


for _target in _targets():
    setattr(Draft, "test_" + _target["name"], _make(_target))

if __name__ == "__main__":
    del sys.argv[1:5]
    xmltest.main()
