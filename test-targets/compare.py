# SPDX-License-Identifier: Apache-2.0
"""Compares what a target knows about itself with what a report says about it.

compare(truth, report) takes the target's TRUTH document (truth.h) and a report
document of schema 1, and returns one readable sentence for each difference.
What the truth does not know (null) is not compared.

    compare.py TRUTH.json REPORT.json      prints the differences; exit 1 if any
"""

import collections
import json
import os
import sys
import time

EXPLICIT_KINDS = ("explicit", "undeferred", "taskloop")
IMPLICIT_KINDS = ("initial", "implicit")
TASK_STATES = ("running", "ready", "blocked", "suspended")
BARRIERS = {
    "wait_barrier_explicit": "explicit",
    "wait_barrier_implicit_parallel": "implicit_parallel",
    "wait_barrier_implicit_workshare": "implicit_workshare",
    "wait_barrier_teams": "teams",
}
SIGNALS = {"SIGABRT": 6, "SIGSEGV": 11}


def _hex(value):
    return hex(value) if isinstance(value, int) else value


def _number(value):
    """An address or pthread handle as a number, however it is written."""
    return int(value, 16) if isinstance(value, str) else value


class _Comparison:
    def __init__(self, truth, report, names, may_be_unknown):
        self.truth = truth
        self.report = report
        self.names = names
        self.may_be_unknown = may_be_unknown
        self.found = []
        self.rows = {}  # target tid -> report's row
        self.tid_of_lwp = {}
        for row in report.get("threads", []):
            tid = row.get("target_tid")
            if tid is None:  # not an OpenMP thread: only the host's number is known
                tid = row.get("lwp")
            if tid in self.rows:
                self.say("thread %s is listed twice", tid)
            self.rows[tid] = row
            self.tid_of_lwp[row.get("lwp")] = tid
        self.regions = {(r.get("runtime"), r["id"]): r for r in report.get("regions", [])}
        if len(self.regions) != len(report.get("regions", [])):
            self.say("two regions have the same id")
        self.tasks = {(t.get("runtime"), t["id"]): t for t in report.get("tasks", [])}
        if len(self.tasks) != len(report.get("tasks", [])):
            self.say("two tasks have the same id")

    def say(self, text, *args):
        self.found.append(text % args if args else text)

    def same(self, where, what, expected, row, key):
        """The row's value is the expected one, unless that is unknown."""
        if expected is not None and row.get(key) != expected:
            self.say("%s: %s is %r, truth %r", where, what, row.get(key), expected)

    def run(self):
        self.membership()
        for thread in self.truth["threads"]:
            row = self.rows.get(thread["tid"])
            if row is not None and row.get("openmp"):
                self.thread(thread, row)
        self.all_regions()
        self.all_tasks()
        self.crash()
        return self.found

    def membership(self):
        expected = {t["tid"] for t in self.truth["threads"] if t["openmp"]}
        got = {tid for tid, row in self.rows.items() if row.get("openmp")}
        if expected != got:
            self.say("%d of %d OpenMP threads recognised", len(expected & got), len(expected))
        for tid in sorted(expected - got):
            listed = "listed as no OpenMP thread" if tid in self.rows else "not listed"
            self.say("thread %d: OpenMP thread, %s", tid, listed)
        for tid in sorted(got - expected, key=str):
            ours = tid in self.truth["not_openmp"]
            known = "the target's own plain thread" if ours else "unknown to the target"
            self.say("thread %s: no OpenMP thread (%s), listed as one", tid, known)

    def thread(self, thread, row):
        where = "thread %d" % thread["tid"]
        if thread["thread_num"] is not None:
            where += " (number %d, level %d)" % (thread["thread_num"], thread["level"])
        if _number(thread["pthread"]) != _number(row.get("pthread")):
            self.say("%s: pthread is %s, truth %s", where, _hex(row.get("pthread")), thread["pthread"])
        for key in ("thread_num", "team_size", "level", "active_level", "state"):
            self.same(where, key, thread[key], row, key)
        if thread["state"] == "idle":
            if row.get("thread_num") is not None or row.get("region") is not None:
                self.say("%s: idle, yet shown in a team", where)
            return
        self.current_task(where, thread, row)
        self.wait(where, thread, row)

    def current_task(self, where, thread, row):
        task = self.tasks.get((row.get("runtime"), row.get("task")))
        if task is None:
            self.say("%s: its task %r is not in the list of tasks", where, row.get("task"))
            return
        kinds = EXPLICIT_KINDS if thread["task_explicit"] else IMPLICIT_KINDS
        if task.get("kind") not in kinds:
            self.say("%s: current task is %r, truth %s", where, task.get("kind"), " or ".join(kinds))
        if task.get("state") != "running":
            self.say("%s: its current task is %r, not running", where, task.get("state"))
        if task.get("region") != row.get("region"):
            self.say("%s: its task is of region %r, itself of %r", where, task.get("region"),
                     row.get("region"))

    def wait(self, where, thread, row):
        expected, got = thread["wait"], row.get("wait")
        if expected is None:
            if thread["state"] is not None and got is not None:
                self.say("%s: waits for %r, truth: does not wait", where, got.get("kind"))
            return
        if got is None:
            self.say("%s: no wait, truth %s", where, expected["kind"])
            return
        self.same(where, "wait kind", expected["kind"], got, "kind")
        if expected["id"] is not None and _number(got.get("id")) != _number(expected["id"]):
            self.say("%s: waits for %s, truth %s", where, got.get("id"), expected["id"])
        self.owner(where, expected, got, row)
        if thread["state"] in BARRIERS:
            self.same(where, "barrier", BARRIERS[thread["state"]], got, "barrier")
        for key in ("arrived", "missing"):
            if expected[key] is not None and sorted(got.get(key) or []) != expected[key]:
                self.say("%s: %s are %r, truth %r", where, key, got.get(key), expected[key])
        self.wait_names(where, expected, thread["at"], got)

    def owner(self, where, expected, got, row):
        lwp = got.get("owner_lwp")
        if expected["owner_ended"]:
            if lwp is not None:
                self.say("%s: owner is LWP %s, truth: a thread that has ended", where, lwp)
            elif not got.get("owner_ended"):
                self.say("%s: does not say that the owner has ended", where)
            return
        if got.get("owner_ended"):
            self.say("%s: says that the owner has ended, truth %r", where, expected["owner_tid"])
        if expected["owner_tid"] is None:
            return
        if lwp is None:
            if "wait.owner_lwp" not in self.may_be_unknown:
                reason = (row.get("unknown") or {}).get("wait.owner_lwp")
                self.say("%s: no owner%s, truth %d", where, " (%s)" % reason if reason else "",
                         expected["owner_tid"])
        elif self.tid_of_lwp.get(lwp) != expected["owner_tid"]:
            self.say("%s: owner is LWP %s (thread %s), truth %d", where, lwp, self.tid_of_lwp.get(lwp),
                     expected["owner_tid"])

    def wait_names(self, where, expected, at, got):
        """Name of the object and line of the wait; absent in stripped programs."""
        name = got.get("name")
        line = (got.get("at") or {}).get("line")
        if self.names is False:
            if line is not None:
                self.say("%s: line %r, yet the program has no line table", where, line)
            return
        if expected["name"] is not None and (name is not None or self.names):
            if name is None or expected["name"] not in name:
                self.say("%s: object is named %r, truth %r", where, name, expected["name"])
        # clang gives the call that enters an ordered or a critical region the line of its block, not of its
        # directive.
        last = at["line"] + (expected["kind"] in ("ordered", "critical")) if at is not None else None
        if at is not None and (line is not None or self.names) and line not in (at["line"], last):
            self.say("%s: waits at line %r, truth %d", where, line, at["line"])

    def all_regions(self):
        """Numbers, levels and sizes of regions; members; which threads share one."""
        for region in self.report.get("regions", []):
            if region.get("kind") not in ("initial", "parallel"):
                self.say("region %r is of kind %r, truth: there are only parallel ones", region["id"],
                         region.get("kind"))
        want = collections.Counter((r["level"], r["team_size"]) for r in self.truth["regions"])
        opened = [r for r in self.report.get("regions", []) if r.get("kind") != "initial"]
        got = collections.Counter((r.get("level"), r.get("team_size")) for r in opened)
        for key in sorted(set(want) | set(got), key=str):
            if want[key] != got[key]:
                self.say("%d region(s) of level %s with %s thread(s), truth %d", got[key], key[0], key[1],
                         want[key])
        match = {}  # truth's index -> report's key
        for thread in self.truth["threads"]:
            row = self.rows.get(thread["tid"])
            if thread.get("region") is None or row is None:
                continue
            key = (row.get("runtime"), row.get("region"))
            if key not in self.regions:
                self.say("thread %d: its region %r is not in the list of regions", thread["tid"], key[1])
                continue
            if match.setdefault(thread["region"], key) != key:
                self.say("thread %d: in region %r, its team mates in %r", thread["tid"], key[1],
                         match[thread["region"]][1])
        if len(set(match.values())) != len(match):
            self.say("threads of different regions are shown in one")
        self.parents(match)
        for index, key in sorted(match.items()):
            self.members(self.truth["regions"][index], self.regions[key])

    def parents(self, match):
        """Follows each matched region outwards, and matches the enclosing ones."""
        for index, key in sorted(match.items()):
            level = self.truth["regions"][index]["level"]
            seen = set()
            region = self.regions[key]
            while region is not None and region.get("kind") != "initial":
                if region["id"] in seen:
                    self.say("region %r is its own ancestor", region["id"])
                    return
                seen.add(region["id"])
                if region.get("level") != level:
                    self.say("region %r is of level %r, truth %d", region["id"], region.get("level"), level)
                    break
                members = {m for m in self.truth["regions"][index].get("members", []) if m is not None}
                for outer, other in enumerate(self.truth["regions"]):
                    if other["level"] == level and members & set(other.get("members", [])):
                        match.setdefault(outer, (key[0], region["id"]))
                level -= 1
                region = self.regions.get((key[0], region.get("parent")))
            if region is None:
                self.say("region %r: the chain of parents does not end in an initial region", key[1])

    def members(self, expected, region):
        where = "region %r (level %s)" % (region["id"], region.get("level"))
        if "members" not in expected or "members" not in region:
            return
        got = {}
        for member in region["members"]:
            got[member.get("thread_num")] = self.tid_of_lwp.get(member.get("lwp"))
        numbers = sorted(range(expected["team_size"]), key=str)
        if len(got) != len(region["members"]) or sorted(got, key=str) != numbers:
            self.say("%s: members are numbered %r, truth 0..%d", where,
                     sorted((m.get("thread_num") for m in region["members"]), key=str),
                     expected["team_size"] - 1)
        for num, tid in enumerate(expected["members"]):
            if tid is not None and num in got and got[num] != tid:
                self.say("%s: member %d is thread %r, truth %d", where, num, got[num], tid)

    def all_tasks(self):
        want = self.truth["tasks"]
        explicit = [t for t in self.report.get("tasks", []) if t.get("kind") in EXPLICIT_KINDS]
        got = collections.Counter(t.get("state") for t in explicit)
        total = len(explicit) - got["completing"]
        if want["explicit_total"] is not None and total != want["explicit_total"]:
            self.say("%d explicit task(s), truth %d", total, want["explicit_total"])
        for state in TASK_STATES + ("completing",):
            if want.get(state) is not None and got[state] != want[state]:
                self.say("%d %s explicit task(s), truth %d", got[state], state, want[state])
        # A total that the target leaves open leaves open whether a task exists before it is submitted, too.
        known = set(TASK_STATES) | {"completing"} | ({"created"} if want["explicit_total"] is None else set())
        for state in sorted(set(got) - known, key=str):
            self.say("%d explicit task(s) in state %r, truth: none", got[state], state)
        for task in explicit:
            if task.get("state") == "running" and task.get("lwp") not in self.tid_of_lwp:
                self.say("task %r runs on LWP %r, which is no thread of the list", task["id"],
                         task.get("lwp"))
        self.task_edges(explicit)

    def task_edges(self, explicit):
        """Each edge that the target knows, by the lines of the two constructs.

        A construct's code may be said to begin on its pragma's line or on the next.
        """
        edges = self.truth.get("task_edges") or []
        lines = [t.get("line") for t in explicit]
        if not edges or self.names is False or (None in lines and not self.names):
            return
        by_id = {(t.get("runtime"), t["id"]): t for t in explicit}

        def stands_on(task, line):
            return task is not None and task.get("line") in (line, line + 1)

        for edge in edges:
            for task in explicit:
                preds = [by_id.get((task.get("runtime"), p)) for p in task.get("depends_on") or []]
                if stands_on(task, edge["line"]) and any(stands_on(p, edge["on_line"]) for p in preds):
                    break
            else:
                self.say("no task of line %d depends on one of line %d", edge["line"], edge["on_line"])
        known = {(e["line"], e["on_line"]) for e in edges}
        known |= {(a, d) for a, b in known for c, d in known if b == c}
        for task in explicit:
            for pred in task.get("depends_on") or []:
                on = by_id.get((task.get("runtime"), pred))
                if not any(stands_on(task, line) and stands_on(on, on_line) for line, on_line in known):
                    self.say("task %r (line %r) is said to depend on task %r, truth: it does not", task["id"],
                             task.get("line"), pred)

    def crash(self):
        signal = self.truth.get("signal")
        if signal is None:
            return
        process = self.report.get("process") or {}
        if process.get("signal") not in (None, signal, SIGNALS[signal]):
            self.say("process ended by %r, truth %s", process.get("signal"), signal)
        lwp = process.get("crashed_lwp")
        if lwp is not None and self.tid_of_lwp.get(lwp) != self.truth["crashed_tid"]:
            self.say("LWP %r is said to have crashed, truth thread %d", lwp, self.truth["crashed_tid"])


def compare(truth, report, names=None, may_be_unknown=()):
    """Returns the differences, one sentence each.

    Args:
      truth: the TRUTH document.
      report: a report of schema 1, with threads, regions and tasks.
      names: True: names and lines must be there; False: the program is
        stripped, so there can be no line; None: compared where given.
      may_be_unknown: fields that may be missing because the runtime at hand
        does not keep them ("wait.owner_lwp").
    """
    if report.get("schema") != 1:
        return ["schema is %r, not 1" % report.get("schema")]
    return _Comparison(truth, report, names, may_be_unknown).run()


def read_truth(text):
    """The TRUTH document in a target's output; None if there is no whole line of it yet."""
    for line in text.splitlines(keepends=True):
        if line.startswith("TRUTH ") and line.endswith("\n"):
            return json.loads(line[len("TRUTH "):])
    return None


def until_observer_sleeps(truth, pid):
    """The thread that writes TRUTH goes to sleep only then: until it does, it may be seen awake."""
    tid = (truth["not_openmp"] or [pid])[0]
    until = time.monotonic() + 10
    while truth["signal"] is None and time.monotonic() < until:
        with open("/proc/%d/task/%d/status" % (pid, tid)) as f:
            if "sleeping" in f.read():
                return
        time.sleep(.01)


def until_all_sleep(pid):
    """Until no thread of the process has run for a while: who waits for others has come to rest too."""
    quiet, looks = 0, 0
    while quiet < 20 and looks < 1000:
        states = []
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/stat" % (pid, task), encoding="utf-8") as stat:
                states.append(stat.read().rsplit(")", 1)[1].split()[0])
        quiet, looks = quiet + 1 if set(states) == {"S"} else 0, looks + 1
        time.sleep(.01)


def main(argv):
    with open(argv[1]) as f:
        text = f.read()
    truth = read_truth(text) or json.loads(text)
    with open(argv[2]) as f:
        report = json.load(f)
    differences = compare(truth, report)
    for sentence in differences:
        print(sentence)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
