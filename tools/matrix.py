#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev matrix --stock`: each program on each runtime in each situation, by its own word.

usage: matrix.py [--results FILE] [--build FOLDER] [--runtime NAME,…] [--program NAME,…]
                 [--compiler NAME,…] [--option NAME,…] [--situation NAME,…] [--env NAME=VALUE]…
                 [--argument WORD]… [--jobs N] [--hours N] [--table FILE] [--wrong] [--again]
                 [--commit NAME] [--kit FOLDER] [--lines] [--kept FILE]

The runs are in a mixed order: soon each runtime has been asked with each compiler, option and situation,
and each time by other programs. Runtimes that need a later Debian run in its root, if tools/release_root.sh
has made it.

Results are appended to FILE, a line of JSON for each run of a program, so that a run which was ended goes
on where it was. --kept: results of earlier days, compressed; they are not run again, and at the end those
of today are among them. So the whole, which takes many hours, is run in parts, and its table says at which
commit each part was. Prints the table and each wrong cell; exit 1 if there is one. --table writes the table
of docs/runtimes-matrix.md. --wrong prints the wrong cells of the results and runs nothing. --again: what
had a wrong cell is run again. --env and --argument are for the programs: KMP_LOCK_KIND=tas, 64 threads of
many_threads. --hours: begins no run after so long. --kit: copies what the matrix needs into FOLDER and
ends; FOLDER/tools/matrix.py then stays as it is while the tree is worked on. --lines: prints the lines of
the results and nothing else, as the matrix outside of a root asks the one inside.
"""

import argparse
import collections
import datetime
import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for _folder in ("gdb-plugin/tests", "test-targets", "test-targets/stock", "tools"):
    sys.path.insert(0, os.path.join(ROOT, _folder))

import debian  # noqa: E402
import stock_programs  # noqa: E402
import stock_score  # noqa: E402
import stock_situations  # noqa: E402

building = collections.defaultdict(threading.Lock)


# What the matrix needs of the tree and of what was built.
KIT = ("gdb-plugin", "test-targets", "tools", "docs/ompd-1.schema.json")
KIT_BUILT = ("command/ompd", "ompd/libompd.so.1", "inspect/libompdinspect.so.1",
             "runtime/libompcompanion.so.1.0.0")


def combinations(arguments):
    """(runtime, program, compiler, option) of all that was asked for: in turn one of each runtime, compiler
    and option, each of these with the programs in an order of its own, which is the same each time."""
    queues = []
    for runtime in arguments.runtime:
        for compiler in stock_programs.EVERY[runtime].compilers:
            for option in arguments.option if compiler in arguments.compiler else ():
                names = [name for name in stock_programs.programs()
                         if (not arguments.program or name in arguments.program) and
                         stock_programs.runs_on(name, runtime) and stock_programs.compiles(name, compiler)]
                random.Random("%s %s %s" % (runtime, compiler, option)).shuffle(names)
                queues.append([(runtime, name, compiler, option) for name in names])
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue):
                yield queue[turn]


def root_of(runtime):
    """The folder of the release in which RUNTIME runs; None: here."""
    suite = stock_programs.EVERY[runtime].suite
    return os.path.join(debian.cache(), "roots", suite) if suite and not stock_programs.IN_ROOT else None


def has_root(runtime):
    folder = root_of(runtime)
    return folder is None or os.path.exists(os.path.join(folder, "etc/debian_version"))


def in_root(combination, arguments):
    """The line of a combination whose runtime runs in a root."""
    runtime, name, compiler, option = combination
    command = [os.path.join(ROOT, "tools/release_root.sh"), "--run", root_of(runtime),
               "--bind", ROOT, "/mnt/kit",
               "env", "OMPD_RELEASE_ROOT=" + stock_programs.EVERY[runtime].suite, "PYTHONDONTWRITEBYTECODE=1",
               "python3", "/mnt/kit/tools/matrix.py", "--lines", "--runtime", runtime, "--program", name,
               "--compiler", compiler, "--option", option, "--situation", ",".join(arguments.situation),
               "--build", "/var/tmp/ompd-programs", "--scratch", "/var/tmp", "--commit", arguments.commit]
    for flag, words in (("--env", arguments.env), ("--argument", arguments.argument)):
        command += [flag + "=" + word for word in words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          stdin=subprocess.DEVNULL)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if len(lines) != 1:
        raise SystemExit("matrix: no answer of %s in its root: %s" % (" ".join(combination),
                                                                      done.stderr[-800:]))
    return json.loads(lines[0])


def make_kit(folder):
    """Copies KIT and KIT_BUILT to a new folder."""
    import gdbrun
    shutil.rmtree(folder, ignore_errors=True)
    for path in KIT:
        source, copy = os.path.join(ROOT, path), os.path.join(folder, path)
        if os.path.isdir(source):
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(source, copy)
    for path in KIT_BUILT:
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        shutil.copy(gdbrun.find(path), os.path.join(folder, path))


def one(combination, arguments):
    """The line of a combination: for each situation its cells and sentences."""
    runtime, name, compiler, option = combination
    if root_of(runtime):
        return in_root(combination, arguments)
    line = {"runtime": runtime, "program": name, "compiler": compiler, "option": option, "situations": {},
            "commit": arguments.commit, "date": datetime.date.today().isoformat()}
    folder = tempfile.mkdtemp(prefix="stock-", dir=arguments.scratch)
    run = None
    start = time.monotonic()
    try:
        with building[name, compiler, option]:  # another runtime's run may want the same program
            path = stock_programs.build(name, compiler, option, arguments.build)
        run = stock_programs.Run(path, name, stock_programs.EVERY[runtime], folder,
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
    """The files, and what is in them by combination: of each situation the last answer counts."""

    def __init__(self, path, kept=None):
        self.path, self.kept, self.lines, self.lock = path, kept, {}, threading.Lock()
        for name, opened in ((kept, lzma.open), (path, open)):
            if name and os.path.exists(name):
                with opened(name, "rt") as f:
                    for text in f:
                        self.take(json.loads(text))

    def keep(self):
        """Writes all lines to the compressed file, in the order of their names."""
        if self.kept:
            with lzma.open(self.kept + ".new", "wt", preset=9) as f:
                for _, line in sorted(self.lines.items()):
                    f.write(json.dumps(line, sort_keys=True) + "\n")
            os.replace(self.kept + ".new", self.kept)

    @staticmethod
    def key(line):
        return line["runtime"], line["program"], line["compiler"], line["option"]

    def has(self, combination, situations, again):
        line = self.lines.get(combination)
        if line is None or (again and (line.get("missing") or
                                       any(s["wrong"] for s in line["situations"].values()))):
            return False
        crashes, stripped = combination[1] in stock_programs.CRASHING, combination[3] == "stripped"
        wanted = [s for s in situations if (not crashes or "core" in s or s == "no file") and
                  not (stripped and s == "GDB live")]  # there GDB has no symbol to stop at
        return bool(line.get("missing")) or set(wanted) - {"gcore"} <= set(line["situations"])

    def take(self, line):
        """What was asked earlier in other situations stays, with its day and commit."""
        older = self.lines.get(self.key(line))
        if older and not line.get("missing"):
            earlier = {situation: judgement for situation, judgement in older["situations"].items()
                       if situation not in line["situations"]}
            for situation, judgement in earlier.items():
                when = {name: judgement.get(name, older.get(name, "")) for name in ("date", "commit")}
                line["situations"][situation] = dict(judgement, **when)
            if earlier and older.get("commit") != line.get("commit"):
                line["seconds"] += older["seconds"]
        self.lines[self.key(line)] = line

    def add(self, line):
        with self.lock:
            if self.path:
                with open(self.path, "a") as f:
                    f.write(json.dumps(line) + "\n")
            self.take(line)


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
    for runtime in stock_programs.EVERY:
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
    for runtime in stock_programs.EVERY:
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


def parts(lines):
    """When and at which commit the answers were given."""
    counts = collections.Counter(tuple(judgement.get(name, line.get(name, "")) for name in ("date", "commit"))
                                 for line in lines for judgement in line["situations"].values())
    return "\n".join("* %d on %s at commit %s" % (count, date, commit)
                     for (date, commit), count in sorted(counts.items()))


def page(lines, hours, possible):
    """docs/runtimes-matrix.md"""
    counts = [sum(column) for column in zip(*totals(lines).values())] or [0, 0, 0]
    options = sorted({line["option"] for line in lines})
    about = "\n".join("* %s: %s" % (s, stock_situations.ABOUT[s]) for s in stock_situations.SITUATIONS)
    return """# The matrix of stock runtimes

Made by `./dev matrix --stock` in %.1f hours; not edited by hand. Answers, one for each run and situation:

%s

Each construct of `test-targets/`, compiled by the runtime's compilers with %s, is held in one state and
says what is true; an answer is compared cell by cell.

The runtimes of Debian 13 (trixie) and unstable (sid) ran there, in a root that `tools/release_root.sh` makes:
with its glibc, compilers and GDB, and our files as Debian 12 has built them. The others, those of Debian 11
(bullseye) too, ran on Debian 12. Runs are in a mixed order, so that a part of them has each runtime with each
compiler, option and situation. Not every run was asked in all situations, and what did not come to its state
is not counted.

%d runs of %d programs (all runtimes, compilers and options would make %d): %d cells right, %d not known
(with the reason in the answer), %d wrong.

Cells as right / not known / wrong: whether a thread is of OpenMP, thread number, team size, levels, state,
kind and id of what is waited for, tasks by state. The situations:

%s

%s

All fields, over all situations:

%s
""" % (hours, parts(lines), ", ".join(options), len(lines),
        len({line["program"] for line in lines}), possible, counts[0], counts[1], counts[2], about,
        table(lines), by_field(lines))


def names(text):
    return [name for name in text.split(",") if name]


def parse(argv):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--results")
    parser.add_argument("--build", type=os.path.abspath,
                        default=os.path.join(debian.cache(), "stock-programs"))
    parser.add_argument("--scratch", default=None)
    parser.add_argument("--runtime", type=names, default=list(stock_programs.EVERY))
    parser.add_argument("--compiler", type=names, default=list(stock_programs.GNU + stock_programs.LLVM))
    parser.add_argument("--program", type=names, default=[])
    parser.add_argument("--option", type=names, default=list(stock_programs.OPTIONS))
    parser.add_argument("--situation", type=names, default=list(stock_situations.SITUATIONS))
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--argument", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--hours", type=float, default=24 * 365)
    parser.add_argument("--table")
    parser.add_argument("--commit", default="")
    parser.add_argument("--kit")
    parser.add_argument("--kept")
    parser.add_argument("--lines", action="store_true")
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
    if arguments.kit:
        make_kit(arguments.kit)
        return 0
    results = Results(arguments.results, arguments.kept)
    os.makedirs(arguments.build, exist_ok=True)
    for name in [name for name in arguments.runtime if not has_root(name)]:
        arguments.runtime.remove(name)
        print("not run: %s: tools/release_root.sh %s makes its root" %
              (name, stock_programs.EVERY[name].suite), file=sys.stderr)
    todo = [] if arguments.wrong else [c for c in combinations(arguments)
                                       if not results.has(c, arguments.situation, arguments.again)]
    if arguments.lines:
        for combination in todo:
            print(json.dumps(one(combination, arguments)), flush=True)
        return 0
    done = [0]
    end = time.monotonic() + 3600 * arguments.hours

    def work(combination):
        if time.monotonic() > end:
            return
        line = one(combination, arguments)
        results.add(line)
        done[0] += 1
        show(line)
        if done[0] % 20 == 0:
            print("%d of %d" % (done[0], len(todo)), file=sys.stderr, flush=True)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        for finished in [pool.submit(work, combination) for combination in todo]:
            finished.result()
    results.keep()
    asked = set(combinations(arguments))
    lines = [line for key, line in sorted(results.lines.items()) if key in asked]
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
