# SPDX-License-Identifier: Apache-2.0
"""Registers of 64 threads and of their frames, as each host has them, against what the program says and what
/proc/PID/task/TID/syscall says (registers.c)."""

import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

import gdbrun
import xmltest

SHOW = gdbrun.find("corefiles/tests/show")
PROGRAM = os.path.realpath(gdbrun.find("corefiles/tests/registers_gcc"))
SECONDS = 60
# Places in struct user_regs_struct.
R15, R14, R13, R12, RBP, RBX, RDI, ORIG_RAX, RIP, RSP, FS_BASE = 0, 1, 2, 3, 4, 5, 14, 15, 16, 19, 21

# What the host of a debugger tells; the document is like that of show.c.
ASK = """
import types
def ask(host, lwps):
    threads = []
    for lwp in lwps:
        values, known = (library.get().ctypes.c_uint64 * 27)(), [0]
        row = {"lwp": lwp, "registers": {}, "frames": [], "rc": host.registers(lwp, values, known)}
        row["registers"] = {i: values[i] for i in range(27) if known[0] >> i & 1}
        while True:
            one = types.SimpleNamespace()
            rc = host.frame_registers(lwp, len(row["frames"]), [one])
            if rc:
                break
            kept = [one.r15, one.r14, one.r13, one.r12, one.rbp, one.rbx]
            row["frames"].append([one.pc, one.sp, one.exact,
                                  {i: kept[i] for i in range(6) if one.known >> i & 1}])
        threads.append(row)
    return threads
"""
IN_GDB = ASK + """
from ompd_common import library
from ompd_gdb import session
host = session.current()._host
host.begin()
with host.asking():
    lwps = [thread.ptid[1] or thread.ptid[2] for thread in gdb.selected_inferior().threads()]
    first = ask(host, lwps)
    depths = []
    for lwp in lwps:
        one = types.SimpleNamespace(place=types.SimpleNamespace())
        depths.append(0)
        while host.frame(lwp, depths[-1], [one]) == 0:
            depths[-1] += 1
    say({"threads": first, "again": ask(host, lwps) == first, "depths": depths,
         "code": [host.read(row["registers"][16], (library.get().ctypes.c_char * 4)(), 4) for row in first]})
"""
IN_LLDB = ASK + """
import json, lldb, ompd_lldb
library = ompd_lldb.library
def answers(_debugger, _line, context, result, _dictionary):
    host = ompd_lldb.Host(library.get(), context.process)
    with open(%r, "w") as f:
        json.dump({"threads": ask(host, [thread.GetThreadID() for thread in context.process])}, f)
"""


class Registers(unittest.TestCase):
    longMessage = True

    def folder(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        return made.name

    def start(self, *arguments):
        """(pid, truth) of a program whose threads all wait."""
        process = subprocess.Popen([PROGRAM] + list(arguments), stdout=subprocess.PIPE,
                                   universal_newlines=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        truth = json.loads(process.stdout.readline())
        until = time.monotonic() + SECONDS
        for slot in truth:
            words = []
            while words[:1] != ["202"] and time.monotonic() < until:
                with open("/proc/%d/task/%d/syscall" % (process.pid, slot["tid"])) as f:
                    words = f.read().split()
            # The kernel's word, before anybody has stopped it.
            self.assertEqual([int(words[i], 16) for i in (1, -2, -1)],
                             [slot["word"], slot["sp"][0], slot["pc"][0]])
        return process.pid, truth

    def kernel_core(self, name="registers"):
        """(program, core, truth)"""
        here = self.folder()
        exe = shutil.copy(PROGRAM, os.path.join(here, name))

        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
            with open("/proc/self/coredump_filter", "w") as f:
                f.write("0x33")
        done = subprocess.run([exe, "abort"], cwd=here, stdout=subprocess.PIPE, timeout=SECONDS,
                              preexec_fn=prepare)
        found = [name for name in os.listdir(here) if name.startswith("core")]
        self.assertEqual(len(found), 1, "the kernel has written no core here (core_pattern)")
        return exe, os.path.join(here, found[0]), json.loads(done.stdout)

    def show(self, *arguments):
        done = subprocess.run([SHOW, "-g"] + [str(one) for one in arguments], stdout=subprocess.PIPE,
                              check=True, timeout=SECONDS)
        return json.loads(done.stdout)["threads"]

    def gdb(self, *arguments, before="", code=0):
        answer = gdbrun.gdb(before + IN_GDB, arguments)
        self.assertEqual(answer.problems(), [], answer)
        self.assertEqual(len(answer.said), 1, answer)
        self.assertTrue(answer.said[0]["again"])
        # No zeros where the code is not in the core; the first thread is in the C library.
        self.assertGreaterEqual(answer.said[0]["code"].count(code), 64)
        self.depths = dict(zip((row["lwp"] for row in answer.said[0]["threads"]), answer.said[0]["depths"]))
        return answer.said[0]["threads"]

    def expected(self, slot):
        """Registers of (inner and middle, outer)."""
        m = slot["magic"]
        outer = {R15: slot["slot"], R14: m + 5, R13: m + 4, R12: m + 3, RBP: m + 2, RBX: m + 1}
        inner = dict(outer)
        inner[RBX] = ~outer[RBX] & 2**64 - 1
        if slot["bare"]:
            inner[RBP] = slot["sp"][1] + 16
        return inner, outer

    def check(self, truth, threads, frames=3):
        rows = {row["lwp"]: row for row in threads}
        for slot in truth:
            row = rows[slot["tid"]]
            inner, outer = self.expected(slot)
            found = {int(i): value & 2**64 - 1 for i, value in row["registers"].items()}
            want = dict(inner)
            want.update({RIP: slot["pc"][0], RSP: slot["sp"][0], ORIG_RAX: 202, RDI: slot["word"]})
            for number, value in want.items():
                self.assertEqual(found.get(number), value, (number, slot))
            self.assertTrue(found[FS_BASE])
            self.assertGreaterEqual(len(row["frames"]), frames)
            if frames == 1:
                self.assertEqual(len(row["frames"]), 1)
            for i in range(frames):
                pc, sp, exact, kept = row["frames"][i]
                kept = {int(number): value & 2**64 - 1 for number, value in kept.items()}
                self.assertEqual([pc, sp, exact], [slot["pc"][i], slot["sp"][i], int(i == 0)], (i, slot))
                want = inner if i < 2 else outer
                if slot["bare"] and i == 2:
                    # What the function without an unwind table has done with them, nobody knows.
                    self.assertEqual({**want, **kept}, want)
                else:
                    self.assertEqual(kept, want, (i, slot))

    def test_live(self):
        pid, truth = self.start()
        self.check(truth, self.show(pid))  # after cf_resume
        self.check(truth, self.show("-l", "errno", pid))  # before it
        self.check(truth, self.gdb("-p", str(pid)))

    def test_without_an_unwind_table(self):
        pid, truth = self.start("bare")
        self.assertTrue(any(slot["bare"] for slot in truth))
        self.check(truth, self.show(pid))

    def test_gcore(self):
        pid, truth = self.start()
        made = os.path.join(self.folder(), "core")
        subprocess.run(["gcore", "-o", made, str(pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=SECONDS, check=True)
        self.check(truth, self.show("-e", PROGRAM, "%s.%d" % (made, pid)))
        self.check(truth, self.gdb(PROGRAM, "%s.%d" % (made, pid)))

    def test_kernel_core(self):
        exe, core, truth = self.kernel_core()
        self.check(truth, self.show("-e", exe, core))
        self.check(truth, self.gdb(exe, core))
        # Without the file nobody knows the callers, but registers are in the core.
        os.remove(exe)
        self.check(truth, self.show(core), frames=1)
        # GDB would go on by guesses.
        self.check(truth, self.gdb("-c", core, code=-1), frames=1)

    def test_callers_of_a_missing_runtime(self):
        exe, core, truth = self.kernel_core("libgomp-a34b3233.so.1.0.0")
        self.gdb(exe, core)
        self.assertTrue(all(self.depths[slot["tid"]] > 2 for slot in truth), self.depths)
        os.remove(exe)
        self.gdb("-c", core, code=-1)
        self.assertEqual({self.depths[slot["tid"]] for slot in truth}, {1})

    def test_gdbserver(self):
        pid, truth = self.start()
        server = subprocess.Popen(["gdbserver", "--once", "--attach", "localhost:0", str(pid)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.addCleanup(server.stderr.close)
        port = next(line for line in server.stderr if line.startswith("Listening on port")).split()[-1]
        before = 'gdb.execute("target remote localhost:%s", to_string=True)\n' % port
        self.check(truth, self.gdb(PROGRAM, before=before))

    def test_lldb(self):
        here = self.folder()
        with open(os.path.join(here, "asker.py"), "w") as f:
            f.write(IN_LLDB % os.path.join(here, "said"))
        pid, truth = self.start()
        exe, core, core_truth = self.kernel_core()
        for arguments, expected in (["-p", str(pid)], truth), ([exe, "-c", core], core_truth):
            done = subprocess.run(
                ["lldb-19", "-x", "-b", "-o",
                 "command script import " + os.path.join(gdbrun.ROOT, "gdb-plugin", "ompd_lldb.py"),
                 "-o", "command script import " + os.path.join(here, "asker.py"),
                 "-o", "command script add -o -f asker.answers answers", "-o", "answers"] + arguments,
                env=dict(os.environ, HOME=here), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, universal_newlines=True, timeout=2 * SECONDS)
            self.assertNotIn("Traceback", done.stdout)
            with open(os.path.join(here, "said")) as f:
                self.check(expected, json.load(f)["threads"])
            os.remove(os.path.join(here, "said"))


if __name__ == "__main__":
    xmltest.main()
