# SPDX-License-Identifier: Apache-2.0
"""The child of a fork inside a region, on libgomp: it is one thread with the records of a whole team. What
these say is not believed, the reason says what has happened, and the parent is not touched by it."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

SOURCE = r"""
#include <omp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>
int main(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            int child = fork();
            if (child) {
                printf("%d\n", child);
                fflush(stdout);
            } else {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
            }
            pause();
        }
#pragma omp barrier
    }
}
"""


class Fork(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def ask(self, pid):
        command = [gdbrun.find("corefiles/ompd"), "report", "--json", "--ompd-library",
                   gdbrun.find("ompd/libompd.so.1"), "-p", str(pid)]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)

    def test_the_child_is_refused_and_says_why(self):
        path = os.path.join(self.folder, "forks")
        subprocess.run(["gcc", "-g", "-fopenmp", "-x", "c", "-", "-o", path], input=SOURCE, check=True,
                       universal_newlines=True)
        process = subprocess.Popen([path], stdout=subprocess.PIPE, universal_newlines=True,
                                   env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        report = self.ask(int(process.stdout.readline()))
        thread, = report["threads"]
        for field in ("thread_num", "team_size", "level", "state"):
            self.assertIsNone(thread[field])
            self.assertIn("a fork in a region leaves that to the child", thread["unknown"][field])
        self.assertEqual(report["verdict"]["kind"], "unknown")
        sizes = [row["team_size"] for row in self.ask(process.pid)["threads"]]
        self.assertEqual(sizes, [3, 3, 3])


if __name__ == "__main__":
    xmltest.main()
