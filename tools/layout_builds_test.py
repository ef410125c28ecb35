# SPDX-License-Identifier: Apache-2.0
"""What `ompd layout` reads from the code of libgomp, built here from Debian 12's source of gcc with other
options than Debian's.

Each fact is what GDB reads from the debug information of the same build, and none is missing that Debian's
own build shows. All other builds: build_runtimes.py and layout_matrix.py, by hand."""

import os
import shutil
import sys
import tempfile
import unittest

import build_runtimes
import debian
import layout_matrix
import runtime_sources
import xmltest

OMPD = os.path.abspath(sys.argv.pop(1))
PACKAGE, TARBALL = "gcc-12-source", "usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz"
FLAGS = ("os", "ubuntu")


class Builds(unittest.TestCase):
    def test_builds(self) -> None:
        try:
            tarball = debian.unpacked(PACKAGE, TARBALL)
        except debian.Unusable as error:
            self.skipTest(str(error))
        cache = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, cache, ignore_errors=True)
        source = next(one for one in runtime_sources.SOURCES if one.name == "gcc-12")
        runtime_sources.unpack_gcc([tarball], os.path.join(cache, "sources", source.name))
        known = layout_matrix.decoded(OMPD, "/usr/lib/x86_64-linux-gnu/libgomp.so.1")
        for flags in FLAGS:
            with self.subTest(flags=flags):
                build = build_runtimes.Build(source, flags)
                self.assertEqual(build_runtimes.make(build, cache), "built")
                found = layout_matrix.examine(OMPD, os.path.join(cache, "builds", build.name))
                self.assertNotIn("unread", found)
                self.assertEqual(found["wrong"], [])
                shown = list(known["fields"]) + list(known["variables"])
                self.assertEqual(sorted(set(shown) - set(found["facts"])), [])
                self.assertTrue(found["sites"])


if __name__ == "__main__":
    xmltest.main()
