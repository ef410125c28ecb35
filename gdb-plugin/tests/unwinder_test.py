# SPDX-License-Identifier: Apache-2.0
"""Stacks of cores whose runtime's file is missing, where a thread has ended in the middle of its functions.

The truth is the program: what calls the runtime is called by main. GDB and `ompd` are both asked.
"""

import glob
import json
import os
import resource
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

RUNTIME = "libompcompanion.so.1"
PROGRAMS = os.path.dirname(gdbrun.find("gdb-plugin/tests/wild_gcc.exe"))


def setUpModule():
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


class Wild(unittest.TestCase):
    """A frame of the runtime may not be complete where a wild pointer is followed."""

    def crashed(self, compiler, what):
        """The program and its kernel core, the runtime's file gone."""
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        program = os.path.join(made.name, "wild_%s.exe" % compiler)
        for name in (os.path.basename(program), RUNTIME):
            shutil.copy(os.path.realpath(os.path.join(PROGRAMS, name)), os.path.join(made.name, name))
        done = subprocess.run([program, what], cwd=made.name, env=dict(os.environ, OMP_NUM_THREADS="3"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertLess(done.returncode, 0, done.stderr)
        core, = glob.glob(os.path.join(made.name, "core*"))
        os.remove(os.path.join(made.name, RUNTIME))
        return program, core

    def of_ompd(self, program, core):
        out = subprocess.run([gdbrun.find("command/ompd"), "report", "--core", core, program, "--json",
                              "--ompd-library", gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        report = json.loads(out.stdout)
        stack = next(stack for stack in report["stacks"] if stack["lwp"] == report["process"]["crashed_lwp"])
        return [frame["function"] for frame in stack["frames"]]

    def of_gdb(self, program, core):
        answer = gdbrun.gdb("frame, names = gdb.newest_frame(), []\n"
                            "while frame is not None:\n"
                            "    names.append(frame.name()); frame = frame.older()\n"
                            "say(names)", [program, core])
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said[0]

    def check(self, compiler, what):
        program, core = self.crashed(compiler, what)
        for ask in (self.of_ompd, self.of_gdb):
            names = [name for name in ask(program, core) if name in ("enter", "leave", "set", "main")]
            self.assertEqual(names, [what, "main"], "%s, %s, %s" % (ask.__name__, compiler, what))


for _compiler in ("gcc", "clang"):
    for _what in ("enter", "leave", "set"):
        def _test(self, compiler=_compiler, what=_what):
            self.check(compiler, what)
        setattr(Wild, "test_%s_%s" % (_what, _compiler), _test)

if __name__ == "__main__":
    xmltest.main()
