# SPDX-License-Identifier: Apache-2.0
"""Environment variables, places, binding and their display, seen by a program that was linked with libgomp.

What is expected stands in the tables below and comes from the specification. Where libgomp gives the same
facts, the probe runs on the system's libgomp too, as an independent peer; hwloc, where installed, tells which
cores there are.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, PROBE = sys.argv[1:3]

INT_MAX = 2147483647
CPUS = sorted(os.sched_getaffinity(0))
VARIABLE = re.compile(r"G?OMP_|KMP_|LIBOMP_")


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def places(*sets):
    return "places " + " ".join(",".join(map(str, cpus)) for cpus in sets)


# Each row: the variables, then lines that the probe must print, and nothing on stderr.
GOOD = [
    ({"OMP_NUM_THREADS": "3"}, "max_threads 3", "level1 3 0", "max_active_levels 1"),
    ({"OMP_NUM_THREADS": " 4 , 3,2 "}, "max_threads 4", "level1 3 0", "level2 2",
     "max_active_levels %d" % INT_MAX),
    ({"OMP_NUM_THREADS": "4,3", "OMP_MAX_ACTIVE_LEVELS": "1"}, "level1 3 0", "max_active_levels 1"),
    ({"OMP_NUM_THREADS": "2,3"}, "level1 3 0", "level2 3"),
    ({"OMP_NUM_THREADS_ALL": "5"}, "max_threads 5"),
    ({"OMP_NUM_THREADS_ALL": "5", "OMP_NUM_THREADS": "3"}, "max_threads 3"),
    ({"OMP_NUM_THREADS_DEV": "7", "OMP_NUM_THREADS_DEV_0": "x"}, "max_threads default"),
    ({"OMP_CANCELLATION_ALL": "true"}, "cancellation 0"),
    ({"OMP_DYNAMIC": "true"}, "dynamic 1"),
    ({"OMP_DYNAMIC": " FALSE "}, "dynamic 0"),
    ({"OMP_DYNAMIC_ALL": "True"}, "dynamic 1"),
    ({"OMP_DYNAMIC": "1"}, "dynamic 1"),  # libomp's users
    ({"OMP_NESTED": "true"}, "max_active_levels %d" % INT_MAX),
    ({"OMP_NESTED": "true", "OMP_MAX_ACTIVE_LEVELS": "3"}, "max_active_levels 3"),
    ({"OMP_MAX_ACTIVE_LEVELS": "0"}, "max_active_levels 0"),
    ({"OMP_THREAD_LIMIT": "9"}, "thread_limit 9"),
    ({"OMP_THREAD_LIMIT_ALL": "9"}, "thread_limit 9"),
    ({"KMP_ALL_THREADS": "8"}, "thread_limit 8"),
    ({"KMP_DEVICE_THREAD_LIMIT": "8", "OMP_THREAD_LIMIT": "5"}, "thread_limit 5"),
    ({"OMP_SCHEDULE": "dynamic"}, "schedule 2,1"),
    ({"OMP_SCHEDULE": "static_steal,6"}, "schedule 2,6"),  # libomp's users
    ({"OMP_SCHEDULE": "guided,4"}, "schedule 3,4"),
    ({"OMP_SCHEDULE": " Static , 7 "}, "schedule 1,7"),
    ({"OMP_SCHEDULE": "auto"}, "schedule 4,1"),
    ({"OMP_SCHEDULE": "monotonic:dynamic,3"}, "schedule 2 monotonic,3"),
    ({"OMP_SCHEDULE": "nonmonotonic : guided , 2"}, "schedule 3,2"),
    ({"OMP_SCHEDULE_ALL": "guided"}, "schedule 3,1"),
    ({"OMP_CANCELLATION": "true"}, "cancellation 1"),
    ({"OMP_MAX_TASK_PRIORITY": "42"}, "max_task_priority 42"),
    ({"OMP_DEFAULT_DEVICE": "3"}, "default_device 3"),
    ({"OMP_DEFAULT_DEVICE": "initial"}, "default_device 0"),
    ({"OMP_NUM_TEAMS": "6"}, "max_teams 6"),
    ({"OMP_NUM_TEAMS_ALL": "6"}, "max_teams 6"),
    ({"OMP_TEAMS_THREAD_LIMIT": "5"}, "teams_thread_limit 5"),
    ({"OMP_ALLOCATOR": "omp_high_bw_mem_alloc"}, "allocator 4"),
    ({"OMP_AFFINITY_FORMAT": " As %n is "}, "affinity_format  As %n is "),
    ({"OMP_STACKSIZE": "2000500B"}, "stacksize 2000500"),
    ({"OMP_STACKSIZE": "3000 k "}, "stacksize 3072000"),
    ({"OMP_STACKSIZE": "20000"}, "stacksize 20480000"),
    ({"OMP_STACKSIZE_ALL": "1m"}, "stacksize 1048576"),
    ({"GOMP_STACKSIZE": "3000"}, "stacksize 3072000"),
    ({"GOMP_STACKSIZE": "3000", "OMP_STACKSIZE": "1m"}, "stacksize 1048576"),
    ({"KMP_STACKSIZE": "4096k", "OMP_STACKSIZE": "1m"}, "stacksize 4194304"),
    ({"KMP_STACKSIZE": "65536"}, "stacksize 65536"),
    ({"KMP_BLOCKTIME": "30"}, "blocktime 30"),
    ({"KMP_BLOCKTIME": "infinite"}, "blocktime %d" % INT_MAX),
    ({"KMP_BLOCKTIME": "0"}, "blocktime 0"),
    ({"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10k", "KMP_LIBRARY": "turnaround"},
     "max_threads default"),
    ({"KMP_LIBRARY": "serial", "OMP_NUM_THREADS": "4"}, "thread_limit 1"),
    ({"OMP_TARGET_OFFLOAD": "disabled", "OMP_TOOL": "disabled", "OMP_TOOL_LIBRARIES": "/x:/y",
      "OMP_DEBUG": "disabled", "OMP_TOOL_VERBOSE_INIT": "disabled", "OMP_DISPLAY_ENV": "false",
      "OMP_DISPLAY_AFFINITY": "false"},
     "max_threads default"),
    # Unknown ones pass, and so do those that tune the peers' internals.
    ({"OMP_NUM_THREAD": "x", "KMP_HOT_TEAMS_MAX_LEVEL": "2", "KMP_HOT_TEAMS_MODE": "1", "GOMP_DEBUG": "0",
      "KMP_TEAMS_THREAD_LIMIT": "4"}, "teams_thread_limit 4"),
    ({}, "proc_bind 0", "dynamic 0", "max_active_levels 1", "thread_limit %d" % INT_MAX, "cancellation 0",
     "max_task_priority 0", "default_device 0", "max_teams 0", "teams_thread_limit 0", "allocator 1",
     "num_procs %d" % len(CPUS)),
    ({"OMP_PROC_BIND": "false"}, "proc_bind 0"),
    ({"OMP_PROC_BIND": "true"}, "proc_bind 1", "place_num 0", places(*[[c] for c in CPUS])),
    ({"OMP_PROC_BIND": "spread,close", "OMP_NUM_THREADS": "1"}, "proc_bind 4", "level1 1 3",
     "max_active_levels %d" % INT_MAX),
    ({"OMP_PROC_BIND": "master"}, "proc_bind 2"),
    ({"OMP_PROC_BIND_ALL": "primary"}, "proc_bind 2"),
    ({"OMP_PROC_BIND": "false", "OMP_PLACES": "threads"}, "proc_bind 0", "place_num -1",
     places(*[[c] for c in CPUS])),
    ({"KMP_AFFINITY": "none", "OMP_PROC_BIND": "true"}, "proc_bind 0"),
    ({"KMP_AFFINITY": "disabled"}, "proc_bind 0"),
    ({"KMP_AFFINITY": "noverbose,warnings,granularity=fine,compact"}, "proc_bind 1",
     places(*[[c] for c in CPUS])),
    ({"KMP_AFFINITY": "granularity=fine,compact,0,1"}, places(*[[c] for c in CPUS[1:] + CPUS[:1]])),
    ({"KMP_HW_SUBSET": "1s,1c,1t"}, "max_threads 1", "num_procs 1"),
]
# With two processors at hand, a and b: sets of places.
A, B = (CPUS + CPUS)[:2]
PLACES = [
    ("{%d},{%d}" % (A, B), [A], [B]),
    ("{%d},{%d}" % (B, A), [B], [A]),
    ("%d,%d" % (B, A), [B], [A]),
    ("{%d,%d}" % (B, A), [A, B]),
    ("{%d,%d,!%d}" % (A, B, A), [B]),
    ("{%d},{%d,%d},!{%d}" % (A, A, B, A), [A, B]),
    ("{%d}:2:%d" % (A, B - A), [A], [B]),
    ("{%d}:2:%d" % (B, A - B), [B], [A]),
    ("{%d:2:%d}" % (B, A - B), [A, B]),
    ("threads(1)", [A]),
    ("threads ( 9 )", *[[c] for c in CPUS]),
]
# A bad value: what it leaves, and that the variable is named on stderr.
BAD = [
    (name, value, fact)
    for name, values, fact in (
        ("OMP_NUM_THREADS", ["0", "-1", "3,", "four", "", "2,0", "1;2", "1.5"], "max_threads default"),
        ("OMP_DYNAMIC", ["maybe", "2", "true false", ""], "dynamic 0"),
        ("OMP_SCHEDULE",
         ["static,0", "dynamic,-1", "fair", "dynamic,4,5", "monotonic:", "monotonic,4", ":static"],
         "schedule 1,0"),
        ("OMP_MAX_ACTIVE_LEVELS", ["-1", "x"], "max_active_levels 1"),
        ("OMP_THREAD_LIMIT", ["0", "many"], "thread_limit %d" % INT_MAX),
        ("OMP_PROC_BIND", ["true,close", "near", "close,", "spread close", "false,spread"], "proc_bind 0"),
        ("OMP_PLACES", ["{0", "cores(0)", "{-1}", "chairs", "{0}:0", "!{0}", "{8000}"], "proc_bind 0"),
        ("OMP_CANCELLATION", ["enabled"], "cancellation 0"),
        ("OMP_MAX_TASK_PRIORITY", ["-1"], "max_task_priority 0"),
        ("OMP_DEFAULT_DEVICE", ["-1", "gpu"], "default_device 0"),
        ("OMP_NUM_TEAMS", ["0"], "max_teams 0"),
        ("OMP_TEAMS_THREAD_LIMIT", ["0"], "teams_thread_limit 0"),
        ("OMP_ALLOCATOR", ["omp_no_alloc"], "allocator 1"),
        ("OMP_WAIT_POLICY", ["lazy"], "dynamic 0"),
        ("OMP_STACKSIZE", ["1B", "x", "1X", "-4M", "10 20"], "dynamic 0"),
        ("OMP_TARGET_OFFLOAD", ["never"], "dynamic 0"),
        ("OMP_DISPLAY_ENV", ["loud"], "dynamic 0"),
        ("OMP_DISPLAY_AFFINITY", ["3"], "dynamic 0"),
        ("OMP_TOOL", ["true"], "dynamic 0"),
        ("OMP_DEBUG", ["1"], "dynamic 0"),
        ("GOMP_CPU_AFFINITY", ["x", "2-1", "8000"], "proc_bind 0"),
        ("GOMP_SPINCOUNT", ["x", "3q"], "dynamic 0"),
        ("KMP_BLOCKTIME", ["-1", "3 weeks"], "blocktime 200"),
        ("KMP_AFFINITY", ["sideways", "compact,scatter", "explicit", "granularity=pin,compact"],
         "proc_bind 0"),
        ("KMP_HW_SUBSET", ["999s", "1q", "1c:eff0"], "num_procs %d" % len(CPUS)),
        ("KMP_LIBRARY", ["fast"], "thread_limit %d" % INT_MAX),
    ) for value in values
]
# Formats: what one thread alone prints, what thread 1 of two does.
FORMATS = [
    ("%n", "0", "1"), ("%{thread_num}", "0", "1"), ("%N|%{num_threads}", "1|1", "2|2"),
    ("%L|%{nesting_level}", "0|0", "1|1"), ("%a|%{ancestor_tnum}", "-1|-1", "0|0"),
    ("%t|%T|%{team_num}|%{num_teams}", "0|1|0|1", "0|1|0|1"),
    ("<%4n>", "<0   >", "<1   >"), ("<%.4n>", "<   0>", "<   1>"), ("<%0.4n>", "<0000>", "<0001>"),
    ("<%0.4a>", "<-001>", "<0000>"), ("100%%", "100%", "100%"), ("plain", "plain", "plain"),
]


class Environment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.probe = os.path.join(cls.scratch, "probe")
        run("gcc", "-fopenmp", "-O1", PROBE, "-o", cls.probe, "-ldl")
        cls.companion = os.path.join(cls.scratch, "lib")
        os.mkdir(cls.companion)
        for name in ("libgomp.so.1", "libomp.so.5"):
            os.symlink(os.path.abspath(LIBRARY), os.path.join(cls.companion, name))
        # All processors, or fewer where a cgroup's quota allows less (places_test reads quotas).
        cls.default = re.search(r"max_threads (\d+)", cls.start(cls, {}).stdout).group(1)

    def facts(self, facts):
        return [fact.replace("default", self.default) if fact == "max_threads default" else fact
                for fact in facts]

    def test_by_default_there_is_a_thread_for_each_processor_at_most(self):
        self.assertIn(int(self.default), range(1, len(CPUS) + 1))

    def start(self, variables, *arguments, peer=False, prefix=(), probe=None):
        environment = {k: v for k, v in os.environ.items() if not VARIABLE.match(k)}
        environment.pop("LD_LIBRARY_PATH", None)
        if not peer:
            environment["LD_LIBRARY_PATH"] = self.companion
        environment.update(variables)
        return subprocess.run([*prefix, probe or self.probe, *arguments], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)

    def lines(self, variables, *arguments, **options):
        done = self.start(variables, *arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout, "the probe says nothing")
        return done.stdout.splitlines()

    def test_the_probe_runs_on_companion(self):
        self.assertIn(self.companion,
                      run("ldd", self.probe, env=dict(os.environ, LD_LIBRARY_PATH=self.companion)))

    def test_values(self):
        for variables, *facts in GOOD:
            with self.subTest(variables):
                told = self.lines(variables)
                for fact in self.facts(facts):
                    self.assertIn(fact, told)

    def test_bad_values_are_named_and_have_no_effect(self):
        for name, value, fact in BAD:
            with self.subTest("%s='%s'" % (name, value)):
                done = self.start({name: value})
                self.assertEqual(done.returncode, 0)
                self.assertIn(*self.facts([fact]), done.stdout.splitlines())
                self.assertRegex(done.stderr, r"\Aompcompanion: warning: %s\b[^\n]*\n\Z" % name)
                self.assertIn("'%s'" % value, done.stderr)

    def test_kmp_warnings_silences(self):
        for value in ("0", "false"):
            done = self.start({"KMP_WARNINGS": value, "OMP_NUM_THREADS": "x", "GOMP_SPINCOUNT": "x"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_places(self):
        for value, *sets in PLACES:
            with self.subTest(value):
                self.assertIn(places(*sets), self.lines({"OMP_PLACES": value}))
                self.assertIn(places(*sets), self.lines({"OMP_PLACES": value}, peer=True))

    def test_places_that_are_not_there_are_dropped_with_a_warning(self):
        done = self.start({"OMP_PLACES": "{%d},{8000}" % A})
        self.assertIn(places([A]), done.stdout.splitlines())
        self.assertIn("OMP_PLACES: 1 of 2 places", done.stderr)

    def test_the_affinity_mask_is_honoured(self):
        if len(CPUS) < 2:
            self.skipTest("one processor")
        told = self.lines({"OMP_PROC_BIND": "true"}, prefix=("taskset", "-c", str(B)))
        for fact in ("max_threads 1", "num_procs 1", places([B])):
            self.assertIn(fact, told)
        done = self.start({"OMP_PLACES": "{%d}" % A}, prefix=("taskset", "-c", str(B)))
        self.assertIn("proc_bind 0", done.stdout.splitlines())
        self.assertIn("none of its processors may be used", done.stderr)

    def test_cores_and_sockets_are_those_of_hwloc(self):
        source = os.path.join(self.scratch, "truth.c")
        with open(source, "w") as out:
            out.write(HWLOC)
        truth = os.path.join(self.scratch, "truth")
        if shutil.which("gcc") is None or subprocess.run(["gcc", source, "-o", truth, "-lhwloc"],
                                                         stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("hwloc's development files are not installed")
        for line in run(truth).splitlines():
            name, *sets = line.split()
            with self.subTest(name):
                self.assertEqual(sorted(sets), sorted(self.places_of(name)))

    def places_of(self, name):
        return next(line for line in self.lines({"OMP_PLACES": name})
                    if line.startswith("places")).split()[1:]

    def test_threads_are_where_libgomp_puts_them(self):
        # Numbers that divide evenly: libgomp puts a remainder where the specification does not (places_test
        # has those).
        two = "{%d},{%d}" % (A, B)
        six = ",".join([two] * 3)
        for variables, arguments in [
                ({"OMP_PLACES": two}, ("team", "2")),
                ({"OMP_PLACES": two}, ("team", "6")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "close"}, ("team", "4")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "close"}, ("team", "12")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread"}, ("team", "4")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread"}, ("team", "12")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "primary"}, ("team", "4")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread,close"}, ("spread", "2", "2")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread,close"}, ("spread", "2", "6")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread,spread"}, ("spread", "2", "2")),
                ({"OMP_PLACES": six, "OMP_PROC_BIND": "spread,primary"}, ("spread", "4", "2")),
                ({"OMP_PROC_BIND": "true"}, ("team", "0")),
                ({"GOMP_CPU_AFFINITY": "%d %d" % (B, A)}, ("team", "2")),
                ({"GOMP_CPU_AFFINITY": "%d,%d" % (A, B)}, ("team", "4"))]:
            with self.subTest("%s %s" % (variables, arguments)):
                variables["OMP_MAX_ACTIVE_LEVELS"] = "2"
                mine, theirs = (sorted(self.lines(variables, *arguments, peer=peer))
                                for peer in (False, True))
                self.assertEqual(mine, theirs)

    def test_kmp_affinity_goes_round_the_places(self):
        told = self.lines({"KMP_AFFINITY": "explicit,granularity=fine,proclist=[%d,%d]" % (B, A)}, "team",
                          "3")
        self.assertEqual(sorted(told), ["thread 0.0 place 0 partition 0+2 cpus %d" % B,
                                        "thread 1.1 place 1 partition 0+2 cpus %d" % A,
                                        "thread 2.2 place 0 partition 0+2 cpus %d" % B])

    def test_formats(self):
        for form, alone, team in FORMATS:
            with self.subTest(form):
                told = self.lines({}, "format", form)
                self.assertEqual(told,
                                 ["alone %d %s" % (len(alone), alone), "cut %d %s" % (len(alone), alone[:3]),
                                        "team " + team])
                self.assertEqual(told, self.lines({}, "format", form, peer=True))
        for form in ("%Z", "%{nothing}", "%"):
            self.assertIn("alone 9 undefined", self.lines({}, "format", form))
        self.assertIn("alone 12 < undefined>", self.lines({}, "format", "<%.10Z>"))

    def test_formats_of_the_process(self):
        host, pid, tid, cpus = self.lines({}, "format", "%H %P %i %A")[0].split()[2:]
        self.assertEqual(host, os.uname().nodename)
        self.assertEqual(pid, tid)  # the initial thread's kernel id
        self.assertRegex(cpus, r"\A\d+([-,]\d+)*\Z")
        bound = self.lines({"OMP_PLACES": "{%d}" % B}, "format", "%A")[0]
        self.assertEqual(bound, "alone %d %d" % (len(str(B)), B))

    def test_affinity_is_displayed_once_for_each_change(self):
        done = self.start({"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "at %n of %N"}, "regions")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(sorted(done.stderr.splitlines()),
                         ["at %d of %d" % (i, n) for i in range(3) for n in (2, 3) if i < n])

    def test_affinity_of_all_threads_is_displayed_when_a_region_differs_from_the_one_before(self):
        """What a thread led before counts: the outer region is shown again behind inner ones, a second equal
        inner one is not."""
        done = self.start({"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "%L: %n of %N",
                           "OMP_PROC_BIND": "false"},
                          "nests")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        outer, inner = ["1: %d of 2" % i for i in range(2)], ["2: %d of 3" % i for i in range(3)]
        # Thread 0 leads outer, inner, inner, outer, inner, inner, outer, outer; the other one inner ones
        # alone.
        self.assertEqual(sorted(done.stderr.splitlines()), sorted(outer * 3 + inner * 2 + inner))

    def test_display_routines(self):
        done = self.start({}, "display")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        lines = done.stderr.splitlines()
        self.assertEqual(lines[:4], ["set 0", "own 1", "", "OPENMP DISPLAY ENVIRONMENT BEGIN"])

    def test_libomps_routines(self):
        done = self.start({}, "libomp", str(B))
        everything = "".join(" %d" % cpu for cpu in CPUS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            "fortran [as %n       ] c 7 [as %n  ]", "capture 1 [0           ] 4 [of 1]", "shown 0", "of 1",
            "mask is" + everything, "set 0 %d" % B, "back 1" + everything, "bad -1 -1", "known 1 cancelled 0",
            "defaults 7 3,3 11", "set 5 1048576 %d 4294967296" % INT_MAX, "serial 1 1", "throughput 3 7"])
        self.assertRegex(done.stderr, r"\Aompcompanion: warning: kmp_set_stacksize\(2\)[^\n]*\n\Z")

    def test_a_clause_is_the_policy_of_regions_inside(self):
        """libgomp's way, for gcc's programs."""
        for bind in ("true", "close", "master", "close,spread", "spread,close,master", "false"):
            seen = self.lines({"OMP_PROC_BIND": bind}, "policies")
            self.assertEqual(seen, self.lines({"OMP_PROC_BIND": bind}, "policies", peer=True), bind)
        self.assertEqual(self.lines({"OMP_PROC_BIND": "close"}, "policies"),
                         ["clause 4", "inside 4", "alone 3", "plain 3"])

    def test_target_offload_mandatory(self):
        """Without a device the host runs a target region only if it was asked for."""
        offload = {"OMP_TARGET_OFFLOAD": "mandatory"}
        for how in ("1", "2", "3"):
            self.assertEqual(self.lines(offload, "target", how), ["target 1"])
        self.assertEqual(self.lines(dict(offload, OMP_DEFAULT_DEVICE="0"), "target", "0"), ["target 1"])
        done = self.start(offload, "target", "0")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertIn("OMP_TARGET_OFFLOAD is set to MANDATORY", done.stderr)

    def test_display_env(self):
        done = self.start({"OMP_DISPLAY_ENV": "true", "OMP_NUM_THREADS": "2,3",
                           "OMP_SCHEDULE": "monotonic:guided,5", "OMP_PROC_BIND": "spread,primary",
                           "OMP_PLACES": "{%d},{%d}" % (A, B), "OMP_STACKSIZE": "2m",
                           "OMP_WAIT_POLICY": "active", "OMP_CANCELLATION": "true",
                           "OMP_TARGET_OFFLOAD": "mandatory", "OMP_AFFINITY_FORMAT": "as %n"}, "team", "1")
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(lines[:2], ["", "OPENMP DISPLAY ENVIRONMENT BEGIN"])
        self.assertRegex(lines[2], r"\A  _OPENMP = '20\d{4}'\Z")
        self.assertEqual(lines[-1], "OPENMP DISPLAY ENVIRONMENT END")
        for line in lines[3:-1]:
            self.assertRegex(line, r"\A  \[(host|all)\] OMP_[A-Z_]+ = '.*'\Z")
        for line in ("[host] OMP_DYNAMIC = 'FALSE'", "[host] OMP_NUM_THREADS = '2,3'",
                     "[host] OMP_SCHEDULE = 'MONOTONIC:GUIDED,5'", "[host] OMP_PROC_BIND = 'SPREAD,PRIMARY'",
                     "[host] OMP_PLACES = '{%d},{%d}'" % (A, B), "[host] OMP_STACKSIZE = '2097152'",
                     "[host] OMP_WAIT_POLICY = 'ACTIVE'", "[all] OMP_CANCELLATION = 'TRUE'",
                     "[host] OMP_AFFINITY_FORMAT = 'as %n'", "[host] OMP_ALLOCATOR = 'omp_default_mem_alloc'",
                     "[all] OMP_TARGET_OFFLOAD = 'MANDATORY'", "[host] OMP_THREAD_LIMIT = '%d'" % INT_MAX,
                     "[host] OMP_NUM_TEAMS = '0'", "[host] OMP_TEAMS_THREAD_LIMIT = '0'",
                     "[all] OMP_DEFAULT_DEVICE = 'INVALID'", "[all] OMP_MAX_TASK_PRIORITY = '0'",
                     "[all] OMP_DISPLAY_AFFINITY = 'FALSE'", "[all] OMP_DEBUG = 'DISABLED'",
                     "[all] OMP_TOOL = 'ENABLED'", "[host] OMP_MAX_ACTIVE_LEVELS = '%d'" % INT_MAX):
            self.assertIn("  " + line, lines)

    def test_display_env_verbose(self):
        lines = self.start({"OMP_DISPLAY_ENV": "VERBOSE", "GOMP_CPU_AFFINITY": str(A), "GOMP_SPINCOUNT": "3k",
                            "KMP_BLOCKTIME": "7"}).stderr.splitlines()
        for line in ("GOMP_CPU_AFFINITY = '%d'" % A, "GOMP_SPINCOUNT = '3000'", "KMP_BLOCKTIME = '7'"):
            self.assertIn("  [host] " + line, lines)

    def test_how_long_to_spin(self):
        """As GOMP_SPINCOUNT of the display, which shows what the waiting code gets."""
        for variables, spin in [({"OMP_WAIT_POLICY": "active"}, "INFINITE"),
                                ({"OMP_WAIT_POLICY": "passive"}, "0"),
                                ({"KMP_LIBRARY": "turnaround"}, "INFINITE"), ({"KMP_BLOCKTIME": "0"}, "0"),
                                ({"KMP_BLOCKTIME": "infinite"}, "INFINITE"),
                                ({"KMP_BLOCKTIME": "2"}, "50000"), ({"KMP_BLOCKTIME": "200us"}, "5000"),
                                ({"GOMP_SPINCOUNT": "infinity"}, "INFINITE"),
                                ({"GOMP_SPINCOUNT": "5", "OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "9"},
                                 "5")]:
            with self.subTest(variables):
                text = self.start(dict(variables, OMP_DISPLAY_ENV="verbose")).stderr
                self.assertIn("  [host] GOMP_SPINCOUNT = '%s'\n" % spin, text)

    def test_kmp_settings(self):
        text = self.start({"KMP_SETTINGS": "true", "OMP_NUM_THREADS": "2"}).stderr
        lines = r"\n\n(   \w+=[^\n]*\n)+\n"
        self.assertRegex(text, r"\A\nUser settings:" + lines + "Effective settings:" + lines + r"\Z")
        self.assertIn("   OMP_NUM_THREADS=2\n", text)


HWLOC = r"""
#include <hwloc.h>
#include <stdio.h>
static void list(hwloc_topology_t t, const char *name, hwloc_obj_type_t type)
{
    hwloc_obj_t object = NULL;
    printf("%s", name);
    while ((object = hwloc_get_next_obj_by_type(t, type, object)) != NULL) {
        int first = 1;
        unsigned id;
        printf(" ");
        hwloc_bitmap_foreach_begin(id, object->cpuset)
            printf("%s%u", first ? "" : ",", id), first = 0;
        hwloc_bitmap_foreach_end();
    }
    printf("\n");
}
int main(void)
{
    hwloc_topology_t t;
    if (hwloc_topology_init(&t) != 0 || hwloc_topology_load(t) != 0)
        return 1;
    hwloc_topology_restrict(t, hwloc_topology_get_allowed_cpuset(t), 0);
    list(t, "threads", HWLOC_OBJ_PU);
    list(t, "cores", HWLOC_OBJ_CORE);
    list(t, "sockets", HWLOC_OBJ_PACKAGE);
    list(t, "numa_domains", HWLOC_OBJ_NUMANODE);
    return 0;
}
"""

if __name__ == "__main__":
    del sys.argv[1:3]
    xmltest.main()
