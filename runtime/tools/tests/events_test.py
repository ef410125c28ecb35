# SPDX-License-Identifier: Apache-2.0
"""Every callback of OMPT with its arguments, as events_program.c causes it: compared line by line with what
events_expected.txt says, for each compiler, and docs/tools.md's table with both.

    events_test.py EXPECTED SOURCE TOOLS.MD PROGRAM...
"""
import os
import re
import subprocess
import sys
import unittest

import events_trace
import xmltest

EXPECTED, SOURCE, TABLE = sys.argv[1:4]
PROGRAMS = {re.search(r"_([a-z0-9]+)\.exe$", path).group(1): os.path.abspath(path)
            for path in sys.argv[4:] if "events_program" in path and path.endswith(".exe")}
ENTRIES = [os.path.abspath(path) for path in sys.argv[4:] if "entries_program" in path
           and path.endswith(".exe")]
del sys.argv[1:]

# What a compiler translates without a call of the runtime, or what the program cannot ask it for.
NOT_FROM = {"clang": {"error"}, "clang19": set(), "gcc": {"masked", "flush", "reduction"}}


def expected(compiler):
    """{section: (function, [line])}"""
    sections = {}
    with open(EXPECTED) as f:
        for line in f.read().splitlines():
            if line.startswith("#"):
                continue
            if line.startswith("== "):
                name, function = re.fullmatch(r"== (.*?)( <\w+>)?", line).groups()
                sections[name] = (function and function.strip(), [])
                last = sections[name][1]
                continue
            only, text = re.fullmatch(r"(?:([a-z0-9,]+): )?(.*)", line).groups()
            if only is None or compiler in only.split(","):
                last.append(text)
    return sections


def run(compiler, **env):
    done = subprocess.run([PROGRAMS[compiler]], env=dict(os.environ, OMP_CANCELLATION="true", **env),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError("%d\n%s%s" % (done.returncode, done.stdout, done.stderr))
    return done.stdout


class Events(unittest.TestCase):
    maxDiff = None

    def test_programs(self):
        self.assertEqual(sorted(PROGRAMS), sorted(NOT_FROM))

    def check(self, compiler):
        by_line = compiler != "gcc"
        wanted = expected(compiler)
        for policy in ("passive", "active", "passive"):
            seen = events_trace.canonical(run(compiler, OMP_WAIT_POLICY=policy), PROGRAMS[compiler], SOURCE,
                                          by_line)
            for name, (function, lines) in wanted.items():
                with self.subTest(compiler, section=name, policy=policy):
                    got = seen.pop(name, [])
                    if not by_line:
                        for place in events_trace.SOMETHING.findall("\n".join(got)):
                            self.assertEqual(place, function)
                        got, lines = ([events_trace.SOMETHING.sub("<>", line) for line in each]
                                      for each in (got, lines))
                    self.assertEqual("\n".join(got), "\n".join(lines))
            self.assertEqual(seen, {})

    def test_clang(self):
        self.check("clang")

    def test_clang19(self):
        self.check("clang19")

    def test_gcc(self):
        self.check("gcc")


class Entries(unittest.TestCase):
    """What entries_program.c checks of the functions that look-up gives."""

    def test_entries(self):
        self.assertEqual(len(ENTRIES), 2)
        for program in ENTRIES:
            cpus = ["{%d}" % cpu for cpu in sorted(os.sched_getaffinity(0))]
            for places in ({}, {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"},
                           {"OMP_PLACES": ",".join(cpus + cpus), "OMP_PROC_BIND": "spread"}):
                with self.subTest(os.path.basename(program), **places):
                    done = subprocess.run([program], env=dict(os.environ, **places), stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)
                    self.assertEqual((done.returncode, done.stdout), (0, "all is so\n"))


class Table(unittest.TestCase):
    """docs/tools.md says which callbacks come never, sometimes, always."""

    def rows(self):
        with open(TABLE) as f:
            text = f.read().split("## Events by compiler")[1]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
                if line.startswith("| ") and "callback" not in line.split("|")[1]]
        self.assertGreater(len(rows), 10)
        return rows

    def test_what_comes_is_what_the_table_says(self):
        answers = {}
        for names, answer, *_ in self.rows():
            for name in names.split(":")[0].split(","):
                self.assertEqual(answers.setdefault(name.strip(), answer), answer)
        answers.update({"%s_%s" % (name, end): answers[name] for name in ("thread", "parallel")
                        for end in ("begin", "end")})
        for name in ("thread", "parallel"):
            del answers[name]
        always = {name for name, answer in answers.items() if answer == "always"}
        sometimes = {name for name, answer in answers.items() if answer == "sometimes"}
        never = {name for name, answer in answers.items() if answer == "never"}
        for compiler in PROGRAMS:
            came = set(re.findall(r"(?m)^T\d+ ([a-z_]+)", run(compiler))) - {"here"}
            self.assertEqual(came & never, set())
            self.assertEqual(came - always - sometimes, set())
            self.assertEqual(sometimes - came, NOT_FROM[compiler] & sometimes)
            self.assertEqual(always - came, NOT_FROM[compiler] - sometimes)


if __name__ == "__main__":
    xmltest.main()
