# SPDX-License-Identifier: Apache-2.0
"""Damaged cores: what GDB has not got it prints as without the extension, and no backtrace is lost."""

import glob
import json
import os
import re
import resource
import subprocess
import tempfile
import unittest

import damaged
import gdbrun
import xmltest

DIR = os.path.dirname(gdbrun.find("test-targets/nested_gcc.exe"))
with open(gdbrun.find("test-targets/targets.json")) as _f:
    TARGETS = {one["name"]: one for one in json.load(_f)["targets"]}

# Every damage after the other in one GDB: the file is patched, read anew and put right again.
SCRIPT = """
damages = json.load(open(%r))
def patch(edits):
    with open(CORE, "r+b") as f:
        before = []
        for at, data in edits:
            f.seek(at); before.append([at, f.read(len(data) // 2).hex()])
            f.seek(at); f.write(bytes.fromhex(data))
        return before
def numbers(): return sorted(t.num for t in gdb.selected_inferior().threads())
CORE = %r
gdb.execute("set width 0"); gdb.execute("set python print-stack full")
for what, edits in damages:
    before = patch(edits)
    gdb.execute("core-file " + CORE, to_string=True)
    ask(what)
    gdb.execute("core-file", to_string=True)
    patch(before)
"""
PLAIN = """
def ask(what):
    say([what, numbers(), run("thread apply all -s bt -7")[0], run("info threads")[0]])
"""
# In each thread all that looks at its frames; the rest once.
EACH = ["bt", "with ompd runtime-frames count -- bt", "bt -hide", "bt -full 2", "bt -3", "ompd frame up",
        "ompd frame down", "ompd up 3", "ompd down 3", "print $ompd_outer(\"x\")", "ompd print x",
        "ompd task -select",
        "ompd thread 0 bt 1",
        "ompd step", "print $ompd_state()"]
ONCE = ["thread apply all -s bt -7", "info threads", "ompd threads", "ompd parallel", "ompd tasks",
        "ompd waits", "ompd stacks -all -frames", "ompd stacks -locals", "ompd report", "ompd status",
        "ompd region", "ompd task", "ompd icvs", "ompd team bt 1"]
OURS = """
gdb.execute("set ompd runtime-frames show")
def ask(what):
    texts, each = {c: run(c) for c in %r}, []
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        plain = run("bt -no-filters")
        # The threads with what is damaged, and two others.
        if "unavailable" not in plain[0] + what and thread.num > 3: continue
        each.append([thread.num, "bt -no-filters", *plain])
        for c in %r: thread.switch(); each.append([thread.num, c, *run(c)])
    say([what, numbers(), texts, each])
""" % (ONCE, EACH)


class Cores(unittest.TestCase):
    maxDiff = None

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def core(self, name):
        """(program, its kernel core, the damages' file)"""
        target, folder = TARGETS[name], self.folder()
        program = os.path.join(DIR, target["exe"])
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
        env = dict(os.environ, **target["env"], TRUTH_CORE="1", TRUTH_TIMEOUT="60")
        subprocess.run([program] + target["args"], cwd=folder, env=env, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=90, check=False)
        core, = glob.glob(os.path.join(folder, "core*"))
        with open(core, "rb") as f:
            found = damaged.damages(damaged.Core(f.read()))
        path = os.path.join(folder, "damages")
        with open(path, "w") as f:
            json.dump([[what, [[at, data.hex()] for at, data in edits]] for what, edits in found], f)
        return program, core, path

    def said(self, script, program, core, path, plugin):
        answer = gdbrun.gdb(script + SCRIPT % (path, core), [program], plugin=plugin, timeout=250)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said

    def check_thread(self, what, number, rows):
        """What GDB answered in a thread: to each command, with its error."""
        texts = {command: text for _, command, text, _ in rows}
        plain = texts["bt -no-filters"]
        if "<unavailable>" in plain:
            for command in ("bt", "bt -hide", "bt -3"):
                self.assertEqual(texts[command], plain, (what, number, command))
        frames = [len(re.findall(r"(?m)^ *#\d+", texts[one])) for one in ("bt", "bt -no-filters")]
        self.assertGreaterEqual(frames[0], frames[1], (what, number, texts["bt"], plain))

    def test_nothing_is_lost(self):
        for name in ("nested_gcc", "task_lock"):
            made = self.core(name)
            plain = self.said(PLAIN, *made, plugin=False)
            ours = self.said(OURS, *made, plugin=True)
            self.assertGreater(len(plain), 25)
            self.assertTrue(any("<unavailable>" in one[2] for one in plain))
            self.assertEqual([one[0] for one in ours], [one[0] for one in plain])
            for (what, numbers, theirs, listed), (_, mine, texts, each) in zip(plain, ours):
                self.assertEqual(mine, numbers, what)
                wrong = [row for row in [[None, c, *texts[c]] for c in texts] + each
                         if re.search("Traceback|Python Exception|itself failed", row[2] + (row[3] or ""))
                         or "\n" in (row[3] or "")]
                self.assertEqual(wrong, [], what)
                threads = re.findall(r"(?m)^Thread \d+", theirs)
                self.assertEqual(re.findall(r"(?m)^Thread \d+", texts["thread apply all -s bt -7"][0]),
                                 threads, what)
                self.assertEqual(texts["info threads"][0].count("<unavailable>"),
                                 listed.count("<unavailable>"), what)
                for number in {row[0] for row in each}:
                    self.check_thread(what, number, [row for row in each if row[0] == number])
            print("%s: %d damaged cores" % (name, len(plain)))

    def test_a_fault_keeps_the_stack(self):
        """Whatever fails in the filter, after however many frames: GDB prints all of them."""
        program, core, _ = self.core("nested_gcc")
        answer = gdbrun.gdb("""
from ompd_gdb import classify, decorators
gdb.execute("set ompd runtime-frames show")
gdb.execute("core-file %s", to_string=True)
left, kind = -1, classify.Classifier.kind
def failing(self, frame):
    global left
    left -= 1
    if left == 0: raise error("planted")
    return kind(self, frame)
classify.Classifier.kind = failing
for thread in gdb.selected_inferior().threads():
    thread.switch()
    names, frame = [], gdb.newest_frame()
    while frame is not None: names.append(frame.name()); frame = frame.older()
    for error in (RuntimeError, gdb.error, gdb.MemoryError, AttributeError):
        for at in (1, 2, 3, 5):
            decorators._known = (None, {}); classify._known = (None, {}); left = at
            say([names, run("bt")[0], left <= 0])
""" % core, [program], timeout=200)
        self.assertEqual(answer.problems(), [], str(answer))
        self.assertTrue(any(failed for _, _, failed in answer.said))
        for names, text, _ in answer.said:
            # The folded frames have the construct in their names.
            found = re.findall(r"(?m)^ *(?:#\d+ +)?(?:0x\w+ in )?([^ ]+) ", text)
            # The filter has the user's function for the body of a construct, GDB has the compiler's.
            found, names = ([name.partition("._omp_fn")[0] for name in one] for one in (found, names))
            # Behind a worker's own frames stand those of the region's creator.
            self.assertEqual([name for name in names if found.count(name) < names.count(name)], [], text)


if __name__ == "__main__":
    xmltest.main()
