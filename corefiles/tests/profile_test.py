# SPDX-License-Identifier: Apache-2.0
"""`ompd profile`: its formats, how it ends, and that its shares are those that a program counts itself.
With SOAK set 300 samples are taken, on each runtime."""

import collections
import json
import os
import re
import signal
import struct
import subprocess
import tarfile
import time
import unittest

import gdbrun
import ompd_schema
import xmltest
from installed import Case, FOLDER, OMPD, SECONDS
from terminal import Terminal

SOURCE = os.path.join(gdbrun.ROOT, "corefiles/tests/shares.c")
COMPANION = os.path.join(os.path.dirname(OMPD), "../lib/ompcompanion")
PLACES = ("LINE_A", "LINE_B", "LINE_C", "BARRIER", "MUTEX")
SOAK = "SOAK" in os.environ
SPEEDSCOPE = "1.25.0"
# 300 samples although the machine is busy: `ompd` tells how many it has got.
LONG = ("--for", "40", "--rate", "15") if SOAK else ("--for", "4", "--rate", "20")


def setUpModule():
    for compiler in "gcc", "clang":
        subprocess.run([compiler, "-g", "-O1", "-fopenmp", "-pthread", SOURCE, "-o",
                        os.path.join(FOLDER, compiler), "-L", COMPANION], check=True, timeout=SECONDS)


def lines():
    """The line of each place."""
    found = {}
    with open(SOURCE) as f:
        for number, text in enumerate(f, 1):
            for place in re.findall(r"/\* (\w+) \*/$", text.strip()):
                found[place] = number
    return {place: found[place] for place in PLACES}


class Shares:
    """The program."""

    def __init__(self, compiler="gcc", companion=True):
        self.path = os.path.join(FOLDER, "spent")
        with open(self.path, "wb") as f:
            f.write(bytes(4096))
        env = dict(os.environ, OMP_WAIT_POLICY="passive")
        if companion:
            env["LD_LIBRARY_PATH"] = COMPANION
        self.process = subprocess.Popen([os.path.join(FOLDER, compiler), self.path], env=env)
        self.pid = self.process.pid
        until = time.monotonic() + SECONDS
        while not all(self.spent()[place] for place in PLACES):
            assert time.monotonic() < until and self.process.poll() is None
            time.sleep(.01)

    def spent(self):
        """Nanoseconds at each place until now, of both members."""
        total = collections.Counter()
        with open(self.path, "rb") as f:
            for _ in range(2):
                numbers = struct.unpack("=7Q", f.read(56))
                total.update(dict(zip(PLACES, numbers)))
                if numbers[5]:
                    total[PLACES[numbers[6]]] += time.monotonic_ns() - numbers[5]
        return total

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def stacks(text):
    """Folded stacks, as flamegraph.pl reads them: frames and count."""
    found = []
    for line in text.splitlines():
        match = re.match(r"(.*) (\d+)$", line)
        if match:
            found.append((match[1].split(";"), int(match[2])))
    return found


class Truth(Case):
    def compare(self, program):
        passed, found, samples = collections.Counter(), [], 0
        while samples < (300 if SOAK else 40):  # a busy machine loses some
            before = program.spent()
            done = self.ok("profile", "-p", program.pid, "--format", "folded", *LONG)
            after = program.spent()
            taken = int(re.search(r"(\d+) samples? of 2 threads", done.stderr)[1])
            self.assertEqual(sum(count for _, count in stacks(done.stdout)), 2 * taken)
            found += stacks(done.stdout)
            samples += taken
            passed.update({place: after[place] - before[place] for place in PLACES})
        for place, line in lines().items():
            counted = sum(count for frames, count in found if "shares.c:%d" % line in frames)
            truth, share = passed[place] / sum(passed.values()) * 100, counted / (2 * samples) * 100
            self.assertLess(abs(truth - share), 5 if SOAK else 25, "%s: %.1f %%, the program says %.1f %%; "
                            "%d samples\n%s" % (place, share, truth, samples, done.stdout))
        # What it does there, of all samples but those that met it on its way in or out.
        for place, word in (("LINE_A", "computes"), ("BARRIER", "barrier"), ("MUTEX", "mutex gate")):
            there = [(frames[-1], count) for frames, count in found
                     if "shares.c:%d" % lines()[place] in frames]
            named = sum(count for frame, count in there if word in frame)
            self.assertGreaterEqual(named, .8 * sum(count for _, count in there), there)

    def test_companion(self):
        with Shares("clang") as program:
            self.compare(program)

    def test_companion_of_gcc(self):
        if not SOAK:
            self.skipTest("in the soak")
        with Shares("gcc") as program:
            self.compare(program)

    def test_libgomp(self):
        with Shares("gcc", companion=False) as program:
            self.compare(program)


class Files(Case):
    def test_text(self):
        with Shares() as program:
            done = self.ok("profile", program.pid, "--for", "1", "--rate", "20")
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, r"^gcc \(PID %d\): \d+ samples? of 2 threads in \d+\.\d s, "
                             r"\d+ lost; the process "
                             r"stood still for \d\.\d+ s of them \([\d.]+ %%\)\.\n" % program.pid)
            for title in "activity", "region", "construct", "line":
                self.assertIn("\nTime by %s\n" % title, done.stdout)
            region = "parallel at shares.c:%d" % (1 + next(
                i for i, text in enumerate(open(SOURCE)) if "omp parallel" in text))
            self.assertRegex(done.stdout, r"100\.0 % +[\d.]+ +" + region)
            for part in done.stdout.split("\nTime by ")[1:]:
                shares = [float(x) for x in re.findall(r"([\d.]+) %", part)]
                self.assertEqual(shares, sorted(shares, reverse=True))
                self.assertAlmostEqual(sum(shares), 100, delta=3)
            done = self.ok("profile", program.pid, "--for", ".5", "--per-thread")
            self.assertEqual(done.stdout.count("Time by line"), 2)
            self.assertIn("\nLWP %d (initial thread)\n" % program.pid, done.stdout)

    def test_speedscope(self):
        path = os.path.join(FOLDER, "p.json")
        with Shares() as program:
            done = self.ok("profile", "-p", program.pid, "--for", "2", "--rate", "20", "-o", path,
                           "--format", "speedscope")
            self.assertEqual(done.stdout, "")
            again = self.ok("profile", "-p", program.pid, "--for", "60", "--format", "folded", "-o", path,
                            status=2)
            self.assertIn("--force", again.stderr)
            with open(path) as f:
                document = json.load(f)
            self.ok("profile", "-p", program.pid, "--for", ".3", "--format", "folded", "-o", path, "--force",
                    "--per-thread", "-q")
            with open(path) as f:
                self.assertRegex(f.read(), r"(?m)^LWP %d \(initial thread\);main;" % program.pid)
        frames, own = document["shared"]["frames"], document["ompd"]
        self.assertIn("%d sample" % own["samples"], done.stderr)
        self.assertIn("%d lost" % own["lost"], done.stderr)
        self.assertIn("for %.3f s" % own["stopped_seconds"], done.stderr)
        self.assertIn("%d lost" % own["lost"], document["name"])
        self.assertEqual([p["name"] for p in document["profiles"]][:2],
                         ["all threads", "LWP %d (initial thread)" % program.pid])
        for profile in document["profiles"]:
            self.assertEqual((profile["type"], profile["unit"]), ("sampled", "seconds"))
            self.assertEqual(profile["startValue"], 0)
            self.assertEqual(len(profile["samples"]), len(profile["weights"]))
            self.assertAlmostEqual(sum(profile["weights"]), profile["endValue"])
            for stack in profile["samples"]:
                self.assertTrue(all(0 <= frame < len(frames) for frame in stack))
                self.assertRegex(frames[stack[-1]]["name"], r"^\[.*\]$")
        whole, *threads = document["profiles"]
        self.assertAlmostEqual(whole["endValue"], own["samples"] / own["rate"] * 2)
        self.assertAlmostEqual(sum(t["endValue"] for t in threads), whole["endValue"])

    @unittest.skipUnless(SOAK, "in the soak: it asks the npm registry")
    def test_speedscope_by_its_own_schema(self):
        if not ompd_schema.jsonschema:
            self.skipTest(ompd_schema.WHY_NOT)
        env = dict(os.environ, HOME=FOLDER)
        try:
            packed = subprocess.run(["npm", "pack", "--silent", "speedscope@" + SPEEDSCOPE], cwd=FOLDER,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                                    timeout=SECONDS, check=False, env=env)
        except (FileNotFoundError, subprocess.TimeoutExpired) as why:
            self.skipTest("npm is not installed, or its registry does not answer: %s" % why)
        if packed.returncode:
            self.skipTest("the npm registry does not answer: " + packed.stderr[-500:])
        with tarfile.open(os.path.join(FOLDER, packed.stdout.split()[-1])) as package:
            schema = json.load(package.extractfile("package/dist/release/file-format-schema.json"))
        with Shares() as program:
            done = self.ok("profile", "-p", program.pid, "--for", "1", "--format", "speedscope")
        document = json.loads(done.stdout)
        check = ompd_schema.jsonschema.Draft7Validator(schema)
        self.assertEqual([error.message for error in check.iter_errors(document)], [])
        document["profiles"][0]["unit"] = "years"
        self.assertNotEqual(list(check.iter_errors(document)), [])

    def test_usage(self):
        self.assertIn("needs --pid PID", self.ok("profile", status=64).stderr)
        self.assertIn("--rate needs", self.ok("profile", "-p", 1, "--rate", "1001", status=64).stderr)
        self.assertIn("no format json", self.ok("profile", "-p", 1, "--format", "json", status=64).stderr)
        with Shares() as program:
            done = self.ok("profile", "-p", program.pid, "--for", 10 * SECONDS, "-o", "/nowhere/at/all",
                           status=2)
            self.assertEqual(done.stderr,
                             "ompd: /nowhere/at/all cannot be written: No such file or directory.\n")
        gone = subprocess.Popen(["true"])
        gone.wait()
        self.assertEqual(self.ok("profile", "-p", gone.pid, status=2).stderr,
                         "ompd: There is no process %d.\n" % gone.pid)

    def test_a_program_without_openmp(self):
        with subprocess.Popen(["sleep", "60"]) as process:
            done = self.ok("profile", "-p", process.pid, "--for", ".5")
            process.kill()
        self.assertRegex(done.stdout, r"100\.0 % +[\d.]+ +sleeps")
        self.assertRegex(done.stdout, r"100\.0 % +[\d.]+ +no OpenMP thread")


class Ends(Terminal):
    def begin(self, program, path):
        pid = self.start(OMPD, "profile", "-p", program.pid, "--for", "300", "--rate", "50", "--format",
                         "folded", "-o", path)
        self.wait_for("profiling: ")
        while not re.search(r"of 300 s, [1-9]\d* sample", self.seen):
            self.seen = ""
            self.wait_for("profiling: ")
            self.wait_for("Ctrl-C ends it")
        return pid

    def test_ctrl_c_and_the_end_of_the_process(self):
        for number in range(2):
            path = os.path.join(FOLDER, "ends%d" % number)
            with Shares() as program:
                pid = self.begin(program, path)
                if number:
                    program.process.kill()
                else:
                    self.press("\x03")
                self.assertEqual(self.status(pid), 0)
                self.assertEqual("has ended" in self.seen, number == 1)
            self.assertIn("samples of 2 threads", self.seen)
            with open(path) as f:
                self.assertGreater(sum(count for _, count in stacks(f.read())), 0)

    def test_sigterm_writes_what_there_is(self):
        path = os.path.join(FOLDER, "terminated")
        with Shares() as program:
            pid = self.begin(program, path)
            os.kill(pid, signal.SIGTERM)
            self.assertEqual(self.status(pid), -signal.SIGTERM)
        with open(path) as f:
            self.assertGreater(sum(count for _, count in stacks(f.read())), 0)


if __name__ == "__main__":
    xmltest.main()
