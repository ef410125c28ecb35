# SPDX-License-Identifier: Apache-2.0
"""A process of the shape that Python's wheels give it (wheels.c): two copies of libgomp that see nothing of
each other, a pool, files without a build-id shorter than a page, huge ones. It hangs in its own team; the
answer names the member, its region and the holder, alive and as a core, and nothing is said that is not so.
The program tells who its threads are.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest
from installed import Case

HERE = os.path.join(gdbrun.ROOT, "corefiles/tests")
LIBGOMP = b"libgomp.so.1\0"
BUILD_ID = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"  # gABI chapter 5: a note, of type 3
SHORT, HUGE = 18, 3
GIGABYTE = 1 << 30
WORKERS = 4  # of the pool


def line_of(name, mark):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if "/* %s */" % mark in line)


def gcc(*arguments):
    subprocess.run(["gcc", "-g", "-D_GNU_SOURCE", *arguments], cwd=FOLDER, check=True)


def setUpModule():
    global FOLDER
    FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    source = {name: os.path.realpath(os.path.join(HERE, name + ".c"))
              for name in ("wheels", "wheels_first", "wheels_second", "wheels_pool")}
    gcc("-rdynamic", source["wheels"], "-o", "wheels", "-pthread")
    path = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.strip()
    with open(path, "rb") as file:
        libgomp = file.read()
    # As auditwheel does it: a copy with a name of its own, which is asked for by that name. One has no
    # build-id any more.
    first = libgomp.replace(BUILD_ID, BUILD_ID.replace(b"\x03", b"\x33"))
    assert first != libgomp
    for name in "first", "second":
        own = "libgomp-%s.so" % name[0]
        with open(os.path.join(FOLDER, own), "wb") as file:
            file.write((first if name == "first" else libgomp).replace(LIBGOMP, own.encode() + b"\0"))
        gcc("-fopenmp", "-fPIC", "-c", source["wheels_" + name], "-o", name + ".o")
        gcc("-shared", name + ".o", "-o", name + ".so", "-L.", "-l:" + own, "-Wl,-rpath,$ORIGIN")
    gcc("-shared", "-fPIC", "-O1", source["wheels_pool"], "-o", "pool.so")
    for i in range(SHORT + HUGE):
        gcc("-shared", "-nostdlib", "-s", "-Wl,--build-id=none,-z,noseparate-code,-z,norelro", "-xc",
            os.devnull, "-o", "there%d.so" % i)
    for i in range(HUGE):
        os.truncate(os.path.join(FOLDER, "there%d.so" % i), GIGABYTE)


class Wheels(Case):
    def setUp(self):
        def may_dump():
            resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
        self.process = subprocess.Popen([os.path.join(FOLDER, "wheels"), FOLDER], cwd=FOLDER,
                                        stdout=subprocess.PIPE, preexec_fn=may_dump)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.addCleanup(self.process.stdout.close)
        self.truth = json.loads(self.process.stdout.readline())
        self.wait_for_rest()

    def wait_for_rest(self):
        """Until the member is in its handler: the futex call of the mutex."""
        path = "/proc/%d/task/%d/syscall" % (self.process.pid, self.truth["members"][2])
        while True:
            with open(path, encoding="ascii") as file:
                if file.read().split()[0] == "202":
                    return

    def report(self, *options, status=0):
        said = self.ok("waits", *options, status=status)
        self.assertEqual(said.stderr, "")
        return said.stdout, json.loads(self.ok("report", "--json", *options, status=status).stdout)

    def check(self, text, document):
        members, holder = self.truth["members"], self.truth["holder"]
        threads = {t["lwp"]: t for t in document["threads"]}

        self.assertEqual(document["problems"], [])
        self.assertEqual({(r["kind"], os.path.basename(r["library"])) for r in document["runtimes"]},
                         {("libgomp", "libgomp-f.so"), ("libgomp", "libgomp-s.so")})
        self.assertEqual([threads[lwp]["thread_num"] for lwp in members], [0, 1, 2, 3])
        region, = {threads[lwp]["region"] for lwp in members}
        region, = (r for r in document["regions"] if r["id"] == region and r["team_size"] == 4)
        self.assertEqual((region["function"], region["line"]), ("run", line_of("wheels_first.c", "REGION")))
        for i in 0, 1, 3:
            wait = threads[members[i]]["wait"]
            self.assertEqual((wait["kind"], wait["missing"], wait["at"]["line"]),
                             ("barrier", [2], line_of("wheels_first.c", "BARRIER")))
        activity = threads[members[2]]["activity"]
        self.assertEqual((activity["kind"], activity["name"], activity["owner_lwp"], activity["at"]["line"]),
                         ("mutex", "held", holder, line_of("wheels.c", "WAIT")))
        self.assertNotIn(document["verdict"]["kind"], ("deadlock", "suspected", "stuck"))
        self.assertIn("for LWP %d, which waits in pause, called from run at wheels_second.c" % holder, text)
        others = [t for lwp, t in threads.items() if lwp not in members + [holder, self.truth["main"]]]
        self.assertEqual(sorted((t["runtime"] or 0, t["state"]) for t in others if t["openmp"]),
                         [(2, "idle")] * 2)
        self.assertEqual(sum(not t["openmp"] for t in others), WORKERS)

    def test_of_the_process(self):
        self.check(*self.report("-p", self.process.pid))

    def test_of_its_core(self):
        self.process.send_signal(signal.SIGABRT)
        self.process.wait()
        core, = (name for name in os.listdir(FOLDER) if name.startswith("core"))
        core = os.path.join(FOLDER, core)
        self.addCleanup(os.remove, core)
        text, document = self.report("--core", core, status=1)
        # When the process began is not in it.
        self.assertEqual(document["problems"].pop()["what"],
                         "Whether %s/libgomp-f.so is the file of this process could not be checked" % FOLDER)
        self.check(text, document)


if __name__ == "__main__":
    xmltest.main()
