# SPDX-License-Identifier: Apache-2.0
"""The verdict on each program of this folder, word for word as the program says: of the living process and of
the core that the kernel writes of it, for SOME also of a gcore core and in GDB. PROGRAMS (comma-separated)
and SHARE (xmltest.py) choose a part. POLICY is how the program's threads wait: passive, or active.
"""

import collections
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import expect
import gdbrun
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
MANIFEST = gdbrun.find("test-targets/verdicts/programs.json")
DIR = os.path.dirname(MANIFEST)
with open(MANIFEST) as _f:
    PROGRAMS = json.load(_f)["programs"]
SOME = ("crossed_locks_clang", "depend_on_waiter_gcc", "missed_barrier_early_clang", "ready_untaken_gcc")
ALIKE = ("crossed_locks_clang", "lock_handoff_gcc", "missed_barrier_clang", "missed_barrier_early_gcc",
         "owner_ended_gcc", "self_lock_alone_clang")
POLICY = os.environ.get("POLICY", "passive")
LOOKS = 40  # at a program that never rests
SECONDS = 60


def report(source):
    done = subprocess.run([SHOW, "-k", "-r", LIBOMPD, str(source)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=SECONDS, universal_newlines=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return json.loads(done.stdout)


def ompd(*arguments):
    return subprocess.run([OMPD] + list(arguments)
                          + ([] if "--snapshot" in arguments else ["--ompd-library", LIBOMPD]),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                          universal_newlines=True)


def sleeps(task):
    with open(task + "/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "S"


class Verdicts(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def start(self, program, folder):
        """The process at rest, and its truth. Its core will lie in FOLDER."""
        env = dict(os.environ, **{**program["env"], "OMP_WAIT_POLICY": POLICY},
                   TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT=str(SECONDS))
        process = subprocess.Popen([os.path.join(DIR, program["exe"])] + program["args"], cwd=folder, env=env,
                                   stdout=subprocess.PIPE, universal_newlines=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE,
                                                                         (resource.RLIM_INFINITY,) * 2))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        text, truth = "", None
        while truth is None:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "%s came to no rest" % program["name"])
            text += line
            truth = expect.read(text)
        self.assertEqual(truth.verdict["kind"], program["verdict"])
        observer = "/proc/%d/task/%d" % (process.pid, truth.observer)
        alone = program["name"].startswith("self_lock_alone")
        while os.path.exists(observer) and (alone or not sleeps(observer)):
            time.sleep(.01)
        return process, truth

    def right(self, truth, document, where):
        self.assertEqual(truth.differences(document), [], where)

    def check(self, program):
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder)
        process, truth = self.start(program, folder)
        for _ in range(LOOKS if program["moves"] else 1):
            self.right(truth, report(process.pid), "live")
        if program["name"] in SOME:
            subprocess.run(["gcore", "-o", os.path.join(folder, "gcore"), str(process.pid)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=SECONDS)
            gcore = os.path.join(folder, "gcore.%d" % process.pid)
            self.right(truth, report(gcore), "gcore's core")
            self.in_gdb(program, truth, gcore)
        process.send_signal(signal.SIGABRT)
        process.wait(SECONDS)
        cores = [name for name in os.listdir(folder) if name.startswith("core")]
        self.assertEqual(len(cores), 1, "no core; core_pattern must be a plain file name")
        core = os.path.join(folder, cores[0])
        self.right(truth, report(core), "the kernel's core")
        if program["name"] in ALIKE:
            self.alike(truth, core)

    def alike(self, truth, core):
        """Every command that has a verdict has the same one, and the same status."""
        found = set()
        ompd("record", "--core", core, "-o", core + ".json")
        for view in ("report", "waits"):
            for source in ("--core", core), ("--snapshot", core + ".json"):
                done = ompd(view, "--check", "--json", *source)
                verdict = json.loads(done.stdout)["verdict"]
                found.add((verdict["kind"], verdict["sentence"], done.returncode))
        self.assertEqual(len(found), 1, found)
        kind, _, status = found.pop()
        self.assertEqual(kind, truth.verdict["kind"])
        self.assertEqual(status == 3, kind in ("deadlock", "stuck"))

    def in_gdb(self, program, truth, core):
        answer = gdbrun.gdb('say(document("ompd report -json"))', (os.path.join(DIR, program["exe"]), core))
        self.assertEqual(answer.problems(), [], str(answer))
        document = answer.said[0]
        if truth.verdict["kind"] == "none":  # GDB's tables have no stacks
            self.assertEqual(document["verdict"]["kind"], "none")
        else:
            self.right(truth, document, "GDB")

    def test_there_are_enough(self):
        """At least 15 programs that hang for ever, and 15 that only look so."""
        kinds = collections.Counter(program["verdict"] for program in PROGRAMS if
                                    program["name"].endswith(("_clang", "_flang")))
        self.assertGreaterEqual(kinds["deadlock"] + kinds["stuck"], 15)
        self.assertGreaterEqual(kinds["none"], 15)


def _add(program):
    setattr(Verdicts, "test_" + program["name"], lambda self: self.check(program))


for _program in xmltest.share(PROGRAMS):
    if not os.environ.get("PROGRAMS") or _program["name"] in os.environ["PROGRAMS"].split(","):
        _add(_program)

if __name__ == "__main__":
    xmltest.main()
