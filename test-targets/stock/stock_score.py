# SPDX-License-Identifier: Apache-2.0
"""Compares a report with a target's own word (truth.h) cell by cell: right, not known, or wrong.

A cell is not known if its value is null and the row's `unknown` gives the reason under its path. A value
that is null and has no reason there is wrong: nobody could tell it from "there is none".

    result = score(truth, report, lines=False)
    result.cells        # {field: [right, not known, wrong]}
    result.wrong        # a sentence for each
    result.unknown      # as well
"""

import collections
import re

import compare

STRUCTURE = ("thread_num", "team_size", "level", "active_level")
# Fields that "It is right when" of the stock runtimes counts; the others are shown beside.
COUNTED = ("openmp", "thread_num", "team_size", "level", "active_level", "state", "wait.kind", "wait.id",
           "tasks")
STATES_OF_BARRIERS = ("wait_barrier_explicit", "wait_barrier_implicit_parallel",
                      "wait_barrier_implicit_workshare", "wait_barrier_implicit", "wait_barrier_teams")


class Result:
    def __init__(self):
        self.cells = collections.defaultdict(lambda: [0, 0, 0])
        self.wrong, self.unknown = [], []

    def right(self, field, count=1):
        self.cells[field][0] += count

    def not_known(self, field, where, why):
        self.cells[field][1] += 1
        self.unknown.append("%s: %s is not known: %s" % (where, field, why))

    def is_wrong(self, field, where, text, *values):
        self.cells[field][2] += 1
        self.wrong.append("%s: %s" % (where, text % values if values else text))

    def totals(self, fields=None):
        """[right, not known, wrong] of the fields, of all without them."""
        rows = [counts for field, counts in self.cells.items() if fields is None or field in fields]
        return [sum(column) for column in zip(*rows)] if rows else [0, 0, 0]


def _number(value):
    return int(value, 16) if isinstance(value, str) else value


def _reason(row, path):
    """Why PATH of the row is not known; a reason for what it is a part of counts."""
    unknown = row.get("unknown") or {}
    while path:
        if path in unknown:
            return unknown[path]
        path = path.rpartition(".")[0]
    return None


class _Scorer:
    def __init__(self, truth, report, lines, indirect, symbols):
        self.truth, self.report, self.lines, self.indirect = truth, report, lines, indirect
        self.symbols = symbols
        self.result = Result()
        self.rows = {row.get("target_tid") or row.get("lwp"): row for row in report.get("threads", [])}
        self.tid_of_lwp = {row.get("lwp"): tid for tid, row in self.rows.items()}
        # The runtime as a whole is not understood, and the report says so.
        problems = report.get("problems") or []
        self.kinds = {runtime["kind"] for runtime in report.get("runtimes", [])}
        openmp = any(row.get("openmp") for row in self.rows.values())
        self.refused = None if openmp or not problems else problems[0]["what"] + ": " + problems[0]["why"]
        self.tasks = {(task.get("runtime"), task["id"]): task for task in report.get("tasks", [])}

    def run(self):
        for thread in self.truth["threads"]:
            self.thread(thread)
        for tid, row in self.rows.items():
            if row.get("openmp") and tid not in {one["tid"] for one in self.truth["threads"]}:
                self.result.is_wrong("openmp", "thread %s" % tid, "listed as an OpenMP thread, truth: none")
        self.criticals()
        self.regions()
        self.task_numbers()
        return self.result

    def cell(self, where, field, expected, got, row, same=None):
        """One value. SAME compares where `==` does not."""
        if (same or (lambda a, b: a == b))(expected, got):
            self.result.right(field)
        elif got is None or got == "unknown" or (field == "state" and got == "undefined"):
            why = _reason(row, field)
            if why is None and field == "wait.kind":
                why = _reason(row, "state")
            if why is None:
                self.result.is_wrong(field, where, "%s is %r without a reason, truth %r", field, got,
                                     expected)
            else:
                self.result.not_known(field, where, why)
        else:
            self.result.is_wrong(field, where, "%s is %r, truth %r", field, got, expected)

    def thread(self, thread):
        where = "thread %d" % thread["tid"]
        row = self.rows.get(thread["tid"])
        if row is None:
            self.result.is_wrong("openmp", where, "not listed")
            return
        if thread["thread_num"] is not None:
            where += " (number %d, level %d, %s)" % (thread["thread_num"], thread["level"], thread["state"])
        else:
            where += " (idle)"
        if not row.get("openmp"):
            why = _reason(row, "openmp") or _reason(row, "thread_num") or self.refused
            if thread["state"] == "work_serial" and self.kinds == {"libgomp"}:
                why = "libgomp has no record of a thread that has been in no region (docs/runtimes.md)"
            if why:
                self.result.not_known("openmp", where, why)
            else:
                self.result.is_wrong("openmp", where, "not recognised as an OpenMP thread")
            return
        self.result.right("openmp")
        self.cell(where, "pthread", _number(thread["pthread"]), _number(row.get("pthread")), row)
        if thread["state"] == "idle":
            self.cell(where, "state", "idle", row.get("state"), row)
            for field in ("thread_num", "region"):
                if row.get(field) is None:
                    self.result.right(field)
                else:
                    self.result.is_wrong(field, where, "%s is %r, truth: it is idle", field, row[field])
            return
        for field in STRUCTURE:
            self.cell(where, field, thread[field], row.get(field), row)
        if thread["state"] is not None:
            self.cell(where, "state", thread["state"], row.get("state"), row, self.same_state)
        self.wait(where, thread, row)
        self.current_task(where, thread, row)

    @staticmethod
    def same_state(expected, got):
        """gcc calls one routine for several barriers: then the general state is the right one. A runtime that
        knows more of a barrier of which the target claims nothing particular is not wrong either."""
        if expected == got:
            return True
        if expected == "wait_barrier":
            return got in ("wait_barrier_explicit", "wait_barrier_implicit")
        if expected == "wait_barrier_explicit":
            return got == "wait_barrier"
        # clang's barrier at the end of a reduction is one that the implementation needs.
        return expected in STATES_OF_BARRIERS and got in ("wait_barrier", "wait_barrier_implicit",
                                                          "wait_barrier_implementation")

    def wait(self, where, thread, row):
        expected, got = thread["wait"], row.get("wait")
        if expected is None:
            if thread["state"] is None:
                return
            if got is None:
                self.result.right("wait.kind")
            elif got.get("kind") == "unknown" and _reason(row, "wait.kind"):
                self.result.not_known("wait.kind", where, _reason(row, "wait.kind"))
            else:
                self.result.is_wrong("wait.kind", where, "waits for %r, truth: it does not wait",
                                     got.get("kind"))
            return
        got = got or {}
        self.cell(where, "wait.kind", expected["kind"], got.get("kind"), row)
        if self.indirect and got.get("id") is not None:
            expected = dict(expected, id=None)
        if got.get("kind") != expected["kind"]:
            if expected["id"] is not None:
                self.cell(where, "wait.id", _number(expected["id"]), _number(got.get("id")), row)
            return
        if expected["id"] is not None:
            self.cell(where, "wait.id", _number(expected["id"]), _number(got.get("id")), row)
        if expected["kind"] == "barrier":
            self.barrier(where, thread, row, got)
        self.owner(where, expected, row, got)
        self.words(where, thread, row, got)

    def barrier(self, where, thread, row, got):
        kind = compare.BARRIERS.get(thread["state"])
        if kind is not None:
            barrier = got.get("barrier")
            if barrier == kind:
                self.result.right("wait.barrier")
            elif barrier in (None, "unknown"):
                self.result.not_known("wait.barrier", where, _reason(row, "wait.barrier") or "unknown")
            else:
                self.result.is_wrong("wait.barrier", where, "barrier is %r, truth %r", barrier, kind)
        for field in ("arrived", "missing"):
            listed, expected = got.get(field), thread["wait"][field]
            if expected is None:
                continue
            if listed is not None and sorted(listed) == expected:
                self.result.right("wait." + field)
            elif listed is None:
                self.result.not_known("wait." + field, where, _reason(row, "wait." + field) or "null")
            else:
                self.result.is_wrong("wait." + field, where, "%s are %r, truth %r", field, listed, expected)

    def owner(self, where, expected, row, got):
        lwp = got.get("owner_lwp")
        if expected["owner_tid"] is None and not expected["owner_ended"]:
            return
        if expected["owner_ended"]:
            if got.get("owner_ended"):
                self.result.right("owner")
            elif lwp is None and (_reason(row, "wait.owner_lwp") or got.get("owner") == "unknown"):
                self.result.not_known("owner", where, _reason(row, "wait.owner_lwp") or "unknown")
            else:
                self.result.is_wrong("owner", where, "owner is LWP %s, truth: one that has ended", lwp)
        elif got.get("owner_ended"):
            self.result.is_wrong("owner", where, "the owner is said to have ended, truth %r",
                                 expected["owner_tid"])
        elif lwp is not None:
            if self.tid_of_lwp.get(lwp) == expected["owner_tid"]:
                self.result.right("owner")
            else:
                self.result.is_wrong("owner", where, "owner is LWP %s, truth %d", lwp, expected["owner_tid"])
        elif _reason(row, "wait.owner_lwp"):
            self.result.not_known("owner", where, _reason(row, "wait.owner_lwp"))
        else:
            self.result.is_wrong("owner", where, "there is no owner and no reason, truth %d",
                                 expected["owner_tid"])

    def words(self, where, thread, row, got):
        """The object's name and the line, where the report has them."""
        name, line = got.get("name"), (got.get("at") or {}).get("line")
        expected = thread["wait"]["name"]
        is_place = name is not None and (name.startswith("(") or not self.symbols and "+0x" in name)
        if expected is not None and name is not None and not is_place:
            if expected in name or name == "(unnamed)":
                self.result.right("wait.name")
            else:
                self.result.is_wrong("wait.name", where, "it is named %r, truth %r", name, expected)
        at = thread["at"]
        if self.lines and at is not None and line is not None:
            # clang gives the call that enters a critical region the line of its block.
            last = at["line"] + (thread["wait"]["kind"] in ("ordered", "critical"))
            if line in (at["line"], last):
                self.result.right("wait.line")
            else:
                self.result.is_wrong("wait.line", where, "waits at line %r, truth %d", line, at["line"])

    def current_task(self, where, thread, row):
        task = self.tasks.get((row.get("runtime"), row.get("task")))
        if task is None:
            why = _reason(row, "task")
            if why:
                self.result.not_known("task", where, why)
            else:
                self.result.is_wrong("task", where, "its task %r is not in the list", row.get("task"))
            return
        kinds = compare.EXPLICIT_KINDS if thread["task_explicit"] else compare.IMPLICIT_KINDS
        if task.get("kind") in kinds and task.get("state") == "running":
            self.result.right("task")
        else:
            self.result.is_wrong("task", where, "its task is %s, %s; truth: one of %s, running",
                                 task.get("kind"), task.get("state"), " ".join(kinds))

    def criticals(self):
        """Those of one name wait for one thing, those of two names for two."""
        ids = {}
        for thread in self.truth["threads"]:
            row = self.rows.get(thread["tid"])
            wait = (row or {}).get("wait") or {}
            if thread["wait"] and thread["wait"]["kind"] == "critical" == wait.get("kind"):
                where = "thread %d" % thread["tid"]
                if wait.get("id") is None:
                    self.cell(where, "wait.id", "an id", None, row)
                elif ids.setdefault(thread["wait"]["name"], wait["id"]) == wait["id"]:
                    self.result.right("wait.id")
                else:
                    self.result.is_wrong("wait.id", where, "waits for %s, its mates for %s", wait["id"],
                                         ids[thread["wait"]["name"]])
        if len(set(ids.values())) != len(ids):
            self.result.is_wrong("wait.id", "criticals", "two names have one id: %r", ids)

    def regions(self):
        """By compare.py, whose sentences are of regions only here."""
        if not any(row.get("region") is not None for row in self.rows.values()):
            wanted = len(self.truth["regions"])
            if wanted:
                self.result.cells["regions"][1] += wanted
                self.result.unknown.append("no thread's region is known")
            return
        # The initial region of a team of a league has a kind of its own.
        kinds = [dict(region, kind="initial") if region.get("kind") == "teams" else region
                 for region in self.report.get("regions", [])]
        truth = dict(self.truth, threads=[thread for thread in self.truth["threads"]
                                          if not _reason(self.rows.get(thread["tid"], {}), "region")])
        checks = compare._Comparison(truth, dict(self.report, regions=kinds), False, ())
        checks.found = []
        checks.all_regions()
        missing = any("not all regions are known" in problem["what"] for problem in
                      self.report.get("problems") or [])
        for sentence in checks.found:
            counts = re.match(r"(\d+) region\(s\) of .* truth (\d+)$", sentence)
            if missing and counts and int(counts[1]) < int(counts[2]):
                self.result.not_known("regions", "regions", sentence)
            else:
                self.result.is_wrong("regions", "regions", sentence.replace("%", "%%"))
        self.result.right("regions", max(0, 2 * len(self.truth["regions"]) + 1 - len(checks.found)))

    def task_numbers(self):
        want = self.truth["tasks"]
        explicit = [task for task in self.report.get("tasks", [])
                    if task.get("kind") in compare.EXPLICIT_KINDS]
        got = collections.Counter(task.get("state") for task in explicit)
        got["explicit_total"] = len(explicit) - got["completing"]
        for state in ("explicit_total",) + compare.TASK_STATES:
            if want.get(state) is None:
                continue
            if got[state] == want[state]:
                self.result.right("tasks")
            elif got[state] < want[state] and self.tasks_incomplete():
                self.result.not_known("tasks", "tasks", self.tasks_incomplete())
            else:
                self.result.is_wrong("tasks", "tasks", "%d %s explicit task(s), truth %d", got[state], state,
                                     want[state])
        self.edges(explicit)

    def tasks_incomplete(self):
        """The report's own sentence that tasks may be missing."""
        for problem in self.report.get("problems") or []:
            if self.refused:
                return self.refused
            if "task" in problem["what"] + problem["why"]:
                return problem["what"] + ": " + problem["why"]
        return None

    def edges(self, explicit):
        checks = compare._Comparison(self.truth, self.report, self.lines or False, ())
        checks.found = []
        checks.task_edges(explicit)
        for sentence in checks.found:
            if sentence.startswith("no task of line"):
                self.result.not_known("depends_on", "tasks", sentence)
            else:
                self.result.is_wrong("depends_on", "tasks", sentence.replace("%", "%%"))
        if self.truth.get("task_edges") and not checks.found and any(t.get("depends_on") for t in explicit):
            self.result.right("depends_on", len(self.truth["task_edges"]))


def score(truth, report, lines=False, indirect=False, symbols=True):
    """LINES: the program has a line table and is not optimised, so lines are compared where given. INDIRECT:
    the program's lock variables only point to the locks: ids are not compared with their addresses. SYMBOLS:
    it has some; else an object may be named by its place in the file."""
    return _Scorer(truth, report, lines, indirect, symbols).run()
