# SPDX-License-Identifier: Apache-2.0
"""`--watch`: a living process is looked at again, and runs on."""

import json
import os
import shutil
import signal
import subprocess

import compare
import xmltest
from installed import Case, FOLDER, Held, OMPD, SECONDS, TARGETS


def wchan(pid):
    with open("/proc/%d/syscall" % pid) as f:
        text = f.read().split()
    # x86-64: 35 nanosleep, 230 clock_nanosleep.
    return "nanosleep" if text[0] in ("35", "230") else ""


class Watch(Case):
    def test_two_samples(self):
        with Held("taskwait_gcc.exe", FOLDER) as target:
            done = self.ok("report", "-p", target.pid, "--watch", "0.05")
            self.assertIn("Between the two", done.stdout)
            document = json.loads(self.ok("report", "-p", target.pid, "--watch", "0.05", "--json").stdout)
            self.assertEqual(compare.compare(target.truth, document, names=True), [])
            self.assertEqual(len(document["watch"]), 1)
            motions = {row["lwp"]: row["motion"] for row in document["watch"][0]["threads"]}
            # Whoever does not wait in OpenMP is in pause(), which is a wait for a signal.
            for thread in target.truth["threads"]:
                self.assertEqual(motions[thread["tid"]], "waits")
            document = json.loads(self.ok("threads", "-p", target.pid, "--watch", "0.05", "--samples", 4,
                                          "--json").stdout)
            self.assertEqual(len(document["watch"]), 3)

    def test_the_name_of_a_program_gives_no_orders(self):
        """U+009B begins an order to a terminal, U+202E turns a line round."""
        path = os.path.join(FOLDER, "a\u009b31m\u202eb\u2028c\u0007")
        shutil.copy(os.path.join(TARGETS, "taskwait_gcc.exe"), path)
        with Held(path, FOLDER, LD_LIBRARY_PATH=TARGETS) as target:
            for more in ([], ["--json"], ["--watch", "0.05"], ["--watch", "0.05", "--json"],
                         ["--format=dot"]):
                done = self.ok("report", "-v", "-p", target.pid, *more)
                self.assertNotRegex(done.stdout + done.stderr, "[\u0007\u009b\u202e\u2028]")
                if "--json" in more:
                    self.assertEqual(json.loads(done.stdout)["process"]["exe"], path)
                else:
                    self.assertIn("a?31m?b?c?", done.stderr)

    def test_ctrl_c_ends_it_and_leaves_the_process_alone(self):
        with Held("lock_clang.exe", FOLDER) as target:
            with subprocess.Popen([OMPD, "threads", "-p", str(target.pid), "--watch", "300"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                # It has looked once when it sleeps in nanosleep: the target runs free again then.
                while "nanosleep" not in wchan(process.pid):
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(SECONDS), -signal.SIGINT)
                self.assertEqual(process.stdout.read(), b"")
            with open("/proc/%d/status" % target.pid) as f:
                self.assertIn("TracerPid:\t0\n", f.read())
            self.ok("threads", "-p", target.pid)


if __name__ == "__main__":
    xmltest.main()
