# SPDX-License-Identifier: Apache-2.0
"""Stacks in a core whose runtime's file is missing, and the unwind tables with it: the layout's rules for
frames lead through the runtime to the user's functions. The truth is GDB's own stack while the file is there,
and binutils' reading of the tables."""

import bisect
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

STACKS = """
def stack(thread, files=%r):
    thread.switch()
    frames, frame = [], gdb.newest_frame()
    while frame is not None:
        file = frame.find_sal().symtab
        if frame.type() != gdb.INLINE_FRAME and file is not None and file.filename.endswith(files):
            frames.append([frame.name(), frame.pc()])
        frame = frame.older()
    return frames

stacks = {}
for one in gdb.selected_inferior().threads():
    stacks[str(one.ptid[1])] = stack(one)
say(stacks)
"""
PROGRAMS = {"libgomp-12": "nested_waits", "libomp-14": "nested_waits"}


class Stacks(unittest.TestCase):
    def core_of(self, runtime):
        """(run, core) of a program that has died; its runtime's file is still there."""
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        name, kind = PROGRAMS[runtime], stock_programs.RUNTIMES[runtime]
        try:
            path = stock_programs.build(name, kind.compilers[0], "o2", folder)
            run = stock_programs.Run(path, name, kind, os.path.join(folder, "run"))
            self.addCleanup(run.stop)
            run.start()
            return run, run.core(signal.SIGABRT)
        except stock_programs.Missing as error:
            self.skipTest(str(error))

    def stacks(self, run, core):
        """{lwp: [(function, pc)]}: the program's own frames, as GDB has them."""
        answer = gdbrun.gdb(STACKS % ((run.name + ".c", "truth.c"),), [run.path, core],
                            env={"LD_LIBRARY_PATH": ""}, cwd=run.folder)
        self.assertEqual(len(answer.said), 1, answer)
        return answer.said[0]

    def check(self, runtime):
        run, core = self.core_of(runtime)
        truth = self.stacks(run, core)
        # The user's code calls the runtime, which calls it again.
        self.assertGreaterEqual(max(map(len, truth.values())), 4)
        run.hide_library()
        self.assertEqual(self.stacks(run, core), truth)
        self.check_command(core, truth)

    def check_command(self, core, truth):
        """`ompd stacks` puts the creator's frames below a worker's own; its own come first."""
        done = subprocess.run([gdbrun.find("command/ompd"), "stacks", "--json", "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), "--core", core],
                              stdout=subprocess.PIPE, universal_newlines=True, check=False, timeout=60)
        document = json.loads(done.stdout)
        for thread in document["stacks"]:
            own = [frame["pc"] for frame in thread["frames"]
                   if frame["kind"] == "user" and not frame["inlined"]]
            wanted = [pc for _, pc in truth[str(thread["lwp"])]]
            with self.subTest(lwp=thread["lwp"]):
                self.assertEqual([int(pc, 16) for pc in own][:len(wanted)], wanted)


for _runtime in PROGRAMS:
    setattr(Stacks, "test_" + _runtime.replace("-", "_"), lambda self, which=_runtime: self.check(which))


def tables(path):
    """Sorted (start, end, rule or None) of all code that the file's unwind table describes, by readelf."""
    text = subprocess.run(["readelf", "--wide", "--debug-dump=frames-interp", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True, check=True).stdout
    found, common = [], {}
    for block in text.split("\n\n"):
        head = re.search(r"^[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) (?:CIE|FDE cie=([0-9a-f]+) "
                         r"pc=([0-9a-f]+)\.\.([0-9a-f]+))", block, re.M)
        lines = [line.split() for line in block.splitlines() if re.match(r" *LOC|[0-9a-f]{16} +\S+[+]", line)]
        if head is None:
            continue
        if head.group(3) is None:
            common[block.split()[0]] = lines
            continue
        start, end = int(head.group(3), 16), int(head.group(4), 16)
        names, rows = lines[0] if lines else None, lines[1:]
        if not rows:  # nothing but what the CIE says
            names, row = common[head.group(2)]
            rows = [["%x" % start] + row[1:]]
        places = [int(row[0], 16) for row in rows] + [end]
        found += [(places[i], places[i + 1], as_rule(dict(zip(names[1:], row[1:]))))
                  for i, row in enumerate(rows)]
    return sorted(found)


def as_rule(columns):
    """A row of readelf's in a layout's words; None: a layout has no words for it."""
    base = re.fullmatch(r"(rsp|rbp)\+(\d+)", columns["CFA"])
    if base is None or columns.get("ra") != "c-8":
        return None
    words = [columns["CFA"]]
    for name in "rbx rbp r12 r13 r14 r15".split():
        place = columns.get(name, "u")
        if place not in ("u", "s"):
            words.append(name + place[1:] if re.fullmatch(r"c-\d+", place) else "?")
    return None if "?" in words else " ".join(words)


def calls(path):
    """Addresses of calls, and behind system calls, by objdump."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], stdout=subprocess.PIPE,
                          universal_newlines=True, check=True).stdout
    found = []
    behind = False
    for line in text.splitlines():
        one = re.match(r" +([0-9a-f]+):\t(\S*)", line)
        if one is None:
            continue
        if behind or one.group(2).startswith("call"):
            found.append(int(one.group(1), 16))
        behind = one.group(2) == "syscall"
    return found


class Rules(unittest.TestCase):
    """What `ompd layout` says of frames is what the file's unwind table says."""

    def check(self, runtime):
        try:
            path = stock_programs.RUNTIMES[runtime].file()
        except stock_programs.Missing as error:
            self.skipTest(str(error))
        row = json.loads(subprocess.run([gdbrun.find("command/ompd"), "layout", path], check=True,
                                        stdout=subprocess.PIPE, universal_newlines=True).stdout)
        said = sorted((int(places[i], 16), int(places[i + 1], 16), rule)
                      for rule, places in row["frames"].items() for i in range(0, len(places), 2))
        truth = tables(path)
        starts = [start for start, _, _ in truth]

        def at(address):
            start, end, rule = truth[bisect.bisect_right(starts, address) - 1]
            return rule if start <= address < end else None

        for start, end, rule in said:
            inside = [one for one in truth[bisect.bisect_right(starts, start) - 1:
                                           bisect.bisect_left(starts, end)]]
            self.assertEqual({one[2] for one in inside}, {rule}, hex(start))
        # And none is left out where a thread may stand.
        needed = [address for address in calls(path) if at(address) is not None]
        first = [start for start, _, _ in said]
        missing = [hex(address) for address in needed
                   if not said[bisect.bisect_right(first, address) - 1][1] > address >= first[0]]
        self.assertGreater(len(needed), 500)
        self.assertEqual(missing, [])


for _runtime in PROGRAMS:
    setattr(Rules, "test_" + _runtime.replace("-", "_"), lambda self, which=_runtime: self.check(which))


if __name__ == "__main__":
    xmltest.main()
