#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stops owners.c at random instants, on runtimes that do not record who holds a critical section or a lock,
and compares what `ompd` says of the owners with what the threads have written down themselves. By hand, and a
short one in the soak (owners_test.py):

    random_owners.py OMPD STOPS PROGRAM [VARIABLE=VALUE...]      OMPD: the command, which may have options

An owner that is said as a fact must be the thread inside; that of a lock is one only where it was handed to
a waiter that has not run since. One that is said to be probable is counted. A
thread that has entered and not written that down yet, or has written that it leaves, is neither.
"""
import collections
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time

NAMES = ["(unnamed)", "table", "output", "tree", "lock"]


def stopped(pid: int) -> bool:
    """Do all of its threads stand still?"""
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/stat" % (pid, tid)) as f:
            if f.read().rpartition(")")[2].split()[0] not in "Tt":
                return False
    return True


def compare(document: dict, inside: list[int], words: list[int], counts: collections.Counter) -> list[str]:
    """Counts what is said in one document; returns what is wrong in it. WORDS: where what is in INSIDE lies,
    but for the first, which the runtime has."""
    wrong, seen = [], set()
    released = {thread["lwp"] for thread in document["threads"] if thread["released"]}
    for thread in document["threads"]:
        wait = thread["wait"]
        if not wait or wait["kind"] not in ("critical", "lock"):
            continue
        if wait["id"] is None:
            counts["no id"] += 1
            continue
        if wait["id"] in seen:
            continue
        seen.add(wait["id"])
        where = int(wait["id"], 16)
        index = words.index(where) + 1 if where in words else 0
        if not words[0] and not index:  # clang's, of which the symbols are known
            index = next((i for i in (1, 2, 3) if NAMES[i] in (wait["name"] or "")), 0)
        if (index == 4) != (wait["kind"] == "lock"):
            wrong.append("a %s at %s" % (wait["kind"], wait["id"]))
            continue
        truth, kind = inside[index], wait["kind"]
        fact, candidates = wait["owner_lwp"], wait["owner_candidates"]
        if fact and kind == "lock" and fact not in released:
            wrong.append("the owner of a lock is said to be known: %s" % wait)
        if not truth:
            counts[kind, "nobody has written itself down", "fact" if fact else
                   "candidates" if candidates else "nothing"] += 1
        elif fact:
            counts[kind, "fact", "right" if fact == truth else "WRONG"] += 1
            if fact != truth:
                wrong.append("%s: %s holds it, not %s" % (NAMES[index], truth, fact))
        elif candidates:
            counts[kind, "%d candidates" % len(candidates), "right" if truth in candidates else "wrong"] += 1
        else:
            counts[kind, "nothing", thread["unknown"].get("wait.owner_lwp")] += 1
    return wrong


def run(ompd: str, stops: int, program: str, environment: dict[str, str],
        seed: int = 1) -> tuple[collections.Counter, list[str]]:
    """What was said at so many stops, and what was wrong."""
    chance, counts, wrong = random.Random(seed), collections.Counter(), []
    process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, **environment})
    try:
        at, *words = (int(w, 16) for w in re.findall(r"0x[0-9a-f]+", process.stdout.readline()))
        for _ in range(stops):
            time.sleep(chance.random() * 0.02)
            os.kill(process.pid, signal.SIGSTOP)
            while not stopped(process.pid):
                time.sleep(0.001)
            with open("/proc/%d/mem" % process.pid, "rb") as memory:
                memory.seek(at)
                inside = list(struct.unpack("5i", memory.read(20)))
            answer = subprocess.run([*ompd.split(), "report", "--json", "-p", str(process.pid)],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if not answer.stdout:
                raise RuntimeError("ompd: %s" % answer.stderr)
            document = json.loads(answer.stdout)
            wrong += compare(document, inside, words, counts)
            if document["verdict"]["kind"] in ("deadlock", "stuck"):
                wrong.append(document["verdict"]["sentence"])
            os.kill(process.pid, signal.SIGCONT)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    return counts, wrong


def main(arguments: list[str]) -> int:
    ompd, stops, program = arguments[0], int(arguments[1]), arguments[2]
    counts, wrong = run(ompd, stops, program, dict(a.split("=", 1) for a in arguments[3:]),
                        random.randrange(1 << 30))
    for what, count in sorted(counts.items(), key=str):
        print("%6d  %s" % (count, " ".join(map(str, what)) if isinstance(what, tuple) else what))
    print("%d stops, %d wrong" % (stops, len(wrong)))
    print("\n".join(wrong[:10]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
