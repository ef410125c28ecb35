# SPDX-License-Identifier: Apache-2.0
"""Files of `ompd record -o` and `ompd run -o` that are named after their process, and which is kept."""

import json
import os
import signal
import socket

import xmltest
from installed import Case, FOLDER, Held, SECONDS, run

RANK = {"PMIX_RANK": "3", "OMPI_COMM_WORLD_SIZE": "8", "PMIX_NAMESPACE": "job@1", "SLURM_JOB_ID": "4711",
        "SLURM_STEP_ID": "2"}


def here(name):
    return os.path.join(FOLDER, name)


def load(path):
    with open(path) as f:
        return json.load(f)


class Named(Case):
    def test_live_and_core(self):
        folder = here("core")
        os.mkdir(folder)
        with Held("deadlock_gcc.exe", folder, **RANK) as target:
            self.ok("record", "-p", target.pid, "-o", here("live-%r-%h-%p-%j-%%.json"))
            path = here("live-3-%s-%d-4711-%%.json" % (socket.gethostname(), target.pid))
            process = load(path)["process"]
            with open("/proc/%d/stat" % target.pid) as f:
                start = int(f.read().rpartition(")")[2].split()[19])
            target.process.send_signal(signal.SIGABRT)
            target.process.wait(SECONDS)
        with open("/proc/sys/kernel/random/boot_id") as f:
            boot = f.read().strip()
        for key, value in (("rank", 3), ("size", 8), ("job", "4711"), ("step", "2"), ("namespace", "job@1"),
                           ("boot_id", boot), ("start", start)):
            self.assertEqual(process[key], value)
        core = os.path.join(folder, os.listdir(folder)[0])
        self.assertLess(abs(process["taken"] - os.stat(core).st_mtime_ns), SECONDS * 10 ** 9)
        self.ok("record", "-c", core, "-o", here("core-%r-%j.json"))
        process = load(here("core-3-4711.json"))["process"]
        self.assertEqual((process["namespace"], process["taken"]), ("job@1", os.stat(core).st_mtime_ns))
        # What the core does not know is asked for, and no file is made.
        before = set(os.listdir(FOLDER))
        done = self.ok("record", "-c", core, "-o", here("core-%h"), status=2)
        self.assertIn("the host of this process is not known", done.stderr)
        self.assertEqual(set(os.listdir(FOLDER)), before)

    def test_no_rank(self):
        with Held("idle_gcc.exe", FOLDER) as target:
            done = self.ok("record", "-p", target.pid, "-o", here("none-%r"), status=2)
            self.assertIn("rank in MPI of this process is not known", done.stderr)
            self.assertFalse(os.path.exists(here("none--1")))
            self.ok("record", "-p", target.pid, "-o", here("none-%r"), "--rank", "0")
            self.assertEqual(load(here("none-0"))["process"]["rank"], 0)
            self.assertIn("stands for nothing", self.ok("record", "-p", target.pid, "-o", here("x%"),
                                                        status=2).stderr)
            self.assertIn("stands for nothing", self.ok("record", "-p", target.pid, "-o", here("x%q"),
                                                        status=2).stderr)
            self.ok("record", "-p", target.pid, "-o", here("y"), "--rank=-1", status=64)
            self.ok("report", "-p", target.pid, "--rank", "1", status=64)

    def test_a_link_that_leads_to_nothing_is_not_followed(self):
        os.symlink("elsewhere", here("link-3"))
        with Held("idle_gcc.exe", FOLDER, **RANK) as target:
            for force in ((), ("--force",)):
                done = self.ok("record", "-p", target.pid, "-o", here("link-%r"), *force, status=2)
                self.assertIn("link-3 cannot be written", done.stderr)
        self.assertFalse(os.path.exists(here("elsewhere")))

    def test_a_hostile_name_is_letters_and_digits(self):
        job = "-rf $(id) '\u202e\x9b\x7f\\x"
        with Held("idle_gcc.exe", FOLDER, SLURM_JOB_ID=job) as target:
            self.ok("record", "-p", target.pid, "-o", here("%j"))
        made = [name for name in os.listdir(FOLDER) if "rf" in name]
        self.assertEqual(len(made), 1)
        self.assertRegex(made[0], r"^_rf__+id[A-Za-z0-9_]*x$")

    def test_a_hostile_job_stays_in_the_folder(self):
        with Held("idle_gcc.exe", FOLDER, SLURM_JOB_ID="../../x\n") as target:
            self.ok("record", "-p", target.pid, "-o", here("job-%j"))
            self.ok("record", "-p", target.pid, "-o", here("%j"))
        self.assertLessEqual({"job-_._.._x_", "_._.._x_"}, set(os.listdir(FOLDER)))


class Kept(Case):
    def test_a_file_is_kept(self):
        path = here("kept")
        with open(path, "w") as f:
            f.write("mine")
        with Held("idle_gcc.exe", FOLDER, SLURM_JOB_ID="kept") as target:
            for name in (path, os.path.join(FOLDER, "%j")):
                done = self.ok("record", "-p", target.pid, "-o", name, status=2)
                self.assertIn("exists already", done.stderr)
            with open(path) as f:
                self.assertEqual(f.read(), "mine")
            self.ok("record", "-p", target.pid, "-o", path, "--force")
            self.assertEqual(load(path)["process"]["pid"], target.pid)
            # Nothing is lost in a device or a pipe.
            self.ok("record", "-p", target.pid, "-o", "/dev/null")
            self.assertIn('"schema"', self.ok("record", "-p", target.pid, "-o", "/dev/stdout").stdout)

    def test_run_says_so_before_it_starts(self):
        path, made = here("run.kept"), here("run.made")
        with open(path, "w") as f:
            f.write("mine")
        done = self.ok("run", "-o", path, "touch", made, status=125)
        self.assertIn("exists already", done.stderr)
        self.assertFalse(os.path.exists(made))
        self.ok("run", "--force", "-o", path, "touch", made)
        self.assertTrue(os.path.exists(made))

    def sleeper(self, output, rank):
        return run("run", "--runtime=own", "--timeout", "0.2", "--json", "-o", output, "--", "sleep", "60",
                   env={"PMIX_RANK": str(rank)})

    def test_run_of_two_ranks(self):
        """One name for both: whoever comes second says what it has to say on standard output."""
        names = [here("same-%r"), here("same")]
        for pattern in names:
            done = [self.sleeper(pattern, rank) for rank in (0, 1)]
            self.assertEqual(done[0].returncode, 124)
            self.assertEqual(done[0].stdout, "")
            if "%" in pattern:
                self.assertEqual((done[1].returncode, done[1].stdout), (124, ""))
                self.assertEqual(load(here("same-1"))["process"]["rank"], 1)
            else:
                self.assertEqual(done[1].returncode, 125)
        # The program ran, and the file was there in the end only.
        done = self.sleeper(here("same-%r"), 0)
        self.assertIn("goes to standard output", done.stderr)
        self.assertEqual(json.loads(done.stdout)["process"]["rank"], 0)
        self.assertEqual(done.returncode, 124)

    def test_run_writes_its_own_file_again(self):
        path = here("again")
        # The program asks its parent for a report, empties the file, and asks again.
        script = ('for i in 1 2; do kill -USR1 $PPID; until test -s "$0"; do sleep 0.05; done; : >"$0"; '
                  "done; exit 5")
        done = self.ok("run", "--runtime=own", "-o", path, "--", "sh", "-c", script, path, status=5)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    xmltest.main()
