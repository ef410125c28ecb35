#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stops a real program on a stock runtime at random instants and looks for rows that cannot be. By hand.

usage: stock_stops.py OMPD LIBOMPD [--stops N] [--seed N] -- COMMAND [ARGUMENT…]

Of the same stop, OpenMP's rows against the call stacks: an idle thread has no frame of the user's, a thread
that waits is not in the user's code, the numbers in a team are each one thread's and less than its size.
COMMAND is started as often as it takes. Prints each contradiction and a last line with the counts; exit 1 if
there is one.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
import time


def odd(document):
    """Sentences about rows that cannot be, and how many rows of each state there are."""
    found, states, seen = [], collections.Counter(), set()
    stacks = {stack["lwp"]: stack["frames"] for stack in document["stacks"]}
    for row in document["threads"]:
        if not row["openmp"]:
            continue
        states[row["state"]] += 1
        where = "thread %s (%s)" % (row["lwp"], row["state"])
        frames = stacks.get(row["lwp"], [])
        if row["state"] == "idle":
            users = [frame["function"] for frame in frames if frame["code"] == "user"]
            if users or row["thread_num"] is not None or row["wait"]:
                found.append("%s has frames of the user %s, number %s" % (where, users, row["thread_num"]))
            continue
        if row["wait"] and frames and frames[0]["code"] == "user":
            found.append("%s waits for %s and is in %s" % (where, row["wait"]["kind"], frames[0]["function"]))
        if row["thread_num"] is None or row["team_size"] is None:
            continue
        if not 0 <= row["thread_num"] < row["team_size"]:
            found.append("%s is number %d of %d" % (where, row["thread_num"], row["team_size"]))
        place = row["runtime"], row["region"], row["thread_num"]
        if place in seen:
            found.append("%s: another one has its number %d too" % (where, row["thread_num"]))
        seen.add(place)
    return found, states


def ask(arguments, pid):
    done = subprocess.run([arguments.ompd, "report", "--json", "--ompd-library", arguments.libompd, "-p",
                           str(pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode < 0 or done.returncode > 3:
        return None, ["ompd ended with %d: %s" % (done.returncode, done.stderr)]
    return (json.loads(done.stdout) if done.stdout.startswith("{") else None), []


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("ompd")
    parser.add_argument("libompd")
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    chance, states, wrong, stops = random.Random(arguments.seed), collections.Counter(), 0, 0
    unknown = collections.Counter()
    print("seed", arguments.seed, flush=True)
    while stops < arguments.stops:
        with tempfile.TemporaryFile() as out, subprocess.Popen(
                arguments.command, stdout=out, stderr=out, stdin=subprocess.DEVNULL) as process:
            while process.poll() is None and stops < arguments.stops:
                time.sleep(chance.uniform(0.01, 0.2))
                if process.poll() is not None:
                    break
                document, found = ask(arguments, process.pid)
                if document is not None:
                    stops += 1
                    more, rows = odd(document)
                    found += more
                    states.update(rows)
                    for row in document["threads"]:
                        unknown.update((row.get("unknown") or {}).keys() if row["openmp"] else ())
                for sentence in found:
                    wrong += 1
                    print("odd:", sentence, flush=True)
            process.kill()
    print("not known:", dict(unknown))
    print("%d stops, %d rows, %d odd: %s" % (stops, sum(states.values()), wrong, dict(states)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
