# SPDX-License-Identifier: Apache-2.0
"""What it costs to look at threads that wait, on Companion, libgomp and libomp and outside of OpenMP: screens
in GDB beside its own, and how long `ompd` works and how much it asks while a live process stands still."""

import argparse
import contextlib
import json
import os
import subprocess
import tempfile

import common
import gdbrun
import stock_programs

RUNTIMES = ("companion", "libgomp-12", "libomp-14")
PROGRAMS = ("many_barrier", "many_critical")
KINDS = 15  # of waits in wait_reads.c
INFO, THREADS, STACKS = COMMANDS = ("info threads", "ompd threads", "thread apply all -q bt -5")
# Goals: on Companion, on another runtime, and outside of OpenMP beside STACKS; ms of a stop, and more than
# Companion's.
OURS, OTHERS, OUTSIDE, STOP_MS, MORE_MS = 1.0, 1.5, 1.0, 5.0, 10.0

# Runs inside GDB: processor time of each command, by turns. What an earlier one has read is forgotten, and
# the extension takes the process for one that has run. The first round is a session's first screens.
DRIVER = r'''
import gdb, json, os, time
from ompd_gdb import session
def quiet(line): return gdb.execute(line, to_string=True)
for line in ("set width 0", "set height 0", "set print thread-events off"): quiet(line)
commands = json.loads(os.environ["BENCH_COMMANDS"])
said = {command: [] for command in commands}
for i in range(int(os.environ["BENCH_ROUNDS"]) + 1):
    for command in commands if i % 2 else commands[::-1]:
        quiet("maintenance flush register-cache"); quiet("maintenance flush dcache")
        session._changed()
        start = time.process_time()
        quiet(command)
        said[command].append((time.process_time() - start) * 1000)
with open(os.environ["BENCH_SAID"], "w") as f:
    json.dump(said, f)
'''


@contextlib.contextmanager
def held(runtime, program, threads, folder):
    """The process of a program whose threads wait."""
    where = tempfile.mkdtemp(dir=folder)
    if runtime is None:
        process = subprocess.Popen([program, str(threads // KINDS)], stdout=subprocess.PIPE,
                                   universal_newlines=True)
        while process.stdout.readline() != "rest\n":
            if process.poll() is not None:
                raise RuntimeError("%s ended" % program)
        run, stop = process, process.kill
    else:
        one = stock_programs.EVERY[runtime]
        path = stock_programs.build(program, one.compilers[0], "o2", where)
        run = stock_programs.Run(path, program, one, os.path.join(where, "run"), arguments=[str(threads)])
        run.start()
        run, stop = run.process, run.stop
    try:
        yield run.pid
    finally:
        stop()
        run.wait()


def screens(options, pid, commands, folder):
    """command -> ms of processor time: of a session's first, and of later ones."""
    driver, said = os.path.join(folder, "driver.py"), os.path.join(folder, "said")
    with open(driver, "w") as f:
        f.write(DRIVER)
    env = common.environment(BENCH_COMMANDS=json.dumps(commands), BENCH_ROUNDS=str(options.rounds),
                             BENCH_SAID=said)
    for name in ("PYTHONPATH", "PYTHONSAFEPATH"):  # for this process, not for GDB's
        env.pop(name, None)
    subprocess.run(["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex",
                    "set auto-load off", "-x", gdbrun.PLUGIN, "-p", str(pid), "-x", driver], env=env,
                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True,
                   timeout=600)
    with open(said) as f:
        return json.load(f)


def beside(options, name, pid, folder, peer, goal):
    times = screens(options, pid, list(dict.fromkeys((INFO, THREADS, peer))), folder)
    middle = {command: common.median(ms[1:]) for command, ms in times.items()}
    ratio = middle[THREADS] / middle[peer]
    print("%-26s ompd threads %6.1f ms, %s %6.1f ms: %.2f  %s" % (
        name, middle[THREADS], peer, middle[peer], ratio, "met" if ratio <= goal else "missed"), flush=True)
    return {"first": {command: ms[0] for command, ms in times.items()}, "later": middle, "ratio": ratio}


def stopped(options, pid, folder):
    """(ms of processor time, ms by the clock, system calls) of `ompd threads` while the process stands
    still: medians."""
    trace = os.path.join(folder, "trace")
    command = [options.command, "threads", "--ompd-library", options.ompd_library, "-p", str(pid)]
    times = []
    for _ in range(options.rounds):
        done = subprocess.run(command, env=common.environment(LD_PRELOAD=os.path.abspath(options.stop_time)),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              check=True)
        times.append([float(word) for word in done.stderr.split("stop_time:")[1].split()[:2]])
    subprocess.run(["strace", "-f", "-qq", "-e", "signal=none", "-o", trace] + command,
                   stdout=subprocess.PIPE, check=True)
    with open(trace) as f:
        lines = f.read().splitlines()
    first = next(i for i, line in enumerate(lines) if "PTRACE_INTERRUPT" in line)
    last = max(i for i, line in enumerate(lines) if "PTRACE_DETACH" in line)
    # How often it looks for stops depends on the machine.
    calls = sum("wait4(" not in line and "nanosleep(" not in line for line in lines[first:last + 1])
    return common.median([cpu for cpu, _ in times]), common.median([clock for _, clock in times]), calls


def main():
    parser = argparse.ArgumentParser(prog="./dev bench waiting", description=__doc__.splitlines()[0])
    for name in ("command", "ompd-library", "stop-time", "waits"):
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=common.positive, default=256, help="threads in GDB (256)")
    parser.add_argument("--live-threads", type=common.positive, default=64, help="threads that stop (64)")
    parser.add_argument("--rounds", type=common.positive, default=9, help="rounds of each (9)")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    options = parser.parse_args()
    print("%s; processor time" % common.machine())
    load, figures = common.Load(), {"screens": {}, "stops": {}}
    with tempfile.TemporaryDirectory() as folder:
        for runtime in RUNTIMES:
            for program in PROGRAMS:
                name = "%s, %s" % (runtime, program)
                with held(runtime, program, options.threads, folder) as pid:
                    figures["screens"][name] = beside(options, name, pid, folder, INFO,
                                                      OURS if runtime == "companion" else OTHERS)
        with held(None, options.waits, options.threads, folder) as pid:
            figures["screens"]["outside"] = beside(options, "outside of OpenMP", pid, folder, STACKS, OUTSIDE)
        bound = STOP_MS
        for runtime in RUNTIMES:
            with held(runtime, PROGRAMS[0], options.live_threads, folder) as pid:
                cpu, clock, calls = figures["stops"][runtime] = stopped(options, pid, folder)
            print("%-26s stopped: %.1f ms of processor time, %.1f by the clock, %d system calls  %s" % (
                runtime, cpu, clock, calls, "met" if cpu <= bound else "missed"), flush=True)
            if runtime == "companion":
                bound = cpu + MORE_MS
    print("goals: GDB %.1f on Companion, %.1f on others, %.1f outside; a stop %.0f ms, %.0f more on others"
          % (OURS, OTHERS, OUTSIDE, STOP_MS, MORE_MS))
    load.report()
    if options.json:
        common.write_json(options.json, figures)


if __name__ == "__main__":
    main()
