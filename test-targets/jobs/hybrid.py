# SPDX-License-Identifier: Apache-2.0
"""What is true of hybrid.c, by its source: the rank that hangs, the locks and the lines."""

import gdbrun

SOURCE = gdbrun.find("test-targets/jobs/hybrid.c")
RANKS, WRONG, THREADS = 8, 5, 4
ENVIRONMENT = {"OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "passive", "OMP_DEBUG": "enabled"}


def line(text):
    """Where TEXT is in the source."""
    with open(SOURCE) as f:
        return [number for number, one in enumerate(f, 1) if text in one][0]


def states_of(document):
    return {rank: state["state"] for job in document["jobs"] for state in job["states"]
            for first, last in state["ranks"] for rank in range(first, last + 1)}


def in_mpi(state):
    return [row["at"] for row in state["threads"] if row["kind"] == "MPI_Allreduce"]


def hang(states):
    """Have all ranks come to where they stay?"""
    return sorted(states) == list(range(RANKS)) and all(
        state["verdict"] == "deadlock" if rank == WRONG else in_mpi(state) for rank, state in states.items())


def check(case, states):
    """All that a report of the hang must say, rank by rank."""
    case.assertEqual(sorted(states), list(range(RANKS)))
    taken, wanted = line("omp_set_lock(first);"), line("omp_set_lock(second);")
    for rank, state in states.items():
        if rank != WRONG:
            case.assertEqual(in_mpi(state), ["main, hybrid.c:%d" % line("MPI_Allreduce(")])
            continue
        waits = {row["numbers"][0][0]: (row["does"], row["at"]) for row in state["threads"]
                 if row["kind"] == "lock"}
        case.assertEqual(sorted(waits), [1, 2])
        for number, lock, owner in ((1, "right", 2), (2, "left", 1)):
            does, at = waits[number]
            case.assertIn("lock %s, held by OpenMP thread %d, taken at hybrid.c:%d"
                          % (lock, owner, taken), does)
            case.assertEqual(at, "take, hybrid.c:%d" % wanted)
