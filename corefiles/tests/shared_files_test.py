# SPDX-License-Identifier: Apache-2.0
"""Ranks of one machine share files: each is opened once and unpacked once, however many ranks have mapped it,
and the answer is what it is without that, byte for byte. Files in other mount namespaces are other files."""

import json
import os
import re
import shutil
import subprocess
import tempfile

import xmltest
from installed import Case, FOLDER, Held, OMPD, SECONDS, TARGETS, run
from seccomp import MEMFD_CREATE, SOCKETPAIR, refused

DEADLOCK, IDLE, BARRIER = "deadlock_gcc.exe", "idle_gcc.exe", "barrier_gcc.exe"
EPERM = 1
# The targets look for it from where they were built.
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(OMPD)), "lib/ompcompanion")
# Counts what is unpacked, by whichever library: inflateInit is a macro for this function.
COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int inflateInit_(void *stream, const char *version, int size)
{
    int fd = open(getenv("UNPACKED"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (write(fd, "x", 1) != 1)
        abort();
    close(fd);
    return ((int (*)(void *, const char *, int))dlsym(RTLD_NEXT, "inflateInit_"))(stream, version, size);
}
"""


def here(name):
    return os.path.join(FOLDER, name)


def tool(*words):
    subprocess.run(words, check=True, timeout=SECONDS)


def notes(path):
    done = subprocess.run(["readelf", "-n", path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True)
    return re.search("Build ID: ([0-9a-f]+)", done.stdout).group(1)


def packed_sections(path):
    """The sections of a file that are compressed, by readelf: (offset, size)."""
    done = subprocess.run(["readelf", "-SW", path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True)
    rows = [re.match(r" +\[ *\d+\] \S+ +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) \S+ +(\w*C\w*) ", line)
            for line in done.stdout.splitlines()]
    return [(int(row.group(1), 16), int(row.group(2), 16)) for row in rows if row]


def split(name, target):
    """TARGET without debug information, which is packed in a debug directory; the path of that."""
    program = here(name)
    shutil.copy(os.path.join(TARGETS, target), program)
    number = notes(program)
    debug = here("debug/.build-id/%s/%s.debug" % (number[:2], number[2:]))
    os.makedirs(os.path.dirname(debug))
    tool("objcopy", "--only-keep-debug", "--compress-debug-sections=zlib", program, debug)
    tool("strip", program)
    return debug


def setUpModule():
    # One with its debug information in itself, one with it beside, one where that is damaged.
    tool("objcopy", "--compress-debug-sections=zlib", os.path.join(TARGETS, IDLE), here("whole.exe"))
    split("split.exe", DEADLOCK)
    debug = split("damaged.exe", BARRIER)
    with open(debug, "r+b") as f:
        for offset, size in packed_sections(debug):
            f.seek(offset + size // 2)
            f.write(b"\xff\x55\xff\x55")
    with open(here("counter.c"), "w") as f:
        f.write(COUNTER)
    tool("gcc", "-shared", "-fPIC", here("counter.c"), "-o", here("counter.so"))


class Ranks:
    def __init__(self, job, programs, before=lambda index: ()):
        self.held = []
        for index, program in enumerate(programs):
            self.held.append(Held(here(program), FOLDER, before=before(index), OMP_DEBUG="enabled",
                                  OMPI_COMM_WORLD_RANK=str(index), OMPI_COMM_WORLD_SIZE=str(len(programs)),
                                  PMIX_NAMESPACE=job, PBS_JOBID=job, LD_LIBRARY_PATH=LIBRARIES))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for held in self.held:
            held.__exit__()


def without_times(text):
    """When each sample was taken, in nanoseconds since 1970, is the only number of so many digits."""
    return re.sub(r"\b\d{19}\b", "0", text)


class Shared(Case):
    def node(self, job, *words, **more):
        return self.ok("node", "--job", job, "--debug-dir", here("debug"), *words, **more).stdout

    def traced(self, job, **more):
        """The calls of `ompd node` that open and make files."""
        # A file for each process: in one for all, a call that meets another process's is cut in two lines.
        with tempfile.TemporaryDirectory(dir=FOLDER) as logs:
            done = run("-ff", "-qq", "-y", "-e", "trace=openat,memfd_create", "-o",
                       os.path.join(logs, "log"), OMPD, "node", "--job", job, "--debug-dir", here("debug"),
                       command="strace", **more)
            self.assertEqual(done.returncode, 0, done.stderr)
            calls = []
            for name in os.listdir(logs):
                with open(os.path.join(logs, name)) as f:
                    calls.append(f.read())
        return "".join(calls)

    def opened(self, calls):
        """How often each file that a target names was opened: however it is looked up, it is read by this
        name."""
        paths = re.findall(r'openat\([^"]*"/proc/self/fd/\d+".* = \d+<(.*)>', calls)
        return {path: paths.count(path) for path in paths}

    def test_each_file_is_opened_and_unpacked_once(self):
        with Ranks("once", ["whole.exe"] * 4 + ["split.exe"] * 4):
            counted = here("counted")
            calls = self.traced("once", env={"UNPACKED": counted, "LD_PRELOAD": here("counter.so")})
            opened, unpacked = self.opened(calls), calls.count('memfd_create("ompd-unpacked"')
            packed = {path: len(packed_sections(path)) for path in opened}
            self.assertEqual({path: n for path, n in opened.items() if n != 1}, {})
            self.assertLessEqual({here("whole.exe"), here("split.exe")}, set(opened))
            self.assertTrue(any("libompcompanion" in path for path in opened), opened)
            self.assertTrue(any(path.startswith(here("debug")) for path in opened), opened)
            self.assertEqual(unpacked, sum(n > 0 for n in packed.values()), packed)
            self.assertGreaterEqual(unpacked, 2)
            self.assertEqual(os.path.getsize(counted), sum(packed.values()), packed)

    def test_the_answer_is_the_same(self):
        programs = ["whole.exe", "split.exe", "damaged.exe"] * 3
        with Ranks("same", programs):
            for words in (("--json",), ("--zoom", "3"), ("--tree",)):
                shared = self.node("same", *words)
                self.assertIn("main, deadlock.c:", shared)
                for call in (SOCKETPAIR, MEMFD_CREATE):
                    plain = self.node("same", *words, preexec_fn=refused(call, EPERM))
                    self.assertEqual(without_times(plain), without_times(shared))
            # Each alone, of which nobody has heard.
            shared = json.loads(self.node("same", "--json"))
            for index, held in enumerate(self.pids(shared)):
                path = here("rank-%d.json" % index)
                self.ok("record", "-p", held, "--force", "-o", path, "--debug-dir", here("debug"))
            merged = self.ok("merge", "--json", *[here("rank-%d.json" % i) for i in range(len(programs))])
            self.assertEqual(without_times(merged.stdout), without_times(self.node("same", "--json")))

    def pids(self, document):
        return sorted(row[1] for job in document["jobs"] for state in job["states"]
                      for host in state["hosts"] for row in host["processes"])

    def test_without_sharing_each_rank_opens(self):
        """So that the test above can fail."""
        with Ranks("plain", ["split.exe"] * 3):
            opened = self.opened(self.traced("plain", preexec_fn=refused(SOCKETPAIR, EPERM)))
            self.assertEqual(opened[here("split.exe")], 3)

    def test_one_path_in_several_containers(self):
        """A path is no file: each of these has another one at it, or the same from another place."""
        programs = ["whole.exe", "split.exe", "whole.exe", "split.exe"]
        path = here("program.exe")
        open(path, "w").close()

        def container(index):
            return ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$1" && exec "$1"',
                    here(programs[index]), path)
        with Ranks("apart", programs, before=container):
            document = json.loads(self.node("apart", "--json"))
            self.assertEqual(document["failed"], [])
            seen = {json.dumps(state["ranks"]): state["state"]["verdict"] for job in document["jobs"]
                    for state in job["states"]}
            self.assertEqual(seen, {"[[0, 0], [2, 2]]": "none", "[[1, 1], [3, 3]]": "deadlock"})
            plain = self.node("apart", "--json", preexec_fn=refused(SOCKETPAIR, EPERM))
            self.assertEqual(without_times(plain), without_times(self.node("apart", "--json")))
            # Each was found by its name at once: where that leads to another file, the kernel's link is next.
            self.assertNotRegex(self.traced("apart"), r'openat\([^"]*"/proc/\d+/(exe|map_files)')

    def test_cores(self):
        """`ompd merge --cores` shares as well."""
        os.mkdir(here("cores"))
        with Ranks("cores", ["whole.exe", "split.exe"] * 2) as ranks:
            for held in ranks.held:
                tool("gcore", "-o", here("cores/core"), str(held.pid))
        words = ["merge", "--json", "--cores", here("cores"), "--debug-dir", here("debug")]
        shared = self.ok(*words).stdout
        self.assertIn("main, deadlock.c:", shared)
        self.assertEqual(self.ok(*words, preexec_fn=refused(SOCKETPAIR, EPERM)).stdout, shared)


if __name__ == "__main__":
    xmltest.main()
