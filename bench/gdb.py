# SPDX-License-Identifier: Apache-2.0
"""What the GDB extension costs at 256 threads: look-ups and reads, time of a first screen, time to a
breakpoint, backtraces and thread names."""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time

import common
import gdb_stacks

SECONDS = 120
# Goals: what a cold answer may ask of GDB, and what the extension may add before a breakpoint.
LOOKUPS, READS = 3, 16
TIMES, MORE_MS = 1.05, 15

# Runs inside GDB. It says what it measured as one line of JSON.
DRIVER = r'''
import gdb, json, os, time

def timed(command):
    gdb.execute("maintenance flush register-cache", to_string=True)
    start = time.perf_counter()
    text = gdb.execute(command, to_string=True)
    return (time.perf_counter() - start) * 1000, text

def another_stop():
    gdb.execute("stepi", to_string=True)

jobs = json.loads(os.environ["BENCH_JOBS"])
said = []
gdb.execute("set width 0", to_string=True)
gdb.execute("set print thread-events off", to_string=True)
gdb.execute("set print inferior-events off", to_string=True)
gdb.execute("break held", to_string=True)
gdb.execute("run", to_string=True)
for command, new_stop in jobs:
    if new_stop:
        another_stop()
    said.append(timed(command))
gdb.execute("kill", to_string=True)
with open(os.environ["BENCH_SAID"], "w") as f:
    json.dump(said, f)
'''


class Bench:
    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.driver = os.path.join(folder, "driver.py")
        with open(self.driver, "w") as f:
            f.write(DRIVER)
        # OMPD_LIBDIR: not needed, the extension finds the libraries in the runfiles.
        self.env = common.environment(TRUTH_HOLD_SECONDS=str(SECONDS))
        # for this process, not for GDB's
        for name in ("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE"):
            self.env.pop(name, None)
        if options.bytecode:  # as in any session but a user's first
            self.env["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "bytecode")
        else:
            self.env["PYTHONDONTWRITEBYTECODE"] = "1"

    def gdb(self, plugin, *arguments, **more_env):
        command = ["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex",
                   "set auto-load off"]
        if plugin:
            command += ["-x", self.options.plugin]
        command += list(arguments) + ["--args", self.options.program, str(self.options.threads)]
        start = time.perf_counter()
        done = subprocess.run(command, env=dict(self.env, **more_env), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              timeout=SECONDS)
        took = (time.perf_counter() - start) * 1000
        if done.returncode != 0:
            raise RuntimeError("GDB ended with %d: %s %s" % (done.returncode, done.stdout[-2000:],
                                                             done.stderr[-2000:]))
        return took, done.stdout, done.stderr

    def session(self, plugin, jobs):
        """One GDB, stopped in held(); each job is (command, whether the program runs on first) -> (ms,
        text)."""
        said = os.path.join(self.folder, "said")
        if os.path.exists(said):
            os.remove(said)
        _, out, err = self.gdb(plugin, "-x", self.driver, BENCH_JOBS=json.dumps(jobs), BENCH_SAID=said)
        if not os.path.exists(said):
            raise RuntimeError("GDB's script failed: %s %s" % (out[-2000:], err[-2000:]))
        with open(said) as f:
            return json.load(f)

    def to_breakpoint(self, plugin):
        """Milliseconds of a whole GDB that runs until thread 0 of the region works: all threads exist
        then."""
        took, out, err = self.gdb(plugin, "-ex", "break busy_here", "-ex", "run", "-ex", "kill")
        if "Breakpoint 1, " not in out:
            raise RuntimeError("the breakpoint was not reached: %s %s" % (out[-2000:], err[-2000:]))
        return took


def parse_status(text):
    """(look-ups, reads, bytes) of `ompd status -stats`."""
    found = re.search(r"(\d+) symbol lookups, (\d+) memory reads \((\d+) bytes\)", " ".join(text.split()))
    if not found:
        raise RuntimeError("no counts in what `ompd status -stats` printed: %s" % text)
    return tuple(map(int, found.groups()))


def rows_of(text):
    """Lines of a screen that speak of one thread each."""
    return sum(1 for line in text.splitlines() if re.match(r"\s*\*?\s*\d", line))


def counts(bench):
    """command -> (look-ups, reads, bytes), each in a GDB of its own."""
    found = {}
    for command in ("ompd threads", "ompd parallel"):
        screen, status = bench.session(True, [(command, False), ("ompd status -stats", False)])
        found[command] = parse_status(status[1])
        print("%-14s cold: %2d look-ups, %3d reads, %7d bytes  %s" % (
            (command,) + found[command]
            + ("met" if found[command][0] <= LOOKUPS and found[command][1] <= READS else "missed",)),
              flush=True)
        if command == "ompd threads":
            print("%-14s lists %d rows" % ("", rows_of(screen[1])))
    print("goal: at most %d look-ups and %d reads" % (LOOKUPS, READS))
    return found


def first_screens(bench, sessions, stops):
    """ms of each command when it is the first of a session, and when it is the first of a later stop."""
    cold = {"info threads": [], "ompd threads": []}
    warm = {"info threads": [], "ompd threads": []}
    for i in range(sessions):
        order = list(cold) if i % 2 else list(cold)[::-1]
        for command in order:
            # Both with the extension loaded: it must not slow down `info threads` unseen.
            cold[command].append(bench.session(True, [(command, False)])[0][0])
    jobs = [(command, True) for i in range(stops) for command in (list(warm) if i % 2 else list(warm)[::-1])]
    said = bench.session(True, [("ompd threads", False), ("info threads", False)] + jobs)
    for (command, _), (ms, _) in zip(jobs, said[2:]):
        warm[command].append(ms)
    for name, times, what in (("in a new session", cold, sessions), ("after a later stop", warm, stops)):
        for pick, how in ((common.median, "medians"), (min, "minima")):
            info, ompd = pick(times["info threads"]), pick(times["ompd threads"])
            print("first `ompd threads` %-18s %7.1f ms, `info threads` %7.1f ms: %.2f  %s (%s of %d)"
                  % (name, ompd, info, ompd / info, "met" if ompd < info else "missed", how, what),
                  flush=True)
    print("goal: under 1; register cache flushed before each")
    return {"cold": cold, "later": warm}


def breakpoints(bench, runs):
    times = {False: [], True: []}
    for i in range(runs):
        for plugin in (False, True) if i % 2 else (True, False):
            times[plugin].append(bench.to_breakpoint(plugin))
    plain, loaded = min(times[False]), min(times[True])
    met = loaded <= plain * TIMES or loaded <= plain + MORE_MS
    print("to a breakpoint: GDB alone %.1f ms, with the extension %.1f ms: %.3f, %+.1f ms  %s (minima of %d)"
          % (plain, loaded, loaded / plain, loaded - plain, "met" if met else "missed", runs))
    print("goal: at most %.2f or %d ms more" % (TIMES, MORE_MS))
    return {"plain": times[False], "extension": times[True]}


def main():
    parser = argparse.ArgumentParser(prog="./dev bench gdb", description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--plugin", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=common.positive, default=256, help="threads of the program (256)")
    parser.add_argument("--sessions", type=common.positive, default=5, help="sessions for a first screen (5)")
    parser.add_argument("--stops", type=common.positive, default=10, help="later stops in one session (10)")
    parser.add_argument("--runs", type=common.positive, default=10,
                        help="runs to a breakpoint, each way (10)")
    parser.add_argument("--no-bytecode", dest="bytecode", action="store_false",
                        help="Python compiles the extension in each session, as where its folder is"
                             " not writable")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--only", choices=("stacks",), help="only backtraces and names")
    gdb_stacks.add_options(parser)
    options = parser.parse_args()
    options.program, options.plugin = os.path.abspath(options.program), os.path.abspath(options.plugin)

    print("%s; %d threads" % (common.machine(), options.threads))
    load = common.Load()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, options)
        figures = {"machine": common.machine(), "threads": options.threads}
        if options.only is None:
            figures.update(counts=counts(bench),
                           screens=first_screens(bench, options.sessions, options.stops),
                           to_breakpoint=breakpoints(bench, options.runs))
        program = os.path.abspath(options.stacks_program)
        figures["stacks"] = gdb_stacks.measure(bench, program, options.threads, options.rounds)
    load.report()
    if options.json:
        common.write_json(options.json, figures)


if __name__ == "__main__":
    main()
