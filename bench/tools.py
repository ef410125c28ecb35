# SPDX-License-Identifier: Apache-2.0
"""What tools cost: Companion without a tool against a build that never looks for one, and with an empty OMPT
tool (every callback registered, each does nothing) against Debian's libomp with the same tool, in the same
run.

First instructions per operation of one thread, counted by callgrind; then times in alternated rounds.
"""

import argparse
import os
import re
import subprocess
import tempfile

import common
import runtimes

# Rows of micro.c that one thread executes, so that their counts are exact.
COUNTED = ("lock-1thread", "nestlock-1thread", "critical-1thread", "task-serial", "task-if0", "task+taskwait",
           "taskgroup+task", "nested-parallel-1", "parallel-if0")
TIMED = ("fork-join", "barrier", "for-static", "for-dynamic1-64", "single", "critical-1thread",
         "lock-1thread", "master", "task-1producer", "task+taskwait", "task-serial", "task-if0",
         "task-depend-chain", "taskloop-16", "nested-parallel-1", "parallel-if0")
OPERATIONS = 500
UNWATCHED, PLAIN, TOOL, LIBOMP, LIBOMP_TOOL = "unwatched", "no tool", "tool", "libomp", "libomp, tool"


class Variant:
    """A runtime, with the empty tool or without one."""

    def __init__(self, name, library, tool=None):
        self.name, self.tool = name, tool
        self.contender = runtimes.Contender(re.sub(r"\W+", "_", name), "clang", library)

    def environment(self, threads):
        env = self.contender.environment(OMP_NUM_THREADS=str(threads), MICRO_PIN="1")
        if self.tool:
            env["OMP_TOOL_LIBRARIES"] = self.tool
        return env

    def instructions(self, program, row):
        """Per operation: a run of 2 N operations minus one of N, so that start and end cancel out."""
        return (self._whole(program, row, 2 * OPERATIONS)
                - self._whole(program, row, OPERATIONS)) / OPERATIONS

    def _whole(self, program, row, operations):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "callgrind")
            subprocess.run(["valgrind", "--tool=callgrind", "-q", "--callgrind-out-file=" + out, program,
                            "-n", str(operations), row], env=self.environment(1), check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            with open(out) as f:
                return int(re.search(r"^(?:totals|summary): (\d+)", f.read(), re.M).group(1))

    def times(self, program, rows, samples, ms):
        """row -> ns per operation of the best sample of one process, two threads bound to two processors."""
        out = subprocess.run(common.pinned([program, str(samples), str(ms), "=" + ",".join(rows)]),
                             env=self.environment(2), check=True, stdout=subprocess.PIPE,
                             universal_newlines=True, timeout=runtimes.SECONDS).stdout
        return {name: float(least) for name, least, _ in map(str.split, out.splitlines())}


def variants(options, folder, notes):
    tool = os.path.abspath(options.tool)
    found = [Variant(UNWATCHED, options.unwatched), Variant(PLAIN, options.companion_library),
             Variant(TOOL, options.companion_library, tool)]
    if options.libomp != "none":
        try:
            library = runtimes.debian_libomp(options.libomp)
            found += [Variant(LIBOMP, library), Variant(LIBOMP_TOOL, library, tool)]
        except runtimes.Unusable as error:
            notes.append("libomp is absent: %s" % error)
    for variant in found:
        variant.contender.prepare(folder)
        if not variant.contender.takes_its_library(options.program):
            raise RuntimeError("%s: the program does not load that library" % variant.name)
    return found


def counts(found, program, rows=COUNTED):
    """row -> variant's name -> instructions per operation"""
    return {row: {v.name: round(v.instructions(program, row), 1) for v in found} for row in rows}


def report_counts(measured, names):
    print("instructions per operation, one thread")
    print("%-20s" % "construct" + "".join("%14s" % name for name in names))
    for row, now in measured.items():
        print("%-20s" % row + "".join("%14.1f" % now[name] for name in names), flush=True)


def rounds(found, program, number, samples, ms):
    """variant's name -> row -> [ns of each round]; another goes first each time."""
    ns = {v.name: {row: [] for row in TIMED} for v in found}
    for i in range(number):
        for variant in runtimes.in_order(found, i):
            for row, least in variant.times(program, TIMED, samples, ms).items():
                ns[variant.name][row].append(least)
    return ns


def compare(ns, ours, theirs, sentence, bad):
    """Prints and returns, for each row, medians and the 95 % interval of their ratio. A row for which
    BAD(ratio, low) holds has missed the goal."""
    print("%s, 95 %% bootstrap interval of %d rounds" % (sentence, len(ns[ours][TIMED[0]])))
    document, missed = {}, []
    for row in TIMED:
        low, high = common.bootstrap_ratio(ns[ours][row], ns[theirs][row])
        ratio = common.ratio(common.median(ns[ours][row]), common.median(ns[theirs][row]))
        document[row] = {"ratio": common.significant(ratio), "low": common.significant(low),
                         "high": common.significant(high),
                         "ns": common.significant(common.median(ns[ours][row]))}
        wrong = bad(ratio, low)
        missed += [row] if wrong else []
        print("%-20s %9.1f %9.1f  %6.3f  [%.3f, %.3f]  %s"
              % (row, common.median(ns[ours][row]), common.median(ns[theirs][row]), ratio, low, high,
                 "missed" if wrong else "met"), flush=True)
    whole = [[common.geometric_mean([ns[name][row][i] for row in TIMED])
              for i in range(len(ns[name][TIMED[0]]))]
             for name in (ours, theirs)]
    low, high = common.bootstrap_ratio(*whole)
    print("%-20s %9s %9s  %6.3f  [%.3f, %.3f]" % ("geometric mean", "", "",
                                                 common.median(whole[0]) / common.median(whole[1]), low,
                                                  high))
    print("%d of %d rows meet the goal" % (len(TIMED) - len(missed), len(TIMED)))
    return document


def arguments(parser):
    for name in ("program", "unwatched", "tool"):
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--companion-library", required=True, help=argparse.SUPPRESS)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench tools", description=__doc__.splitlines()[0])
    arguments(parser)
    parser.add_argument("--libomp", metavar="VERSION", default="19",
                        help="Debian's version of libomp, or none (19)")
    parser.add_argument("--rounds", type=common.positive, default=30, help="rounds of one process each (30)")
    parser.add_argument("--samples", type=common.positive, default=5,
                        help="samples of a row in a process (5)")
    parser.add_argument("--ms", type=common.positive, default=3, help="milliseconds of a sample (3)")
    parser.add_argument("--counts-only", action="store_true", help="no times")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    notes, document = [], {"machine": common.machine()}
    with tempfile.TemporaryDirectory() as folder:
        found = variants(options, folder, notes)
        print(common.machine())
        document["instructions"] = counts(found, options.program)
        report_counts(document["instructions"], [v.name for v in found])
        if not options.counts_only:
            load = common.Load()
            ns = rounds(found, options.program, options.rounds, options.samples, options.ms)
            document["no_tool"] = compare(ns, PLAIN, UNWATCHED,
                                          "no tool / unwatched (goal: the interval includes 1)",
                                          lambda ratio, low: low > 1)
            if LIBOMP_TOOL in ns:
                document["empty_tool"] = compare(ns, TOOL, LIBOMP_TOOL,
                                                 "empty tool / libomp's (goal: at most 1)",
                                                 lambda ratio, low: low > 1)
            load.report()
    for note in notes:
        print("note: " + note)
    if options.json:
        common.write_json(options.json, document)


if __name__ == "__main__":
    main()
