# SPDX-License-Identifier: Apache-2.0
"""The tutorial of docs/jobs.md: eight ranks of MPI on one machine, one of which has a deadlock. What is to
be said of them is known by the source: the rank, the two locks and the lines. The page's sessions are run
too."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

import gdbrun
import sessions
import xmltest
from installed import Case, FOLDER, OMPD, SECONDS, run

SOURCE = gdbrun.find("test-targets/jobs/hybrid.c")
COMPANION = os.path.join(FOLDER, "prefix/lib/ompcompanion")
COMPILER, LAUNCHER = "mpicc.openmpi", "mpirun.openmpi"
RANKS, WRONG, THREADS = 8, 5, 4
# Of Open MPI: as root in a container, and no rank keeps a processor that others need.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1"}


def line(text):
    """Where TEXT is in the source."""
    with open(SOURCE) as f:
        return [number for number, one in enumerate(f, 1) if text in one][0]


def ranks_of(launcher, names):
    """{rank: pid} of the processes below LAUNCHER that have one of NAMES."""
    found, todo = {}, [launcher]
    while todo:
        pid = todo.pop()
        try:
            with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
                todo += [int(child) for child in f.read().split()]
            with open("/proc/%d/environ" % pid) as f:
                rank = re.search(r"(?:^|\0)OMPI_COMM_WORLD_RANK=(\d+)", f.read())
            with open("/proc/%d/comm" % pid) as f:
                if rank and f.read().strip() in names:
                    found[int(rank.group(1))] = pid
        except OSError:
            pass  # it has ended
    return found


@unittest.skipUnless(shutil.which(COMPILER) and shutil.which(LAUNCHER), "there is no Open MPI")
class Tutorial(Case):
    @classmethod
    def setUpClass(cls):
        cls.program = os.path.join(FOLDER, "hybrid")
        subprocess.run([COMPILER, "-g", "-fopenmp", SOURCE, "-o", cls.program], check=True)

    def launch(self, *parts):
        """mpirun of PARTS, each a count of ranks, the program's words, and a folder of libraries or None."""
        words = []
        for count, program, library in parts:
            words += [":"] if words else []
            words += ["-n", str(count)] + (["-x", "LD_LIBRARY_PATH=" + library] if library else []) + program
        env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        env.update(MPI, OMP_NUM_THREADS=str(THREADS), OMP_DEBUG="enabled", OMP_WAIT_POLICY="passive",
                   TMPDIR=FOLDER)
        process = subprocess.Popen([LAUNCHER, "--oversubscribe", *words], env=env, cwd=FOLDER,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)

        def end():
            process.terminate()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.addCleanup(end)
        return process

    def record(self, ranks, folder):
        os.makedirs(os.path.join(FOLDER, folder), exist_ok=True)
        for pid in ranks.values():
            path = os.path.join(FOLDER, folder, "state-%r.json")
            done = run("record", "--force", "-p", pid, "-o", path)
            self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: it has no OpenMP, or not yet
        return [os.path.join(FOLDER, folder, "state-%d.json" % rank) for rank in sorted(ranks)]

    def hung(self, process, folder, programs=("hybrid",)):
        """(files, pids, state of each rank) when all ranks have come to rest, as long as it takes."""
        while True:
            self.assertIsNone(process.poll(), "it has ended")
            pids = ranks_of(process.pid, programs)
            if len(pids) == RANKS:
                files = self.record(pids, folder)
                document = json.loads(self.ok("merge", "--json", *files).stdout)
                self.assertEqual(len(document["jobs"]), 1)
                states = {rank: state["state"] for state in document["jobs"][0]["states"]
                          for first, last in state["ranks"] for rank in range(first, last + 1)}
                places = [self.place(states[rank]) for rank in range(RANKS)]
                if places == ["deadlock" if rank == WRONG else "MPI_Allreduce" for rank in range(RANKS)]:
                    return files, pids, states
            time.sleep(0.2)

    @staticmethod
    def place(state):
        if state["verdict"] == "deadlock":
            return "deadlock"
        kinds = [row["kind"] for row in state["threads"] if str(row["kind"]).startswith("MPI_")]
        return kinds[0] if kinds else None

    def test_from_outside(self):
        process = self.launch((RANKS, [self.program, str(WRONG)], COMPANION))
        files, ranks, _ = self.hung(process, "outside")
        text = self.ok("merge", *files).stdout
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^Job \d+ of the launcher, hybrid, on .*: 8 of 8 ranks answered\.$")
        self.assertEqual(lines[1], "Deadlock in 1 rank: %d." % WRONG)
        self.assertEqual(lines[2],
                         "7 ranks are in MPI_Allreduce at main, hybrid.c:%d." % line("MPI_Allreduce(&"))
        second = line("omp_set_lock(second)")
        for lock in ("left", "right"):
            self.assertRegex(text, r"waits for lock %s, held by OpenMP thread [12], taken at hybrid\.c:%d +"
                             r"take, hybrid\.c:%d" % (lock, line("omp_set_lock(first)"), second))
        self.assertIn("\n  gdb -p %d\n" % ranks[WRONG], text)
        self.ok("merge", "--check", *files, status=3)
        # One that is missing is named, and the status says so.
        without = [path for path in files if "-2.json" not in path]
        self.assertIn("nothing was given of rank 2.", self.ok("merge", *without, status=1).stdout)
        # It hangs: later all are where they were.
        again = self.record(ranks, "again")
        for name, some in (("before", files), ("after", again)):
            self.ok("merge", "--json", "-o", os.path.join(FOLDER, name), *some)
        self.assertIn("8 are in the same state as before: 0-7.",
                      self.ok("merge", "--diff", os.path.join(FOLDER, "before"),
                              os.path.join(FOLDER, "after")).stdout)

    def printed(self, command, ranks, folder):
        """What a command of the page prints; None: it was run already, to get here."""
        if command.split()[0] in ("mpicc", "export", "mpirun"):
            return None
        if command.startswith("for "):  # a rank of another job may be on this machine
            self.record(ranks, folder)
            return ""
        if command == "ompd node":
            command += "".join(" %d" % ranks[rank] for rank in sorted(ranks))
        path = os.path.dirname(OMPD) + ":" + os.environ["PATH"]
        return subprocess.run(["bash", "-c", command], cwd=os.path.join(FOLDER, folder),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              stdin=subprocess.DEVNULL,
                              env=dict(os.environ, PATH=path, COLUMNS="0")).stdout

    def test_the_page(self):
        process = self.launch((RANKS, [self.program, str(WRONG)], COMPANION))
        _, ranks, _ = self.hung(process, "page")
        pages = list(sessions.of_page("docs/jobs.md"))
        self.assertGreater(len(pages), 2)
        for session in pages:
            for _, command, lines in session.steps:
                text = self.printed(command, ranks, "page")
                with self.subTest(line=session.line, command=command):
                    text = text and text.replace(" on %s:" % socket.gethostname(), " on vm:")
                    if text is not None and not sessions.agrees(lines, text):
                        self.assertEqual(sessions.plain("\n".join(lines)), sessions.plain(text), text)

    def test_all_sorts_of_ranks_in_one_job(self):
        """0 to 2 on stock libgomp, 3 to 6 on Companion, and 7 another program, without OpenMP."""
        plain = os.path.join(FOLDER, "plain")
        with open(plain + ".c", "w") as f:
            f.write("#include <mpi.h>\nint main(int c, char **v)\n{\n    double a = 0, b;\n"
                    "    MPI_Init(&c, &v);\n    for (int i = 0; i < 10; i++)\n"
                    "        MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
                    "    MPI_Finalize();\n}\n")
        subprocess.run([COMPILER, "-g", plain + ".c", "-o", plain], check=True)
        hybrid = [self.program, str(WRONG)]
        process = self.launch((3, hybrid, None), (4, hybrid, COMPANION), (1, [plain], None))
        files, _, states = self.hung(process, "sorts", ("hybrid", "plain"))
        self.assertEqual([states[rank]["program"] for rank in range(RANKS)], ["hybrid"] * 7 + ["plain"])
        openmp = [any(row["openmp"] for row in states[rank]["threads"]) for rank in range(RANKS)]
        self.assertEqual(openmp, [True] * 7 + [False])
        text = self.ok("merge", *files).stdout
        self.assertIn("Deadlock in 1 rank: 5.", text.splitlines()[:3])
        self.assertIn("8 of 8 ranks answered", text.splitlines()[0])

    def test_from_within(self):
        """Each rank has its own `ompd run`: at its signal it writes what it writes when time is over."""
        own = [OMPD, "run", "--timeout", "3000", "--json", "-o", "within-%r.json", "--"]
        process = self.launch((RANKS, own + [self.program, str(WRONG)], None))
        _, pids, _ = self.hung(process, "within")
        for pid in pids.values():
            with open("/proc/%d/stat" % pid) as f:
                os.kill(int(f.read().rpartition(")")[2].split()[1]), signal.SIGUSR1)
        files = [os.path.join(FOLDER, "within-%d.json" % rank) for rank in range(RANKS)]
        while not all(self.whole(path) for path in files):
            self.assertIsNone(process.poll(), "it has ended")
            time.sleep(0.2)
        text = self.ok("merge", *files).stdout
        self.assertIn("8 of 8 ranks answered.", text.splitlines()[0])
        self.assertIn("Deadlock in 1 rank: %d." % WRONG, text.splitlines()[:3])

    @staticmethod
    def whole(path):
        try:
            with open(path) as f:
                return bool(json.load(f))
        except (OSError, ValueError):
            return False


if __name__ == "__main__":
    xmltest.main()
