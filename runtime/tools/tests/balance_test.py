# SPDX-License-Identifier: Apache-2.0
"""Conformance programs of both compilers under tools that judge: begins and ends nest on each thread, ids and
states are those that the tool is told when it asks.

    balance_test.py RUNTIME COLLECTOR-LIBRARY DRAFT-TOOL-LIBRARY

Each tool alone, and both at once; 8 threads and 64, cancellation, dependences, nested regions.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import run
import xmltest

RUNTIME, COLLECTOR, DRAFT = (os.path.abspath(path) for path in sys.argv[1:4])
del sys.argv[1:]
PROGRAMS = "nested single ordered locks task_depend task_detach cancel_taskgroup cancel_parallel".split()
TOOLS = {"collector": COLLECTOR, "draft": DRAFT, "both": COLLECTOR + " " + DRAFT}


class Balance(unittest.TestCase):
    def check(self, compiler):
        manifest = run.load_manifest()
        with tempfile.TemporaryDirectory() as there:
            library = os.path.join(there, "lib")
            os.mkdir(library)
            for name in ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so.1", "libgomp.so"):
                os.symlink(os.path.realpath(RUNTIME), os.path.join(library, name))
            for name in PROGRAMS:
                program = next(p for p in manifest["programs"] if p["source"] == name + ".c")
                exe = os.path.join(there, name)
                text, built = run.build(manifest, program, compiler, exe, link_dirs=[library])
                self.assertTrue(built, text)
                for tool, preload in TOOLS.items():
                    for threads in ("64",) if tool == "both" else ("8", "64"):
                        with self.subTest(name, tool=tool, threads=threads):
                            self.one(exe,
                                     dict(program.get("env", {}), LD_LIBRARY_PATH=library, LD_PRELOAD=preload,
                                               OMP_NUM_THREADS=threads))

    def one(self, exe, env):
        done = subprocess.run([exe], env=dict(os.environ, **env), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_clang(self):
        self.check("clang14")

    def test_gcc(self):
        self.check("gcc12")


if __name__ == "__main__":
    xmltest.main()
