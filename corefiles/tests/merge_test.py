# SPDX-License-Identifier: Apache-2.0
"""`ompd merge`: ranks in the same state are one row, the few that differ come first, and the result is the
same however its parts were put together. Ranks are made of real reports with other numbers and addresses."""

import base64
import json
import os
import random
import re
import signal
import zlib

import ompd_schema
import ranks
import xmltest
from installed import Case, Held, SECONDS, run
from ranks import KINDS, here, rank, states, write

RANK = {"PMIX_RANK": "3", "OMPI_COMM_WORLD_SIZE": "8", "PMIX_NAMESPACE": "job@1"}
setUpModule = ranks.make_records


class Merge(Case):
    def json(self, *files, status=0, **more):
        document = json.loads(self.ok("merge", "--json", *files, status=status, **more).stdout)
        ompd_schema.check(document)
        return document

    def test_ranks_in_the_same_state(self):
        files = [write("r%d" % i, rank(KINDS[0] if i in (5, 11) else KINDS[4], i, 20)) for i in range(20)]
        document = self.json(*files)
        self.assertEqual(states(document), [[[0, 4], [6, 10], [12, 19]], [[5, 5], [11, 11]]])
        self.assertTrue(document["complete"])
        text = self.ok("merge", *files).stdout.splitlines()
        self.assertEqual(text[0], "Job 4711.0, on n0000: 20 of 20 ranks answered.")
        self.assertEqual(text[1], "Deadlock in 2 ranks: 5,11.")
        self.assertRegex(text[5], r"^!\s+2\s+5,11\s+0/3\s+waits for lock right, held by OpenMP thread 1")
        self.ok("merge", "--check", *files, status=3)
        # Each state by one of its ranks, named in full.
        shown = self.ok("merge", "--rank", "11", *files).stdout
        self.assertTrue(shown.startswith("Rank 11, process 1011 on n0000, deadlock_gcc.exe; 1 more"), shown)
        self.assertIn("Deadlock: OpenMP thread 0 holds lock left", shown)
        done = self.ok("merge", "--rank", "20", *files, status=2)
        self.assertIn("Nothing was given of rank 20", done.stderr)

    def test_the_sum_does_not_depend_on_its_order(self):
        chance = random.Random(1)
        files = [write("s%d" % i, rank(KINDS[chance.randrange(5)], i, 64)) for i in range(40)]
        # Later samples of some ranks, of which the newer counts.
        files += [write("t%d" % i, rank(KINDS[0], i, 64, taken=10 ** 18 + 1)) for i in range(0, 40, 7)]
        flat = self.ok("merge", "--json", *files, status=1).stdout
        text = self.ok("merge", *files, status=1).stdout
        for turn in range(4):
            chance.shuffle(files)
            groups = [files[i::5] + files[:turn] for i in range(5)]
            parts = []
            for i, group in enumerate(groups):
                parts.append(here("part%d" % i))
                self.ok("merge", "--json", "-o", parts[-1], *group, status=1)
            self.ok("merge", "--json", "-o", here("upper"), *parts[:3], parts[1], status=1)
            upper = [here("upper"), *parts[3:], files[0]]
            self.assertEqual(self.ok("merge", "--json", *upper, status=1).stdout, flat)
            self.assertEqual(self.ok("merge", *upper, status=1).stdout, text)
            self.assertEqual(self.ok("merge", "--json", *files, *files, status=1).stdout, flat)
        document = json.loads(flat)
        self.assertEqual(document["jobs"][0]["missing"], [[40, 63]])
        self.assertEqual(document["jobs"][0]["sampled_again"], [[i, i] for i in range(0, 40, 7)])
        self.assertIn("several samples of rank 0,7,14", text)
        self.assertIn("nothing was given of rank 40-63", text)

    def test_the_newer_sample_counts(self):
        old, new = (write("age%d" % i, rank(KINDS[4 * i], 0, 1, taken=10 ** 18 + i)) for i in range(2))
        for order in ((old, new), (new, old)):
            document = self.json(*order)
            self.assertEqual(document["jobs"][0]["states"][0]["state"]["program"], KINDS[4])
            self.assertEqual(document["jobs"][0]["sampled_again"], [[0, 0]])
        self.assertEqual(self.json(old, old)["jobs"][0]["sampled_again"], [])

    def test_all_that_is_written_of_a_process_is_read(self):
        with Held("deadlock_gcc.exe", here(""), **RANK) as target:
            paths = [here("live-record"), here("live-report")]
            self.ok("record", "-p", target.pid, "-o", paths[0])
            self.ok("report", "--json", "-p", target.pid, "-o", paths[1])
            folder = here("cores")
            os.mkdir(folder)
        with Held("deadlock_gcc.exe", folder, **RANK) as target:
            target.process.send_signal(signal.SIGABRT)
            target.process.wait(SECONDS)
        core = os.path.join(folder, os.listdir(folder)[0])
        self.ok("record", "-c", core, "-o", here("live-core"))
        seen = [self.json(path, status=1)["jobs"][0] for path in paths + [here("live-core")]]
        self.assertEqual(seen[0]["states"][0]["state"], seen[1]["states"][0]["state"])
        for job in seen:
            self.assertEqual((job["namespace"], job["size"]), ("job@1", 8))
            self.assertEqual(states({"jobs": [job]}), [[[3, 3]]])
        # Of the core the signal, and how that was raised, is another.
        live, core = (job["states"][0]["state"] for job in (seen[0], seen[2]))
        self.assertEqual((core["verdict"], core["sentence"]), (live["verdict"], live["sentence"]))
        # Two documents, one behind the other, as two processes write them to one pipe.
        with open(write("both", rank(KINDS[0], 0, 2), rank(KINDS[0], 1, 2))) as f:
            self.assertEqual(states(self.json("-", stdin=f)), [[[0, 1]]])

    def test_jobs_and_processes_without_a_rank(self):
        one, two, bare = (rank(KINDS[4], i, 2) for i in (0, 1, 1))
        two["process"]["step"] = "1"
        bare["process"].update(rank=None, size=None, job=None, step=None)
        other = json.loads(json.dumps(bare))
        other["process"]["start"] += 1
        document = self.json(write("jobs", one, two, bare, other), status=1)
        self.assertEqual([(job["job"], job["step"], job["answered"]) for job in document["jobs"]],
                         [(None, None, 2), ("4711", "0", 1), ("4711", "1", 1)])
        text = self.ok("merge", here("jobs"), status=1).stdout
        self.assertIn("Processes of no known job, idle_gcc.exe, on n0000: 2 processes without a rank.", text)
        self.assertIn("n0000:1001,n0000:1001", text)

    def test_what_is_no_report(self):
        good = write("good", rank(KINDS[4], 0, 1))
        with open(good) as f:
            cut = f.read()[:-100]
        for number, bad in enumerate(("", "x", "[]", "{}", '{"schema": 1, "kind": "job"}', cut,
                                      '{"schema": 1, "kind": "job", "jobs": [{"states": [{"state": {}}]}]}')):
            path = here("bad%d" % number)
            with open(path, "w") as f:
                f.write(bad)
            done = self.ok("merge", good, path, status=1)
            self.assertIn(path, done.stderr)
            self.assertIn("1 of 1 ranks answered", done.stdout)
            self.ok("merge", path, status=2)
        self.assertIn("cannot be read", self.ok("merge", good, here("none"), status=1).stderr)
        self.assertIn("there is nothing", self.ok("merge", good, here("bad0"), status=1).stderr)
        self.ok("merge", status=64)
        self.ok("merge", "--zoom", "4", good, status=64)

    def test_what_is_made_to_do_harm(self):
        """None of it takes the place of what is good, nor all memory, nor the screen."""
        good = write("harmless", rank(KINDS[4], 0, 1))
        with open(good) as f:
            text = f.read()
        for number, bad in enumerate(("[" * 1000000, '{"a":' * 300000,
                                      text.replace('"pid": ', '"pid": NaN, "p": '),
                                      text.replace('"rank": 0', '"rank": ' + "9" * 40), "\ufeff" + text,
                                      '{"process": [' + "0," * (1 << 24) + "0]}", "\0", text[:-1] + "\0}")):
            path = here("harm%d" % number)
            with open(path, "w") as f:
                f.write(bad)
            done = self.ok("merge", "--memory-limit", "1500M", good, path, good, status=1)
            self.assertIn("1 of 1 ranks answered", done.stdout)
            self.assertRegex(done.stderr, r"^ompd: \S+: It is not JSON: line 1: [^\n]*\n$")
        long = rank(KINDS[4], 0, 1)
        long["process"].update(host="h\u00e9" * 100000, job="j" * 100000, exe="/bin/" + "x" * 100000)
        text = self.ok("merge", write("long", long)).stdout
        self.assertLess(len(text), 50000)
        self.assertIn("h\u00e9h\u00e9", text)
        self.assertIn("j...", text)
        once = self.ok("merge", "--json", here("long")).stdout
        with open(here("once"), "w") as f:
            f.write(once)
        self.assertEqual(self.ok("merge", "--json", here("once")).stdout, once)

    def test_lines_that_claim_much(self):
        """A line says how many there are of its answer: memory is taken for what has come."""
        with open(here("claims"), "w") as f:
            for i in range(3000):
                head = "n%d %x-%08x 1/131072" % (i, 131072 * 600, i)
                data = base64.b64encode(b"x" * 600).decode()
                f.write("ompd1 %s %08x %s\n" % (head, zlib.crc32((head + data).encode()), data))
            f.write(self.ok("merge", "--framed", write("kept", rank(KINDS[4], 0, 1))).stdout)
        document = json.loads(self.ok("merge", "--json", "--memory-limit", "300M", here("claims"),
                                      status=1).stdout)
        self.assertEqual(document["jobs"][0]["answered"], 1)
        self.assertEqual(len(document["failed"]), 3000)

    def test_a_sample_of_the_future(self):
        """Whoever writes one does not have the last word."""
        good = write("present", rank(KINDS[4], 0, 1))
        late = write("late", rank(KINDS[0], 0, 1, taken=1 << 62))
        truth = json.loads(self.ok("merge", "--json", good).stdout)
        for files in ((good, late), (late, good)):
            document = json.loads(self.ok("merge", "--json", *files, status=1).stdout)
            self.assertEqual([state["state"] for state in document["jobs"][0]["states"]],
                             [state["state"] for state in truth["jobs"][0]["states"]])
            self.assertIn("in the future", document["failed"][0]["why"])

    def test_more_processes_than_a_machine_has(self):
        """The other machine's answer is as it was."""
        document = json.loads(self.ok("merge", "--json", write("one", rank(KINDS[4], 0, 1))).stdout)
        hosts = document["jobs"][0]["states"][0]["hosts"]
        hosts.append({"host": "many", "boot_id": "b",
                      "processes": [[None, i + 1, 1, 1] for i in range((1 << 17) + 1)]})
        path = write("many", document)
        result = json.loads(self.ok("merge", "--json", "--memory-limit", "300M", path, status=1).stdout)
        self.assertEqual([h["host"] for h in result["jobs"][0]["states"][0]["hosts"]], [hosts[0]["host"]])
        self.assertEqual([(f["host"], f["why"]) for f in result["failed"]],
                         [("many", "a document names more processes than a machine has")])

    def test_how_a_report_is_written_does_not_matter(self):
        """Blanks do not, and edges are not read; what is no JSON stays none."""
        document = rank(KINDS[0], 1, 2)
        truth = self.ok("merge", "--json", write("plain", document), status=1).stdout
        odd = dict(document, edges=['}"]\\', {"edges": [[], {}, '\\"']}, 1.5, "edges"])
        odd["snapshot"] = dict(odd["snapshot"], edges="edges")
        last = {key: value for key, value in document.items() if key != "edges"}
        texts = [json.dumps(document, separators=(",", ":")), json.dumps(document, indent="\t"),
                 json.dumps(document, indent=3).replace("\n", " \r\n"), json.dumps(odd), json.dumps(last),
                 json.dumps(dict(last, edges=1), indent=1), json.dumps(dict(last, edges=[])) * 2]
        for i, text in enumerate(texts):
            with open(here("written"), "w") as f:
                f.write(text)
            self.assertEqual(self.ok("merge", "--json", here("written"), status=1).stdout, truth, i)
        for old, new in (('"pid": ', '"pid": 1 '), ('"pid": ', '"pid": 1\n'), ('"rank":', '"rank"'),
                         ('"host": ', '"host": "a" '), ('"edges": [', '"edges" 0: ['), ('{', '{,'),
                         ('"edges": [', '"edges": [[')):
            text = json.dumps(document)
            self.assertIn(old, text)
            with open(here("written"), "w") as f:
                f.write(text.replace(old, new, 1))
            done = self.ok("merge", here("written"), status=2)
            self.assertIn("It is not JSON: line ", done.stderr)

    def test_lines_that_others_do_not_break(self):
        """What comes is the answer, or a row that says that it has not come, whatever happens on the way."""
        chance = random.Random(3)
        files = [write("f%d" % i, rank(KINDS[i % 5], i, 12)) for i in range(12)]
        whole = self.ok("merge", "--json", *files).stdout
        lines = []
        for i in range(3):
            lines += self.ok("merge", "--framed", *files[i::3], status=1).stdout.splitlines()
        self.assertGreater(len(lines), 5)
        self.assertLess(max(map(len, lines)), 1000)

        def read(some, status):
            with open(here("lines"), "w", errors="surrogateescape") as f:
                f.write("\n".join(some))
            with open(here("lines")) as f:
                return self.ok("merge", "--json", "-", stdin=f, status=status).stdout
        mixed = ["n%d: %s" % (i, line) for i, line in enumerate(lines + lines[2:])] + ["another program"]
        chance.shuffle(mixed)
        self.assertEqual(read(mixed, 0), whole)
        for _ in range(40):
            some = list(lines)
            at = chance.randrange(len(some))
            way, column = chance.randrange(4), chance.randrange(1, len(some[at]))
            if way == 0:
                del some[at]
            elif way == 1:
                some[at] = some[at][:column]
            elif way == 2:
                some[at] = some[at][:column] + "step 7 done" + some[at][column:]
            else:
                some[at] = some[at][:column] + chr(ord(some[at][column]) ^ 1) + some[at][column + 1:]
            document = json.loads(read(some, 1))
            ompd_schema.check(document)
            self.assertNotEqual(document["failed"], [])
            self.assertEqual(document["jobs"][0]["answered"], 8)

    def test_damage(self):
        """Parts may come from anywhere: whatever is taken from them, it can be written and read again."""
        chance = random.Random(2)
        part = self.ok("merge", "--json", write("damage", *(rank(KINDS[i], i, 5) for i in range(5)))).stdout
        for _ in range(60):
            text = part
            for _ in range(chance.randrange(1, 4)):
                numbers = [m.span() for m in re.finditer(r"-?\d+|null|\"[^\"]*\"", text)]
                start, end = numbers[chance.randrange(len(numbers))]
                new = chance.choice(("-1", "null", "9223372036854775807", '"\\u001b[31m"', "[]", '"MPI_x"'))
                text = text[:start] + new + text[end:]
            with open(here("damaged"), "w") as f:
                f.write(text)
            done = run("merge", "--json", here("damaged"))
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
            if done.returncode == 2:
                continue
            with open(here("again"), "w") as f:
                f.write(done.stdout)
            self.assertEqual(run("merge", "--json", here("again")).stdout, done.stdout)
            self.assertNotIn("\x1b", run("merge", here("damaged")).stdout)


if __name__ == "__main__":
    xmltest.main()
