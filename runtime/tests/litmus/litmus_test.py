# SPDX-License-Identifier: Apache-2.0
"""Memory order: each hand-off of the runtime as a litmus test, by herd7 with the model RC11 of C11.

A file is run twice. As the code is, the outcome behind `exists` never occurs. Then each statement with
`// weak: OTHER` becomes OTHER, and the outcome occurs: the test can fail, and that statement is needed.
herd7 is Debian's herdtools7 (in unstable), or what the variable HERD7 names.
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import xmltest

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.normpath(os.path.join(HERE, "..", ".."))
FILES = sorted(glob.glob(os.path.join(HERE, "*.litmus")))
WEAK = re.compile(r"^(\s*)(.*?)\s*// weak: ?(.*)$", re.M)


def herd():
    """The program, or None."""
    return os.environ.get("HERD7") or shutil.which("herd7")


def name(path):
    return os.path.basename(path)[:-len(".litmus")]


def variants(text):
    """(as the code is, weakened)"""
    return WEAK.sub(r"\1\2", text), WEAK.sub(r"\1\3", text)


class Litmus(unittest.TestCase):
    longMessage = True

    def occurs(self, text):
        """Whether the outcome occurs: "Never", "Sometimes" or "Always" of herd7."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "test.litmus")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([herd(), "-model", "rc11.cat", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True, check=False)
        found = re.search(r"^Observation \S+ (\w+) ", done.stdout, re.M)
        self.assertIsNotNone(found, done.stdout)
        return found.group(1)

    def test_each(self):
        if herd() is None:
            self.skipTest("herd7 is not there (package herdtools7 of Debian unstable); HERD7 may name it")
        for path in FILES:
            with self.subTest(name(path)), open(path, encoding="utf-8") as file:
                strong, weak = variants(file.read())
                self.assertEqual(self.occurs(strong), "Never")
                self.assertEqual(self.occurs(weak), "Sometimes")


class Sources(unittest.TestCase):
    """Each file belongs to a place in the code, which names it beside its argument."""

    def test_named(self):
        named = set()
        for path in glob.glob(os.path.join(RUNTIME, "core", "*.[ch]")):
            with open(path, encoding="utf-8") as file:
                named.update(re.findall(r"litmus:[\s*]+(\w+)", file.read()))
        self.assertEqual(named, {name(path) for path in FILES})

    def test_each_can_be_weakened(self):
        self.assertNotEqual(FILES, [])
        for path in FILES:
            with open(path, encoding="utf-8") as file:
                strong, weak = variants(file.read())
            self.assertNotEqual(strong, weak, name(path))
            self.assertNotIn("// weak", strong, name(path))


if __name__ == "__main__":
    xmltest.main()
