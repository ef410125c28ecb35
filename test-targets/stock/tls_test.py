# SPDX-License-Identifier: Apache-2.0
"""libgomp 12 built so that its thread-local storage may be anywhere: found by __tls_get_addr, or by a
descriptor. It is a program's own, and one that is loaded later, when the loader has no static storage left,
so that each thread's record is a block of its own (tls/held.c)."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import build_runtimes
import debian
import gdbrun
import runtime_sources
import stock_programs
import stock_score
import stock_situations
import xmltest

PACKAGE, TARBALL = "gcc-12-source", "usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz"
FLAGS = ("shared-tls", "shared-tls-gnu2")
PROGRAMS = ("barrier", "idle", "lock", "nested_waits", "taskwait")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tls", "held.c")
TEAM, LOOKS = 3, 100


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        try:
            tarball = debian.unpacked(PACKAGE, TARBALL)
        except debian.Unusable as error:
            raise unittest.SkipTest(str(error))
        source = next(one for one in runtime_sources.SOURCES if one.name == "gcc-12")
        runtime_sources.unpack_gcc([tarball], os.path.join(cls.folder, "sources", source.name))
        cls.builds = [build_runtimes.Build(source, flags) for flags in FLAGS]
        for build in cls.builds:
            result = build_runtimes.make(build, cls.folder)
            assert result == "built", result

    def library(self, build):
        return os.path.join(self.folder, "builds", build.name, "stripped.so")

    def test_programs(self):
        for build in self.builds:
            runtime = stock_programs.Runtime("libgomp-12", "gomp", "libgomp.so.1", ("gcc",),
                                             lambda path=self.library(build): path)
            for name in PROGRAMS:
                program = stock_programs.build(name, "gcc", "o0", self.folder)
                run = stock_programs.Run(program, name, runtime, os.path.join(self.folder, build.name + name))
                self.addCleanup(run.stop)
                run.start()
                for situation, truth, report in stock_situations.reports(run, {"-p", "kernel core"}):
                    with self.subTest(build=build.name, name=name, situation=situation):
                        if isinstance(report, Exception):
                            raise report
                        result = stock_score.score(truth, report, True)
                        self.assertEqual(result.wrong, [])
                        right, unknown, _ = result.totals(stock_score.COUNTED)
                        self.assertGreater(right, 9 * unknown)
                run.stop()

    def members(self, pid):
        """{thread ID: number} of the team, as soon as two are seen at the barrier."""
        command = [gdbrun.find("command/ompd"), "threads", "--json", "-p", str(pid), "--ompd-library",
                   gdbrun.find("ompd/libompd.so.1")]
        for _ in range(LOOKS):
            done = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True)
            threads = json.loads(done.stdout)["threads"]
            if sum(one["state"] == "wait_barrier" for one in threads) == TEAM - 1:
                return {one["lwp"]: one["thread_num"] for one in threads if one["team_size"] == TEAM}
            time.sleep(0.1)
        self.fail("no two threads are seen at the barrier: %s" % threads)

    def test_a_library_that_is_loaded_later(self):
        plugin = os.path.join(self.folder, "held.so")
        subprocess.run(["gcc", "-D_GNU_SOURCE", "-g", "-fopenmp", "-shared", "-fPIC", SOURCE, "-o", plugin],
                       check=True)
        for build in self.builds:
            with self.subTest(build=build.name):
                place = os.path.join(self.folder, build.name)
                os.makedirs(place)
                shutil.copy(self.library(build), os.path.join(place, "libgomp.so.1"))
                env = dict(os.environ, LD_LIBRARY_PATH=place, OMP_WAIT_POLICY="passive",
                           GLIBC_TUNABLES="glibc.rtld.optional_static_tls=0")
                process = subprocess.Popen([sys.executable, os.path.abspath(__file__), plugin], env=env,
                                           stdout=subprocess.PIPE, universal_newlines=True)
                self.addCleanup(process.stdout.close)
                self.addCleanup(process.wait)
                self.addCleanup(process.kill)
                said = [process.stdout.readline().split() for _ in range(TEAM)]
                self.assertEqual(self.members(process.pid), {int(tid): int(number) for tid, number in said})


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].endswith(".so"):
        ctypes.CDLL(sys.argv[1]).held()
    xmltest.main()
