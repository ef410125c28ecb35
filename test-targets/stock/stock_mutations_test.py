# SPDX-License-Identifier: Apache-2.0
"""Layouts that are wrong in one place (stock_mutations.py), and those of other builds: an answer by way of
one is refused or right, never wrong. Each program is held once, and its core asked.

PROGRAMS and RUNTIMES (comma-separated) choose some; STOCK=all: all runtimes and more programs.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import gdbrun
import stock_mutations
import stock_programs
import xmltest

ALL = os.environ.get("STOCK") == "all"
SOME = ("lock", "loop_runtime", "nested_waits")
MORE = ("barrier", "critical_named", "depend", "for_dynamic", "idle", "nest_lock", "ordered_wait",
        "queued_tasks", "lock_in_pthread", "spinning", "task_tree", "taskgroup", "teams")
PARTS = ("sizes", "fields", "variables", "constants", "sites", "spins", "slots", "frames")


def chosen(variable, otherwise):
    return [name for name in os.environ.get(variable, "").split(",") if name] or otherwise


def work():
    names = chosen("PROGRAMS", SOME + MORE if ALL else SOME)
    runtimes = chosen("RUNTIMES", list(stock_programs.RUNTIMES) if ALL else ["libgomp-12", "libomp-14"])
    # The whole of each program on the two of ./dev test, of the others two programs by turns.
    for number, runtime in enumerate(runtimes):
        for i, name in enumerate(names):
            rest = runtime not in ("libgomp-12", "libomp-14") and (i + number) % 6
            if not rest and stock_programs.runs_on(name, runtime):
                yield runtime, name


def rows():
    folder = os.path.dirname(gdbrun.find("ompd/rows/gomp-12.2.0.json"))
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path) as f:
            yield json.load(f)


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout
    return next(line.split()[-1] for line in notes.splitlines() if "Build ID" in line)


def variants(row):
    """Rows that are wrong in one place, then those of other builds as if they were this one's."""
    yield from stock_mutations.mutations(row, [part for part in PARTS if part != "frames"])
    for other in rows():
        if other["family"] == row["family"] and other["name"] != row["name"]:
            yield "the row %s" % other["name"], dict(other, build_ids=row["build_ids"])


def frame_variants(row):
    yield from stock_mutations.frame_mutations(row, 1 if ALL else 5)
    for other in rows():
        if other["family"] == row["family"] and other["name"] != row["name"]:
            yield "the frames of %s" % other["name"], dict(row, frames=other["frames"])


class Mutations(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        os.mkdir(os.path.join(cls.folder, "programs"))
        cls.counts, cls.lock = [0, 0, 0], threading.Lock()
        pool = ThreadPoolExecutor(2)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        cls.done = {case: pool.submit(cls.look, *case) for case in work()}

    @classmethod
    def tearDownClass(cls):
        print("%d layouts: %d refused as such, %d answered, %d of these wrong" %
              (sum(cls.counts[:2]), *cls.counts))

    @classmethod
    def look(cls, name_of_runtime, name):
        runtime = stock_programs.RUNTIMES[name_of_runtime]
        compiler = next(one for one in runtime.compilers if stock_programs.compiles(name, one))
        path = stock_programs.build(name, compiler, "o0", os.path.join(cls.folder, "programs"))
        run = stock_programs.Run(path, name, runtime,
                                 os.path.join(cls.folder, "%s_%s" % (name_of_runtime, name)))
        try:
            run.start()
            return cls.ask(run, run.core(signal.SIGABRT))
        finally:
            run.stop()
            shutil.rmtree(run.folder, ignore_errors=True)

    @classmethod
    def ask(cls, run, core):
        identity = build_id(run.library)
        row = next(one for one in rows() if identity in one["build_ids"])
        found = cls.ask_all(run, core, row, variants(row))
        if "frames" in PARTS:  # they count where the file is missing
            run.hide_library()
            found += cls.ask_all(run, core, row, frame_variants(row))
        return found

    @classmethod
    def ask_all(cls, run, core, row, changes):
        found, seen, counts = [], {}, [0, 0, 0]
        with stock_mutations.Asker(core) as asker:
            right = asker.ask(row)
            found += ["by the right row: " + one for one in
                      stock_mutations.wrong(run.truth, right, right, lines=True)]
            for what, changed in changes:
                text = asker.ask_text(changed)
                if not text.startswith("{"):
                    counts[0] += 1
                    continue
                counts[1] += 1
                if text not in seen:
                    seen[text] = stock_mutations.wrong(run.truth, right, json.loads(text), lines=True)
                counts[2] += bool(seen[text])
                found += ["%s: %s" % (what, one) for one in seen[text][:3]]
        with cls.lock:
            cls.counts = [a + b for a, b in zip(cls.counts, counts)]
        return found


def _add(case):
    def check(self):
        try:
            self.assertEqual(self.done[case].result(), [])
        except (stock_programs.NoRuntime, stock_programs.NoRest) as error:
            self.skipTest(str(error))
    setattr(Mutations, "test_%s_%s" % (case[0].replace("-", "_"), case[1]), check)


for _case in work():
    _add(_case)

if __name__ == "__main__":
    xmltest.main()
