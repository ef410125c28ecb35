#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stops a real program at random instants and checks what `ompd` says that its threads do. By hand.

usage: random_stops.py OMPD [--stops N] [--cores N] [--gdb N --plugin FILE] [--name NAME] [--seed N]
                       -- COMMAND [ARGUMENT…]

COMMAND is started as often as it takes. Looked at is the process itself or, with --name, each process below
it that is called NAME (a rank that mpirun has started).

Live: a thread whose line in /proc/PID/task/TID/syscall is the same before and after `ompd` has looked, and
which has made no more voluntary context switches than the stop itself takes, was in that system call all the
time. It must not be said to compute, and no verdict may claim a deadlock. Rows of OpenMP must be possible,
by the call stacks of the same stop: an idle thread has no frame of the user's, a thread that waits is not in
the user's code, the numbers in a team are each one thread's and less than its size. On cores (gcore): the
call that `ompd` names of a thread that waits must be among the functions that eu-stack finds on its stack.
In GDB (--gdb): the same of what `ompd export` writes; nothing may raise an exception.

Prints each contradiction and a last line with the counts. Exit: 0 none, 1 some.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

SHOWN = 200  # contradictions
SWITCHES = 2  # of a stop in a system call: into the stop, and into the call again


def read(path):
    with open(path) as f:
        return f.read()


def threads_of(pid):
    """{tid: (line of procfs about the system call, voluntary switches)} of the threads that are in one."""
    found = {}
    for tid in os.listdir("/proc/%d/task" % pid):
        folder = "/proc/%d/task/%s/" % (pid, tid)
        try:
            line = read(folder + "syscall").split()
            switches = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", read(folder + "status"), re.MULTILINE)
        except OSError:
            continue  # it has ended
        if line and line[0] not in ("running", "-1"):
            found[int(tid)] = tuple(line), int(switches.group(1))
    return found


def children(pid):
    found = [pid]
    for one in found:
        for tid in os.listdir("/proc/%d/task" % one):
            found += [int(child) for child in read("/proc/%d/task/%s/children" % (one, tid)).split()]
    return found


def called(pid, name):
    """PID, or the processes below it that are called NAME."""
    try:
        if name:
            return [one for one in children(pid) if read("/proc/%d/comm" % one).strip() == name]
        return [pid]
    except OSError:
        return []


def plain(name):
    """PMPI_Recv is MPI_Recv's other name."""
    return re.sub(r"^PMPI_", "MPI_", re.sub(r"@.*|\(.*", "", name).strip("_"))


def impossible(document):
    """Sentences about rows of OpenMP's that cannot be."""
    found, seen = [], set()
    stacks = {stack["lwp"]: stack["frames"] for stack in document["stacks"]}
    for row in document["threads"]:
        if not row["openmp"]:
            continue
        where = "thread %s (%s)" % (row["lwp"], row["state"])
        frames = stacks.get(row["lwp"], [])
        if row["state"] == "idle":
            users = [frame["function"] for frame in frames if frame["code"] == "user"]
            if users or row["thread_num"] is not None or row["wait"]:
                found.append("%s has frames of the user %s, number %s" % (where, users, row["thread_num"]))
            continue
        if row["wait"] and frames and frames[0]["code"] == "user":
            found.append("%s waits for %s and is in %s" % (where, row["wait"]["kind"], frames[0]["function"]))
        if row["thread_num"] is None or row["team_size"] is None:
            continue
        if not 0 <= row["thread_num"] < row["team_size"]:
            found.append("%s is number %d of %d" % (where, row["thread_num"], row["team_size"]))
        place = row["runtime"], row["region"], row["thread_num"]
        if place in seen:
            found.append("%s: another one has its number %d too" % (where, row["thread_num"]))
        seen.add(place)
    return found


class Watch:
    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = {"stops": 0, "threads in a call": 0, "OpenMP rows": 0, "cores": 0, "blocked threads": 0,
                       "GDB's": 0, "wrong": 0}
        self.kinds, self.states, self.unknown = (collections.Counter() for _ in range(3))

    def wrong(self, *words):
        self.counts["wrong"] += 1
        if self.counts["wrong"] <= SHOWN:
            print("wrong:", *words, flush=True)

    def report(self, *target):
        result = subprocess.run([self.arguments.ompd, "report", "--json", *target], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False, text=True)
        if result.returncode not in (0, 1, 2, 3):
            self.wrong("ompd ended with", result.returncode, result.stderr)
        # 2: the process has no OpenMP runtime; what its threads do is said all the same.
        return json.loads(result.stdout) if result.returncode in (0, 1, 2) and result.stdout else None

    def rows(self, answer):
        """What can be said of an answer without knowing more."""
        if answer["verdict"]["kind"] not in ("none", "unknown"):
            self.wrong("verdict", answer["verdict"])
        for sentence in impossible(answer):
            self.wrong(sentence)
        for row in answer["threads"]:
            self.kinds[row["activity"]["kind"]] += 1
            if row["openmp"]:
                self.counts["OpenMP rows"] += 1
                self.states[row["state"]] += 1
                self.unknown.update((row["unknown"] or {}).keys())

    def called_computing(self, answer, before, after):
        """A thread that was in one system call all the time."""
        for row in answer["threads"]:
            was, now = before.get(row["lwp"]), after.get(row["lwp"])
            if was is None or now is None or was[0] != now[0] or now[1] - was[1] > SWITCHES:
                continue
            self.counts["threads in a call"] += 1
            if row["activity"]["kind"] == "computes":
                self.wrong("thread", row["lwp"], "is in system call", was[0][0], row["activity"])

    def live(self, pid):
        try:
            before = threads_of(pid)
            answer = self.report("-p", str(pid))
            after = threads_of(pid)
        except OSError:
            return
        if answer is None:
            return
        self.counts["stops"] += 1
        self.rows(answer)
        self.called_computing(answer, before, after)

    def gdb(self, pid):
        """Under GDB, whose stop lasts long enough to interrupt any system call: rows only."""
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            done = subprocess.run(
                ["gdb", "-nx", "-batch", "-p", str(pid), "-x", self.arguments.plugin, "-ex", "ompd threads",
                 "-ex", "ompd waits", "-ex", "bt", "-ex", "ompd export " + file.name, "-ex", "detach"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                text=True, errors="replace")
            text = read(file.name)
        if "No such process" in done.stdout or "ptrace:" in done.stdout:
            return
        self.counts["GDB's"] += 1
        for line in done.stdout.splitlines():
            if re.search(r"Traceback|Python Exception|Error", line):
                self.wrong("GDB:", line)
        if text:
            self.rows(json.loads(text))
        else:
            self.wrong("GDB has no answer:", done.stdout[-500:])

    def core(self, pid, folder):
        path = os.path.join(folder, "core")
        subprocess.run(["gcore", "-o", path, str(pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        path += ".%d" % pid
        if not os.path.exists(path):
            return
        answer = self.report("--core", path)
        stacks = subprocess.run(["eu-stack", "--core", path], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=False, text=True).stdout
        os.unlink(path)
        if answer is None:
            return
        self.counts["cores"] += 1
        self.rows(answer)
        functions, tid = {}, None
        for line in stacks.splitlines():
            if line.startswith("TID "):
                tid = int(line[4:].rstrip(":"))
            elif line.startswith("#") and tid is not None and len(line.split()) > 2:
                functions.setdefault(tid, set()).add(plain(" ".join(line.split()[2:])))
        for row in answer["threads"]:
            activity = row["activity"]
            # A futex that no library explains has no function.
            if activity["kind"] in ("computes", "openmp", "unknown", "futex") or not activity["call"]:
                continue
            self.counts["blocked threads"] += 1
            call = plain(activity["call"])
            # sem_wait goes on in new_sem_wait_slow64.
            if not any(call in name for name in functions.get(row["lwp"], ())):
                self.wrong("thread", row["lwp"], activity, "eu-stack:", sorted(functions.get(row["lwp"], ())))

    def run(self):
        chance = random.Random(self.arguments.seed)
        with tempfile.TemporaryDirectory() as folder:
            while not self.done():
                with subprocess.Popen(self.arguments.command, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, cwd=folder) as process:
                    while process.poll() is None and not self.done():
                        time.sleep(chance.uniform(0.01, 0.3))
                        for pid in called(process.pid, self.arguments.name):
                            if self.counts["stops"] < self.arguments.stops:
                                self.live(pid)
                            elif self.counts["cores"] < self.arguments.cores:
                                self.core(pid, folder)
                            elif not self.done():
                                self.gdb(pid)
                    process.terminate()

    def done(self):
        return (self.counts["stops"] >= self.arguments.stops and
                self.counts["cores"] >= self.arguments.cores and
                self.counts["GDB's"] >= self.arguments.gdb)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("ompd")
    parser.add_argument("--stops", type=int, default=500)
    parser.add_argument("--cores", type=int, default=0)
    parser.add_argument("--gdb", type=int, default=0)
    parser.add_argument("--plugin", help="ompd.py")
    parser.add_argument("--name")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("command", nargs="+")
    watch = Watch(parser.parse_args())
    print("seed", watch.arguments.seed, flush=True)
    watch.run()
    for title, counter in ("threads by kind:", watch.kinds), ("OpenMP's by state:", watch.states), \
            ("not known:", watch.unknown):
        print(title, ", ".join("%s %d" % pair for pair in sorted(counter.items(), key=str)))
    print(", ".join("%d %s" % (count, name) for name, count in watch.counts.items()))
    return 1 if watch.counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
