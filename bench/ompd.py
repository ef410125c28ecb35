#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""From ompd_get_thread_handle to ompd_get_state on 10,000 thread descriptors: our libompd on an image of
Companion, LLVM's (Debian's libomp-19-dev) at 256 threads, and at 10,000 too.

LLVM's library finds the fields of its runtime by symbols that Debian strips from libomp.so, so it cannot read
the runtime that it comes with. It reads an image of the same structures instead, whose symbols the benchmark
gives."""

import argparse
import subprocess

import common
import debian

ROWS = (("ours, in a bracket", "ours", "bracket"), ("ours, no bracket", "ours", "fresh"),
        ("LLVM's", "llvm", "llvm"))


def run(program, mode, library, threads):
    """{name: (seconds, calls, reads, bytes, look-ups)} of one process."""
    out = subprocess.run(common.pinned([program, mode, library, str(threads)], cpus=1),
                         env=common.environment(), stdout=subprocess.PIPE, universal_newlines=True,
                         check=True, timeout=300).stdout
    found = {}
    for line in out.splitlines():
        name, _, calls, seconds, reads, size, lookups = line.split()
        found[name] = (float(seconds), int(calls), int(reads), int(size), int(lookups))
    return found


# What a callback of a debugger costs, in seconds: reading a core, or a process by a system call and some
# Python.
CALLBACK = 5e-6


def report(rows):
    print("%-20s %8s %12s %11s %12s %14s %16s" % ("library", "threads", "calls/s", "reads/call", "bytes/call",
                                                  "look-ups/call", "calls/s at 5 us"))
    for name, threads, runs in rows:
        seconds = common.median([r[0] for r in runs])
        _, calls, reads, size, lookups = runs[0]
        debugger = seconds + (reads + lookups) * CALLBACK
        print("%-20s %8d %12.0f %11.4f %12.0f %14.4f %16.0f"
              % (name, threads, calls / seconds, reads / calls, size / calls, lookups / calls,
                 calls / debugger))
    print("at 5 us: as if each read and look-up took 5 us more, as in a debugger")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=common.positive, default=9)
    options = parser.parse_args()
    libraries = {"ours": options.library}
    try:
        libraries["llvm"] = debian.unpacked("libomp-19-dev", "usr/lib/llvm-19/lib/libompd.so")
    except debian.Unusable as error:
        print("LLVM's library is absent: %s" % error)
    print(common.machine())
    load, measured = common.Load(), {}
    for _ in range(options.rounds):
        for mode, library in sorted(libraries.items()):
            for threads in (256, 10000):
                for name, values in run(options.program, mode, library, threads).items():
                    measured.setdefault((mode, name, threads), []).append(values)
    report([(label, threads, measured[mode, name, threads])
            for threads in (256, 10000) for label, mode, name in ROWS if (mode, name, threads) in measured])
    load.report()


if __name__ == "__main__":
    main()
