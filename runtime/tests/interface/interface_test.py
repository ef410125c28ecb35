# SPDX-License-Identifier: Apache-2.0
"""libomp's interface page: each group of functions that it names, by hand, and its worked example.

    interface_test.py PROGRAM...

The group "statistics gathering" has its own test, runtime/tools/tests/stats.
"""
import os
import subprocess
import sys
import unittest

import xmltest

PROGRAMS = [os.path.abspath(path) for path in sys.argv[1:] if path.endswith(".exe")]
del sys.argv[1:]


class Page(unittest.TestCase):
    def check(self, name, *args):
        found = [path for path in PROGRAMS if os.path.basename(path).startswith(name + "_")]
        self.assertEqual(len(found), 2)
        for program in found:
            with self.subTest(os.path.basename(program)):
                done = subprocess.run([program] + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      universal_newlines=True, timeout=60)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ok\n", ""))

    def test_worked_example(self):
        self.check("page_example")

    def test_basic_types_startup_and_shutdown(self):
        self.check("groups", "startup")

    def test_parallel_and_thread_states(self):
        self.check("groups", "states")

    def test_work_sharing(self):
        self.check("groups", "worksharing")

    def test_synchronization(self):
        self.check("groups", "synchronization")

    def test_threadprivate(self):
        self.check("groups", "threadprivate")

    def test_atomics(self):
        self.check("groups", "atomics")

    def test_tasking(self):
        self.check("groups", "tasking")

    def test_user_visible_routines(self):
        self.check("groups", "user")


if __name__ == "__main__":
    xmltest.main()
