# SPDX-License-Identifier: Apache-2.0
"""What GDB's `ompd` commands say of the programs of test-targets/mixed, live and of a core: the truth is
theirs and the kernel's, as for the command `ompd`, and of a live process the verdict is that one's word for
word. PROGRAMS (comma-separated) chooses some."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import mixed_programs
import xmltest

OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
CHOSEN = [name for name in os.environ.get("PROGRAMS", "").split(",") if name]
# The first question of a stop is for the waits: nothing has been asked before that could help.
SCRIPT = """
say(document("ompd waits -json")["verdict"]); say(document("ompd report -json")); say(run("ompd threads"))
if %r: gdb.execute("gcore " + %r, to_string=True)
"""


# Two calls in one, which the compiler gives line 0: GDB drops that row of the table (docs/limits.md, 58).
MERGED = ("test_loader_o2_clang",)


class Mixed(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def is_merged(self):
        return self.id().rpartition(".")[2] in MERGED

    def right(self, truth, pid, where, core, *arguments):
        """The report is true; its verdict. CORE: where to leave one."""
        answer = gdbrun.gdb(SCRIPT % (core, core), arguments)
        self.assertEqual(answer.problems(), [], str(answer))
        verdict, report, (table, error) = answer.said
        self.assertIsNone(error)
        result = truth.check(pid, report)
        if self.is_merged():
            result.wrong = [one for one in result.wrong if ": line is " not in one]
        self.assertEqual(result.wrong, [], "%s\n%s\n%s\n%s" % (where, report["verdict"]["sentence"], table,
                                                              list(truth.threads.values())))
        for one in result.unknown:
            print("%s, %s: %s" % (self.id().rpartition(".")[2], where, one))
        self.assertEqual(verdict["kind"], report["verdict"]["kind"], where)
        for row in report["threads"]:
            activity = row.get("activity") or {}
            if activity.get("asleep") and len(report["threads"]) <= 32:
                line = next(line for line in table.splitlines() if " %d " % row["lwp"] in line)
                for word in ("computes", "working", "running"):
                    self.assertNotIn(word, line)
        return verdict["kind"], self.numberless(verdict["sentence"], report)

    def numberless(self, sentence, report):
        """SENTENCE with LWPs only, as the command `ompd` has it."""
        lwps = {row["gdb_num"]: row["lwp"] for row in report["threads"]}
        sentence = re.sub(r"\bthread \d+ \((LWP \d+)\)", r"\1", sentence)
        # GDB makes frames of tail calls where libc has debug symbols.
        sentence = re.sub(r"\bwaitpid\b", "wait4", sentence)
        # Who computes has gone on meanwhile.
        sentence = re.sub(r"\b(computes in \w+ at [\w.]+):\d+", r"\1", sentence)
        # Sleeps and timed waits have become shorter meanwhile.
        sentence = re.sub(r"\bfor at most \d+ s\b", "for at most a time", sentence)
        return re.sub(r"\bthread (\d+)\b", lambda match: "LWP %d" % lwps[int(match.group(1))], sentence)

    def folder(self):
        made = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, made, ignore_errors=True)
        return made

    def mpi(self, source, library):
        path, why = mixed_programs.build_mpi(source, library, "-O2", self.folder())
        if path is None:
            raise unittest.SkipTest(why)
        self.check(path)

    def check(self, path):
        folder = self.folder()
        _, truth = mixed_programs.start(path, folder, self.addCleanup)
        for pid in truth.processes:
            done = subprocess.run([OMPD, "waits", "--json", "--ompd-library", LIBOMPD, "--pid", str(pid)],
                                  stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
            core = os.path.join(folder, "core.%d" % pid)
            theirs = json.loads(done.stdout)["verdict"]
            kind, sentence = self.right(truth, pid, "live", core, "-p", str(pid))
            if not self.is_merged():
                self.assertEqual(sentence, self.numberless(theirs["sentence"], {"threads": []}))
            kinds = [theirs["kind"], kind, self.right(truth, pid, "core", None, path, core)[0]]
            self.assertEqual(len(set(kinds)), 1, kinds)
            os.remove(core)


    def test_backtrace(self):
        """It begins with what the program has called, the object and its owner, and ends without the thread
        library's frames, whether or not those have names."""
        folder = self.folder()
        path = mixed_programs.exe("critical_mutex_gcc")
        process, truth = mixed_programs.start(path, folder, self.addCleanup)
        for before in ((), ("set debug-file-directory /nonexistent",)):
            answer = gdbrun.gdb("""
for t in gdb.selected_inferior().threads():
    t.switch(); say([t.ptid[1], t.num, run("bt -frame-arguments none")[0]])
""", ["-p", str(process.pid)], before=before)
            self.assertEqual(answer.problems(), [], str(answer))
            numbers = {lwp: number for lwp, number, _ in answer.said}
            waits = 0
            for lwp, _, text in answer.said:
                said = truth.threads.get((process.pid, lwp), {})
                self.assertNotRegex(text, r"\b(start_thread|clone3?)\b")
                self.assertNotRegex(text, r"(?m)^#\d+ .*\?\? \(", text)
                if said.get("kind") == "mutex":
                    waits += 1
                    self.assertRegex(text.splitlines()[0],
                                     r"^#\d+ .*pthread_mutex_lock \[waits for mutex %s, held by thread %d\]"
                                     % (re.escape(said["name"]), numbers[said["owner"]]))
                    self.assertIn("of the OpenMP runtime and the thread's start", text)
            self.assertGreater(waits, 0)


for _name in mixed_programs.built(False):
    if not CHOSEN or any(_name.startswith(one) for one in CHOSEN):
        setattr(Mixed, "test_" + _name, lambda self, name=_name: self.check(mixed_programs.exe(name)))
for _i, (_source, _library) in enumerate(mixed_programs.MPI_PROGRAMS):
    _name = "%s_%s" % (_source, _library)
    # Each takes seconds; mixed_test has them all.
    if any(_name.startswith(one) for one in CHOSEN) or (not CHOSEN and _i % 3 == 0):
        setattr(Mixed, "test_" + _name, lambda self, s=_source, l=_library: self.mpi(s, l))

if __name__ == "__main__":
    xmltest.main()
