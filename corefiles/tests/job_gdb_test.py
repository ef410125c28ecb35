# SPDX-License-Identifier: Apache-2.0
"""`ompd job` in GDB: the same text as `ompd merge`, and the way to the process that stands for a row."""

import json
import os

import gdbrun
import ranks
import xmltest
from installed import Case, FOLDER, Held
from ranks import KINDS, here, rank, write

setUpModule = ranks.make_records
DEADLOCK, IDLE = KINDS[0], KINDS[4]


class Job(Case):
    def gdb(self, *lines):
        """What each line says, or its error."""
        script = "for line in %r:\n    text, error = run(line)\n    say([text, error])\n" % (lines,)
        answer = gdbrun.gdb(script, before=["set width 0"])
        self.assertEqual(answer.problems(), [], answer)
        self.assertEqual(len(answer.said), len(lines), answer)
        return answer.said

    def test_the_same_text_as_the_command(self):
        files = [write("g%d" % i, rank(DEADLOCK if i == 5 else IDLE, i, 9)) for i in range(8)]
        merged = here("merged.json")
        self.ok("merge", "--json", "-o", merged, *files, status=1)
        texts = [self.ok("merge", *options, merged, status=1).stdout
                 for options in ((), ("--tree",), ("--rank", "5"))]
        said = self.gdb("ompd job " + merged, "ompd job -tree " + merged, "ompd job %s 5" % merged)
        self.assertEqual([text for text, _ in said], texts)
        self.assertIn("Deadlock in 1 rank: 5.", said[0][0])

    def test_errors(self):
        other = rank(IDLE, 0, 1)
        other["process"]["boot_id"] = "of another machine"
        merged = write("one", other)
        with open(here("half"), "w") as f:
            f.write(json.dumps(rank(IDLE, 0, 1)) + "\n{")
        said = self.gdb("ompd job", "ompd job %s/none" % FOLDER, "ompd job %s 7" % merged,
                        "ompd job %s x" % merged, "ompd job /dev/null", "ompd job -attach " + merged,
                        "ompd job " + here("half"))
        for (text, error), part in zip(said, ("name of a file is missing", "cannot be read: No such file",
                                              "Nothing was given of rank 7.", "not the number of a rank",
                                              "is not JSON", "is not on this machine, but on n0000")):
            self.assertEqual(text, "")
            self.assertIn(part, error)
        # What could be read is shown.
        text, error = said[-1]
        self.assertIsNone(error)
        self.assertIn("1 of 1 ranks answered.", text)
        self.assertIn("It is not JSON", text)

    def test_attach(self):
        env = {"OMP_DEBUG": "enabled", "PMIX_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}
        with Held(DEADLOCK, FOLDER, **env) as target:
            live, merged = here("live.json"), here("both.json")
            self.ok("record", "-p", target.pid, "-o", live)
            other = rank(IDLE, 1, 2)
            with open(live) as f:
                mine = json.load(f)["process"]
            other["process"].update({key: mine[key] for key in ("job", "step", "namespace")})
            self.ok("merge", "--json", "-o", merged, live, write("other", other))
            said = self.gdb("ompd job " + merged, "ompd job -attach " + merged,
                            "python print(gdb.selected_inferior().pid)", "ompd waits",
                            "ompd job -attach " + merged, "detach")
            self.assertIn("\n  gdb -p %d\n" % target.pid, said[0][0])
            self.assertEqual([error for _, error in said[:4]], [None] * 4)
            self.assertEqual(int(said[2][0]), target.pid)
            self.assertIn("Deadlock: thread", said[3][0])
            self.assertIn("has a process already", said[4][1])
        said = self.gdb("ompd job -attach " + merged)
        self.assertEqual(said, [["", "Process %d has ended." % target.pid]])
        # The number may be another process's now: of this one the beginning is another.
        with open(live) as f:
            document = json.load(f)
        document["process"]["pid"] = os.getpid()
        said = self.gdb("ompd job -attach " + write("reused", document))
        self.assertEqual(said, [["", "Process %d has ended." % os.getpid()]])
        document["process"]["start"] = None
        said = self.gdb("ompd job -attach " + write("core", document))
        self.assertIn("not known which live process", said[0][1])


if __name__ == "__main__":
    xmltest.main()
