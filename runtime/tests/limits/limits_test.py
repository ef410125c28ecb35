# SPDX-License-Identifier: Apache-2.0
"""Threads that this system can never give are refused before the first one is created; fewer than were asked
for come when creating them fails half way.

Arguments: the library, the directory of omp.h. The system's own limits are read from /proc here too, and the
process is watched from outside: how many threads it has had, and how much memory.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, HEADERS = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
IMPOSSIBLE = ("1073741823", "1073741824", "1073741825", "2000000000", "2147483647")
REFUSED = re.compile(
    r"ompcompanion: error: a team of (\d+) threads was asked for; this process can have (\d+) at most"
                     r" \((.+)\)\n")
WARNED = re.compile(
    r"ompcompanion: warning: OMP_NUM_THREADS asks for (\d+) threads and this process can have (\d+) at most"
                    r" \((.+)\); the default, (\d+), is used\n")
MEMORY = 500 << 20  # bytes


def number_in(path):
    with open(path) as file:
        return int(file.read())


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        os.symlink(LIBRARY, os.path.join(cls.folder, "libgomp.so.1"))
        os.symlink(LIBRARY, os.path.join(cls.folder, "libompcompanion.so.1"))
        cls.program = os.path.join(cls.folder, "team")
        subprocess.run(["gcc", "-O1", "-fopenmp", "-I", HEADERS, os.path.join(HERE, "team.c"), "-o",
                        cls.program], check=True)

    def run_team(self, *arguments, limit=None, before=(), code=0, **env):
        """(what it wrote to stdout, to stderr, its resource usage). LIMIT is called before the command BEFORE
        starts the program."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
        environment.update(env, LD_LIBRARY_PATH=self.folder)
        started = subprocess.Popen([*before, self.program, *arguments], env=environment, preexec_fn=limit,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   universal_newlines=True)
        out, error = started.stdout.read(), started.stderr.read()
        started.stdout.close()
        started.stderr.close()
        _pid, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(started.returncode, code, out + error)
        return out, error, usage

    def check_refused(self, asked, *arguments, **how):
        out, error, usage = self.run_team(*arguments, code=1, **how)
        found = REFUSED.fullmatch(error)
        self.assertTrue(found, error)
        self.assertEqual((out, found[1]), ("", asked))
        self.assertLess(usage.ru_maxrss * 1024, MEMORY)
        # The parent waited for nothing: no thread was there to switch to.
        self.assertLess(usage.ru_nvcsw, 50)
        return int(found[2]), found[3]

    def test_asked_for_by_the_program(self):
        for how in ("clause", "routine"):
            for asked in IMPOSSIBLE:
                with self.subTest(how=how, asked=asked):
                    most, what = self.check_refused(asked, how, asked)
                    self.assertLessEqual(most, number_in("/proc/sys/kernel/pid_max"))
                    self.assertLessEqual(most, number_in("/proc/sys/kernel/threads-max"))
                    if what.startswith("kernel."):
                        self.assertEqual(most, number_in("/proc/sys/" + what.replace(".", "/")))

    def test_asked_for_by_the_environment(self):
        procs = len(os.sched_getaffinity(0))
        for asked in IMPOSSIBLE + ("2147483648", "18446744073709551616", "2,2147483647", "2147483647,3"):
            with self.subTest(asked=asked):
                out, error, usage = self.run_team(OMP_NUM_THREADS=asked)
                found = WARNED.fullmatch(error)
                self.assertTrue(found, error)
                self.assertEqual(out, "size %s of %d, levels 1\n" % (found[4], procs))
                self.assertLessEqual(int(found[4]), procs)
                self.assertLess(usage.ru_maxrss * 1024, MEMORY)

    def test_what_lowers_the_number_comes_first(self):
        out, error, _usage = self.run_team(OMP_NUM_THREADS="2147483647", OMP_THREAD_LIMIT="3")
        self.assertEqual((out.split(" of ")[0], error), ("size 3", ""))
        out, error, _usage = self.run_team("clause", "2147483647", OMP_THREAD_LIMIT="3")
        self.assertEqual((out.split(" of ")[0], error), ("size 3", ""))
        procs = len(os.sched_getaffinity(0))
        out, error, _usage = self.run_team("clause", "2147483647", TEAM_DYNAMIC="1")
        self.assertEqual((out.split(" of ")[0], error), ("size %d" % procs, ""))

    def test_limit_of_the_user(self):
        """RLIMIT_NPROC: it does not bind root, so the program starts in a user namespace that has no root."""
        most = 7 + len(os.sched_getaffinity(0))
        self.assertEqual(self.check_refused(
            str(most + 1), "clause", str(most + 1), before=["unshare", "--user"],
            limit=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most))),
                         (most, "RLIMIT_NPROC (ulimit -u)"))

    def test_half_way(self):
        """Address space for some hundred stacks: the team is smaller, whatever remainder the stacks leave."""
        stack = 8 << 20
        for more in range(0, stack + (1 << 20), stack // 9):
            with self.subTest(more=more):
                room = (600 << 20) + more

                def limit():
                    resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
                    resource.setrlimit(resource.RLIMIT_AS, (room, room))

                out, error, _usage = self.run_team("clause", "3000", limit=limit)
                self.assertEqual(error, "")
                size = int(re.match(r"size (\d+) ", out)[1])
                self.assertTrue(10 < size <= room // stack, out)

    def test_no_memory_for_the_table(self):
        """Address space for the program and little else."""
        most = min(number_in("/proc/sys/kernel/pid_max"), number_in("/proc/sys/kernel/threads-max"))

        def with_room(room):
            return lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room))

        for room in range(2 << 20, 64 << 20, 256 << 10):
            done = subprocess.run([self.program, "clause", "1"], env={"LD_LIBRARY_PATH": self.folder},
                                  check=False, preexec_fn=with_room(room), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0)
        _out, error, _usage = self.run_team("clause", str(most - 1), limit=with_room(room), code=1)
        self.assertRegex(error,
                         r"^ompcompanion: error: there is no memory for a team of \d+ threads: its table "
                         r"has \d+ "
                                r"bytes\n$|^ompcompanion: error: a team of \d+ threads was asked for")


if __name__ == "__main__":
    xmltest.main()
