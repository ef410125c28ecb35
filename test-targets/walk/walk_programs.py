# SPDX-License-Identifier: Apache-2.0
"""The programs of this folder, by each compiler, on Companion and on the runtimes that distributions ship.

    for walk in walks("all"): walk.program(folder)       # built once
    with Held(walk, folder) as held: held.truth        # at rest; truth is what it has said
    held.core()                                        # the kernel's core; the process has ended
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import gdbrun
import stock_programs

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 120
SOURCES = {"c": "held.c", "c++": "held.cc", "fortran": "held.F90"}
# compiler -> its language, and the compiler whose runtime and options it shares.
COMPILERS = {"gcc": ("c", "gcc"), "g++": ("c++", "gcc"), "gfortran": ("fortran", "gfortran"),
             "clang": ("c", "clang"), "clang++": ("c++", "clang"), "flang": ("fortran", "flang")}
ON = {"companion": tuple(COMPILERS), "libgomp-12": ("gcc", "g++", "gfortran"),
      "libomp-14": ("clang", "clang++", "flang")}
# In `./dev test`: each language, each runtime.
SOME = "gcc:companion,clang++:libomp-14,gfortran:libgomp-12"
OPTIMISED = "clang++:companion:-O2,gcc:libgomp-12:-O2,clang:libomp-14:-O2"
MEMBERS, TASKS, ITERATIONS, CHUNK = 4, 3, 100, 3


def line_of(source, mark):
    """The line that ends in the comment MARK."""
    with open(source, encoding="utf-8") as f:
        return next(i for i, text in enumerate(f, 1) if text.rstrip(" */\n").endswith(" " + mark))


WORDS = os.path.join(HERE, "words.c")


class Walk:
    """A compiler's program on a runtime."""

    def __init__(self, compiler, runtime, option="-O0"):
        self.compiler, self.runtime, self.option = compiler, stock_programs.EVERY[runtime], option
        self.language, self.like = COMPILERS[compiler]
        self.family = self.runtime.family
        # Who has which chunk is not recorded where one counter for all hands them out.
        self.records_chunks = self.family == "companion" or (self.family == "kmp" and
                                                             self.like in stock_programs.LLVM)
        self.name = "%s %s on %s" % (compiler, option, runtime)
        self.optimised = option != "-O0"
        self.source = os.path.join(HERE, SOURCES[self.language])

    def line(self, mark):
        return line_of(self.source, mark)

    def program(self, folder):
        path = os.path.join(folder, self.compiler + self.option)
        if os.path.exists(path):
            return path
        scratch = tempfile.mkdtemp(dir=folder)
        command = {"clang++": "clang++", "g++": "g++"}.get(self.compiler, self.like)
        command = stock_programs._command(command)
        _run(["gcc", "-g", "-O0", "-c", WORDS, "-o", "words.o"], scratch)
        _run([command, "-g", self.option, "-fopenmp", "-I" + HERE, self.source, "-c", "-o", "held.o",
              *stock_programs.include_options(self.like)], scratch)
        _run([command, "held.o", "words.o", "-o", path, *stock_programs.link_options(self.like, scratch),
              "-pthread", "-lm"], scratch)
        return path


def _run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False)
    if done.returncode:
        raise AssertionError("%s: %s" % (" ".join(command), done.stdout[-2000:]))


def walks(wanted):
    """Those that WANTED names, as "gcc:companion,clang:libomp-14:-O2"; "all"."""
    if wanted != "all":
        return [Walk(*one.split(":")) for one in wanted.split(",")]
    return [Walk(compiler, runtime) for runtime, compilers in ON.items() for compiler in compilers] + \
        walks(OPTIMISED)


def cases(name, base):
    """{name: a test case of BASE} for each of those that WALK names, in the environment."""
    return {re.sub(r"\W+", "_", "%s %s" % (name, walk.name.replace("++", "xx"))):
            type(name, (base, unittest.TestCase), {"walk": walk})
            for walk in walks(os.environ.get("WALK", SOME))}


# Numbers of system calls, of x86-64.
PAUSE, FUTEX = "34", "202"


class Held(stock_programs.Run):
    """A program whose members have all stopped."""

    def __init__(self, walk, folder, *arguments, **env):
        super().__init__(walk.program(folder), "walk", walk.runtime, tempfile.mkdtemp(dir=folder),
                         env=dict(OMP_PLACES="threads", OMP_PROC_BIND="close", **env), arguments=arguments)
        self.walk = walk

    def _start(self):
        self.process = subprocess.Popen(
            ["sh", "-c", "ulimit -c unlimited; exec \"$@\"", "sh", self.path, *self.arguments],
            cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True)
        for line in self.process.stdout:
            if line.startswith("TRUTH "):
                self.truth = json.loads(line[len("TRUTH "):])
                break
        else:
            raise AssertionError("%s came to no rest: %s" % (self.walk.name, self.process.stderr.read()))
        return self

    @property
    def members(self):
        """{thread number: what it has said}."""
        return {one["thread_num"]: one for one in self.truth["members"]}

    def __enter__(self):
        self.start()
        self.until_at_rest(self.process.pid)
        return self

    def __exit__(self, *_):
        self.stop()

    def until_at_rest(self, pid):
        """Members 0 and 3 sleep, and 1 waits for the lock: in libgomp and Companion it sleeps, in libomp it
        turns until its stack has omp_set_lock on it."""
        self._until(lambda: self._two_sleep(pid) and self._waits(pid))

    def _until(self, true):
        until = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < until, "%s did not come to rest" % self.walk.name
            time.sleep(.01)

    def _two_sleep(self, pid):
        return all(self._sleeps(pid, number) for number in (0, 3))

    def _sleeps(self, pid, number, call=PAUSE):
        path = "/proc/%d/task/%d/syscall" % (pid, self.members[number]["lwp"])
        with open(path, encoding="utf-8") as f:
            return f.read().split()[0] == call

    def _waits(self, pid):
        if self.walk.family != "kmp":
            return self._sleeps(pid, 1, FUTEX)
        done = subprocess.run(["gdb", "-nx", "-batch", "-p", str(self.members[1]["lwp"]), "-ex", "bt"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True,
                              check=False)
        return "kmpc_set_lock" in done.stdout or "omp_set_lock" in done.stdout

    def core(self, signal_number=signal.SIGABRT):
        """The kernel's, of a process that a signal ends, its own one in a program that crashes. A thread that
        a debugger has just let go still has a signal pending until it runs: then the kernel gives this one
        not to the main thread but to one that computes."""
        if "crash" not in self.arguments:
            self._until(lambda: self._two_sleep(self.process.pid))
            self.process.send_signal(signal_number)
        self.process.wait(SECONDS)
        found = [one for one in os.listdir(self.folder) if one.startswith("core")]
        if len(found) != 1:
            raise stock_programs.Missing("the kernel wrote no core here; core_pattern must be a plain name")
        return os.path.join(self.folder, found[0])


def ompd(*arguments, status=(0,), env=None):
    """What `ompd` writes."""
    done = subprocess.run([gdbrun.find("command/ompd"), *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=SECONDS, check=False,
                          env=dict(os.environ, **(env or {})))
    assert done.returncode in status, (arguments, done.returncode, done.stdout[-2000:], done.stderr)
    return done


def library():
    return "--ompd-library", gdbrun.find("ompd/libompd.so.1")


def folder_of_walks(case):
    made = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    case.addClassCleanup(shutil.rmtree, made, ignore_errors=True)
    return made
