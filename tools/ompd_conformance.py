#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""@file Makes docs/ompd-conformance.md, and finds out whether the one that is there is what it would make.

  ompd_conformance.py check ROOT    complaints, and the differences to the document
  ompd_conformance.py write ROOT    writes the document

What the specifications say and what no source can say stands in docs/ompd-conformance.json. The rest is read
from the sources, and a name in the data that they do not have is a complaint: functions and codes from
include/omp-tools.h, the export list, ICVs with scopes and versions and integer forms from
ompd/api/icv_table.c, fields from runtime/layout.def.
"""
import json
import pathlib
import re
import sys

from ompd.tests import listed_codes

VERSIONS = {"5.0": 201811, "5.1": 202011, "5.2": 202111, "6.0": 202411}
SPEC = {"G": ("global", "global"), "D": ("device", "address_space"), "T": ("data environment", "task"),
        "I": ("implicit task", "implicit_task"), "P": ("team", "parallel")}
# of the specifications; with the names that have a prefix
COUNTS = {"5.0": 27, "5.1": 35, "5.2": 29, "6.0": 39}

HEAD = """# What libompd.so does of OMPD, by version

Made by `tools/ompd_conformance.py write .` from the sources and from `docs/ompd-conformance.json`; a test
fails when it is stale. Where nothing is said, the library does what the specification of the caller's version
says. The codes of each function and what the outputs then hold are in `omp-tools.h`.

## Functions

"Since" is the version of OpenMP that has the function; the library exports all to callers of every version.
Codes of a later version are not returned: `incomplete` is `ok` and `callback_error` is `error` for a caller
of 5.0, `incompatible_handle` is `stale_handle` before 6.0.

| function | since | codes | here |
|---|---|---|---|
"""

ICVS = """
## Internal control variables

A cell of a version is the `ompd_scope_t` that a caller of that version is told, or empty where the version
does not have the name. In brackets stands the specification's scope when the one that Companion keeps is
another, which the specification allows. A caller of 5.0 is told `address_space` for global ICVs and `task`
for those of implicit tasks: LLVM's GDB plugin, which is such a caller, stops at other scopes. For the same
reason levels-var and active-levels-var are those of a region there.

Integer: "first" is the first item, with `ompd_rc_incomplete` when there are more; "none" is
`ompd_rc_incompatible`; the others are whole. Booleans are 0 and 1, enumerations the numbers of `omp.h`. The
text is spelled as the environment variable would be.

| ICV | 5.0 | 5.1 | 5.2 | 6.0 | integer | text | kept in Companion | here |
|---|---|---|---|---|---|---|---|---|
"""


def read_icvs(source):
    """Rows (name, RTM name, scope, since, until) and integer forms by RTM name."""
    macros = {}
    for name, since, until in re.findall(r"#define (\w+)\s+OMPD_VERSION_(\d\d), OMPD_VERSION_(\d\d)", source):
        macros[name] = ("%s.%s" % tuple(since), "%s.%s" % tuple(until))
    rows = [(name, rtm, scope) + macros[when] for name, rtm, scope, when in
            re.findall(r'\{"([a-z-]+)", (RTM_ICV_\w+), ompd_scope_(\w+), (\w+)\}', source)]
    return rows, dict(re.findall(r"\[(RTM_ICV_\w+)\] = (ICV_\w+)", source))


def scopes_of(rows, name):
    """Version -> scope that a caller is told."""
    told = {}
    for row, _, scope, since, until in rows:
        for version in VERSIONS:
            if row == name and since <= version <= until:
                if version in told:
                    raise ValueError("%s is listed twice in %s" % (name, version))
                if version == "5.0":
                    scope_50 = {"global": "address_space", "implicit_task": "task"}
                    told[version] = scope_50.get(scope, scope)
                else:
                    told[version] = scope
    return told


def cell(told, spec, version):
    """What the table says of one ICV in one version."""
    if version not in told:
        return ""
    letter = spec.get(version)
    usual = {"G": "address_space", "I": "task"}.get(letter) if version == "5.0" else None
    if letter is None or told[version] == (usual or SPEC[letter][1]):
        return told[version]
    return "%s (%s)" % (told[version], SPEC[letter][0])


class Book:
    """The document and what is wrong with the data."""

    def __init__(self, root):
        read = lambda name: pathlib.Path(root, name).read_text(encoding="utf-8")
        self.data = json.loads(read("docs/ompd-conformance.json"))
        self.codes = listed_codes.listed(str(pathlib.Path(root, "include/omp-tools.h")))
        self.exports = set(read("ompd/exports.txt").split())
        self.rows, self.integers = read_icvs(read("ompd/api/icv_table.c"))
        layout = read("runtime/layout.def")
        self.fields = {"%s.%s" % pair for pair in re.findall(r"RT_(?:FIELD|BITS)\(\d+, (\w+), (\w+)", layout)}
        self.fields |= set(re.findall(r"RT_CONST\(\d+, (\w+)", layout))
        self.complaints = []

    def functions(self):
        """The first table."""
        known = self.data["functions"]
        for name in sorted(set(known) ^ set(self.codes)):
            self.complaints.append("%s is only in the %s" % (name, "data" if name in known else "header"))
        text = ""
        for name, codes in self.codes.items():
            if name not in self.exports:
                self.complaints.append("%s is not exported" % name)
            since, here = known.get(name, ["?", "?"])
            text += "| `%s` | %s | %s | %s |\n" % (name, since, ", ".join(codes), here)
        return text

    def check_icv(self, icv, told):
        """The table's versions are the specification's, but for what the data calls extra."""
        expected = set(icv["spec"]) | set(icv.get("extra", []))
        if set(told) != expected:
            self.complaints.append("%s: listed in %s, expected in %s" % (icv["name"], sorted(told),
                                                                         sorted(expected)))
        for field in icv["kept"]:
            if field not in self.fields:
                self.complaints.append("%s: %s is not in layout.def" % (icv["name"], field))

    def icvs(self):
        """The second table."""
        words = {"ICV_FIRST": "first", "ICV_NO_INTEGER": "none"}
        text = ""
        named = [icv["name"] for icv in self.data["icvs"]]
        for name in sorted(set(named) ^ {row[0] for row in self.rows}):
            self.complaints.append("%s is only in the %s" % (name, "data" if name in named else "table"))
        for icv in self.data["icvs"]:
            told = scopes_of(self.rows, icv["name"])
            self.check_icv(icv, told)
            forms = {words.get(self.integers.get(row[1]), "whole") for row in self.rows
                     if row[0] == icv["name"]}
            cells = [cell(told, icv["spec"], version) for version in VERSIONS]
            text += "| %s | %s | %s | %s | %s | %s |\n" % (
                icv["name"], " | ".join(cells), "/".join(sorted(forms)), icv["text"],
                ", ".join("`%s`" % field for field in icv["kept"]), icv.get("note", ""))
        for version, count in COUNTS.items():
            here = sum(version in icv["spec"] for icv in self.data["icvs"])
            if here != count:
                self.complaints.append("%s has %d ICVs, not %d" % (version, count, here))
        return text

    def make(self):
        """The whole text."""
        return HEAD + self.functions() + ICVS + self.icvs()


def main(arguments):
    """The command."""
    what, root = arguments
    book = Book(root)
    text = book.make()
    document = pathlib.Path(root, "docs/ompd-conformance.md")
    if what == "write" and not book.complaints:
        document.write_text(text, encoding="utf-8")
    elif document.read_text(encoding="utf-8") != text:
        book.complaints.append("docs/ompd-conformance.md is stale: run tools/ompd_conformance.py write .")
    for complaint in book.complaints:
        print(complaint)
    return 1 if book.complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
