#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what comments and documents refer to is in the tree.

usage: citations.py [ROOT]

 - A document that any file names (docs/abi/kmpc.md, json.md) exists: from the root, beside the file that
   names it, or in docs/. Where sections follow the name (docs/abi/gomp.md sections 3.1 and 5), it has a
   heading with each number.
 - A link of a document ([text](file.md#part), ![text](picture.svg)) leads to a file, and to a heading of it.
 - A path of the tree in a document (`runtime/abi/kmpc_*.c`, `golden/TARGET.txt`, `corefiles/fuzz/`) exists.

Prints one line for each that does not, exit 1 if there is one.
"""
import functools
import glob
import os
import re
import subprocess
import sys

DOCUMENT = re.compile(r"(?<![\w./@{$-])((?:\.\./|\w[\w-]*/)*[\w-]+\.md)\b(?!\w)"
                      r"((?:,? sections?| and)? \d+(?:\.\d+)*(?:(?:, | and |, and )\d+(?:\.\d+)*)*)?")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*)`")
CODE = re.compile(r"`[^`\n]*`")
# a comment's line break and what begins its next line
MARGIN = re.compile(r"\n[ \t]*(?:\*|//+|#+|--)?[ \t]*")


class Tree:
    def __init__(self, root, files):
        self.root, self.files = root, set(files)

    @functools.lru_cache(None)
    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as f:
            return f.read()

    @functools.lru_cache(None)
    def headings(self, path):
        return HEADING.findall(FENCE.sub("", self.text(path)))

    def find(self, name, user):
        """The file that `user` means by a name, or None."""
        for folder in ("", os.path.dirname(user), "docs"):
            path = os.path.normpath(os.path.join(folder, name))
            if path in self.files:
                return path
        return None

    def has_section(self, path, number):
        return any(re.match(re.escape(number) + r"[. ]", h + " ") for h in self.headings(path))

    def has_anchor(self, path, anchor):
        """GitHub's rule: lower case, spaces to hyphens, other marks left out."""
        return anchor in (re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in self.headings(path))

    def problems(self, user):
        text = self.text(user)
        for match in DOCUMENT.finditer(MARGIN.sub(" ", text)):
            path = self.find(match.group(1), user)
            if path is None:
                yield "%s names %s, which does not exist" % (user, match.group(1))
                continue
            for number in re.findall(r"\d+(?:\.\d+)*", match.group(2) or ""):
                if not self.has_section(path, number):
                    yield "%s names section %s of %s, which has none" % (user, number, path)
        if user.endswith(".md"):
            text = FENCE.sub("", text)
            yield from self.missing_paths(user, text)
            yield from self.broken_links(user, CODE.sub("", text))

    def missing_paths(self, user, text):
        """Of paths whose first part is a room: others belong to installations and to other projects."""
        for path in PATH.findall(text):
            room = path.split("/")[0]
            variable = re.sub(r"\b[A-Z]{2,}\b", "*", path)
            if not room.startswith(".") and os.path.isdir(os.path.join(self.root, room)) and \
                    not any(glob.glob(os.path.join(self.root, p)) for p in (path, variable)):
                yield "%s names %s, which does not exist" % (user, path)

    def broken_links(self, user, text):
        for target in LINK.findall(text):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(user), name)) if name else user
            if path not in self.files and not os.path.isdir(os.path.join(self.root, path)):
                yield "%s links to %s, which does not exist" % (user, target)
            elif anchor and not self.has_anchor(path, anchor):
                yield "%s links to %s, which has no such heading" % (user, target)


def main(arguments):
    root = arguments[0] if arguments else "."
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    files = [f for f in files if os.path.isfile(os.path.join(root, f))]
    tree = Tree(root, files)
    found = [p for f in sorted(files)
             if not f.endswith((".gz", ".zst", ".svg", "citations.py", "_test.py"))
             for p in tree.problems(f)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
