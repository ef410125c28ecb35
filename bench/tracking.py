# SPDX-License-Identifier: Apache-2.0
"""What it costs that Companion always publishes its state: the library against a build without these stores.

First instructions per operation, counted by callgrind; they do not depend on the machine's load. Of one
thread they are exact, and tracking.json keeps what they may be (tracking_test). Of two threads the main
thread's are counted, and the median of a few runs is shown: how often it looks before it sleeps differs. Then
times, in alternated pairs.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import tempfile

import common

SONAME = "libompcompanion.so.1"
VARIANTS = ("untracked", "tracked")
# Rows of micro.c whose counts are exact, because one thread executes all. (Of task-full-queue the creator is
# counted: the other one of its two threads does nothing of the runtime.)
ONE_THREAD = ("lock-1thread", "nestlock-1thread", "critical-1thread", "task-serial", "task-if0",
              "task-full-queue", "task+taskwait", "taskgroup+task", "nested-parallel-1", "parallel-if0")
TWO_THREADS = ("fork-join", "barrier")
SECOND_THREAD = (*TWO_THREADS, "task-full-queue")
TIMED = ("fork-join", "barrier", "lock-1thread", "critical-1thread", "task-serial", "task-if0",
         "task-1producer", "task+taskwait", "nested-parallel-1", "parallel-if0")
OPERATIONS = {1: 1000, 2: 200}  # threads -> operations of the shorter of the two counted runs
SLACK = 0.02
TIMES = 3  # where there is a second thread: to wait until it has come or gone only adds
GOAL = 1.01
WIDE = 0.1


class Libraries:
    """A directory for each build of the runtime in which it has its SONAME; LD_LIBRARY_PATH chooses one."""

    def __init__(self, folder, program, tracked, untracked):
        self.program = os.path.abspath(program)
        self.path = {}
        for variant, library in (("tracked", tracked), ("untracked", untracked)):
            self.path[variant] = os.path.join(folder, variant)
            os.mkdir(self.path[variant])
            os.symlink(os.path.realpath(library), os.path.join(self.path[variant], SONAME))
            used = subprocess.run(["ldd", self.program], env=self.environment(variant, 1), check=True,
                                  stdout=subprocess.PIPE, universal_newlines=True).stdout
            if self.path[variant] not in used:
                raise RuntimeError("%s does not take its runtime from LD_LIBRARY_PATH:\n%s" % (program, used))

    def environment(self, variant, threads):
        return common.environment(LD_LIBRARY_PATH=self.path[variant], OMP_NUM_THREADS=str(threads))


def main_thread_total(pattern):
    """Instructions in callgrind's file of thread 1."""
    files = glob.glob(pattern + "*-01") or glob.glob(pattern + "*")
    with open(files[0]) as f:
        return int(re.search(r"^(?:totals|summary): (\d+)", f.read(), re.M).group(1))


def count(libraries, variant, row, threads, operations):
    """Instructions of the main thread in one whole run."""
    env = libraries.environment(variant, threads)
    env["OMP_WAIT_POLICY"] = "passive"
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind")
        command = ["valgrind", "--tool=callgrind", "-q", "--separate-threads=yes",
                   "--callgrind-out-file=" + out, libraries.program, "-n", str(operations), row]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError("valgrind ended with %d: %s" % (done.returncode, done.stdout))
        return main_thread_total(out)


def per_operation(libraries, variant, row, threads):
    """Twice as many operations minus once: start and end of the process cancel out."""
    n = OPERATIONS[threads]
    times = TIMES if row in SECOND_THREAD else 1
    few, many = (min(count(libraries, variant, row, threads, k) for _ in range(times)) for k in (n, 2 * n))
    return (many - few) / n


def counts(libraries, rows=ONE_THREAD):
    """row -> {"tracked": instructions per operation, "untracked": ...}"""
    return {row: {v: round(per_operation(libraries, v, row, 1), 2) for v in VARIANTS} for row in rows}


def compiler(library):
    """What built the library, as its .comment section says: other compilers, other counts."""
    out = subprocess.run(["readelf", "-p", ".comment", os.path.realpath(library)], check=True,
                         stdout=subprocess.PIPE, universal_newlines=True).stdout
    found = re.search(r"\]\s+(GCC|\S* ?clang)\b.*?(\d+)\.\d+\.\d+", out)
    return "%s %s" % (found.group(1).lower(), found.group(2)) if found else "unknown"


def plain(library):
    """The count is of the library as users have it: no sanitizer in it."""
    out = subprocess.run(["readelf", "-W", "--dyn-syms", os.path.realpath(library)], check=True,
                         stdout=subprocess.PIPE, universal_newlines=True).stdout
    return not re.search(r"__(asan|tsan_func|ubsan|gcov|llvm_profile)", out)


def read_ratchet(path):
    with open(path) as f:
        return json.load(f)


def over_the_ratchet(ratchet, measured):
    """Sentences on what costs more than tracking.json allows."""
    problems = []
    for row, now in sorted(measured.items()):
        allowed = ratchet["instructions"].get(row)
        if allowed is None:
            problems.append("%s: tracking.json has no such row" % row)
            continue
        if now["tracked"] > allowed["tracked"] * (1 + SLACK):
            problems.append("%s: %.1f instructions per operation, %.1f are allowed"
                            % (row, now["tracked"], allowed["tracked"]))
        more = now["tracked"] - now["untracked"]
        may = allowed["tracked"] - allowed["untracked"]
        if more > may + allowed["tracked"] * SLACK:
            problems.append("%s: tracking costs %.1f instructions per operation, %.1f are allowed"
                            % (row, more, may))
    return problems


def time_once(libraries, variant, rows, samples, ms):
    """One process; row -> ns per operation of its best sample: the one that others disturbed least."""
    out = subprocess.run(common.pinned([libraries.program, str(samples), str(ms), "=" + ",".join(rows)]),
                         env=dict(libraries.environment(variant, 2), MICRO_PIN="1"), check=True,
                         stdout=subprocess.PIPE, universal_newlines=True).stdout
    return {name: float(least) for name, least, _ in map(str.split, out.splitlines())}


def pairs(libraries, rows, number, samples, ms):
    """row -> [tracked / untracked, ...]; which goes first alternates."""
    ratios = {row: [] for row in rows}
    for i in range(number):
        order = VARIANTS if i % 2 else VARIANTS[::-1]
        ns = {v: time_once(libraries, v, rows, samples, ms) for v in order}
        for row in rows:
            ratios[row].append(ns["tracked"][row] / ns["untracked"][row])
    return ratios


def report_counts(libraries, runs):
    print("instructions per operation, one thread")
    print("%-18s %10s %10s %7s %6s" % ("construct", "untracked", "tracked", "more", "ratio"))

    def line(row, c):
        print("%-18s %10.1f %10.1f %7.1f %6.3f"
              % (row, c["untracked"], c["tracked"], c["tracked"] - c["untracked"],
                                                   c["tracked"] / c["untracked"]), flush=True)

    exact = counts(libraries)
    for row, c in exact.items():
        line(row, c)
    print("main thread of two, median of %d runs (not in the ratchet)" % runs)
    two = {}
    for row in TWO_THREADS:
        two[row] = {v: common.median([per_operation(libraries, v, row, 2) for _ in range(runs)])
                    for v in VARIANTS}
        line(row, two[row])
    return exact, two


def verdict(low, high):
    """Of an interval; one that is wide includes the goal without saying much."""
    return ("met" if low <= GOAL else "missed") + (", but the interval is wide" if high - low > WIDE else "")


def report_times(libraries, options):
    load = common.Load()
    ratios = pairs(libraries, TIMED, options.pairs, options.samples, options.ms)
    print("time, tracked / untracked: medians of %d alternated pairs, 2 threads, 95 %% bootstrap interval"
          % options.pairs)
    times = {}
    for row, values in ratios.items():
        low, high = common.bootstrap(values)
        times[row] = {"ratio": round(common.median(values), 4), "low": round(low, 4), "high": round(high, 4)}
        print("%-18s %6.3f  [%.3f, %.3f]  %s" % (row, common.median(values), low, high, verdict(low, high)))
    whole = [common.median([ratios[row][i] for row in TIMED]) for i in range(options.pairs)]
    low, high = common.bootstrap(whole)
    print("%-18s %6.3f  [%.3f, %.3f]  %s (goal: the interval includes %.2f or less)"
          % ("median construct", common.median(whole), low, high, verdict(low, high), GOAL))
    print("%d of %d constructs meet it" % (sum(t["low"] <= GOAL for t in times.values()), len(times)))
    load.report()
    return times


def arguments(parser):
    """Bazel gives these, to the benchmark and to the test."""
    for name in ("program", "tracked", "untracked", "ratchet"):
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)


def update_ratchet(options, exact):
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    path = os.path.join(workspace, "bench", "tracking.json") if workspace else options.ratchet
    common.write_json(path, {"compiler": compiler(options.tracked), "instructions": exact})
    print("wrote %s" % os.path.relpath(path, workspace))


def main():
    parser = argparse.ArgumentParser(prog="./dev bench tracking", description=__doc__.splitlines()[0])
    arguments(parser)
    parser.add_argument("--pairs", type=common.positive, default=30,
                        help="alternated pairs of timed processes (30)")
    parser.add_argument("--samples", type=common.positive, default=5,
                        help="samples of a row in a process (5)")
    parser.add_argument("--ms", type=common.positive, default=4, help="milliseconds of a sample (4)")
    parser.add_argument("--runs", type=common.positive, default=3, help="counted runs with two threads (3)")
    parser.add_argument("--counts-only", action="store_true", help="no times")
    parser.add_argument("--update", action="store_true", help="write the counts into bench/tracking.json")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        libraries = Libraries(folder, options.program, options.tracked, options.untracked)
        print("%s; runtime built by %s" % (common.machine(), compiler(options.tracked)))
        exact, two = report_counts(libraries, options.runs)
        if options.update:
            update_ratchet(options, exact)
        else:
            for problem in over_the_ratchet(read_ratchet(options.ratchet), exact):
                print("over the ratchet: " + problem)
        times = {} if options.counts_only else report_times(libraries, options)
    if options.json:
        common.write_json(options.json, {"machine": common.machine(), "one_thread": exact, "two_threads": two,
                                         "times": times})


if __name__ == "__main__":
    main()
