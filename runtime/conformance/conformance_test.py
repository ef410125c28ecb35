# SPDX-License-Identifier: Apache-2.0
"""The conformance programs on Companion, one test for a compiler and a program, with 1, 2, 4 and 16 threads.

Arguments: the library, then keys of manifest.json's compilers, and for fortran/manifest.json the names of
Fortran compilers. A program that a compiler cannot build is no test of it; the manifests say why.
"""

import importlib.util
import os
import sys
import tempfile
import unittest

import xmltest

LIBRARY, COMPILERS = os.path.abspath(sys.argv[1]), sys.argv[2:]
del sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
FORTRAN = ("gfortran", "flang")


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(os.path.dirname(path)), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Conformance(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name in ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so", "libgomp.so.1"):
            os.symlink(LIBRARY, os.path.join(cls.folder.name, name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


def c_test(run, compiler, name):
    def test(self):
        results = run.conformance(compiler, self.folder.name, [name], jobs=1)
        self.assertTrue(results)
        for result in results:
            self.assertEqual(result.kind, "passed", "threads=%d\n%s" % (result.threads, result.text))
    return test


def fortran_test(run, compiler, name):
    def test(self):
        result = run.conformance(compiler, self.folder.name, [name], say=lambda text: None)
        self.assertEqual(result["failures"], [])
        self.assertGreater(result["cases"], 0)
    return test


def add_tests():
    c_programs = load(os.path.join(HERE, "run.py"))
    fortran_programs = load(os.path.join(HERE, "fortran", "run.py"))
    for compiler in COMPILERS:
        if compiler.startswith(FORTRAN):
            for program in fortran_programs.programs_for(compiler):
                setattr(Conformance, "test_%s_%s" % (compiler, program),
                        fortran_test(fortran_programs, compiler, program))
            continue
        for program in c_programs.load_manifest()["programs"]:
            if compiler not in program.get("without", {}):
                setattr(Conformance, "test_%s_%s" % (compiler, program["name"]),
                        c_test(c_programs, compiler, program["name"]))


add_tests()

if __name__ == "__main__":
    xmltest.main()
