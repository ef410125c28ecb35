#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stand-in for Bazel 4's CoverageOutputGenerator (a Java jar that has to be
downloaded): merges gcov JSON and lcov .dat files into one lcov file.

  --coverage_dir=D --source_file_manifest=M --output_file=F   one test's data
  --reports_file=R --output_file=F                            all tests' data
"""
import glob
import gzip
import json
import os
import re
import sys


class Report:
    """What all the files say together."""

    def __init__(self):
        self.lines = {}  # file -> line -> count
        self.functions = {}  # file -> name -> [line, count]

    def add_lcov(self, path):
        source = None
        with open(path) as f:
            for row in f:
                tag, _, value = row.rstrip("\n").partition(":")
                if tag == "SF":
                    source = value
                elif tag == "DA":
                    line, count = value.split(",")[:2]
                    counts = self.lines.setdefault(source, {})
                    counts[int(line)] = counts.get(int(line), 0) + int(count)
                elif tag == "FN":
                    line, name = value.split(",", 1)
                    self.functions.setdefault(source, {}).setdefault(name, [0, 0])[0] = int(line)
                elif tag == "FNDA":
                    count, name = value.split(",", 1)
                    self.functions.setdefault(source, {}).setdefault(name, [0, 0])[1] += int(count)

    def add_gcov(self, path, is_wanted):
        with gzip.open(path, "rt") as f:
            data = json.load(f)
        for file in data["files"]:
            if not is_wanted(file["file"]):
                continue
            counts = self.lines.setdefault(file["file"], {})
            for line in file["lines"]:
                counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]
            functions = self.functions.setdefault(file["file"], {})
            for function in file["functions"]:
                entry = functions.setdefault(function["name"], [function["start_line"], 0])
                entry[1] += function["execution_count"]

    def write(self, out):
        for source in sorted(self.lines):
            out.write("SF:%s\n" % source)
            functions = self.functions.get(source, {})
            for name, (line, count) in sorted(functions.items()):
                out.write("FN:%d,%s\nFNDA:%d,%s\n" % (line, name, count, name))
            out.write("FNF:%d\nFNH:%d\n" % (len(functions), sum(1 for e in functions.values() if e[1])))
            for line, count in sorted(self.lines[source].items()):
                out.write("DA:%d,%d\n" % (line, count))
            counts = self.lines[source].values()
            out.write("LH:%d\nLF:%d\nend_of_record\n" % (sum(1 for n in counts if n), len(counts)))


def main():
    options, filters = {}, []
    for argument in sys.argv[1:]:
        key, _, value = argument.lstrip("-").partition("=")
        if key == "filter_sources":
            filters.append(re.compile(value))
        else:
            options[key] = value
    report, listed = Report(), None
    if os.path.exists(options.get("source_file_manifest", "")):
        with open(options["source_file_manifest"]) as f:
            listed = {row for row in f.read().split("\n") if row}

    def is_wanted(source):
        return not any(p.fullmatch(source) for p in filters) and (listed is None or source in listed)

    if "reports_file" in options:
        with open(options["reports_file"]) as f:
            for path in f.read().split():
                if os.path.exists(path) and path.endswith(".dat"):
                    report.add_lcov(path)
    if "coverage_dir" in options:
        for path in glob.glob(options["coverage_dir"] + "/**/*.gcov.json.gz", recursive=True):
            report.add_gcov(path, is_wanted)
        for path in glob.glob(options["coverage_dir"] + "/**/*.dat", recursive=True):
            if os.path.abspath(path) != os.path.abspath(options["output_file"]):
                report.add_lcov(path)
    with open(options["output_file"], "w") as out:
        report.write(out)


main()
