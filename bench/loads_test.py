# SPDX-License-Identifier: Apache-2.0
"""Each load runs on Companion and on libgomp and checks its own result; the report is right on made-up
figures. No time is judged."""

import argparse
import contextlib
import io
import tempfile
import unittest

import common
import loads
import runtimes
import xmltest

_parser = argparse.ArgumentParser()
loads.arguments(_parser)
OPTIONS = _parser.parse_args()
PARTS = 2  # of each load: no time is looked at
LOCKS = {"locks-before", "locks-other-after", "locks-after"}


class Loads(unittest.TestCase):
    def check(self, wanted):
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none",
                                     release=False)
        contender, = [c for c in runtimes.contenders(options, []) if c.name == wanted]
        program = loads.paths(OPTIONS)[contender.compiler]
        with tempfile.TemporaryDirectory() as folder:
            contender.prepare(folder)
            self.assertTrue(contender.takes_its_library(program))
            for name in loads.LOADS:
                with self.subTest(name):
                    figures = loads.run(contender, program, name, PARTS)
                    self.assertEqual(set(figures), LOCKS if name == "locks" else {name})
                    self.assertGreater(min(figures.values()), 0)

    def test_companion_clang(self):
        self.check("companion-clang")

    def test_companion_gcc(self):
        self.check("companion-gcc")

    def test_libgomp(self):
        self.check("libgomp")

    def test_a_load_that_it_does_not_have(self):
        with self.assertRaisesRegex(runtimes.Unusable, "ended with 64"):
            runtimes.Contender("libgomp", "gcc").run([loads.paths(OPTIONS)["gcc"], "nothing"])


def turns(count=6, beside=0, others=0.0, **ms):
    """COUNT turns of the load "depend" in which contenders take so many ms; a list: by turn."""
    return [{"load": "depend", "beside": beside, "others": others,
             "figures": {name.replace("_", "-"): {"depend": v[i] if isinstance(v, list) else v}
                         for name, v in ms.items()}} for i in range(count)]


class Report(unittest.TestCase):
    def compared(self, title, some, most=common.DISTURBED):
        section, = loads.sections(some, most)
        return section["rows"]["depend"]["compared"][title]

    def test_ratio_is_of_the_same_compilers_code(self):
        some = turns(companion_gcc=2.0, companion_clang=3.0, libgomp=4.0, libgomp_again=5.0, libomp14=6.0,
                     libomp19=12.0)
        self.assertEqual({title: self.compared(title, some)["ratio"]
                          for title in ("libgomp", "libomp14", "libomp19", "A/A")},
                         {"libgomp": 0.5, "libomp14": 0.5, "libomp19": 0.25, "A/A": 1.25})

    def test_the_whole_interval_decides(self):
        def word(ours):
            return self.compared("libgomp", turns(companion_gcc=ours, libgomp=10.0))["word"]

        self.assertEqual((word(9.0), word(11.0), word(10.0)), ("ahead", "behind", "level"))
        self.assertEqual(word([9.0, 9.0, 9.0, 11.0, 11.0, 11.0]), "level")
        self.assertEqual(self.compared("libgomp", turns(5, companion_gcc=9.0, libgomp=10.0))["word"], "few")

    def test_disturbed_turns_are_left_out(self):
        some = turns(companion_gcc=2.0, libgomp=4.0) + turns(others=0.3, companion_gcc=40.0, libgomp=4.0)
        self.assertEqual(self.compared("libgomp", some)["ratio"], 0.5)
        self.assertEqual(self.compared("libgomp", some, 0.5)["rounds"], 12)
        self.assertEqual(loads.sections(some, 0.1)[0]["left_out"], 6)

    def test_a_process_failed_in_one_turn(self):
        some = turns(companion_gcc=2.0, libgomp=4.0) + turns(1, libgomp=4.0)
        self.assertEqual(self.compared("libgomp", some)["rounds"], 6)

    def test_alone_and_beside_others_are_told_apart(self):
        some = turns(companion_gcc=2.0, libgomp=4.0) + turns(beside=2, companion_gcc=8.0, libgomp=4.0)
        alone, beside = loads.sections(some, 0.1)
        self.assertEqual([one["rows"]["depend"]["compared"]["libgomp"]["ratio"] for one in (alone, beside)],
                         [0.5, 2.0])
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            loads.print_section(alone)
            loads.print_section(beside)
        self.assertIn("ahead in 1 (depend)", out.getvalue())
        self.assertIn("beside 2 programs", out.getvalue())
        self.assertIn("behind in 1 (depend)", out.getvalue())

    def test_rows_of_a_load(self):
        self.assertEqual(loads.parse("tokens 12.5\n", "tokens-4"), {"tokens-4": 12.5})
        self.assertEqual(loads.parse("locks-before 1.5\nlocks-after 2.5\n", "locks"),
                         {"locks-before": 1.5, "locks-after": 2.5})


if __name__ == "__main__":
    xmltest.main()
