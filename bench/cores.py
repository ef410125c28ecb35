# SPDX-License-Identifier: Apache-2.0
"""`ompd` beside its peers on a core of 256 threads, how long a live process of 64 threads stands still, and
what a core of 10,000 threads and 1,000,000 tasks costs."""

import argparse
import os
import re
import resource
import subprocess
import tempfile
import time

import common
import huge

SECONDS = 300
STACKSIZE = "256K"  # a core is mostly stacks


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="many_threads")
    parser.add_argument("--still", required=True, help="a program that measures its own longest pause")
    parser.add_argument("--command", required=True, help="ompd")
    parser.add_argument("--ompd-library", required=True)
    parser.add_argument("--sample", required=True, help="a sample core, from which the large ones are made")
    parser.add_argument("--layout", required=True, help="layout.def")
    parser.add_argument("--rounds", type=common.positive, default=10)
    parser.add_argument("--threads", type=common.positive, default=256)
    parser.add_argument("--live-threads", type=common.positive, default=64)
    parser.add_argument("--huge-threads", type=common.positive, default=10000)
    parser.add_argument("--huge-tasks", type=common.numbers, default=[10000, 100000, 1000000])
    options = parser.parse_args()
    for name in ("program", "still", "command", "ompd_library", "sample", "layout"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    return options


def measured(command, allowed=(0,)):
    """ms, peak MB and output of a command."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env=common.environment())
        _, status, usage = os.wait4(process.pid, 0)
        took = (time.perf_counter() - start) * 1000
        process.returncode = 0  # it is reaped
        out.seek(0)
        err.seek(0)
        text, errors = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) not in allowed:
        raise RuntimeError("%s ended with status %d: %s" % (command[0], status, errors[-2000:]))
    return took, usage.ru_maxrss / 1024, text + errors


def start(options, folder, threads, **more):
    """The program, once its truth tells that all threads are where they stay."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)

    process = subprocess.Popen([options.program, str(threads)], cwd=folder, stdout=subprocess.PIPE,
                               preexec_fn=limits, stderr=subprocess.DEVNULL, universal_newlines=True,
                               env=common.environment(
                                   OMP_STACKSIZE=STACKSIZE, OMP_WAIT_POLICY="passive",
                                   TRUTH_HOLD_SECONDS=str(SECONDS), **more))
    if not process.stdout.readline().startswith("TRUTH"):
        process.kill()
        raise RuntimeError("%s did not come to rest" % options.program)
    return process


def beside_peers(options, folder):
    process = start(options, folder, options.threads, TRUTH_CORE="1")
    process.stdout.read()
    process.wait(SECONDS)
    cores = [name for name in os.listdir(folder) if name.startswith("core")]
    if not cores:
        raise RuntimeError("the kernel has written no core here (core_pattern)")
    core = os.path.join(folder, cores[0])
    commands = {
        "ompd threads": [options.command, "threads", "--ompd-library", options.ompd_library, "--core", core],
        "ompd stacks": [options.command, "stacks", "--ompd-library", options.ompd_library, "--core", core],
        "eu-stack --core": ["eu-stack", "--core", core, "--executable", options.program],
        "gdb info threads": ["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex",
                             "set auto-load off", "-ex", "info threads", options.program, core],
    }
    times = {name: [] for name in commands}
    peaks = {name: 0 for name in commands}
    for i in range(options.rounds + 1):  # the first warms the files
        for name in list(commands) if i % 2 else list(commands)[::-1]:
            # eu-stack ends with 1 where a stack breaks off.
            took, peak, text = measured(commands[name], (0, 1) if name.startswith("eu-stack") else (0,))
            if i:
                times[name].append(took)
                peaks[name] = max(peaks[name], peak)
            if name == "eu-stack --core" and len(re.findall(r"^TID ", text, re.M)) != options.threads + 1:
                raise RuntimeError("eu-stack does not show %d threads" % (options.threads + 1))
    print("a core of %d threads (%.0f MB), medians of %d rounds"
          % (options.threads + 1, os.stat(core).st_size / 1e6,
                                                                   options.rounds))
    for name in commands:
        print("  %-18s %8.1f ms  peak %4.0f MB" % (name, common.median(times[name]), peaks[name]))
    for peer in ("eu-stack --core", "gdb info threads"):
        for own in ("ompd threads", "ompd stacks"):
            low, high = common.bootstrap_ratio(times[own], times[peer])
            print("  %s / %s = %.3f (95 %%: %.3f to %.3f)" % (
                own, peer, common.median(times[own]) / common.median(times[peer]), low, high))


def standing_still(options, folder):
    """As ptrace's side has it, from the first stop to the last release; and as a thread of the process has it
    that reads the clock all the time. Without ompd that thread also loses the processor at times: the pauses
    of as long a time."""
    process = subprocess.Popen([options.still, str(options.live_threads)], cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, universal_newlines=True, bufsize=1,
                               env=common.environment(OMP_STACKSIZE=STACKSIZE, OMP_WAIT_POLICY="passive"))
    command = [options.command, "threads", "-v", "--ompd-library", options.ompd_library, "-p",
               str(process.pid)]
    outside, inside, without, whole = [], [], [], []

    def longest():
        process.stdin.write("\n")
        return int(process.stdout.readline()) / 1e6

    try:
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("%s did not come to rest" % options.still)
        for _ in range(options.rounds * 4):
            longest()
            took, _, text = measured(command)
            inside.append(longest())
            outside.append(float(re.search(r"stood still for ([\d.]+) ms", text)[1]))
            whole.append(took)
            time.sleep(took / 1000)
            without.append(longest())
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    print("a live process of %d threads, %d times `ompd threads`, which takes %.1f ms" % (
        options.live_threads + 1, len(whole), common.median(whole)))
    for name, values in (("stopped, by ptrace's side", outside), ("longest pause inside", inside),
                         ("the same without ompd", without)):
        print("  %-26s %6.2f ms (median; %.2f to %.2f)"
              % (name, common.median(values), min(values), max(values)))


def large(options, folder):
    with open(options.layout) as f:
        definitions = f.read()
    plain = os.path.join(folder, "sample")
    subprocess.run(["zstd", "-q", "-d", "-f", options.sample, "-o", plain], check=True)
    with open(plain, "rb") as f:
        sample = f.read()
    core = os.path.join(folder, "huge")
    print("a core of %d threads and so many tasks, made by hand" % options.huge_threads)
    per_task = []
    for tasks in options.huge_tasks:
        size = huge.write(core, sample, definitions, options.huge_threads, tasks)
        for what in ("threads", "tasks"):
            # 1: not all, for the files of the sample are nowhere.
            took, peak, text = measured([options.command, what, "--ompd-library", options.ompd_library,
                                         "--core", core],
                                        (0, 1))
            if what == "threads" and str(options.huge_threads) not in text:
                raise RuntimeError("not all threads are shown: %s" % text[:1000])
            print("  %8d tasks (%4.0f MB): ompd %-7s %8.0f ms, peak %4.0f MB"
                  % (tasks, size / 1e6, what, took, peak), flush=True)
            if what == "tasks":
                per_task.append((tasks, took, peak))
    for (few, less, small), (many, more, big) in zip(per_task, per_task[1:]):
        print("  from %d to %d: %.1f us and %.2f KB for each further task" % (
            few, many, (more - less) * 1000 / (many - few), (big - small) * 1024 / (many - few)))


def main():
    options = parse_arguments()
    print(common.machine())
    load = common.Load()
    for part in (beside_peers, standing_still, large):
        with tempfile.TemporaryDirectory() as folder:
            part(options, folder)
    load.report()


if __name__ == "__main__":
    main()
