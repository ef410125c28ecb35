# SPDX-License-Identifier: Apache-2.0
"""packaging/Makefile builds from what is in a tarball alone, and its libraries export what Bazel's do."""
import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

# The folder in which the sources are: what Bazel links into a test's folder leads there.
TREE = os.path.dirname(os.path.dirname(os.path.realpath(os.path.join(gdbrun.ROOT, "packaging/Makefile"))))
LIBRARIES = ("ompd/libompd.so.1", "inspect/libompdinspect.so.1", "runtime/libompcompanion.so.1.0.0",
             "runtime/abttool/libompcompanion-abttool.so", "runtime/libompcompanion.a")


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def exports(path):
    lines = said("nm", "--defined-only", *([] if path.endswith(".a") else ["-D"]), path).splitlines()
    return sorted(line.split()[-1] for line in lines
                  if len(line.split()) == 3 and line.split()[1] in "TDBRVWi")


def needed(path):
    return {line.split("[")[1][:-1] for line in said("readelf", "-d", path).splitlines()
            if "(NEEDED)" in line}


class Makefile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        tree, cls.built = os.path.join(cls.folder, "tree"), os.path.join(cls.folder, "built")
        # Only what a tarball has: nothing that Bazel made.
        names = [name for name in os.listdir(TREE) if not name.startswith(".")]
        os.mkdir(tree)
        for name in names:
            os.symlink(os.path.join(TREE, name), os.path.join(tree, name))
        cls.made = subprocess.run(["make", "-j2", "-C", os.path.join(tree, "packaging"), "O=" + cls.built,
                                   "CFLAGS=-O1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  universal_newlines=True)

    def test_it_builds_without_a_warning(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout[-3000:])
        self.assertNotIn("warning:", self.made.stdout)

    def test_the_same_exports(self):
        for library in LIBRARIES:
            with self.subTest(library):
                mine = os.path.join(self.built, library)
                self.assertEqual(exports(mine), exports(gdbrun.find(library)))

    def test_the_same_libraries_are_needed(self):
        for name in LIBRARIES[:-1] + ("command/ompd",):
            with self.subTest(name):
                # Bazel names the C++ runtime and libm whether they are needed or not.
                self.assertEqual(needed(os.path.join(self.built, name)) - {"libm.so.6"},
                                 needed(gdbrun.find(name)) - {"libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"})

    def test_the_command_knows_the_same(self):
        mine, theirs = (said(path, "--help") for path in (os.path.join(self.built, "command/ompd"),
                                                          gdbrun.find("command/ompd")))
        self.assertEqual(mine, theirs)


if __name__ == "__main__":
    xmltest.main()
