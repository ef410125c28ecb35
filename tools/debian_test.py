# SPDX-License-Identifier: Apache-2.0
"""A Debian package can be unpacked where a test runs: in Bazel's sandbox, as a user who cannot become another
one."""
import os
import subprocess
import tempfile
import unittest

import debian
import xmltest

PACKAGE, INSIDE = "libomp-14-dev", "usr/lib/llvm-14/lib/libarcher.so"


class Unpacked(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(scratch.cleanup)
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = scratch.name  # nothing is there yet
        self.addCleanup(lambda: os.environ.pop("XDG_CACHE_HOME") if before is None
                        else os.environ.update(XDG_CACHE_HOME=before))
        self.home = os.path.join(scratch.name, "ompd-tools")

    def test_download(self):
        """What apt-get itself can download, a test gets: the registry is the only reason for a skip."""
        try:
            path = debian.unpacked(PACKAGE, INSIDE)
        except debian.Unusable as error:
            self.assertNotIn("error code (112)", str(error))  # apt-get: cannot change the user
            self.skipTest(str(error))
        self.assertEqual(path, os.path.join(self.home, PACKAGE, INSIDE))
        with open(path, "rb") as file:
            self.assertEqual(file.read(4), b"\x7fELF")
        self.assertEqual(os.listdir(self.home), [PACKAGE])  # nothing is left lying about
        changed = os.stat(path).st_mtime_ns
        self.assertEqual(debian.unpacked(PACKAGE, INSIDE), path)
        self.assertEqual(os.stat(path).st_mtime_ns, changed)

    def test_unknown(self):
        with self.assertRaises(debian.Unusable):
            debian.unpacked("no-such-package-anywhere", "usr")
        self.assertEqual(os.listdir(self.home), [])

    def test_command(self):
        done = subprocess.run(["/usr/bin/python3", debian.__file__, "no-such-package-anywhere"],
                              stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith("debian.py: apt-get"), done.stderr)


if __name__ == "__main__":
    xmltest.main()
