# SPDX-License-Identifier: Apache-2.0
"""What the programs of this folder say of themselves (say.h), and the comparison of a report with it.

    truth = Truth(process)         # of a program that has been started with its output in a pipe
    truth.rest()                   # until all are where they said, by /proc/PID/task/TID/syscall
    for pid in truth.processes:    # one, or a forked child too
        result = truth.check(pid, report)
        result.wrong               # sentences, right when there are none
        result.unknown             # what the report says it does not know

A report is the document of `ompd report --json` or of GDB's `ompd report -json`.
"""

import json
import os
import time

SECONDS = 60
LOOKS = 3  # alike, one after the other
NAP = .02
# <asm/unistd_64.h>
CALLS = {"read": 0, "write": 1, "poll": 7, "pause": 34, "recvfrom": 45, "wait4": 61, "msgrcv": 70,
         "flock": 73, "rt_sigtimedwait": 128, "futex": 202, "semtimedop": 220, "clock_nanosleep": 230,
         "epoll_wait": 232, "io_uring_enter": 426}
RESTART = 219
# Kinds of those who are in no system call.
AWAKE = ("computes", "spinlock")


def system_call(pid, tid):
    """(number, its arguments) of a thread, (None, []) of one that runs."""
    with open("/proc/%d/task/%d/syscall" % (pid, tid)) as f:
        words = f.read().split()
    if words[0] == "running" or words[0] == "-1":
        return None, []
    return int(words[0]), [int(word, 16) for word in words[1:7]]


class Result:
    """Of one report."""

    def __init__(self):
        self.wrong, self.unknown, self.cells = [], [], 0

    def cell(self, where, what, expected, got):
        """EXPECTED: one value, or a tuple of those that are right. A futex of which no library says what it
        is for is said to be unknown, no more."""
        self.cells += 1
        allowed = expected if isinstance(expected, tuple) else (expected,)
        if got in allowed:
            return
        if got is None or (got == "futex" and what in ("kind", "call")):
            self.unknown.append("%s: %s is not known, truth %s" % (where, what, allowed))
        else:
            self.wrong.append("%s: %s is %r, truth %r" % (where, what, got, expected))


class Truth:
    """What a running program has said."""

    def __init__(self, process):
        self.process = process
        self.processes = {}  # pid -> its first line
        self.threads = {}  # (pid, tid) -> its line
        self.calls = {}  # (pid, tid) -> system_call at rest, of every thread
        self._read()

    def _read(self):
        while not self.processes or len(self.threads) < sum(p["threads"] for p in self.processes.values()):
            line = self.process.stdout.readline()
            if line == "":
                raise AssertionError("the program has ended: %s" % self.threads)
            if line.startswith("SAY "):
                said = json.loads(line[4:])
                if "verdict" in said:
                    self.processes[said["pid"]] = said
                else:
                    self.threads[said["pid"], said["tid"]] = said

    def _there(self, said):
        """Is the thread in the call that it spoke of?"""
        number, arguments = system_call(said["pid"], said["tid"])
        if said["system"] == "":
            return True
        if said["system"] == "none":
            return number is None
        if number not in (CALLS[said["system"]], RESTART):
            return False
        if said["system"] == "futex" and "size" in said:
            start = int(said["object"], 16)
            return start <= arguments[0] < start + said["size"]
        return True

    def rest(self):
        """Until everybody is there, look after look. A child may still be about to say its first word: its
        parent's wait for it is in the parent's own word."""
        until = time.monotonic() + SECONDS
        looks = 0
        while looks < LOOKS:
            if time.monotonic() > until:
                raise AssertionError("the program came to no rest: %s" % list(self.threads.values()))
            looks = looks + 1 if all(map(self._there, self.threads.values())) else 0
            time.sleep(NAP)
        for pid in self.processes:
            for name in os.listdir("/proc/%d/task" % pid):
                self.calls[pid, int(name)] = system_call(pid, int(name))

    def verdicts(self, pid):
        return self.processes[pid]["verdict"].split()

    def check(self, pid, report):
        result = Result()
        result.cell("process %d" % pid, "the verdict", tuple(self.verdicts(pid)), report["verdict"]["kind"])
        rows = {row["lwp"]: row for row in report["threads"]}
        for (owner, tid), said in sorted(self.threads.items()):
            if owner == pid and tid not in rows:
                result.wrong.append("LWP %d is not listed" % tid)
            elif owner == pid:
                self._thread(result, said, rows[tid])
        for tid, row in rows.items():
            self._asleep(result, pid, row)
        return result

    def _asleep(self, result, pid, row):
        """Nobody who is in a system call computes, whoever it is, and the other way round."""
        activity = row.get("activity") or {"kind": "unknown"}
        said, where = self.threads.get((pid, row["lwp"])), "LWP %d" % row["lwp"]
        if (pid, row["lwp"]) not in self.calls or (said and said["system"] == ""):
            return
        number = self.calls[pid, row["lwp"]][0]
        result.cells += 1
        if number is not None and activity["kind"] in AWAKE:
            result.wrong.append("%s %s, but is in system call %d" % (where, activity["kind"], number))
        if number is None and activity.get("asleep"):
            result.wrong.append("%s sleeps, it is said, but it runs" % where)

    def _thread(self, result, said, row):
        where = "LWP %d" % said["tid"]
        activity = row.get("activity")
        if activity is None:
            result.wrong.append("%s has no activity" % where)
            return
        if said["kind"] == "openmp":
            self._openmp(result, where, said, row)
            return
        if activity["kind"] == "unknown" and activity.get("why"):
            result.cells += 1
            result.unknown.append("%s: it is unknown what it does: %s" % (where, activity["why"]))
            return
        result.cell(where, "kind", said["kind"], activity["kind"])
        if "call" in said:
            result.cell(where, "call", tuple(said["call"].split("|")), activity["call"])
        if "object" in said:
            start, got = int(said["object"], 16), activity["object"]
            inside = got is not None and start <= int(got, 16) < start + said.get("size", 4)
            result.cell(where, "object", said["object"], said["object"] if inside else got)
        if "name" in said:
            name = activity["name"]
            # The linker's symbol and an offset claim no more than the address does: clang describes a class
            # of libstdc++'s in no program that only uses it.
            symbol, _, offset = (name or "").partition("+")
            result.cell(where, "name", said["name"],
                        None if symbol == said["name"] and offset.isdigit() else name)
        if said["line"]:
            result.cell(where, "line", said["line"], (activity["at"] or {}).get("line"))
        if "owner" in said:
            key = "owner_tid" if "owner_is" in said else "owner_lwp"
            result.cell(where, key, said["owner"], activity[key])
        if "owner_is" in said:
            expected = tuple(said["owner_is"].split("|"))
            sure = activity["owner"] if not activity["owner_doubt"] else None
            # That says less: it has ended, or stayed behind in the process that has forked this one.
            less = sure == "gone" and "gone" not in expected
            result.cell(where, "owner", expected, None if less else sure)
        if "descriptor" in said:
            result.cell(where, "descriptor", said["descriptor"], activity["descriptor"])
        if "child" in said:
            result.cell(where, "child", said["child"], activity["child"])
        self._timeout(result, where, said, activity["timeout"])

    def _timeout(self, result, where, said, got):
        limit = said.get("timeout")
        if said["system"] in ("", "none"):
            return
        if limit is None:
            result.cells += 1
            if got is not None:
                result.wrong.append("%s: it waits for at most %s, it is said, and it waits for ever" %
                                    (where, got))
        elif got is None or got == "some":
            result.cell(where, "timeout", limit, None)
        else:
            # The call may have been given the end of the time, or what was left of it.
            near = 0 < got / 1e9 <= limit + 1 and got / 1e9 > limit - 2 * SECONDS
            result.cell(where, "timeout", limit, limit if near else got)

    def _openmp(self, result, where, said, row):
        wait = row.get("wait") or {}
        result.cell(where, "the wait", said["wait"], wait.get("kind"))
        if "name" in said:
            name = (wait.get("name") or "").strip("'") or None
            result.cell(where, "the wait's name", said["name"], name)
        if "owner" in said:
            result.cell(where, "the wait's owner", said["owner"], wait.get("owner_lwp"))
        if said["line"]:
            result.cell(where, "the wait's line", said["line"], (wait.get("at") or {}).get("line"))
        # Of a wrapper who has called it, of no other wait anything.
        caller = (wait.get("caller") or {}).get("line")
        result.cells += 1
        if caller != said.get("caller"):
            result.wrong.append("%s: its wait is called from line %s, truth %s" %
                                (where, caller, said.get("caller")))
