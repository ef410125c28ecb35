# SPDX-License-Identifier: Apache-2.0
"""Twelve whole programs on Companion, libgomp and libomp, by gcc and by clang, in one run.

Each checks its own result; a wrong one stops that runtime's figures and is told. A ratio is between two runs
of the same compiler's code: what the compilers themselves make of a loop is not measured here.
"""

import argparse
import collections
import os
import tempfile

import collected
import common
import distance
import runtimes

C_PROGRAMS = ("stencil", "fft", "nbody", "cg", "sort", "cholesky", "queens", "strassen", "bfs", "mandelbrot")
FORTRAN_PROGRAMS = ("wave", "quadrature")
PROGRAMS = C_PROGRAMS + FORTRAN_PROGRAMS
BUILDS = tuple((name, compiler) for name in PROGRAMS for compiler in ("clang", "gcc")
               if compiler == "gcc" or name in C_PROGRAMS)  # Fortran's is gfortran
ROUNDS, LEAST_ROUNDS = 20, 6  # of fewer than the second there is no 95 % interval
GOAL, MEAN_GOAL = 1.02, 0.9  # of the interval's lower end, and of the geometric mean
PROCESSORS = 2  # up to as many threads are bound


def parse(text):
    """The seconds of one process."""
    return float(text)


def run(contender, program, threads, bound, arguments=()):
    how = {"OMP_PROC_BIND": "true"} if bound else {}
    return parse(contender.run([program] + [str(a) for a in arguments], OMP_NUM_THREADS=str(threads), **how))


def one_round(contenders, programs, name, threads, ruler, notes):
    """A process of each contender that has the program, and how far apart the processors were meanwhile."""
    load, seconds, readings = common.Load(), {}, [distance.read(ruler)]
    for c in contenders:
        if (name, c.compiler) not in programs:
            continue
        try:
            seconds[c.name] = run(c, programs[name, c.compiler], threads, threads <= PROCESSORS)
        except runtimes.Unusable as error:
            notes.append("%s, %d threads: %s" % (name, threads, error))
        readings.append(distance.read(ruler))
    return {"program": name, "threads": threads, "distance": readings, "others": round(load.share(), 3),
            "seconds": seconds}


def ratios(rounds):
    """peer, or "A/A" -> Companion's ratio to it, and its judgement."""
    most = max(len(r) for r in rounds)
    rounds = [r for r in rounds if len(r) == most]  # without those in which a process failed
    found = {}
    for title, ours, peer in runtimes.pairs(rounds[0]):
        f = found[title] = common.compare([r[ours] for r in rounds], [r[peer] for r in rounds], least=1e-9)
        f["verdict"] = "few" if len(rounds) < LEAST_ROUNDS else "met" if f["low"] <= GOAL else "over"
    return found


def figures(rounds):
    """The report's lines, without the rounds in which other programs disturbed them."""
    groups = collections.OrderedDict()
    for r in rounds:
        if r["others"] > common.DISTURBED:
            continue
        groups.setdefault((r["program"], r["threads"]), []).append(r["seconds"])
    return [{"program": name, "threads": threads, "peers": ratios(seconds)}
            for (name, threads), seconds in groups.items()]


def summaries(lines):
    """For each peer what is asked of all programs together."""
    groups = collections.OrderedDict()
    for line in lines:
        for peer, f in line["peers"].items():
            groups.setdefault(peer, []).append((line, f))
    found = []
    for peer, members in groups.items():
        mean = common.geometric_mean([f["ratio"] for _, f in members])
        missed = ["%s/%d" % (line["program"], line["threads"]) for line, f in members
                  if f["verdict"] == "over"]
        few = sum(f["verdict"] == "few" for _, f in members)
        found.append({"peer": peer, "lines": len(members), "missed": missed, "few": few,
                      "unseen": common.unseen([f for _, f in members]),
                      "mean": common.significant(mean), "met": not (missed or few) and mean <= MEAN_GOAL,
                      "rounds": min(f["rounds"] for _, f in members)})
    return found


def print_report(lines, totals):
    print("\n%-12s %7s  %-15s %9s %9s  %6s  %-16s"
          % ("program", "threads", "peer", "it", "Companion", "ratio", "95 % interval"))
    for line in lines:
        for peer, f in line["peers"].items():
            print("%-12s %7d  %-15s %7.3f s %7.3f s  %6.3f  [%.3f, %.3f]  %s"
                  % (line["program"], line["threads"], peer, f["peer"], f["ours"], f["ratio"], f["low"],
                     f["high"], f["verdict"]))
    for t in totals:
        if t["peer"] == "A/A":
            print("A/A, a copy of libgomp beside libgomp: %d over %.2f%s; a line at %.2f times the goal (the "
                  "median; %.2f for the noisiest) may be called met"
                  % (len(t["missed"]), GOAL, " (%s)" % ", ".join(t["missed"]) if t["missed"] else "",
                     *t["unseen"]))
            continue
        print("against %s: geometric mean of %d lines %.3f (goal %.2f), %d over %.2f%s: %s%s"
              % (t["peer"], t["lines"], t["mean"], MEAN_GOAL, len(t["missed"]), GOAL,
                 " (%s)" % ", ".join(t["missed"]) if t["missed"] else "", "met" if t["met"] else "missed",
                 "" if t["rounds"] >= ROUNDS else "; only %d rounds, the rule asks for %d"
                 % (t["rounds"], ROUNDS)))


def far_share(rounds):
    """Of the readings of the distance, while two threads or more ran."""
    readings = [ns for r in rounds if r["threads"] > 1 for ns in r["distance"]]
    return sum(distance.place([ns]) == "far" for ns in readings) / max(len(readings), 1)


def arguments(parser):
    """Bazel gives these, to the benchmark and to the test."""
    for build in BUILDS:
        parser.add_argument("--%s_%s" % build, required=True, help=argparse.SUPPRESS)
    runtimes.arguments(parser)


def paths(options):
    """(program, compiler) -> path"""
    return {build: os.path.abspath(getattr(options, "%s_%s" % build)) for build in BUILDS}


def about(contenders, programs):
    """What rounds that are counted together have in common."""
    found = {"machine": common.machine()}
    for c in contenders:
        mine = [path for (_, compiler), path in sorted(programs.items()) if compiler == c.compiler]
        found[c.name] = collected.fingerprint(mine + [c.library or runtimes.system_libgomp()])
    return found


def main():
    parser = argparse.ArgumentParser(prog="./dev bench programs", description=__doc__.splitlines()[0])
    arguments(parser)
    parser.add_argument("--distance", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=ROUNDS,
                        help="alternated rounds (%d); 0: only a report on those of --collect" % ROUNDS)
    parser.add_argument("--threads", type=common.numbers, default=[1, 2, 4], metavar="N,N",
                        help="thread counts; up to 2 they are bound (1,2,4)")
    parser.add_argument("--only", choices=PROGRAMS, help="one program")
    parser.add_argument("--collect", metavar="FILE",
                        help="keep the rounds there as JSON, and count those in that are there already")
    options = parser.parse_args()

    load, notes = common.Load(), []
    ruler, programs = os.path.abspath(options.distance), paths(options)
    print("%s; %s" % (common.machine(), common.topology()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        contenders = runtimes.contenders(options, notes, twice=True)
        for contender in contenders:
            contender.prepare(folder)
        rounds = collected.Rounds(options.collect, about(contenders, programs))
        for i in range(options.rounds):
            for name in [options.only] if options.only else PROGRAMS:
                for threads in options.threads:
                    rounds.add(one_round(runtimes.in_order(contenders, i), programs, name, threads, ruler,
                                         notes))
    for note in notes:
        print("note: " + note)
    lines = figures(rounds.rounds)
    totals = summaries(lines)
    print_report(lines, totals)
    # A process takes longer than some hosts leave the processors where they are: so they are not told apart.
    print("the processors were far apart in %.0f %% of the readings" % (100 * far_share(rounds.rounds)))
    print("left out, because other programs took more than a tenth of the processors: %d of %d"
          % (sum(r["others"] > common.DISTURBED for r in rounds.rounds), len(rounds.rounds)))
    others = load.report()
    rounds.write({"others": others, "notes": notes, "lines": lines, "summaries": totals})


if __name__ == "__main__":
    main()
