# SPDX-License-Identifier: Apache-2.0
"""Companion (clang's code) against libgomp (gcc's code), construct by construct, in one run.

The two programs alternate, so that both see the same neighbours on the machine. Each ratio is held against the bar:
what the better of libgomp and a Release build of libomp 19 costs, as a ratio to libgomp, measured once (PEERS below).
"""

import argparse
import subprocess

import common

# Row -> libomp 19 Release over libgomp 12 at 2 threads, each running its own compiler's code.
# Of the packaged libomp nothing is said: Debian builds it with assertions, which proves nothing.
PEERS = {
    "fork-join": 0.59, "fork-join-reduction": 0.69, "parallel-for": 0.68, "barrier": 0.66, "for-static": 0.72,
    "for-static-nowait": 2.52, "for-dynamic1-per-iter": 1.91, "for-dynamic1-64": 1.09, "for-guided-per-iter": 1.00,
    "for-ordered-per-iter": 0.70, "single": 0.71, "single-nowait": 1.87, "sections": 0.59, "critical": 2.23,
    "critical-1thread": 1.76, "lock": 3.04, "lock-1thread": 2.06, "nestlock-1thread": 2.10, "for-reduction": 1.45,
    "master": 11.58, "copyprivate": 0.85, "task-1producer": 0.24, "task-all-produce": 2.25, "task+taskwait": 0.44,
    "task-serial": 4.51, "task-if0": 5.92, "task-depend-chain": 1.68, "taskwait-empty": 1.91,
    "taskgroup+task": 0.43, "fib16-per-task": 0.96, "nested-parallel-2x2": 0.07, "nested-parallel-1": 0.17,
    "parallel-if0": 0.16, "omp_get_thread_num": 2.41, "threadprivate-inc": 1.05,
}
# For these gcc emits no call, so libgomp is no peer: the bar is libomp's figure.
INLINED_BY_GCC = ("for-static-nowait", "master")
BIND = {"companion": {"MICRO_PIN": "1"}, "libgomp": {"OMP_PROC_BIND": "true"}}


def bar(row):
    return PEERS[row] if row in INLINED_BY_GCC else min(1.0, PEERS[row])


def run(program, bind, threads, samples, ms, only):
    """One process; row -> (minimum, median) ns per operation. BIND: variables that keep each thread on a processor."""
    command = [program, str(samples), str(ms)] + ([only] if only else [])
    # Unbound threads may share a processor for the first 100-200 ms, and longer when the machine is busy. Companion
    # has no OMP_PROC_BIND in this version, so the program binds its threads itself.
    env = common.environment(OMP_NUM_THREADS=str(threads), **bind)
    out = subprocess.run(common.pinned(command), env=env, check=True, stdout=subprocess.PIPE,
                         universal_newlines=True).stdout
    return {name: (float(least), float(middle)) for name, least, middle in map(str.split, out.splitlines())}


def judge(row, ours, theirs):
    """The report's line on one row, from the (minimum, median) of each round.

    The bar is for the ratio of the medians. The ratio of the minima is shown beside it: on a machine that others use
    it says more.
    """
    mine, other = (common.median([middle for _, middle in rounds]) for rounds in (ours, theirs))
    best, best_other = (min(least for least, _ in rounds) for rounds in (ours, theirs))
    ratio = mine / max(other, 0.01)  # a row of loop iterations may cost nothing that the clock can see
    return {"row": row, "companion_ns": mine, "libgomp_ns": other, "ratio": round(ratio, 3),
            "ratio_of_minima": round(best / max(best_other, 0.01), 3), "bar": bar(row), "met": ratio <= bar(row)}


def main():
    parser = argparse.ArgumentParser(prog="./dev bench micro", description=__doc__.splitlines()[0])
    parser.add_argument("--companion", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--libgomp", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=common.positive, default=8, help="alternated pairs of processes (8)")
    parser.add_argument("--samples", type=common.positive, default=7, help="samples of a row in a process (7)")
    parser.add_argument("--ms", type=common.positive, default=5, help="milliseconds of a sample (5)")
    parser.add_argument("--threads", type=common.positive, default=2, help="OMP_NUM_THREADS (2, what the bars are for)")
    parser.add_argument("--only", metavar="ROWS", help="part of a row's name, or =NAME,NAME,... for these rows")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()

    load = common.Load()
    rounds = {"companion": [], "libgomp": []}
    programs = [("companion", options.companion), ("libgomp", options.libgomp)]
    for i in range(options.rounds):
        for name, program in programs if i % 2 == 0 else reversed(programs):
            rounds[name].append(run(program, BIND[name], options.threads, options.samples, options.ms,
                                    options.only))
    rows = [judge(row, [r[row] for r in rounds["companion"]], [r[row] for r in rounds["libgomp"]])
            for row in rounds["companion"][0]]

    print("%s; %d threads on %d processors, medians of %d alternated rounds"
          % (common.machine(), options.threads, 2, options.rounds))
    print("%-22s %12s %12s %7s %8s %6s" % ("construct", "Companion ns", "libgomp ns", "ratio", "(minima)", "bar"))
    for r in rows:
        print("%-22s %12.2f %12.2f %7.2f %8.2f %6.2f  %s"
              % (r["row"], r["companion_ns"], r["libgomp_ns"], r["ratio"], r["ratio_of_minima"], r["bar"],
                 "met" if r["met"] else "missed"))
    print("%d of %d rows meet the bar; %d by their minima"
          % (sum(r["met"] for r in rows), len(rows), sum(r["ratio_of_minima"] <= r["bar"] for r in rows)))
    others = load.report()
    if options.json:
        common.write_json(options.json, {"machine": common.machine(), "threads": options.threads,
                                         "rounds": options.rounds, "others": others, "rows": rows})


if __name__ == "__main__":
    main()
