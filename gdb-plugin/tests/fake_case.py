# SPDX-License-Identifier: Apache-2.0
"""A real GDB over a program without OpenMP and a libompdinspect that gives the host's answers back."""

import os
import tempfile
import unittest

import gdbrun

FAKE = os.path.dirname(gdbrun.find("gdb-plugin/tests/fake/libompdinspect.so.1"))
THREADS = gdbrun.find("gdb-plugin/tests/threads")

# The script's beginning for a live program at held().
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'
# The fake's answer.
REPORT = 'document("ompd report -json")'


def has_problems(case, answer):
    case.assertEqual(answer.problems(), [], str(answer))


class Case(unittest.TestCase):
    longMessage = True

    def gdb(self, script, *arguments, fake=True, **more):
        env = dict(more.pop("env", {}))
        if fake:
            env.setdefault("OMPD_LIBDIR", FAKE)
        answer = gdbrun.gdb(script, arguments, env=env, **more)
        has_problems(self, answer)
        return answer

    def live(self, script, count=3, **more):
        return self.gdb(HELD + script, "--args", THREADS, str(count), **more)

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name
