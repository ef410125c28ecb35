#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the README of each room (a top-level folder) says what is in it.

usage: rooms.py [ROOT]

A row of its table begins with the names that it describes, each in backquotes: a folder with its slash, a
file, or a pattern of them ("| `base/`, `host.h`, `snap_*.c` | ... |"; "`text.[ch]`").

 - Each folder and each file directly in the room is in a row. BUILD and the README itself need none.
 - Each name of a row is there.
 - The README of the whole tree has a row for each room.

cycles.py checks besides that a folder uses only those above it, where the README says that this is so.

Prints one line for each finding, exit 1 if there is one.
"""
import collections
import fnmatch
import re
import subprocess
import sys

ROW = re.compile(r"^\|([^|]*)\|", re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")
NO_ROW = {"BUILD", "README.md"}


def names(text):
    """What the rows of a README describe."""
    return [name for row in ROW.findall(text) for name in NAME.findall(row)]


def contents(files):
    """Room -> what is directly in it, folders with their slash. Files beside the rooms are in the room ''."""
    found = collections.defaultdict(set)
    for path in files:
        room, _, rest = path.rpartition("/") if "/" not in path else path.partition("/")
        first, slash, _ = rest.partition("/")
        found[room].add(first + slash)
    return found


def is_in(name, path):
    """A folder is named with its slash, so that no pattern of files is a folder's."""
    return name.endswith("/") == path.endswith("/") and fnmatch.fnmatchcase(path, name)


def findings(files, read):
    """read(path): the text of a file."""
    rooms = contents(files)
    rooms.pop("", None)
    tree = names(read("README.md"))
    for room in sorted(rooms):
        if room.startswith("."):
            continue
        if room + "/" not in tree:
            yield "the README of the tree has no row for %s/" % room
        if "README.md" not in rooms[room]:
            yield "%s has no README" % room
            continue
        described = names(read(room + "/README.md"))
        for path in sorted(rooms[room] - NO_ROW):
            if not any(is_in(name, path) for name in described):
                yield "the README of %s has no row for %s" % (room, path)
        for name in described:
            if not any(is_in(name, path) for path in rooms[room]):
                yield "the README of %s describes %s, which is not there" % (room, name)


def main(arguments):
    root = arguments[0] if arguments else "."

    def read(path):
        with open(root + "/" + path, encoding="utf-8") as f:
            return f.read()

    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.splitlines()
    deleted = subprocess.run(["git", "ls-files", "-d"], cwd=root, check=True, stdout=subprocess.PIPE,
                             text=True).stdout.splitlines()
    found = list(findings(sorted(set(listed) - set(deleted)), read))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
