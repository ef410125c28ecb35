# SPDX-License-Identifier: Apache-2.0
"""The work of `ompd` grows at most as n log n in what a target chooses: threads, regions, tasks, locks,
stacks.

Instructions, counted by callgrind, of whole runs on snapshots of n and 4n things; they do not depend on the
machine's load. What grows as n log n has 4.9 times as many, what is quadratic 16 times.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import gdbrun
import xmltest

BUILT = gdbrun.find("command/ompd")
FEW, TIMES, LIMIT = 250, 4, 6
# Where a step that is quadratic takes so few instructions that it only shows in a large target.
MANY = 2000
PROCESS = {"pid": 4242, "exe": "/bin/grown", "core": None, "host": "h"}
RUNTIME = {"id": 1, "kind": "companion", "library": "/lib/libompcompanion.so.1", "version": "Companion",
           "openmp_version": 202111, "base": "0x7f0000000000", "cancellation": False,
           "abilities": [{"what": "threads, states, current regions and tasks", "available": True,
                          "why": None}]}


def place(line):
    return {"function": "work", "file": "grown.c", "line": line}


def thread(i, n, wait, region=2):
    return {"lwp": 4242 + i, "target_tid": 4242 + i, "pthread": hex(0x7f1000000000 + i * 4096),
            "current": i == 0, "running": False, "openmp": True, "runtime": 1, "thread_num": i % n,
            "team_size": n, "level": 1, "active_level": 1, "region": region, "task": 2 + i,
            "state": "wait_lock" if wait else "work_parallel", "wait": wait, "unknown": {}}


def lock(i, owner):
    return {"kind": "lock", "id": hex(0x550000000000 + 64 * i), "name": "lock_%d" % i, "owner": "thread",
            "owner_ended": False, "owner_lwp": 4242 + owner, "owner_task": None, "at": place(10)}


def region(number, parent, members):
    return {"id": number, "runtime": 1, "kind": "parallel" if parent else "initial", "parent": parent,
            "level": 1 if parent else 0, "active_level": 1 if parent else 0,
            "team_size": max(1, len(members)), "members": members, "unknown": {}, **place(13)}


def task(number, kind, state, lwp=None, generator=None, depends=()):
    return {"id": number, "runtime": 1, "kind": kind, "state": state, "region": 2, "generator": generator,
            "lwp": lwp, "children": 0, "untied": False, "final": False, "flags": 4,
            "depends_on": list(depends), "unknown": {}, **place(30)}


def frame(function, line, kind="user"):
    return {"pc": hex(0x401000 + line), "function": function, "file": "grown.c", "line": line,
            "module": "/bin/grown", "kind": kind}


def team(n, waits):
    """One region of n threads."""
    members = [{"thread_num": i, "lwp": 4242 + i} for i in range(n)]
    return {"threads": [thread(i, n, waits(i)) for i in range(n)],
            "regions": [region(1, None, members[:1]), region(2, 1, members)],
            "tasks": [task(2 + i, "implicit", "running", 4242 + i, 1) for i in range(n)]}


def ring_of_locks(n):
    return team(n, lambda i: lock(i, (i + 1) % n))


def large_ring(n):
    """Into which the first thread leads: it does not begin with the thread that is listed first."""
    return team(n, lambda i: lock(i, i % (n - 1) + 1 if i else n // 2))


def crowd_at_one_lock(n):
    return team(n, lambda i: lock(0, 0) if i else None)


def chain_of_tasks(n):
    snapshot = team(2, lambda i: None)
    snapshot["tasks"] += [task(10 + i, "explicit", "blocked" if i else "ready", None, 2, [9 + i] if i else [])
                          for i in range(n)]
    return snapshot


def many_regions(n):
    snapshot = team(2, lambda i: None)
    snapshot["regions"] += [region(10 + i, 2, [{"thread_num": 0, "lwp": 4242 + 2 + i}]) for i in range(n)]
    snapshot["threads"] += [thread(2 + i, 1, None, 10 + i) for i in range(n)]
    return snapshot


def different_stacks(n):
    snapshot = team(n, lambda i: None)
    snapshot["stacks"] = [{"lwp": 4242 + i, "frames": [frame("leaf_%d" % i, i + 1), frame("work", 13)],
                           "joined": [{"lwp": 4242 + i, "frame": 0}]} for i in range(n)]
    return snapshot


def different_roots(n):
    """Their outermost frames differ: siblings in a tree."""
    snapshot = team(n, lambda i: None)
    snapshot["stacks"] = [{"lwp": 4242 + i, "frames": [frame("work", 13), frame("root_%d" % i, i + 1)],
                           "joined": [{"lwp": 4242 + i, "frame": 0}]} for i in range(n)]
    return snapshot


SHAPES = (ring_of_locks, crowd_at_one_lock, chain_of_tasks, many_regions, different_stacks)
ASKED = (("report",), ("report", "--json"), ("waits", "--format", "dot"))


def document(shape, n):
    rest = {"schema": 1, "complete": True, "problems": [], "process": PROCESS, "runtimes": [RUNTIME],
            "edges": [], "icvs": [], "stacks": [],
            "snapshot": {"version": 1, "want": 31, "moving": False, "tasks_known": True}}
    return {**rest, **shape(n)}


class Growth(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))

    def instructions(self, shape, n, asked):
        path = os.path.join(self.folder, "%s-%d.json" % (shape.__name__, n))
        with open(path, "w") as f:
            json.dump(document(shape, n), f)
        out = os.path.join(self.folder, "callgrind")
        target = [path] if asked[0] == "merge" else ["--snapshot", path]
        done = subprocess.run(["valgrind", "--tool=callgrind", "-q", "--callgrind-out-file=" + out, BUILT,
                               *asked, *target], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out) as f:
            return int(re.search(r"^(?:totals|summary): (\d+)", f.read(), re.M).group(1)), done.stdout

    def check(self, shape, asked, n=FEW):
        start, _ = self.instructions(shape, 2, asked)
        few, _ = self.instructions(shape, n, asked)
        many, text = self.instructions(shape, TIMES * n, asked)
        grown = (many - start) / (few - start)
        print("%-20s %-18s %6.1f M instructions, %.2f times"
              % (shape.__name__, " ".join(asked), few / 1e6, grown))
        self.assertGreater(len(text), 50)
        self.assertLess(grown, LIMIT, "%s, %s" % (shape.__name__, asked))


    def test_large_ring(self):
        self.check(large_ring, ("waits",), MANY)

    def test_trees(self):
        for asked in (("merge", "--tree"), ("merge", "--format", "dot")):
            self.check(different_roots, asked, MANY)


def case(shape, asked):
    return lambda self: self.check(shape, asked)


for _shape in SHAPES:
    for _asked in ASKED:
        _name = "test_%s_%s" % (_shape.__name__, "_".join(_asked).replace("-", ""))
        setattr(Growth, _name, case(_shape, _asked))


if __name__ == "__main__":
    sys.exit(xmltest.main())
