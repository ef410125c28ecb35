# SPDX-License-Identifier: Apache-2.0
"""Programs with libgomp linked into them statically: that is said, and no thread is called one of OpenMP or
one that is not deadlocked. Symbols do not matter. Debian has no static libomp."""

import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOURCE = r"""
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *waits(void *unused) { pause(); return unused; }
int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, waits, NULL);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            puts("ready");
            fflush(stdout);
            pause();
        }
    }
#else
    puts("ready GOMP_SPINCOUNT");
    fflush(stdout);
#endif
    pause();
}
"""
WAYS = {"static": ["-static"], "static_pie": ["-static-pie"], "in_dynamic": ["ARCHIVE"]}


def whole_cores():
    """As a shell's: a Java program's child, which a test in Bazel is, has private pages of files too."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    with open("/proc/self/coredump_filter", "w") as f:
        f.write("0x33")


class Static(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        with open(os.path.join(cls.folder, "main.c"), "w") as f:
            f.write(SOURCE)

    def build(self, name, *options):
        cc = ["gcc", "-g", "-std=gnu11", "-fPIC", "-pthread", "main.c", "-o", name]
        subprocess.run(cc + list(options), cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        return os.path.join(self.folder, name)

    def build_static(self, way, strip):
        name = way + ("_stripped" if strip else "")
        if way == "in_dynamic":
            archive = subprocess.run(["gcc", "-print-file-name=libgomp.a"], check=True,
                                     stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()
            self.build("main.o", "-c", "-fopenmp")
            path = os.path.join(self.folder, name)
            subprocess.run(["gcc", "main.o", archive, "-o", path, "-pthread"], cwd=self.folder, check=True)
        else:
            path = self.build(name, "-fopenmp", *WAYS[way])
        if strip:
            subprocess.run(["strip", "-s", path], check=True)
        return path

    def start(self, path):
        process = subprocess.Popen([path], cwd=self.folder, stdout=subprocess.PIPE, universal_newlines=True,
                                   env=dict(os.environ, OMP_WAIT_POLICY="passive"),
                                   preexec_fn=whole_cores)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertIn("ready", process.stdout.readline())
        return process

    def ask(self, *arguments):
        command = [gdbrun.find("command/ompd"), "report", "--json", "--ompd-library",
                   gdbrun.find("ompd/libompd.so.1")] + [str(one) for one in arguments]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)

    def kernel_core(self, process):
        """It has no page of a file that the program has not written."""
        process.send_signal(signal.SIGABRT)
        process.wait()
        return os.path.join(self.folder, next(one for one in os.listdir(self.folder)
                                              if one.startswith("core")))

    def check(self, report, path, threads=3):
        what = "The OpenMP runtime of this process is libgomp, linked statically into %s" % path
        self.assertIn(what, [problem["what"] for problem in report["problems"]])
        self.assertEqual(report["verdict"]["kind"], "unknown")
        self.assertEqual([row["openmp"] for row in report["threads"]], threads * [False])
        self.assertEqual(report["runtimes"], [])

    def test_is_named(self):
        for way in WAYS:
            for strip in (False, True):
                with self.subTest(way=way, strip=strip):
                    path = self.build_static(way, strip)
                    self.check(self.ask("-p", self.start(path).pid), path)

    def test_in_cores_and_in_gdb(self):
        path = self.build_static("static", True)
        process = self.start(path)
        said = gdbrun.gdb('say(document("ompd report -json"))', [path, "-p", str(process.pid)]).said
        self.check(said[0], path)
        core = self.kernel_core(process)
        self.check(self.ask("--core", core), path)
        os.rename(path, path + ".away")
        problems = self.ask("--core", core)["problems"]
        self.assertTrue([one for one in problems if "whether its program contains one cannot be said" in
                         one["why"]], problems)

    def test_others_have_none(self):
        for options in ([], ["-static"]):
            process = self.start(self.build("plain" + "".join(options), *options))
            problems = self.ask("-p", process.pid)["problems"]
            self.assertIn("no file that it has mapped is one", [one["why"] for one in problems])

    def test_the_command_itself(self):
        """It looks for the texts of these runtimes and does not have them."""
        process = subprocess.Popen([gdbrun.find("command/ompd"), "run", "--runtime=own", "--ompd-library",
                                    gdbrun.find("ompd/libompd.so.1"), "--", "sh", "-c",
                                    "echo ready; exec sleep 300"],
                                   stdout=subprocess.PIPE, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        self.assertTrue(process.stdout.readline())
        problems = self.ask("-p", process.pid)["problems"]
        self.assertIn("no file that it has mapped is one", [one["why"] for one in problems])


if __name__ == "__main__":
    xmltest.main()
