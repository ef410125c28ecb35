# SPDX-License-Identifier: Apache-2.0
"""Tasks by length: what a task costs that takes 0 ns to 50 us, on Companion, its peers and without tasks.

One thread creates all tasks, or each thread its part; then a tree of tasks, and a program whose tasks change
between 10 ns and 100 us. The bar of a row is the best of the peers, of the same work without any task, and,
with --baseline, of an earlier build of Companion.
"""

import argparse
import collections
import os
import tempfile

import common
import runtimes

SHAPES = ("one", "all", "fib", "change")
WITHOUT_TASKS = {"one": "loop", "all": "loop", "fib": "loop-fib", "change": "loop-change"}
GOAL = 1.10
STEPS_TRIES = 5

# ns for each task, and the part of the tasks that ran on other threads than the first
Figure = collections.namedtuple("Figure", "ns others")


def parse(text):
    """(shape, length) -> Figure"""
    return {(shape, int(length)): Figure(float(ns), float(others))
            for shape, length, ns, others in map(str.split, text.splitlines())}


def steps(contender, program):
    """Steps of work in a microsecond, of the quickest try: all processes are given the same number."""
    return max(float(contender.run([program, "-c"])) for _ in range(STEPS_TRIES))


def run(contender, program, threads, options, work):
    """One process; with no more threads than processors each is bound to one."""
    how = contender.bind if threads <= 2 else {}
    shapes = [s for shape in options.shapes for s in (WITHOUT_TASKS[shape], shape)]
    return parse(contender.run([program, str(options.samples), str(options.ms), ",".join(shapes)],
                               OMP_NUM_THREADS=str(threads), TASK_STEPS=str(work), **how))


def baselines(options):
    """The earlier build's contenders, by both compilers."""
    if not options.baseline:
        return []
    library = os.path.join(common.users_path(options.baseline), "libompcompanion.so.1.0.0")
    if not os.path.exists(library):
        raise SystemExit("--baseline: there is no %s" % library)
    return [runtimes.Contender("baseline-" + compiler, compiler, library) for compiler in ("clang", "gcc")]


def measure(contenders, programs, threads, options, work, notes):
    """contender's name -> one dictionary of figures a round."""
    rounds = {c.name: [] for c in contenders}
    for i in range(options.rounds):
        for c in runtimes.in_order(contenders, i):
            if c.name not in rounds:
                continue
            try:
                rounds[c.name].append(run(c, programs[c.compiler], threads, options, work))
            except runtimes.Unusable as error:
                del rounds[c.name]
                notes.append("%d threads: %s" % (threads, error))
    return rounds


def candidates(row, ours, rounds):
    """name -> ns of each round, of all that the row is held against. The loop without tasks is the same code
    on every runtime: of each round the best."""
    compiler = ours.rpartition("-")[2]
    loop = (WITHOUT_TASKS[row[0]], row[1])
    found = {"loop": [min(values) for values in zip(*([r[loop].ns for r in rs] for rs in rounds.values()))]}
    for name, figures in rounds.items():
        mine = name == "libgomp" or (compiler == "clang" and name.startswith("libomp"))
        if mine or name == "baseline-" + compiler:
            found[name] = [r[row].ns for r in figures]
    return found


def judge(row, ours, rounds):
    """The row's time, the best of what it is held against, and the ratio with its interval. It is over its
    goal when the lower end of the interval is."""
    mine = [r[row].ns for r in rounds[ours]]
    others = candidates(row, ours, rounds)
    best = min(others, key=lambda name: common.median(others[name]))
    low, high = common.bootstrap_ratio(mine, others[best])
    return {"ns": common.significant(common.median(mine)),
            "others": round(common.median([r[row].others for r in rounds[ours]]), 3),
            "held_against": {name: common.significant(common.median(v)) for name, v in others.items()},
            "best": best,
            "ratio": common.significant(common.ratio(common.median(mine), common.median(others[best]))),
            "low": common.significant(low), "high": common.significant(high), "over": low > GOAL}


def figures_of(rounds, rows):
    """contender of ours -> "shape length" -> judgement"""
    return {ours: {"%s %d" % row: judge(row, ours, rounds) for row in rows}
            for ours in ("companion-clang", "companion-gcc") if ours in rounds}


def report(threads, figures):
    for ours, rows in figures.items():
        names = list(next(iter(rows.values()))["held_against"])
        print("\n== %s, %d threads on 2 processors, %s; ns for each task"
              % (ours, threads, "bound" if threads <= 2 else "not bound"))
        print("%-14s %10s %7s" % ("row", "companion", "others") + "".join("%16s" % n for n in names)
              + "   ratio to the best")
        for row, f in rows.items():
            print("%-14s %10.1f %6.0f%%" % (row, f["ns"], f["others"] * 100)
                  + "".join("%16.1f" % f["held_against"][n] for n in names)
                  + "   %.2f [%.2f, %.2f] %s%s" % (f["ratio"], f["low"], f["high"], f["best"],
                                                   "  OVER" if f["over"] else ""), flush=True)


def arguments(parser):
    """Bazel gives these, to the benchmark and to the test."""
    for compiler in ("clang", "gcc"):
        parser.add_argument("--" + compiler, required=True, help=argparse.SUPPRESS)
    runtimes.arguments(parser)


def shapes(text):
    """argparse type"""
    wanted = text.split(",")
    for shape in wanted:
        if shape not in SHAPES:
            raise argparse.ArgumentTypeError("no shape is called %r; shapes: %s"
                                             % (shape, ", ".join(SHAPES)))
    return wanted


def choices(parser):
    parser.add_argument("--rounds", type=common.positive, default=10, help="alternated rounds (10)")
    parser.add_argument("--samples", type=common.positive, default=3,
                        help="samples of a row in a process (3)")
    parser.add_argument("--ms", type=common.positive, default=5, help="milliseconds of a sample (5)")
    parser.add_argument("--threads", type=common.numbers, default=[1, 2, 4], metavar="N,N",
                        help="thread counts; up to 2 they are bound (1,2,4)")
    parser.add_argument("--shapes", type=shapes, default=list(SHAPES), metavar="SHAPE,SHAPE",
                        help="of %s (all)" % ", ".join(SHAPES))
    parser.add_argument("--baseline", metavar="DIR",
                        help="folder with an earlier build's libompcompanion.so.1.0.0")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench task-lengths", description=__doc__.splitlines()[0])
    arguments(parser)
    choices(parser)
    options = parser.parse_args()
    programs = {c: os.path.abspath(getattr(options, c)) for c in ("clang", "gcc")}

    load, notes, document = common.Load(), [], []
    print("%s; medians of %d alternated rounds" % (common.machine(), options.rounds))
    with tempfile.TemporaryDirectory() as folder:
        contenders = runtimes.contenders(options, notes) + baselines(options)
        for contender in contenders:
            contender.prepare(folder)
        work = steps(contenders[0], programs[contenders[0].compiler])
        for threads in options.threads:
            rounds = measure(contenders, programs, threads, options, work, notes)
            rows = [row for row in next(iter(rounds.values()))[0] if row[0] in options.shapes]
            figures = figures_of(rounds, rows)
            document.append({"threads": threads, "rows": figures})
            report(threads, figures)
    for note in notes:
        print("note: " + note)
    others = load.report()
    if options.json:
        common.write_json(options.json, {"machine": common.machine(), "rounds": options.rounds,
                                         "others": others, "notes": notes, "threads": document})


if __name__ == "__main__":
    main()
