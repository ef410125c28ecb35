# SPDX-License-Identifier: Apache-2.0
"""Short programs as users run them, on Companion and its peers, alone and beside programs that compute.

But for one row no thread is bound, and what is timed begins with the program, so that it counts how long the
threads take until each has a processor. No row has a goal: nobody has tuned for these loads. Each is ahead or
behind if the whole interval of its ratio is.
"""

import argparse
import collections
import os
import tempfile

import collected
import common
import runtimes

ROUNDS, LEAST_ROUNDS = 10, 6  # of fewer than the second there is no 95 % interval

# What bench/loads.c is asked for, how often it repeats its work (None: its own number), and the environment.
Load = collections.namedtuple("Load", "program parts variables")


def _threads(number, **more):
    return dict(more, OMP_NUM_THREADS=str(number))


LOADS = {
    "spread": Load("spread", None, {}),  # as many threads as there are processors, as users have them
    "tokens-2": Load("tokens", None, _threads(2)),
    "tokens-4": Load("tokens", 6, _threads(4)),
    "loops-8": Load("loops", None, _threads(8)),
    "depend": Load("depend", None, _threads(2)),
    "taskloop": Load("taskloop", None, _threads(2)),
    "nested": Load("nested", None, _threads(2)),
    "reductions": Load("reductions", None, _threads(2)),
    "reductions-bound": Load("reductions", None, _threads(2, OMP_PROC_BIND="true")),
    "locks": Load("locks", None, _threads(2)),
}


def parse(text, name):
    """row -> figure, from what the program prints for the load NAME: ms, of locks ns."""
    program = LOADS[name].program
    return {name + row[len(program):]: float(value) for row, value in map(str.split, text.splitlines())}


def run(contender, program, name, parts=None):
    """One process; PARTS instead of the load's own."""
    load = LOADS[name]
    command = [program, load.program] + [str(size) for size in (parts or load.parts,) if size]
    return parse(contender.run(command, **load.variables), name)


def one_turn(order, programs, name, beside, notes):
    """A process of each contender for a load."""
    load, figures = common.Load(), {}
    for contender in order:
        try:
            figures[contender.name] = run(contender, programs[contender.compiler], name)
        except runtimes.Unusable as error:
            notes.append("%s: %s" % (name, error))
    others = 0 if beside else round(load.share(), 3)  # those that were asked for disturb nothing
    return {"load": name, "beside": beside, "others": others, "figures": figures}


def measure(contenders, programs, rounds, options, notes):
    """Adds rounds: of each load a turn alone, and one beside others."""
    for _ in range(options.rounds):
        for beside in [0] + [options.beside] * (options.beside > 0):
            with common.busy_processes(beside):
                for name in options.only or LOADS:
                    number = sum(turn["load"] == name and turn["beside"] == beside for turn in rounds.rounds)
                    order = runtimes.in_order(contenders, number)
                    rounds.add(one_turn(order, programs, name, beside, notes))


def word(found):
    """What is said of a comparison."""
    if found["rounds"] < LEAST_ROUNDS:
        return "few"
    return "ahead" if found["high"] < 1 else "behind" if found["low"] > 1 else "level"


def sections(turns, most):
    """The report: for each number of programs beside, the rows with their medians and comparisons. MOST: the
    share of the processors that others may have taken in a turn that counts."""
    groups = collections.OrderedDict()
    for turn in turns:
        groups.setdefault(turn["beside"], []).append(turn)
    found = []
    for beside, members in groups.items():
        quiet = [turn for turn in members if turn["others"] <= most]
        found.append({"beside": beside, "left_out": len(members) - len(quiet), "turns": len(members),
                      "others": common.median([turn["others"] for turn in members]), "rows": rows(quiet)})
    return found


def rows(turns):
    """row -> its medians, and its comparisons by title."""
    by_row = collections.OrderedDict()
    for turn in turns:
        for row in {row: None for figures in turn["figures"].values() for row in figures}:
            here = {name: f[row] for name, f in turn["figures"].items() if row in f}
            by_row.setdefault(row, []).append(here)
    found = collections.OrderedDict()
    for row, rounds in by_row.items():
        names = list({name: None for one in rounds for name in one})
        compared = {}
        for title, ours, peer in runtimes.pairs(names):
            both = [one for one in rounds if ours in one and peer in one]
            if both:
                compared[title] = common.compare([one[ours] for one in both], [one[peer] for one in both])
                compared[title]["word"] = word(compared[title])
        medians = {name: common.significant(common.median([one[name] for one in rounds if name in one]))
                   for name in names}
        found[row] = {"medians": medians, "compared": compared}
    return found


def print_section(section):
    beside = section["beside"]
    print("\n== %s; left out: %d of %d turns, in which other programs took too much; the median is %.0f %%"
          % ("beside %d programs that compute" % beside if beside else "alone", section["left_out"],
             section["turns"], section["others"] * 100))
    names = list({name: None for row in section["rows"].values() for name in row["medians"]})
    print("%-18s" % "ms; locks: ns" + "".join("%17s" % name for name in names))
    for row, found in section["rows"].items():
        print("%-18s" % row + "".join("%17.4g" % found["medians"][n] if n in found["medians"] else " " * 17
                                      for n in names))
    for title in {title: None for row in section["rows"].values() for title in row["compared"]}:
        print_comparison(title, {row: found["compared"][title] for row, found in section["rows"].items()
                                 if title in found["compared"]})


def print_comparison(title, found):
    print("\n-- %s" % ("a copy of libgomp / libgomp (A/A)" if title == "A/A" else "Companion / " + title))
    words = {one: [] for one in ("ahead", "level", "behind", "few")}
    for row, f in found.items():
        words[f["word"]].append(row)
        print("%-18s %7.3f [%6.3f, %6.3f]  %-6s of %d rounds"
              % (row, f["ratio"], f["low"], f["high"], f["word"], f["rounds"]))
    print("; ".join("%s in %d (%s)" % (one, len(members), ", ".join(members))
                    for one, members in words.items() if members))


def arguments(parser):
    """Bazel gives these, to the benchmark and to the test."""
    for compiler in ("clang", "gcc"):
        parser.add_argument("--" + compiler, required=True, help=argparse.SUPPRESS)
    runtimes.arguments(parser)


def paths(options):
    return {compiler: os.path.abspath(getattr(options, compiler)) for compiler in ("clang", "gcc")}


def choices(parser):
    parser.set_defaults(libomp="14,19")
    parser.add_argument("--rounds", type=int, default=ROUNDS,
                        help="alternated rounds (%d); 0: only a report on those of --collect" % ROUNDS)
    parser.add_argument("--beside", type=int, default=2, metavar="N",
                        help="programs that compute meanwhile, in the second part of each round (2); 0: none")
    parser.add_argument("--only", nargs="+", choices=LOADS, metavar="LOAD", help="of " + ", ".join(LOADS))
    parser.add_argument("--disturbed", type=float, default=common.DISTURBED, metavar="SHARE",
                        help="count turns in which other programs took up to that share of the processors, "
                        "%g if not given" % common.DISTURBED)
    parser.add_argument("--collect", metavar="FILE",
                        help="keep the rounds there as JSON, and count those in that are there already")


def about(contenders, programs):
    """What rounds that are counted together have in common."""
    builds = {c.name: collected.fingerprint([programs[c.compiler], c.library or runtimes.system_libgomp()])
              for c in contenders}
    return dict(builds, machine=common.machine())


def main():
    parser = argparse.ArgumentParser(prog="./dev bench loads", description=__doc__.splitlines()[0])
    arguments(parser)
    choices(parser)
    options = parser.parse_args()
    programs, load, notes = paths(options), common.Load(), []
    print("%s; %s" % (common.machine(), common.topology()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        contenders = runtimes.contenders(options, notes, twice=True)
        for contender in contenders:
            contender.prepare(folder)
        rounds = collected.Rounds(options.collect, about(contenders, programs))
        measure(contenders, programs, rounds, options, notes)
    for note in notes:
        print("note: " + note)
    document = sections(rounds.rounds, options.disturbed)
    for section in document:
        print_section(section)
    print("\nahead, behind: the whole interval is below or above 1; level: it has 1 inside. A/A shows what "
          "the machine alone does to a ratio.")
    rounds.write({"others": load.report(), "notes": notes, "sections": document})


if __name__ == "__main__":
    main()
