# SPDX-License-Identifier: Apache-2.0
"""stock_score.py: a value that differs is wrong, one that is left out without a reason too."""

import copy
import unittest

import stock_score
import xmltest

LOCK = {"kind": "lock", "id": "0x1000", "owner_tid": 11, "owner_ended": False, "name": "grid",
        "arrived": None, "missing": None}


def thread(tid, number, state, wait=None):
    return {"tid": tid, "pthread": hex(tid * 16), "openmp": True, "state": state, "thread_num": number,
            "team_size": 2, "level": 1, "active_level": 1, "region": 0, "wait": wait, "at": None,
            "task_explicit": False}


TRUTH = {"threads": [thread(11, 0, "work_parallel"), thread(12, 1, "wait_lock", LOCK),
                     dict(thread(13, None, "idle"), team_size=None, level=None, active_level=None,
                          region=None)],
         "not_openmp": [14], "signal": None, "task_edges": [],
         "regions": [{"level": 1, "team_size": 2, "parent_level": 0, "members": [11, 12]}],
         "tasks": {"explicit_total": 0, "running": 0, "ready": 0, "blocked": 0, "suspended": 0}}


def row(tid, number, state, wait=None):
    return {"lwp": tid, "target_tid": tid, "pthread": hex(tid * 16), "openmp": True, "runtime": 1,
            "thread_num": number, "team_size": 2, "level": 1, "active_level": 1, "region": 5,
            "task": 20 + number, "state": state, "wait": wait, "unknown": {}}


def report():
    """One that is right."""
    wait = {"kind": "lock", "id": "0x1000", "owner": "thread", "owner_lwp": 11, "owner_ended": False,
            "name": "grid", "at": None}
    idle = dict(row(13, 0, "idle"), thread_num=None, team_size=None, level=None, active_level=None,
                region=None, task=None)
    members = [{"thread_num": 0, "lwp": 11}, {"thread_num": 1, "lwp": 12}]
    return {"schema": 1, "problems": [], "tasks": [
        {"id": 20 + n, "runtime": 1, "kind": "implicit", "state": "running"} for n in (0, 1)],
        "regions": [{"id": 4, "runtime": 1, "kind": "initial", "parent": None, "level": 0, "team_size": 1},
                    {"id": 5, "runtime": 1, "kind": "parallel", "parent": 4, "level": 1, "team_size": 2,
                     "members": members}],
        "threads": [row(11, 0, "work_parallel"), row(12, 1, "wait_lock", wait), idle,
                    {"lwp": 14, "target_tid": 14, "openmp": False, "unknown": {}}]}


class Score(unittest.TestCase):
    def changed(self, change):
        document = copy.deepcopy(report())
        change(document["threads"][1], document)
        return stock_score.score(TRUTH, document)

    def test_right(self):
        result = stock_score.score(TRUTH, report())
        self.assertEqual((result.wrong, result.unknown), ([], []))
        self.assertEqual(result.cells["thread_num"], [3, 0, 0])
        self.assertEqual(result.cells["wait.id"], [1, 0, 0])
        self.assertEqual(result.cells["owner"], [1, 0, 0])

    def test_wrong(self):
        for field, value in (("thread_num", 0), ("team_size", 3), ("level", 0), ("state", "idle"),
                             ("wait", None), ("region", 4), ("task", 99), ("openmp", False)):
            with self.subTest(field):
                result = self.changed(lambda thread, _: thread.update({field: value}))
                self.assertNotEqual(result.wrong, [])
        for field, value in (("kind", "barrier"), ("id", "0x1008"), ("owner_lwp", 13), ("name", "other"),
                             ("owner_ended", True)):
            with self.subTest("wait." + field):
                result = self.changed(lambda thread, _: thread["wait"].update({field: value}))
                self.assertNotEqual(result.wrong, [])

    def test_of_what_is_left_out_the_reason_counts(self):
        for path in ("thread_num", "team_size", "level", "state", "wait.kind", "wait.id", "wait.owner_lwp"):
            def leave_out(thread, _):
                part = thread["wait"] if path.startswith("wait.") else thread
                part[path.rpartition(".")[2]] = None
            silent = self.changed(leave_out)
            self.assertNotEqual(silent.wrong, [], path)

            def with_reason(thread, document):
                leave_out(thread, document)
                thread["unknown"][path] = "not recorded"
            said = self.changed(with_reason)
            self.assertEqual(said.wrong, [], path)
            self.assertNotEqual(said.unknown, [], path)

    def test_another_thread_is_none_of_openmp(self):
        result = self.changed(lambda _, document: document["threads"][3].update(openmp=True))
        self.assertNotEqual(result.wrong, [])

    def test_tasks(self):
        task = {"id": 90, "runtime": 1, "kind": "explicit", "state": "ready"}
        self.assertNotEqual(self.changed(lambda _, document: document["tasks"].append(task)).wrong, [])


if __name__ == "__main__":
    xmltest.main()
