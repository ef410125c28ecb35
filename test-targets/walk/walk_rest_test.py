# SPDX-License-Identifier: Apache-2.0
"""Programs at rest: what `ompd` and GDB say of the process, and of its core, is what the program has said, or
there is a sentence. WALK (gcc:companion,flang:libomp-14) chooses among the programs; all: every one.
"""

import json
import os
import re
import unittest

import ompd_schema
import stock_programs
import walk_answers
import walk_programs
import xmltest

# What no other runtime records: docs/runtimes.md.
COMPANION = "companion"
EXECUTED = walk_programs.MEMBERS * walk_programs.CHUNK


def of_each(check):
    """A test of the answers of each source."""
    def test(self):
        for source, answers in self.sources.items():
            with self.subTest(source=source):
                check(self, answers)
    return test


class AtRest:
    """The tests of one program on one runtime."""

    longMessage, maxDiff = True, None
    walk = None

    @classmethod
    def setUpClass(cls):
        folder = walk_programs.folder_of_walks(cls)
        try:
            cls.look(folder)
        except stock_programs.NoRuntime as error:
            raise unittest.SkipTest(str(error)) from None

    @classmethod
    def look(cls, folder):
        with walk_programs.Held(cls.walk, folder, OMP_DEBUG="enabled") as held:
            source = "-p", held.process.pid
            cls.members, cls.truth, cls.pid = held.members, held.truth, held.process.pid
            cls.sources = {"ompd": walk_answers.of_ompd(*source),
                           "GDB": walk_answers.of_gdb(held, "-p", str(held.process.pid))}
            cls.samples = [json.loads(line) for line in walk_programs.ompd(
                "top", "--json", "--count", 2, "--every", ".1", *source,
                *walk_programs.library()).stdout.splitlines()]
            cls.profile = walk_programs.ompd(
                "profile", "--format", "folded", "--per-thread", "--for", 1, "--rate", 10, *source,
                *walk_programs.library())
            cls.whole = walk_programs.ompd(held.process.pid, *walk_programs.library()).stdout
            core = held.core()
            cls.sources["ompd, core"] = walk_answers.of_ompd("--core", core)
            cls.sources["GDB, core"] = walk_answers.of_gdb(held, held.path, core)
            cls.of_core = [walk_programs.ompd(*arguments, *walk_programs.library()).stdout for arguments in (
                ("report", "--core", core, "--executable", held.path), (core,), (held.path, "-c", core))]
            cls.refused = {view: walk_programs.ompd(view, "--core", core, status=(64,)).stderr
                           for view in ("top", "profile")}

    def by_number(self, rows):
        """{thread number: row}, each of the thread that has said so."""
        found = {row["thread_num"]: row for row in rows if row["lwp"]}
        self.assertEqual({number: row["lwp"] for number, row in found.items()},
                         {number: one["lwp"] for number, one in self.members.items()})
        return found

    # ---- the function around the region, seen from a member -----------------------------------

    def outer(self):
        """{name: its value, None where flang's debug information has none}."""
        gone = self.walk.compiler == "flang"  # it describes arguments by what only the caller had
        return {"pass": None if gone else self.truth["pass"], "unused": self.truth["unused"]}

    @of_each
    def test_values_of_the_function_around(self, answers):
        if not answers.of_member:  # a command has no selected frame
            return
        printed, outer = answers.of_member["print"], answers.of_member["outer"]
        for name, value in self.outer().items():
            if value is None:
                self.assertRegex(printed[name][0], r"^\$\d+ = <optimized out>\n  in ")
                self.assertIn('"%s" is optimised out in ' % name, outer[name][1])
                continue
            self.assertRegex(printed[name][0], r"^\$\d+ = %d\n  in \S*work" % value)
            self.assertIn("LWP %d)" % self.members[0]["lwp"], printed[name][0])
            self.assertEqual(outer[name], [str(value), None])
        mine = "(300|<optimized out>)" if self.walk.optimised else "300"
        self.assertRegex(printed["mine"][0], r"^\$\d+ = %s\n  in \S*(member|work), .*\(LWP %d\)"
                         % (mine, self.members[3]["lwp"]))
        text, error = printed["shade"]
        if error and self.walk.optimised:  # `this` is gone
            self.assertIn("optimi", error)
        elif self.walk.compiler == "flang":  # it gives a variable of the host no place in there
            self.assertRegex(text, r"^\$\d+ = <optimized out>\n")
        else:
            self.assertRegex(text, r"^\$\d+ = %d\n" % self.truth["outer"])

    @of_each
    def test_up_into_the_function_around(self, answers):
        if answers.of_member:
            up = answers.of_member["up"]
            self.assertIsNone(up["said"][1])
            self.assertRegex(up["said"][0], r"^In thread \d+ \(LWP %d\), which created region \d+\. "
                             % self.members[0]["lwp"])
            self.assertEqual((up["lwp"], up["function"].rpartition("::")[2]),
                             (self.members[0]["lwp"], "work"))
            self.assertEqual({name: text for name, (text, _) in up["values"].items()},
                             {name: "<optimized out>" if value is None else str(value)
                              for name, value in self.outer().items()})

    # ---- loops ----------------------------------------------------------------------------------

    @of_each
    def test_loops(self, answers):
        rows = self.by_number(answers.documents["loops"]["loops"])
        left = walk_programs.ITERATIONS - EXECUTED
        for number, row in rows.items():
            self.assertEqual((row["schedule"], row["chunk"], row["left"]), ("dynamic", 3, left))
            if self.walk.records_chunks:
                self.has(row, self.members[number]["iteration"])
            else:
                self.no_chunks(row)
        self.assertIn("schedule(dynamic, 3)", answers.texts["loops"])
        self.assertRegex(answers.texts["loops"], r"\b%d are (left|not begun)" % left)

    def no_chunks(self, row):
        libgomp = self.walk.family == "gomp"
        self.assertEqual((row["has"], row["at"], row["next"]), (None, None, EXECUTED))
        self.assertEqual(row["unknown"]["has"], "%s does not record which chunk a member has"
                         % ("libgomp" if libgomp else "libomp"))
        self.assertEqual(row["iterations"], None if libgomp else walk_programs.ITERATIONS)
        self.assertEqual("iterations" in row["unknown"], libgomp)

    def has(self, row, iteration):
        # flang counts from 1, whatever the loop's variable begins with.
        self.assertEqual((row["first"], row["step"], row["iterations"]),
                         (int(self.walk.compiler == "flang"), 1, 100))
        at = row["first"] + iteration
        # All stop at the first one of a chunk.
        self.assertEqual(row["has"], {"first": at, "last": at + 2, "count": 3})
        if self.walk.compiler in ("clang", "clang++") and not self.walk.optimised:
            self.assertEqual((row["at"], row["source"]), (at, "frame"))
        else:
            self.assertIsNone(row["at"])
            self.assertIn("does not record it", row["unknown"]["at"])

    # ---- tasks ----------------------------------------------------------------------------------

    @of_each
    def test_why_tasks_are_not_taken(self, answers):
        ready = [row for row in answers.documents["tasks"]["tasks"] if row["state"] == "ready"]
        self.assertEqual(len(ready), walk_programs.TASKS)
        # gfortran's library handles the signal: the member that took it was in its handler.
        handled = answers.of_core and self.walk.compiler == "gfortran"
        for row in ready:
            why = row["not_taken"]
            self.assertEqual((why["reason"], why["computes"], why["system_call"]),
                             ("busy", 1, 1 if handled else 2), why)
            self.assertEqual((why["waits"], why["inside"]), (1, 0), why)
            self.assertEqual((why["queued"], row["creator_thread_num"]), (walk_programs.TASKS, 0))
        calls, rest = ("1 is in a system call", ", 1 does something else") if handled else \
            ("2 are in system calls", "")
        self.assertIn("all threads of the team do something else: 1 computes, %s, 1 waits for a lock or the "
                      "like%s." % (calls, rest), answers.texts["tasks"])

    # ---- what threads hold, and where they run -------------------------------------------------------

    @of_each
    def test_what_members_hold(self, answers):
        rows = self.by_number(answers.documents["threads"]["threads"])
        lock = rows[1]["wait"]["name"]
        self.assertEqual((rows[1]["wait"]["kind"], lock.rpartition(".")[2]), ("lock", "gate"))
        self.assertEqual(rows[1]["wait"]["at"]["line"], self.walk.line("WAITS"))
        self.assertEqual([rows[number]["holds"] for number in (1, 2, 3)], [[]] * 3)
        if self.walk.family == COMPANION:
            held, = rows[0]["holds"]
            self.assertEqual((held["name"], held["waiters"], held["certain"], held["taken_at"]["line"]),
                             (lock, 1, True, self.walk.line("TAKEN")))
            self.assertEqual(rows[1]["wait"]["owner_lwp"], self.members[0]["lwp"])
            self.assertIn("Listed as held are all locks, critical and ordered regions of OpenMP.",
                          answers.texts["threads"])
        else:
            self.assertEqual(rows[0]["holds"], [])
            self.assertIn("holds", rows[0]["unknown"])
            self.assertIsNone(rows[1]["wait"]["owner_lwp"])
            self.assertIn("wait.owner_lwp", rows[1]["unknown"])
            self.assertIn("Not all that threads hold is listed", answers.texts["threads"])

    @of_each
    def test_where_members_run(self, answers):
        rows = self.by_number(answers.documents["threads"]["threads"])
        for number, row in rows.items():
            said = self.members[number]
            allowed = None if answers.of_core else ",".join(map(str, said["processors"]))
            self.assertEqual(ranges(row["processor"]["allowed"]), allowed)
            self.assertEqual(row["processor"]["last"] in said["processors"], not answers.of_core)
            if row["place"] is None:
                self.assertNotEqual(self.walk.family, COMPANION)
                self.assertIn("place", row["unknown"])
            else:
                self.assertEqual(row["place"]["number"], said["place"])
            self.assertEqual(row["bind"], "close")
        self.findings(answers)

    def findings(self, answers):
        """Members that may run on one and the same processor only."""
        shared = {}
        for said in self.members.values():
            if len(said["processors"]) == 1 and not answers.of_core:
                shared.setdefault(said["processors"][0], set()).add(said["lwp"])
        found = {one["processor"]: set(one["lwps"]) for one in answers.documents["threads"]["findings"]
                 if one["kind"] == "same_processor"}
        self.assertEqual(found, {processor: lwps for processor, lwps in shared.items() if len(lwps) > 1})
        self.assertEqual("On which processors threads run is not in a core." in answers.texts["threads"],
                         answers.of_core)

    # ---- variables ------------------------------------------------------------------------------

    @of_each
    def test_a_variable_of_the_team(self, answers):
        said = {number: str(one["mine"]) for number, one in self.members.items()}
        rows = self.by_number(answers.documents["team"]["team"])
        for number, value in said.items():
            self.is_value(rows[number], value)
            if rows[number]["value"]:
                self.assertRegex(answers.texts["team"], r"\b%d +%s +in \S*(member|work)" % (number, value))

    @of_each
    def test_arguments_and_locals(self, answers):
        stacks = {one["lwp"]: one["frames"] for one in answers.documents["stacks"]["stacks"]}
        for said in self.members.values():
            found = self.locals_of(stacks[said["lwp"]], "member")
            for name, value in (("mine", said["mine"]), ("i", said["iteration"])) if found else ():
                self.is_value(found[name], str(value))
                self.assertTrue(found[name]["argument"])
        found = self.locals_of(stacks[self.members[0]["lwp"]], "work")
        for name, value in self.outer().items():
            self.is_value(found[name], None if value is None else str(value))
        self.assertIn("unused = %d" % self.truth["unused"], answers.texts["stacks"])

    def is_value(self, row, value):
        """Of optimised code it may be gone."""
        if row["value"] is None and (self.walk.optimised or value is None):
            self.assertRegex(row["why"], "only the caller had it|optimised out")
        else:
            self.assertEqual(row["value"], value)

    def locals_of(self, frames, function):
        """Of the outermost frame of it: its body may have the same name. {}: it is in none, inlined."""
        named = [one for one in frames if re.search(r"\b(_QF?P)?%s$" % function, one["function"] or "")]
        self.assertTrue(named or self.walk.optimised)
        return {one["name"]: one for one in named[-1]["locals"]} if named else {}

    # ---- samples ----------------------------------------------------------------------------------

    def test_top(self):
        first, last = (self.by_number(sample["threads"]) for sample in self.samples)
        for sample in self.samples:
            self.assertEqual(ompd_schema.problems(sample), [])
            self.assertNotIn("verdict", sample)
        for number in (0, 3):  # they have slept all the time
            self.assertLess(last[number]["usage"]["cpu_ns"], last[2]["usage"]["cpu_ns"])
            self.assertEqual(last[number]["activity"]["kind"], "signal")
        self.assertEqual(last[1]["wait"]["kind"], "lock")
        self.assertEqual((last[2]["activity"]["kind"], last[2]["activity"]["at"]["function"]),
                         ("computes", "stay_busy"))
        self.assertGreaterEqual(last[2]["usage"]["cpu_ns"], first[2]["usage"]["cpu_ns"])

    def test_profile(self):
        """All samples of a member are alike: it does one thing."""
        asleep = "stay_asleep;words.c:%d;[in pause]" % walk_programs.line_of(walk_programs.WORDS, "SLEEPS")
        busy = "stay_busy;words.c:%d;[computes]" % walk_programs.line_of(walk_programs.WORDS, "BUSY")
        waits = "%s:%d;[waits for lock %sgate]" % (
            os.path.basename(self.walk.source), self.walk.line("WAITS"),
            "solver." if self.walk.language == "c++" else "")
        samples = re.search(r"(\d+) samples? of 4 threads", self.profile.stderr)[1]
        lines = self.profile.stdout.splitlines()[1:]
        self.assertEqual(len(lines), len(self.members), lines)
        for number, end in enumerate((asleep, waits, busy, asleep)):
            line, = [one for one in lines if one.startswith("LWP %d" % self.members[number]["lwp"])]
            self.assertTrue(line.endswith(";%s %s" % (end, samples)), (line, end))
            pragma = "!$omp" if self.walk.language == "fortran" else "#pragma omp"
            self.assertIn("work;%s parallel at %s:" % (pragma, os.path.basename(self.walk.source)), line)

    def test_samples_of_a_core(self):
        for view, said in self.refused.items():
            self.assertIn("`ompd %s` looks at a living process: in a core no time goes by." % view, said)

    # ---- the obvious ----------------------------------------------------------------------------------

    def test_short_forms(self):
        self.assertEqual(self.of_core[0], self.of_core[2])
        self.assertEqual(self.of_core[0].splitlines()[1:], self.of_core[1].splitlines()[1:])
        self.assertRegex(self.whole, r"^Process %d\b" % self.pid)
        for said in self.members.values():
            self.assertIn(str(said["lwp"]), self.whole)
            self.assertIn(str(said["lwp"]), self.of_core[0])


def ranges(text):
    """"0-2,5" as "0,1,2,5"."""
    if text is None:
        return None
    numbers = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        numbers += range(int(low), int(high or low) + 1)
    return ",".join(map(str, numbers))


globals().update(walk_programs.cases("AtRest", AtRest))

if __name__ == "__main__":
    xmltest.main()
