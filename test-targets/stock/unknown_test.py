# SPDX-License-Identifier: Apache-2.0
"""Builds of runtimes that nobody knows: what their code tells is shown, and the rest is said not to be known.

Nothing is wrong by the programs' own word. A layout that a user names is used, also in GDB, and another
vendor's OMPD library says that it takes none. Nor is anything wrong where the environment changes what a
layout takes for granted.
"""

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


def ompd(*arguments):
    """What `ompd` says: its status, both streams in one."""
    done = subprocess.run([gdbrun.find("corefiles/ompd")] + [str(one) for one in arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                          universal_newlines=True)
    return done.returncode, " ".join(done.stdout.split())


class Unknown(unittest.TestCase):
    longMessage = True

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.library = ["--ompd-library", gdbrun.find("ompd/libompd.so.1")]

    def start(self, known, name):
        """NAME on a copy of the runtime KNOWN that is not known."""
        runtime = stock_programs.RUNTIMES[known]
        path = os.path.join(self.folder, "unknown.so")
        try:
            self.build_id = stock_unknown.copy(runtime.file(), path)
        except stock_programs.NoRuntime as error:
            self.skipTest(str(error))
        program = stock_programs.build(name, runtime.compilers[0], "o0", self.folder)
        other = stock_programs.Runtime("unknown", runtime.family, runtime.soname, runtime.compilers,
                                       lambda: path)
        run = stock_programs.Run(program, name, other, os.path.join(self.folder, name))
        self.addCleanup(run.stop)
        return run.start()

    def check(self, run, situations):
        """No cell is wrong. {situation: (right, not known, wrong)}"""
        counts = {}
        for situation, truth, report in stock_situations.reports(run, situations):
            with self.subTest(situation=situation):
                if isinstance(report, Exception):
                    raise report
                result = stock_score.score(truth, report, True)
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
        self.assertIn("Not available: all tasks of the process, including queued ones", text)
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

    def test_the_code_of_libgomp_does_not_tell_enough(self):
        run = self.start("libgomp-12", "lock")
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
