# SPDX-License-Identifier: Apache-2.0
"""`ompd top`: what it says of the threads, by their own word and the kernel's; the screen, its keys, and that
the terminal is as it was whichever way it ends."""

import json
import mmap
import os
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

import ompd_schema
import xmltest
from installed import Case, FOLDER, Held, OMPD, SECONDS, run
from terminal import Terminal

# Of two members one computes all the time and writes its processor time into a page that the test reads; the
# other one waits for a lock. It asks the kernel for that time: clock_gettime() would lead through the vdso,
# and the files of a module are sought when a thread is first seen in it. SIGUSR1 makes it load a library and
# compute there; SIGUSR2 lets it end.
PROGRAM = r"""
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t more, ends;
static volatile uint64_t *page;
static volatile double sum;
static void hear(int signal) { *(signal == SIGUSR1 ? &more : &ends) = 1; }
static uint64_t used(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}
static void __attribute__((noinline)) reckon(void)
{
    for (int i = 0; i < 10000; i++)
        sum += i;
    *page = used();
    usleep(500);
}
int main(int argc, char **argv)
{
    omp_lock_t lock;
    void (*plug)(void) = reckon;
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(argv[1], O_RDWR), 0);
    signal(SIGUSR1, hear);
    signal(SIGUSR2, hear);
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        while (!ends) {
            if (more && plug == reckon)
                plug = (void (*)(void))dlsym(dlopen(argv[2], RTLD_NOW), "plugged");
            plug();
        }
        omp_unset_lock(&lock);
    } else {
        omp_set_lock(&lock);
    }
}
"""
PLUG = "#include <unistd.h>\nvoid plugged(void) { usleep(20000000); }\n"
LEAVE = "\x1b[?1049l"


def setUpModule():
    for name, text, options in (("top", PROGRAM, ["-fopenmp", "-ldl"]), ("plug", PLUG, ["-shared", "-fPIC"])):
        with open(os.path.join(FOLDER, name + ".c"), "w") as f:
            f.write(text)
        subprocess.run(["gcc", "-g", os.path.join(FOLDER, name + ".c"), "-o", os.path.join(FOLDER, name)] +
                       options, check=True, timeout=SECONDS)


class Sampled:
    """The program above."""

    def __init__(self, companion=False):
        page = os.path.join(FOLDER, "page")
        with open(page, "wb") as f:
            f.write(bytes(4096))
        with open(page, "rb") as f:
            self.page = mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ)
        env = dict(os.environ, OMP_WAIT_POLICY="passive")
        if companion:
            env["LD_LIBRARY_PATH"] = os.path.join(os.path.dirname(OMPD), "../lib/ompcompanion")
        self.process = subprocess.Popen([os.path.join(FOLDER, "top"), page, os.path.join(FOLDER, "plug")],
                                        env=env)
        self.pid = self.process.pid
        until = time.monotonic() + SECONDS
        while not self.used() or not self.waits():
            assert time.monotonic() < until
            time.sleep(.01)

    def used(self):
        return struct.unpack_from("=Q", self.page)[0]

    def threads(self):
        return sorted(int(t) for t in os.listdir("/proc/%d/task" % self.pid))

    def waits(self):
        if len(self.threads()) < 2:
            return False
        with open("/proc/%d/task/%d/syscall" % (self.pid, self.threads()[1])) as f:
            return f.read().startswith("202 ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Samples(Case):
    def rows(self, *arguments, count=2):
        done = self.ok("top", "--json", "--count", count, "--every", ".1", *arguments)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), count)
        samples = [json.loads(line) for line in lines]
        for i, sample in enumerate(samples):
            self.assertEqual(sample["sample"]["number"], i + 1)
            self.assertEqual(ompd_schema.problems(sample), [])
            self.assertNotIn("verdict", sample)
        return samples

    def test_processor_time_is_the_threads_own(self):
        tick = 20 * 10 ** 6
        with Sampled() as program:
            before = program.used()
            samples = self.rows("-p", program.pid, count=3)
            after = program.used()
            self.assertEqual([t["lwp"] for t in samples[0]["threads"]], program.threads())
            busy, waiting = zip(*(s["threads"] for s in samples))
            for row in busy:
                self.assertGreaterEqual(row["usage"]["cpu_ns"], before - tick)
                self.assertLessEqual(row["usage"]["cpu_ns"], after + tick)
            for first, last, sample in zip(busy, busy[1:], samples[1:]):
                share = (last["usage"]["cpu_ns"] - first["usage"]["cpu_ns"]) / \
                    sample["sample"]["interval_ns"] * 100
                self.assertAlmostEqual(last["usage"]["percent"], share, delta=2)
            for row in waiting:
                self.assertEqual(row["wait"]["kind"], "lock")
                self.assertLess(row["usage"]["cpu_ns"], before)
            for sample in samples:
                self.assertGreater(sample["sample"]["stopped_ns"], 0)

    def test_text(self):
        for companion in False, True:
            with Sampled(companion) as program:
                done = self.ok("top", program.pid, "--count", 2, "--every", ".2")
                first, second = done.stdout.split("\n\n")
                for text in first, second:
                    self.assertRegex(text.splitlines()[0],
                                     r"^top \(PID %d\), \d\d:\d\d:\d\d: 2 threads, \d\.\d processors in use, "
                                     r"stopped [\d.]+ ms$" % program.pid)
                    busy, waits = text.splitlines()[2:4]  # the busiest first
                    self.assertRegex(busy, r"^ *%d +0/2 .*(reckon|used|main)" % program.pid)
                    self.assertRegex(waits, r"1/2 +1 +\d+ +\d\.\d +\d+ +waiting +lock lock.*main, top\.c")
                    self.assertNotIn("eadlock", text)

    def test_without_a_stop(self):
        for companion in False, True:
            with Sampled(companion) as program:
                # Of one moment nobody may know what a thread does that is just handed a processor; and its
                # row is of one moment only where it has not run meanwhile.
                done = self.ok("top", "-p", program.pid, "--no-stop", "--count", 5, "--every", ".2")
                self.assertIn("not stopped", done.stdout)
                self.assertIn("each row may show another moment", done.stdout)
                self.assertNotRegex(done.stdout, r"\bAt\b|reckon")
                self.assertRegex(done.stdout, r"%d +0/2 .* (runs|sleeps|moving)" % program.pid)
                # libgomp records no waits: without a stop only the system call is known
                self.assertRegex(done.stdout, r"1/2 .* waiting +" + ("lock" if companion else "futex"))
                self.assertIsNone(self.rows("-p", program.pid, "--no-stop")[0]["sample"]["stopped_ns"])

    def test_files_are_opened_once(self):
        if subprocess.run(["which", "strace"], stdout=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("strace is not installed")
        opened = []
        with Sampled() as program:
            for count in 2, 7:
                log = os.path.join(FOLDER, "opens")
                subprocess.run(["strace", "-f", "-e", "trace=openat,openat2,open", "-o", log, OMPD, "top",
                                "-p", str(program.pid), "--count", str(count), "--every", ".05"],
                               stdout=subprocess.DEVNULL, check=True, timeout=SECONDS)
                with open(log) as f:
                    opened.append([line for line in f if "open" in line and '"/proc/' not in line])
        self.assertEqual(len(opened[0]), len(opened[1]), opened)

    def test_a_library_that_is_loaded_meanwhile(self):
        with Sampled() as program:
            top = subprocess.Popen([OMPD, "top", "-p", str(program.pid), "--every", ".05"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
            for number, line in enumerate(top.stdout):
                if number == 2:
                    program.process.send_signal(signal.SIGUSR1)
                if "plugged" in line:
                    break
            program.process.kill()
            program.process.wait()
            top.stdout.read()
            self.assertEqual(top.stderr.read(), "ompd: Process %d has ended.\n" % program.pid)
            self.assertEqual(top.wait(SECONDS), 0)
            top.stdout.close()
            top.stderr.close()

    def test_rows_are_those_of_threads(self):
        with Held("deadlock_clang.exe", FOLDER, OMP_DEBUG="enabled") as target:
            threads = self.ok("threads", "-p", target.pid).stdout
            top = self.ok("top", "-p", target.pid, "--count", 1).stdout
            for line in threads.splitlines()[1:]:
                lwp, rest = line.split()[0], line[line.index("waiting"):] if "waiting" in line else None
                if rest:
                    self.assertIn(re.sub(" +", " ", rest), re.sub(" +", " ", top))
                    self.assertIn(lwp, top)

    def test_what_cannot_be_looked_at(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        self.assertEqual(self.ok("top", "-p", gone.pid, status=2).stderr,
                         "ompd: There is no process %d.\n" % gone.pid)
        self.assertIn("needs --pid PID", self.ok("top", status=64).stderr)
        self.assertIn("--every needs", self.ok("top", "-p", "1", "--every", "0", status=64).stderr)

    @unittest.skipIf(os.getuid(), "only root can become somebody else")
    def test_a_process_of_somebody_else(self):
        os.chmod(FOLDER, 0o755)
        with Sampled() as program:
            try:
                done = run("top", "-p", program.pid, "--count", 1, preexec_fn=lambda: os.setuid(65534))
            except (PermissionError, subprocess.SubprocessError):
                self.skipTest("nobody can become another user here, or the folder is closed to others")
        self.assertEqual(done.returncode, 2)
        self.assertIn("may not be read", done.stderr)
        self.assertIn("Run this as", done.stderr)

    def test_a_program_without_openmp(self):
        with subprocess.Popen(["sleep", "60"]) as process:
            done = run("top", "-p", process.pid, "--count", 1)
            process.kill()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"%d +\d\.\d +\d+ +sleeps" % process.pid)


class Screen(Terminal):
    def settings(self):
        return termios.tcgetattr(self.fd)

    def top(self, program, *arguments, size=(100, 30)):
        pid = self.start(OMPD, "top", "-p", program.pid, "--every", ".2", *arguments, size=size)
        self.before = self.settings()
        self.wait_for("reckon")
        self.assertIn("\x1b[?1049h", self.seen)
        self.assertFalse(self.settings()[3] & (termios.ECHO | termios.ICANON))
        return pid

    def ends(self, pid, status):
        self.assertEqual(self.status(pid), status)
        self.assertIn(LEAVE, self.seen)

    def restored(self):
        """While the other end lives; the settings are those of before."""
        until = time.monotonic() + SECONDS
        while self.settings() != self.before:
            self.assertLess(time.monotonic(), until)
            time.sleep(.01)

    def test_keys(self):
        with Sampled() as program:
            pid = self.top(program)
            self.press("h")
            self.wait_for("show the keys")
            self.press("n")
            self.wait_for("reckon")
            self.press("a")
            self.press("s")
            self.press(" ")
            self.wait_for("waiting")
            self.press("q")
            self.ends(pid, 0)

    def test_signals(self):
        with Sampled() as program:
            for sig, status in ((signal.SIGINT, 0), (signal.SIGTERM, -15), (signal.SIGHUP, -1),
                                (signal.SIGSEGV, -11), (signal.SIGABRT, -6)):
                pid = self.top(program)
                os.kill(pid, sig)
                self.ends(pid, status)
            pid = self.top(program)
            self.press("\x03")
            self.ends(pid, 0)

    def test_the_process_ends(self):
        with Sampled() as program:
            pid = self.top(program)
            program.process.send_signal(signal.SIGUSR2)
            program.process.wait(SECONDS)
            self.ends(pid, 0)
            self.assertIn("Process %d has ended." % program.pid, self.seen[self.seen.index(LEAVE):])

    def test_sizes(self):
        with Sampled() as program:
            pid = self.top(program)
            for size in (40, 5), (10, 2), (1, 1), (2, 3):
                self.seen = ""
                self.resize(*size)
                self.wait_for("\x1b[H")
            self.press("")
            self.resize(100, 3)
            self.wait_for("more lines")
            self.press("")
            self.resize(120, 30)
            self.wait_for("reckon")
            self.press("q")
            self.ends(pid, 0)

    def test_ctrl_z(self):
        with Sampled() as program:
            pid = self.start("/bin/bash", "--norc", "--noprofile", "-i", size=(100, 30))
            self.press("%s top -p %d --every .2\n" % (OMPD, program.pid))
            self.wait_for("reckon")
            self.press("\x1a")
            self.wait_for("Stopped")
            self.assertLess(self.seen.index(LEAVE), self.seen.index("Stopped"))
            self.press("fg\n")
            self.wait_for("reckon")
            self.press("q")
            self.wait_for(LEAVE)
            self.press("stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo; echo left$((1+1))\n")
            self.wait_for("left2")
            self.assertIn("icanon\r\n", self.seen)
            self.assertIn("echo\r\n", self.seen)
            self.press("exit 4\n")
            self.assertEqual(self.status(pid), 4)

    def test_json_and_count_are_plain(self):
        with Sampled() as program:
            for arguments in ("--json", "--count", "1"), ("--count", "1"):
                pid = self.start(OMPD, "top", "-p", program.pid, *arguments, size=(100, 30))
                self.assertEqual(self.status(pid), 0)
                self.assertNotIn("\x1b[?1049h", self.seen)


if __name__ == "__main__":
    xmltest.main()
