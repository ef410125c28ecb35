# SPDX-License-Identifier: Apache-2.0
"""`ompd job` on four containers by ClusterShell, pdsh and ssh: eight ranks of MPICH, one of which has a
deadlock. What starts on a node by ssh is an ordinary user's."""

import json
import os
import subprocess
import tempfile
import time
import unittest

import hybrid
import ompd_schema
import spaces
import xmltest
from installed import install


def setUpModule():
    global NODES, OMPD, JOB, LOG
    NODES = spaces.Spaces().__enter__()
    LOG = tempfile.TemporaryFile()
    try:
        OMPD = install(NODES.path("prefix"))
        program, library = NODES.path("hybrid"), NODES.path("prefix/lib/ompcompanion")
        subprocess.run(["mpicc.mpich", "-g", "-fopenmp", hybrid.SOURCE, "-o", program], check=True)
        JOB = NODES.popen("mpiexec.mpich", "-launcher", "ssh", "-iface", "lo", "-hosts",
                          ",".join(spaces.NODES), "-ppn", "2", "-n", str(hybrid.RANKS), "-env",
                          "LD_LIBRARY_PATH", library, program, env=hybrid.ENVIRONMENT, log=LOG)
        wait_for_hang()
    except BaseException:
        NODES.stop()
        raise


def tearDownModule():
    JOB.terminate()
    JOB.wait(spaces.SECONDS)
    NODES.stop()
    LOG.close()


def wait_for_hang():
    end = time.monotonic() + spaces.SECONDS
    while True:
        done = NODES.run(OMPD, "job", "--hosts", "n[1-4]", "--engine", "ssh", "--json")
        if done.stdout and hybrid.hang(hybrid.states_of(json.loads(done.stdout))):
            return
        assert JOB.poll() is None and time.monotonic() < end, done.stderr + done.stdout[:3000] + told()


def told():
    """What mpiexec and the ranks have printed."""
    LOG.seek(0)
    return LOG.read().decode(errors="replace")


def processes(document, column):
    return sorted((row[0], (host["host"], row[column])) for job in document["jobs"] for state in job["states"]
                  for host in state["hosts"] for row in host["processes"])


def truth():
    """{rank: process id outside}, by what MPICH tells each process."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as f:
                told = dict(word.partition(b"=")[::2] for word in f.read().split(b"\0"))
            if os.path.realpath("/proc/%s/exe" % pid) == NODES.path("hybrid"):
                found[int(told[b"PMI_RANK"])] = int(pid)
        except (OSError, KeyError):
            pass  # it has ended, or is no rank
    return found


def inside(pid):
    """The process id that it has in its own namespace."""
    with open("/proc/%d/status" % pid) as f:
        return [int(line.split()[-1]) for line in f if line.startswith("NSpid:")][0]


@unittest.skipUnless(os.getuid() == 0, "only root can make containers")
class ByNames(unittest.TestCase):
    maxDiff = None

    def ask(self, *words, status=0):
        done = NODES.run(OMPD, *words, "--json")
        self.assertEqual(done.returncode, status, done.stdout[-3000:] + done.stderr)
        document = json.loads(done.stdout)
        ompd_schema.check(document)
        return document

    def test_each_engine(self):
        expected = sorted((rank, (spaces.NODES[rank // 2], inside(pid))) for rank, pid in truth().items())
        self.assertEqual(len(expected), hybrid.RANKS)
        for words in (("--engine", "clustershell"), ("--engine", "pdsh"), ("--engine", "ssh"), ()):
            with self.subTest(words=words):
                document = self.ask("job", "--hosts", "n[1-4]", *words)
                self.assertTrue(document["complete"])
                hybrid.check(self, hybrid.states_of(document))
                self.assertEqual(processes(document, 1), expected)

    def test_a_node_that_is_not_there(self):
        for engine in ("clustershell", "pdsh", "ssh"):
            with self.subTest(engine=engine):
                document = self.ask("job", "--hosts", "n[1-5]", "--engine", engine, status=1)
                hybrid.check(self, hybrid.states_of(document))
                self.assertEqual(document["failed"],
                                 [{"host": "n5", "why": "ssh: connect to host n5 port 22: No route to host"}])

    def test_containers_from_outside(self):
        ranks = truth()
        document = self.ask("node", *map(str, ranks.values()))
        hybrid.check(self, hybrid.states_of(document))
        self.assertEqual([(rank, pid) for rank, (_, pid) in processes(document, 1)], sorted(ranks.items()))
        found = {pid for _, (_, pid) in processes(json.loads(NODES.run(OMPD, "node", "--json").stdout), 1)}
        self.assertLessEqual(set(ranks.values()), found)


if __name__ == "__main__":
    xmltest.main()
