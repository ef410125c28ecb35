# SPDX-License-Identifier: Apache-2.0
"""A process with many large libraries, which it does not stand in: the answer is that of the same program
without them, in little memory, with few descriptors, and no file of theirs is opened. Memory and descriptors
are bounded from outside; files and system calls are counted by strace.

Arguments: how many libraries, functions of each, and GB of memory that are mapped and hardly touched.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import xmltest
from installed import OMPD, Case

COUNT, FUNCTIONS, GIGABYTES = map(int, sys.argv[1:4])
del sys.argv[1:4]
SIZE = 3 << 20  # of each library: a hole, but for its code
DESCRIPTORS, MEMORY = 256, "300M"
FUTEX = "202"
PROGRAM = """#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static void open_all(const char *folder, int count)
{
    char name[4096];

    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof(name), "%s/lib%04d.so", folder, i);
        if (!dlopen(name, RTLD_NOW | RTLD_LOCAL))
            exit(3);
    }
}
int main(int argc, char **argv)
{
    omp_lock_t lock;
    size_t size = (size_t)atoi(argv[3]) << 30;
    char *room;

    open_all(argv[1], atoi(argv[2]));
    room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        exit(4);
    room[0] = room[size - 1] = 1;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
#pragma omp single nowait
        {
            putchar('r');
            fflush(stdout);
        }
        omp_set_lock(&lock); /* WAIT */
    }
}
"""
LINE = PROGRAM[:PROGRAM.index("/* WAIT */")].count("\n") + 1
# A program whose debug information is packed, and grows to PACKED bytes.
PACKED = 40 << 20
SLEEPER = "#include <unistd.h>\nint main(void) { write(1, \"r\", 1); for (;;) pause(); }\n"


def compiled(name, source, *options):
    path = os.path.join(FOLDER, name)
    subprocess.run(["gcc", *options, "-xc", "-", "-o", path], input=source, check=True,
                   universal_newlines=True)
    return path


def setUpModule():
    global FOLDER
    FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    compiled("many", PROGRAM, "-g", "-fopenmp")
    first = compiled("first.so", "".join("int function_of_a_library_%d(int x) { return x + %d; }\n" % (i, i)
                                         for i in range(FUNCTIONS)), "-shared", "-fPIC", "-O1")
    os.truncate(first, max(SIZE, os.path.getsize(first)))
    for i in range(COUNT):
        subprocess.run(["cp", "--sparse=always", first, os.path.join(FOLDER, "lib%04d.so" % i)], check=True)


def system_call(tasks, tid):
    with open(os.path.join(tasks, tid, "syscall"), encoding="ascii") as file:
        return file.read().split()[0]


def bounded():
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


class Many(Case):
    def start(self, count):
        def may_dump():
            resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
        process = subprocess.Popen([os.path.join(FOLDER, "many"), FOLDER, str(count), str(GIGABYTES)],
                                   cwd=FOLDER, stdout=subprocess.PIPE, preexec_fn=may_dump)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.read(1), b"r")
        tasks = "/proc/%d/task" % process.pid
        while sorted(system_call(tasks, t) for t in os.listdir(tasks)) != [FUTEX] * 4:
            time.sleep(.01)
        return process

    def check(self, *options):
        done = subprocess.run([OMPD, "threads", "--json", "--memory-limit", MEMORY, *map(str, options)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              preexec_fn=bounded, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        threads = json.loads(done.stdout)["threads"]
        self.assertEqual(sorted((t["thread_num"], t["team_size"], t["wait"]["kind"], t["wait"]["at"]["line"])
                                for t in threads), [(i, 4, "lock", LINE) for i in range(4)])

    def traced(self, pid, *calls):
        log = os.path.join(FOLDER, "strace")
        subprocess.run(["strace", "-f", "-o", log, "-e", "trace=" + ",".join(calls), OMPD, "threads", "-p",
                        str(pid)], stdout=subprocess.DEVNULL, check=True)
        with open(log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def test_of_a_process(self):
        self.check("-p", self.start(COUNT).pid)

    def test_of_its_core(self):
        process = self.start(COUNT)
        process.send_signal(signal.SIGABRT)
        process.wait()
        core, = (name for name in os.listdir(FOLDER) if name.startswith("core"))
        core = os.path.join(FOLDER, core)
        self.addCleanup(os.remove, core)
        self.assertGreaterEqual(os.path.getsize(core), GIGABYTES << 30)
        self.check("--core", core)

    def test_no_library_is_opened(self):
        text = self.traced(self.start(COUNT).pid, "open", "openat", "openat2")
        self.assertIn("/many", text)
        self.assertEqual(re.findall(r"/lib\d{4}\.so", text), [])

    def test_memory_is_read_in_pieces(self):
        """Each library has two pages that tell whether it is a runtime; 512 pages are read at once."""
        few, many = (self.traced(self.start(n).pid, "process_vm_readv").count("process_vm_readv(")
                     for n in (COUNT // 2, COUNT))
        self.assertLessEqual(many - few, 4 + COUNT // 512)


class Packed(Case):
    def setUp(self):
        program = compiled("packed", SLEEPER, "-g")
        zeros = os.path.join(FOLDER, "zeros")
        with open(zeros, "wb") as file:
            file.truncate(PACKED)
        subprocess.run(["objcopy", "--add-section", ".debug_macro=" + zeros, program], check=True)
        subprocess.run(["objcopy", "--compress-debug-sections=zlib-gabi", program], check=True)
        self.process = subprocess.Popen([program], stdout=subprocess.PIPE)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.addCleanup(self.process.stdout.close)
        self.assertEqual(self.process.stdout.read(1), b"r")

    def look(self, limit):
        done = self.ok("stacks", "--all", "--json", "--memory-limit", limit, "-p", self.process.pid,
                       status=1)  # no OpenMP
        document = json.loads(done.stdout)
        main, = (f for s in document["stacks"] for f in s["frames"] if f["function"] == "main")
        return main["line"], [p["what"] for p in document["problems"] if "debug information" in p["what"]]

    def test_there_is_room(self):
        line, problems = self.look("%dM" % (5 * PACKED >> 20))
        self.assertEqual((line, problems), (2, []))

    def test_there_is_not(self):
        """The rest of the answer is given."""
        line, problems = self.look("%dM" % (3 * PACKED >> 20))
        self.assertIsNone(line)
        self.assertEqual(problems, ["The debug information of %s/packed is not read" % FOLDER])


if __name__ == "__main__":
    xmltest.main()
