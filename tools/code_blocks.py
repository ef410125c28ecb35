#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each block of code in README.md and docs/ says what it is, by the word behind its fence.

usage: code_blocks.py [ROOT]

 - `console`: a session. A test runs it and compares what is printed: the one that RUN_BY names for the
   page, or corefiles/tests/screens_test.py, when the line above the fence is `<!-- run with PROGRAM -->`;
   that file says what PROGRAM can be.
 - `shown`: what was printed once. No test runs it.
 - `sh`, `gdb`: commands alone, without what they print.
 - `text`: neither commands nor what they print. Others (`c`, `diff`, ...): source.

Prints one line for each finding, exit 1 if there is one.
"""
import collections
import glob
import os
import re
import sys

RUN_BY = {
    "docs/tutorial-hang.md": "//test-targets/verdicts:tutorial_test",
    "docs/tools.md": "//runtime/tools/tests/examples:examples_test",
}
COMMANDS = ("sh", "gdb")
SOURCE = ("c", "cmake", "diff", "json", "lua")
WORDS = ("console", "shown", "text") + COMMANDS + SOURCE
TARGET = re.compile(r"<!-- run with (.+) -->$")
_FENCE = re.compile(r"\s*```(.*)$")
_PROMPT = re.compile(r"\s*(\$|\((gdb|lldb)\)) ")

# Of a page: the number of its first line, the word, what is in it, what it is run with or None.
Block = collections.namedtuple("Block", "line word lines target")


def blocks(text):
    """All blocks of a page."""
    begun, lines, before = None, [], ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if fence and begun:
            yield begun._replace(lines=lines)
            begun = None
        elif fence:
            named = TARGET.match(before.strip())
            begun, lines = Block(number, fence.group(1).strip(), [], named and named.group(1)), []
        elif begun:
            lines.append(line)
        before = line


def problem(page, block):
    """What is wrong with a block, or None."""
    prompts = [bool(_PROMPT.match(line)) for line in block.lines]
    if not block.word:
        return "the block does not say what it is: %s" % ", ".join(WORDS)
    if block.word not in WORDS:
        return "there is no word %s, only: %s" % (block.word, ", ".join(WORDS))
    if block.word == "console" and page not in RUN_BY and not block.target:
        return "no test runs this console: name a program above it, or call it shown"
    if block.target and block.word != "console":
        return "a block that is run is a console"
    if block.word in COMMANDS and any(prompts) and not all(prompts):
        return "there is more in it than commands"
    if block.word in ("text",) + SOURCE and any(prompts):
        return "there are commands in it"
    return None


def pages(root):
    """The paths of all documents, from ROOT."""
    found = glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True)
    return sorted(os.path.relpath(path, root) for path in [os.path.join(root, "README.md")] + found)


def read(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as f:
        return f.read()


def main(argv):
    root = argv[0] if argv else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = [(page, block.line, problem(page, block)) for page in pages(root)
             for block in blocks(read(root, page)) if problem(page, block)]
    for one in found:
        print("%s:%d: %s" % one)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
