# SPDX-License-Identifier: Apache-2.0
"""What backtraces and thread names cost in GDB: ratios to GDB without the extension, in the same run. Times
are processor time of GDB: what others do on the machine would be most of the elapsed time."""

import json
import os
import re
import subprocess
import time

import common

# Goals of the ratios.
DEEP, ALL_THREADS, NAMES = 1.2, 1.5, 1.1

# A filter that does nothing: what GDB's frame filters cost by themselves.
IDENTITY = """
import gdb
class Same:
    name, priority, enabled = "same", 100, True
    def filter(self, frames): return frames
gdb.frame_filters["same"] = Same()
"""

# Runs inside GDB: a command after each of some stops. The first is not measured.
DRIVER = """
import gdb, json, os, time
def quiet(line): return gdb.execute(line, to_string=True)
for line in ("set width 0", "set height 0", "set print thread-events off", "break held"): quiet(line)
quiet("run " + os.environ["BENCH_ARGUMENTS"])
said = []
for i in range(int(os.environ["BENCH_STOPS"]) + 1):
    quiet("stepi")
    start = time.process_time()
    text = quiet(os.environ["BENCH_COMMAND"])
    said.append([(time.process_time() - start) * 1000, len(text.splitlines())])
quiet("kill")
with open(os.environ["BENCH_SAID"], "w") as f:
    json.dump(said[1:], f)
"""
SIDES = ("plain", "identity", "extension")


class Stacks:
    def __init__(self, bench, program, rounds):
        self._bench, self._program, self._rounds = bench, program, rounds
        self._files = {}
        for name, text in (("identity", IDENTITY), ("driver", DRIVER)):
            self._files[name] = os.path.join(bench.folder, name + "_stacks.py")
            with open(self._files[name], "w") as f:
                f.write(text)
        self._said = os.path.join(bench.folder, "said_stacks")

    def _gdb(self, side, *arguments, **more):
        command = ["gdb", "-nx", "-q", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off"]
        if side != "plain":
            command += ["-x", self._files["identity"] if side == "identity" else self._bench.options.plugin]
        return subprocess.run(command + list(arguments) + [self._program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=300, check=True,
                              **more)

    def _times(self, side, command, arguments, stops):
        env = dict(self._bench.env, BENCH_COMMAND=command, BENCH_ARGUMENTS=arguments, BENCH_STOPS=str(stops),
                   BENCH_SAID=self._said)
        done = self._gdb(side, "-batch", "-x", self._files["driver"], env=env, stdin=subprocess.DEVNULL)
        if not os.path.exists(self._said):
            raise RuntimeError("GDB's script failed: %s" % done.stderr[-2000:])
        with open(self._said) as f:
            said = json.load(f)
        os.remove(self._said)
        return [ms for ms, _ in said], said[-1][1]

    def compare(self, title, command, arguments, stops, goal):
        """Minima of a command on each side, alternated."""
        times, rows = {side: [] for side in SIDES}, {}
        for i in range(self._rounds):
            for side in SIDES if i % 2 else SIDES[::-1]:
                found, rows[side] = self._times(side, command, arguments, stops)
                times[side] += found
        best = {side: min(found) for side, found in times.items()}
        ratio = best["extension"] / best["plain"]
        print("%-34s GDB %7.1f ms, with a filter that does nothing %.2f, with the extension %.2f  %s "
              "(%d and %d lines)"
              % (title, best["plain"], best["identity"] / best["plain"], ratio, "met" if ratio <= goal
                 else "missed", rows["plain"], rows["extension"]), flush=True)
        return times

    def _stops_at_a_prompt(self, side, arguments, stops):
        """Milliseconds of STOPS steps, each with a prompt after it: that is when names are made."""
        clock = "python import time; print('CLOCK', time.process_time())\n"
        script = ("set height 0\nset confirm off\nset print thread-events off\n"
                  "break held\nrun %s\nstepi\n" % arguments)
        script += clock + "next\n" * stops + clock + "info threads\nkill\nquit\n"
        done = self._gdb(side, input=script, env=self._bench.env)
        clocks = re.findall(r"CLOCK ([\d.]+)", done.stdout)
        if len(clocks) != 2:
            raise RuntimeError("GDB did not come to its end: %s %s"
                               % (done.stdout[-2000:], done.stderr[-2000:]))
        if (side == "extension") != ('"omp ' in done.stdout):
            raise RuntimeError("no names where there should be, or the other way round")
        return (float(clocks[1]) - float(clocks[0])) * 1000 / stops

    def names(self, arguments, stops):
        """A stop with thread names on."""
        times = {"plain": [], "extension": []}
        for i in range(self._rounds * 2):
            for side in list(times) if i % 2 else list(times)[::-1]:
                times[side].append(self._stops_at_a_prompt(side, arguments, stops))
        plain, ours = min(times["plain"]), min(times["extension"])
        print("%-34s GDB %7.1f ms, with the extension %.2f  %s (%d stops at a prompt)"
              % ("a stop with names, 256 threads", plain, ours / plain, "met" if ours / plain <= NAMES
                 else "missed", stops),
              flush=True)
        return times


def measure(bench, program, threads, rounds):
    """All three; what was measured."""
    begin = time.perf_counter()
    stacks = Stacks(bench, program, rounds)
    found = {"deep": stacks.compare("bt, 200 deep", "bt", "4 200", 20, DEEP),
             "all": stacks.compare("thread apply all bt, %d threads" % threads, "thread apply all bt",
                                   "%d 10" % threads, 3, ALL_THREADS),
             "names": stacks.names("%d 10" % threads, 20)}
    print("goals: at most %.1f, %.1f and %.1f; minima, the register cache new at each stop; %.0f s"
          % (DEEP, ALL_THREADS, NAMES, time.perf_counter() - begin))
    return found


def add_options(parser):
    """The options of these measurements."""
    parser.add_argument("--stacks-program", required=True, help="deep.c")
    parser.add_argument("--rounds", type=common.positive, default=3,
                        help="sessions on each side for backtraces (3)")
