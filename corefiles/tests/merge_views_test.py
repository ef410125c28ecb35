# SPDX-License-Identifier: Apache-2.0
"""What `ompd merge` shows: short screens with the few that differ first, stacks as a tree, pictures, pages,
and what has changed between two samples. The counts are those of the records that are merged."""

import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import ompd_schema
import ranks
import xmltest
from installed import Case, Held, SECONDS
from ranks import KINDS, here, load, rank, write

setUpModule = ranks.make_records
DEADLOCK, IDLE = KINDS[0], KINDS[4]
LINES, FIRST = 40, 10


def job(name, kinds, size=None, **more):
    """A file with a rank of each of KINDS."""
    documents = [rank(kind, i, size or len(kinds)) for i, kind in enumerate(kinds)]
    for document in documents:
        document["process"].update(job=name, **more)
    return write("job" + name, *documents)


def moved(document, lines):
    """The same in other lines: a state of its own."""
    text = json.dumps(document)
    return json.loads(re.sub(r'"line": (\d+)', lambda m: '"line": %d' % (int(m.group(1)) + lines), text))


class Page(html.parser.HTMLParser):
    EMPTY = ("meta", "input", "br", "img", "path", "polygon", "ellipse")

    def __init__(self, text):
        super().__init__()
        self.open, self.all, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.all.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.all.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.EMPTY:
            assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
            self.open.pop()

    def handle_data(self, data):
        self.words.append(data)


class Screen(Case):
    def test_of_many_jobs_those_with_a_deadlock_come_first(self):
        files = [job("%d" % (100 + i), [IDLE, DEADLOCK if i == 45 else IDLE]) for i in range(60)]
        for columns in ("", "80", "200"):
            lines = self.ok("merge", *files, env={"COLUMNS": columns}).stdout.splitlines()
            self.assertLessEqual(len(lines), LINES)
            self.assertTrue(lines[0].startswith("Job 145.0, "), lines[0])
            self.assertIn("Deadlock in 1 rank: 1.", lines[:FIRST])
        # All of it when it is asked for.
        every = self.ok("merge", "--zoom", "3", *files).stdout
        for i in range(60):
            self.assertRegex(every, r"(?m)^Job %d\.0, .*: 2 of 2 ranks answered\.$" % (100 + i))

    def test_many_different_states_are_short(self):
        documents = [moved(rank(IDLE if i % 50 else DEADLOCK, i, 300), i) for i in range(300)]
        for i, document in enumerate(documents):
            document["process"]["exe"] = "/x/program%d" % (i % 100)
        path = write("different", *documents)
        for columns in ("", "80", "60"):
            lines = self.ok("merge", path, env={"COLUMNS": columns}).stdout.splitlines()
            self.assertLessEqual(len(lines), LINES, columns)
            width = int(columns or "1000")
            self.assertLessEqual(sum(-(-len(line) // width) or 1 for line in lines), LINES)
            self.assertIn("Deadlock in 6 ranks: 0,50,100,150,...", " ".join(lines[:FIRST]))
        self.assertLessEqual(len(self.ok("merge", "--tree", path).stdout.splitlines()), LINES)

    def test_the_process_that_stands_for_others_can_be_looked_at(self):
        live, core = rank(DEADLOCK, 0, 2), rank(DEADLOCK, 1, 2)
        core["process"].update(start=None, core="/x/core")
        self.assertIn("\n  gdb -p 1000\n", self.ok("merge", write("live", live), status=1).stdout)
        self.assertNotIn("gdb -p", self.ok("merge", write("core", core), status=1).stdout)

    def test_hosts(self):
        documents = [rank(IDLE, i, 3) for i in range(3)]
        self.assertIn(", on n0000: 3 of", self.ok("merge", write("hosts", *documents)).stdout)
        documents[1]["process"]["host"] = "n7"
        self.assertIn(", on 2 hosts: 3 of", self.ok("merge", write("hosts", *documents)).stdout)
        documents[2]["process"]["host"] = None
        self.assertIn("exe: 3 of", self.ok("merge", write("hosts", *documents)).stdout)


class Tree(Case):
    KINDS = [DEADLOCK if i in (5, 11) else KINDS[2] if i % 2 else IDLE for i in range(20)]

    def test_all_threads_are_in_it(self):
        path = job("7", self.KINDS)
        text = self.ok("merge", "--tree", "--zoom", "3", path).stdout
        column = re.search(r"(?m)^ .*?(?=Where$)", text).group(0)
        at_root = [line for line in text.splitlines() if re.match(r"[!? ] +\d+ ", line) and
                   len(line) > len(column) and line[len(column)] != " "]
        threads = sum(len(json.loads(ranks.RECORDS[kind])["threads"]) for kind in self.KINDS)
        self.assertEqual(sum(int(line[1:].split()[0]) for line in at_root), threads, text)
        # Branches that only ranks in a deadlock have come first, and are marked.
        marked = [line for line in text.splitlines() if line.startswith("!")]
        self.assertTrue(marked)
        for line in marked:
            self.assertEqual(line.split()[3], "5,11", line)
        self.assertTrue(text.splitlines()[3].startswith("!"), text)

    @unittest.skipUnless(shutil.which("dot"), "there is no Graphviz")
    def test_pictures(self):
        path = job("8", self.KINDS)
        dot = self.ok("merge", "--format=dot", path).stdout
        done = subprocess.run(["dot", "-Tplain"], input=dot, stdout=subprocess.PIPE, universal_newlines=True,
                              check=True)
        boxes = [line for line in done.stdout.splitlines() if line.startswith("node ")]
        self.assertIn("20 of 20 ranks", " ".join(boxes).replace("\\n", " "))
        self.assertLessEqual(len(boxes), 70)
        self.assertTrue(self.ok("merge", "--format=svg", path).stdout.rstrip().endswith("</svg>"))

    @unittest.skipUnless(shutil.which("dot"), "there is no Graphviz")
    def test_page(self):
        evil = rank(IDLE, 20, 21)
        evil["process"]["exe"] = "/x/<script>alert(1)</script>"
        page = self.ok("merge", "--format=html", job("9", self.KINDS, 21, step="0"),
                       self.with_job(evil, "9")).stdout
        parsed = Page(page)
        self.assertEqual(parsed.open, [])
        self.assertNotIn("script", parsed.all)
        self.assertIn("svg", parsed.all)
        words = " ".join(parsed.words)
        for part in ("21 of 21 ranks answered", "Deadlock in 2 ranks: 5,11.", "5,11", "gdb -p 1005"):
            self.assertIn(part, words)

    def with_job(self, document, name):
        document["process"]["job"] = name
        return write("evil", document)

    def test_usage(self):
        path = job("10", [IDLE])
        for options in (("--tree", "--json"), ("--tree", "--rank", "0"), ("--diff",), ("--diff", "--framed"),
                        ("--diff", "--format=html", path)):
            self.ok("merge", *options, path, status=64)
        self.ok("merge", "--diff", path, path, path, status=64)


class Diff(Case):
    def diff(self, before, after, status, **more):
        paths = write("before", *before), write("after", *after)
        return self.ok("merge", "--diff", *paths, status=status, **more).stdout

    def test_who_has_moved(self):
        before = [rank(IDLE, i, 20) for i in range(20)]
        after = [rank(DEADLOCK if i in (3, 4, 9) else IDLE, i, 20, taken=10 ** 18 + 1) for i in range(20)]
        text = self.diff(before, after, 0)
        self.assertIn("3 are in another state: 3,4,9.\n"
                      "17 are in the same state as before: 0-2,5-8,10-19.", text)
        rows = [line for line in text.splitlines() if re.match(r" +\d+  ", line)]
        self.assertEqual(len(rows), 2)
        self.assertRegex(rows[0], r"^ +3  3,4,9 .* ! waits for lock")
        self.assertRegex(rows[1], r"^ +17  0-2,5-8,10-19 .* the same$")
        back = self.diff(after, before, 0)
        self.assertRegex(back, r"(?m)^ +3  3,4,9 +! waits for lock")
        self.ok("merge", "--diff", "--check", here("after"), here("before"), status=3)

    def test_other_processes_are_no_movement(self):
        before, after = ([rank(IDLE, i, 4) for i in range(4)] for _ in range(2))
        del before[3], after[0]
        after[0]["process"]["start"] += 1
        text = self.diff(before, after, 1)
        for sentence in ("1 is in the same state as before: 2", "1 is another process than before: 1",
                         "1 is only in the first sample: 0", "1 is only in the second sample: 3"):
            self.assertIn(sentence, text)
        # Two jobs, one of which is there once.
        before[0]["process"]["job"] = "1"
        text = self.diff(before, before[1:], 1)
        self.assertEqual(re.findall(r"(?m)^Job (\S+): (\d+) process", text), [("1.0", "1"), ("4711.0", "2")])

    def json(self, before, after, status):
        paths = write("before", *before), write("after", *after)
        document = json.loads(self.ok("merge", "--diff", "--json", *paths, status=status).stdout)
        ompd_schema.check(document)
        return document

    def rows(self, job):
        return sorted((row["fate"], row["ranks"], [p["pid"] for p in row["processes"]])
                      for row in job["rows"])

    def test_as_json(self):
        kinds = [IDLE] * 6 + [DEADLOCK]
        before = [rank(kind, i, 9) for i, kind in enumerate(kinds)]
        after = [rank(DEADLOCK if i in (1, 4) else kind, i, 9) for i, kind in enumerate(kinds)]
        after[5]["process"]["start"] += 1
        del after[0], before[3]
        for document in (before, after):
            bare = rank(IDLE, 70, 1)
            bare["process"].update(rank=None, size=None)
            document.append(bare)
        before[-1]["process"]["pid"] = 55
        document = self.json(before, after, 1)
        job, = document["jobs"]
        self.assertFalse(document["same_processes"])
        self.assertEqual((job["job"], job["step"], job["count"]), ("4711", "0", 9))
        self.assertEqual(self.rows(job), [("gone", [[0, 0]], [55]), ("moved", [[1, 1], [4, 4]], []),
                                          ("new", [[3, 3]], [1070]), ("replaced", [[5, 5]], []),
                                          ("same", [[2, 2]], []), ("same", [[6, 6]], [])])
        for row in job["rows"]:
            was, now = (row[key] is not None and document["states"][row[key]]["state"]["program"]
                        for key in ("before", "after"))
            self.assertEqual(was, row["fate"] != "new" and (DEADLOCK if [6, 6] in row["ranks"] else IDLE))
            self.assertEqual(now, row["fate"] != "gone" and
                             (DEADLOCK if row["fate"] == "moved" or [6, 6] in row["ranks"] else IDLE))
        self.assertEqual(len(document["states"]), 2)
        again = self.json(before, before, 0)
        self.assertTrue(again["same_processes"])
        self.assertEqual({row["fate"] for row in again["jobs"][0]["rows"]}, {"same"})
        # It is none of the documents that are merged.
        with open(here("diff"), "w") as f:
            json.dump(document, f)
        self.assertIn("no document of `ompd merge --json`", self.ok("merge", here("diff"), status=2).stderr)

    def test_what_has_not_come(self):
        paths = [here("sound"), here("failed")]
        self.ok("merge", "--json", "-o", paths[0], write("one", rank(IDLE, 0, 1)))
        document = load(paths[0])
        document["failed"] = [{"host": "n%d" % i, "why": "it is down"} for i in range(9)]
        with open(paths[1], "w") as f:
            json.dump(document, f)
        text = self.ok("merge", "--diff", *paths, status=1).stdout
        self.assertIn("No answer in the second sample: n0: it is down.\n", text)
        self.assertIn("No answer in the second sample: 5 more.", text)
        text = self.ok("merge", "--diff", *paths[::-1], status=1).stdout
        self.assertIn("No answer in the first sample: n0", text)
        answer = json.loads(self.ok("merge", "--diff", "--json", *paths, status=1).stdout)
        ompd_schema.check(answer)
        self.assertEqual((answer["failed_before"], answer["failed_after"]), ([], document["failed"]))

    def test_merged_documents(self):
        paths = []
        for name, kind in (("old", IDLE), ("new", KINDS[2])):
            paths.append(here(name))
            some = write(name + "1", *(rank(kind, i, 9) for i in range(9)))
            self.ok("merge", "--json", "-o", paths[-1], some)
        self.assertIn("9 are in another state: 0-8.", self.ok("merge", "--diff", *paths).stdout)
        self.assertIn("9 are in the same state", self.ok("merge", "--diff", paths[0], paths[0]).stdout)
        with open(here("nobody"), "w") as f:
            f.write("{}")
        self.ok("merge", "--diff", paths[0], here("nobody"), status=2)


class Cores(Case):
    def test_of_the_ranks_of_a_job(self):
        folder = here("job-cores")
        os.mkdir(folder)
        kinds = {0: IDLE, 1: DEADLOCK, 2: IDLE}
        for number, kind in kinds.items():
            own = here("core-of-%d" % number)
            os.mkdir(own)
            with Held(kind, own, OMP_DEBUG="enabled", PMIX_RANK=str(number), OMPI_COMM_WORLD_SIZE="4",
                      PMIX_NAMESPACE="job@7") as target:
                target.process.send_signal(signal.SIGABRT)
                target.process.wait(SECONDS)
            os.rename(os.path.join(own, os.listdir(own)[0]), os.path.join(folder, "core.%d" % number))
        with open(os.path.join(folder, "notes.txt"), "w") as f:
            f.write("nothing")
        with open(os.path.join(folder, "core.0"), "rb") as f:
            head = f.read(200)
        with open(os.path.join(folder, "core.cut"), "wb") as f:
            f.write(head)
        text = self.ok("merge", "--cores", folder, status=1).stdout
        self.assertIn("3 of 4 ranks answered, 1 did not.", text.splitlines()[0])
        self.assertIn("Deadlock in 1 rank: 1.", text.splitlines()[1])
        self.assertIn("nothing was given of rank 3.", text)
        self.assertRegex(text, r"\n  not known whose: core core\.cut: \S")
        self.assertNotIn("gdb -p", text)  # none of them is there any more
        # One by one the same, and beside files.
        singly = []
        for number in kinds:
            singly.append(here("singly%d" % number))
            self.ok("record", "-c", os.path.join(folder, "core.%d" % number), "-o", singly[-1])
        os.remove(os.path.join(folder, "core.cut"))
        together = self.ok("merge", "--json", "--cores", folder, status=1).stdout
        self.assertEqual(together, self.ok("merge", "--json", *singly, status=1).stdout)
        os.remove(os.path.join(folder, "core.2"))
        self.assertEqual(together, self.ok("merge", "--json", "--parallel", "1", "--cores", folder, singly[2],
                                           status=1).stdout)

    def test_no_cores(self):
        self.ok("merge", "--cores", here("no-such-folder"), status=2)
        os.mkdir(here("empty"))
        self.assertIn("no core file in", self.ok("merge", "--cores", here("empty"), status=2).stderr)
        path = job("11", [IDLE])
        self.assertIn("1 of 1 ranks", self.ok("merge", "--cores", here("empty"), path, status=1).stdout)
        self.ok("merge", "--parallel", "2", path, status=64)
        self.ok("merge", "--diff", "--cores", here("empty"), path, path, status=64)


if __name__ == "__main__":
    xmltest.main()
