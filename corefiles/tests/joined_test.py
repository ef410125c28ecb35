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

    def regions(self, process, *options):
        answer = json.loads(self.ok("parallel", "--json", "-p", process.pid, *options).stdout)
        return [region for region in answer["regions"] if region["kind"] == "parallel"]

    def check_calls(self, recorded, **env):
        """Where regions were called: as objdump has it, or null with a reason."""
        path = os.path.join(FOLDER, "calls")
        subprocess.run(["gcc", "-g", "-O0", "-fopenmp", "-no-pie", SOURCE, "-o", path], check=True)
        code = subprocess.check_output(["objdump", "-d", "--no-show-raw-insn", path], universal_newlines=True)
        # The call is the last instruction of its function, and has 5 bytes.
        calls = {int(at, 16) + 5 for at in re.findall(r"(\w+):\s+call.*<GOMP_parallel@plt>", code)}
        with subprocess.Popen([path], stdout=subprocess.PIPE, universal_newlines=True,
                              env=dict(os.environ, OMP_WAIT_POLICY="passive", **env)) as process:
            try:
                self.assertEqual(process.stdout.readline(), "ready\n")
                whole, stackless = self.regions(process), self.regions(process, "--no-stop")
            finally:
                process.kill()
        self.assertEqual((len(whole), len(stackless)), (3, 3))
        for region in whole + (stackless if recorded else []):
            self.assertIn(int(region["codeptr"], 16), calls)
            self.assertNotIn("codeptr", region["unknown"])
        for region in [] if recorded else stackless:
            self.assertIsNone(region["codeptr"])
            self.assertIn("whole stacks were not read", region["unknown"]["codeptr"])

    def test_calls_libgomp(self):
        self.check_calls(False)

    def test_calls_companion(self):
        self.check_calls(True, LD_LIBRARY_PATH=LIBRARIES)

    def test_libgomp(self):
        self.check()

    def test_companion(self):
        self.check(LD_LIBRARY_PATH=LIBRARIES)


if __name__ == "__main__":
    xmltest.main()
