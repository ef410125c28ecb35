# SPDX-License-Identifier: Apache-2.0
"""How many reads of memory an answer takes in programs of 256 threads on stock runtimes.

Each is a system call; of what a debugger is asked for, gdb-plugin/tests/wait_reads_test.py has bounds.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import stock_programs
import xmltest

THREADS = 256
# runtime: what waits: at most so many reads; at a critical section also of code, to find who is in it
BOUNDS = {"libgomp-12": {"many_barrier": 32, "many_critical": 80},
          "libomp-14": {"many_barrier": 400, "many_critical": 400}}
# While the process stands still: at most so many system calls that read its memory.
STOPPED_BOUNDS = {"libgomp-12": 64, "libomp-14": 600}


class Reads(unittest.TestCase):
    def started(self, runtime, name):
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        compiler = stock_programs.RUNTIMES[runtime].compilers[0]
        try:
            path = stock_programs.build(name, compiler, "o2", folder)
            run = stock_programs.Run(path, name, stock_programs.RUNTIMES[runtime],
                                     os.path.join(folder, "run"), arguments=[str(THREADS)])
        except stock_programs.NoRuntime as error:
            self.skipTest(str(error))
        self.addCleanup(run.stop)
        run.start()
        self.assertEqual(len(run.truth["threads"]), THREADS)
        return folder, run

    def check_stop(self, runtime, bound):
        """What is done between the stop of the first thread and the release of the last one."""
        folder, run = self.started(runtime, "many_barrier")
        trace = os.path.join(folder, "trace")
        subprocess.run(["strace", "-f", "-qq", "-o", trace, gdbrun.find("command/ompd"), "threads",
                        "--ompd-library", gdbrun.find("ompd/libompd.so.1"), "-p", str(run.process.pid)],
                       stdout=subprocess.PIPE, check=True, timeout=60)
        with open(trace) as f:
            lines = f.read().splitlines()
        first = next(i for i, line in enumerate(lines) if "PTRACE_INTERRUPT" in line)
        last = max(i for i, line in enumerate(lines) if "PTRACE_DETACH" in line)
        stopped = lines[first:last + 1]
        reads = sum("process_vm_readv(" in line for line in stopped)
        print("%s: %d reads while it stands still, %d calls" % (runtime, reads, len(stopped)))
        self.assertEqual(sum("PTRACE_INTERRUPT" in line for line in stopped), THREADS + 1)
        self.assertLessEqual(reads, bound)
        # Three calls for each thread: it is stopped, its registers are read, it is let go.
        self.assertLessEqual(sum("ptrace(" in line for line in stopped), 3 * (THREADS + 1))
        # No file of the process is opened, and no library is loaded meanwhile.
        opened = [line for line in stopped
                  if "openat(" in line and not any(name in line for name in ("\"/proc/", "\"/\","))]
        self.assertEqual(opened, [])

    def check(self, runtime, name, bound):
        _, run = self.started(runtime, name)
        done = subprocess.run([gdbrun.find("command/ompd"), "status", "--json", "--stats", "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), "-p", str(run.process.pid)],
                              stdout=subprocess.PIPE, universal_newlines=True, check=True, timeout=60)
        stats = json.loads(done.stdout)["stats"]
        print("%s, %s: %s" % (runtime, name, stats))
        # Each thread's own record has more bytes: fewer would mean that nobody looked.
        self.assertGreaterEqual(stats["bytes"], THREADS * 64)
        self.assertLessEqual(stats["reads"], bound)


for _runtime, _bounds in BOUNDS.items():
    for _name, _bound in _bounds.items():
        setattr(Reads, "test_%s_%s" % (_runtime.replace("-", "_"), _name),
                lambda self, what=(_runtime, _name, _bound): self.check(*what))

for _runtime, _bound in STOPPED_BOUNDS.items():
    setattr(Reads, "test_stop_%s" % _runtime.replace("-", "_"),
            lambda self, what=(_runtime, _bound): self.check_stop(*what))

if __name__ == "__main__":
    xmltest.main()
