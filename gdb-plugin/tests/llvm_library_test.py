# SPDX-License-Identifier: Apache-2.0
"""Our extension and inspect with LLVM's libompd.so in place of ours: on Companion, and on Debian's libomp.

Debian strips libomp, and LLVM's library finds all by the symbols that are lost: there it can open nothing
(see docs/interoperation.md). Required is that every command ends with a sentence that says so. """

import os
import tempfile
import unittest

import compare
import debian
import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_clang.exe"))
COMMANDS = ("threads", "parallel", "tasks", "icvs", "report")
ASK = """
gdb.execute("break held", to_string=True)
gdb.execute("run", to_string=True)
say({name: run("ompd " + name) for name in %r})
say(run("ompd status"))
say(document("ompd report -json"))
""" % (COMMANDS,)
VERSIONS = (14, 19)


def _file(package, inside):
    try:
        return debian.unpacked(package, inside)
    except debian.Unusable as error:
        raise unittest.SkipTest(str(error)) from None


class Library(unittest.TestCase):
    def ask(self, version, runtime=None):
        """All commands in a program on RUNTIME (Companion without it), with LLVM's library of VERSION."""
        library = _file("libomp-%d-dev" % version, "usr/lib/llvm-%d/lib/libompd.so" % version)
        env = {"OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "1M", "TRUTH_HOLD_SECONDS": "60",
               "TRUTH_TIMEOUT": "60"}
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            os.symlink(os.path.realpath(gdbrun.find("inspect/libompdinspect.so.1")),
                       os.path.join(folder, "libompdinspect.so.1"))
            os.symlink(os.path.realpath(library), os.path.join(folder, "libompd.so.1"))
            if runtime:
                # By the name that the program asks for. Its waiting threads may spin.
                os.mkdir(os.path.join(folder, "runtime"))
                os.symlink(runtime, os.path.join(folder, "runtime", "libompcompanion.so.1"))
                env.update(LD_LIBRARY_PATH=os.path.join(folder, "runtime"), TRUTH_RELAX="1",
                           OMP_DEBUG="enabled")
            answer = gdbrun.gdb(ASK, ["--args", os.path.join(DIR, "nested_clang.exe")],
                                env=dict(env, OMPD_LIBDIR=folder))
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertEqual(answer.code, 0)
        return answer

    def check(self, answer, runtime):
        texts, (status, error), report = answer.said
        sentence = "The OpenMP runtime in %s cannot be read" % runtime
        for name, (text, wrong) in texts.items():
            self.assertIsNone(wrong, name)
            self.assertIn(sentence, text, name)
        self.assertIsNone(error)
        self.assertIn("LLVM OpenMP 5.0 Debugging Library", status)
        problem = next(one for one in report["problems"] if sentence[4:] in one["what"])
        self.assertIn("the OMPD library (LLVM OpenMP 5.0 Debugging Library", problem["why"])
        self.assertIn("symbols", problem["why"])
        self.assertFalse(report["complete"])
        self.assertEqual((report["runtimes"], report["regions"], report["tasks"]), ([], [], []))
        # The debugger's own threads are shown all the same, as ones of which nothing is known.
        truth = compare.read_truth(answer.out)
        self.assertEqual({row["lwp"] for row in report["threads"]},
                         {one["tid"] for one in truth["threads"]} | set(truth["not_openmp"]))
        self.assertNotIn(True, [row["openmp"] for row in report["threads"]])

    def test_on_companion(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                self.check(self.ask(version), "libompcompanion.so.1.0.0")

    def test_on_libomp(self):
        runtime = _file("libomp5-19", "usr/lib/llvm-19/lib/libomp.so.5")
        self.check(self.ask(19, os.path.realpath(runtime)), "libomp.so.5")


if __name__ == "__main__":
    xmltest.main()
