# SPDX-License-Identifier: Apache-2.0
"""`ompd bugreport`: of a program whose every name has a marked word, none is in the file; versions and the
row of the layout are, as the tools themselves say them; and equal texts stay equal."""

import json
import os
import platform
import re
import resource
import socket
import subprocess

import compare
import gdbrun
import xmltest
from installed import Case, FOLDER, OMPD, Running, SECONDS, run
from terminal import Terminal

LIBRARIES = os.path.join(FOLDER, "prefix/lib/ompcompanion")
MARK = "hushhush"  # in all names
NUMBER = 918273645  # the values of variables
PROGRAM = r"""
#include <omp.h>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>
struct hushhush_error : std::runtime_error { using std::runtime_error::runtime_error; };
namespace hushhush_space {
omp_lock_t hushhush_lock;
long hushhush_first = 918273645;
void hushhush_wait(bool throws)
{
    int hushhush_local = 918273645;
    if (throws)
        throw hushhush_error("hushhush what");
    if (omp_get_thread_num() == 1) {
        #pragma omp critical(hushhush_critical)
        omp_set_lock(&hushhush_lock);
    }
    if (omp_get_thread_num() != 1) {
        puts("ready");
        fflush(stdout);
        for (;;)
            hushhush_local += (int)sleep(100);
    }
}
}
using namespace hushhush_space;
int main(int argc, char **)
{
    omp_init_lock(&hushhush_lock);
    omp_set_lock(&hushhush_lock);
    #pragma omp parallel num_threads(3)
    {
        #pragma omp task
        hushhush_wait(false);
        #pragma omp for schedule(dynamic) nowait
        for (long hushhush_i = hushhush_first; hushhush_i < hushhush_first + 6; hushhush_i++)
            hushhush_wait(argc > 2);
    }
}
"""


def setUpModule():
    global EXE, CORE
    folder = os.path.join(FOLDER, MARK)
    os.mkdir(folder)
    EXE = os.path.join(folder, MARK)
    with open(EXE + ".cc", "w") as f:
        f.write(PROGRAM)
    subprocess.run(["g++", "-g", "-O0", "-fopenmp", EXE + ".cc", "-o", EXE], check=True)
    subprocess.run([EXE, MARK, "throw"], cwd=folder, stderr=subprocess.DEVNULL, env=environment(),
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE,
                                                         (resource.RLIM_INFINITY,) * 2))
    CORE = next((os.path.join(folder, name) for name in os.listdir(folder) if "core" in name), None)


def environment(**more):
    return dict(os.environ, OMP_WAIT_POLICY="passive", OMP_AFFINITY_FORMAT=MARK, SLURM_JOB_ID=MARK,
                PMIX_NAMESPACE=MARK, PMIX_RANK="3", USER=MARK, **more)


class Program(Running):
    """It, where it waits."""

    def __init__(self, **env):
        self.process = subprocess.Popen([EXE, MARK], stdout=subprocess.PIPE, universal_newlines=True,
                                        env=environment(**env))
        self.pid = self.process.pid
        for _ in range(2):
            assert self.process.stdout.readline() == "ready\n"
        compare.until_all_sleep(self.pid)


def texts(value):
    """All strings of a document but its keys."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def places(document):
    """The names in the waits and stacks of a document, in its order: (as a sentence has it), for each."""
    for thread in document["threads"]:
        wait = thread["wait"] or {}
        at = [wait.get(key) or {} for key in ("at", "caller", "taken_at")]
        yield [name for name in [wait.get("name"), wait.get("id")] + [one.get("function") for one in at] +
               [one.get("file") and os.path.basename(one["file"]) for one in at] if name]
    for stack in document["stacks"]:
        for frame in stack["frames"]:
            yield [name for name in (frame["function"], frame["file"] and os.path.basename(frame["file"]))
                   if name]


def told(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def path(name):
    return os.path.join(FOLDER, name)


class Private(Case):
    def harmless(self, text):
        """Nothing of the program and its user is in TEXT, which is returned as a document."""
        for word in (MARK, MARK.encode().hex(), str(NUMBER), hex(NUMBER), FOLDER):
            self.assertNotIn(word, text.lower())
        document = json.loads(text)
        words = {word for one in texts(document) for word in re.split(r"[^\w.-]+", one)}
        for private in (socket.gethostname(), "main", "/"):
            self.assertNotIn(private, words)
        self.assertNotIn("/", text)
        return document

    def check(self, *source, **env):
        """Of a living process, a core, or a snapshot; returns what was recorded too."""
        recorded = path("recorded")
        self.ok("record", "--force", "-o", recorded, *source)
        with open(recorded) as f:
            record = f.read()
        self.assertIn(MARK, record)  # the test sees what it looks for
        full, report = json.loads(record), self.harmless(self.ok("bugreport", *source, **env).stdout)
        self.harmless(self.ok("bugreport", "--snapshot", recorded).stdout)
        for key in ("threads", "regions", "tasks", "stacks", "runtimes", "icvs"):
            self.assertEqual(len(report[key]), len(full[key]))
        for key in ("kind", "row", "build_id", "found_how", "version", "openmp_version"):
            self.assertEqual(report["runtimes"][0][key], full["runtimes"][0][key])
        self.assertEqual([(a["what"], a["available"], a["why"]) for a in report["runtimes"][0]["abilities"]],
                         [(a["what"], a["available"], a["why"]) for a in full["runtimes"][0]["abilities"]])
        self.assertEqual([t["state"] for t in report["threads"]], [t["state"] for t in full["threads"]])
        self.assertNotIn("loops", report)
        return full, report

    def test_processes(self):
        for env in ({}, {"LD_LIBRARY_PATH": LIBRARIES, "OMP_DEBUG": "enabled"}):
            with Program(**env) as program:
                full, report = self.check("-p", program.pid)
            self.assertEqual(report["process"]["pid"], program.pid)
            self.assertEqual(report["runtimes"][0]["kind"], "companion" if env else "libgomp")
            self.equal_texts(full, report)
            self.same_verdict(full, report)

    def equal_texts(self, full, report):
        """Functions of the program have one number each, and files too."""
        for key in ("function", "file"):
            pairs = {(f[key], r[key]) for s, t in zip(full["stacks"], report["stacks"])
                     for f, r in zip(s["frames"], t["frames"]) if f["code"] == "user"}
            self.assertIn(MARK, str(pairs))
            for side in (0, 1):
                self.assertEqual(len({pair[side] for pair in pairs}), len(pairs), pairs)

    def same_verdict(self, full, report):
        """Its sentences are those of the process, with the numbers of the names in them."""
        names = {}
        for one, other in zip(places(full), places(report)):
            names.update(zip(one, other))
        wanted = [full["verdict"]["sentence"]] + [edge["because"] for edge in full["edges"]]
        got = [report["verdict"]["sentence"]] + [edge["because"] for edge in report["edges"]]
        self.assertRegex(wanted[0], MARK)
        # How much of its sleep is left is another number at each look.
        wanted, got = ([re.sub(r"at most \d+ s", "at most N s", text) for text in texts]
                       for texts in (wanted, got))
        for name in sorted(names, key=len, reverse=True):
            wanted = [text.replace(name, names[name]) for text in wanted]
        self.assertEqual(got, wanted)
        for key in ("kind", "edges"):
            self.assertEqual(report["verdict"][key], full["verdict"][key])
        self.assertEqual([dict(edge, because=text) for edge, text in zip(report["edges"], got[1:])],
                         [dict(edge, because=text) for edge, text in zip(full["edges"], wanted[1:])])

    def test_core(self):
        if not CORE:
            self.skipTest("the kernel writes no core into the folder")
        full, report = self.check("-c", CORE)
        self.assertIn(MARK, full["process"]["crash"]["exception"]["type"])
        self.assertEqual(report["process"]["crash"]["kind"], "exception")
        self.assertEqual(report["process"]["signal"], 6)

    def test_the_user_has_named_a_layout(self):
        with Program() as program:
            with open("/proc/%d/maps" % program.pid) as f:
                library, = {line.split()[-1] for line in f if "libgomp" in line}
            self.ok("layout", library, "--name", "gomp-" + MARK, "--source", MARK, "-o", path("row"))
            source = ("-p", program.pid, "--layout", path("row"))
            self.assertIn(MARK, self.ok("status", *source).stdout)
            runtime = self.harmless(self.ok("bugreport", *source).stdout)["runtimes"][0]
        self.assertEqual(runtime["found_how"], "layout file")
        self.assertRegex(runtime["row"], "^text ")

    def test_versions(self):
        with Program() as program:
            versions = json.loads(self.ok("bugreport", "-p", program.pid).stdout)["versions"]
            bare = json.loads(self.ok("bugreport", "-p", program.pid, env={"PATH": "/nonexistent"}).stdout)
        with open(os.path.join(gdbrun.ROOT, "VERSION")) as f:
            version = f.read().strip()
        self.assertEqual(versions, {
            "ompd": version, "libompd": version,
            "gdb": told("gdb", "-nx", "--version").splitlines()[0].split()[-1],
            "kernel": platform.release(), "machine": platform.machine(), "libc": platform.libc_ver()[1],
            "compilers": ["gcc " + told("gcc", "-dumpfullversion").strip()]})
        self.assertIsNone(bare["versions"]["gdb"])

    def test_it_is_a_snapshot(self):
        with Program(LD_LIBRARY_PATH=LIBRARIES, OMP_DEBUG="enabled") as program:
            self.ok("bugreport", "-p", program.pid, "-o", path("report"), "--yes")
        text = self.ok("report", "--snapshot", path("report")).stdout
        self.assertIn("waits for lock text ", text)
        self.assertIn("recorded without them", self.ok("loops", "--snapshot", path("report")).stdout)


class Asked(Terminal):
    def test_without_a_terminal(self):
        with Program() as program:
            done = self.ok("bugreport", "-p", program.pid, "-o", path("unseen"), status=64)
            self.assertIn("--yes", done.stderr)
            self.assertFalse(os.path.exists(path("unseen")))
            done = self.ok("bugreport", "-p", program.pid, "-o", path("unseen"), "--yes")
            self.assertEqual(done.stdout, "")
            with open(path("unseen")) as f:
                self.assertEqual(json.load(f)["process"]["pid"], program.pid)
            done = self.ok("bugreport", "-p", program.pid, "-o", path("unseen"), "--yes", status=2)
            self.assertIn("exists already", done.stderr)
        self.ok("report", "-p", 1, "--yes", status=64)
        self.assertIn("--snapshot", self.ok("bugreport", status=64).stderr)

    def test_at_a_terminal(self):
        with Program() as program:
            for answer, status in (("\n", 2), ("n\n", 2), ("y\n", 0)):
                self.assertFalse(os.path.exists(path("seen")))
                pid = self.start(OMPD, "bugreport", "-p", program.pid, "-o", path("seen"))
                self.wait_for("[y/N] ")
                shown = self.seen.replace("\r\n", "\n")
                self.press(answer)
                self.assertEqual(self.status(pid), status)
        with open(path("seen")) as f:
            self.assertIn(f.read(), shown)
        self.assertEqual(run("report", "--snapshot", path("seen"), timeout=SECONDS).returncode, 0)


if __name__ == "__main__":
    xmltest.main()
