# SPDX-License-Identifier: Apache-2.0
"""libompcompanion-abttool.so: the Argobots tool interface with OpenMP tasks as work units.

    unit_test.py RUNTIME ABTTOOL CHECKER FAKE NO-RUNTIME CLIENT... STRESS-SOURCE...

unit_checker.c judges the events of every program of test-targets/ and of conformance programs, by both
compilers. client.c knows what its own events are. Argobots is not in Debian: fake_argobots.c has its names.
"""
import collections
import concurrent.futures
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import run
import xmltest

RUNTIME, ABTTOOL, CHECKER, FAKE, NO_RUNTIME = (os.path.abspath(path) for path in sys.argv[1:6])
CLIENTS = [os.path.abspath(path) for path in sys.argv[6:] if path.endswith(".exe")]
STRESS = [os.path.abspath(path) for path in sys.argv[6:] if path.endswith(".c")]
HEADERS = os.path.abspath("include")
del sys.argv[1:]
HERE = tempfile.mkdtemp()
TARGETS = os.path.join(os.getcwd(), "test-targets")

NAMES = """ABT_get_wtime ABT_info_query_config ABT_initialized ABT_key_create ABT_key_free
    ABT_thread_get_specific ABT_thread_is_unnamed ABT_thread_self ABT_thread_set_specific
    ABT_tool_query_thread ABT_tool_register_thread_callback ABT_xstream_get_rank ABT_xstream_self""".split()
EVENTS = "create join free revive run finish cancel yield suspend resume".split()
SYNC = "unknown user other xstream thread mutex cond rwlock eventual future barrier".split()
FEATURE_NA, UNINITIALIZED = 51, 1
SENTENCE = "load one of the two"
# struct counts of unit_checker.c
COUNTS = (EVENTS + ["bit10", "bit11", "violations", "unnamed", "units"] + ["sync_" + name for name in SYNC] +
          ["registered"])


def start(command, preload="", **env):
    return subprocess.run(command, env=dict(os.environ, LD_PRELOAD=preload, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=120, cwd=HERE)


class Library(unittest.TestCase):
    def answers(self, *command, **env):
        done = start([NO_RUNTIME] + list(command), **env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: int(code)
                for name, code in (line.split() for line in done.stdout.splitlines())}, done.stderr

    def check_unserved(self, answers):
        for name, code in answers.items():
            self.assertEqual(code, FEATURE_NA if name.startswith("ABT_tool_") else UNINITIALIZED, name)

    def test_exports(self):
        done = subprocess.run(["readelf", "-W", "--dyn-syms", ABTTOOL], check=True, stdout=subprocess.PIPE,
                              text=True)
        found = re.findall(r"(?:FUNC|OBJECT)\s+(?:GLOBAL|WEAK)\s+DEFAULT\s+\d+ ([^@\s]+)", done.stdout)
        self.assertEqual(sorted(found), NAMES)

    def test_without_companion(self):
        answers, err = self.answers(preload=ABTTOOL)
        self.assertEqual(len(answers), 8)
        self.check_unserved(answers)
        self.assertEqual(err, "")

    def test_refuses_to_stand_before_argobots(self):
        done = start([NO_RUNTIME], preload=ABTTOOL + ":" + FAKE)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(SENTENCE, done.stderr)

    def test_leaves_argobots_alone_that_stands_before(self):
        answers, err = self.answers(preload=FAKE + ":" + ABTTOOL)
        self.assertIn(SENTENCE, err)
        self.assertEqual((answers["ABT_initialized"], answers["ABT_tool_query_thread"]), (1000, 1001))
        self.assertEqual(answers["ABT_tool_register_thread_callback"], FEATURE_NA)

    def test_serves_nobody_when_loaded_beside_argobots(self):
        answers, err = self.answers(ABTTOOL, preload=FAKE)
        self.assertIn(SENTENCE, err)
        self.check_unserved(answers)


class Client(unittest.TestCase):
    """What client.c knows of its own events."""

    def check(self, case):
        self.assertEqual(len(CLIENTS), 2)
        for client in CLIENTS:
            with self.subTest(os.path.basename(client)):
                done = start([client, case])
                self.assertEqual((done.returncode, done.stdout), (0, "ok\n"), done.stderr)

    def test_codes(self):
        self.check("codes")

    def test_masks(self):
        self.check("masks")

    def test_keys(self):
        self.check("keys")

    def test_registration_is_atomic(self):
        self.check("atomic")

    def test_truth(self):
        self.check("truth")


class Life(unittest.TestCase):
    """No violation of the life of a unit."""

    PROGRAMS = """nested locks ordered task_depend task_detach task_untied taskyield cancel_taskgroup
        copyprivate teams target""".split()

    def checked(self, command, registered=1, code=0, **env):
        out = tempfile.mkstemp(dir=HERE)[1]
        done = start(command, preload=CHECKER, UNIT_CHECK_OUT=out, **env)
        self.assertEqual(done.returncode, code, done.stderr)
        with open(out, "rb") as f:
            counts = dict(zip(COUNTS, struct.unpack("27Q", f.read())))
        self.assertEqual((counts["violations"], counts["registered"]), (0, registered), done.stderr)
        return counts

    def conformance(self, compiler):
        manifest = run.load_manifest()
        total = collections.Counter()
        for name in self.PROGRAMS:
            program = next(p for p in manifest["programs"] if p["source"] == name + ".c")
            exe = os.path.join(HERE, "%s_%s" % (name, compiler))
            text, built = run.build(manifest, program, compiler, exe, link_dirs=[os.path.join(HERE, "lib")])
            self.assertTrue(built, text)
            with self.subTest(name):
                counts = self.checked([exe], LD_LIBRARY_PATH=os.path.join(HERE, "lib"), OMP_NUM_THREADS="8",
                                      **program.get("env", {}))
                # All that was made is gone; the program's own threads were there before.
                self.assertEqual(counts["create"], counts["free"])
                self.assertEqual(counts["create"], counts["finish"] + counts["cancel"])
                self.assertEqual(counts["join"], counts["create"] - counts["unnamed"])
                self.assertEqual(counts["suspend"], counts["resume"])
                total.update(counts)
        for name in EVENTS:
            self.assertEqual(total[name] > 0, name != "revive", name)
        for name in SYNC:
            # gcc's untied tasks stay on their thread
            if not (name == "other" and compiler.startswith("gcc")):
                expected = name in "user other thread mutex cond eventual barrier".split()
                self.assertEqual(total["sync_" + name] > 0, expected, name)

    def test_conformance_clang(self):
        self.conformance("clang14")

    def test_conformance_gcc(self):
        self.conformance("gcc12")

    def test_random_scenarios(self):
        """The random scenarios of runtime/tests/stress: nested regions, threads of the program,
        cancellation."""
        for compiler in ("clang", "gcc"):
            exe = os.path.join(HERE, "stress_" + compiler)
            command = [compiler, "-std=gnu11", "-O1", "-fopenmp", "-I", HEADERS] + STRESS
            command += ["-o", exe, "-L" + os.path.join(HERE, "lib"), "-pthread", "-lm"]
            subprocess.run(command, check=True)
            seed = str(random.SystemRandom().randrange(1 << 48))
            with self.subTest(compiler, seed=seed):
                # A child of fork() has its parent's counts in the same file.
                counts = self.checked([exe, "-x", "forks", "-x", "forks_inside", "4", seed],
                                      LD_LIBRARY_PATH=os.path.join(HERE, "lib"), OMP_CANCELLATION="true",
                                      OMP_MAX_ACTIVE_LEVELS="3")
                self.assertEqual(counts["create"], counts["free"])
                self.assertEqual(counts["suspend"], counts["resume"])

    def test_all_targets(self):
        with open(os.path.join(TARGETS, "targets.json")) as f:
            targets = json.load(f)["targets"]
        self.assertGreater(len(targets), 80)

        def one(target):
            # The library that dlopen.c loads for itself is not in the global scope: there is nobody to listen
            # to.
            code = 0 if target["stop"] == "held" else -signal.Signals[target["stop"]]
            return self.checked([os.path.join(TARGETS, target["exe"])] + target["args"],
                                0 if target["exe"].startswith("dlopen") else 1, code,
                                TRUTH_HOLD_SECONDS="0", **target["env"])

        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # they sleep more than they work
            futures = [pool.submit(one, target) for target in targets]
        for target, future in zip(targets, futures):
            with self.subTest(target["name"]):
                counts = future.result()
                if counts["registered"]:
                    self.assertGreaterEqual(counts["create"], sum(size for _, size in target["regions"]))
                    self.assertGreaterEqual(counts["unnamed"], target["explicit_tasks"] or 0)


if __name__ == "__main__":
    os.mkdir(os.path.join(HERE, "lib"))
    for soname in ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so.1", "libgomp.so"):
        os.symlink(os.path.realpath(RUNTIME), os.path.join(HERE, "lib", soname))
    xmltest.main()
