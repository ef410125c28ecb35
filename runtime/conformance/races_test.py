# SPDX-License-Identifier: Apache-2.0
"""Conformance programs in C and C++ on a runtime built with ThreadSanitizer: each holds, and no race is
reported.

Arguments: the library to link with, the instrumented one, numbers of threads (1,2,4), a compiler of
manifest.json, and the programs' names; without names all that the compiler can build.
"""
import importlib.util
import os
import sys
import tempfile
import unittest

import tsan
import xmltest

LIBRARY, RACES, THREADS, COMPILER = sys.argv[1:5]
NAMES = sys.argv[5:]
HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 120  # ThreadSanitizer makes the runtime some ten times slower

spec = importlib.util.spec_from_file_location("run", os.path.join(HERE, "run.py"))
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)


class Races(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        for library, where in ((LIBRARY, "link"), (RACES, "run")):
            os.mkdir(os.path.join(cls.scratch.name, where))
            for name in ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so", "libgomp.so.1"):
                os.symlink(os.path.abspath(library), os.path.join(cls.scratch.name, where, name))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()


def check(manifest, program, threads):
    def test(self):
        path = os.path.join(self.scratch.name, program["name"])
        if not os.path.exists(path):
            text, fine = run.build(manifest, program, COMPILER, path,
                                   link_dirs=[os.path.join(self.scratch.name, "link")])
            self.assertTrue(fine, text)
        with tempfile.TemporaryDirectory() as scratch:
            environment = tsan.environment(RACES, scratch)
            environment.update(program.get("env", {}))
            passed, cases, text = run.run(path, program, threads, os.path.join(self.scratch.name, "run"),
                                          environment, timeout=SECONDS)
            self.assertEqual(tsan.reports(scratch), "")
            self.assertTrue(passed and cases > 0, text)
    return test


def add_tests():
    manifest = run.load_manifest()
    for program in manifest["programs"]:
        if COMPILER in program.get("without", {}) or NAMES and program["name"] not in NAMES:
            continue
        for threads in THREADS.split(","):
            if int(threads) in program.get("threads", [int(threads)]):
                setattr(Races, "test_%s_%s" % (program["name"], threads),
                        check(manifest, program, int(threads)))


add_tests()

if __name__ == "__main__":
    del sys.argv[1:]
    xmltest.main()
