# SPDX-License-Identifier: Apache-2.0
"""--stable: the text of two runs of one program is the same, names OpenMP's threads, and has no number of the
system."""

import json
import os
import re

import xmltest
from installed import Case, FOLDER, Held

# Each comes to the same state in each run.
TARGETS = ("deadlock_gcc.exe", "nested3_clang.exe", "queued_tasks_gcc.exe", "barrier_gcc.exe",
           "cxx_locks_gcc.exe", "ordered_wait_gcc.exe", "lock_owner_ended_clang.exe")
VIEWS = ("threads", "parallel", "tasks", "waits", "icvs", "stacks", "report")


class Stable(Case):
    def test_two_runs(self):
        for name in TARGETS:
            texts = []
            for i in range(2):
                with Held(name, FOLDER) as target:
                    path = os.path.join(FOLDER, "%s-%d" % (name, i))
                    self.ok("record", "-p", target.pid, "-o", path)
                    texts.append(self.ok("report", "--stable", "--all", "-p", target.pid).stdout)
                    for view in VIEWS:
                        texts.append(self.ok(view, "--stable", "--snapshot", path).stdout)
                    folded = ("stacks", "--stable", "--format=folded", "--snapshot", path)
                    texts.append(self.ok(*folded).stdout)
                for text in texts:
                    self.assertEqual(re.findall(r".*(?:LWP|\b0x|:\[).*", text), [])
            half = len(texts) // 2
            self.assertEqual(texts[:half], texts[half:], name)

    def test_the_sentence_is_the_same_but_for_the_names(self):
        for name in ("deadlock_gcc.exe", "lock_owner_ended_clang.exe", "barrier_gcc.exe"):
            path = os.path.join(FOLDER, "sentence-" + name)
            with Held(name, FOLDER) as target:
                self.ok("record", "-p", target.pid, "-o", path)
            document = json.loads(self.ok("waits", "--json", "--snapshot", path).stdout)
            threads = json.loads(self.ok("threads", "--json", "--snapshot", path).stdout)["threads"]
            number = {str(t["lwp"]): t["thread_num"] for t in threads}
            said = re.sub(r"LWP (\d+)", lambda m: "OpenMP thread %d" % number[m[1]],
                          document["verdict"]["sentence"])
            stable = self.ok("waits", "--stable", "--snapshot", path).stdout.splitlines()[0]
            # Which of the threads of a circle comes first is the order of threads, which is another here.
            self.assertEqual(sorted(re.split(r"[:;] ", said.replace(". ", "; "))),
                             sorted(re.split(r"[:;] ", stable.replace(". ", "; "))))

    def test_nested_teams_have_names_of_their_own(self):
        with Held("nested_gcc.exe", FOLDER) as target:
            text = self.ok("stacks", "--stable", "--all", "-p", target.pid).stdout
        for name in ("0.0", "0.1", "0.2", "1.0", "1.1", "1.2"):
            self.assertEqual(("\n" + text).count("\nOpenMP thread %s: " % name), 1, name)

    def test_teams_of_several_threads_of_the_program(self):
        with Held("foreign_gcc.exe", FOLDER) as target:
            text = self.ok("stacks", "--stable", "--all", "-p", target.pid).stdout
        names = re.findall(r"^OpenMP thread (\w+): ", text, re.M)
        self.assertEqual(sorted(names), ["0a", "0b", "1a", "1b", "2"])
        self.assertRegex(text, r"\nthread [a-z] outside of OpenMP: ")

    def test_text_only(self):
        for more in (("--json",), ("--format=dot",), ("--addresses",)):
            self.ok("report", "--stable", *more, "-p", "1", status=64)
        self.ok("threads", "--stable", "--watch", "1", "-p", "1", status=64)


if __name__ == "__main__":
    xmltest.main()
