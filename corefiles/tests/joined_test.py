# SPDX-License-Identifier: Apache-2.0
"""The stack of a worker goes on in that of the thread which created its region, on runtimes that do not
record where a region was called too. A worker of the Nth region has N functions `nest` around it, by
arithmetic."""
import json
import os
import re
import subprocess

import gdbrun
import xmltest
from installed import Case, FOLDER

SOURCE = gdbrun.find("corefiles/tests/nest.c")
LIBRARIES = os.path.join(FOLDER, "prefix/lib/ompcompanion")


class Joined(Case):
    def check(self, **env):
        path = os.path.join(FOLDER, "nest")
        subprocess.run(["gcc", "-g", "-O0", "-fopenmp", SOURCE, "-o", path], check=True)
        with subprocess.Popen([path], stdout=subprocess.PIPE, universal_newlines=True,
                              env=dict(os.environ, OMP_WAIT_POLICY="passive", **env)) as process:
            try:
                self.assertEqual(process.stdout.readline(), "ready\n")
                rows = json.loads(self.ok("threads", "--json", "-p", process.pid).stdout)["threads"]
                text = self.ok("stacks", "--all", "-p", process.pid).stdout
            finally:
                process.kill()
        stacks = dict(re.findall(r"^LWP (\d+): .*\n((?:    .*\n)+)", text, re.M))
        checked = 0
        for row in rows:
            if row["thread_num"] != 1:
                continue
            frames = re.findall(r"#\d+ +(\w+)", stacks[str(row["lwp"])])
            # Of each region around: its body, and the function that has called it.
            self.assertEqual(frames, 2 * row["level"] * ["nest"] + ["main"], text)
            self.assertIn("-- region created by LWP %d --" % process.pid, stacks[str(row["lwp"])])
            checked += 1
        self.assertEqual(checked, 3)

    def test_libgomp(self):
        self.check()

    def test_companion(self):
        self.check(LD_LIBRARY_PATH=LIBRARIES)


if __name__ == "__main__":
    xmltest.main()
