# SPDX-License-Identifier: Apache-2.0
"""Ranks of jobs for tests: real reports with other numbers and addresses."""

import json
import os
import re

from installed import FOLDER, Held, run

KINDS = ("deadlock_gcc.exe", "lock_owner_ended_clang.exe", "barrier_gcc.exe", "critical_named_clang.exe",
         "idle_gcc.exe")
RECORDS = {}


def here(name):
    return os.path.join(FOLDER, name)


def load(path):
    with open(path) as f:
        return json.load(f)


def make_records():
    """One of each kind, from a process."""
    for name in KINDS:
        with Held(name, FOLDER, OMP_DEBUG="enabled") as target:
            done = run("record", "-p", target.pid, "-o", here(name + ".json"))
            assert done.returncode == 0, done.stderr
        with open(here(name + ".json")) as f:
            RECORDS[name] = f.read()


def rank(kind, number, size, taken=10 ** 18):
    """The record of KIND as if it were of a rank: every number of the system is another one."""
    document = json.loads(RECORDS[kind])
    lwps = {t["lwp"]: 10000 + 100 * number + i for i, t in enumerate(document["threads"])}
    # In another order, too: threads need not be created in that of their numbers.
    shift = (number + 1) << 24

    def renumber(value, key=None):
        if isinstance(value, dict):
            return {k: renumber(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [renumber(v, key) for v in value]
        if isinstance(value, int) and key in ("lwp", "owner_lwp", "missing_lwp", "target_tid", "owner_tid"):
            return lwps.get(value, value)
        if isinstance(value, str) and re.fullmatch("0x[0-9a-f]{6,}", value):
            return hex(int(value, 16) + shift)
        return value
    document = renumber(document)
    document["process"].update(rank=number, size=size, pid=1000 + number, start=5 + number, taken=taken,
                               host="n%04d" % (number // 64), job="4711", step="0")
    return document


def write(name, *documents):
    with open(here(name), "w") as f:
        f.write("\n".join(json.dumps(d) for d in documents))
    return here(name)


def states(document):
    """Ranks by state."""
    return sorted(state["ranks"] for job in document["jobs"] for state in job["states"])
