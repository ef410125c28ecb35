# SPDX-License-Identifier: Apache-2.0
"""Every target of targets.json comes to rest in the state it was written for.

The numbers in targets.json come from the programs' text, so this also tests
the runtime: its omp_get_* routines, and that its waiting threads sleep.
TARGETS_DIR names the folder of the executables when not run by Bazel.
"""

import collections
import json
import os
import signal
import subprocess
import tempfile
import unittest

import compare
import xmltest

HERE = os.path.dirname(os.path.abspath(__file__))
DIR = os.environ.get("TARGETS_DIR", HERE)
SECONDS = 60


def run(target, hold="0"):
    """Runs a target to its end; returns its truth, its exit code and its stderr."""
    env = dict(os.environ, TRUTH_HOLD_SECONDS=hold, TRUTH_TIMEOUT=str(SECONDS - 10), **target["env"])
    command = [os.path.join(DIR, target["exe"])] + target["args"]
    with tempfile.TemporaryDirectory() as folder:  # a crash leaves its core here
        done = subprocess.run(command, env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS, universal_newlines=True)
    return compare.read_truth(done.stdout), done.returncode, done.stderr


class Targets(unittest.TestCase):
    longMessage = True

    def check(self, target):
        truth, code, err = run(target)
        self.assertIsNotNone(truth, "exit code %d, no TRUTH line; %s" % (code, err))
        expected_code = 0 if target["stop"] == "held" else -signal.Signals[target["stop"]]
        self.assertEqual(code, expected_code, err)
        self.assertEqual(truth["target"], target.get("target", target["name"]))
        self.assertEqual(truth["signal"], None if target["stop"] == "held" else target["stop"])
        threads = truth["threads"]
        self.assertEqual(len({t["tid"] for t in threads}), target["threads"])
        self.assertEqual(len({t["pthread"] for t in threads}), target["threads"])
        self.assertFalse({t["tid"] for t in threads} & set(truth["not_openmp"]))
        self.assertEqual(dict(collections.Counter(str(t["state"] or "null") for t in threads)),
                         target["states"])
        regions = sorted([r["level"], r["team_size"]] for r in truth["regions"])
        self.assertEqual(regions, target["regions"])
        for region in truth["regions"]:
            self.assertNotIn(None, region["members"])
        self.assertEqual(truth["tasks"]["explicit_total"], target["explicit_tasks"])
        for thread in threads:
            self.check_thread(thread)

    def check_thread(self, thread):
        if thread["state"] == "idle":
            return
        self.assertEqual(thread["ancestors"][-1], [thread["thread_num"], thread["team_size"]])
        self.assertEqual(len(thread["ancestors"]), thread["level"] + 1)
        self.assertEqual(thread["ancestors"][0], [0, 1])
        active = sum(1 for _, size in thread["ancestors"] if size > 1)
        self.assertEqual(thread["active_level"], active)
        self.assertEqual(thread["in_parallel"], active > 0)
        wait = thread["wait"]
        if wait and wait["kind"] == "barrier":
            self.assertIn(thread["thread_num"], wait["arrived"])
            self.assertNotEqual(wait["missing"], [])
            self.assertEqual(sorted(wait["arrived"] + wait["missing"]), list(range(thread["team_size"])))

    def test_many_threads_by_argument(self):
        target = next(t for t in TARGETS if t["name"] == "many_threads")
        truth, code, err = run(dict(target, args=["7"]))
        self.assertEqual(code, 0, err)
        self.assertEqual(len(truth["threads"]), 7)


with open(os.path.join(HERE, "targets.json")) as f:
    TARGETS = json.load(f)["targets"]
for entry in TARGETS:
    setattr(Targets, "test_" + entry["name"], lambda self, target=entry: self.check(target))

if __name__ == "__main__":
    xmltest.main()
