# SPDX-License-Identifier: Apache-2.0
"""The sessions in the documents: their commands, and whether what stands there is what was printed."""

import collections
import re

import code_blocks
import gdbrun

# Of a page: what is to be run (code_blocks.TARGET), and [(prompt, command, [lines that it prints])].
Session = collections.namedtuple("Session", "page line target steps")
PROMPT = re.compile(r"(\$|\(gdb\)|\(lldb\)) (.*)")
HISTORY = re.compile(r"\$\d+ = ")  # GDB's, no prompt


def steps(lines):
    found = []
    for line in lines:
        prompt = not HISTORY.match(line) and PROMPT.match(line)
        if prompt:
            found.append((prompt.group(1), prompt.group(2), []))
        else:
            found[-1][2].append(line)
    return found


def of_page(page):
    """Those that a target is named for."""
    for block in code_blocks.blocks(code_blocks.read(gdbrun.ROOT, page)):
        if block.target:
            yield Session(page, block.line, block.target, steps(block.lines))


def every():
    for page in code_blocks.pages(gdbrun.ROOT):
        yield from of_page(page)


def plain(text, tids=()):
    """Without what another run has otherwise: paths, addresses, numbers of processes and threads (TIDS, and
    all above 99 that are no line of a file), and where lines are broken."""
    text = re.sub(r"(?<!\S)/\S+/[^\s/]+", "PATH", text)
    text = re.sub(r"\b0x[0-9a-f]{5,}\b", "ADDRESS", text)
    text = re.sub(r"\b(LWP|Process|PID|process) \d+", r"\1 N", text)
    for tid in tids:
        text = re.sub(r"(?<![\w.:])%d(?!\w|\.\d)" % tid, "N", text)
    return " ".join(re.sub(r"(?<![\w.:])\d{3,}(?!\w|\.\d)", "N", text).split())


def pattern(lines):
    """Of `plain`'s text; a line "…" stands for any words."""
    parts = re.split(r"^…$", "\n".join(lines), flags=re.MULTILINE)
    return r"\s*.*\s*".join(re.escape(plain(part)) for part in parts)


def agrees(lines, text, tids=()):
    return bool(re.fullmatch(pattern(lines), plain(text, tids)))
