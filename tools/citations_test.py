# SPDX-License-Identifier: Apache-2.0
"""Tests of citations.py: names, sections and links that resolve, and ones that do not."""
import os
import tempfile
import unittest

from tools import citations
import xmltest

FILES = {
    "docs/abi/calls.md": "# Calls\n\n## 1. Structures\n\n### 1.2 Tasks, as `kmp` has them\n\n"
                         "```\n## 9. no heading\n```\n",
    "docs/json.md": "# JSON\n",
    "room/notes.md": "# Notes\n",
    "room/a.c": "int a;\n",
}


class Citations(unittest.TestCase):
    def problems(self, path, text):
        with tempfile.TemporaryDirectory() as root:
            for name, content in {**FILES, path: text}.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w") as f:
                    f.write(content)
            return list(citations.Tree(root, {**FILES, path: text}).problems(path))

    def test_names_that_exist(self):
        """From the root, beside the file, in docs/; an address and a path of an installation are no names of
        ours."""
        self.assertEqual(
    self.problems(
        "room/b.c",
        "/* docs/abi/calls.md, notes.md, json.md; https://x.org/y.md */"),
         [])

    def test_name_that_does_not_exist(self):
        self.assertEqual(self.problems("room/b.c", "/* abi/none.md */"),
                         ["room/b.c names abi/none.md, which does not exist"])

    def test_name_over_two_lines_of_a_comment(self):
        for text in ("/*\n * See docs/abi/calls.md\n * section 1.3.\n */",
                     "# See docs/abi/calls.md section\n# 1.3"):
            self.assertEqual(self.problems("room/b.c", text),
                             ["room/b.c names section 1.3 of docs/abi/calls.md, which has none"])

    def test_sections(self):
        self.assertEqual(self.problems("room/b.c", "docs/abi/calls.md sections 1, 1.2 and 9"),
                         ["room/b.c names section 9 of docs/abi/calls.md, which has none"])
        self.assertEqual(self.problems("room/b.c", "docs/abi/calls.md 1.2), of 12 bytes"), [])

    def test_links(self):
        self.assertEqual(self.problems("docs/x.md",
                                       "[a](json.md) [b](abi/calls.md#12-tasks-as-kmp-has-them) [c](../room)"
                                                    " [d](https://x.org) [e](#here)\n# Here\n`[f](g.h)`"), [])
        self.assertEqual(self.problems("docs/x.md", "[a](gone.svg) [b](json.md#part)"),
                         ["docs/x.md links to gone.svg, which does not exist",
                          "docs/x.md links to json.md#part, which has no such heading"])

    def test_paths_of_the_tree(self):
        self.assertEqual(self.problems("docs/x.md",
                                       "`room/*.c`, `room/`, `room/NAME.c`, `lib/x.so`, `room/gone.c`"),
                         ["docs/x.md names room/gone.c, which does not exist"])

    def test_excerpts(self):
        block = "<!-- from room/a.c -->\n```c\n%s\n```\n"
        self.assertEqual(self.problems("docs/x.md", block % "int a;"), [])
        self.assertEqual(self.problems("docs/x.md", block % "int b;" + "<!-- from room/b.c -->\n```c\n```\n"),
                         ["docs/x.md has an excerpt from room/a.c that does not stand there",
                          "docs/x.md has an excerpt from room/b.c, which does not exist"])

    def test_identifiers(self):
        """Those of documents for developers, in blocks of C and in sentences; comments and words are none."""
        text = "`a()`, `DEMO`, `--x_y`, `x_y` `pre_`\n" \
               "```c\nint a = gone; /* nothing */ f(\"no\", 7); // never\n```\n"
        self.assertEqual(self.problems("docs/x.md", text), [])
        self.assertEqual(self.problems("CONTRIBUTING.md", text),
                         ["CONTRIBUTING.md names %s, which no source file has" % name
                          for name in ("gone", "f", "x_y", "pre_")])
        self.assertEqual(self.problems("room/README.md", "`a()`, `a_`"),
                         ["room/README.md names a_, which no source file has"])


if __name__ == "__main__":
    xmltest.main()
