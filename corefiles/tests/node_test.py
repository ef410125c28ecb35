# SPDX-License-Identifier: Apache-2.0
"""`ompd node`: the ranks of this machine are found by what launchers tell each process, looked at several at
a time, and one that cannot be looked at is a row that holds up no other."""

import json
import os
import signal
import subprocess
import time

import ompd_schema
import xmltest
from installed import Case, FOLDER, Held, OMPD, SECONDS, TARGETS

DEADLOCK, IDLE = "deadlock_gcc.exe", "idle_clang.exe"


def here(name):
    return os.path.join(FOLDER, name)


def told(rank, size, job):
    """What Open MPI's mpirun tells a rank."""
    return {"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(size), "PMIX_NAMESPACE": job,
            "PBS_JOBID": job}


def build(name, *words):
    path = here(name)
    subprocess.run(["gcc", "-g", "-x", "c", "-", "-o", path, *words], check=True, universal_newlines=True,
                   input=PROGRAMS[name])
    return path


PROGRAMS = {
    # A shell that a job's script starts around its program: it has the environment of a rank.
    "wrapper": """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int n, char **words) { if (!fork()) execv(words[n - 1], words + n - 1); wait(NULL); }
""",
    # As many processes as it is told, each started by the one before; the last one says which it is.
    "chain": """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int n, char **words)
{
    (void)n;
    for (int left = atoi(words[1]); left > 1; left--)
        if (fork())
            for (;;)
                pause();
    printf("%d\\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}
""",
    # An OMPD library that is ours, but the first that calls it waits for ever.
    "hang.so": """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int ompd_initialize(unsigned long version, const void *callbacks)
{
    int (*ours)(unsigned long, const void *) = (int (*)(unsigned long, const void *))
        dlsym(RTLD_NEXT, "ompd_initialize");
    if (open(getenv("HANG_ONCE"), O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0)
        for (;;)
            pause();
    return ours(version, callbacks);
}
""",
}


class Ranks:
    """Targets that are told that they are ranks of JOB."""

    def __init__(self, job, names, **env):
        self.held = [Held(name, FOLDER, OMP_DEBUG="enabled", **dict(told(i, len(names), job), **env))
                     for i, name in enumerate(names)]
        self.pids = [h.pid for h in self.held]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for held in self.held:
            held.__exit__()


def processes(document):
    """(rank, pid) of all."""
    return sorted((row[0], row[1]) for job in document["jobs"] for state in job["states"]
                  for host in state["hosts"] for row in host["processes"])


def traced(pid):
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("TracerPid"))


class Node(Case):
    def json(self, *words, status=0, **more):
        document = json.loads(self.ok("node", "--json", *words, status=status, **more).stdout)
        ompd_schema.check(document)
        return document

    def test_all_ranks_of_a_job(self):
        names = [IDLE, IDLE, DEADLOCK, IDLE]
        with Ranks("one", names) as ranks, Ranks("other", [IDLE]) as other:
            document = self.json("--job", "one")
            self.assertEqual(processes(document), sorted(enumerate(ranks.pids)))
            self.assertTrue(document["complete"])
            by_rank = {tuple(map(tuple, s["ranks"])): s["state"]["verdict"]
                       for s in document["jobs"][0]["states"]}
            self.assertEqual(by_rank, {((2, 2),): "deadlock", ((0, 1), (3, 3)): "none"})
            text = self.ok("node", "--job", "one").stdout.splitlines()
            self.assertIn("4 of 4 ranks answered", text[0])
            self.assertEqual(text[1], "Deadlock in 1 rank: 2.")
            self.ok("node", "--job", "one", "--check", status=3)
            # Without a job all of this user, and those that are named.
            found = processes(self.json())
            self.assertLessEqual(set(enumerate(ranks.pids)) | {(0, other.pids[0])}, set(found))
            self.assertEqual(processes(self.json(*ranks.pids[1:3])), list(enumerate(ranks.pids))[1:3])
            # In lines for the way, too.
            framed = self.ok("node", "--job", "one", "--framed").stdout
            for line in framed.splitlines():
                self.assertRegex(line, "^ompd1 .{1,990}$")
            merged = json.loads(self.ok("merge", "--json", "-", stdin=self.pipe(framed)).stdout)
            self.assertEqual(processes(merged), sorted(enumerate(ranks.pids)))

    def pipe(self, text):
        with open(here("frames"), "w") as f:
            f.write(text)
        file = open(here("frames"))
        self.addCleanup(file.close)
        return file

    def test_a_launcher_is_no_rank(self):
        env = dict(os.environ, TRUTH_HOLD_SECONDS="300", OMP_DEBUG="enabled", **told(0, 1, "wrapped"))
        outer = subprocess.Popen([build("wrapper"), os.path.join(TARGETS, IDLE)], env=env, cwd=FOLDER,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: (os.killpg(outer.pid, signal.SIGKILL), outer.wait(), outer.stdout.close()))
        outer.stdout.readline()
        with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid)) as f:
            inner = int(f.read())
        self.assertEqual(processes(self.json("--job", "wrapped")), [(0, inner)])

    def test_a_long_chain_of_processes(self):
        """All have the environment of a rank. Who has started whom takes no more than a look at each."""
        env = dict(os.environ, **told(0, 1, "chain"))
        first = subprocess.Popen([build("chain"), "1000"], env=env, cwd=FOLDER, stdout=subprocess.PIPE,
                                 start_new_session=True)
        self.addCleanup(lambda: (os.killpg(first.pid, signal.SIGKILL), first.wait(), first.stdout.close()))
        last = int(first.stdout.readline())
        self.assertEqual(processes(self.json("--job", "chain", "--cpu-limit", 3)), [(0, last)])

    def test_nobody(self):
        done = self.ok("node", "--job", "none-such", status=2)
        self.assertIn("There is no rank of job none-such on ", done.stderr)
        self.assertEqual(done.stdout, "")
        # For who asks many nodes it is an answer all the same.
        done = self.ok("node", "--job", "none-such", "--framed", "--quiet", status=2)
        self.assertRegex(done.stdout, r"^ompd1 \S+ ")
        self.assertEqual(done.stderr, "")
        done = self.ok("node", 2 ** 22 + 1, status=2)
        self.assertIn("process %d: there is none" % (2 ** 22 + 1), done.stdout)
        self.ok("node", "word", status=64)

    def test_one_that_cannot_be_looked_at(self):
        with Ranks("traced", [IDLE, IDLE]) as ranks:
            tracer = subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-p", str(ranks.pids[0])],
                                      stderr=subprocess.DEVNULL)
            self.addCleanup(lambda: (tracer.kill(), tracer.wait()))
            end = time.monotonic() + SECONDS
            while not traced(ranks.pids[0]) and time.monotonic() < end:
                time.sleep(0.01)
            document = self.json("--job", "traced", status=1)
            self.assertEqual(processes(document), [(1, ranks.pids[1])])
            self.assertEqual(len(document["failed"]), 1)
            self.assertRegex(document["failed"][0]["why"],
                             r"^rank 0, process %d: .* is being debugged by process" % ranks.pids[0])
            self.assertFalse(document["complete"])

    def hanging(self):
        """The environment in which the first look hangs."""
        if not os.path.exists(here("hang.so")):
            library = os.path.join(os.path.dirname(os.path.dirname(OMPD)), "lib")
            build("hang.so", "-shared", "-fPIC", "-Wl,--no-as-needed", "-L" + library, "-l:libompd.so.1",
                  "-Wl,-rpath," + library)
        return {"HANG_ONCE": here("once-" + self.id())}

    def test_one_that_hangs_holds_up_no_other(self):
        with Ranks("hangs", [IDLE, IDLE, DEADLOCK]) as ranks:
            document = self.json("--job", "hangs", "--timeout", 15, "--parallel", 2, "--ompd-library",
                                 here("hang.so"), status=1, env=self.hanging())
            seen = processes(document)
            self.assertEqual(len(seen), 2)
            hung = (set(enumerate(ranks.pids)) - set(seen)).pop()
            self.assertEqual([f["why"] for f in document["failed"]],
                             ["rank %d, process %d: it could not be looked at within the 15 seconds of "
                              "--timeout" % hung])
            # It goes on as if nobody had looked.
            self.assertEqual(traced(hung[1]), 0)
            self.assertEqual(processes(self.json("--job", "hangs")), sorted(enumerate(ranks.pids)))

    def start_hanging(self, job, *words):
        env = dict(os.environ, **self.hanging())
        node = subprocess.Popen([OMPD, "node", "--job", job, "--json", "--parallel", "1", "--ompd-library",
                                 here("hang.so"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                universal_newlines=True, env=env, start_new_session=True)
        end = time.monotonic() + SECONDS
        while not os.path.exists(env["HANG_ONCE"]) and time.monotonic() < end:
            time.sleep(0.01)
        return node

    def test_a_rank_that_ends_meanwhile(self):
        with Ranks("ends", [IDLE, IDLE]) as ranks:
            node = self.start_hanging("ends", "--timeout", "10")
            ranks.held[0].process.kill()
            out, _ = node.communicate(timeout=SECONDS)
            self.assertEqual(node.returncode, 2)
            document = json.loads(out)
            self.assertIn("rank 0, process %d: it has ended meanwhile" % ranks.pids[0],
                          [f["why"] for f in document["failed"]])

    def test_an_interrupt_shows_what_has_come(self):
        with Ranks("asked", [IDLE, IDLE]) as ranks:
            node = self.start_hanging("asked")
            node.send_signal(signal.SIGINT)
            out, err = node.communicate(timeout=SECONDS)
            self.assertEqual(node.returncode, 2, err)
            self.assertEqual([f["why"] for f in json.loads(out)["failed"]],
                             ["rank %d, process %d: it was not looked at any more: interrupted" % pair
                              for pair in enumerate(ranks.pids)])
            self.assertEqual([traced(pid) for pid in ranks.pids], [0, 0])

    def test_the_node_of_a_batch_system(self):
        """One machine may play several nodes."""
        with Ranks("played", [IDLE], SLURMD_NODENAME="n1") as one, \
                Ranks("played", [IDLE], SLURMD_NODENAME="n2") as two:
            for name, ranks in (("n1", one), ("n2", two)):
                document = self.json("--job", "played", env={"SLURMD_NODENAME": name})
                self.assertEqual(processes(document), [(0, ranks.pids[0])])
                framed = self.ok("node", "--job", "played", "--framed", env={"SLURMD_NODENAME": name}).stdout
                self.assertTrue(framed.startswith("ompd1 %s " % name), framed[:80])

    def test_its_memory_is_bounded(self):
        with Ranks("small", ["many_threads_gcc.exe"]) as ranks:
            document = self.json("--job", "small", "--memory-limit", "16M", status=2)
            self.assertRegex(document["failed"][0]["why"],
                             "^rank 0, process %d: Out of memory" % ranks.pids[0])


if __name__ == "__main__":
    xmltest.main()
