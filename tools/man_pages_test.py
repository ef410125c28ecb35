# SPDX-License-Identifier: Apache-2.0
"""Manual pages: each subcommand, each command in GDB and each variable of the runtime has its place, and
groff finds nothing to warn of."""
import os
import re
import subprocess
import tempfile
import unittest

import gdbrun
import man_pages
import xmltest

MAN = os.path.join(gdbrun.ROOT, "docs/man")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        assert man_pages.main([gdbrun.find("command/ompd"), cls.folder]) == 0

    def shown(self, path):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=100n", path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), path)
        return done.stdout

    def test_groff_finds_nothing(self):
        names = os.listdir(self.folder)
        self.assertGreater(len(names), 12)
        for name in names:
            self.shown(os.path.join(self.folder, name))
        self.shown(os.path.join(MAN, "libompcompanion.7"))

    def test_each_option_is_there(self):
        for name in ("threads", "run", "top"):
            help_text = man_pages.told(gdbrun.find("command/ompd"), "help", name)
            text = self.shown(os.path.join(self.folder, "ompd-%s.1" % name))
            found = set(re.findall(r"--[a-z-]+", help_text))
            self.assertGreater(len(found), 5)
            self.assertEqual(found - set(re.findall(r"--[a-z-]+", text)), set(), name)

    def test_each_command_of_gdb(self):
        """Those that the extension registers, by GDB's word."""
        answer = gdbrun.gdb('say(gdb.execute("help ompd", to_string=True)); '
                            'say(gdb.execute("help set ompd", to_string=True))')
        names = re.findall(r"^(?:set )?(ompd [a-z-]+)(?:,| --)", "\n".join(answer.said), re.M)
        self.assertGreater(len(names), 15)
        text = self.shown(os.path.join(self.folder, "ompd_gdb.7"))
        for name in names:
            self.assertRegex(text, r"(?m)^ +(set )?%s\b" % name)
        self.assertNotIn("@", text)

    def test_each_variable_of_the_runtime(self):
        named = set()
        for path in ("runtime/core/env_read.c", "runtime/core/env_kmp.c"):
            named |= set(re.findall(r'^    \{"([A-Z_]+)", ', read(os.path.join(gdbrun.ROOT, path)), re.M))
        self.assertGreater(len(named), 35)
        page = read(os.path.join(MAN, "libompcompanion.7"))
        bold = " ".join(re.findall(r"^\.BR? (.*)$", page, re.M))
        self.assertEqual(set(re.findall(r"(?:OMP|GOMP|KMP|OMPC)_[A-Z_]+", bold)), named)


if __name__ == "__main__":
    xmltest.main()
