# SPDX-License-Identifier: Apache-2.0
"""How many reads of memory an answer takes in programs of 256 threads on stock runtimes.

Each read may be a packet to a remote target, so their number is what a user waits for.
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
BOUNDS = {"libgomp-12": {"many_barrier": 270, "many_critical": 530},
          "libomp-14": {"many_barrier": 800, "many_critical": 1100}}


class Reads(unittest.TestCase):
    def check(self, runtime, name, bound):
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
        done = subprocess.run([gdbrun.find("corefiles/ompd"), "status", "--json", "--stats", "--ompd-library",
                               gdbrun.find("ompd/libompd.so.1"), "-p", str(run.process.pid)],
                              stdout=subprocess.PIPE, universal_newlines=True, check=True, timeout=60)
        stats = json.loads(done.stdout)["stats"]
        print("%s, %s: %s" % (runtime, name, stats))
        # Each thread's own record is a read at least: fewer would mean that nobody looked.
        self.assertGreaterEqual(stats["reads"], THREADS)
        self.assertLessEqual(stats["reads"], bound)


for _runtime, _bounds in BOUNDS.items():
    for _name, _bound in _bounds.items():
        setattr(Reads, "test_%s_%s" % (_runtime.replace("-", "_"), _name),
                lambda self, what=(_runtime, _name, _bound): self.check(*what))

if __name__ == "__main__":
    xmltest.main()
