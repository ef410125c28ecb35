# SPDX-License-Identifier: Apache-2.0
"""OpenMP in an editor that speaks DAP with GDB: names of threads, stacks, the console, watches, steps."""

import json
import os
import re
import unittest

import compare
import dap
import gdbrun
import xmltest

MISSING = dap.missing()
ENV = {"OMP_WAIT_POLICY": "passive", "TRUTH_HOLD_SECONDS": "600", "TRUTH_TIMEOUT": "60"}
with open(os.path.join(gdbrun.ROOT, "gdb-plugin/tests/walk.c")) as _f:
    WALK = _f.read().splitlines()


def line_of(words):
    """The line of walk.c with that comment."""
    return next(i for i, text in enumerate(WALK, 1) if "/* %s */" % words in text)


@unittest.skipIf(MISSING, MISSING)
class Editor(unittest.TestCase):
    maxDiff = None

    def client(self):
        made = dap.Client()
        self.addCleanup(made.__exit__)
        client = made.__enter__()
        self.addCleanup(lambda: self.assertNotIn("Traceback", client.errors()))
        return client

    def held(self, name):
        """(client, the program's own word, the report) of a target held in its state."""
        client = self.client()
        client.run_to(gdbrun.find("test-targets/%s.exe" % name), "held", env=ENV)
        truth = compare.read_truth(client.wait_for_output(r"(?m)^TRUTH .*\n"))
        return client, truth, json.loads(client.console("ompd report -json"))

    def test_names_of_threads(self):
        for name in ("nested_clang", "deadlock_gcc"):
            with self.subTest(name):
                client, truth, report = self.held(name)
                self.assertEqual(compare.compare(truth, report, names=True), [])
                shown = {one["id"]: one["name"] for one in client.ask("threads")["threads"]}
                known = {one["tid"]: one for one in truth["threads"]}
                self.assertEqual(len(shown), len(report["threads"]))
                seen = 0
                for row in report["threads"]:
                    own = known.get(row["target_tid"])
                    if own is None:
                        self.assertNotIn("omp ", shown[row["gdb_num"]])
                        continue
                    seen += 1
                    self.assertRegex(shown[row["gdb_num"]], r"omp %d/%d \w" % (own["thread_num"],
                                                                             own["team_size"]))
                self.assertEqual(seen, len(known))

    def test_stacks_are_joined(self):
        client, truth, report = self.held("nested_clang")
        members = [row["gdb_num"] for row in report["threads"] if row["level"] == 2]
        self.assertEqual(len(members), sum(one["level"] == 2 for one in truth["threads"]))
        for number in members:
            frames = client.frames(number)
            names = [one["name"] for one in frames]
            self.assertEqual([name for name in names if re.match("rt_|__kmpc|start_thread|clone", name)], [])
            body = next(i for i, name in enumerate(names) if name.startswith("main ["))
            self.assertEqual(names[body], "main [#pragma omp parallel at nested.c:10]")
            self.assertRegex(names[body + 1], r"^main \[#pragma omp parallel at nested\.c:9\]")
            self.assertTrue(names[-1].startswith("main"))
            self.assertEqual([one["source"]["name"] for one in frames[body:]], ["nested.c"] * 3)
            # Whose variables are shown: each frame has scopes, also another thread's.
            for one in frames[body:]:
                self.assertTrue(client.ask("scopes", frameId=one["id"])["scopes"])
            watched = client.watch("$ompd_thread_num()", frames[body]["id"])
            row = next(one for one in report["threads"] if one["gdb_num"] == number)
            self.assertEqual(watched, str(row["thread_num"]))

    def test_the_console(self):
        client, _, report = self.held("deadlock_gcc")
        said = client.console("ompd waits")
        self.assertEqual(report["verdict"]["kind"], "deadlock")
        self.assertTrue(said.startswith("Deadlock: "), said)
        with self.assertRaisesRegex(dap.Failed, "Undefined ompd command"):
            client.console("ompd nothing")

    def test_next_steps_over_a_region(self):
        client = self.client()
        client.run_to(gdbrun.find("gdb-plugin/tests/walk_gcc.exe"), "main")
        # The thread that creates regions; others stop nowhere.
        lines = []
        while len(lines) < 20 and line_of("after the region") not in lines:
            client.ask("next", threadId=1)
            stop = client.event("stopped")
            self.assertEqual((stop["reason"], stop["threadId"]), ("step", 1))
            frame = client.frames(1)[0]
            self.assertEqual(frame["name"], "main")
            lines.append(frame["line"])
        inside = range(line_of("in the region"), line_of("the region's last") + 1)
        self.assertEqual([one for one in lines if one in inside], [])
        self.assertEqual(lines[-1], line_of("after the region"))

    def test_ompd_step_in_the_console(self):
        client = self.client()
        client.run_to(gdbrun.find("gdb-plugin/tests/walk_gcc.exe"), "main")
        lines = []
        for _ in range(12):
            client.console("ompd step")
            lines.append(client.frames(1)[0]["line"])
            if lines[-1] == line_of("in the region"):
                break
        self.assertEqual(lines[-1], line_of("in the region"), lines)
        self.assertIn("#pragma omp parallel at walk.c", client.frames(1)[0]["name"])


if __name__ == "__main__":
    xmltest.main()
