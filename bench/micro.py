# SPDX-License-Identifier: Apache-2.0
"""What each OpenMP construct costs on Companion, libgomp and Debian's libomp, by gcc and by clang, in one
run.

The processes alternate, so that all see the same neighbours on the machine. With as many threads as
processors each ratio to libgomp is held against a bar: what a Release build of libomp 19 costs, as a ratio to
libgomp, measured once (PEERS below), or libgomp itself where that is better. With more threads than
processors the bar is the better of libgomp and Debian's libomp in the same run.
"""

import argparse
import collections
import os
import tempfile

import common
import picture
import runtimes

# Row -> libomp 19 Release over libgomp 12 at 2 pinned threads: each with its compiler's code; both with
# gcc's. Of the packaged libomp nothing is said: Debian builds it with assertions, which proves nothing.
PEERS = {
    "fork-join": (0.59, 0.68), "fork-join-reduction": (0.69, 0.71), "parallel-for": (0.68, 0.67),
    "barrier": (0.66, 0.65), "for-static": (0.72, 0.66), "for-static-nowait": (2.52, 1.00),
    "for-dynamic1-per-iter": (1.91, 1.88), "for-dynamic1-64": (1.09, 1.75),
    "for-guided-per-iter": (1.00, 1.00), "for-ordered-per-iter": (0.70, 0.47), "single": (0.71, 0.77),
    "single-nowait": (1.87, 1.96), "sections": (0.59, 0.85), "critical": (2.23, 2.36),
    "critical-1thread": (1.76, 2.90), "lock": (3.04, 3.02), "lock-1thread": (2.06, 2.14),
    "nestlock-1thread": (2.10, 2.09), "for-reduction": (1.45, 0.69), "master": (11.58, 1.00),
    "copyprivate": (0.85, 0.99), "task-1producer": (0.24, 0.27), "task-all-produce": (2.25, 2.62),
    "task+taskwait": (0.44, 0.46), "task-serial": (4.51, 5.44), "task-if0": (5.92, 6.55),
    "task-depend-chain": (1.68, 1.81), "taskwait-empty": (1.91, 3.26), "taskgroup+task": (0.43, 0.48),
    "taskloop-16": (1.76, 1.80), "fib16-per-task": (0.96, 1.01), "nested-parallel-2x2": (0.07, 0.07),
    "nested-parallel-1": (0.17, 0.17), "parallel-if0": (0.16, 0.27), "omp_get_thread_num": (2.41, 2.15),
    "threadprivate-inc": (1.05, 0.90),
}
# For these gcc emits no call, so libgomp is no peer of clang's code: the bar is libomp's figure.
INLINED_BY_GCC = ("for-static-nowait", "master")
# These have to be at least level.
LEVEL = ("fork-join", "barrier", "critical", "critical-1thread", "lock", "lock-1thread",
         "for-dynamic1-per-iter", "for-dynamic1-64", "task-1producer", "task-all-produce", "task-serial",
         "task-if0", "nested-parallel-2x2", "nested-parallel-1")
# Judged with more threads than processors; the others are shown.
OVERSUBSCRIBED = ("fork-join", "barrier", "for-static", "for-dynamic1-64", "single", "critical", "lock",
                  "for-reduction", "task-1producer", "task-all-produce", "task+taskwait", "task-depend-chain",
                  "taskloop-16", "fib16-per-task", "nested-parallel-2x2")
SMALL_NS = 4  # near the cost of an empty loop: reported, not judged
WARM_MS = 300

# Threads, whether each has a processor of its own, and what may be asked of the quotients: geometric mean,
# highest.
Setting = collections.namedtuple("Setting", "threads pinned mean highest")


def pinned_setting(threads):
    return Setting(threads, True, 0.9, 1.25)


def free_setting(threads):
    return Setting(threads, False, 1.0, 2.0)


def bar(row, compiler):
    """As a ratio to libgomp, at 2 pinned threads."""
    clang, gcc = PEERS[row]
    if compiler == "gcc":
        return min(1.0, gcc)
    return clang if row in INLINED_BY_GCC else min(1.0, clang)


def parse(text):
    """row -> (minimum, median) ns per operation."""
    return {name: (float(least), float(middle)) for name, least, middle in map(str.split, text.splitlines())}


def run(contender, program, setting, samples, ms, only=None):
    """One process."""
    command = [program, str(samples), str(ms)] + ([only] if only else [])
    # Unbound threads may share a processor for the first 100-200 ms, and longer when the machine is busy.
    how = contender.bind if setting.pinned else {"MICRO_WARM": str(WARM_MS)}
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


def measure(contenders, programs, setting, options, notes):
    """contender's name -> the rounds' figures."""
    rounds = {c.name: [] for c in contenders}
    broken = set()
    for i in range(options.rounds):
        for c in runtimes.in_order(contenders, i):
            if c.name in broken:
                continue
            try:
                ms = options.ms if setting.pinned else 2 * options.ms
                rounds[c.name].append(run(c, programs[c.compiler], setting, options.samples, ms,
                                          options.only))
            except runtimes.Unusable as error:
                broken.add(c.name)
                notes.append("%d threads: given up: %s" % (setting.threads, error))
    return {name: figures for name, figures in rounds.items() if name not in broken}


def verdict(row, setting, quotient, low):
    """Of a judged row. LOW is the lower end of the quotient's interval."""
    if quotient > setting.highest:
        return "missed"
    if quotient <= 1:
        return "met"
    if setting.pinned and row in LEVEL:
        return "level" if low <= 1 else "missed"
    return "allowed"


def is_judged(row, setting, small):
    if small:
        return False
    return setting.threads == 2 if setting.pinned else row in OVERSUBSCRIBED


def judge(row, compiler, setting, ours, peers):
    """A row of one compiler's code. OURS: ns of each round; PEERS: name -> the same of libgomp and libomp.

    The ratio is to libgomp with pinned threads, else to the better of the peers.
    """
    mine = common.median(ours)
    peer = "libgomp" if setting.pinned else min(peers, key=lambda name: common.median(peers[name]))
    other = common.median(peers[peer])
    ratio = common.ratio(mine, other)
    low, high = common.bootstrap_ratio(ours, peers[peer])
    limit = bar(row, compiler) if setting.pinned else 1.0
    judged = is_judged(row, setting, mine < SMALL_NS and other < SMALL_NS)
    found = {"compiler": compiler, "peer": peer, "bar": limit, "judged": judged,
             "verdict": verdict(row, setting, ratio / limit, low / limit) if judged else "not judged"}
    for suffix, value in (("", ratio), ("_low", low), ("_high", high)):
        found["ratio" + suffix] = common.significant(value)
        found["quotient" + suffix] = common.significant(value / limit)
    return found


def columns(rounds, row):
    """contender's name -> minimum, median and interval of one row."""
    found = {}
    for name, figures in rounds.items():
        medians = [f[row][1] for f in figures]
        low, high = common.order_interval(medians)
        found[name] = {"median": round(common.median(medians), 2), "low": round(low, 2),
                       "high": round(high, 2), "minimum": min(f[row][0] for f in figures)}
    return found


def figures_of(rounds, setting):
    """The setting's rows: ns of every contender, and the judgement on Companion with either compiler's
    code."""
    libomp = sorted((name for name in rounds if name.startswith("libomp")),
                    key=lambda name: int(name[len("libomp"):]))
    peers = ["libgomp"] + libomp[-1:]  # the newest libomp
    rows = []
    for row in next(iter(rounds.values()))[0]:
        ns = {name: [f[row][1] for f in figures] for name, figures in rounds.items()}
        entry = {"row": row, "ns": columns(rounds, row), "judgements": []}
        for compiler in ("clang", "gcc"):
            ours = ns.get("companion-" + compiler)
            if ours and "libgomp" in rounds:
                found = judge(row, compiler, setting, ours, {p: ns[p] for p in peers})
                least, peers_least = (entry["ns"][n]["minimum"]
                                      for n in ("companion-" + compiler, found["peer"]))
                found["ratio_of_minima"] = common.significant(common.ratio(least, peers_least))
                entry["judgements"].append(found)
        rows.append(entry)
    return rows


def summary(rows, compiler, setting):
    """What is asked of all rows of one compiler's code together; None when none is judged."""
    found = [(r["row"], j) for r in rows for j in r["judgements"] if j["compiler"] == compiler
             and j["judged"]]
    if not found:
        return None
    mean = common.geometric_mean([j["quotient"] for _, j in found])
    highest = max(found, key=lambda pair: pair[1]["quotient"])
    return {"compiler": compiler, "judged": len(found), "mean": common.significant(mean),
            "mean_goal": setting.mean, "highest": highest[1]["quotient"], "highest_row": highest[0],
            "highest_goal": setting.highest, "missed": [row for row, j in found if j["verdict"] == "missed"],
            "met": mean <= setting.mean and all(j["verdict"] != "missed" for _, j in found)}


def how(setting):
    return "%d threads on 2 processors, %s" % (setting.threads, "each bound to one" if setting.pinned
                                               else "not bound")


def print_rows(rows, setting, rounds):
    print("\n== %s; medians of %d alternated rounds, ns, with their 95 %% interval" % (how(setting), rounds))
    names = list(rows[0]["ns"])
    print("%-22s" % "construct" + "".join("%26s" % n for n in names))
    for r in rows:
        cells = ["%s [%s, %s]" % tuple(short(r["ns"][n][k]) for k in ("median", "low", "high"))
                 for n in names]
        print("%-22s" % r["row"] + "".join("%26s" % c for c in cells), flush=True)


def short(ns):
    return "%.2f" % ns if ns < 100 else "%.0f" % ns if ns < 1e5 else "%.0fk" % (ns / 1000)


def print_judgements(rows, setting):
    for compiler in ("clang", "gcc"):
        lines = [(r["row"], j) for r in rows for j in r["judgements"] if j["compiler"] == compiler]
        if not lines:
            continue
        print("\n-- Companion, %s's code, %s" % (compiler, "against libgomp" if setting.pinned else
                                                 "against the better of libgomp and libomp"))
        print("%-22s %7s %16s  %8s  %6s %9s %16s" % ("construct", "ratio", "95 % interval", "(minima)", "bar",
                                                     "quotient", "95 % interval"))
        for row, j in lines:
            print("%-22s %7.3f [%6.3f, %6.3f]  %8.3f  %6.2f %9.3f [%6.3f, %6.3f]  %s%s"
                  % (row, j["ratio"], j["ratio_low"], j["ratio_high"], j["ratio_of_minima"], j["bar"],
                     j["quotient"], j["quotient_low"], j["quotient_high"], j["verdict"],
                     "" if setting.pinned else " (%s)" % j["peer"]))
        total = summary(rows, compiler, setting)
        if total:
            print("%s: geometric mean of %d quotients %.3f (goal %.2f), highest %.3f %s (goal %.2f): %s"
                  % (compiler, total["judged"], total["mean"], setting.mean, total["highest"],
                     total["highest_row"], setting.highest, "met" if total["met"] else "missed"
                     + (" (%s)" % ", ".join(total["missed"]) if total["missed"] else "")))


def settings(options):
    found = [pinned_setting(options.threads)] if options.threads else []
    return found + [free_setting(n) for n in options.oversubscribed]


def main():
    parser = argparse.ArgumentParser(prog="./dev bench micro", description=__doc__.splitlines()[0])
    parser.add_argument("--clang", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--gcc", required=True, help=argparse.SUPPRESS)
    runtimes.arguments(parser)
    parser.add_argument("--rounds", type=common.positive, default=10, help="alternated rounds (10)")
    parser.add_argument("--samples", type=common.positive, default=7,
                        help="samples of a row in a process (7)")
    parser.add_argument("--ms", type=common.positive, default=5,
                        help="milliseconds of a sample; twice that with more threads than processors (5)")
    parser.add_argument("--threads", type=int, default=2, metavar="N",
                        help="bound threads (2, what the bars are for); 0: leave that part out")
    parser.add_argument("--oversubscribed", type=common.numbers, default=[4, 8], metavar="N,N",
                        help="threads that are not bound (4,8), or none")
    parser.add_argument("--beside", type=int, default=0, metavar="N",
                        help="other processes that compute meanwhile, on the same processors (none)")
    parser.add_argument("--only", metavar="ROWS",
                        help="part of a row's name, or =NAME,NAME,... for these rows")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--picture", metavar="FILE", help="also draw the ratios there (SVG)")
    options = parser.parse_args()
    programs = {"clang": os.path.abspath(options.clang), "gcc": os.path.abspath(options.gcc)}

    load, notes, document = common.Load(), [], []
    print("%s; %d rounds" % (common.machine(), options.rounds), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        contenders = usable(runtimes.contenders(options, notes), programs, folder, notes)
        for note in notes:
            print("note: " + note, flush=True)
        for setting in settings(options):
            told = len(notes)
            with common.busy_processes(options.beside):
                rounds = measure(contenders, programs, setting, options, notes)
            for note in notes[told:]:
                print("note: " + note)
            if not rounds:
                continue
            rows = figures_of(rounds, setting)
            document.append({"threads": setting.threads, "pinned": setting.pinned, "title": how(setting),
                             "rows": rows,
                             "summaries": [s for c in ("clang", "gcc") for s in [summary(rows, c, setting)]
                                           if s]})
            print_rows(rows, setting, options.rounds)
            print_judgements(rows, setting)
    print("\nmet: quotient (ratio / bar) at most 1; level: its interval includes 1; allowed: under a row's "
          "limit;"
          "\nnot judged: under %d ns%s" % (SMALL_NS, ", or not in the list for more threads than processors"
                                           if options.oversubscribed else ""))
    others = load.report()
    if options.json:
        common.write_json(options.json,
                          {"machine": common.machine(), "rounds": options.rounds, "others": others,
                                         "samples": options.samples, "ms": options.ms, "notes": notes,
                                         "settings": document})
    if options.picture and document:
        with open(common.users_path(options.picture), "w") as f:
            f.write(picture.draw(document, common.machine()))


if __name__ == "__main__":
    main()
