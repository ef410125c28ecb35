#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the measures that CONTRIBUTING.md gives for sources and documents.

usage: measures.py [ROOT]      needs ctags (universal-ctags) for functions of C and C++

 - A line of C, C++ or Python, comments and strings included, has at most 110 characters.
 - A line of a document has at most 120, but for tables, code and what has no blank to break at.
 - A function has at most 60 lines. Tests, conformance programs and what `LONG` lists may have more.
 - A header has at most 350 lines. Public interfaces that others have written down may have more.
 - Any other source has at most 600 lines. What `LONG_FILES` lists may have more.

Prints one line for each finding, exit 1 if there is one.
"""
import ast
import fnmatch
import os
import re
import subprocess
import sys

WIDTH, PROSE_WIDTH, FUNCTION_LINES, HEADER_LINES, FILE_LINES = 110, 120, 60, 350, 600
PUBLIC_HEADERS = ("include/omp*.h", "include/abt_tool.h")
TESTS = ("*/tests/*", "*_test.*", "*/conformance/*", "test-targets/*", "inspect/live/*", "bench/*")
LONG = (  # tables that are written as a function
    "command/parse_value.c:parse_value",  # a case for each option
    "gdb-plugin/ompd_common/library.py:__init__",  # the C interface, for ctypes
    "ompd/runtimes/companion/companion_icvs.c:of_task",  # a case for each control variable
    "runtime/tools/draft_events.c:draft_event",  # a case for each event
)
LONG_FILES = (
    # cases: a row or a short function each
    "include/tests/abi_test.cc",
    "inspect/tests/record_test.cc",
    "inspect/tests/sentence_test.cc",
    "ompd/tests/answers_test.cc",
    "runtime/tests/*cases.c",
    "runtime/tests/atomic_test.cc",
    "runtime/tests/gomp_calls.c",
    "runtime/tools/tests/archer_program.c",
    # what these hold is made by hand, piece by piece
    "ompd/tests/image.cc",
    "ompd/tests/kmp_process.cc",
    "test-targets/truth.c",
)
FENCE = re.compile(r"\s*```")


def matches(path, patterns):
    return any(fnmatch.fnmatch(path, p) for p in patterns)


def wide_lines(path, lines):
    """(number, length) of the lines that are too long."""
    prose, fenced = path.endswith(".md"), False
    for number, line in enumerate(lines, 1):
        if not prose:
            if len(line) > WIDTH:
                yield number, len(line)
            continue
        if FENCE.match(line):
            fenced = not fenced
        if len(line) > PROSE_WIDTH and not fenced and not line.startswith("|") and " " in line.strip():
            yield number, len(line)


def python_functions(path, text):
    """(name, first line, lines) of each function."""
    for node in ast.walk(ast.parse(text, path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def c_functions(root, paths):
    """path -> (name, first line, lines) of each function, by ctags."""
    listing = subprocess.run(["ctags", "-x", "--languages=C,C++", "--kinds-C=f", "--kinds-C++=f",
                              "--map-C=-.h",
                              "--_xformat=%{input}\t%{name}\t%{line}\t%{end}", "-L", "-"], cwd=root,
                             check=True,
                             input="\n".join(paths), stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for line in listing.splitlines():
        path, name, first, last = line.split("\t")
        if last:
            found.setdefault(path, []).append((name, int(first), int(last) - int(first) + 1))
    return found


def findings(root, paths):
    paths = [p for p in paths if p != "include/omp_lib.h"]  # Fortran, which has limits of its own
    functions = c_functions(root, [p for p in paths if p.endswith((".c", ".h", ".cc"))])
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        lines = text.splitlines()
        for number, length in wide_lines(path, lines):
            yield "%s:%d: %d characters" % (path, number, length)
        if path.endswith(".h") and len(lines) > HEADER_LINES and not matches(path, PUBLIC_HEADERS):
            yield "%s: %d lines in a header" % (path, len(lines))
        elif not path.endswith((".h", ".md")) and len(lines) > FILE_LINES and not matches(path, LONG_FILES):
            yield "%s: %d lines in a file" % (path, len(lines))
        if matches(path, TESTS):
            continue
        if path.endswith(".py"):
            functions[path] = list(python_functions(path, text))
        for name, first, length in functions.get(path, ()):
            if length > FUNCTION_LINES and "%s:%s" % (path, name) not in LONG:
                yield "%s:%d: %s has %d lines" % (path, first, name, length)


def main(arguments):
    root = arguments[0] if arguments else "."
    paths = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.c", "*.h", "*.cc", "*.py",
                            "*.md"],
                           cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found = list(findings(root, sorted(p for p in paths if os.path.isfile(os.path.join(root, p)))))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
