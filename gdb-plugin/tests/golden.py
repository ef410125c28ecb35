#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the listers print of every target, as kept in golden/: read once by a person, compared by
session_test.

    PYTHONPATH=tools:test-targets gdb-plugin/tests/golden.py --update [TARGET...]    makes the files anew

A file is a screen as it was, with LWPs, addresses and paths made equal. Which worker becomes which thread,
and so the numbers of GDB's threads, tasks and inner regions and the order of rows, is another one in each
run: those are not compared. """

import collections
import glob
import json
import os
import re
import sys

import gdbrun

FOLDER = os.path.join(gdbrun.HERE, "golden")
COMMANDS = ["ompd threads", "ompd parallel", "ompd tasks", "ompd waits", "ompd stacks", "ompd region",
            "ompd task",
            "ompd tasks -ancestors"]
# They say the same of nearly every target.
OF_ALL = {"nested_gcc": ["ompd icvs", "ompd status"]}
HEAD = "# SPDX-License-Identifier: Apache-2.0\n"
# Run in GDB: the screens as the first thread of the program sees them.
SCREENS = """
gdb.execute("thread 1", to_string=True); gdb.execute("set ompd width 80")
say([[c, "".join(one or "" for one in run(c))] for c in %r + %r.get(%r, [])])
"""
_PLACES = re.compile(r"\{\d+(?:,\d+)*\}")
# A list of numbers is one; "region 2, where 1 of 4 has not arrived" is none.
_NUMBER = re.compile(r"(?<![\w:#./-])(?<!level )(?<!Thread )\d+(?:,\s+(?:\d+\b(?!\s+of\s+\d)|\.\.\.)|-\d+)*"
                     r"(?![\w/.]|, \d+\b(?!\s+of\s+\d)|\s+threads\b(?! \d)|\s+of\s+\d| wait| comput)")


def script(name):
    """What a test runs in GDB at a target's rest."""
    return SCREENS % (COMMANDS, OF_ALL, name)


def screen(said):
    """The text of a golden file."""
    text = "\n".join("(gdb) %s\n%s" % (command, out.rstrip("\n") + "\n") for command, out in said)
    for number, lwp in enumerate(sorted(set(re.findall(r"LWP (\d+)", text)), key=int)):
        text = re.sub(r"(?<![\w:])%s\b" % lwp, "%d" % (10001 + number), text)
    text = re.sub(r"(?<![\w.])/\S*/(?=[\w.]+)", "/…/", text)
    return HEAD + "\n".join(line.rstrip()
                            for line in re.sub(r"0x[0-9a-f]{5,}", "0x…", text).splitlines()) + "\n"


def compared(text):
    """The words of a golden file without what another run has otherwise."""
    # Where a paragraph is wrapped depends on the lengths of numbers, and so does whether a table has columns
    # "Waits for", "At" and "What it does", or lines "for ..., at ..." and "which ..." below its rows.
    text = text.replace("*", " ").replace("What it does", "")
    words = (word.rstrip(",").casefold() for word in _NUMBER.sub("N", _PLACES.sub("{}", text)).split())
    return collections.Counter(word for word in words if word not in ("waits", "for", "at", "which"))


def _same_name(a, b):
    """Whether both can be the same name: one that is cut in the middle is cut elsewhere, or not at all, in
    another run."""
    (a_begin, a_cut, a_end), (b_begin, b_cut, b_end) = a.partition("…"), b.partition("…")
    if a_cut and b_cut:
        return (a_begin.startswith(b_begin) or b_begin.startswith(a_begin)) and \
            (a_end.endswith(b_end) or b_end.endswith(a_end))
    if a_cut:
        return len(b) >= len(a) and b.startswith(a_begin) and b.endswith(a_end)
    return b_cut != "" and _same_name(b, a)


def _without_same(more, less):
    """Takes the names out of both that are only cut otherwise."""
    for word in list(more.elements()):
        other = next((one for one in less.elements() if _same_name(word, one)), None)
        if other is not None:
            more, less = more - collections.Counter([word]), less - collections.Counter([other])
    return more, less


def difference(name, said):
    """"" or what the screens of a target have that its golden file has not."""
    try:
        with open(os.path.join(FOLDER, name + ".txt"), encoding="utf-8") as f:
            kept = f.read()
    except FileNotFoundError:
        return "%s has no golden file: golden.py --update %s, and read it" % (name, name)
    now = screen(said)
    more, less = _without_same(compared(now) - compared(kept), compared(kept) - compared(now))
    if not more and not less:
        return ""
    return "%s: now %s, before %s. Is this right?\n%s" % (name, dict(more), dict(less), now)


def _update(names):
    with open(gdbrun.find("test-targets/targets.json"), encoding="utf-8") as f:
        targets = [one for one in json.load(f)["targets"] if not names or one["name"] in names]
    os.makedirs(FOLDER, exist_ok=True)
    known = {os.path.join(FOLDER, one["name"] + ".txt") for one in targets}
    for path in set(glob.glob(os.path.join(FOLDER, "*.txt"))) - known if not names else ():
        os.remove(path)
    for one in targets:
        held = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'
        answer = gdbrun.gdb(held + script(one["name"]), ["--args", gdbrun.find("test-targets/" + one["exe"])]
                            + one["args"],
                            env=dict(one["env"], TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT="60"))
        if not answer.said:
            sys.exit("%s: %s" % (one["name"], answer))
        path = os.path.join(FOLDER, one["name"] + ".txt")
        if difference(one["name"], answer.said[0]):
            print("new: %s" % path)
            with open(path, "w", encoding="utf-8") as f:
                f.write(screen(answer.said[0]))


if __name__ == "__main__":
    if sys.argv[1:2] != ["--update"]:
        sys.exit(__doc__)
    _update(sys.argv[2:])
