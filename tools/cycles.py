#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Finds files that depend on each other in a cycle, room by room (a room is a top-level directory).

A file is X.c with its X.h, or one Python module. It depends on another file of its room when it includes that
file's header, uses a function or variable that the file defines (as `nm` sees it in the compiled object), or
imports the module, also inside a function. Three kinds of use do not count: a weak reference does without the
definition, and a name that libc has is libc's, also where a file of ours replaces it (an interposed realloc).
What a fuzzer or a test (in a folder `fuzz` or `tests`) defines under a name of the room's own code stands in
for that in its own program: the room's code uses its own.

Where the README of a room says that a folder "uses those above it", a folder of its table
("| `base/` | ... |") uses those above it only.

usage: cycles.py [ROOT]      needs ROOT/compile_commands.json (tools/compile_commands.py)

Prints each cycle, and each use of a folder further down, with the names that tie it. Exit: 0 there is none, 1
there is one.
"""
import ast
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
DEFINED = set("TDBRVWC")  # nm's letters for what other files can see
FOLDER = re.compile(r"^\| *`([^`/]+)/` *\|", re.MULTILINE)  # a row of a README's table
ORDERED = "uses those above it"  # of a README: the order of its table is that of the layers
NAMES_SHOWN = 6
STAND_INS = {"fuzz", "tests"}  # folders of programs that may define what the room's code does


class Graph:
    """What depends on what: for each pair of files the names that are the reason."""

    def __init__(self):
        self.edges = collections.defaultdict(lambda: collections.defaultdict(set))

    def add(self, user, used, name):
        if user != used and room(user) == room(used):
            self.edges[user][used].add(name)

    def cycles(self):
        """The strongly connected components of more than one file (Tarjan, Depth-first search and linear
        graph algorithms, 1972), each sorted, in order."""
        index, low, stack, on_stack, found = {}, {}, [], set(), []

        def visit(node):
            index[node] = low[node] = len(index)
            stack.append(node)
            on_stack.add(node)
            for other in sorted(self.edges.get(node, ())):
                if other not in index:
                    visit(other)
                    low[node] = min(low[node], low[other])
                elif other in on_stack:
                    low[node] = min(low[node], index[other])
            if low[node] == index[node]:
                component = []
                while not component or component[-1] != node:
                    component.append(stack.pop())
                    on_stack.discard(component[-1])
                if len(component) > 1:
                    found.append(sorted(component))

        for node in sorted(self.edges):
            if node not in index:
                visit(node)
        return sorted(found)


def room(path):
    return path.split("/")[0]


def is_driver(path):
    """Whether it is part of a fuzzer or a test, not of what these try."""
    return not STAND_INS.isdisjoint(path.split("/")[:-1])


def stem(path):
    return os.path.splitext(path)[0]


def add_includes(graph, root, sources, folders):
    """Headers are looked for beside the file, then in `folders` (relative to root)."""
    for path in sources:
        with open(os.path.join(root, path), errors="replace") as f:
            text = f.read()
        for header in INCLUDE.findall(text):
            for folder in [os.path.dirname(path)] + folders:
                found = os.path.normpath(os.path.join(folder, header))
                if os.path.isfile(os.path.join(root, found)):
                    graph.add(stem(path), stem(found), 'includes "%s"' % header)
                    break


def compiled(root, entry, scratch):
    """The object of one entry of compile_commands.json, without optimisation: what a header's inline function
    uses, its user uses."""
    target = os.path.join(scratch, entry["file"].replace("/", "_") + ".o")
    arguments, skip = [], False
    for argument in entry["arguments"]:
        if skip or argument in ("-o", "-MF"):
            skip = not skip
        elif not argument.startswith(("-O", "-fsanitize", "-MD", "-g")):
            arguments.append(argument)
    subprocess.run(arguments + ["-O0", "-w", "-o", target], cwd=root, check=True)
    return target


def nm(*arguments):
    """(defined, used) names of each object or library, in their order. All by one nm: its start takes
    longest."""
    paths = [a for a in arguments if not a.startswith("-")]
    listing = subprocess.run(["nm", "-A", "-P", *arguments], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    of_path = {path: (set(), set()) for path in paths}
    for line in listing.splitlines():
        path, name, kind = line.split()[:3]
        defined, used = of_path[path.rstrip(":")]
        if kind in DEFINED:
            defined.add(name)
        elif kind == "U":
            used.add(name)
    return [of_path[path] for path in paths]


def libc_names():
    path = subprocess.run(["gcc", "-print-file-name=libc.so.6"], check=True, stdout=subprocess.PIPE,
                          text=True)
    (defined, _), = nm("-D", path.stdout.strip())
    return {name.split("@")[0] for name in defined}


def add_symbols(graph, root, entries):
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda e: compiled(root, e, scratch), entries))
        of_file = list(zip((stem(e["file"]) for e in entries), nm(*objects) if objects else []))
    definers = collections.defaultdict(set)  # (room, name) -> files
    libc = libc_names()
    for file, (defined, _) in of_file:
        for name in defined - libc:
            definers[room(file), name].add(file)
    for file, (_, used) in of_file:
        for name in used:
            there = definers.get((room(file), name), set())
            own = {other for other in there if not is_driver(other)}
            for other in there if is_driver(file) else own or there:
                graph.add(file, other, name)


def imported(tree, package):
    """(module, name) of each import in a syntax tree, wherever it stands. name is None for `import
    module`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, None
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join(parts + ([node.module] if node.module else []))
            for alias in node.names:
                yield module, alias.name


def add_imports(graph, root, sources):
    """A module's absolute name is its path from the root, or from any folder above it: the import path of a
    test has some of them. One that several folders have is the nearest to the file that imports it."""
    known = set(sources)

    def find(module, user):
        folder = os.path.dirname(user)
        while module:
            for path in (module.replace(".", "/") + ".py", module.replace(".", "/") + "/__init__.py"):
                path = os.path.normpath(os.path.join(folder, path))
                if path in known:
                    return path
            if not folder:
                return None
            folder = os.path.dirname(folder)
        return None

    for path in sources:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            tree = ast.parse(f.read(), path)
        for module, name in imported(tree, os.path.dirname(path).replace("/", ".")):
            used = (name and find(module + "." + name, path)) or find(module, path)
            if used:
                graph.add(stem(path), stem(used), "imports " + (name or module))


def wrong_order(graph, root):
    """(user, used) of each use of a folder that stands below the user's in the README of its room."""
    orders = {}

    def place(path):
        if room(path) not in orders:
            readme = os.path.join(root, room(path), "README.md")
            text = open(readme, encoding="utf-8").read() if os.path.isfile(readme) else ""
            orders[room(path)] = FOLDER.findall(text) if ORDERED in text else []
        parts, order = path.split("/"), orders[room(path)]
        return order.index(parts[1]) if len(parts) > 2 and parts[1] in order else None

    for user in sorted(graph.edges):
        for used in sorted(graph.edges[user]):
            here, there = place(user), place(used)
            if here is not None and there is not None and there > here:
                yield user, used


def describe(graph, cycle):
    lines = ["%s: %d files depend on each other" % (room(cycle[0]), len(cycle))]
    for user in cycle:
        for used in sorted(graph.edges[user]):
            if used in cycle:
                names = sorted(graph.edges[user][used])
                more = len(names) - NAMES_SHOWN
                lines.append("  %s -> %s: %s" % (user, used, ", ".join(names[:NAMES_SHOWN]) +
                                                 (" and %d more" % more if more > 0 else "")))
    return "\n".join(lines)


def of_tree(root, files, entries):
    """The graph of the files (relative to root); entries: those of compile_commands.json."""
    graph = Graph()
    folders = [""] + sorted({f.split("/")[0] for f in files if "/" in f})
    add_includes(graph, root, [f for f in files if f.endswith((".c", ".h"))], folders)
    add_symbols(graph, root, [e for e in entries if e["file"].endswith((".c", ".S")) and e["file"] in files])
    add_imports(graph, root, [f for f in files if f.endswith(".py")])
    return graph


def main(arguments):
    root = arguments[0] if arguments else "."
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.c", "*.h", "*.S", "*.py"],
                           cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    files = [f for f in files if os.path.isfile(os.path.join(root, f))]
    with open(os.path.join(root, "compile_commands.json")) as f:
        graph = of_tree(root, set(files), json.load(f))
    cycles = graph.cycles()
    for cycle in cycles:
        print(describe(graph, cycle))
    wrong = list(wrong_order(graph, root))
    for user, used in wrong:
        print("%s uses %s, whose folder stands below its own in the README of %s: %s" % (
            user, used, room(user), ", ".join(sorted(graph.edges[user][used])[:NAMES_SHOWN])))
    return 1 if cycles or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
