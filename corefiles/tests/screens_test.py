# SPDX-License-Identifier: Apache-2.0
"""The sessions in the documents that name a program of test-targets: the command prints what stands there.

Numbers of processes, paths, and where lines are broken may differ; a line "…" stands for any words."""

import re
import unittest

import code_blocks
import gdbrun
import xmltest
from installed import FOLDER, Held, run


def sessions():
    """(page, line, program, command, [lines that it prints])"""
    for page in code_blocks.pages(gdbrun.ROOT):
        for block in code_blocks.blocks(code_blocks.read(gdbrun.ROOT, page)):
            if not block.target:
                continue
            command, *printed = block.lines
            yield page, block.line, block.target, command, printed


def plain(text):
    """Without what another run has otherwise."""
    text = re.sub(r"(?<!\S)/\S+/[^\s/]+", "PATH", text)
    return " ".join(re.sub(r"(?<![\w.:])\d{2,}(?!\w|\.\d)", "N", text).split())


def pattern(lines):
    parts = "\n".join(lines).split("\n…")
    return ".*".join(re.escape(plain(part)) for part in parts)


class Screens(unittest.TestCase):
    maxDiff = None

    def test_each_session(self):
        count = 0
        for page, line, program, command, printed in sessions():
            with self.subTest(page=page, line=line):
                words = re.fullmatch(r"\$ ompd (.*-p) \d+( .*)?", command)
                self.assertIsNotNone(words, "%r is no command on one process" % command)
                with Held(program, FOLDER) as target:
                    said = run(*words.group(1).split(), target.pid, *(words.group(2) or "").split())
                self.assertEqual((said.stderr, said.returncode), ("", 0))
                self.assertRegex(plain(said.stdout), "^%s$" % pattern(printed))
                count += 1
        self.assertGreater(count, 1)

    def test_a_session_that_is_not_true(self):
        seen = plain("Process 4711, /a/b c.exe\nhere at a.c:21\n  next")
        for text, true in (("Process 1234, /srv/x c.exe here\nat a.c:21 next", True),
                           ("Process 1234, /srv/x c.exe\n…\nnext", True), ("Thread 1234\n…", False),
                           ("Process 1234, /srv/x c.exe here at a.c:22 next", False)):
            self.assertEqual(bool(re.fullmatch(pattern(text.split("\n")), seen)), true, text)


if __name__ == "__main__":
    xmltest.main()
