# SPDX-License-Identifier: Apache-2.0
"""`ompd job` on a real Slurm of four nodes with eight ranks of MPI and OpenMP, one of which has a deadlock:
job and command are an ordinary user's. What is to be said is known by the source: rank, locks, lines."""

import json
import os
import signal
import subprocess
import time
import unittest

import hybrid
import ompd_schema
import slurm
import xmltest
from installed import install

# Open MPI's own ways take ranks of other nodes for the same ones when all are on one machine: they have one
# address, and one folder of shared memory. UCX names processes by the kernel's numbers.
OPEN_MPI = {"OMPI_MCA_pml": "ucx", "OMPI_MCA_opal_common_ucx_tls": "any",
            "OMPI_MCA_opal_common_ucx_devices": "any", "OMPI_MCA_btl": "^vader,tcp,openib,uct",
            "UCX_TLS": "self,tcp", "OMPI_MCA_mpi_yield_when_idle": "1"}
KINDS = {"openmpi": ("mpicc.openmpi", "pmix", OPEN_MPI),
         "mpich": ("mpicc.mpich", "pmi2", {"MPIR_CVAR_NOLOCAL": "1"})}
AGAIN = int(os.environ.get("SLURM_TIMES", "3"))


def setUpModule():
    global CLUSTER, OMPD
    CLUSTER = slurm.Slurm().__enter__()
    try:
        OMPD = install(CLUSTER.path("prefix"))
        for kind, (compiler, _, _) in KINDS.items():
            subprocess.run([compiler, "-g", "-fopenmp", hybrid.SOURCE, "-o", CLUSTER.path("hybrid-" + kind)],
                           check=True)
    except BaseException:
        CLUSTER.stop()
        raise


def tearDownModule():
    CLUSTER.stop()


class Job:
    """A job that hangs, as its user has started it."""

    def __init__(self, kind="openmpi"):
        _, mpi, env = KINDS[kind]
        env = dict(env, **hybrid.ENVIRONMENT, LD_LIBRARY_PATH=CLUSTER.path("prefix/lib/ompcompanion"))
        self.name = "job%d" % time.monotonic_ns()
        with open(CLUSTER.path(self.name), "w") as log:
            self.process = CLUSTER.popen("srun", "--job-name=" + self.name, "--mpi=" + mpi, "-N4",
                                         "-n%d" % hybrid.RANKS, "--ntasks-per-node=2", "--overcommit",
                                         CLUSTER.path("hybrid-" + kind), env=env, stdout=log, stderr=log)
        slurm.wait_for(self.find, CLUSTER.tell)
        slurm.wait_for(self.hangs, self.tell)

    def find(self):
        done = CLUSTER.run("squeue", "--noheader", "--name=" + self.name, "--states=RUNNING", "--format=%A")
        self.id = done.stdout.strip()
        return self.id

    def tell(self):
        with open(CLUSTER.path(self.name)) as f:
            return f.read() + CLUSTER.run(OMPD, "job", "--slurm", self.id).stdout

    def hangs(self):
        """Have all ranks come to where they stay?"""
        assert self.process.poll() is None, self.tell()
        done = CLUSTER.run(OMPD, "job", "--slurm", self.id, "--json")
        return hybrid.hang(hybrid.states_of(json.loads(done.stdout)) if done.stdout else {})

    def end(self):
        CLUSTER.run("scancel", self.id)
        self.process.wait(slurm.SECONDS)
        slurm.wait_for(lambda: not CLUSTER.run("squeue", "--noheader").stdout.strip(), CLUSTER.tell)


def pids():
    """{rank: pid}, by what Slurm itself tells each process; root may read it."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as f:
                told = dict(word.partition(b"=")[::2] for word in f.read().split(b"\0"))
            with open("/proc/%s/comm" % pid) as f:
                if f.read().startswith("hybrid-") and CLUSTER.folder.encode() in told.get(b"SLURM_CONF", b""):
                    found[int(told[b"SLURM_PROCID"])] = int(pid)
        except (OSError, KeyError):
            pass  # it has ended, or is no rank
    return found


def script(name, text):
    """An agent that does something else first."""
    with open(CLUSTER.path(name), "w") as f:
        f.write("#!/bin/sh\n%s\nexec %s \"$@\"\n" % (text, OMPD))
    os.chmod(CLUSTER.path(name), 0o755)
    return CLUSTER.path(name)


@unittest.skipUnless(os.getuid() == 0, "only root can start slurmd")
class OnSlurm(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def ask(self, job, *words, status=0, to="json", **more):
        words = (("--json",) if to == "json" else ()) + words
        done = CLUSTER.run(OMPD, "job", "--slurm", job.id, *words, **more)
        self.assertEqual(done.returncode, status, done.stdout[-3000:] + done.stderr)
        if to != "json":
            return done.stdout
        document = json.loads(done.stdout)
        ompd_schema.check(document)
        return document

    def check_all(self, job):
        document = self.ask(job)
        self.assertTrue(document["complete"])
        self.assertEqual({row[0]: row[1] for one in document["jobs"] for state in one["states"]
                          for host in state["hosts"] for row in host["processes"]}, pids())
        hybrid.check(self, hybrid.states_of(document))

    def check_text(self, job):
        lines = self.ask(job, to="text").splitlines()
        self.assertRegex(lines[0], r"^Job %s\.0, hybrid-\w+, on \S+: 8 of 8 ranks answered\.$" % job.id)
        self.assertEqual(lines[1], "Deadlock in 1 rank: %d." % hybrid.WRONG)
        self.assertEqual(lines[2], "7 ranks are in MPI_Allreduce at main, hybrid.c:%d."
                         % hybrid.line("MPI_Allreduce("))
        self.assertRegex(lines[6], "^! +1 +%d +1/%d +waits for lock right, held by OpenMP thread 2"
                         % (hybrid.WRONG, hybrid.THREADS))

    def test_a_rank_is_named(self):
        for turn in range(AGAIN):
            with self.subTest(turn=turn):
                job = Job()
                try:
                    self.check_all(job)
                    self.check_text(job)
                    self.ask(job, "--check", status=3)
                finally:
                    job.end()

    def test_mpich(self):
        job = Job("mpich")
        self.addCleanup(job.end)
        self.check_all(job)

    def test_what_goes_wrong(self):
        """The job stays what it is; what is asked on the way fails."""
        job = Job()
        self.addCleanup(job.end)
        others = [0, 1, 4, 5, 6, 7]

        # An agent that is killed, and one that answers when nobody waits any more.
        killed = script("killed", "[ $SLURMD_NODENAME = n2 ] && kill -9 $$")
        document = self.ask(job, "--agent", killed, status=1)
        self.assertEqual(sorted(hybrid.states_of(document)), others, document["failed"])
        self.assertEqual([row["host"] for row in document["failed"]], ["n2"], document["failed"])
        late = script("late", "[ $SLURMD_NODENAME = n2 ] && exec sleep 60")
        document = self.ask(job, "--agent", late, "--timeout", "12", status=1)
        self.assertEqual(sorted(hybrid.states_of(document)), others, document["failed"])
        self.assertEqual(document["failed"],
                         [{"host": "n2", "why": "no answer within the 12 seconds of --timeout"}])
        # What was started for that is gone, and the job goes on.
        slurm.wait_for(lambda: CLUSTER.run("squeue", "--steps", "--noheader").stdout.count(job.id + ".") == 1,
                       lambda: CLUSTER.run("squeue", "--steps").stdout)
        self.assertIsNone(job.process.poll())

        # Rank 2 cannot be looked at, since somebody else does.
        tracer = subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-p", str(pids()[2])],
                                  stderr=subprocess.DEVNULL)
        try:
            slurm.wait_for(lambda: "TracerPid:\t0" not in open("/proc/%d/status" % pids()[2]).read(), str)
            document = self.ask(job, status=1)
            self.assertEqual(sorted(hybrid.states_of(document)), [0, 1, 3, 4, 5, 6, 7])
            self.assertEqual([row["host"] for row in document["failed"]], ["n2"])
            self.assertIn("is being debugged by process %d" % tracer.pid, document["failed"][0]["why"])
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.wait(slurm.SECONDS)

        # A node whose slurmd is gone makes srun end all others.
        CLUSTER.daemons["n2"].kill()
        CLUSTER.daemons["n2"].wait()
        document = self.ask(job, status=1)
        self.assertEqual(sorted(hybrid.states_of(document)), others, document["failed"])
        self.assertEqual([row["host"] for row in document["failed"]], ["n2"])
        self.assertIn("failed on node n2", document["failed"][0]["why"])
        CLUSTER.daemon("n2", "n2", "slurmd", "-D", "-N", "n2")
        slurm.wait_for(lambda: len(hybrid.states_of(self.ask_any(job))) == hybrid.RANKS, CLUSTER.tell)

        # A launch for each node does as well.
        document = self.by_engine(job, "slurm-each")
        self.assertEqual(sorted(hybrid.states_of(document)), list(range(hybrid.RANKS)))

        # A rank that has ended; then the job ends when one node has answered.
        ends = script("ends", "[ $SLURMD_NODENAME = n1 ] || exec sleep 60")
        document = self.ask_and_end(job, ends, "1 of 4 nodes have answered")
        self.assertEqual(sorted(hybrid.states_of(document)), [0, 1])
        missing = ",".join(row["host"] for row in document["failed"])
        shown = CLUSTER.run("scontrol", "show", "hostnames", missing)
        self.assertEqual(shown.stdout.split(), ["n2", "n3", "n4"])
        job.process.wait(slurm.SECONDS)
        slurm.wait_for(lambda: not CLUSTER.run("squeue", "--noheader").stdout.strip(), CLUSTER.tell)
        done = CLUSTER.run(OMPD, "job", "--slurm", job.id)
        self.assertEqual(done.returncode, 2)
        self.assertIn("ompd: ", done.stderr)

    def ask_and_end(self, job, agent, when):
        """Ends the job when the command says on its terminal that so many have answered: what an agent has
        written is lost if the job ends before srun has handed it on."""
        terminal, theirs = os.openpty()
        process = CLUSTER.popen(OMPD, "job", "--slurm", job.id, "--json", "--agent", agent,
                                stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        said = ""
        try:
            while when not in said:
                said += os.read(terminal, 1000).decode()
            CLUSTER.run("scancel", job.id)
            out = process.communicate(timeout=2 * slurm.SECONDS)[0]
        except OSError:  # it has ended without saying so
            self.fail(said + process.communicate()[0])
        finally:
            os.close(terminal)
        self.assertEqual(process.returncode, 1, said + out[-3000:])
        document = json.loads(out)
        ompd_schema.check(document)
        return document

    def ask_any(self, job):
        return json.loads(CLUSTER.run(OMPD, "job", "--slurm", job.id, "--json").stdout)

    def by_engine(self, job, engine):
        done = CLUSTER.run(OMPD, "job", "--engine", engine, "--job", job.id, "--json")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        return json.loads(done.stdout)


if __name__ == "__main__":
    xmltest.main()
