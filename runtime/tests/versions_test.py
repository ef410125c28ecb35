# SPDX-License-Identifier: Apache-2.0
"""The built library against the table of symbols and nodes (versions.tsv), in both directions.

A program that was linked with libgomp or libomp asks for each symbol in a node; the dynamic linker refuses or
aborts when one is missing. readelf (binutils) reads the library: nothing of ours takes part.
"""
import re
import subprocess
import sys
import unittest

import make_versions
import xmltest

LIBRARY, TABLE, SCRIPT, GOMP_NODES, HEADER = sys.argv[1:6]


def readelf(option):
    command = ["readelf", "-W", option, LIBRARY]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def exported():
    """name -> (set of main nodes, set of other nodes); a symbol without node has the main node ''."""
    found = {}
    for line in readelf("--dyn-syms").splitlines():
        match = re.match(
            r"\s*\d+: [0-9a-f]+\s+\w+ \w+\s+(?:GLOBAL|WEAK|UNIQUE)\s+\w+\s+(\w+) ([^@\s]+)(@*)(\S*)", line)
        # The linker's own symbols, one a node, are absolute.
        if match and match.group(1) not in ("UND", "ABS"):
            _, name, at, node = match.groups()
            main, others = found.setdefault(name, (set(), set()))
            (others if at == "@" else main).add(node)
    return found


def defined_nodes():
    """node -> the one that it inherits, or None"""
    nodes = {}
    last = None
    for line in readelf("-V").splitlines():
        match = re.search(r"Rev: 1 .*Flags: (.*?)\s+Index: .*Name: (\S+)", line)
        if match:
            last = None if "BASE" in match.group(1) else match.group(2)
            if last:
                nodes[last] = None
        match = re.search(r"Parent 1: (\S+)", line)
        if match and last:
            nodes[last] = match.group(1)
        if line.startswith("Version needs"):
            break
    return nodes


class Versions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = make_versions.read_table(TABLE)
        cls.exported = exported()

    def list_is_empty(self, what, wrong):
        if wrong:
            self.fail("%d %s:\n  %s" % (len(wrong), what, "\n  ".join(sorted(wrong))))

    def test_no_symbol_is_missing(self):
        self.list_is_empty("symbols are missing", [name for name in self.table if name not in self.exported])

    def test_no_symbol_is_surplus(self):
        self.list_is_empty("symbols are not in the table",
                           [name for name in self.exported if name not in self.table])

    def test_main_nodes(self):
        wrong = []
        for name, (main, _) in self.table.items():
            if name in self.exported and self.exported[name][0] != {main}:
                wrong.append("%s: %s, not %s" % (name, " ".join(self.exported[name][0]) or "none", main))
        self.list_is_empty("symbols have another main node", wrong)

    def test_no_other_node_is_missing(self):
        wrong = []
        for name, (_, others) in self.table.items():
            if name in self.exported:
                wrong += ["%s@%s" % (name, node) for node in others if node not in self.exported[name][1]]
        self.list_is_empty("nodes are missing", wrong)

    def test_no_other_node_is_surplus(self):
        wrong = []
        for name, (_, others) in self.exported.items():
            wanted = self.table[name][1] if name in self.table else others
            wrong += ["%s@%s" % (name, node) for node in others if node not in wanted]
        self.list_is_empty("nodes are not in the table", wrong)

    def test_nodes_inherit_as_in_libgomp(self):
        want = {"VERSION": None}
        for chain in (make_versions.GOMP_CHAIN, make_versions.OMP_CHAIN):
            want.update(zip(chain, [None] + chain[:-1]))
        found = defined_nodes()
        self.assertEqual(sorted(found), sorted(want))
        # Nothing reads the parents at run time, and lld does not write them: compared where there are any.
        if any(found.values()):
            self.assertEqual(found, want)

    def test_script_is_made_from_the_table(self):
        with open(SCRIPT) as script:
            self.assertEqual(script.read(), make_versions.format_lds(self.table),
                             "run make_versions.py --lds")

    def test_nodes_for_the_source_are_made_from_the_table(self):
        with open(GOMP_NODES) as nodes:
            self.assertEqual(nodes.read(), make_versions.format_gomp_nodes(self.table),
                             "run make_versions.py --gomp-nodes")

    def test_routines_of_the_header_are_in_the_table(self):
        with open(HEADER) as header:
            routines = make_versions.routines(header.read())
        self.assertGreater(len(routines), 100)
        self.list_is_empty("routines of omp.h are not in the table",
                           [n for n in routines if n not in self.table])


if __name__ == "__main__":
    del sys.argv[1:6]
    xmltest.main()
