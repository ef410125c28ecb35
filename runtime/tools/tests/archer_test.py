# SPDX-License-Identifier: Apache-2.0
"""Archer, LLVM's race detector for OpenMP, on Companion: it finds each planted race of archer_program.c and
has nothing to say of its other cases. Archer is an OMPT tool that was written for libomp, so it is also a
judge of our events.

    archer_test.py RUNTIME PROGRAM.C HEADERS

The libraries are Debian's, of three releases: downloaded and unpacked, not installed (tools/debian.py).
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import debian
import xmltest

RUNTIME, SOURCE, HEADERS = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:]
RACES = {"race_region", "race_lock", "race_nowait", "race_tasks", "race_dependence"}
FOUND = 66  # the exit code for a report

# Stands for Archer where only matters whether it is loaded and asked; and a tool that a user names.
TOOL = '''
#include <omp-tools.h>
#include <stdio.h>
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) { return 1; }
static void finalize(ompt_data_t *data) {}
__attribute__((constructor)) static void loaded(void) { puts(NAME " loaded"); }
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    puts(NAME " asked");
    return &tool;
}
'''
# What a program sees that has more rights than its user.
SECURE = '''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>
unsigned long getauxval(unsigned long type)
{
    return type == AT_SECURE ? 1 : ((unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval"))(type);
}
'''
PLAIN = '''
#include <stdio.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(2)
    sum++;
    printf("%d\\n", sum);
    return 0;
}
'''


class Archer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        os.symlink(RUNTIME, os.path.join(cls.scratch, "libompcompanion.so.1"))
        os.symlink(RUNTIME, os.path.join(cls.scratch, "libomp.so"))
        cls.program = os.path.join(cls.scratch, "program")
        subprocess.run(["clang", "-g", "-O0", "-Wall", "-fsanitize=thread", "-fopenmp", "-fopenmp-version=51",
                        SOURCE, "-I", HEADERS, "-L", cls.scratch, "-o", cls.program], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch, ignore_errors=True)

    def environment(self, where=None, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_"))}
        env.update(LD_LIBRARY_PATH=self.scratch if where is None else self.scratch + ":" + where,
                   OMP_MAX_ACTIVE_LEVELS="3", ARCHER_OPTIONS="verbose=1",
                   TSAN_OPTIONS="ignore_noninstrumented_modules=1:atexit_sleep_ms=50:exitcode=%d" % FOUND)
        return dict(env, **more)

    def run_case(self, name, archer, **env):
        if archer is not None:
            env["OMP_TOOL_LIBRARIES"] = archer
        return subprocess.run([self.program] + name, env=self.environment(**env), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=120)

    def archer(self, version):
        try:
            return debian.unpacked("libomp-%d-dev" % version, "usr/lib/llvm-%d/lib/libarcher.so" % version)
        except debian.Unusable as error:
            raise unittest.SkipTest(str(error)) from None

    def check(self, version):
        archer = self.archer(version)
        names = self.run_case([], archer).stdout.split("\n")
        names = [name for name in names if name and " " not in name]
        self.assertTrue(RACES < set(names) and len(names) >= len(RACES) + 16, names)
        for name in names:
            with self.subTest(name, archer=version):
                # Of accesses at the very same time ThreadSanitizer may see none, once in many runs.
                for _ in range(5 if name in RACES else 1):
                    done = self.run_case([name], archer)
                    if done.returncode == FOUND:
                        break
                self.assertIn("Archer detected OpenMP application with TSan", done.stdout)
                self.assertNotIn("not supported", done.stdout)
                self.assertEqual(done.returncode, FOUND if name in RACES else 0, done.stdout)
                self.assertEqual("data race" in done.stdout, name in RACES, done.stdout)

    def test_archer_14(self):
        self.check(14)

    def test_archer_16(self):
        self.check(16)

    def test_archer_19(self):
        self.check(19)

    def test_it_is_archer_that_knows(self):
        """Without it ThreadSanitizer takes a correct program for a wrong one: our events make the
        difference."""
        self.assertEqual(self.run_case(["locks"], None).returncode, FOUND)

    def test_it_comes_by_itself(self):
        """As on libomp: nothing is set but where the loader looks for libraries."""
        for version in (14, 19):
            where = os.path.dirname(self.archer(version))
            with self.subTest(version):
                done = self.run_case(["locks"], None, where=where)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn("Archer detected OpenMP application with TSan", done.stdout)
                self.assertNotIn("not supported", done.stdout)
                self.assertEqual(self.run_case(["race_region"], None, where=where).returncode, FOUND)
                done = self.run_case(["locks"], None, where=where, OMP_TOOL="disabled")
                self.assertEqual((done.returncode, "Archer" in done.stdout), (FOUND, False))


class Loading(unittest.TestCase):
    """When a libarcher.so is loaded that the user has not named."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        os.symlink(RUNTIME, cls.path("libompcompanion.so.1"))
        os.symlink(RUNTIME, cls.path("libomp.so"))
        library = ["gcc", "-shared", "-fPIC", "-I", HEADERS]
        for name, source in (("libarcher.so", TOOL), ("named.so", TOOL), ("secure.so", SECURE)):
            cls.make(library + ['-DNAME="%s"' % name.split(".")[0]], name, source)
        for name, options in (("plain", []), ("sanitized", ["-fsanitize=thread"])):
            cls.make(["clang", "-fopenmp", "-L", cls.scratch] + options, name, PLAIN)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch, ignore_errors=True)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.scratch, name)

    @classmethod
    def make(cls, command, name, source):
        with open(cls.path(name + ".c"), "w") as f:
            f.write(source)
        subprocess.run(command + [cls.path(name + ".c"), "-o", cls.path(name)], check=True)

    def prints(self, program, **env):
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_"))}
        done = subprocess.run([self.path(program)], env=dict(environ, LD_LIBRARY_PATH=self.scratch, **env),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              timeout=60)
        # Nobody may have explained the barrier to ThreadSanitizer; its report is no matter here.
        return done.stdout.split("\n")[:-1], done.stderr if program == "plain" else ""

    def test_with_thread_sanitizer(self):
        self.assertEqual(self.prints("sanitized"), (["libarcher loaded", "libarcher asked", "2"], ""))

    def test_without(self):
        self.assertEqual(self.prints("plain"), (["2"], ""))

    def test_disabled(self):
        self.assertEqual(self.prints("sanitized", OMP_TOOL="disabled")[0], ["2"])

    def test_a_tool_that_is_named_wins(self):
        self.assertEqual(self.prints("sanitized", OMP_TOOL_LIBRARIES=self.path("named.so"))[0],
                         ["named loaded", "named asked", "2"])
        self.assertEqual(self.prints("sanitized", LD_PRELOAD=self.path("named.so"))[0],
                         ["named loaded", "named asked", "2"])

    def test_named_ones_that_cannot_be_had(self):
        self.assertEqual(self.prints("sanitized", OMP_TOOL_LIBRARIES="/nowhere/tool.so")[0],
                         ["libarcher loaded", "libarcher asked", "2"])

    def test_never_with_raised_privileges(self):
        self.assertEqual(self.prints("sanitized", LD_PRELOAD=self.path("secure.so"))[0], ["2"])

    def test_the_loader_does_not_find_it(self):
        os.rename(self.path("libarcher.so"), self.path("away.so"))
        try:
            self.assertEqual(self.prints("sanitized")[0], ["2"])
        finally:
            os.rename(self.path("away.so"), self.path("libarcher.so"))


if __name__ == "__main__":
    xmltest.main()
