# SPDX-License-Identifier: Apache-2.0
"""LLVM's own GDB plugin with our libompd.so on Companion: live and on a core, for programs of clang and gcc.

What it prints is compared with the target's truth. What it gets wrong by itself, whatever library it has, is
listed in docs/interoperation.md and left out here. """

import json
import os
import re
import tempfile
import unittest

import compare
import debian
import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _file:
    TARGETS = {target["name"]: target for target in json.load(_file)["targets"]}
ASKED = {"OMP_SCHEDULE": "guided,7", "OMP_THREAD_LIMIT": "777", "OMP_NUM_THREADS": "9,8,7,6",
         "OMP_PROC_BIND": "close"}
# For each OpenMP thread: what the plugin says of it once it is selected.
LOOK = """
threads = {t.ptid[1]: t.num for t in gdb.selected_inferior().threads()}
for tid, num in sorted(threads.items()):
    if tid in OPENMP:
        gdb.execute("thread %d" % num, to_string=True)
        row = {name: run("ompd " + name) for name in ("parallel", "icvs")}
        # bt prints straight to the terminal when a filter is at work, unless its text is asked for.
        for command in ("ompd bt on", "bt", "ompd bt off"):
            row[command] = run(command)
        say([tid, row])
say(run("ompd threads"))
"""
LIVE = """
say(run("ompd init"))
gdb.execute("break held", to_string=True)
say(run("continue"))
say(run("ompd threads"))
# The one at the breakpoint is the target's observer, which is no OpenMP thread: the plugin fails on those.
OPENMP = {t.ptid[1] for t in gdb.selected_inferior().threads()} - {gdb.selected_thread().ptid[1]}
"""
ROW = re.compile(r" *(\d+) (?:\(master\)|        ) (ompt_state_\w+) +(\d+) +(0x[0-9a-f]+) (\S+) ")
REGION = re.compile(r"Parallel Region: Nesting Level (\d+): Team Size: (\d+)")
THREAD = re.compile(r"Thread (\d+) \((\d+)\) is (?:no OpenMP thread|an OpenMP thread; state: "
                    r"ompt_state_(\w+))")


def _plugin(version):
    try:
        script = debian.unpacked("libomp-%d-dev" % version,
                                 "usr/lib/llvm-%d/share/gdb/python/ompd/__init__.py" % version)
    except debian.Unusable as error:
        raise unittest.SkipTest(str(error)) from None
    return script


class Plugin(unittest.TestCase):
    def setUp(self):
        # It loads the library by the names that the runtime publishes, through the loader's path.
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.symlink(os.path.realpath(gdbrun.find("ompd/libompd.so.1")),
                   os.path.join(self.folder, "libompd.so.1"))

    def gdb(self, version, target, script, *arguments):
        env = dict(target["env"], TRUTH_HOLD_SECONDS="120", TRUTH_TIMEOUT="60", LD_LIBRARY_PATH=self.folder,
                   **ASKED)
        answer = gdbrun.gdb(script, arguments, plugin=_plugin(version), env=env)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def live(self, version, name):
        target = TARGETS[name]
        answer = self.gdb(version, target, LIVE + LOOK, "--args", os.path.join(DIR, target["exe"]),
                          *target["args"])
        truth = compare.read_truth(answer.out)
        self.assertIn("Loaded OMPD lib successfully!", answer.said[0][0])
        rows = {int(tid): state for _num, tid, state in THREAD.findall(answer.said[2][0])}
        for thread in truth["threads"]:
            # A thread that began before `ompd init`, as clang's programs' first one: the plugin never learns
            # of it.
            if thread["tid"] != truth["pid"] or rows[thread["tid"]]:
                self.assertEqual(rows[thread["tid"]], thread["state"])
        for tid in truth["not_openmp"]:
            self.assertEqual(rows[tid], "")
        self.check(truth, answer.said[3:])

    def core(self, version, name):
        target = TARGETS[name]
        core = os.path.join(self.folder, "core")
        made = self.gdb(version, target,
                        'for c in ("break held", "run", "gcore %s"): gdb.execute(c, to_string=True)' % core,
                        "--args", os.path.join(DIR, target["exe"]), *target["args"])
        truth = compare.read_truth(made.out)
        openmp = [thread["tid"] for thread in truth["threads"]]
        script = 'OPENMP = %r\nsay(run("ompd init"))\n' % openmp + LOOK
        answer = self.gdb(version, target, script, os.path.join(DIR, target["exe"]), core)
        self.assertIn("Loaded OMPD lib successfully!", answer.said[0][0])
        self.check(truth, answer.said[1:])

    def check(self, truth, said):
        rows = dict(said[:-1])
        for thread in truth["threads"]:
            with self.subTest(thread=thread["tid"]):
                row = rows[thread["tid"]]
                self.check_parallel(thread, truth, row["parallel"])
                self.check_icvs(thread, row["icvs"])
                self.check_stack(thread, row)
        # Every thread was selected once, so the plugin knows them all.
        states = {int(tid): state for _num, tid, state in THREAD.findall(said[-1][0])}
        expected = {thread["tid"]: thread["state"] for thread in truth["threads"]}
        self.assertEqual(states, expected | {tid: "" for tid in truth["not_openmp"]})

    def check_parallel(self, thread, truth, answer):
        text, error = answer
        self.assertIsNone(error)
        by_tid = {one["tid"]: one for one in truth["threads"]}
        regions = REGION.findall(text)
        self.assertEqual([(int(level), int(size)) for level, size in regions],
                         [(level, thread["ancestors"][level][1]) for level in range(thread["level"], 0, -1)])
        rows = [ROW.match(line) for line in text.splitlines() if "ompt_state_" in line]
        self.assertNotIn(None, rows)
        members = truth["regions"][thread["region"]]["members"]
        for number, member in enumerate(members):
            self.assertEqual(int(rows[number][1]), number)
            self.assertEqual(rows[number][2], "ompt_state_" + by_tid[member]["state"])
            wait = by_tid[member]["wait"]
            if wait is not None and wait["id"] is not None:
                self.assertEqual(int(rows[number][3]), int(wait["id"], 16))
            self.assertRegex(rows[number][5], "omp_outlined|_omp_fn")

    def check_icvs(self, thread, answer):
        text, error = answer
        self.assertIsNone(error)
        # Name, scope, value; that of tool-libraries-var is empty.
        values = {words[0]: " ".join(words[2:]) for words in map(str.split, text.splitlines())
                  if words and words[0].endswith("-var")}
        expected = {"levels-var": thread["level"], "active-levels-var": thread["active_level"],
                    "team-size-var": thread["team_size"], "ompd-thread-num-var": thread["thread_num"],
                    "ompd-implicit-var": int(not thread["task_explicit"]),
                    "ompd-final-var": int(thread["in_final"]),
                    "run-sched-var": ASKED["OMP_SCHEDULE"], "thread-limit-var": ASKED["OMP_THREAD_LIMIT"],
                    "ompd-num-procs-var": len(os.sched_getaffinity(0)), "dyn-var": 0}
        for name, value in expected.items():
            self.assertEqual(values.get(name), str(value), name)
        self.assertNotIn("None", values.values())

    def check_stack(self, thread, said):
        """Its filter keeps the task's own frames, and hides those of the runtime that are below them."""
        self.assertIn('Enabled filter for "bt" output successfully.', said["ompd bt on"][0])
        text, error = said["bt"]
        self.assertIsNone(error)
        self.assertIn('"#pragma omp %s"' % ("task" if thread["task_explicit"] else "parallel"), text)
        if thread["wait"] is None:
            self.assertIn("busy_here", text)
            self.assertNotRegex(text, r"\b(rt_\w+|__kmpc_\w+|GOMP_\w+|start_thread)\b")


def _make(situation, version, name):
    return lambda self: getattr(self, situation)(version, name)


for _version, _names in ((19, ("nested", "deadlock_gcc", "barrier")), (16, ("nested_gcc",))):
    for _situation in ("live", "core"):
        for _name in _names:
            setattr(Plugin, "test_%s_%s_%d" % (_situation, _name, _version),
                    _make(_situation, _version, _name))

if __name__ == "__main__":
    xmltest.main()
