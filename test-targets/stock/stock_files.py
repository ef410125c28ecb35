#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""By hand: programs on runtimes' files that have no row, by the programs' own word.

    stock_files.py [--program NAME,…] [--unknown] [--without-row] FILE…

FILE: any libgomp or libomp: of a wheel, of a distribution, or CACHE/builds/*/stripped.so of
tools/build_runtimes.py. Programs of gcc and clang load it by LD_LIBRARY_PATH under the name they ask for.
`ompd` has to read its layout from its code: a file that has a row is left out, unless --without-row makes
it another one (stock_unknown.copy). Prints a line for each file: cells that are right, not known and wrong,
and how many of a hundred are known; then each wrong cell, with --unknown the others' reasons too, by how
often. The status is 1 if a cell is wrong or under 99 of a hundred are known. `./dev build` comes before.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for _folder in ("gdb-plugin/tests", "test-targets", "test-targets/stock", "tools"):
    sys.path.insert(0, os.path.join(ROOT, _folder))

import gdbrun  # noqa: E402
import stock_programs  # noqa: E402
import stock_score  # noqa: E402
import stock_situations  # noqa: E402
import stock_unknown  # noqa: E402

PROGRAMS = ("barrier", "critical_named", "depend", "detach", "doacross", "foreign", "idle", "lock",
            "lock_in_pthread", "loop_end", "nest_lock", "nested_waits", "ordered_wait", "queued_tasks",
            "region_in_task", "roots", "sections_end", "serial_inside", "single", "task_tree", "taskgroup",
            "taskloop", "tasks_below", "taskwait", "taskwait_depend", "teams", "user_calls")
GOAL = 99.0  # of a hundred cells


def family(path):
    """(family, soname, compiler) of the runtime in the file."""
    text = subprocess.run(["readelf", "-W", "--dyn-syms", path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    if re.search(r" __kmpc_fork_call(@|$)", text, re.M):
        return "kmp", "libomp.so.5", "clang"
    return "gomp", "libgomp.so.1", "gcc"


def has_row(process):
    done = subprocess.run([gdbrun.find("command/ompd"), "status", "--json", "-p", str(process.pid),
                           "--ompd-library", gdbrun.find("ompd/libompd.so.1")], stdout=subprocess.PIPE,
                          universal_newlines=True, check=False)
    return any(one["found_how"] != "decoded from its code"
               for one in json.loads(done.stdout or "{}").get("runtimes", ()))


class Looked:
    """What came of one file."""

    def __init__(self, path):
        self.path = path
        self.totals, self.wrong, self.not_run = [0, 0, 0], [], []
        self.unknown = collections.Counter()
        self.has_row = False

    def share(self):
        right, unknown, _ = self.totals
        return 100.0 * right / max(1, right + unknown)

    def add(self, name, result):
        self.totals = [a + b for a, b in zip(self.totals, result.totals(stock_score.COUNTED))]
        self.wrong += ["%s: %s" % (name, sentence) for sentence in result.wrong]
        self.unknown.update("%s: %s" % (name, re.sub(r"^.*?: ", "", one)) for one in result.unknown)


def look(path, names, programs, without_row):
    kind, soname, compiler = family(path)
    ret = Looked(path)
    with tempfile.TemporaryDirectory() as folder:
        if without_row:
            stock_unknown.copy(path, os.path.join(folder, "unknown.so"))
            path = os.path.join(folder, "unknown.so")
        runtime = stock_programs.Runtime("libgomp-12" if kind == "gomp" else "libomp-14", kind, soname,
                                         (compiler,), lambda: path)
        for name in names:
            if not stock_programs.runs_on(name, runtime.name):
                continue
            built = stock_programs.build(name, compiler, "o0", programs)
            run = stock_programs.Run(built, name, runtime, os.path.join(folder, name))
            try:
                run.start()
                ret.has_row = ret.has_row or has_row(run.process)
                for _, truth, report in stock_situations.reports(run, ("-p",)):
                    if isinstance(report, Exception):
                        ret.wrong.append("%s: %s" % (name, report))
                    else:
                        ret.add(name, stock_score.score(truth, report, True))
            except (stock_programs.Missing, ValueError) as error:
                ret.not_run.append("%s (%s)" % (name, " ".join(str(error).split())[-90:]))
            finally:
                run.stop()
            if ret.has_row:
                break
    return ret


def show(looked, with_unknown):
    """false: less is known than should be."""
    if looked.has_row:
        print("%s: has a row" % looked.path, flush=True)
        return True
    print("%s: %d right, %d not known, %d wrong: %.1f %%" % (looked.path, *looked.totals, looked.share()))
    for sentence in looked.wrong:
        print("  wrong: " + sentence)
    for one in looked.not_run:
        print("  not run: " + one)
    for sentence, count in looked.unknown.most_common() if with_unknown else ():
        print("  %4d %s" % (count, sentence))
    sys.stdout.flush()
    return not looked.wrong and looked.share() >= GOAL


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program", default="")
    parser.add_argument("--unknown", action="store_true")
    parser.add_argument("--without-row", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    names = [name for name in arguments.program.split(",") if name] or PROGRAMS
    good = True
    with tempfile.TemporaryDirectory() as programs:
        for path in arguments.files:
            looked = look(os.path.abspath(path), names, programs, arguments.without_row)
            good &= show(looked, arguments.unknown)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
