# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share. A benchmark prints figures and ends with 0: no timing decides a test."""

import argparse
import contextlib
import json
import math
import os
import platform
import random
import resource
import subprocess
import sys
import time


def positive(text):
    """argparse type: an integer of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("%r is not a positive number" % text)
    return value


def numbers(text):
    """argparse type: positive numbers with commas, or none."""
    return [] if text == "none" else [positive(n) for n in text.split(",")]


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def bootstrap(values, draws=4000, seed=1):
    """The 95 % interval of the median: percentiles over resamples. The seed makes a report repeatable."""
    rng = random.Random(seed)
    medians = sorted(median(rng.choices(values, k=len(values))) for _ in range(draws))
    return medians[int(draws * 0.025)], medians[int(draws * 0.975)]


def bootstrap_ratio(ours, theirs, draws=2000, seed=1):
    """The 95 % interval of median(ours) / median(theirs), where the i-th of both were measured in the same
    round: a resample takes whole rounds, so what disturbed both cancels out."""
    rng = random.Random(seed)
    rounds = range(len(ours))
    ratios = []
    for _ in range(draws):
        picked = rng.choices(rounds, k=len(ours))
        ratios.append(ratio(median([ours[i] for i in picked]), median([theirs[i] for i in picked])))
    ratios.sort()
    return ratios[int(draws * 0.025)], ratios[int(draws * 0.975)]


def ratio(ours, theirs, least=0.01):
    """Of two times, in ns; a loop's iterations may cost nothing that the clock can see."""
    return max(ours, least) / max(theirs, least)


def compare(ours, theirs, least=0.01):
    """Two contenders' figures of the same rounds: medians, their ratio and its 95 % interval."""
    low, high = bootstrap_ratio(ours, theirs)
    return {"rounds": len(ours), "ours": median(ours), "peer": median(theirs),
            "ratio": significant(ratio(median(ours), median(theirs), least)), "low": significant(low),
            "high": significant(high)}


def unseen(compared):
    """How many times its goal a row may take whose interval still reaches down to the goal, by the intervals
    that two copies of one library have: (in the median, at most)."""
    found = [one["ratio"] / one["low"] for one in compared]
    return significant(median(found)), significant(max(found))


def significant(value):
    """Rounded to four digits: a small ratio must not become 0."""
    return float("%.4g" % value)


def order_interval(values):
    """The 95 % interval of the median by order statistics: it supposes nothing about the distribution. Of
    fewer than 6 values there is none, and the range is returned."""
    ordered = sorted(values)
    # below: the chance that at most k values are under the median
    n, k, below = len(ordered), 0, 1 / 2 ** len(ordered)
    while below <= 0.025:
        k += 1
        below += math.comb(n, k) / 2 ** n
    k = max(k - 1, 0)
    return ordered[k], ordered[n - 1 - k]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def pinned(command, cpus=2):
    """COMMAND on the first CPUS processors that this process may use: both sides of a comparison get the
    same."""
    usable = sorted(os.sched_getaffinity(0))[:cpus]
    return ["taskset", "-c", ",".join(map(str, usable))] + command


def environment(**variables):
    """The caller's environment without what steers an OpenMP runtime, plus VARIABLES."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_LIBRARY_PATH", "LD_PRELOAD"))}
    env.update(variables)
    return env


def machine():
    cpu = "unknown processor"
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    return "%s, %d processors, Linux %s" % (cpu, len(os.sched_getaffinity(0)), platform.release())


def _kernel_says(path):
    try:
        with open("/sys/devices/system/cpu/" + path) as f:
            return f.read().strip()
    except OSError:
        return "unknown"


def topology(cpus=2):
    """What the kernel knows of the processors that `pinned` gives. In a virtual machine it may be wrong."""
    usable = sorted(os.sched_getaffinity(0))[:cpus]

    def kinds(path):
        return len({_kernel_says("cpu%d/%s" % (cpu, path)) for cpu in usable})

    return ("processors %s: %d core(s), %d socket(s), %d last-level cache(s)"
            % (", ".join(map(str, usable)), kinds("topology/thread_siblings_list"),
               kinds("topology/physical_package_id"), kinds("cache/index3/shared_cpu_list")))


def users_path(path):
    """PATH as the user means it: `bazel run` starts elsewhere."""
    return os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", "."), path)


def write_json(path, document):
    """Whole or not at all: a run may be ended at any time."""
    path = users_path(path)
    with open(path + ".new", "w") as f:
        json.dump(document, f, indent=2, sort_keys=True)
        f.write("\n")
    os.replace(path + ".new", path)


@contextlib.contextmanager
def busy_processes(number):
    """NUMBER other processes that compute, each for ever, as those of another user do."""
    started = []
    try:
        for _ in range(number):
            started.append(subprocess.Popen(pinned([sys.executable, "-c", "while True: pass"])))
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


DISTURBED = 0.1  # a turn during which others took more of the processors is not counted


class Load:
    """What other processes take of the machine between its making and a report."""

    def __init__(self):
        self._start = self._now()

    @staticmethod
    def _now():
        with open("/proc/stat") as f:
            ticks = list(map(int, f.readline().split()[1:9]))
        busy = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # without idle, iowait
        own = sum(u.ru_utime + u.ru_stime
                  for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
        return busy - own, time.monotonic()

    def share(self):
        others, seconds = (b - a for a, b in zip(self._start, self._now()))
        return max(0.0, others / (seconds * os.cpu_count()))

    def report(self):
        share = self.share()
        print("other processes took %.0f %% of the processors%s"
              % (share * 100, ": the times are doubtful" if share > 0.05 else ""))
        return share
