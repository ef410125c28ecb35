# SPDX-License-Identifier: Apache-2.0
"""A layout that lacks one fact: the cells that need it are not known, with the reason, and no other cell
changes. Each program is held once, and its core asked by way of the known layout without each fact in turn.

PROGRAMS and RUNTIMES (comma-separated) choose some; STOCK=all: more programs.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import missing_facts
import stock_mutations
import stock_programs
import xmltest

ALL = os.environ.get("STOCK") == "all"
SECONDS = 120
PROGRAMS = {"gomp": ("nested_waits", "ordered_wait", "taskgroup"), "kmp": ("taskwait",)}
MORE = ("barrier", "barrier_parallel", "critical_named", "deadlock", "depend", "detach", "for_dynamic",
        "idle", "idle_some", "lock", "nest_lock", "nested3", "nested_waits", "ordered_wait",
        "parallel_in_task", "queued_tasks", "region_in_task", "single", "spinning", "target",
        "task_final", "task_lock", "task_nested", "task_undeferred", "task_untied", "taskgroup",
        "taskwait", "teams", "user_calls")

WAIT = {"state", "wait.kind", "wait.id", "wait.object", "wait.barrier"}
ARRIVALS = {"wait.arrived", "wait.missing"}
OWNER = {"wait.owner_lwp"}
PLACE = {"thread_num", "team_size", "level", "active_level", "region"}
THREAD = PLACE | WAIT | ARRIVALS | OWNER | {"task"}
RUNNERS = {"task.state", "task.lwp", "task.thread_num", "task.scheduled_over"}
AROUND = THREAD | RUNNERS | {"regions", "region.members", "tasks", "icvs"}
CREATORS = {"task.generator", "region.parent_task", "task.scheduled_over", "task.lwp", "task.thread_num",
            "icvs"}
TASKS_MISSING = {"tasks", "task.children"}
WHOLE, NOTHING = None, (set(), None)

# What each fact costs: the cells, and a program in which all of those in the third place are lost.
GOMP = {
    "gomp_task": WHOLE,
    "gomp_team": WHOLE,
    "gomp_team.implicit_task": WHOLE,
    "gomp_thread.task": WHOLE,
    "gomp_thread.ts.team": WHOLE,
    "gomp_thread.ts.team_id": WHOLE,
    "gomp_thread.ts.level": NOTHING,
    "gomp_thread.ts.active_level": NOTHING,
    "gomp_team.nthreads": NOTHING,
    "gomp_team.barrier.total": NOTHING,
    "gomp_team.prev_ts.level": NOTHING,
    "gomp_team.prev_ts.active_level": NOTHING,
    "gomp_thread.ts.work_share": ({"wait.id", "loops"} | OWNER, "ordered_wait", {"wait.id"} | OWNER),
    "gomp_thread.release": (AROUND, "ordered_wait", {"state", "wait.kind", "wait.id"} | OWNER),
    "gomp_thread.thread_pool": (AROUND | {"openmp"}, "idle", {"openmp", "state"}),
    "gomp_team.prev_ts.team": (AROUND, "nested_waits", PLACE | {"regions", "tasks"}),
    "gomp_team.prev_ts.team_id": (AROUND, "nested_waits", PLACE | {"regions", "tasks"}),
    "gomp_team.master_release": (AROUND, "target", PLACE),
    "gomp_team.ordered_release": (AROUND, "target", PLACE),
    "gomp_team.barrier.generation": (WAIT | ARRIVALS, "barrier", WAIT | ARRIVALS),
    "gomp_team.barrier.awaited": (WAIT | ARRIVALS, "barrier", ARRIVALS),
    "gomp_team.barrier.awaited_final": (WAIT | ARRIVALS, "barrier", ARRIVALS),
    "gomp_team.task_queue.t.root": (TASKS_MISSING, None),
    "gomp_team.task_queue.l.tasks": (TASKS_MISSING, None),
    "gomp_task.parent": (CREATORS | TASKS_MISSING, "nested_waits", {"task.generator", "region.parent_task"}),
    "gomp_task.children_queue.t.root": (TASKS_MISSING, None),
    "gomp_task.children_queue.l.tasks": (TASKS_MISSING, None),
    "gomp_task.taskgroup": (WAIT | TASKS_MISSING, "taskgroup",
                            {"state", "wait.kind", "wait.id", "wait.object"}),
    "gomp_task.dependers": (TASKS_MISSING | {"task.depends_on"}, "depend", {"tasks"}),
    "gomp_task.taskwait": (WAIT, "taskwait", {"state", "wait.kind", "wait.id", "wait.object"}),
    "gomp_task.pnode[0]": (TASKS_MISSING, None),
    "gomp_task.pnode[1]": (TASKS_MISSING, None),
    "gomp_task.pnode[2]": (TASKS_MISSING, None),
    "gomp_task.fn": ({"task.entry"}, "depend", {"task.entry"}),
    "gomp_task.kind": ({"task"} | TASKS_MISSING | WAIT | ARRIVALS | CREATORS, "taskwait", {"task", "tasks"}),
    "gomp_task.final_task": ({"task.final", "icvs"}, "taskwait", {"task.final"}),
    "gomp_task.icv": (OWNER | {"icvs"}, "nested_waits", OWNER | {"icvs"}),
    "gomp_taskgroup.prev": (TASKS_MISSING, None),
    "gomp_taskgroup.taskgroup_queue.t.root": (TASKS_MISSING, None),
    "gomp_taskgroup.taskgroup_queue.l.tasks": (TASKS_MISSING, None),
    "gomp_taskgroup.taskgroup_sem": (WAIT, "taskgroup", {"state", "wait.kind", "wait.id", "wait.object"}),
    "gomp_taskwait.taskwait_sem": (WAIT, "taskwait", {"state", "wait.kind", "wait.id", "wait.object"}),
    "gomp_thread_pool.threads": (WAIT, None),
    "gomp_thread_pool.last_team": (AROUND, "target", PLACE),
    "gomp_thread_pool.threads_dock.bar.generation": (WAIT, None),
}
GOMP["gomp_work_share.ordered_owner"] = (OWNER, "ordered_wait", OWNER)
TASKS = {"task", "tasks", "region.parent_task", "task.generator", "wait.id", "wait.object", "icvs"} | \
    ARRIVALS | OWNER
BEGUN = {"task.state", "task.lwp", "task.thread_num"}
KMP = {
    "kmp_info.th.th_current_task": WHOLE,
    "kmp_info.th.th_info.ds.ds_thread": WHOLE,
    "kmp_info.th.th_info.ds.ds_tid": WHOLE,
    "kmp_info.th.th_team": WHOLE,
    "kmp_team.t.t_nproc": WHOLE,
    "kmp_team.t.t_threads": WHOLE,
    "kmp_info.th.ompt_thread_info.state": NOTHING,
    "kmp_info.th.ompt_thread_info.wait_id": NOTHING,
    "kmp_team.t.t_active_level": NOTHING,
    "kmp_team.t.t_level": (THREAD | {"regions", "tasks", "icvs"}, None),
    "kmp_team.t.t_parent": (THREAD | {"regions", "tasks", "icvs"}, "nested_waits",
                            PLACE | {"regions", "tasks"}),
    "kmp_team.t.t_implicit_task_taskdata": (TASKS | {"task.scheduled_over"}, "taskwait",
                                            {"task", "tasks"}),
    "kmp_team.t.t_master_tid": ({"region.team_num", "task.lwp", "task.thread_num", "icvs"}, None),
    "kmp_team.t.t_pkfn": (set(), None),
    "kmp_taskdata.td_team": (TASKS, "taskwait", {"task", "tasks"}),
    "kmp_taskdata.td_parent": (TASKS, "taskwait", {"task", "tasks"}),
    "kmp_taskdata.td_flags.tasktype": (TASKS, "taskwait", {"task", "tasks"}),
    "kmp_taskdata.td_flags": NOTHING,
    "kmp_taskdata.td_flags.complete": (TASKS, "taskwait", {"task", "tasks"}),
    "kmp_taskdata.td_flags.freed": (TASKS, "taskwait", {"task", "tasks"}),
    "kmp_taskdata.td_flags.started": (BEGUN, "depend", {"task.state"}),
    "kmp_taskdata.td_flags.executing": (BEGUN, "depend", {"task.state"}),
    "kmp_taskdata.td_flags.final": ({"task.final", "icvs"}, "taskwait", {"task.final"}),
    "kmp_taskdata.td_flags.tiedness": ({"task.untied"}, "taskwait", {"task.untied"}),
    "kmp_taskdata.td_flags.task_serial": ({"task.kind"}, None),
    "kmp_taskdata.td_icvs": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_task.routine": ({"task.entry"}, "taskwait", {"task.entry"}),
    "kmp_internal_control.dynamic": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.max_active_levels": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.nproc": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.proc_bind": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.sched.r_sched_type": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.sched.chunk": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.default_device": ({"icvs"}, "barrier", {"icvs"}),
    "kmp_internal_control.thread_limit": ({"icvs"}, "barrier", {"icvs"}),
}
TABLES = {"gomp": GOMP, "kmp": KMP}
# Cells from which "no deadlock", and a proof of one, follow.
GROUNDS = {"openmp", "region", "state", "wait.kind", "wait.object"} | OWNER


def chosen(variable, otherwise):
    return [name for name in os.environ.get(variable, "").split(",") if name] or otherwise


def work():
    for name in chosen("RUNTIMES", ["libgomp-12", "libomp-14"]):
        some = PROGRAMS[stock_programs.RUNTIMES[name].family]
        for program in chosen("PROGRAMS", MORE if ALL else some):
            if stock_programs.runs_on(program, name):
                yield name, program


def known(library):
    """The row of a build that is known."""
    notes = subprocess.run(["readelf", "-n", library], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout
    build_id = next(line.split()[-1] for line in notes.splitlines() if "Build ID" in line)
    folder = os.path.dirname(gdbrun.find("ompd/rows/gomp-12.2.0.json"))
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            row = json.load(file)
        if build_id in row["build_ids"]:
            return row
    raise AssertionError("no layout is known of %s" % library)


def ompd(*arguments):
    done = subprocess.run([gdbrun.find("command/ompd")] + [str(one) for one in arguments] +
                          ["--ompd-library", gdbrun.find("ompd/libompd.so.1")], check=True,
                          stdout=subprocess.PIPE, timeout=SECONDS, universal_newlines=True)
    return done.stdout


class MissingFacts(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, name, program):
        runtime = stock_programs.RUNTIMES[name]
        compiler = next(one for one in runtime.compilers if stock_programs.compiles(program, one))
        os.makedirs(os.path.join(self.folder, "programs"), exist_ok=True)
        path = stock_programs.build(program, compiler, "o0", os.path.join(self.folder, "programs"))
        run = stock_programs.Run(path, program, runtime, os.path.join(self.folder, "run"))
        self.addCleanup(run.stop)
        return run.start()

    def look(self, name, program):
        run = self.start(name, program)
        row = known(run.library)
        table = TABLES[row["family"]]
        with stock_mutations.Asker(run.core(signal.SIGABRT)) as asker:
            right = asker.ask(row)
            facts = [fact for fact in table if fact in row["fields"] or fact in row["sizes"]]
            self.assertGreater(len(facts), 30)
            for fact, changed in missing_facts.withheld(row, facts):
                with self.subTest(fact=fact):
                    self.judge(table[fact], program, right, asker.ask_text(changed))

    def judge(self, cost, program, right, text):
        if cost is WHOLE:
            refused = not text.startswith("{") or \
                not [one for one in json.loads(text)["threads"] if one["openmp"]]
            self.assertTrue(refused, text[:300])
            return
        report = json.loads(text)
        found = missing_facts.changes(right, report)
        silent = {cell for cell, reasons in found.items() if None in reasons}
        self.assertEqual(silent, set(), "without a reason")
        self.assertEqual(set(found) - cost[0], set(), "cells that do not need it")
        if cost[1] == program:
            self.assertEqual(cost[2] - set(found), set(), "cells that need it")
        allowed = stock_mutations.VERDICTS[right["verdict"]["kind"]]
        if not GROUNDS & set(found) or right["verdict"]["kind"] == "suspected":
            allowed += (right["verdict"]["kind"],)
        self.assertIn(report["verdict"]["kind"], allowed + ("unknown",))

    def test_what_is_missing_is_listed(self):
        run = self.start("libgomp-12", "taskgroup")
        path = os.path.join(self.folder, "layout.json")
        fact, layout = next(missing_facts.withheld(known(run.library), ["gomp_taskgroup.taskgroup_sem"]))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(layout, file)
        said = "%s: where a taskgroup's semaphore lies is not in its layout: who waits at the end of a " \
            "taskgroup is not known" % os.path.basename(run.library)
        self.assertIn(said, " ".join(ompd("status", "-p", run.process.pid, "--layout", path).split()), fact)
        document = json.loads(ompd("status", "--json", "-p", run.process.pid, "--layout", path))
        self.assertEqual(document["runtimes"][0]["missing"],
                         [{"fact": "where a taskgroup's semaphore lies",
                           "cost": "who waits at the end of a taskgroup is not known"}])
        script = 'gdb.execute("set ompd layout %s")\nsay(gdb.execute("ompd status", to_string=True))' % path
        answer = gdbrun.gdb(script, [run.path, "-p", str(run.process.pid)], env={"LD_LIBRARY_PATH": ""})
        self.assertIn(said, " ".join(answer.said[0].split()))


def _add(name, program):
    def check(self):
        try:
            self.look(name, program)
        except (stock_programs.NoRuntime, stock_programs.NoRest) as error:
            self.skipTest(str(error))
    setattr(MissingFacts, "test_%s_%s" % (name.replace("-", "_"), program), check)


for _case in work():
    _add(*_case)

if __name__ == "__main__":
    xmltest.main()
