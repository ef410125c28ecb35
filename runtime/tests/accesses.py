# SPDX-License-Identifier: Apache-2.0
"""The calls of functions in our C sources, and the memory order that each asks for.

Not a parser of C: it relies on how clang-format lays the sources out (a function's name and its opening brace
begin a line).
"""
import re

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
# What has its order by its name (core/base.h, core/arch.h).
BY_NAME = {"rt_load": "relaxed", "rt_store": "relaxed", "rt_acquire": "acquire", "rt_publish": "release",
           "rt_arch_full_after_rmw": "seq_cst", "rt_membarrier": "seq_cst"}
ORDER = re.compile(r"\bmemory_order_(%s)\b|\b__ATOMIC_(%s)\b"
                   % ("|".join(ORDERS), "|".join(order.upper() for order in ORDERS)))
CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
HEAD = re.compile(r"\b(\w+)\(")
MACRO = re.compile(r"#define (\w+)")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "do", "else"}


def without_comments(text):
    """The same length, with blanks for comments and what strings say."""
    return TOKEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def closing(text, at):
    """Behind the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    return len(text)


def arguments(text):
    """Of "(a, f(b, c))": ["a", "f(b, c)"]."""
    parts, depth, start = [], 0, 1
    for i, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 1 or i == len(text) - 1:
            parts.append(" ".join(text[start:i].split()))
            start = i + 1
    return [part for part in parts if part]


class Call:
    """One call: `function` is where it stands, `start` and `end` are its place in the text."""

    def __init__(self, text, function, name, start, end):
        self.function, self.name, self.start, self.end = function, name, start, end
        self.text = text[start:end]
        self.arguments = arguments(text[start + len(name):end])
        self.line = text.count("\n", 0, start) + 1

    def __str__(self):
        return "%s(%s)" % (self.name, self.arguments[0] if self.arguments else "")

    def order(self):
        """Of the access; of a compare-and-exchange that of its success. None: it is no atomic access."""
        if self.name in BY_NAME:
            return BY_NAME[self.name]
        found = ORDER.search(self.text) if self.name.startswith(("atomic_", "__atomic_")) else None
        return (found.group(1) or found.group(2).lower()) if found else None


def functions(text):
    """(name, start, end) of each definition in a text without comments, also of macros."""
    line_start, head = 0, ""
    for line in text.splitlines(keepends=True):
        macro = MACRO.match(line)
        if macro:
            end = re.compile(r"[^\\]\n").search(text, line_start + len(line) - 2)
            yield macro.group(1), line_start + macro.end(), end.end() if end else len(text)
        elif line.startswith("{"):
            names = HEAD.findall(re.sub(r"__attribute__\(\(.*?\)\)", "", head))
            end = text.find("\n}", line_start)
            if names:
                yield names[0], line_start, end + 2
            head = ""
        elif line[0] in " \n})#" and not head.rstrip().endswith((",", ")")):
            head = ""
        else:
            head = line if line[0] not in " \n" and not head.rstrip().endswith(",") else head + line
        line_start += len(line)


def calls(text):
    """All calls inside of functions and macros, in their order."""
    clean = without_comments(text)
    found = []
    for function, start, end in functions(clean):
        for match in CALL.finditer(clean, start, end):
            if match.group(1) not in KEYWORDS:
                found.append(Call(clean, function, match.group(1), match.start(),
                                  closing(clean, match.end() - 1)))
    return sorted(found, key=lambda call: call.start)
