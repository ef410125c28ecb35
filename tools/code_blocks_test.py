# SPDX-License-Identifier: Apache-2.0
"""Blocks of code in the documents: pages made by hand, and those of the tree."""

import contextlib
import io
import os
import tempfile
import unittest

import code_blocks
import xmltest


def found(text, page="docs/page.md"):
    return [(block.line, code_blocks.problem(page, block) is not None) for block in code_blocks.blocks(text)]


class Blocks(unittest.TestCase):
    def test_each_word(self):
        for word, lines, wrong in (
                ("", "x", True), ("shown", "$ ls\na", False), ("bash", "ls", True), ("console", "$ ls", True),
                ("sh", "ls # all", False), ("sh", "$ ls\n$ ls", False), ("sh", "$ ls\na", True),
                ("gdb", "(gdb) bt", False), ("gdb", "(gdb) bt\n#0 main", True), ("text", "$ ls", True),
                ("text", "a", False), ("c", "int a;", False), ("json", "(gdb) bt", True)):
            self.assertEqual(found("# Page\n\n```%s\n%s\n```\n" % (word, lines)), [(3, wrong)], (word, lines))

    def test_who_runs_a_console(self):
        text = "```console\n$ ls\n```\n"
        self.assertEqual(found(text, "docs/tutorial-hang.md"), [(1, False)])
        self.assertEqual(found("<!-- run with a.exe -->\n" + text), [(2, False)])
        self.assertEqual(found("<!-- run with a.exe -->\n" + text.replace("console", "shown")), [(2, True)])
        block, = code_blocks.blocks("<!-- run with a.exe -->\n" + text)
        self.assertEqual(block.target, "a.exe")

    def test_a_finding_is_printed(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "docs"))
            for name in ("README.md", "docs/a.md"):
                with open(os.path.join(root, name), "w") as f:
                    f.write("  ```\n  x\n  ```\n")
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.assertEqual(code_blocks.main([root]), 1)
        self.assertEqual([line.partition(" ")[0] for line in said.getvalue().splitlines()],
                         ["README.md:1:", "docs/a.md:1:"])

    def test_the_documents(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = code_blocks.main([])
        self.assertEqual((said.getvalue(), status), ("", 0))


if __name__ == "__main__":
    xmltest.main()
