# SPDX-License-Identifier: Apache-2.0
"""Code that could be taken for something else by those who read a libomp's layout from it (decoys.c)."""

import json
import os
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

OMPD = gdbrun.find("command/ompd")
SOURCE = os.path.join(gdbrun.ROOT, "corefiles/layout/tests/decoys.c")
SIZE, FUNCTION = "kmp_team.t.t_nproc", "kmp_team.t.t_pkfn"


def layout(compiler, tool):
    """The row of the file whose structure of two pointers that are no functions has them at TOOL."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "libomp.so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-nostdlib", "-fasynchronous-unwind-tables",
                        "-DTOOL=%d" % tool, "-o", path, SOURCE], check=True)
        done = subprocess.run([OMPD, "layout", path], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


class Decoys(unittest.TestCase):
    def check(self, tool, part, expected):
        """What part of the row is, by name; None: it has none of that name."""
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                found = layout(compiler, tool)[part]
                self.assertEqual({name: found.get(name) for name in expected}, expected)

    def test_what_cannot_be_a_regions_function_is_none(self):
        self.check(64, "fields", {SIZE: [252, 4], FUNCTION: [256, 8]})

    def test_of_two_that_could_be_it_none_is_known(self):
        self.check(288, "fields", {SIZE: [252, 4], FUNCTION: None, "kmp_team.t.t_invoke": None})

    def test_a_lock_is_where_it_is_at_each_call(self):
        self.check(64, "slots", {"__kmpc_set_lock": ["rbx"], "__kmpc_set_nest_lock": None,
                                 "__kmpc_critical": ["rsp", 8], "__kmpc_critical_with_hint": None})


if __name__ == "__main__":
    xmltest.main()
