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


def main():
    opt, filters = {}, []
    for arg in sys.argv[1:]:
        key, _, val = arg.lstrip("-").partition("=")
        if key == "filter_sources":
            filters.append(re.compile(val))
        else:
            opt[key] = val
    lines = {}  # file -> line -> count
    funcs = {}  # file -> name -> [line, count]

    def add_lcov(path):
        src = None
        with open(path) as f:
            for row in f:
                tag, _, val = row.rstrip("\n").partition(":")
                if tag == "SF":
                    src = val
                elif tag == "DA":
                    ln, n = val.split(",")[:2]
                    d = lines.setdefault(src, {})
                    d[int(ln)] = d.get(int(ln), 0) + int(n)
                elif tag == "FN":
                    ln, name = val.split(",", 1)
                    funcs.setdefault(src, {}).setdefault(name, [0, 0])[0] = int(ln)
                elif tag == "FNDA":
                    n, name = val.split(",", 1)
                    funcs.setdefault(src, {}).setdefault(name, [0, 0])[1] += int(n)

    if "reports_file" in opt:
        with open(opt["reports_file"]) as f:
            for path in f.read().split():
                if os.path.exists(path) and path.endswith(".dat"):
                    add_lcov(path)
    if "coverage_dir" in opt:
        wanted = None
        if os.path.exists(opt.get("source_file_manifest", "")):
            with open(opt["source_file_manifest"]) as f:
                wanted = {r for r in f.read().split("\n") if r}
        root = opt["coverage_dir"]
        for path in glob.glob(root + "/**/*.gcov.json.gz", recursive=True):
            with gzip.open(path, "rt") as f:
                data = json.load(f)
            for file in data["files"]:
                src = file["file"]
                if any(p.fullmatch(src) for p in filters):
                    continue
                if wanted is not None and src not in wanted:
                    continue
                d = lines.setdefault(src, {})
                for ln in file["lines"]:
                    no = ln["line_number"]
                    d[no] = d.get(no, 0) + ln["count"]
                fs = funcs.setdefault(src, {})
                for fn in file["functions"]:
                    e = fs.setdefault(fn["name"], [fn["start_line"], 0])
                    e[1] += fn["execution_count"]
        for path in glob.glob(root + "/**/*.dat", recursive=True):
            if os.path.abspath(path) != os.path.abspath(opt["output_file"]):
                add_lcov(path)

    with open(opt["output_file"], "w") as out:
        for src in sorted(lines):
            out.write("SF:%s\n" % src)
            fs = funcs.get(src, {})
            for name, (ln, n) in sorted(fs.items()):
                out.write("FN:%d,%s\nFNDA:%d,%s\n" % (ln, name, n, name))
            out.write("FNF:%d\nFNH:%d\n" % (len(fs), sum(1 for e in fs.values() if e[1])))
            for ln, n in sorted(lines[src].items()):
                out.write("DA:%d,%d\n" % (ln, n))
            out.write("LH:%d\nLF:%d\nend_of_record\n" % (
                sum(1 for n in lines[src].values() if n), len(lines[src])))


main()
