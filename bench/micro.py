# SPDX-License-Identifier: Apache-2.0
"""What each OpenMP construct costs on Companion, libgomp and libomp, by gcc and by clang, in one run.

The processes alternate, so that all see the same neighbours on the machine; judge.py has the rule by which
their figures are judged. What was measured on near and on far processors is reported apart.
"""

import argparse
import collections
import os
import tempfile

import collected
import common
import distance
import judge
import picture
import runtimes

WARM_MS = 300
FREE_ROWS = 9
UNSEEN = "so a row at %.2f times its goal (the median; %.2f for the noisiest) may be called open and not over"


def parse(text):
    """row -> (minimum, median) ns per operation."""
    return {name: (float(least), float(middle)) for name, least, middle in map(str.split, text.splitlines())}


def run(contender, program, setting, samples, ms, only=None):
    """One process."""
    command = [program, str(samples), str(ms)] + ([only] if only else [])
    # Unbound threads may share a processor for the first 100-200 ms, and longer when the machine is busy.
    how = contender.bind if setting.bound else {"MICRO_WARM": str(WARM_MS)}
    return parse(contender.run(command, OMP_NUM_THREADS=str(setting.threads), **how))


def usable(contenders, programs, folder, notes):
    """Those that run the program; what is wrong with the others goes into NOTES."""
    found = []
    for contender in contenders:
        try:
            contender.prepare(folder)
            program = programs[contender.compiler]
            if not contender.takes_its_library(program):
                raise runtimes.Unusable("%s: the program does not load that library" % contender.name)
            # All symbols at once: a missing one is told now and not in the middle.
            answer = contender.run([program, "-b"], OMP_NUM_THREADS="2", LD_BIND_NOW="1", **contender.bind)
        except runtimes.Unusable as error:
            notes.append("not run: %s" % error)
            continue
        if answer.strip() != "bound":
            contender.bind = {"MICRO_PIN": "1"}
            notes.append("%s does not bind by OMP_PROC_BIND: the program binds its threads itself"
                         % contender.name)
        found.append(contender)
    return found


def one_turn(order, programs, setting, rows, options, notes):
    """A process of each contender for some rows, and how far apart the processors were at each."""
    load, figures, readings, places = common.Load(), {}, [distance.read(options.distance)], {}
    for contender in order:
        try:
            ms = options.ms if setting.bound else 2 * options.ms
            figures[contender.name] = run(contender, programs[contender.compiler], setting, options.samples,
                                          ms, "=" + ",".join(rows))
        except runtimes.Unusable as error:
            notes.append("%d threads: a turn without %s" % (setting.threads, error))
        readings.append(distance.read(options.distance))
        # Threads that are not bound wait for time slices rather than for lines, and move themselves.
        places[contender.name] = distance.place(readings[-2:]) if setting.bound else "any"
    others = 0 if options.beside else round(load.share(), 3)  # those that were asked for disturb nothing
    return {"threads": setting.threads, "bound": setting.bound, "distance": readings, "places": places,
            "others": others, "figures": figures}


def turns(setting, rows):
    """The rows of each turn: bound, each row has its own, so that all contenders run it within half a
    second. Free threads need a while to spread, hence some rows to a process."""
    size = 1 if setting.bound else FREE_ROWS
    return [rows[i:i + size] for i in range(0, len(rows), size)]


def measure(contenders, programs, rounds, options, notes):
    """Adds rounds of all settings, by turns, so that a run that is ended early has some of each."""
    rows = row_names(contenders[0], programs, options)
    for _ in range(options.rounds):
        for setting in settings(options):
            number = 1 + max((turn["round"] for turn in rounds.rounds if turn["threads"] == setting.threads
                              and turn["bound"] == setting.bound), default=-1)
            order = runtimes.in_order(contenders, number)
            for some in turns(setting, rows):
                rounds.add(dict(one_turn(order, programs, setting, some, options, notes), round=number))


def row_names(contender, programs, options):
    """Of the program, as far as they are asked for."""
    return list(run(contender, programs[contender.compiler], judge.Setting(1, True), 1, 0.01, options.only))


def how(setting):
    return "%d threads on 2 processors, %s" % (setting.threads, "each bound to one" if setting.bound
                                               else "not bound")


def at(place, turn):
    """The turn's figures of the processes that ran there."""
    return {name: f for name, f in turn["figures"].items() if turn["places"][name] == place}


def sections(done):
    """The report's parts: one for each setting and place of which there are turns."""
    groups = collections.OrderedDict()
    for turn in done:
        groups.setdefault(judge.Setting(turn["threads"], turn["bound"]), []).append(turn)
    found = []
    for setting, members in groups.items():
        quiet = [turn for turn in members if turn["others"] <= common.DISTURBED]
        rows = {row: None for turn in members for f in turn["figures"].values() for row in f}
        places = [place for turn in quiet for place in turn["places"].values()]
        for place in ("near", "far", "any"):
            report = judge.report([at(place, turn) for turn in quiet], setting, rows)
            if any(c["summary"] for c in report["comparisons"]):
                where = "" if place == "any" else "; %s processors" % place
                found.append(dict(report, place=place, threads=setting.threads, bound=setting.bound,
                                  moved=round(places.count("moved") / len(places), 3),
                                  disturbed=round(1 - len(quiet) / len(members), 3),
                                  title=how(setting) + where,
                                  distance=distance.describe(place, [ns for turn in quiet
                                                                     for ns in turn["distance"]])))
    return found


def short(ns):
    return "%.2f" % ns if ns < 100 else "%.0f" % ns if ns < 1e5 else "%.0fk" % (ns / 1000)


def print_section(section):
    fewest, most = section["rounds"]
    print("\n== %s (%s): %d to %d rounds of each row; left out: %.0f %% of the processes, during which the "
          "processors moved, and %.0f %% of the turns, in which other programs took over a tenth of them"
          % (section["title"], section["distance"], fewest, most, section["moved"] * 100,
             section["disturbed"] * 100))
    if fewest < judge.ROUNDS:
        print("the rule asks for %d rounds of each row: so this is a first look" % judge.ROUNDS)
    names = sorted({name for ns in section["ns"].values() for name in ns})
    print("%-22s" % "ns, medians" + "".join("%17s" % n for n in names))
    for row, ns in section["ns"].items():
        print("%-22s" % row + "".join("%17s" % (short(ns[n]) if n in ns else "") for n in names))
    for comparison in section["comparisons"]:
        print("\n-- %s" % comparison["title"])
        for j in comparison["rows"]:
            print("%-22s %7.3f [%6.3f, %6.3f]  goal %.2f  %-5s %s"
                  % (j["row"], j["ratio"], j["low"], j["high"], j["goal"], j["verdict"], j["peer"]))
        if comparison["summary"]:
            print(sentence(comparison["name"], comparison["summary"]))
            if not comparison["summary"]["mean_goal"]:
                print(UNSEEN % tuple(comparison["summary"]["unseen"]))


def sentence(name, total):
    """What is said of a comparison as a whole."""
    worst = total["worst"]
    goal = " (goal %.2f)" % total["mean_goal"] if total["mean_goal"] else ""
    rows = "".join("; %s: %s" % (word, ", ".join(total[word])) for word in ("over", "open") if total[word])
    verdict = ": " + ("met" if total["met"] else "missed") if total["mean_goal"] else ""
    return ("%s: geometric mean of %d rows %.3f%s; worst row %s %.3f [%.3f, %.3f] (goal %.2f)%s%s"
            % (name, total["judged"], total["mean"], goal, worst["row"], worst["ratio"], worst["low"],
               worst["high"], worst["goal"], rows, verdict))


def settings(options):
    found = [judge.Setting(options.threads, True)] if options.threads else []
    return found + [judge.Setting(n, False) for n in options.oversubscribed]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench micro", description=__doc__.splitlines()[0])
    parser.add_argument("--clang", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--gcc", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--distance", required=True, type=os.path.abspath, help=argparse.SUPPRESS)
    runtimes.arguments(parser)
    parser.add_argument("--rounds", type=int, default=judge.ROUNDS,
                        help="alternated rounds (%d); 0: only a report on those of --collect" % judge.ROUNDS)
    parser.add_argument("--samples", type=common.positive, default=7,
                        help="samples of a row in a process (7)")
    parser.add_argument("--ms", type=common.positive, default=5,
                        help="milliseconds of a sample; twice that with more threads than processors (5)")
    parser.add_argument("--threads", type=int, default=2, metavar="N",
                        help="bound threads (2); 0: leave that part out")
    parser.add_argument("--oversubscribed", type=common.numbers, default=[4, 8], metavar="N,N",
                        help="threads that are not bound (4,8), or none")
    parser.add_argument("--beside", type=int, default=0, metavar="N",
                        help="other processes that compute meanwhile, on the same processors (none)")
    parser.add_argument("--only", metavar="ROWS",
                        help="part of a row's name, or =NAME,NAME,... for these rows")
    parser.add_argument("--collect", metavar="FILE",
                        help="keep the rounds there as JSON, and count those in that are there already")
    parser.add_argument("--picture", metavar="FILE", help="also draw the ratios there (SVG)")
    return parser.parse_args()


def about(contenders, programs, options):
    """What rounds that are counted together have in common."""
    builds = {c.name: collected.fingerprint([programs[c.compiler], c.library or runtimes.system_libgomp()])
              for c in contenders}
    return dict(builds, machine=common.machine(), only=options.only, samples=options.samples, ms=options.ms,
                beside=options.beside)


def main():
    options = arguments()
    programs = {"clang": os.path.abspath(options.clang), "gcc": os.path.abspath(options.gcc)}
    load, notes = common.Load(), []
    print("%s; %s" % (common.machine(), common.topology()), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        contenders = usable(runtimes.contenders(options, notes, twice=True), programs, folder, notes)
        rounds = collected.Rounds(options.collect, about(contenders, programs, options))
        with common.busy_processes(options.beside):
            measure(contenders, programs, rounds, options, notes)
    for note in notes:
        print("note: " + note)
    document = sections(rounds.rounds)
    for section in document:
        print_section(section)
    print("\nmet: the ratio is at most its goal; open: it is not, but its interval reaches below; over: it "
          "does not."
          "\nsmall: under %d ns on both, not judged. A/A shows what the machine alone does to a ratio."
          % judge.SMALL_NS)
    others = load.report()
    rounds.write({"others": others, "notes": notes, "sections": document})
    if options.picture and document:
        with open(common.users_path(options.picture), "w") as f:
            f.write(picture.draw(document, common.machine()))


if __name__ == "__main__":
    main()
