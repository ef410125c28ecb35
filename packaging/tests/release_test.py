# SPDX-License-Identifier: Apache-2.0
"""Debian 13, in a root that is made once (tools/release_root.sh --build trixie): tests of GDB 16 with what
was built here. `./dev matrix` runs more of them, and in more releases."""

import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET

import debian
import gdbrun
import xmltest

SCRIPT = os.path.join(gdbrun.ROOT, "tools/release_root.sh")
PLACE = os.path.join(debian.cache(), "roots/trixie-build")
HOME = "/root"  # there
# A test -> the files that it is given.
TESTS = {"api_test": (), "dap_test": (), "emacs_test": (), "mi_test": (),
         "thread_apply_test": (),
         "print_test": ("runtime/libompcompanion.so.1.0.0",),
         "frames_test": ("runtime/libompcompanion.a", "runtime/libompcompanion.so.1.0.0", "command/ompd",
                         "ompd/libompd.so.1")}


def folders():
    """Where the files of a test really are: the sources, and what Bazel has built."""
    tree = os.path.dirname(os.path.dirname(os.path.realpath(SCRIPT)))
    built, mark, _ = os.path.realpath(gdbrun.find("ompd/libompd.so.1")).partition("/execroot/")
    return {tree, built} if mark else {tree}


@unittest.skipIf(os.getuid(), "only root can make and enter the root of another release")
class Trixie(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(os.path.join(debian.cache(), "pypi"), exist_ok=True)
        # Nothing to do if it is there.
        made = subprocess.run([SCRIPT, "--build", "trixie", PLACE], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, stdin=subprocess.DEVNULL)
        if made.returncode:
            raise unittest.SkipTest("no root of Debian 13: " + (made.stdout.splitlines() or ["?"])[-1])

    def enter(self, *command):
        words = [SCRIPT, "--run", PLACE]
        for path in folders():
            words += ["--bind", path, path]
        words += ["--bind", os.path.join(debian.cache(), "pypi"), HOME + "/.cache/ompd-tools/pypi"]
        return subprocess.run(words + list(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)

    def test_it_is_debian_13(self):
        self.assertRegex(self.enter("cat", "/etc/debian_version").stdout, "^13")
        self.assertRegex(self.enter("gdb", "--version").stdout, r"^GNU gdb .* 16\.")

    def one(self, name):
        # A folder that is there under the same name.
        with tempfile.TemporaryDirectory(dir=os.path.dirname(gdbrun.find("ompd/libompd.so.1"))) as folder:
            result = os.path.join(os.path.realpath(folder), "test.xml")
            done = self.enter("env", "-u", "TEST_TMPDIR", "XML_OUTPUT_FILE=" + result,
                              os.path.join(gdbrun.ROOT, "gdb-plugin/tests", name),
                              *[gdbrun.find(path) for path in TESTS[name]])
            self.assertEqual(done.returncode, 0, done.stdout[-6000:])
            cases = list(ET.parse(result).iter("testcase"))
        skipped = [case.get("name") for case in cases if case.find("skipped") is not None]
        self.assertGreater(len(cases), len(skipped), done.stdout[-3000:])


for _name in TESTS:
    setattr(Trixie, "test_" + _name, lambda self, name=_name: self.one(name))

if __name__ == "__main__":
    xmltest.main()
