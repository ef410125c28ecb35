# SPDX-License-Identifier: Apache-2.0
"""Every row runs on each runtime, and the rule that judges figures does what docs/benchmarks.md says, on
made-up ones. No measured time is judged."""

import argparse
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree as ET

import collected
import distance
import judge
import micro
import picture
import runtimes
import xmltest

_parser = argparse.ArgumentParser()
_parser.add_argument("--clang", required=True, type=os.path.abspath)
_parser.add_argument("--gcc", required=True, type=os.path.abspath)
_parser.add_argument("--distance", required=True, type=os.path.abspath)
runtimes.arguments(_parser)
OPTIONS = _parser.parse_args()
PROGRAMS = {"clang": OPTIONS.clang, "gcc": OPTIONS.gcc}
BOUND, FREE = judge.Setting(2, True), judge.Setting(4, False)
ROWS = 36  # as docs/benchmarks.md says
COST = {"fork-join": 2, "lock": 5, "omp_get_thread_num": 0.1}  # made up


class Rows(unittest.TestCase):
    """A test downloads no libomp: only the benchmark runs it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.notes = []
        options = argparse.Namespace(companion_library=OPTIONS.companion_library, libomp="none",
                                     release=False)
        found = micro.usable(runtimes.contenders(options, [], twice=True), PROGRAMS, folder.name, self.notes)
        self.contenders = {c.name: c for c in found}

    def check(self, name):
        self.assertIn(name, self.contenders, self.notes)
        contender = self.contenders[name]
        figures = micro.run(contender, PROGRAMS[contender.compiler], BOUND, samples=1, ms=1)
        self.assertEqual(len(figures), ROWS)
        self.assertLessEqual({*judge.INLINED_BY_GCC, *judge.TWO_CALLS}, set(figures))
        for row, (least, middle) in figures.items():
            self.assertLessEqual(least, middle, row)

    def test_companion_clang(self):
        self.check("companion-clang")

    def test_companion_gcc(self):
        self.check("companion-gcc")

    def test_libgomp(self):
        self.check("libgomp")

    def test_a_copy_of_libgomp(self):
        self.check("libgomp-again")

    def test_only_these_rows_and_not_bound(self):
        figures = micro.run(self.contenders["libgomp"], PROGRAMS["gcc"], FREE, samples=1, ms=1,
                            only="=lock-1thread,task-if0")
        self.assertEqual(set(figures), {"lock-1thread", "task-if0"})

    def test_what_cannot_run_is_told(self):
        broken = runtimes.Contender("broken", "gcc", "/dev/null")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(micro.usable([broken], PROGRAMS, folder, self.notes), [])
        self.assertIn("broken", self.notes[-1])


class Distance(unittest.TestCase):
    def test_a_reading(self):
        self.assertGreater(distance.read(OPTIONS.distance), 0)

    def test_place(self):
        self.assertEqual(distance.place([25.1, 60.0]), "near")
        self.assertEqual(distance.place([140.0, 200.0]), "far")
        self.assertEqual(distance.place([25.1, 140.0, 25.0]), "moved")


def comparison(name, libomps=("libomp19", "libomp-release")):
    names = ("companion-clang", "companion-gcc", "libgomp", "libgomp-again") + libomps
    found, = [c for c in judge.comparisons(names) if c.name == name]
    return found


class Rule(unittest.TestCase):
    def judge(self, name, row, setting=BOUND, **ns):
        rounds = [{key.replace("_", "-"): value[i] if isinstance(value, list) else value
                   for key, value in ns.items()} for i in range(10)]
        return judge.judge(comparison(name), row, setting, rounds)

    def test_gcc_has_libgomp_for_a_peer(self):
        j = self.judge("gcc", "barrier", companion_gcc=50.0, libgomp=100.0, libomp19=1.0)
        self.assertEqual((j["peer"], j["ratio"], j["verdict"]), ("libgomp", 0.5, "met"))

    def test_clang_has_the_better_peer(self):
        j = self.judge("clang, libomp19", "barrier", companion_clang=50.0, libgomp=100.0, libomp19=40.0)
        self.assertEqual((j["peer"], j["ratio"], j["verdict"]), ("libomp19", 1.25, "over"))
        j = self.judge("clang, libomp19", "barrier", companion_clang=50.0, libgomp=25.0, libomp19=40.0)
        self.assertEqual((j["peer"], j["ratio"]), ("libgomp", 2.0))

    def test_clang_has_no_libgomp_where_gcc_inlines(self):
        for row in ("for-static-nowait", "master", "omp_get_thread_num", "threadprivate-inc"):
            j = self.judge("clang, libomp-release", row, companion_clang=9.0, libgomp=1.0, libomp_release=9.0)
            self.assertEqual((j["peer"], j["ratio"]), ("libomp-release", 1.0))

    def test_the_interval_decides(self):
        high = [200.0] * 5 + [100.0] * 5
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=120.0, libgomp=100.0)["verdict"], "over")
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=high, libgomp=100.0)["verdict"], "open")
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=115.0, libgomp=100.0)["verdict"], "met")

    def test_two_calls(self):
        def goal(name, row, **ns):
            return self.judge(name, row, **ns)["goal"]

        clang = {"companion_clang": 12.0, "libgomp": 10.0, "libomp19": 20.0}
        self.assertEqual(goal("clang, libomp19", "task-serial", **clang), 1.3)
        self.assertEqual(goal("clang, libomp19", "task+taskwait", **clang), 1.15)
        self.assertEqual(goal("clang, libomp19", "task-serial", **dict(clang, libomp19=9.0)), 1.15)
        self.assertEqual(goal("gcc", "task-serial", companion_gcc=12.0, libgomp=10.0), 1.15)
        self.assertEqual(goal("clang, libomp19", "task-serial", setting=FREE, **clang), 1.2)

    def test_small_rows(self):
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=3.9, libgomp=2.0)["verdict"], "small")
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=4.1, libgomp=2.0)["verdict"], "over")
        self.assertEqual(self.judge("gcc", "lock", companion_gcc=2.0, libgomp=4.1)["verdict"], "met")

    def test_a_very_small_ratio_is_not_zero(self):
        self.assertGreater(self.judge("gcc", "lock", companion_gcc=20.0, libgomp=1e9)["ratio"], 0)

    def test_goals_of_the_mean(self):
        means = {c.name: c.mean for c in judge.comparisons(
            ["companion-clang", "companion-gcc", "libgomp", "libgomp-again", "libomp19", "libomp-release"])}
        self.assertEqual(means, {"gcc": 0.60, "clang, libomp19": 0.60, "clang, libomp-release": 0.65,
                                 "A/A": None})


class Report(unittest.TestCase):
    def setUp(self):
        self.figures = {name: {row: (c * k, c * k) for row, c in COST.items()}
                        for name, k in (("companion-clang", 10), ("companion-gcc", 8), ("libgomp", 10),
                                        ("libgomp-again", 11), ("libomp19", 20))}
        self.turns = [{"threads": 2, "bound": True, "places": dict.fromkeys(self.figures, place),
                       "distance": [ns], "round": 0, "others": 0.01, "figures": self.figures}
                      for place, ns in [("near", 25.0)] * 7 + [("far", 200.0)] * 6 + [("moved", 90.0)] * 2]

    def summaries(self, figures):
        found = judge.report(figures, BOUND, COST)["comparisons"]
        return {c["name"]: c["summary"] for c in found}

    def test_near_and_far_apart(self):
        near, far = micro.sections(self.turns)
        self.assertEqual((near["place"], near["rounds"], near["moved"]), ("near", [7, 7], 0.133))
        self.assertEqual((far["place"], far["rounds"]), ("far", [6, 6]))
        self.assertIn("200", far["distance"])
        micro.print_section(near)

    def test_a_process_at_another_place(self):
        turn = dict(self.turns[0], places=dict(self.turns[0]["places"], libgomp="moved"),
                    figures=dict(self.figures, libgomp={"lock": (1e9, 1e9)}))
        near, _ = micro.sections(self.turns + [turn] * 10)
        rounds = {c["name"]: {j["rounds"] for j in c["rows"]} for c in near["comparisons"]}
        self.assertEqual(rounds["gcc"], {7})
        self.assertEqual(near["ns"]["lock"]["libgomp"], 50)

    def test_disturbed_turns_are_left_out(self):
        bad = {name: {row: (1e6, 1e6) for row in f} for name, f in self.figures.items()}
        disturbed = dict(self.turns[0], others=0.4, figures=dict(bad, libgomp=self.figures["libgomp"]))
        near, _ = micro.sections(self.turns + [disturbed] * 15)
        self.assertEqual((near["rounds"], near["disturbed"]), ([7, 7], 0.5))
        self.assertEqual(near["ns"]["lock"]["companion-gcc"], 40)

    def test_settings_apart(self):
        free = [dict(t, threads=4, bound=False, places=dict.fromkeys(self.figures, "any"))
                for t in self.turns]
        self.assertEqual([(s["threads"], s["place"], s["rounds"]) for s in micro.sections(self.turns + free)],
                         [(2, "near", [7, 7]), (2, "far", [6, 6]), (4, "any", [15, 15])])

    def test_rows_of_several_turns(self):
        def only(row):
            return {name: {row: f[row]} for name, f in self.figures.items()}

        found = judge.report([only("lock")] * 9 + [only("fork-join")] * 6 + [only("omp_get_thread_num")] * 5,
                             BOUND, COST)
        self.assertEqual(list(found["ns"]), list(COST))
        self.assertEqual(({j["row"] for c in found["comparisons"] for j in c["rows"]}, found["rounds"]),
                         ({"lock", "fork-join"}, [6, 9]))  # the third has too few

    def test_every_row_has_its_turn(self):
        rows = [str(i) for i in range(ROWS)]
        for setting, size in ((BOUND, 1), (FREE, micro.FREE_ROWS)):
            turns = micro.turns(setting, rows)
            self.assertEqual(sum(turns, []), rows)
            self.assertEqual({len(t) for t in turns}, {size})

    def test_summary(self):
        total = self.summaries([self.figures] * 6)
        self.assertEqual((total["gcc"]["judged"], total["gcc"]["mean"], total["gcc"]["met"]), (2, 0.8, False))
        self.assertEqual(total["A/A"]["worst"]["ratio"], 1.1)
        self.assertIsNone(total["A/A"]["mean_goal"])
        self.assertEqual(total["A/A"]["unseen"], (1.0, 1.0))
        self.figures["companion-gcc"]["lock"] = (90.0, 90.0)
        total = self.summaries([self.figures] * 6)["gcc"]
        self.assertEqual((total["over"], total["worst"]["row"]), (["lock"], "lock"))
        self.assertIn("over: lock: missed", micro.sentence("gcc", total))

    def test_all_met(self):
        for row in self.figures["companion-gcc"]:
            self.figures["companion-gcc"][row] = (1.0, 1.0)
        self.assertTrue(self.summaries([self.figures] * 6)["gcc"]["met"])

    def test_a_runtime_is_missing(self):
        del self.figures["companion-gcc"]
        self.assertEqual(set(self.summaries([self.figures] * 6)), {"clang, libomp19", "A/A"})
        del self.figures["libgomp"]
        self.assertEqual(self.summaries([self.figures] * 6), {})

    def test_a_process_failed_in_one_round(self):
        broken = {name: f for name, f in self.figures.items() if name != "libgomp"}
        found = judge.report([self.figures] * 6 + [broken], BOUND, COST)["comparisons"]
        self.assertEqual({c["name"]: {j["rounds"] for j in c["rows"]} for c in found},
                         {"gcc": {6}, "A/A": {6}, "clang, libomp19": {6, 7}})  # 7: where libgomp is no peer

    def test_picture(self):
        root = ET.fromstring(picture.draw(micro.sections(self.turns), "a <machine>"))
        words = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        for row in ("fork-join", "lock", "omp_get_thread_num"):
            self.assertEqual(words.count(row), 2)
        self.assertTrue(any(w.endswith("missed") for w in words))


class Collected(unittest.TestCase):
    def test_rounds_of_two_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rounds.json")
            collected.Rounds(path, {"build": "a"}).add(1)
            second = collected.Rounds(path, {"build": "a"})
            second.add(2)
            second.write({"said": True})
            with open(path) as f:
                self.assertEqual(json.load(f), {"about": {"build": "a"}, "rounds": [1, 2],
                                                "report": {"said": True}})
            with self.assertRaises(SystemExit) as refused:
                collected.Rounds(path, {"build": "b"})
            self.assertIn("build", str(refused.exception))

    def test_fingerprint(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in "abc"]
            for path, words in zip(paths, ("one", "one", "two")):
                with open(path, "w") as f:
                    f.write(words)
            one, same, other = (collected.fingerprint([p]) for p in paths)
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)


if __name__ == "__main__":
    xmltest.main()
