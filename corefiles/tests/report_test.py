# SPDX-License-Identifier: Apache-2.0
"""Every target by the command `ompd`: live, live without a stop, from gcore's core and the kernel's of the
same process, with the program stripped and with the runtime's file gone. What it says must be the target's
own truth, the same from each source, and the same as GDB's answer; for SOME targets GDB reads the kernel's
core as well. TARGETS (comma-separated) chooses a part, SHARE too (xmltest.py).
"""

import copy
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import compare
import gdbrun
import ompd_schema
import xmltest

OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
DIR = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = json.load(_f)["targets"]
RUNTIME = "libompcompanion.so.1"
SOME = ("deadlock", "cxx_locks", "f_lock", "depend", "crash_segv", "taskgroup_gcc")
SECONDS = 60
# programs start, dump and are read side by side: each waits for the others' disk and locks anyway
WORKERS = 3
# What two reports of one process in one state may differ in: which file it was read from, and what is wrong
# with it; a thread is current where it has crashed, as all do for the kernel's core.
# A core has no processor time.
SOURCE = ("complete", "problems", "process", "current", "cpu_ns")
# And GDB: its own numbers, the sentences with them, the stacks, which its plugin does not record.
GDB_OWN = SOURCE + ("gdb_num", "sentence", "stacks", "asleep")


def report(*arguments, status=(0,)):
    """The document of `ompd report --json`; a core by its path, a process by its number."""
    source = [str(a) for a in arguments]
    source.insert(-1, "--core" if "/" in source[-1] else "--pid")
    done = subprocess.run([OMPD, "report", "--json", "--ompd-library", LIBOMPD] + source,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                          universal_newlines=True)
    if done.returncode not in status or done.stderr:
        raise AssertionError("status %d\n%s%s" % (done.returncode, done.stdout[:2000], done.stderr))
    document = json.loads(done.stdout)
    ompd_schema.check(document)
    return document


def names_as_gdb(text):
    """GDB's own ways: "main._omp_fn.0" of C++ is cut, Fortran's program and a static variable get an
    ornament, flang's variables are named as for the linker."""
    text = re.sub(r"^\./", "", text)
    text = re.sub(r"^\w+::MAIN__", "MAIN__", text)
    text = re.sub(r"\._omp_fn\.\d+$", "._omp_fn", text)
    text = re.sub(r"^(lock |nest lock )?_Q[A-Z]\w*E(?=\w)", r"\1", text)
    return re.sub(r"^(lock |nest lock )?(\w+)\.\d+(?= at |$)", r"\1\2", text)


def differences(a, b, own, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        keys = sorted((set(a) | set(b)) - set(own))
        return [d for key in keys for d in differences(a.get(key), b.get(key), own, path + "." + key)]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, own, "%s[%d]" % (path, i))]
    if isinstance(a, str) and isinstance(b, str):
        a, b = names_as_gdb(a), names_as_gdb(b)
    return [] if a == b else ["%s: %r, %r" % (path, a, b)]


def without_restart(row):
    """A core of the kernel has a thread that a signal took out of a system call before that call, not behind
    it."""
    return dict(row, frames=[dict(row["frames"][0], pc=None, line=None)] + row["frames"][1:])


def by_lwp(document):
    """In an order of its own: hosts list threads in theirs, and edges follow that."""
    edges = [dict(edge, id=None, because=names_as_gdb(edge["because"])) for edge in document["edges"]]
    return dict(document, threads=sorted(document["threads"], key=lambda row: row["lwp"]),
                stacks=sorted(map(without_restart, document["stacks"]), key=lambda row: row["lwp"]),
                edges=sorted(edges, key=str),
                verdict=dict(document["verdict"], edges=len(document["verdict"]["edges"])))


def catches(pid, number):
    """Whether the process has a handler for the signal."""
    with open("/proc/%d/status" % pid) as f:
        caught = next(line for line in f if line.startswith("SigCgt:")).split()[1]
    return bool(int(caught, 16) >> (number - 1) & 1)


def at_rest(document, lwp):
    """Without what a thread does whose wait a signal's handler has ended (None: there is none), and without
    the words of the verdict: of a process that a signal has ended they are in the past (verdicts_test.py)."""
    document = copy.deepcopy(document)
    document["verdict"]["sentence"] = None
    for row in document["threads"]:
        if row["lwp"] == lwp:
            row["activity"] = None
    return document


class Targets(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
        pool = ThreadPoolExecutor(WORKERS)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        cls.done = {target["name"]: pool.submit(cls.work, target) for target in chosen()}

    @classmethod
    def work(cls, target):
        case = cls("test_" + target["name"])
        try:
            case.check(target)
        finally:
            case.doCleanups()

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def copy(self, target):
        folder = self.folder()
        for name in [target["exe"], RUNTIME] + target["data"]:
            shutil.copy(os.path.realpath(os.path.join(DIR, name)), os.path.join(folder, name))
            os.chmod(os.path.join(folder, name), 0o755)
        return folder, os.path.join(folder, target["exe"])

    def same(self, mine, other, own=SOURCE):
        # The target's observer sleeps in naps of a second: two moments may show it asleep and between two.
        kinds = [{row["lwp"]: row["activity"]["kind"] for row in document["threads"]
                  if not row["openmp"] and row["activity"] and row["activity"]["at"]["function"] == "held"}
                 for document in (mine, other)]
        for lwp in kinds[0]:
            if {kinds[0][lwp], kinds[1].get(lwp)} == {"sleep", "computes"}:
                mine, other = at_rest(mine, lwp), at_rest(other, lwp)
        self.assertEqual(differences(by_lwp(mine), by_lwp(other), own)[:20], [])

    def true(self, truth, document, names):
        self.assertEqual(compare.compare(truth, document, names=names), [])

    def start(self, target, folder, exe, before=()):
        """The process and its truth; one that crashes has done so. BEFORE: what starts it, in another pid
        namespace."""
        env = dict(os.environ, **target["env"], TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT=str(SECONDS))
        process = subprocess.Popen(list(before) + [exe] + target["args"], cwd=folder, env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        text = ""
        while True:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "%s came to no rest" % target["name"])
            text += line
            truth = compare.read_truth(text)
            if truth is not None:
                break
        if truth["signal"] is None and not before:
            until = time.monotonic() + SECONDS
            while "sleeping" not in self.state(process.pid, truth) and time.monotonic() < until:
                time.sleep(0.01)
        return process, truth

    def test_from_outside_of_a_container(self):
        """The process has other numbers for itself and its threads than we have."""
        target = next(t for t in TARGETS if t["name"] == "deadlock")
        folder, exe = self.copy(target)
        process, truth = self.start(target, folder, exe, ("unshare", "--pid", "--fork", "--kill-child",
                                                               "--mount-proc"))
        with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as f:
            pid = int(f.read())
        inner = {}
        for tid in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/status" % (pid, tid)) as f:
                inner[int(tid)] = int(re.search(r"^NSpid:.*\t(\d+)$", f.read(), re.M)[1])
        self.assertFalse(set(inner) & set(inner.values()))
        for options in ((), ("--no-stop",)):
            document = report(*options, pid)
            self.assertEqual({row["lwp"] for row in document["threads"]}, set(inner))
            for row in document["threads"]:
                if row["openmp"]:
                    self.assertEqual(row["target_tid"], inner[row["lwp"]])
            self.true(truth, self.renumbered(document, inner), True)

    def renumbered(self, value, numbers):
        if isinstance(value, dict):
            return {key: numbers.get(item, item) if key in ("lwp", "owner_lwp")
                    else self.renumbered(item, numbers)
                    for key, item in value.items()}
        return [self.renumbered(item, numbers) for item in value] if isinstance(value, list) else value

    def state(self, pid, truth):
        """Of the thread that has written the truth: it sleeps in held() soon."""
        tid = (truth["not_openmp"] or [pid])[0]
        with open("/proc/%d/task/%d/status" % (pid, tid)) as f:
            return f.read()

    def check(self, target):
        folder, exe = self.copy(target)
        process, truth = self.start(target, folder, exe)
        live, handled = None, False
        if truth["signal"] is None:
            live = report(process.pid)
            self.true(truth, live, True)
            moving = report("--no-stop", process.pid)
            self.true(truth, moving, True)
            # Of a process that goes on nothing is proved, however it looks.
            self.assertNotIn(moving["verdict"]["kind"], ("deadlock", "stuck"))
            self.assertFalse([edge for edge in moving["edges"] if edge["proved"]])
            gcore = os.path.join(self.folder(), "gcore")
            self.as_gdb(live, exe, "-p", str(process.pid), then="run(%r)" % ("gcore " + gcore))
            self.same(live, report(gcore))
            # libgfortran handles each signal that makes a core, and raises it again.
            handled = catches(process.pid, signal.SIGABRT)
            process.send_signal(signal.SIGABRT)
        process.wait(SECONDS)
        found = [name for name in os.listdir(folder) if name.startswith("core")]
        self.assertEqual(len(found), 1, "no core; core_pattern must be a plain file name")
        core = os.path.join(folder, found[0])
        whole = report(core)
        self.true(truth, whole, True)
        if live:
            crashed = whole["process"]["crashed_lwp"] if handled else None
            self.same(*(at_rest(document, crashed) for document in (live, whole)))
        if target["name"] in SOME or not live:
            self.as_gdb(whole, exe, core)
        self.without_files(target, truth, folder, exe, core)

    def as_gdb(self, mine, exe, *arguments, then=""):
        answer = gdbrun.gdb('say(document("ompd report -json"))\n' + then, (exe,) + arguments)
        self.assertEqual(answer.problems(), [], str(answer))
        self.same(mine, answer.said[0], GDB_OWN)
        # Each thread of OpenMP has a number in GDB, or it is said why not.
        self.assertEqual([row["lwp"] for row in answer.said[0]["threads"]
                          if row["openmp"] and not row["gdb_num"] and "gdb_num" not in row["unknown"]], [])
        process = answer.said[0]["process"]
        for key in ("pid", "signal", "crashed_lwp"):
            self.assertEqual(mine["process"][key], process[key])

    def without_files(self, target, truth, folder, exe, core):
        runtime = os.path.join(folder, RUNTIME)
        os.rename(runtime, runtime + ".away")
        document = report(core, status=(0, 1))
        self.true(truth, document, True)
        # The stacks go through the runtime by its frame pointers, to the user's frames above.
        if truth["signal"] is None and not target["data"]:
            first = next(row for row in document["stacks"] if row["lwp"] == document["process"]["pid"])
            self.assertIn(first["frames"][-1]["function"], ("_start", "main", "_dl_relocate_static_pie"),
                          first)
        subprocess.run(["strip", exe, "-o", exe + ".bare"], check=True)
        os.rename(exe, exe + ".away")
        # A library that the target loads keeps its lines.
        names = None if target["data"] else False
        self.true(truth, report("-e", exe + ".bare", core, status=(0, 1)), names)
        self.true(truth, report(core, status=(0, 1)), names)


def chosen():
    some = os.environ.get("TARGETS")
    return [target for target in xmltest.share(TARGETS) if not some or target["name"] in some.split(",")]


def _add(target):
    setattr(Targets, "test_" + target["name"], lambda self: self.done[target["name"]].result())


for _target in chosen():
    _add(_target)

if __name__ == "__main__":
    xmltest.main()
