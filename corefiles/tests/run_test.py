# SPDX-License-Identifier: Apache-2.0
"""`ompd run`: what the program gets, its status, signals and the terminal, and what is written about it."""

import glob
import json
import os
import re
import signal
import stat
import subprocess
import time

import gdbrun
import xmltest
from installed import Case, FOLDER, OMPD, SECONDS, TARGETS
from terminal import Terminal


HANGS = r"""
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void leave(int signal)
{
    (void)signal;
    if (write(1, "handled\n", 8) == 8)
        _exit(7);
}
int main(int argc, char **argv)
{
    omp_lock_t lock;
    signal(SIGINT, argc == 2 ? SIG_IGN : leave);
    if (argc > 2 && read(0, argv[1], 1) != 1)
        exit(2);
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num())
        omp_set_lock(&lock);
    else
        for (;;)
            if (write(1, "tick\n", 5) != 5 || usleep(5000))
                exit(1);
}
"""


def setUpModule():
    global PROGRAM
    PROGRAM = os.path.join(FOLDER, "hangs")
    with open(PROGRAM + ".c", "w") as f:
        f.write(HANGS)
    subprocess.run(["gcc", "-g", "-fopenmp", PROGRAM + ".c", "-o", PROGRAM], check=True, timeout=SECONDS)


def count(path):
    with open(path) as f:
        return f.read().count("tick")


def wait_until(what):
    until = time.monotonic() + SECONDS
    while not what():
        if time.monotonic() > until:
            raise AssertionError("not in %d s" % SECONDS)
        time.sleep(.01)


class Run(Case):
    def test_status_is_the_programs(self):
        self.ok("run", "--", "sh", "-c", "exit 7", status=7)
        self.ok("run", "sh", "-c", "exit 9", status=9)
        self.ok("run", "--timeout", "60", "--", "sh", "-c", "kill -9 $$", status=128 + 9)
        self.ok("run", "--timeout=60", "true")
        self.ok("run", "--", "/nonexistent", status=127)
        self.ok("run", "--", "nosuchprogram", status=127)
        self.ok("run", "--", "/etc/passwd", status=126)

    def test_program_gets_companion(self):
        done = self.ok("run", "--", "sh", "-c", "echo $LD_LIBRARY_PATH $OMP_DEBUG",
                       env={"LD_LIBRARY_PATH": "/x"})
        self.assertEqual(done.stdout, os.path.join(FOLDER, "prefix/lib/ompcompanion") + ":/x enabled\n")
        done = self.ok("run", "--", "sh", "-c", "echo $OMP_DEBUG", env={"OMP_DEBUG": "disabled"})
        self.assertEqual(done.stdout, "disabled\n")

    def test_a_program_keeps_its_own_runtime(self):
        done = self.ok("run", "--runtime=own", "--", "sh", "-c", "echo $LD_LIBRARY_PATH,$OMP_DEBUG",
                       env={"LD_LIBRARY_PATH": "/x", "OMP_DEBUG": ""})
        self.assertEqual((done.stdout, done.stderr), ("/x,\n", ""))
        done = self.ok("run", "--", "true")
        self.assertEqual(done.stderr, "ompd: true is started with Companion as its OpenMP runtime; "
                                      "--runtime=own leaves it on its own.\n")
        self.assertEqual(self.ok("run", "-q", "--", "true").stderr, "")
        done = self.ok("run", "--runtime=mine", "--", "true", status=64)
        self.assertIn("one of: companion, own", done.stderr)

    def test_what_only_libgomp_has(self):
        """OpenACC in the program, in a library of it, and none."""
        def built(name, code, *options):
            path = os.path.join(FOLDER, name)
            subprocess.run(["gcc", "-x", "c", "-", "-o", path, *options], input=code, check=True, text=True,
                           timeout=SECONDS)
            return path
        calls = ("int acc_get_num_devices(int);\n"
                 "int calls(void) { return acc_get_num_devices(4); }\n")
        library = built("libcalls.so", calls, "-shared", "-fPIC")
        itself = built("acc", calls + "int main(void) { return calls() != 0; }\n", "-fopenacc")
        by_library = built("by_library", "int calls(void); int main(void) { return calls() != 0; }\n",
                           "-Wl,-rpath," + FOLDER, "-xnone", library, "-lgomp")
        # Nothing is run to look at it.
        counted = built("counted", "#include <stdio.h>\n"
                        "int main(int n, char **a) { fputc('x', fopen(a[n - 1], \"a\")); }\n", "-fopenmp")
        self.ok("run", "--", counted, counted + ".count")
        with open(counted + ".count") as f:
            self.assertEqual(f.read(), "x")
        for program, who in (itself, itself), (by_library, library):
            self.assertEqual(self.ok("run", "--", program).stderr,
                             "ompd: %s imports acc_get_num_devices, which Companion does not have "
                             "(offloading by gcc, OpenACC): %s keeps its own runtime.\n" % (who, program))

    def test_a_program_that_loads_another_runtime(self):
        gomp = os.path.realpath(subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], check=True,
                                               stdout=subprocess.PIPE, text=True).stdout.strip())
        script = "LD_PRELOAD=%s sleep 60; :" % gomp
        done = self.ok("run", "--timeout", "1.2", "--", "sh", "-c", script, status=124)
        told = re.findall(r"Process \d+ has loaded another OpenMP runtime, (\S+): ", done.stderr)
        self.assertEqual(told, [gomp])
        self.assertNotIn("another OpenMP runtime",
                         self.ok("run", "-q", "--timeout", "1", "--", "sh", "-c", script, status=124).stderr)

    def test_a_program_of_gcc_that_knows_only_libgomp(self):
        code = os.path.join(FOLDER, "gomp.c")
        with open(code, "w") as f:
            f.write("#include <omp.h>\n#include <stdio.h>\n"
                    "int main(void) {\n  omp_lock_t l;\n  omp_init_lock(&l);\n  omp_set_lock(&l);\n"
                    "  puts(\"up\");\n  fflush(stdout);\n  omp_set_lock(&l);\n  return 0;\n}\n")
        program = os.path.join(FOLDER, "gomp")
        subprocess.run(["gcc", "-g", "-fopenmp", code, "-o", program], check=True, timeout=SECONDS)
        done = self.ok("run", "--timeout", "2", "--", program, status=124)
        self.assertIn("has not ended within 2 seconds", done.stderr)
        self.assertNotIn("another OpenMP runtime", done.stderr)
        self.assertIn("gomp.c:9", done.stdout)

    def test_time_over(self):
        program = os.path.join(TARGETS, "deadlock_clang.exe")
        answer = os.path.join(FOLDER, "answer")
        self.ok("run", "--timeout", "2", "--json", "-o", answer, "--", program, status=124)
        with open(answer) as f:
            document = json.load(f)
        self.assertEqual(document["verdict"]["kind"], "deadlock")
        self.assertFalse(os.path.exists("/proc/%d" % document["process"]["pid"]))
        self.ok("run", "--timeout", "2", "--check", "-q", "--", program, status=3)

    def test_what_the_program_has_started_is_reported_and_ends_with_it(self):
        program = os.path.join(TARGETS, "deadlock_gcc.exe")
        answer = os.path.join(FOLDER, "answer2")
        script = "setsid %s & (sleep 300 & echo $! >%s/sleeper); wait" % (program, FOLDER)
        self.ok("run", "--timeout", "2", "--json", "-o", answer, "--", "sh", "-c", script, status=124)
        with open(answer) as f:
            document = json.load(f)
        self.assertEqual(os.path.basename(document["process"]["exe"]), "deadlock_gcc.exe")
        with open(os.path.join(FOLDER, "sleeper")) as f:
            sleeper = int(f.read())
        for pid in (document["process"]["pid"], sleeper):
            self.assertFalse(os.path.exists("/proc/%d" % pid))

    def test_each_process_is_reported(self):
        """Those that wait for a child come last."""
        program = os.path.join(TARGETS, "deadlock_gcc.exe")
        script = "echo $$ >&2; %s >&2; true" % program
        done = self.ok("run", "-q", "--timeout", "2", "--json", "--", "sh", "-c", script, status=124)
        document = json.loads(done.stdout)
        self.assertEqual(os.path.basename(document["process"]["exe"]), "deadlock_gcc.exe")
        others = [other["process"]["pid"] for other in document["others"]]
        self.assertEqual(others, [int(done.stderr.split()[0])])
        done = self.ok("run", "-q", "--timeout", "2", "--", "sh", "-c", script, status=124)
        shown = [line.split()[1].rstrip(",") for line in done.stdout.splitlines()
                 if line.startswith("Process ")]
        self.assertEqual((len(shown), shown[1]), (2, done.stderr.split()[0]))
        done = self.ok("run", "--timeout", "2", "--format=dot", "--", "sh", "-c", script, status=124)
        self.assertIn("dot shows the first of 2 processes", done.stderr)

    def test_signals_are_passed_on(self):
        script = "trap 'exit 21' TERM; echo up; while :; do sleep 0.1; done"
        with subprocess.Popen([OMPD, "run", "--", "sh", "-c", script], stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), b"up\n")
            process.terminate()
            self.assertEqual(process.wait(SECONDS), 21)

    def test_a_static_program_cannot_be_served(self):
        code = os.path.join(FOLDER, "static.c")
        with open(code, "w") as f:
            f.write("int main(void) { return 0; }\n")
        program = os.path.join(FOLDER, "static")
        subprocess.run(["gcc", "-static", code, "-o", program], check=True, timeout=SECONDS)
        done = self.ok("run", "--", program, status=125)
        self.assertIn("linked statically", done.stderr)
        # With Companion in it there is nothing to exchange.
        subprocess.run(["gcc", "-static", code, "-o", program, "-Wl,--whole-archive",
                        gdbrun.find("runtime/libompcompanion.a"), "-Wl,--no-whole-archive", "-pthread"],
                       check=True, timeout=SECONDS)
        self.ok("run", "--", program)

    def test_a_program_with_more_rights_cannot_be_served(self):
        # Of Debian's package passwd, setgid shadow. A sandbox may not let us make one of our own.
        program = "/usr/bin/chage"
        self.assertTrue(os.stat(program).st_mode & stat.S_ISGID)
        done = self.ok("run", "--", program, "--help", status=125)
        self.assertEqual(done.stdout, "")
        self.assertIn("more rights", done.stderr)


class Signals(Case):
    """The program ticks in one thread; the other waits for a lock that nobody gives back."""

    def start(self, *options, program=()):
        self.ticks = os.path.join(FOLDER, "ticks")
        out = open(self.ticks, "w")
        self.addCleanup(out.close)
        process = subprocess.Popen([OMPD, "run", "-q"] + list(options) + ["--", PROGRAM] + list(program),
                                   stdout=out, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        wait_until(lambda: count(self.ticks) > 2 and self.one_waits(process.pid))
        return process

    def one_waits(self, ompd):
        """In a futex call, 202 of x86-64, at three looks."""
        for _ in range(3):
            time.sleep(.01)
            tasks = glob.glob("/proc/%d/task/*/syscall" % self.child(ompd))
            if not any(open(task).read().startswith("202 ") for task in tasks):
                return False
        return True

    def goes_on(self):
        before = count(self.ticks)
        wait_until(lambda: count(self.ticks) > before + 2)

    def text(self):
        with open(self.ticks) as f:
            return f.read()

    def alive(self):
        return subprocess.run(["pgrep", "-f", PROGRAM], stdout=subprocess.DEVNULL).returncode == 0

    def test_a_report_and_the_program_goes_on(self):
        process = self.start()
        for n, sig in enumerate((signal.SIGUSR1, signal.SIGQUIT)):
            process.send_signal(sig)
            wait_until(lambda: self.text().count("\nStacks\n") == n + 1)
            self.goes_on()
        self.assertIn("waits for lock", self.text())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 7)

    def interrupted(self):
        """`ompd` and the FIFO for its report, which nobody reads yet: it cannot be written."""
        fifo = os.path.join(FOLDER, self._testMethodName)
        os.mkfifo(fifo)
        process = self.start("-o", fifo)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: self.state(process.pid) == "T")
        return process, fifo

    def test_an_interrupt_holds_the_program_for_its_report(self):
        process, fifo = self.interrupted()
        before = count(self.ticks)
        time.sleep(.2)
        self.assertEqual(count(self.ticks), before)
        self.assertNotIn("handled", self.text())
        with open(fifo) as f:
            self.assertIn("waits for lock", f.read())
        self.assertEqual(process.wait(SECONDS), 7)
        self.assertTrue(self.text().endswith("handled\n"))

    def child(self, ompd):
        with open("/proc/%d/task/%d/children" % (ompd, ompd)) as f:
            return int(f.read().split()[0])

    def state(self, ompd):
        with open("/proc/%d/stat" % self.child(ompd)) as f:
            return f.read().rpartition(")")[2].split()[0]

    def test_a_second_interrupt_ends_it_at_once(self):
        process, _ = self.interrupted()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), -signal.SIGINT)  # 130 for a shell
        wait_until(lambda: not self.alive())
        self.assertNotIn("handled", self.text())

    def test_a_second_interrupt_ends_what_ignores_the_first(self):
        process = self.start(program=["ignoring"])
        process.send_signal(signal.SIGINT)
        wait_until(lambda: "\nStacks\n" in self.text())
        self.goes_on()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)
        self.assertFalse(self.alive())


class AtATerminal(Terminal):
    """Keys at a pseudo-terminal, whose foreground job is the command or a shell."""

    def test_ctrl_backslash_and_ctrl_c(self):
        pid = self.start(OMPD, "run", "--", PROGRAM)
        self.wait_for("tick")
        self.press("\x1c")
        self.wait_for("Stacks")
        self.press("")
        self.wait_for("tick")
        self.press("\x03")
        self.assertEqual(self.status(pid), 7)
        self.assertLess(self.seen.index("Ctrl-C again ends it at once"), self.seen.index("Stacks"))
        self.assertLess(self.seen.index("Stacks"), self.seen.index("handled"))

    def test_a_program_that_reads_gets_the_terminal(self):
        pid = self.start(OMPD, "run", "-q", "--", "sh", "-c", "read a; echo got $a; exit 9")
        self.press("word\n")
        self.wait_for("got word")
        self.assertEqual(self.status(pid), 9)

    def test_ctrl_z_stops_both_and_fg_continues_both(self):
        pid = self.start("/bin/bash", "--norc", "--noprofile", "-i")
        # No shell script: dash waits in vfork for a child that Ctrl-Z has stopped before its exec.
        for arguments in "", "it reads first":
            self.press("%s run -q -- %s %s\n\n" % (OMPD, PROGRAM, arguments))
            self.wait_for("\ntick")
            self.press("\x1a")
            self.wait_for("Stopped")
            self.press("fg\n")
            self.wait_for("\r\ntick")
            self.press("\x03")
            self.press("\n" + "echo left$((1+1))\n")
            self.wait_for("left2")
        self.press("exit 4\n")
        self.assertEqual(self.status(pid), 4)


if __name__ == "__main__":
    xmltest.main()
