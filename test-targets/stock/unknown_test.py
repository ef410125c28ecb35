# SPDX-License-Identifier: Apache-2.0
"""Builds of runtimes that nobody knows: what their code tells is shown, and the rest is said not to be known.

Nothing is wrong by the programs' own word. A layout that a user names is used, also in GDB, and another
vendor's OMPD library says that it takes none. Nor is anything wrong where the environment changes what a
layout takes for granted.
"""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import debian
import gdbrun
import stock_programs
import stock_score
import stock_situations
import stock_unknown
import xmltest

SECONDS = 120
ALL = os.environ.get("STOCK") == "all"
# What stands on these is known of a libomp whose code is all that there is of it.
KMP_FIELDS = ("kmp_team.t.t_pkfn", "kmp_taskdata.td_incomplete_child_tasks", "kmp_taskdata.td_taskgroup",
              "kmp_taskgroup.parent", "kmp_task_team.tt.tt_threads_data", "kmp_thread_data.td.td_deque",
              "kmp_thread_data.td.td_deque_ntasks", "kmp_depnode.dn.npredecessors", "kmp_depnode_list.next",
              "kmp_info.th.th_bar", "kmp_balign.bb.b_arrived", "kmp_balign.bb.b_go", "kmp_team.t.t_bar",
              "kmp_queuing_lock.lk.head_id", "kmp_info.th.th_spin_here", "kmp_info.th.th_next_waiting",
              "kmp_indirect_lock.lock", "kmp_indirect_lock_table.next")
KMP_SIZES = ("kmp_taskdata", "kmp_internal_control", "kmp_thread_data", "kmp_balign", "kmp_balign_team",
             "kmp_indirect_lock")
GOMP_PROGRAMS = ("barrier", "critical_named", "depend", "idle", "lock", "nest_lock", "nested_waits",
                 "ordered_wait", "queued_tasks", "taskgroup", "taskwait")


def chosen(variable, otherwise):
    return [name for name in os.environ.get(variable, "").split(",") if name] or otherwise


def rows(family="gomp"):
    folder = os.path.dirname(gdbrun.find("ompd/rows/gomp-12.2.0.json"))
    for path in sorted(glob.glob(os.path.join(folder, family + "-*.json"))):
        with open(path, encoding="utf-8") as file:
            yield json.load(file)


def ompd(*arguments):
    """What `ompd` says: its status, both streams in one."""
    done = subprocess.run([gdbrun.find("command/ompd")] + [str(one) for one in arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                          universal_newlines=True)
    return done.returncode, " ".join(done.stdout.split())


class Unknown(unittest.TestCase):
    longMessage = True

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.library = ["--ompd-library", gdbrun.find("ompd/libompd.so.1")]

    def start(self, known, name, other=None):
        """NAME on a copy of the runtime KNOWN that is not known. OTHER: a function that it has otherwise."""
        runtime = stock_programs.RUNTIMES[known]
        path = os.path.join(self.folder, "unknown.so")
        try:
            self.build_id = stock_unknown.copy(runtime.file(), path)
            if other:
                stock_unknown.displace(path, other)
        except stock_programs.NoRuntime as error:
            self.skipTest(str(error))
        compiler = next(one for one in runtime.compilers if stock_programs.compiles(name, one))
        program = stock_programs.build(name, compiler, "o0", self.folder)
        copied = stock_programs.Runtime("unknown", runtime.family, runtime.soname, runtime.compilers,
                                        lambda: path)
        run = stock_programs.Run(program, name, copied, os.path.join(self.folder, name))
        self.addCleanup(run.stop)
        return run.start()

    def check(self, run, situations, indirect=False):
        """No cell is wrong. {situation: (right, not known, wrong)}"""
        counts = {}
        for situation, truth, report in stock_situations.reports(run, situations):
            with self.subTest(situation=situation):
                if isinstance(report, Exception):
                    raise report
                result = stock_score.score(truth, report, True, indirect)
                self.assertEqual(result.wrong, [])
                counts[situation] = tuple(result.totals(stock_score.COUNTED))
        return counts

    def test_the_code_of_libomp_tells_most(self):
        for name in ("lock", "nested_waits", "taskwait", "taskloop"):
            run = self.start("libomp-14", name)
            counts = self.check(run, {"-p", "attach", "kernel core", "GDB core"})
            for situation, (right, unknown, _) in counts.items():
                with self.subTest(name=name, situation=situation):
                    self.assertGreater(right, 9 * unknown)

    def test_where_its_layout_comes_from_is_said(self):
        run = self.start("libomp-14", "lock")
        status, text = ompd("status", "-p", run.process.pid, *self.library)
        self.assertEqual(status, 0, text)
        self.assertIn("layout read from the code of %s; build-id %s" % (run.library, self.build_id[:8]), text)
        self.assertIn(" Available: all tasks of the process, including queued ones", text)
        _, text = ompd("status", "--json", "-p", run.process.pid, *self.library)
        self.assertEqual([one["found_how"] for one in json.loads(text)["runtimes"]],
                         ["decoded from its code"])

    def test_without_the_file_a_core_is_not_explained(self):
        run = self.start("libomp-14", "lock")
        core = run.core(6)
        run.hide_library()
        _, text = ompd("threads", "--core", core, *self.library)
        self.assertIn("no layout is known for the library with the build-id " + self.build_id, text)
        self.assertIn("there is no file for it here", text)
        self.assertNotIn("0/4", text)

    def test_the_code_of_libgomp_tells_most(self):
        names = chosen("PROGRAMS", sorted(stock_programs.programs()) if ALL else GOMP_PROGRAMS)
        for name in names:
            if not stock_programs.runs_on(name, "libgomp-12") or name in stock_programs.CRASHING:
                continue
            run = self.start("libgomp-12", name)
            indirect = ("libgomp-12", name) in stock_programs.INDIRECT
            situations = {"-p", "attach", "kernel core", "GDB core"} if name in GOMP_PROGRAMS else {"-p"}
            counts = self.check(run, situations, indirect)
            run.stop()
            print("%s: %s" % (name, counts))
            for situation, (right, unknown, _) in counts.items() if name in GOMP_PROGRAMS else ():
                with self.subTest(name=name, situation=situation):
                    self.assertGreater(right, 9 * unknown)

    def test_what_the_code_of_libgomp_does_not_tell(self):
        run = self.start("libgomp-12", "for_dynamic")
        status, text = ompd("status", "-p", run.process.pid, *self.library)
        self.assertEqual(status, 0, text)
        self.assertIn("layout read from the code of %s; build-id %s" % (run.library, self.build_id[:8]), text)
        status, text = ompd("loops", "-p", run.process.pid, *self.library)
        self.assertIn("it is not known where this runtime records loops", text)

    def each_row(self, family, check):
        """What the code of each runtime of FAMILY at hand tells is in its row. CHECK gets both."""
        found = 0
        for name, runtime in stock_programs.EVERY.items():
            if runtime.family != family or (runtime.suite and not stock_programs.IN_ROOT):
                continue
            if name in stock_programs.OLDER and not ALL:
                continue
            with self.subTest(name=name):
                done = subprocess.run([gdbrun.find("command/ompd"), "layout", runtime.file()],
                                      stdout=subprocess.PIPE, check=True, timeout=SECONDS)
                decoded = json.loads(done.stdout.decode())
                row = next(one for one in rows(family) if decoded["fingerprint"] == one["fingerprint"])
                for part in ("fields", "variables", "constants"):
                    self.assertEqual(decoded[part], {key: row[part].get(key) for key in decoded[part]})
                check(decoded, row)
                found += 1
        self.assertGreater(found, 0)

    def test_the_code_tells_what_the_layout_says(self):
        """Of each libgomp at hand the row has what its code alone tells, and more."""
        def check(decoded, row):
            for size in ("gomp_team", "gomp_task", "gomp_task_icv"):
                self.assertEqual(decoded["sizes"][size], row["sizes"][size])
            for part in ("sites", "spins", "functions"):
                self.assertEqual(decoded[part], row[part])
            self.assertGreater(len(decoded["fields"]), 70)
        self.each_row("gomp", check)

    def test_the_code_of_libomp_tells_what_the_layout_says(self):
        """Of each libomp at hand what its code tells is in the row, which is made of its debug information or
        headers, and nothing of KMP_FIELDS is missing."""
        def check(decoded, row):
            self.assertEqual([one for one in KMP_FIELDS if one not in decoded["fields"]], [])
            for size in KMP_SIZES:
                self.assertEqual(decoded["sizes"][size], row["sizes"][size])
        self.each_row("kmp", check)

    def test_code_that_is_not_understood(self):
        """omp_in_final, which the program does not call, takes another byte for that of a final task."""
        run = self.start("libgomp-12", "lock", "omp_in_final")
        for command in ("threads", "status", "report"):
            _, text = ompd(command, "-p", run.process.pid, *self.library)
            self.assertIn("no layout is known for the library with the build-id " + self.build_id, text)
            self.assertIn("its code alone does not say where the members of libgomp's structures lie", text)
        answer = gdbrun.gdb('say(document("ompd report -json"))', [run.path, "-p", str(run.process.pid)],
                            env={"LD_LIBRARY_PATH": ""})
        report = answer.said[0]
        self.assertEqual([one for one in report["threads"] if one["openmp"]], [])
        self.assertIn(self.build_id, json.dumps(report["problems"]))

    def row(self):
        """A layout of the runtime: that of the build which it is a copy of."""
        with open(gdbrun.find("ompd/rows/gomp-12.2.0.json"), encoding="utf-8") as file:
            row = dict(json.load(file), build_ids=[self.build_id], fingerprint="")
        path = os.path.join(self.folder, "row.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(row, file)
        return path

    def test_a_layout_that_is_named_is_used(self):
        run = self.start("libgomp-12", "nested_waits")
        row = self.row()
        status, text = ompd("report", "--json", "-p", run.process.pid, "--layout", row, *self.library)
        self.assertEqual(status, 0, text)
        script = 'gdb.execute("set ompd layout %s")\nsay(document("ompd report -json"))' % row
        answer = gdbrun.gdb(script, [run.path, "-p", str(run.process.pid)], env={"LD_LIBRARY_PATH": ""})
        for report in (json.loads(text), answer.said[0]):
            result = stock_score.score(run.truth, report, True)
            self.assertEqual(result.wrong, [])
            right, unknown, _ = result.totals(stock_score.COUNTED)
            self.assertGreater(right, 9 * unknown)
        _, text = ompd("status", "-p", run.process.pid, "--layout", row, *self.library)
        self.assertIn("Structures: known by a layout file (row gomp-12.2.0)", text)

    def test_a_library_of_another_vendor_takes_no_layout(self):
        run = self.start("libgomp-12", "lock")
        row = self.row()
        try:
            vendor = debian.unpacked("libomp-14-dev", "usr/lib/llvm-14/lib/libompd.so")
        except debian.Unusable as error:
            self.skipTest(str(error))
        status, text = ompd("threads", "-p", run.process.pid, "--layout", row, "--ompd-library", vendor)
        self.assertEqual(status, 2)
        self.assertEqual(text, "ompd: The layout %s cannot be used: the OMPD library takes no layouts." % row)

    def test_fewer_hidden_helpers(self):
        runtime = stock_programs.RUNTIMES["libomp-14"]
        for name in ("nested", "roots"):
            program = stock_programs.build(name, "clang", "o0", self.folder)
            run = stock_programs.Run(program, name, runtime, os.path.join(self.folder, name),
                                     {"LIBOMP_NUM_HIDDEN_HELPER_THREADS": "2"})
            self.addCleanup(run.stop)
            with self.subTest(name=name):
                right, unknown, _ = self.check(run.start(), {"-p"})["-p"]
                self.assertGreater(right, 9 * unknown)


if __name__ == "__main__":
    xmltest.main()
