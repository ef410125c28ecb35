# SPDX-License-Identifier: Apache-2.0
"""The rule by which `./dev bench micro` judges its figures.

gcc's code is compared with libgomp, clang's with the better of libgomp and a libomp: once Debian's, once a
Release build. A row is over its goal when the whole 95 % interval of its ratio is above it: the lower end,
over alternated rounds, of which there should be ROUNDS. The same rule holds for a copy of libgomp in
Companion's place ("A/A"), which shows what the machine alone does to a ratio.
"""

import collections

import common

ROUNDS = 10
LEAST_ROUNDS = 6  # of fewer there is no 95 % interval, and nothing is said
# For these gcc emits no call or a shorter one, so libgomp is no peer of clang's code.
INLINED_BY_GCC = ("for-static-nowait", "master", "omp_get_thread_num", "threadprivate-inc")
# For these clang makes two calls where gcc makes one.
TWO_CALLS = ("task-serial", "task-if0", "task-1producer", "task-all-produce")
SMALL_NS = 4  # near the cost of an empty loop: shown, not judged
ROW_GOAL, TWO_CALLS_GOAL, FREE_ROW_GOAL = 1.15, 1.30, 1.20
FREE_MEAN = 0.5

# TITLE says who is compared with whom; OURS and PEERS are contenders' names, MEAN is the goal of the
# geometric mean.
Comparison = collections.namedtuple("Comparison", "name title ours compiler peers mean")
# Threads, and whether each has a processor of its own.
Setting = collections.namedtuple("Setting", "threads bound")


def comparisons(contenders):
    """Those that can be made with these contenders."""
    found = [Comparison("gcc", "gcc's code: Companion / libgomp", "companion-gcc", "gcc", ("libgomp",), 0.60)]
    for libomp in sorted(name for name in contenders if name.startswith("libomp")):
        mean = 0.65 if libomp == "libomp-release" else 0.60
        found.append(Comparison("clang, " + libomp, "clang's code: Companion / the better of libgomp and "
                                + libomp, "companion-clang", "clang", ("libgomp", libomp), mean))
    found.append(Comparison("A/A", "a copy of libgomp / libgomp", "libgomp-again", "gcc", ("libgomp",), None))
    return [c for c in found if {c.ours, *c.peers} <= set(contenders)]


def row_goal(setting, compiler, row, peer):
    if not setting.bound:
        return FREE_ROW_GOAL
    return TWO_CALLS_GOAL if compiler == "clang" and peer == "libgomp" and row in TWO_CALLS else ROW_GOAL


def verdict(ratio, low, goal):
    if ratio <= goal:
        return "met"
    return "open" if low <= goal else "over"


def against(ours, peer, rounds):
    """The two lists of ns of the rounds that have both."""
    both = [r for r in rounds if ours in r and peer in r]
    return [r[ours] for r in both], [r[peer] for r in both]


def judge(comparison, row, setting, rounds):
    """ROUNDS: contender -> ns. The peer is the better one. None if a peer has too few rounds."""
    peers = [p for p in comparison.peers
             if not (p == "libgomp" and comparison.compiler == "clang" and row in INLINED_BY_GCC)]
    pairs = {peer: against(comparison.ours, peer, rounds) for peer in peers}
    if min(len(mine) for mine, _ in pairs.values()) < LEAST_ROUNDS:
        return None
    ratios = {peer: common.ratio(*map(common.median, pair)) for peer, pair in pairs.items()}
    peer = max(ratios, key=ratios.get)
    mine, other = map(common.median, pairs[peer])
    low, high = common.bootstrap_ratio(*pairs[peer])
    goal = row_goal(setting, comparison.compiler, row, peer)
    judged = mine >= SMALL_NS or other >= SMALL_NS
    return {"row": row, "peer": peer, "rounds": len(pairs[peer][0]), "ours_ns": round(mine, 2),
            "peer_ns": round(other, 2), "ratio": common.significant(ratios[peer]),
            "low": common.significant(low), "high": common.significant(high), "goal": goal,
            "verdict": verdict(ratios[peer], low, goal) if judged else "small"}


def summary(comparison, setting, judgements):
    """What is asked of all rows together; None when none is judged."""
    judged = [j for j in judgements if j["verdict"] != "small"]
    if not judged:
        return None
    worst = max(judged, key=lambda j: j["ratio"] / j["goal"])
    mean, goal = common.geometric_mean([j["ratio"] for j in judged]), comparison.mean
    if goal and not setting.bound:
        goal = FREE_MEAN
    over = [j["row"] for j in judged if j["verdict"] == "over"]
    return {"judged": len(judged), "mean": common.significant(mean), "mean_goal": goal, "worst": worst,
            "unseen": common.unseen(judged),
            "over": over, "open": [j["row"] for j in judged if j["verdict"] == "open"],
            "met": not over and (goal is None or mean <= goal)}


def rounds_of(turns, rows):
    """row -> the ns of each contender in each round, from turns: contender -> row -> (least, median)."""
    found = {row: [] for row in rows}
    for figures in turns:
        for row in {row: None for rows in figures.values() for row in rows}:
            found[row].append({name: rows[row][1] for name, rows in figures.items()})
    return {row: rounds for row, rounds in found.items() if rounds}


def medians(rounds):
    """contender -> its median, of a row."""
    names = {name: None for r in rounds for name in r}
    return {name: round(common.median([r[name] for r in rounds if name in r]), 2) for name in names}


def report(turns, setting, rows):
    """The judgement on turns, in the order of ROWS: for each comparison its rows and what is asked of all. A
    turn may lack contenders."""
    by_row, found, counts = rounds_of(turns, rows), [], []
    for comparison in comparisons({name for figures in turns for name in figures}):
        judgements = [judge(comparison, row, setting, rounds) for row, rounds in by_row.items()]
        judgements = [j for j in judgements if j]
        counts += [j["rounds"] for j in judgements]
        found.append({"name": comparison.name, "title": comparison.title, "rows": judgements,
                      "summary": summary(comparison, setting, judgements)})
    return {"rounds": [min(counts, default=0), max(counts, default=0)], "comparisons": found,
            "ns": {row: medians(rounds) for row, rounds in by_row.items()}}
