# SPDX-License-Identifier: Apache-2.0
"""Tests of measures.py: lines, functions and headers that are just short enough, and one longer."""
import os
import tempfile
import unittest

from tools import measures
import xmltest


class Measures(unittest.TestCase):
    def findings(self, path, text):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
            return list(measures.findings(root, [path]))

    def test_width_is_in_characters(self):
        for path, comment in (("r/a.c", "//"), ("r/a.py", "##")):
            self.assertEqual(self.findings(path, comment + 108 * "ß" + "\n"), [])
            self.assertEqual(self.findings(path, "\n" + comment + 109 * \
                             "ß" + "\n"), [path + ":2: 111 characters"])

    def test_prose(self):
        long = 12 * "nine more " + "x\n"
        self.assertEqual(self.findings("docs/a.md", "\n" + long), ["docs/a.md:2: 121 characters"])
        self.assertEqual(
    self.findings(
        "docs/a.md",
        "| " +
        long +
        "```\n" +
        long +
        "```\n" +
        130 *
        "x" +
        "\n"),
         [])

    def test_functions(self):
        """Of 60 lines and of 61, in C and in Python; tests may have longer ones."""
        for lines, count in ((60, 0), (61, 1)):
            c = "static int f(void)\n{\n" + (lines - 4) * "\n" + "    return 1;\n}\n"
            python = "def f():\n" + (lines - 2) * "    g()\n" + "    return 1\n"
            self.assertEqual(self.findings("r/a.c", c), count * ["r/a.c:1: f has 61 lines"])
            self.assertEqual(self.findings("r/a.py", python), count * ["r/a.py:1: f has 61 lines"])
            self.assertEqual(self.findings("r/tests/a.c", c), [])

    def test_headers(self):
        self.assertEqual(self.findings("r/a.h", 350 * "int a;\n"), [])
        self.assertEqual(self.findings("r/a.h", 351 * "int a;\n"), ["r/a.h: 351 lines in a header"])
        self.assertEqual(self.findings("include/omp-tools.h", 351 * "int a;\n"), [])

    def test_files(self):
        for path in ("r/a.c", "r/a.py", "r/tests/a_test.cc"):
            self.assertEqual(self.findings(path, 600 * "\n"), [])
            self.assertEqual(self.findings(path, 601 * "\n"), [path + ": 601 lines in a file"])
        self.assertEqual(self.findings("docs/a.md", 601 * "\n"), [])
        self.assertEqual(self.findings("runtime/tests/gomp_cases.c", 601 * "\n"), [])


if __name__ == "__main__":
    xmltest.main()
