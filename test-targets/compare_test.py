# SPDX-License-Identifier: Apache-2.0
"""compare.py: a right report gives no difference, and each wrong one is caught."""

import copy
import unittest

import compare
import xmltest


def thread(tid, num, state, wait=None, at=None, in_task=False):
    return {"tid": tid, "pthread": hex(0x7F0000000000 + tid), "openmp": True, "state": state,
            "thread_num": num, "team_size": 4, "level": 1, "active_level": 1, "ancestors": [[0, 1], [num, 4]],
            "in_parallel": True, "in_final": False, "region": 0, "wait": wait, "at": at,
            "task_explicit": in_task}


def wait(kind, **fields):
    base = {"kind": kind, "id": None, "owner_tid": None, "owner_ended": False, "name": None, "arrived": None,
            "missing": None}
    base.update(fields)
    return base


# Team of 4: 0 waits for a lock of 1; 1 works; 2 is at a barrier; 3 arrived there and executes a task. A fifth
# thread is idle, a sixth is no OpenMP thread. One task is blocked on the one that runs, one is queued.
TRUTH = {
    "target": "sample", "pid": 10, "signal": None, "crashed_tid": None,
    "threads": [
        thread(10, 0, "wait_lock", wait("lock", id="0x5000", owner_tid=12, name="ledger"),
               {"function": "main", "line": 20}),
        thread(12, 1, "work_parallel"),
        thread(13, 2, "wait_barrier_explicit", wait("barrier", arrived=[2, 3], missing=[0, 1]),
               {"function": "main", "line": 30}),
        thread(14, 3, "work_parallel", in_task=True),
        {"tid": 15, "pthread": "0x7f000000000f", "openmp": True, "state": "idle", "thread_num": None,
         "team_size": None, "level": None, "active_level": None, "ancestors": None, "in_parallel": None,
         "in_final": None, "region": None, "wait": None, "at": None, "task_explicit": False},
    ],
    "not_openmp": [11],
    "regions": [{"level": 1, "team_size": 4, "parent_level": 0, "members": [10, 12, 13, 14]}],
    "tasks": {"explicit_total": 3, "running": 1, "ready": 1, "blocked": 1, "suspended": 0, "completing": 0},
    "task_edges": [{"line": 44, "on_line": 40}],
}


def row(tid, num, state, task, got=None):
    """Kernel ids are 1000 higher outside the container."""
    return {"lwp": tid + 1000, "target_tid": tid, "pthread": hex(0x7F0000000000 + tid), "gdb_num": None,
            "openmp": True, "runtime": 1, "thread_num": num, "team_size": 4, "level": 1, "active_level": 1,
            "region": 2, "task": task, "state": state, "wait": got, "unknown": {}}


def task(ident, kind, state, tid=None, line=None, depends_on=()):
    return {"id": ident, "runtime": 1, "kind": kind, "state": state, "region": 1 if kind == "initial" else 2,
            "generator": None, "lwp": tid and tid + 1000, "function": None, "file": "sample.c", "line": line,
            "depends_on": list(depends_on)}


REPORT = {
    "schema": 1, "complete": True, "problems": [],
    "process": {"pid": 10, "exe": "sample", "core": None, "signal": None, "crashed_lwp": None},
    "runtimes": [{"id": 1, "kind": "companion"}],
    "threads": [
        row(10, 0, "wait_lock", 21,
            {"kind": "lock", "id": "0x5000", "name": "ledger", "owner_lwp": 1012, "owner_task": 22,
             "barrier": None, "arrived": None, "missing": None,
             "at": {"function": "main", "file": "sample.c", "line": 20}}),
        {"lwp": 1011, "target_tid": 11, "pthread": "0x7f000000000b", "openmp": False, "state": None},
        row(12, 1, "work_parallel", 22),
        row(13, 2, "wait_barrier_explicit", 23,
            {"kind": "barrier", "id": "0x9000", "name": None, "owner_lwp": None, "barrier": "explicit",
             "arrived": [2, 3], "missing": [0, 1],
             "at": {"function": "main", "file": "sample.c", "line": 30}}),
        row(14, 3, "work_parallel", 31),
        {"lwp": 1015, "target_tid": 15, "pthread": "0x7f000000000f", "openmp": True, "runtime": 1,
         "thread_num": None, "team_size": None, "level": None, "active_level": None, "region": None,
         "task": None, "state": "idle", "wait": None},
    ],
    "regions": [
        {"id": 1, "runtime": 1, "kind": "initial", "parent": None, "level": 0, "team_size": 1,
         "members": [{"thread_num": 0, "lwp": 1010}]},
        {"id": 2, "runtime": 1, "kind": "parallel", "parent": 1, "level": 1, "team_size": 4,
         "members": [{"thread_num": n, "lwp": 1000 + t} for n, t in enumerate([10, 12, 13, 14])]},
    ],
    "tasks": [
        task(20, "initial", "suspended", 10),
        task(21, "implicit", "running", 10), task(22, "implicit", "running", 12),
        task(23, "implicit", "running", 13), task(24, "implicit", "suspended", 14),
        task(31, "explicit", "running", 14, line=40),
        task(32, "explicit", "ready", line=50),
        # a construct's code begins on the next line
        task(33, "explicit", "blocked", line=45, depends_on=[31]),
    ],
    "edges": [], "icvs": [], "stacks": [],
}


def nested():
    """Truth and report of 2 x 2 nested regions; only the inner ones hold threads."""
    truth = {"target": "nested", "pid": 1, "signal": None, "crashed_tid": None, "threads": [],
             "not_openmp": [],
             "regions": [{"level": 1, "team_size": 2, "parent_level": 0, "members": [1, 3]}],
             "tasks": {"explicit_total": 0}, "task_edges": []}
    report = {"schema": 1, "process": {}, "threads": [], "tasks": [], "regions": [
        {"id": 50, "runtime": 1, "kind": "initial", "parent": None, "level": 0, "team_size": 1,
         "members": [{"thread_num": 0, "lwp": 1}]},
        {"id": 51, "runtime": 1, "kind": "parallel", "parent": 50, "level": 1, "team_size": 2,
         "members": [{"thread_num": 0, "lwp": 1}, {"thread_num": 1, "lwp": 3}]}]}
    for outer in 0, 1:
        tids = [1 + 2 * outer, 2 + 2 * outer]
        truth["regions"].append({"level": 2, "team_size": 2, "parent_level": 1, "members": tids})
        report["regions"].append({"id": 60 + outer, "runtime": 1, "kind": "parallel", "parent": 51,
                                  "level": 2, "team_size": 2,
                                  "members": [{"thread_num": n, "lwp": t} for n, t in enumerate(tids)]})
        for num, tid in enumerate(tids):
            t = thread(tid, num, "work_parallel")
            t.update(team_size=2, level=2, active_level=2, region=1 + outer)
            truth["threads"].append(t)
            r = row(tid, num, "work_parallel", 70 + tid)
            r.update(lwp=tid, team_size=2, level=2, active_level=2, region=60 + outer)
            report["threads"].append(r)
            own = task(70 + tid, "implicit", "running", tid)
            own.update(region=60 + outer, lwp=tid)
            report["tasks"].append(own)
    return truth, report


class CompareTest(unittest.TestCase):
    def setUp(self):
        self.truth = copy.deepcopy(TRUTH)
        self.report = copy.deepcopy(REPORT)

    def row(self, tid):
        return next(r for r in self.report["threads"] if r["target_tid"] == tid)

    def task(self, ident):
        return next(t for t in self.report["tasks"] if t["id"] == ident)

    def differs(self, *parts, **options):
        """One sentence at least, and one of them has all the parts."""
        found = compare.compare(self.truth, self.report, **options)
        self.assertTrue(any(all(p in s for p in parts) for s in found), "%r not in %r" % (parts, found))

    def agrees(self, **options):
        self.assertEqual(compare.compare(self.truth, self.report, **options), [])

    def test_right(self):
        self.agrees()
        self.agrees(names=True)

    def test_right_nested(self):
        self.truth, self.report = nested()
        self.agrees()

    def test_schema(self):
        self.report["schema"] = 2
        self.differs("schema")

    def test_empty_report(self):
        self.report = {"schema": 1}
        self.differs("0 of 5 OpenMP threads")

    def test_thread_missing(self):
        self.report["threads"].remove(self.row(13))
        self.differs("4 of 5 OpenMP threads")
        self.differs("thread 13", "not listed")

    def test_thread_not_recognised(self):
        self.row(12)["openmp"] = False
        self.differs("thread 12", "listed as no OpenMP thread")

    def test_plain_thread_called_openmp(self):
        self.row(11)["openmp"] = True
        self.differs("thread 11", "plain thread")

    def test_stranger_called_openmp(self):
        stranger = copy.deepcopy(self.row(15))
        stranger.update(target_tid=99, lwp=1099)
        self.report["threads"].append(stranger)
        self.differs("thread 99", "unknown to the target")

    def test_thread_twice(self):
        self.report["threads"].append(copy.deepcopy(self.row(12)))
        self.differs("thread 12", "twice")

    def test_pthread(self):
        self.row(12)["pthread"] = "0x1"
        self.differs("thread 12", "pthread")

    def test_pthread_in_other_spelling(self):
        self.row(12)["pthread"] = "0x00007F000000000C"
        self.agrees()

    def test_place(self):
        for key, wrong in (("thread_num", 2), ("team_size", 3), ("level", 2), ("active_level", 0),
                           ("state", "idle")):
            for value in (wrong, None):
                with self.subTest(key=key, value=value):
                    self.report = copy.deepcopy(REPORT)
                    self.row(12)[key] = value
                    self.differs("thread 12", key)

    def test_idle_in_a_team(self):
        self.row(15).update(thread_num=4, region=2)
        self.differs("thread 15", "idle")

    def test_state_of_idle(self):
        self.row(15)["state"] = "work_parallel"
        self.differs("thread 15", "state")

    def test_wait_missing(self):
        self.row(10)["wait"] = None
        self.differs("thread 10", "no wait")

    def test_wait_invented(self):
        self.row(12)["wait"] = {"kind": "lock"}
        self.differs("thread 12", "does not wait")

    def test_wait_fields(self):
        for key, value, word in (("kind", "nest_lock", "wait kind"), ("id", "0x5004", "0x5004"),
                                 ("id", None, "None"), ("owner_lwp", 1013, "owner"),
                                 ("owner_lwp", 12, "owner"), ("owner_lwp", None, "no owner"),
                                 ("owner_ended", True, "ended"), ("name", "drawer", "named"),
                                 ("at", {"line": 21}, "line 21")):
            with self.subTest(key=key, value=value):
                self.report = copy.deepcopy(REPORT)
                self.row(10)["wait"][key] = value
                self.differs("thread 10", word)

    def test_owner_may_be_unknown(self):
        self.row(10)["wait"]["owner_lwp"] = None
        self.row(10)["unknown"] = {"wait.owner_lwp": "no owner kept"}
        self.differs("no owner kept")
        self.agrees(may_be_unknown=("wait.owner_lwp",))

    def test_owner_ended(self):
        self.truth["threads"][0]["wait"].update(owner_tid=9, owner_ended=True)
        self.differs("thread 10", "ended")
        self.row(10)["wait"]["owner_lwp"] = None
        self.differs("thread 10", "does not say")
        self.row(10)["wait"]["owner_ended"] = True
        self.agrees()

    def test_barrier(self):
        for key, value in (("arrived", [2]), ("arrived", None), ("missing", [0]), ("missing", []),
                           ("barrier", "implicit_parallel"), ("barrier", None)):
            with self.subTest(key=key, value=value):
                self.report = copy.deepcopy(REPORT)
                self.row(13)["wait"][key] = value
                self.differs("thread 13", key)

    def test_order_of_arrivals_is_free(self):
        self.row(13)["wait"]["arrived"] = [3, 2]
        self.agrees()

    def test_names(self):
        self.row(10)["wait"].update(name=None, at=None)
        self.row(13)["wait"]["at"] = None
        for ident in (31, 32, 33):
            self.task(ident)["line"] = None
        self.agrees()
        self.agrees(names=False)
        self.differs("named None", names=True)
        self.differs("line None", names=True)
        self.row(10)["wait"]["at"] = {"line": 20}
        self.differs("no line table", names=False)

    def test_current_task(self):
        self.row(12)["task"] = 31
        self.differs("thread 12", "current task")
        self.row(12)["task"] = 999
        self.differs("thread 12", "not in the list of tasks")
        self.row(12)["task"] = 22
        self.task(22)["state"] = "suspended"
        self.differs("thread 12", "not running")

    def test_task_is_of_another_region(self):
        self.task(22)["region"] = 1
        self.differs("thread 12", "of region")

    def test_task_counts(self):
        self.task(32)["state"] = "blocked"
        self.differs("0 ready explicit")
        self.differs("2 blocked explicit")

    def test_task_missing_or_extra(self):
        self.report["tasks"].append(task(34, "undeferred", "suspended"))
        self.differs("4 explicit task(s), truth 3")
        self.report["tasks"] = [t for t in self.report["tasks"] if t["id"] not in (32, 34)]
        self.differs("2 explicit task(s), truth 3")

    def test_task_in_a_state_that_cannot_last(self):
        self.task(32)["state"] = "created"
        self.differs("in state 'created'")

    def test_completing(self):
        self.report["tasks"].append(task(34, "explicit", "completing"))
        self.differs("1 completing")
        self.truth["tasks"]["completing"] = None
        self.agrees()

    def test_unknown_counts(self):
        self.truth["tasks"] = dict.fromkeys(self.truth["tasks"])
        self.report["tasks"] = [t for t in self.report["tasks"] if t["id"] != 32]
        self.agrees()

    def test_edges(self):
        self.task(33)["depends_on"] = []
        self.differs("no task of line 44")
        self.task(33)["depends_on"] = [31, 32]
        self.differs("task 33", "said to depend")

    def test_same_ids(self):
        self.report["tasks"].append(copy.deepcopy(self.task(32)))
        self.differs("two tasks")
        self.report["regions"].append(copy.deepcopy(self.report["regions"][1]))
        self.differs("two regions")

    def test_region_counts(self):
        extra = copy.deepcopy(self.report["regions"][1])
        extra.update(id=3, level=2, team_size=1)
        self.report["regions"].append(extra)
        self.differs("1 region(s) of level 2")
        del self.report["regions"][1:]
        self.differs("0 region(s) of level 1")

    def test_region_of_a_thread(self):
        self.row(12)["region"] = 7
        self.differs("thread 12", "not in the list of regions")
        self.row(12)["region"] = 1
        self.differs("thread 12", "team mates")

    def test_members(self):
        self.report["regions"][1]["members"][1]["lwp"] = 1015
        self.differs("member 1")
        self.report["regions"][1]["members"][1]["thread_num"] = 0
        self.differs("numbered")

    def test_inner_regions_mixed_up(self):
        self.truth, self.report = nested()
        self.row(2)["region"], self.row(4)["region"] = 61, 60
        self.differs("team mates")

    def test_inner_regions_made_one(self):
        self.truth, self.report = nested()
        for r in self.report["threads"]:
            r["region"] = 60
        self.differs("shown in one")

    def test_parents(self):
        self.truth, self.report = nested()
        self.report["regions"][2]["parent"] = 60
        self.differs("its own ancestor")
        self.report["regions"][2]["parent"] = 50
        self.report["regions"][2]["level"] = 3
        self.differs("is of level 3")
        self.report["regions"][2].update(parent=None, level=2)
        self.differs("does not end in an initial region")

    def test_members_of_the_outer_region(self):
        self.truth, self.report = nested()
        self.report["regions"][1]["members"][1]["lwp"] = 4
        self.differs("member 1 is thread 4, truth 3")

    def test_crash(self):
        self.truth.update(signal="SIGSEGV", crashed_tid=14)
        for signal in (None, "SIGSEGV", 11):
            self.report["process"].update(signal=signal, crashed_lwp=1014)
            self.agrees()
        self.report["process"].update(signal="SIGABRT", crashed_lwp=1012)
        self.differs("SIGABRT")
        self.differs("LWP 1012", "crashed")

    def test_read_truth(self):
        self.assertIsNone(compare.read_truth("hello\nTRUTH {"))
        self.assertEqual(compare.read_truth("hello\nTRUTH {\"pid\":1}\n"), {"pid": 1})


class SilenceTest(unittest.TestCase):
    def test_every_leaf_matters_or_is_known_not_to(self):
        """Changes each number and word of the threads, regions and tasks in turn: none may pass unseen but
        these."""
        not_compared = {"gdb_num", "owner_task", "function", "file", "runtime", "generator", "name"}
        for part in ("threads", "regions"):
            for index, entry in enumerate(REPORT[part]):
                if entry.get("kind") == "initial" or entry.get("openmp") is False:
                    continue
                for key, value in entry.items():
                    if value is None or key in not_compared or isinstance(value, (dict, list)):
                        continue
                    if key == "lwp" and entry["state"] == "idle":  # nothing refers to it
                        continue
                    with self.subTest(part=part, index=index, key=key):
                        report = copy.deepcopy(REPORT)
                        report[part][index][key] = (False if value is True else
                                                    value + 7 if isinstance(value, int) else "0xbad")
                        self.assertNotEqual(compare.compare(TRUTH, report), [])


if __name__ == "__main__":
    xmltest.main()
