# SPDX-License-Identifier: Apache-2.0
"""Programs drawn by lot (motion.h) on each runtime, and what they say about themselves.

    path = build(compiler, folder)
    with Program(path, runtime, folder, seed, threads, kind, mistake, policy) as program:
        program.word            # of the page that it writes: rounds, steps, who has gone into the mistake
        program.wait_until_dead()
"""

import collections
import glob
import mmap
import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

import debian
import fetch_runtimes
import gdbrun
import stock_programs
from stock_programs import Missing, NoRuntime, Runtime

KINDS = ("region", "barrier", "loop", "ordered", "doacross", "sections", "single", "critical", "lock",
         "nest_lock", "mutex", "reduction", "task", "taskgroup", "depend", "condition", "pool", "nested")
MISTAKES = ("crossed", "again", "held_at_barrier", "missed", "taskwait", "turn", "sink", "unsignalled",
            "owner_ended", "join")
# How those who wait do so.
POLICIES = {"default": {}, "passive": {"OMP_WAIT_POLICY": "passive"},
            "active": {"OMP_WAIT_POLICY": "active"},
            "infinite": {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "infinite",
                         "KMP_BLOCKTIME": "infinite"}}
SECONDS = 120  # for whatever a program does by itself, on a busy machine


class Later:
    """A runtime of a later release of Debian, and that release's glibc, which it needs: programs are linked
    to that one's loader. In the user's cache."""

    def __init__(self, suite, package):
        self.suite, self.package = suite, package
        self.home = os.path.join(debian.cache(), "later", suite)
        self.libc = os.path.join(self.home, "libc6", "usr/lib/x86_64-linux-gnu")

    def find(self):
        try:
            for package in ("libc6", self.package):
                if not os.path.isdir(os.path.join(self.home, package)):
                    self._fetch(package)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NoRuntime(str(error)) from None
        name = "libgomp.so.1" if self.package == "libgomp1" else "libomp.so.5"
        found = glob.glob("%s/%s/usr/lib/**/%s" % (self.home, self.package, name), recursive=True)
        if not found:
            raise NoRuntime("%s of %s has no %s" % (self.package, self.suite, name))
        return found[0]

    def _fetch(self, package):
        os.makedirs(self.home, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.home) as scratch:
            apt = fetch_runtimes.Apt(os.path.join(self.home, "apt"), self.suite, ("deb",))
            apt.run("apt-get", "update")
            apt.run("apt-get", "download", package, cwd=scratch)
            subprocess.run(["dpkg", "-x", glob.glob(scratch + "/*.deb")[0], scratch + "/files"], check=True)
            os.rename(scratch + "/files", os.path.join(self.home, package))

    def link_options(self):
        return ["-Wl,--dynamic-linker=%s/ld-linux-x86-64.so.2" % self.libc,
                "-Wl,--disable-new-dtags,-rpath,%s" % self.libc]


def _later(name, family, soname, compiler, suite, package):
    later = Later(suite, package)
    runtime = Runtime(name, family, soname, (compiler,), later.find)
    runtime.later = later
    return runtime


RUNTIMES = {"companion": stock_programs.COMPANION}
RUNTIMES.update((name, stock_programs.RUNTIMES[name]) for name in ("libgomp-12", "libomp-14", "libomp-19"))
RUNTIMES.update((one.name, one) for one in (
    _later("libgomp-14", "gomp", "libgomp.so.1", "gcc", "trixie", "libgomp1"),
    _later("libomp-23", "kmp", "libomp.so.5", "clang", "sid", "libomp5")))


def compilers(runtime):
    return [one for one in RUNTIMES[runtime].compilers if one in ("gcc", "clang")]


def available():
    """The names of the runtimes that can be had, and why not of the others."""
    found, without = [], {}
    for name, runtime in RUNTIMES.items():
        try:
            runtime.file()
            found.append(name)
        except Missing as error:
            without[name] = str(error)
    return found, without


def build(compiler, runtime, folder):
    """The program's path in FOLDER."""
    later = getattr(RUNTIMES[runtime], "later", None)
    path = os.path.join(folder, "motion_%s%s" % (compiler, "_" + later.suite if later else ""))
    if os.path.exists(path):
        return path
    sources = os.path.dirname(gdbrun.find("test-targets/motion/motion.h"))
    name = {"gcc": "g++", "clang": "clang++"}[compiler]
    command = [name, "-std=c++17", "-O2", "-g", "-pthread", "-fopenmp"]
    include = stock_programs.include_options(compiler)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        objects = []
        for source in sorted(glob.glob(os.path.join(sources, "*.cc"))):
            objects.append(os.path.basename(source) + ".o")
            _run(command + include + ["-c", source, "-o", objects[-1]], scratch)
        _run(command[:-1] + objects + ["-o", "whole"] + stock_programs.link_options(compiler, scratch) +
             (later.link_options() if later else []), scratch)
        os.rename(os.path.join(scratch, "whole"), path)
    return path


def _run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          universal_newlines=True)
    if done.returncode != 0:
        raise Missing("%s: %s" % (" ".join(command), done.stdout[-1000:]))


Word = collections.namedtuple("Word", "pid rounds doomed sprung steps proof words")
_PAGE = struct.Struct("<68Q16s512s")


class Page:
    """The file that the program writes (motion.h, Page)."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as file:
            file.truncate(_PAGE.size)
        with open(path, "rb") as file:
            self.map = mmap.mmap(file.fileno(), _PAGE.size, access=mmap.ACCESS_READ)

    def word(self):
        numbers = _PAGE.unpack(self.map[:])
        text = [part.split(b"\0")[0].decode() for part in numbers[68:]]
        return Word(*numbers[:4], sum(numbers[4:68]), *text)


class Thread(collections.namedtuple("Thread", "asleep ticks switches")):
    """What procfs says of one: whether it sleeps, its processor time, how often it has gone to sleep."""

    @classmethod
    def read(cls, folder):
        with open(folder + "/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(folder + "/status") as file:
            switches = [int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt")]
        return cls(fields[0] == "S", int(fields[11]) + int(fields[12]), switches[0])


def threads_of(pid):
    found = {}
    for tid in os.listdir("/proc/%d/task" % pid):
        try:
            found[tid] = Thread.read("/proc/%d/task/%s" % (pid, tid))
        except OSError:  # it has ended meanwhile
            pass
    return found


# Of a thread that does not sleep: so much processor time (in ticks), or so many naps, without a step. The
# longest piece of work between two steps takes a tenth of a tick, and has one nap.
TICKS, NAPS = 5, 20


class Death:
    """Looks, as often as it is asked, whether the program stands for ever."""

    def __init__(self, program):
        self.program, self.steps, self.first, self.calls, self.found = program, None, {}, {}, None

    def seen(self):
        """When it was: all who go into the mistake have done so, and each thread has shown since that it
        makes no step. None: not yet."""
        if self.found is not None:
            return self.found
        now, word = time.monotonic(), self.program.word
        if not 0 < word.doomed <= word.sprung:
            return None
        try:
            threads = threads_of(word.pid)
        except OSError:
            return None  # it has ended
        if word.steps != self.steps or threads.keys() != self.first.keys():
            self.steps, self.first, self.calls = word.steps, threads, {}
        if all([self._stands(tid, one, now) for tid, one in threads.items()]):
            if self.program.word.steps == self.steps:
                self.found = now
        return self.found

    def _stands(self, tid, one, now):
        """It has slept for a while without being woken, or was awake often or long enough since the last
        step."""
        if not one.asleep or self.calls.get(tid, (None,))[0] != one.switches:
            self.calls[tid] = one.switches if one.asleep else None, now
        since = self.first[tid]
        return (one.asleep and now - self.calls[tid][1] > .5 or one.ticks - since.ticks >= TICKS or
                one.switches - since.switches >= NAPS)


class Program:
    """One that runs. FOLDER: a new one, for the page, the runtime's file and the cores."""

    def __init__(self, path, runtime, folder, seed, threads, kind, mistake="-", policy="default"):
        self.folder, self.runtime = folder, RUNTIMES[runtime]
        os.makedirs(os.path.join(folder, "lib"))
        self.library = os.path.join(folder, "lib", self.runtime.soname)
        shutil.copy(self.runtime.file(), self.library)
        for alias in self.runtime.aliases:
            os.symlink(self.runtime.soname, os.path.join(folder, "lib", alias))
        self.page = Page(os.path.join(folder, "page"))
        self.mistake, self.death, self.dead = mistake, Death(self), False
        self.command = [path, self.page.path, str(seed), str(threads), kind, mistake]
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("OMP_", "KMP_", "GOMP_", "LD_"))}
        self.env.update(POLICIES[policy], LD_LIBRARY_PATH=os.path.join(folder, "lib"), OMP_STACKSIZE="1M")
        self.process = None

    def start(self, before=(), env=()):
        """BEFORE: the words of a command that starts it."""
        self.process = subprocess.Popen(
            list(before) + self.command, cwd=self.folder, env=dict(self.env, **dict(env)),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
            start_new_session=True, preexec_fn=self._writes_a_core)
        return self

    @staticmethod
    def _writes_a_core():
        """What a shell starts in the background ignores SIGQUIT."""
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)

    @property
    def word(self):
        return self.page.word()

    @property
    def pid(self):
        return self.word.pid

    def alive(self):
        return self.process.poll() is None

    def wait_until(self, what, seconds=SECONDS):
        """False if it has ended or does not in that time."""
        until = time.monotonic() + seconds
        while not what():
            if time.monotonic() > until or not self.alive():
                return False
            time.sleep(.005)
        return True

    def moves(self):
        """It has made a step after this call."""
        steps = self.word.steps
        return self.wait_until(lambda: self.word.steps != steps)

    def wait_until_dead(self):
        """All who go into the mistake have done so, and each other thread has shown that it makes no step."""
        self.dead = self.wait_until(lambda: self.death.seen() is not None)
        return self.dead

    def core(self, signal_number):
        """The kernel's, of the process, which ends."""
        os.kill(self.pid, signal_number)
        self.process.communicate(timeout=SECONDS)
        found = [one for one in os.listdir(self.folder) if one.startswith("core")]
        if len(found) != 1:
            raise Missing("the kernel wrote no core into the folder; core_pattern must be a plain name")
        return os.path.join(self.folder, found[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            if self.process.poll() is None:
                # `ompd run` that is killed leaves its program.
                for pid in {self.process.pid, self.pid} - {0}:
                    os.kill(pid, signal.SIGKILL)
            self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)
