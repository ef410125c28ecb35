# SPDX-License-Identifier: Apache-2.0
"""Three whole programs on Companion, libgomp and Debian's libomp, by gcc and by clang, in one run.

A stencil (parallel loops), a merge sort (tasks) and a sparse Cholesky factorisation (tasks with dependences).
Each checks its own result; a wrong one stops that runtime's figures and is told. A ratio is between two runs
of the same compiler's code: what the compilers themselves make of a loop is not measured here.
"""

import argparse
import os
import tempfile

import common
import runtimes

PROGRAMS = ("stencil", "sort", "cholesky")


def parse(text):
    """The median of one process's repeats, in milliseconds."""
    return common.median([float(line) * 1e3 for line in text.splitlines()])


def run(contender, program, threads, bound, arguments=()):
    how = {"OMP_PROC_BIND": "true"} if bound else {}
    return parse(contender.run([program] + [str(a) for a in arguments], OMP_NUM_THREADS=str(threads), **how))


def measure(contenders, programs, name, threads, rounds, notes):
    """contender's name -> ms of each round. A contender that fails is told of and left out."""
    times = {c.name: [] for c in contenders}
    for i in range(rounds):
        for c in runtimes.in_order(contenders, i):
            if c.name not in times:
                continue
            try:
                times[c.name].append(run(c, programs[name + "_" + c.compiler], threads, threads <= 2))
            except runtimes.Unusable as error:
                del times[c.name]
                notes.append("%s, %d threads: %s" % (name, threads, error))
    return times


def figures_of(contenders, times):
    """Each contender's ms, and each peer's ratio: Companion over it, with the same compiler's code."""
    compiler = {c.name: c.compiler for c in contenders}
    found = {}
    for name, values in times.items():
        low, high = common.order_interval(values)
        found[name] = {"median": round(common.median(values), 3), "low": round(low, 3),
                       "high": round(high, 3)}
        ours = times.get("companion-" + compiler[name])
        if ours and not name.startswith("companion"):
            ratio = common.ratio(common.median(ours), common.median(values))
            low, high = common.bootstrap_ratio(ours, values)
            found[name]["companion_over_it"] = {"ratio": common.significant(ratio),
                                                "low": common.significant(low),
                                                "high": common.significant(high)}
    return found


def report(name, threads, figures):
    print("\n== %s, %d threads on 2 processors, %s"
          % (name, threads, "bound" if threads <= 2 else "not bound"))
    for contender, f in figures.items():
        ratio = f.get("companion_over_it")
        print("%-16s %9.2f ms [%.2f, %.2f]%s"
              % (contender, f["median"], f["low"], f["high"],
                 "   Companion / it: %(ratio).3f [%(low).3f, %(high).3f]" % ratio if ratio else ""),
              flush=True)


def arguments(parser):
    """Bazel gives these, to the benchmark and to the test."""
    for name in PROGRAMS:
        for compiler in ("clang", "gcc"):
            parser.add_argument("--%s_%s" % (name, compiler), required=True, help=argparse.SUPPRESS)
    runtimes.arguments(parser)


def paths(options):
    return {"%s_%s" % (name, compiler): os.path.abspath(getattr(options, "%s_%s" % (name, compiler)))
            for name in PROGRAMS for compiler in ("clang", "gcc")}


def main():
    parser = argparse.ArgumentParser(prog="./dev bench programs", description=__doc__.splitlines()[0])
    arguments(parser)
    parser.add_argument("--rounds", type=common.positive, default=10, help="alternated rounds (10)")
    parser.add_argument("--threads", type=common.numbers, default=[2, 4], metavar="N,N",
                        help="thread counts; up to 2 they are bound (2,4)")
    parser.add_argument("--only", choices=PROGRAMS, help="one program")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()

    load, notes, document = common.Load(), [], []
    print("%s; medians of %d alternated rounds" % (common.machine(), options.rounds))
    with tempfile.TemporaryDirectory() as folder:
        contenders = runtimes.contenders(options, notes, gcc_on_libomp=True)
        for contender in contenders:
            contender.prepare(folder)
        for name in [options.only] if options.only else PROGRAMS:
            for threads in options.threads:
                times = measure(contenders, paths(options), name, threads, options.rounds, notes)
                figures = figures_of(contenders, times)
                document.append({"program": name, "threads": threads, "ms": figures})
                report(name, threads, figures)
    for note in notes:
        print("note: " + note)
    others = load.report()
    if options.json:
        common.write_json(options.json,
                          {"machine": common.machine(), "rounds": options.rounds, "others": others,
                                         "notes": notes, "programs": document})


if __name__ == "__main__":
    main()
