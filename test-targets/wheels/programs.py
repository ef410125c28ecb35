#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Packages of PyPI as people run them: what `ompd` says of each while it works, when it hangs in its own
team, of that one's core, and of a child that works on after fork().

    programs.py --prefix PREFIX --packages FOLDER [NAME ...]

Each package is installed in FOLDER/NAME by pip where it is not there yet. It hangs because one of its
workers, the busiest by procfs, gets a signal whose handler takes a mutex; another thread owns that (hold.c).
So the program and procfs know what is true: which thread stands, what for, who holds it, and whose team
waits. Prints a table; status 1: an answer was wrong.
"""

import argparse
import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# What pip installs, and whether the work is done by an OpenMP team.
PACKAGES = {"torch": (["torch", "numpy"], True), "sklearn": (["scikit-learn"], True),
            "lightgbm": (["lightgbm"], True), "xgboost": (["xgboost"], True), "numba": (["numba"], True),
            "faiss": (["faiss-cpu"], True), "jax": (["jax"], False)}
LOOKS, THREADS = 5, "4"
PATIENCE = 120  # seconds until a package works
ALARMS = ("deadlock", "suspected", "stuck")


class Wrong(Exception):
    """What an answer said that is not so."""


def check(true, what):
    if not true:
        raise Wrong(what)


def install(name, folder):
    path = os.path.join(folder, name)
    if not os.path.isdir(path):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", path,
                        *PACKAGES[name][0]], check=True)
    return path


class Process:
    """The work of a package (work.py); it ends with the block."""

    def __init__(self, name, packages, library, what, folder):
        env = dict(os.environ, PYTHONPATH=packages, OMP_NUM_THREADS=THREADS, CUDA_VISIBLE_DEVICES="",
                   PYTHONWARNINGS="ignore")
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "work.py"), name, library, what], cwd=folder, env=env,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
        self.pid = self.process.pid
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise Wrong("%s does not work here" % name)
        self.told = json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()

    def spent(self):
        """Processor time of each thread, in ticks."""
        times = {}
        for tid in os.listdir("/proc/%d/task" % self.pid):
            with open("/proc/%d/task/%s/stat" % (self.pid, tid), encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            times[int(tid)] = int(fields[11]) + int(fields[12])
        return times

    def busiest(self):
        """The worker that computes most, but for the thread that has called the package."""
        before = self.spent()
        time.sleep(2)
        now = self.spent()
        used = {tid: now[tid] - before.get(tid, 0) for tid in now
                if tid not in (self.pid, self.told["worker"], self.told["holder"])}
        check(used and max(used.values()) > 0, "no worker computes")
        return max(used, key=used.get)

    def until_rest(self, *tids):
        """These threads have not used the processor for a second."""
        last, end = None, time.monotonic() + PATIENCE
        while last != (last := {tid: spent for tid, spent in self.spent().items() if tid in tids}):
            check(time.monotonic() < end, "the work goes on without the worker")
            time.sleep(1)

    def core(self):
        self.process.send_signal(signal.SIGABRT)
        self.process.wait()
        name, = (name for name in os.listdir(self.folder) if name.startswith("core"))
        return os.path.join(self.folder, name)


class Command:
    """`ompd` of an installation."""

    def __init__(self, prefix):
        self.path = os.path.join(prefix, "bin/ompd")

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300, check=False)
        check(done.returncode in (0, 1, 3), "status %d: %s" % (done.returncode, done.stderr.strip()))
        check(not done.stderr, done.stderr.strip())
        return done

    def report(self, *target):
        document = json.loads(self("report", "--json", *target).stdout)
        # Most files of wheels have no build-id: of a core that is all that can be said, and it is said.
        passed = ("not loaded an OpenMP runtime", "could not be checked", "not checked; the first is")
        about = [p["what"] for p in document["problems"] if not any(text in p["what"] for text in passed)]
        check(not about, "; ".join(about))
        return document


def running(ompd, process):
    """How many looks had no answer."""
    opened = 0
    for _ in range(LOOKS):
        verdict = ompd.report("-p", process.pid)["verdict"]
        check(verdict["kind"] not in ALARMS, verdict["sentence"])
        opened += verdict["sentence"].startswith("It cannot be said")
        time.sleep(.3)
    return "%d looks, %d open" % (LOOKS, opened)


def hung(document, told, victim, has_team):
    threads = {t["lwp"]: t for t in document["threads"]}
    activity, verdict = threads[victim]["activity"], document["verdict"]

    shown = activity["kind"], activity["name"], activity["owner_lwp"]
    check(shown == ("mutex", "held_lock", told["holder"]), "the worker: %s %s, owner %s" % shown)
    # A signal may end the holder's sleep: nothing is proved.
    check(verdict["kind"] not in ALARMS, verdict["sentence"])
    if not has_team:
        return "holder"
    member, caller = threads[victim], threads[told["worker"]]
    check(member["region"] is not None and (member["region"], member["runtime"])
          == (caller["region"], caller["runtime"]), "the worker is in region %s, its caller in %s"
          % (member["region"], caller["region"]))
    region, = (r for r in document["regions"]
               if (r["id"], r["runtime"]) == (member["region"], member["runtime"]))
    numbers = [m["thread_num"] for m in region["members"] if m["lwp"] == victim]
    check(numbers == [member["thread_num"]], "the region has it as %s" % numbers)
    check(any(str(lwp) in verdict["sentence"] for lwp in (victim, told["holder"])), verdict["sentence"])
    return "member %d of %d, region, holder" % (member["thread_num"], region["team_size"])


def forked(ompd, process, has_team):
    child = process.told["child"]
    for _ in range(20):
        if process.process.poll() is not None:
            return "ends with an error of its own" if process.process.returncode else "comes through"
        time.sleep(1)
    verdict = ompd.report("-p", child)["verdict"]
    if not has_team:
        check(verdict["kind"] not in ALARMS, verdict["sentence"])
        return "no OpenMP"
    check(verdict["kind"] == "stuck" and "forked" in verdict["sentence"], verdict["sentence"])
    return "Stuck: forked"


def look_at(name, options, library, folder):
    packages = install(name, options.packages)
    ompd, answers = Command(options.prefix), {}

    def note(what, answer):
        try:
            answers[what] = answer()
        except Wrong as wrong:
            answers[what] = "WRONG: %s" % wrong
    with Process(name, packages, library, "run", folder) as process:
        note("running", lambda: running(ompd, process))
        victim = process.busiest()
        signal_thread(process.pid, victim)
        has_team = PACKAGES[name][1]
        process.until_rest(victim, *[process.told["worker"]] * has_team)
        note("hung", lambda: hung(ompd.report("-p", process.pid), process.told, victim, has_team))
        core = process.core()
        note("core", lambda: hung(ompd.report("--core", core), process.told, victim, has_team))
        os.remove(core)
    with Process(name, packages, library, "fork", folder) as process:
        note("forked", lambda: forked(ompd, process, PACKAGES[name][1]))
    return answers


def signal_thread(pid, tid):
    """tgkill(2), which Python does not have."""
    ctypes.CDLL(None).syscall(234, pid, tid, int(signal.SIGUSR1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--prefix", required=True, help="the installation of ompd")
    parser.add_argument("--packages", required=True, help="where the packages are, or shall be")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of: " + ", ".join(PACKAGES))
    options = parser.parse_args()
    unknown = set(options.names) - set(PACKAGES)
    if unknown:
        parser.error("unknown: " + ", ".join(sorted(unknown)))
    folder = tempfile.mkdtemp()
    wrong = False
    try:
        library = os.path.join(folder, "libhold.so")
        subprocess.run(["gcc", "-g", "-D_GNU_SOURCE", "-shared", "-fPIC", "-pthread",
                        os.path.join(HERE, "hold.c"), "-o", library], check=True)
        for name in options.names or PACKAGES:
            for what, answer in look_at(name, options, library, folder).items():
                print("%-10s%-9s%s" % (name, what, answer), flush=True)
                wrong |= answer.startswith("WRONG")
    finally:
        shutil.rmtree(folder)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
