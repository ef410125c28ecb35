#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev matrix --stock`: each program on each runtime in each situation, by its own word.

usage: matrix.py [--results FILE] [--build FOLDER] [--runtime NAME,…] [--program NAME,…] [--option NAME,…]
                 [--situation NAME,…] [--env NAME=VALUE]… [--argument WORD]… [--jobs N] [--table FILE]
                 [--wrong] [--again]

Results are appended to FILE, a line of JSON for each run of a program, so that a run which was ended goes on
where it was. Prints the table and each wrong cell; exit 1 if there is one. --table writes the table of
docs/runtimes-matrix.md. --wrong prints the wrong cells of the results and runs nothing. --again: what had a
wrong cell is run again. --env and --argument are for the programs: KMP_LOCK_KIND=tas, 64 threads of
many_threads.
"""

import argparse
import collections
import datetime
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for _folder in ("gdb-plugin/tests", "test-targets", "test-targets/stock", "tools"):
    sys.path.insert(0, os.path.join(ROOT, _folder))

import stock_programs  # noqa: E402
import stock_score  # noqa: E402
import stock_situations  # noqa: E402

building = collections.defaultdict(threading.Lock)
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "ompd-tools")


def combinations(arguments):
    """(runtime, program, compiler, option) of all that was asked for."""
    for runtime in arguments.runtime:
        for compiler in stock_programs.RUNTIMES[runtime].compilers:
            for option in arguments.option:
                for name in stock_programs.programs():
                    if ((not arguments.program or name in arguments.program) and
                            stock_programs.runs_on(name, runtime) and
                            stock_programs.compiles(name, compiler)):
                        yield runtime, name, compiler, option


def one(combination, arguments):
    """The line of a combination: for each situation its cells and sentences."""
    runtime, name, compiler, option = combination
    line = {"runtime": runtime, "program": name, "compiler": compiler, "option": option, "situations": {}}
    folder = tempfile.mkdtemp(prefix="stock-", dir=arguments.scratch)
    run = None
    start = time.monotonic()
    try:
        with building[name, compiler, option]:  # another runtime's run may want the same program
            path = stock_programs.build(name, compiler, option, arguments.build)
        run = stock_programs.Run(path, name, stock_programs.RUNTIMES[runtime], folder,
                                 [word.split("=", 1) for word in arguments.env], arguments.argument)
        run.start()
        for situation, truth, report in stock_situations.reports(run, arguments.situation):
            line["situations"][situation] = judged(truth, report, combination, folder)
    except stock_programs.Missing as error:
        line["missing"] = str(error)
    finally:
        if run is not None:
            run.stop()
        shutil.rmtree(folder, ignore_errors=True)
    line["seconds"] = round(time.monotonic() - start, 2)
    return line


def judged(truth, report, combination, folder):
    if isinstance(report, Exception):
        return {"cells": {}, "wrong": ["no answer: %s" % str(report)[-1500:]], "unknown": []}
    result = stock_score.score(truth, report, combination[3] == "o0",
                               combination[:2] in stock_programs.INDIRECT, combination[3] != "stripped")
    reasons = collections.Counter(sentence.partition(": ")[2].replace(folder + "/lib/", "")
                                  for sentence in result.unknown)
    return {"cells": dict(result.cells), "wrong": result.wrong[:40], "unknown": sorted(reasons.items())}


class Results:
    """The file, and what is in it by combination: the last line of each counts."""

    def __init__(self, path):
        self.path, self.lines, self.lock = path, {}, threading.Lock()
        if path and os.path.exists(path):
            with open(path) as f:
                for text in f:
                    line = json.loads(text)
                    self.lines[self.key(line)] = line

    @staticmethod
    def key(line):
        return line["runtime"], line["program"], line["compiler"], line["option"]

    def has(self, combination, situations, again):
        line = self.lines.get(combination)
        if line is None or (again and (line.get("missing") or
                                       any(s["wrong"] for s in line["situations"].values()))):
            return False
        crashes = combination[1] in stock_programs.CRASHING
        wanted = [s for s in situations if not crashes or "core" in s or s == "no file"]
        return bool(line.get("missing")) or set(wanted) - {"gcore"} <= set(line["situations"])

    def add(self, line):
        with self.lock:
            self.lines[self.key(line)] = line
            if self.path:
                with open(self.path, "a") as f:
                    f.write(json.dumps(line) + "\n")


def totals(lines, fields=stock_score.COUNTED):
    """{(runtime, situation): [right, not known, wrong]}"""
    found = collections.defaultdict(lambda: [0, 0, 0])
    for line in lines:
        for situation, judgement in line["situations"].items():
            counts = found[line["runtime"], situation]
            for field, cells in judgement["cells"].items():
                if fields is None or field in fields:
                    for i in range(3):
                        counts[i] += cells[i]
            if not judgement["cells"]:
                counts[2] += 1
    return found


def table(lines):
    """Markdown: right / not known / wrong."""
    found = totals(lines)
    situations = [s for s in stock_situations.SITUATIONS if any(key[1] == s for key in found)]
    out = ["| runtime | programs | " + " | ".join(situations) + " |",
           "|---|---|" + "---|" * len(situations)]
    for runtime in stock_programs.RUNTIMES:
        runs = [line for line in lines if line["runtime"] == runtime and line["situations"]]
        if runs:
            cells = ["%d / %d / %d" % tuple(found[runtime, s]) if (runtime, s) in found else ""
                     for s in situations]
            out.append("| %s | %d | %s |" % (runtime, len(runs), " | ".join(cells)))
    return "\n".join(out)


def by_field(lines):
    found = collections.defaultdict(lambda: [0, 0, 0])
    for line in lines:
        for judgement in line["situations"].values():
            for field, cells in judgement["cells"].items():
                for i in range(3):
                    found[line["runtime"], field][i] += cells[i]
    fields = sorted({field for _, field in found})
    out = ["| runtime | " + " | ".join(fields) + " |", "|---|" + "---|" * len(fields)]
    for runtime in stock_programs.RUNTIMES:
        if any(key[0] == runtime for key in found):
            out.append("| %s | %s |" % (runtime, " | ".join("%d / %d / %d" % tuple(found[runtime, field])
                                                           for field in fields)))
    return "\n".join(out)


def reasons(lines):
    """What is not known, how often, and why."""
    found = collections.Counter()
    for line in lines:
        for judgement in line["situations"].values():
            for sentence, count in judgement["unknown"]:
                found[line["runtime"], sentence] += count
    return ["%6d %s: %s" % (count, runtime, sentence) for (runtime, sentence), count in found.most_common(60)]


def page(lines, hours, possible):
    """docs/runtimes-matrix.md"""
    counts = [sum(column) for column in zip(*totals(lines).values())] or [0, 0, 0]
    options = sorted({line["option"] for line in lines})
    about = "\n".join("* %s: %s" % (s, stock_situations.ABOUT[s]) for s in stock_situations.SITUATIONS)
    return """# The matrix of stock runtimes

Made by `./dev matrix --stock` on %s in %.1f hours; not edited by hand. Each construct of `test-targets/`,
compiled by the runtime's compilers with %s, is held in one state and says what is true; an answer is
compared cell by cell.

%d runs of %d programs (all runtimes, compilers and options would make %d): %d cells right, %d not known (with
the reason in the answer), %d wrong.

Cells as right / not known / wrong: whether a thread is of OpenMP, thread number, team size, levels, state,
kind and id of what is waited for, tasks by state. The situations:

%s

%s

All fields, over all situations:

%s
""" % (datetime.date.today().strftime("%-d %B %Y"), hours, ", ".join(options), len(lines),
        len({line["program"] for line in lines}), possible, counts[0], counts[1], counts[2], about,
        table(lines), by_field(lines))


def names(text):
    return [name for name in text.split(",") if name]


def parse(argv):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--results")
    parser.add_argument("--build", type=os.path.abspath, default=os.path.join(CACHE, "stock-programs"))
    parser.add_argument("--scratch", default=None)
    parser.add_argument("--runtime", type=names, default=list(stock_programs.RUNTIMES))
    parser.add_argument("--program", type=names, default=[])
    parser.add_argument("--option", type=names, default=list(stock_programs.OPTIONS))
    parser.add_argument("--situation", type=names, default=list(stock_situations.SITUATIONS))
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--argument", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--again", action="store_true")
    return parser.parse_args(argv)


def show(line):
    for situation, judgement in line["situations"].items():
        for sentence in judgement["wrong"]:
            print("WRONG %s %s_%s_%s, %s: %s" % (line["runtime"], line["program"], line["compiler"],
                                                line["option"], situation, sentence), flush=True)
    if line.get("missing"):
        print("not run: %s %s_%s_%s: %s" % (line["runtime"], line["program"], line["compiler"],
                                           line["option"], line["missing"]), flush=True)


def main(argv):
    arguments = parse(argv)
    results = Results(arguments.results)
    os.makedirs(arguments.build, exist_ok=True)
    todo = [] if arguments.wrong else [c for c in combinations(arguments)
                                       if not results.has(c, arguments.situation, arguments.again)]
    done = [0]

    def work(combination):
        line = one(combination, arguments)
        results.add(line)
        done[0] += 1
        show(line)
        if done[0] % 20 == 0:
            print("%d of %d" % (done[0], len(todo)), file=sys.stderr, flush=True)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        for finished in [pool.submit(work, combination) for combination in todo]:
            finished.result()
    lines = [line for key, line in sorted(results.lines.items()) if key in set(combinations(arguments))]
    if arguments.wrong:
        for line in lines:
            show(line)
    print(table(lines))
    print()
    print(by_field(lines))
    print("\n".join(reasons(lines)))
    if arguments.table:
        with open(arguments.table, "w") as f:
            f.write(page(lines, sum(line["seconds"] for line in lines) / 3600 / arguments.jobs,
                         len(list(combinations(parse([]))))))
    return 1 if any(counts[2] for counts in totals(lines, None).values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
