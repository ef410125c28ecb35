# SPDX-License-Identifier: Apache-2.0
"""A thread that is stopped in the vdso, where `omp_get_wtime` asks for the time: GDB steps it into there, and
says where it is and who has called it. `ompd` has to say the same of the process, of the kernel's core and of
gcore's."""

import ctypes
import glob
import json
import os
import re
import resource
import signal
import subprocess
import time

import xmltest
from installed import Case, FOLDER, SECONDS, alive

PROGRAM = r"""
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>
static volatile double now;
static void __attribute__((noinline)) ask_time(void) { now = omp_get_wtime(); }
int main(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        ask_time();
    else
        sleep(1000);
}
"""
# Twelve instructions of the vdso's function; then GDB's own core, and the process is left as it is, stopped.
# The signal is for the one thread: one for the process might be taken by the other, and this one goes on
# meanwhile.
STEPS = ["set breakpoint pending on", "break ask_time", "run </dev/null >/dev/null 2>&1",
         "break *__vdso_clock_gettime", "continue", "stepi 12", "info proc", "backtrace",
         "generate-core-file gcore.core",
         "python import ctypes, signal; pid = gdb.selected_inferior().pid",
         "python ctypes.CDLL(None).tgkill(pid, pid, signal.SIGSTOP)", "detach"]


def bare(name):
    """Of a function with several names, what they have in common."""
    return name.replace("__GI_", "").replace("__vdso_", "").lstrip("_")


class Vdso(Case):

    @classmethod
    def setUpClass(cls):
        source = os.path.join(FOLDER, "vdso.c")
        with open(source, "w") as f:
            f.write(PROGRAM)
        cls.program = os.path.join(FOLDER, "vdso")
        subprocess.run(["gcc", "-g", "-O1", "-fopenmp", source, "-o", cls.program], check=True,
                       timeout=SECONDS)
        steps = [word for step in STEPS for word in ("-ex", step)]
        done = subprocess.run(
            ["gdb", "-nx", "-q", "-batch"] + steps + [cls.program], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True, timeout=SECONDS, cwd=FOLDER,
            env=dict(os.environ, OMP_WAIT_POLICY="passive"),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
        cls.pid = int(re.search(r"^process (\d+)$", done.stdout, re.M).group(1))
        cls.frames = re.findall(r"^#\d+ +(?:(0x[0-9a-f]+) in )?(\w[\w.]*) ", done.stdout, re.M)
        names = [name for _, name in cls.frames]
        assert bare(names[0]) == "clock_gettime" and "omp_get_wtime" in names, done.stdout
        assert "ask_time" in names, done.stdout

    @classmethod
    def tearDownClass(cls):
        try:
            os.kill(cls.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass # it has left its core

    def check(self, *source):
        """The stack of the thread that GDB has stepped, down to the user's function."""
        stacks = json.loads(self.ok("stacks", "--json", "--frames=all", *source).stdout)["stacks"]
        found = [s["frames"] for s in stacks if any(f["function"] == "ask_time" for f in s["frames"])]
        self.assertEqual(len(found), 1, stacks)
        names = [name for _, name in self.frames]
        self.assertEqual([f["function"] for f in found[0]].index("ask_time"), names.index("ask_time"), found)
        for frame, (address, name) in zip(found[0], self.frames[:names.index("ask_time") + 1]):
            self.assertEqual(bare(frame["function"]), bare(name))
            if address:
                self.assertEqual(int(frame["pc"], 16), int(address, 16), frame)
        self.assertEqual((found[0][0]["module"], found[0][0]["kind"]), ("[vdso]", "system"))
        self.assertRegex(self.ok("threads", *source).stdout, r"ask_time( at|,) vdso\.c:6")

    def test_process_then_kernel_core(self):
        self.check("-p", self.pid)
        # It is stopped: its thread goes on into the end, without another instruction of its own.
        self.assertEqual(ctypes.CDLL(None).tgkill(self.pid, self.pid, signal.SIGABRT), 0)
        os.kill(self.pid, signal.SIGCONT)
        until = time.monotonic() + SECONDS
        while alive(self.pid) and time.monotonic() < until:
            time.sleep(.02)
        cores = [core for core in glob.glob(os.path.join(FOLDER, "core*")) if not core.endswith("gcore.core")]
        self.assertEqual(len(cores), 1, "the kernel has written no core here (core_pattern)")
        self.check("-c", cores[0])

    def test_gcore(self):
        self.check("-c", os.path.join(FOLDER, "gcore.core"))


if __name__ == "__main__":
    xmltest.main()
