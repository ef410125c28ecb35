# SPDX-License-Identifier: Apache-2.0
"""pypi.py on wheels that are in the cache: it asks no registry then."""

import os
import tempfile
import unittest
import zipfile

import debian
import pypi
import xmltest


class Cached(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        before = os.environ.get("XDG_CACHE_HOME")
        self.addCleanup(os.environ.update if before else os.environ.pop,
                        *([{"XDG_CACHE_HOME": before}] if before else ["XDG_CACHE_HOME"]))
        os.environ["XDG_CACHE_HOME"] = home.name
        self.folder = os.path.join(home.name, "ompd-tools", "pypi")
        os.makedirs(self.folder)
        self.path = os.path.join(self.folder, "some_thing-1.2-py2.py3-none-manylinux_2_28_x86_64.whl")
        with zipfile.ZipFile(self.path, "w") as wheel:
            wheel.writestr("some_thing-1.2.data/data/lib/libthing.so", b"code")

    def test_wheel(self):
        self.assertEqual(pypi.wheel("some-thing", "1.2"), self.path)

    def test_unpacked(self):
        for _ in range(2):  # the second time it is there
            with open(pypi.unpacked("some-thing", "1.2", "libthing.so"), "rb") as f:
                self.assertEqual(f.read(), b"code")

    def test_no_such_file(self):
        with self.assertRaises(debian.Unusable):
            pypi.unpacked("some-thing", "1.2", "libother.so")


if __name__ == "__main__":
    xmltest.main()
