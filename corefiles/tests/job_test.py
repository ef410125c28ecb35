# SPDX-License-Identifier: Apache-2.0
"""`ompd job`: nodes are asked through programs of others, here launcher.py, that may fail in every way; what
has come is shown, and what has not is a row. The nodes are this machine under four names."""

import json
import os
import shutil
import signal
import subprocess
import time

import ompd_schema
import xmltest
from installed import Case, FOLDER, Held, OMPD, SECONDS, alive, run

DEADLOCK, IDLE = "deadlock_gcc.exe", "idle_clang.exe"
NODES = ["n1", "n2", "n3", "n4"]
PROGRAMS = ("tell", "up", "all", "labels", "one", "clush", "pdsh", "ssh", "kubectl", "flux", "pbsdsh",
            "blaunch")
HERE = os.path.dirname(os.path.abspath(__file__))
ENGINES = """# Of a site.
[all]
nodes = tell %j
up = up %N
launch = all %N
 %A
lost = failed on node ([^ :]+)
tried = yes

[each]
launch = one %N %A
each = yes
tried = yes

[labels]
launch = labels %N %A
tried = yes
"""


def here(name):
    return os.path.join(FOLDER, name)


def setUpModule():
    global RANKS
    os.mkdir(here("bin"))
    for name in PROGRAMS:
        shutil.copy(os.path.join(HERE, "launcher.py"), here("bin/" + name))
        os.chmod(here("bin/" + name), 0o755)
    with open(here("engines"), "w") as f:
        f.write(ENGINES)
    # Two ranks on each node; rank 5 has the deadlock.
    RANKS = [Held(DEADLOCK if i == 5 else IDLE, FOLDER, OMP_DEBUG="enabled", OMPI_COMM_WORLD_RANK=str(i),
                  OMPI_COMM_WORLD_SIZE="8", PMIX_NAMESPACE="job", PBS_JOBID="4711",
                  SLURMD_NODENAME=NODES[i // 2]) for i in range(8)]


def tearDownModule():
    for held in RANKS:
        held.__exit__()


def ranks_on(*nodes):
    """(rank, pid) of those that should be seen."""
    return [(i, held.pid) for i, held in enumerate(RANKS) if NODES[i // 2] in nodes]


def processes(document):
    return sorted((row[0], row[1]) for job in document["jobs"] for state in job["states"]
                  for host in state["hosts"] for row in host["processes"])


class Job(Case):
    def setUp(self):
        self.log = here("log-" + self.id())
        self.env = {"PATH": here("bin") + ":" + os.environ["PATH"], "LOG": self.log, "NODES": "n[1-4]"}

    def said(self, what=None):
        with open(self.log) as f:
            lines = [json.loads(line) for line in f]
        return [line for line in lines if what in (None, line["what"])]

    def json(self, *words, status=0, engine="all", faults="", **env):
        words = ("job", "--json", "--engines", here("engines"), "--engine", engine, "--job", "4711") + words
        done = self.ok(*words, status=status, env=dict(self.env, FAULTS=faults, **env))
        document = json.loads(done.stdout)
        ompd_schema.check(document)
        self.assertEqual(document["complete"], status == 0)
        return document

    def rows(self, document):
        return {row["host"]: row["why"] for row in document["failed"]}

    def gone(self):
        """Nothing of what was started is left, or it goes at this moment."""
        end = time.monotonic() + SECONDS
        pids = [line["agent"] for line in self.said("agent")] + [line["pid"] for line in self.said()]
        while any(map(alive, pids)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if alive(pid)], [])

    def test_all_nodes(self):
        document = self.json()
        self.assertEqual(processes(document), ranks_on(*NODES))
        proved = [s["ranks"] for s in document["jobs"][0]["states"]
                  if s["state"]["verdict"] == "deadlock"]
        self.assertEqual(proved, [[[5, 5]]])
        self.assertEqual(self.said("tell")[0]["words"], ["4711"])
        self.assertEqual(self.said("all")[0]["words"][:3], ["n1,n2,n3,n4", OMPD, "node"])
        words = ("job", "--engines", here("engines"), "--engine", "all", "--job", "4711")
        done = self.ok(*words, env=self.env)
        self.assertIn("8 of 8 ranks answered", done.stdout)
        self.assertIn("\nDeadlock in 1 rank: 5.\n", done.stdout)
        self.assertEqual(done.stderr, "")
        self.ok(*words, "--check", env=self.env, status=3)
        done = self.ok(*words, "--rank", "5", env=self.env)
        self.assertIn("Rank 5, process %d" % RANKS[5].pid, done.stdout)
        # One word for a shell, and any path of the agent.
        odd = here("an odd ' name")
        os.symlink(OMPD, odd)
        document = self.json("--hosts", "n1,n4", "--agent", odd, engine="clustershell", status=1)
        self.assertEqual(processes(document), ranks_on("n1", "n4"))

    def test_a_node_that_is_down_is_not_asked(self):
        document = self.json(status=1, faults="n2=down")
        self.assertEqual(processes(document), ranks_on("n1", "n3", "n4"))
        self.assertEqual(self.rows(document), {"n2": "it is down, as up tells"})
        self.assertNotIn("n2", [line["node"] for line in self.said("agent")])

    def test_a_node_that_breaks_the_launch(self):
        document = self.json(status=1, faults="n3=breaks")
        self.assertEqual(processes(document), ranks_on("n1", "n2", "n4"))
        self.assertEqual(self.rows(document),
                         {"n3": "launcher: error: Task launch failed on node n3: no connection"})
        self.assertEqual([line["nodes"] for line in self.said("launch")], [NODES, ["n1", "n2", "n4"]])

    def test_nodes_that_do_not_answer(self):
        for fault, why in (("hang", "no answer within the 4 seconds of --timeout"),
                           ("late", "no answer within the 4 seconds of --timeout")):
            document = self.json("--timeout", "4", status=1, faults="n3=%s n4=%s" % (fault, fault))
            self.assertEqual(processes(document), ranks_on("n1", "n2"))
            self.assertEqual(self.rows(document), {"n[3-4]": why})
        for fault in ("killed", "silent"):
            document = self.json(status=1, faults="n1=" + fault)
            self.assertEqual(processes(document), ranks_on("n2", "n3", "n4"))
            self.assertEqual(self.rows(document), {"n1": "nothing has come from it"})
        self.gone()

    def test_a_message_on_several_nodes(self):
        words = ("job", "--engines", here("engines"), "--engine", "all", "--job", "4711", "--json")
        done = self.ok(*words, status=2, env=dict(self.env, FAULTS="all=refused"))
        self.assertEqual(self.rows(json.loads(done.stdout)),
                         {"n[1-2,4]": "not today", "n3": "launcher: error: n[1-2,4]: not today"})

    def test_lines_that_do_not_come_whole(self):
        document = self.json(status=1, faults="n2=cut n3=doubled")
        self.assertEqual(processes(document), ranks_on("n1", "n3", "n4"))
        self.assertTrue(any("line" in why for why in self.rows(document).values()), document["failed"])
        self.assertIn("n2", self.rows(document))
        self.assertEqual([line["nodes"] for line in self.said("launch")], [NODES, ["n2"]])

    def test_answers_that_are_cut_off_with_that_of_another_node(self):
        for engine, words in (("all", ()), ("labels", ("--hosts", "n[1-4]"))):
            self.log = self.env["LOG"] = here("log-cut-" + engine)
            document = self.json(*words, engine=engine, status=1, faults="n2=cuts")
            self.assertEqual(processes(document), ranks_on("n1", "n3", "n4"))
            self.assertEqual(self.rows(document), {"n2": "task 1: Killed"})
            self.assertEqual([line["nodes"] for line in self.said("launch")], [NODES, ["n3", "n4"]])
            # Nobody has been looked at twice.
            self.assertEqual([job["sampled_again"] for job in document["jobs"]], [[]])
        # Once more is enough: who fails again is a row.
        self.log = self.env["LOG"] = here("log-twice")
        document = self.json(status=1, faults="n2=cuts n4=killed")
        self.assertEqual(processes(document), ranks_on("n1", "n3"))
        self.assertEqual(self.rows(document), {"n2": "task 1: Killed", "n4": "nothing has come from it"})
        self.assertEqual([line["nodes"] for line in self.said("launch")], [NODES, ["n3", "n4"]])

    def test_labels_tell_the_node(self):
        document = self.json("--hosts", "n[1-4]", engine="labels")
        self.assertEqual(processes(document), ranks_on(*NODES))
        document = self.json("--hosts", "n[1-4],other", engine="labels", status=1, faults="other=silent")
        self.assertEqual(self.rows(document), {"other": "nothing has come from it"})

    def test_a_launch_for_each_node(self):
        document = self.json("--hosts", "n[1-4]", "--parallel", "2", engine="each", status=1,
                             faults="n4=down")
        self.assertEqual(processes(document), ranks_on("n1", "n2", "n3"))
        self.assertEqual(self.rows(document), {"n4": "connect to host n4: No route to host"})
        self.assertEqual(sorted(line["nodes"] for line in self.said("launch")), [["n1"], ["n2"], ["n3"]])

    def test_an_interrupt_shows_what_has_come(self):
        env = dict(os.environ, **self.env, FAULTS="n2=hang")
        job = subprocess.Popen([OMPD, "job", "--json", "--engines", here("engines"), "--engine", "all",
                                "--job", "4711"], env=env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, universal_newlines=True, start_new_session=True)
        end = time.monotonic() + SECONDS
        while not (os.path.exists(self.log) and self.said("settled")) and time.monotonic() < end:
            time.sleep(0.05)
        job.send_signal(signal.SIGINT)
        out, err = job.communicate(timeout=SECONDS)
        self.assertEqual((job.returncode, err), (1, ""))
        document = json.loads(out)
        self.assertEqual(processes(document), ranks_on("n1", "n3", "n4"))
        self.assertEqual(self.rows(document), {"n2": "it had not answered yet: interrupted"})
        self.gone()

    def test_nobody_answers(self):
        words = ("job", "--engines", here("engines"), "--engine", "all", "--job", "4711")
        done = self.ok(*words, status=2, env=dict(self.env, FAULTS="tell=no"))
        self.assertEqual(done.stderr, "ompd: tell could not tell of the nodes: tell: error: Invalid job id "
                         "specified\n")
        done = self.ok(*words, status=2, env=dict(self.env, NODES=""))
        self.assertEqual(done.stderr, "ompd: Job 4711 has no nodes now.\n")
        done = self.ok("job", "--engines", here("engines"), "--engine", "all", "--job", "9", status=2,
                       env=self.env)
        self.assertEqual(done.stderr, "ompd: No rank of job 9 was found on the nodes.\n")
        done = self.ok(*words, status=2, env=dict(self.env, FAULTS=" ".join(n + "=silent" for n in NODES)))
        self.assertEqual(done.stdout, "No answer\n  n[1-4]: nothing has come from it\n")
        done = self.ok("job", "--launch", "no-such-program %A", status=2)
        self.assertIn("no-such-program cannot be started: No such file or directory.", done.stdout)

    def test_two_samples(self):
        done = self.ok("job", "--engines", here("engines"), "--engine", "all", "--job", "4711", "--watch",
                       "0.2", env=self.env)
        self.assertEqual(len(self.said("launch")), 2)
        one, two = here("before"), here("after")
        for path in (one, two):
            with open(path, "w") as f:
                json.dump(self.json(), f)
        # The same as of two documents, but for the names.
        self.assertEqual(done.stdout, self.ok("merge", "--diff", one, two).stdout)
        done = self.ok("job", "--engines", here("engines"), "--engine", "all", "--job", "4711", "--watch",
                       "0.2", "--json", env=self.env)
        self.assertEqual(done.stdout, self.ok("merge", "--diff", "--json", one, two).stdout)

    def test_rows_that_are_not_tried(self):
        """As far as programs that stand for these can tell."""
        with open(here("nodefile"), "w") as f:
            f.write("n1\nn1\nn2\n")
        seen = {}
        for engine, job, env in (("kubernetes", "job-name=solve", {"NODES": "n1,n2"}),
                                 ("flux", "4711", {"NODES": "n1,n2"}),
                                 ("pbs", "4711", {"PBS_NODEFILE": here("nodefile")}),
                                 ("lsf", "4711", {"LSB_HOSTS": "n1 n1 n2"})):
            done = run("job", "--engine", engine, "--job", job, "--json", env=dict(self.env, **env))
            self.assertEqual(done.stderr, "ompd: The row of engine \"%s\" has not been tried on such a "
                             "system.\n" % engine)
            seen[engine] = processes(json.loads(done.stdout))
        for engine in ("flux", "pbs", "lsf"):
            self.assertEqual(seen[engine], ranks_on("n1", "n2"), engine)
        # A label is no job of a batch system: all ranks of the pod count.
        self.assertEqual(seen["kubernetes"], ranks_on("n1", "n2"))
        self.assertEqual(self.said("kubectl")[0]["words"][:2], ["get", "pods"])
        self.assertIn("--selector=job-name=solve", self.said("kubectl")[0]["words"])
        self.assertEqual(self.said("flux")[1]["words"][:3], ["exec", "--noinput", "--jobid=4711"])
        self.assertEqual(sorted(line["words"][1] for line in self.said("blaunch")), ["n1", "n2"])
        for engine, program in (("pdsh", "pdsh"), ("ssh", "ssh"), ("clustershell", "clush")):
            document = self.json("--hosts", "n[1-2]", engine=engine, status=1)
            self.assertEqual(processes(document), ranks_on("n1", "n2"))
            self.assertTrue(self.said(program))

    def test_names_of_nodes(self):
        truth = {"n1,n2": ["n1", "n2"], "n[1-3,7]": ["n1", "n2", "n3", "n7"], "a b\nc": ["a", "b", "c"],
                 "r[1-2]c[09-10]x": ["r1c09x", "r1c10x", "r2c09x", "r2c10x"], "n1,n[1-2]": ["n1", "n2"],
                 "u@h.example.org,10.0.0.1": ["u@h.example.org", "10.0.0.1"]}
        for i, (text, names) in enumerate(truth.items()):
            self.log = self.env["LOG"] = here("log-%d" % i)
            run("job", "--engines", here("engines"), "--engine", "labels", "--job", "4711", "--hosts", text,
                env=self.env)
            self.assertEqual(self.said("launch")[0]["nodes"], names)
        for text in ("n[1-", "n[a-b]", "n[3-1]", "-oProxyCommand=x", "n1;reboot", "n[1-999999999]", "$(x)"):
            done = self.ok("job", "--hosts", text, "--launch", "all %N %A", status=64, env=self.env)
            self.assertEqual(done.stderr, "ompd: %s is no list of nodes such as n[1-4,7],login.\n" % text)

    def test_usage(self):
        for words, sentence in (
                ((), "Say which nodes to ask"),
                (("--slurm", "1", "--hosts", "n1"), "--slurm names job, nodes and"),
                (("--launch", "x"), "--launch needs %A or %C"), (("--slurm", "-x"), "The job needs a name"),
                (("--launch", "x %A", "--engine", "ssh"), "contradict"), (("4711",), "does not take"),
                (("--slurm", "1", "--framed"), "has no option --framed")):
            self.assertIn(sentence, self.ok("job", *words, status=64).stderr)
        for words, sentence in (
                (("--engine", "none"), "no engine \"none\"; there are: slurm slurm-each clustershell pdsh"),
                (("--launch", "x %Q %A"), "%Q stands for nothing"), (("--launch", "x 'y %A"), "has no end"),
                (("--launch", "x %N %A"), "needs --hosts"), (("--launch", "x %J %A"), "needs --job")):
            self.assertIn(sentence, self.ok("job", *words, status=2).stderr)
        for text, sentence in (("[x\n", ":1: a row begins with [NAME]."),
                               ("[x]\nfoo = 1\n", ":2: there is no such key"),
                               ("[x]\nup = 1\n", "no launch = COMMAND"),
                               ("[x]\ntried = 1\n", "this is yes or no"),
                               ("[x]\nlaunch = a %A\n[x]\n", "there twice"), ("x\n", "KEY = VALUE"),
                               ("[x]\nlaunch = a %A\nlost = [\n", "no regular expression")):
            with open(here("wrong"), "w") as f:
                f.write(text)
            done = self.ok("job", "--engines", here("wrong"), "--engine", "x", status=2)
            self.assertIn(sentence, done.stderr)
        done = self.ok("job", "--engines", here("none-such"), "--engine", "ssh", status=2)
        self.assertIn("cannot be read: No such file", done.stderr)


if __name__ == "__main__":
    xmltest.main()
