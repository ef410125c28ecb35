# SPDX-License-Identifier: Apache-2.0
"""Tests of rooms.py, on trees made up: what a README's table must have, and what it may."""
import unittest

from tools import rooms
import xmltest

TREE = {
    "README.md": "| folder | what |\n|---|---|\n| `r/` | the room |\n",
    "r/README.md": "| part | what |\n|---|---|\n| `low/` | below |\n| `a.[ch]`, `s_*.c` | not `low/x.c` |\n",
    "r/BUILD": "", "r/low/x.c": "", "r/a.c": "", "r/a.h": "", "r/s_one.c": "", ".ci/run": "", "dev": "",
}


class Rooms(unittest.TestCase):
    def findings(self, **changes):
        """Of the tree with other or further files; None takes one away."""
        changes = {path.replace("__", "/").replace("DOT", "."): text for path, text in changes.items()}
        tree = {**TREE, **changes}
        tree = {path: text for path, text in tree.items() if text is not None}
        return list(rooms.findings(sorted(tree), tree.__getitem__))

    def test_all_is_described(self):
        self.assertEqual(self.findings(), [])

    def test_what_has_no_row(self):
        self.assertEqual(self.findings(r__bDOTc="", r__high__yDOTc="", r__lowDOTc=""),
                         ["the README of r has no row for b.c", "the README of r has no row for high/",
                          "the README of r has no row for low.c"])

    def test_a_pattern_of_files_is_no_folder(self):
        self.assertEqual(self.findings(**{"r/s_two.c/x": ""}), ["the README of r has no row for s_two.c/"])

    def test_a_row_for_nothing(self):
        self.assertEqual(self.findings(r__s_oneDOTc=None, r__low__xDOTc=None),
                         ["the README of r describes low/, which is not there",
                          "the README of r describes s_*.c, which is not there"])

    def test_room_without_a_readme_or_a_row(self):
        self.assertEqual(self.findings(new__aDOTc=""),
                         ["the README of the tree has no row for new/", "new has no README"])


if __name__ == "__main__":
    xmltest.main()
