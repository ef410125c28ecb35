# SPDX-License-Identifier: Apache-2.0
"""Programs on machines whose processors share their last-level caches otherwise than here: how a team counts
its arrivals depends on that (core/arrivals.c).

    caches_test.py LIBRARY some|all COMPILER

some: the widths 2 to 64 in one program, bound and unbound, and those conformance programs whose threads meet
most. all: each conformance program that the compiler, one of the manifest's, can build.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import machine
import run
import xmltest

LIBRARY, PART, COMPILER = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
del sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (2, 3, 4, 8)
WIDTHS = ("2", "3", "4", "5", "8", "9", "16", "17", "33", "64")
SOME = ("barrier", "copyprivate", "for_dynamic", "nested", "reduction", "task", "task_detach",
        "threadprivate")
NAMES = ("libompcompanion.so.1", "libgomp.so", "libgomp.so.1", "libomp.so", "libomp.so.5")
# More threads than processors, and what waits sleeps at once: spinning is not what is tested.
VARIABLES = {"OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "256K"}
BINDINGS = ({}, {"OMP_PROC_BIND": "close"}, {"OMP_PROC_BIND": "spread"})
SECONDS = 30  # of one program, which takes less than one
SETTINGS = ("0", "1", "2", "3", "8")


class Caches(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        cls.runtime = cls.path("lib")
        os.mkdir(cls.runtime)
        for name in NAMES:
            os.symlink(LIBRARY, os.path.join(cls.runtime, name))
        for name, caches in machine.CACHES.items():
            machine.write(cls.path(name), caches)
        cls.preload = machine.build_preload(cls.folder)
        cls.manifest = run.load_manifest()
        if PART == "some":
            meetings = {"name": "meetings", "source": os.path.join(HERE, "meetings.c")}
            text, fine = run.build(cls.manifest, meetings, COMPILER, cls.path("meetings"),
                                   link_dirs=[cls.runtime])
            if not fine:
                raise RuntimeError(text)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def meet(self, cpus, widths, variables, before=()):
        """meetings.c ends by itself and says that nobody was late."""
        env = {name: value for name, value in os.environ.items() if not re.match("G?OMP|KMP_|LD_", name)}
        env.update(VARIABLES, LD_LIBRARY_PATH=self.runtime, **variables)
        done = subprocess.run([*before, self.path("meetings"), *widths], env=env, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual((done.returncode, done.stdout), (0, "widths %d cpus %d\n" % (len(widths), cpus)))

    def conformance(self, caches, names):
        for program in self.manifest["programs"]:
            name = program["name"]
            if COMPILER in program.get("without", {}) or names and name not in names:
                continue
            path = self.path(name)
            if not os.path.exists(path):
                text, fine = run.build(self.manifest, program, COMPILER, path, link_dirs=[self.runtime])
                self.assertTrue(fine, text)
            for threads in THREADS:
                if threads not in program.get("threads", THREADS):
                    continue
                with self.subTest((name, threads)):
                    environment = dict(VARIABLES, **machine.environment(self.preload, self.path(caches)))
                    passed, _, text = run.run(path, program, threads, self.runtime, environment,
                                              timeout=SECONDS)
                    self.assertTrue(passed, text)
                if text.startswith("timeout"):
                    return  # the others would take as long


def meetings_test(caches, binding):
    def test(self):
        self.meet(machine.CPUS, WIDTHS, dict(machine.environment(self.preload, self.path(caches)), **binding))
    return test


def setting_test(cluster):
    def test(self):
        self.meet(machine.CPUS, WIDTHS, dict(machine.environment(self.preload, self.path("missing")),
                                             OMPC_BARRIER_CLUSTER=cluster))
    return test


def conformance_test(caches, names):
    return lambda self: self.conformance(caches, names)


def mounted(self):
    """As the kernel itself would say it, without anything preloaded, and the processors are those here."""
    here = os.sched_getaffinity(0)
    if max(here) >= machine.CPUS or len(here) < 2:
        self.skipTest("it needs two processors among the first %d" % machine.CPUS)
    unshare = ["unshare", "-rm"]
    refused = subprocess.run(unshare + ["true"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True)
    if refused.returncode != 0:
        self.skipTest("this system makes no mount namespace for a user: " + refused.stdout.strip())
    self.meet(len(here), WIDTHS[:4], {}, before=unshare + [
        "sh", "-ec", 'mount --bind "$0" /sys/devices/system/cpu; exec "$@"',
        os.path.join(self.path("private"), "sys/devices/system/cpu")])


def add_tests():
    for caches in machine.CACHES:
        if PART == "some":
            for binding in BINDINGS:
                setattr(Caches, "test_%s_%s" % (caches, binding.get("OMP_PROC_BIND", "unbound")),
                        meetings_test(caches, binding))
        setattr(Caches, "test_%s_conformance" % caches,
                conformance_test(caches, SOME if PART == "some" else ()))
    if PART == "some":
        Caches.test_mounted = mounted
        for cluster in SETTINGS:
            setattr(Caches, "test_setting_" + cluster, setting_test(cluster))


add_tests()

if __name__ == "__main__":
    xmltest.main()
