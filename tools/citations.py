#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what comments and documents refer to is in the tree.

usage: citations.py [ROOT]

 - A document that any file names (docs/abi/kmpc.md, json.md) exists: from the root, beside the file that
   names it, or in docs/. Where sections follow the name (docs/abi/gomp.md sections 3.1 and 5), it has a
   heading with each number.
 - A link of a document ([text](file.md#part), ![text](picture.svg)) leads to a file, and to a heading of it.
 - A path of the tree in a document (`runtime/abi/kmpc_*.c`, `golden/TARGET.txt`, `corefiles/fuzz/`) exists.
 - A block of code below the line `<!-- from PATH -->` stands in that file, line for line.
 - In the documents for who changes the code (`FOR_DEVELOPERS`) the identifiers in blocks of C, and those that
   a sentence has (`tgt_read`, `TRY()`, `rt_`), occur in a source file.

Prints one line for each that does not, exit 1 if there is one.
"""
import fnmatch
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
# Documents whose identifiers are this tree's; others explain what runtimes and debuggers of others have.
FOR_DEVELOPERS = ("CONTRIBUTING.md", "docs/architecture.md", "docs/first-change.md", "docs/decisions/*.md",
                  "*/README.md")
SOURCES = (".c", ".h", ".cc", ".def", ".S", ".py", ".sh", ".bzl", ".lds")
WORD = re.compile(r"[A-Za-z_]\w*")
EXCERPT = re.compile(r"^<!-- from (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
C_BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\n])*"', re.DOTALL)
# of a sentence: what has an underscore, or says that it is a function
NAMED = re.compile(r"`(\w*_\w*|\w+(?=\(\)))(?:\(\))?`")
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
            yield from self.wrong_excerpts(user, text)
            if any(fnmatch.fnmatch(user, pattern) for pattern in FOR_DEVELOPERS):
                yield from self.unknown_identifiers(user, text)
            text = FENCE.sub("", text)
            yield from self.missing_paths(user, text)
            yield from self.broken_links(user, CODE.sub("", text))

    @functools.cached_property
    def words(self):
        """Every word of the sources."""
        sources = [path for path in self.files if path.endswith(SOURCES)]
        return {word for path in sources for word in WORD.findall(self.text(path))}

    def wrong_excerpts(self, user, text):
        for path, block in EXCERPT.findall(text):
            if path not in self.files:
                yield "%s has an excerpt from %s, which does not exist" % (user, path)
            elif "\n" + block not in "\n" + self.text(path):
                yield "%s has an excerpt from %s that does not stand there" % (user, path)

    def unknown_identifiers(self, user, text):
        """A name that ends with an underscore is a prefix of names."""
        named = [w for block in C_BLOCK.findall(text) for w in WORD.findall(NOT_CODE.sub(" ", block))]
        named += NAMED.findall(FENCE.sub("", text))
        for name in dict.fromkeys(named):
            if name not in self.words and not (name.endswith("_") and
                                               any(w.startswith(name) for w in self.words)):
                yield "%s names %s, which no source file has" % (user, name)

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
