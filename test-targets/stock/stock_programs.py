# SPDX-License-Identifier: Apache-2.0
"""The programs of test-targets/ and of this folder on the runtimes that distributions ship.

A runtime is a parameter (EVERY): its file, the name under which programs load it, and the compilers whose
programs it serves. Nothing is recompiled and nothing is installed: what Debian does not install beside the
others is unpacked in the user's cache (tools/debian.py). RUNTIMES are those that run on this release of
Debian; those of IN_ROOTS need a later glibc, and are run by this file in a root (tools/release_root.sh), with
the compilers and the GDB of that release.

    path = build(program, compiler, option, folder)     # once; kept in the folder
    run = Run(path, program, runtime, folder)           # started, at rest; run.truth is its own word
    run.process, run.library                            # the file of the runtime that it has mapped
"""

import functools
import glob
import os
import resource
import re
import shutil
import subprocess
import tempfile
import threading

import compare
import debian

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 60
HEADERS = "libomp-14-dev"


class Missing(Exception):
    """A runtime or a program cannot be had here; the text says why."""


class NoRuntime(Missing):
    """The runtime's file cannot be had."""


class NoRest(Missing):
    """The program did not come to its state: on libomp a task can wait for a thread that sleeps."""


class Runtime:
    """One build. SONAME: the name that its programs ask for; FIND gives the path of the file. SUITE: the
    release in whose root it runs; None: here. ALIASES: other names under which programs load it."""

    def __init__(self, name, family, soname, compilers, find, suite=None, aliases=()):
        self.name, self.family, self.soname, self.compilers, self.find = name, family, soname, compilers, find
        self.suite, self.aliases = suite, aliases

    def file(self):
        try:
            path = self.find()
        except debian.Unusable as error:
            raise NoRuntime(str(error)) from None
        if not os.path.exists(path):
            raise NoRuntime("there is no %s" % path)
        return os.path.realpath(path)


def _libomp(version):
    return lambda: debian.unpacked("libomp5-%d" % version, "usr/lib/llvm-%d/lib/libomp.so.5" % version)


@functools.lru_cache(maxsize=None)
def _bullseye(home):
    """Debian 11's packages: (apt-get with lists of its own, {name: build})."""
    import fetch_runtimes
    apt = fetch_runtimes.Apt(os.path.join(home, "apt"), "bullseye")
    return apt, {build.package: build for build in apt.builds()}


_fetching = threading.Lock()


def _older(package):
    """The runtime of a package of Debian 11, which runs on later releases too; kept in the user's cache."""
    def find():
        home = os.path.join(debian.cache(), "bullseye")
        path = os.path.join(home, package, "libgomp.so.1" if package == "libgomp1" else "libomp.so.5")
        with _fetching:
            if not os.path.exists(path):
                _fetch_older(package, home, path)
        return path
    return find


def _fetch_older(package, home, path):
    import fetch_runtimes
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        apt, builds = _bullseye(home)
        if package not in builds:
            raise NoRuntime("Debian 11 has no package %s" % package)
        with tempfile.TemporaryDirectory(dir=home) as scratch:
            shutil.copy(fetch_runtimes.library(builds[package], apt, scratch), path + ".new")
        os.rename(path + ".new", path)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoRuntime(str(error)) from None


def _libgomp():
    return subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.strip()


def _companion():
    import gdbrun
    return gdbrun.find("runtime/libompcompanion.so.1.0.0")


def _installed(pattern):
    """The file of a root that PATTERN names, of the newest version."""
    def find():
        found = glob.glob(pattern)
        if not found:
            raise NoRuntime("there is no %s" % pattern)
        return max(found, key=lambda path: [int(number) for number in re.findall(r"[0-9]+", path)])
    return find


LLVM = ("clang", "flang")
GNU = ("gcc", "gfortran")
RUNTIMES = {runtime.name: runtime for runtime in (
    [Runtime("libgomp-12", "gomp", "libgomp.so.1", GNU, _libgomp)] +
    [Runtime("libomp-%d" % version, "kmp", "libomp.so.5", LLVM, _libomp(version))
     for version in (13, 14, 15, 16, 19)] +
    # gcc's programs on libomp, as conda and some sites have them
    [Runtime("libomp-%d-as-libgomp" % version, "kmp", "libgomp.so.1", GNU, _libomp(version))
     for version in (14, 19)])}
_LIBOMP = _installed("/usr/lib/llvm-*/lib/libomp.so.5")
IN_ROOTS = {runtime.name: runtime for runtime in (
    Runtime("libgomp-14-trixie", "gomp", "libgomp.so.1", GNU, _libgomp, "trixie"),
    Runtime("libomp-18-trixie", "kmp", "libomp.so.5", LLVM,
            _installed("/opt/ompd/libomp5-18/usr/lib/llvm-18/lib/libomp.so.5"), "trixie"),
    Runtime("libomp-19-trixie", "kmp", "libomp.so.5", LLVM, _LIBOMP, "trixie"),
    Runtime("libomp-19-trixie-as-libgomp", "kmp", "libgomp.so.1", GNU, _LIBOMP, "trixie"),
    Runtime("libgomp-16-sid", "gomp", "libgomp.so.1", GNU, _libgomp, "sid"),
    Runtime("libomp-23-sid", "kmp", "libomp.so.5", LLVM, _LIBOMP, "sid"))}
COMPANION = Runtime("companion", "companion", "libompcompanion.so.1", GNU + LLVM, _companion,
                    aliases=("libgomp.so.1", "libomp.so.5"))
OLDER = {runtime.name: runtime for runtime in (
    [Runtime("libgomp-10-bullseye", "gomp", "libgomp.so.1", GNU, _older("libgomp1"))] +
    [Runtime("libomp-%d-bullseye" % version, "kmp", "libomp.so.5", LLVM, _older("libomp5-%d" % version))
     for version in (9, 11, 13, 16)])}
EVERY = dict(RUNTIMES, **OLDER, **IN_ROOTS, companion=COMPANION)
OPTIONS = {"o0": ["-O0"], "o2": ["-O2"], "stripped": ["-O2"]}
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "1M"}
# What some programs need besides. Sleeping threads of libomp 16 and newer do not see that there is a task.
AWAKE = {"KMP_BLOCKTIME": "1000"}
ENVIRONMENTS = {"detach_depend": AWAKE, "task_lock": AWAKE, "task_nested": AWAKE, "taskwait_depend": AWAKE,
                "cancelled": {"OMP_CANCELLATION": "true"}, "cancelled_loop": {"OMP_CANCELLATION": "true"},
                "queued_priority": {"OMP_MAX_TASK_PRIORITY": "10"},
                "teams": {"KMP_TEAMS_THREAD_LIMIT": "8"}, "many_threads": {"OMP_STACKSIZE": "256K"},
                "many_barrier": {"OMP_STACKSIZE": "256K"}, "many_critical": {"OMP_STACKSIZE": "256K"},
                "spinning": {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "infinite",
                             "KMP_BLOCKTIME": "infinite"}}
# Whose waiting threads do not sleep, in any runtime.
POLLING = ("spinning", "doacross")
# libgomp ends the threads that a smaller region leaves over; libomp has no target regions of gcc's, and in
# version 14 no detached tasks.
TARGETS = ("target", "target_nested")
NOT_ON = {"libomp-14-as-libgomp": ("detach", "detach_depend") + TARGETS,
          "libomp-19-as-libgomp": TARGETS, "libomp-19-trixie-as-libgomp": TARGETS}
NOT_ON.update((name, ("idle_some", "idle_stale")) for name, one in EVERY.items() if one.family == "gomp")
# gfortran's omp_nest_lock_kind has no room for libgomp's nest lock: the variable points to it.
INDIRECT = tuple((name, "f_nest_lock") for name, one in EVERY.items() if one.family == "gomp")
# In a root (tools/release_root.sh) the release's own compilers, headers and runtimes are used.
IN_ROOT = "OMPD_RELEASE_ROOT" in os.environ
# They end by themselves: nobody can attach.
CRASHING = ("crash_abort", "crash_segv")


def _source_folder():
    import gdbrun
    return os.path.dirname(gdbrun.find("test-targets/truth.c"))


@functools.lru_cache(maxsize=None)
def programs():
    """{name: (language, source)} of all constructs."""
    found = {}
    folder = _source_folder()
    for path in sorted(glob.glob(os.path.join(folder, "*.c")) + glob.glob(os.path.join(folder, "*.cc")) +
                       glob.glob(os.path.join(folder, "f_*.F90")) +
                       glob.glob(os.path.join(folder, "stock", "*.c"))):
        name, extension = os.path.splitext(os.path.basename(path))
        if name not in ("truth", "f_truth", "demo", "dlopen_region"):
            found[name] = ({".c": "c", ".cc": "c++", ".F90": "fortran"}[extension], path)
    return found


def compiles(name, compiler):
    """Whether the compiler takes the program's language."""
    return (programs()[name][0] == "fortran") == (compiler in ("gfortran", "flang"))


def runs_on(name, runtime):
    """Whether the runtime can bring the program to its rest."""
    return (name not in NOT_ON.get(runtime, ()) and
            any(compiles(name, compiler) for compiler in EVERY[runtime].compilers))


def _command(compiler):
    """The compiler's name on this release; of the versions that are there, the newest."""
    known = {"flang": ("flang-new-19", "flang-19", "flang", "flang-new"),
             "clang": ("clang", "clang-19"), "clang++": ("clang++", "clang++-19")}
    for command in known.get(compiler, (compiler,)):
        if shutil.which(command):
            return command
    raise Missing("there is no compiler %s" % compiler)


def _headers():
    """The folder of clang's omp.h; None in a root, where clang has its own."""
    if IN_ROOT:
        return None
    try:
        return os.path.dirname(debian.unpacked(HEADERS, "usr/lib/llvm-14/lib/clang/14.0.6/include/omp.h"))
    except debian.Unusable as error:
        raise NoRuntime(str(error)) from None


def include_options(compiler):
    headers = _headers() if compiler == "clang" else None
    return ["-I" + headers] if headers else []


def _run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    if done.returncode != 0:
        raise Missing("%s: %s" % (" ".join(command), done.stdout[-600:]))


def link_options(compiler, scratch):
    """What makes a program ask for the runtime of its compiler."""
    if compiler in GNU:
        return ["-fopenmp"]
    # By the name that is in the library, as `-lomp` does where libomp-dev is installed.
    linked = _LIBOMP() if IN_ROOT else RUNTIMES["libomp-14"].file()
    os.symlink(linked, os.path.join(scratch, "libomp.so"))
    return ["-L" + scratch, "-lomp"]


def _objects(name, compiler, flags, scratch):
    language, source = programs()[name]
    folder = _source_folder()
    include = ["-I" + folder] + include_options(compiler)
    plain = _command("clang" if compiler == "clang" else "gcc")
    # What the targets share calls no OpenMP; it is never optimised, as a debugger breaks in it.
    _run([plain, "-g", "-O0", "-fPIC", "-std=gnu11", "-I" + folder, "-c",
          os.path.join(folder, "truth.c"), "-o", "truth.o"], scratch)
    if language == "fortran":
        command = [_command(compiler)] + (["-ffree-line-length-none"] if compiler == "gfortran" else [])
        for part in (os.path.join(folder, "f_truth.F90"), source):
            _run(command + ["-g", "-fopenmp"] + flags + ["-I.", "-c", part,
                                                         "-o", os.path.basename(part) + ".o"], scratch)
        return command, ["f_truth.F90.o", os.path.basename(source) + ".o", "truth.o"]
    command = _command({"gcc": "g++", "clang": "clang++"}[compiler] if language == "c++" else compiler)
    standard = "-std=gnu11" if language == "c" else "-std=c++17"
    openmp = [] if name == "dlopen" else ["-fopenmp"]
    _run([command, standard, "-g", "-fPIC"] + openmp + flags + include + ["-c", source, "-o", "main.o"],
         scratch)
    return [command], ["main.o", "truth.o"]


@functools.lru_cache(maxsize=None)
def _sources_changed():
    """When a source of the programs was last written."""
    sources = glob.glob(os.path.join(_source_folder(), "*.*")) + glob.glob(
        os.path.join(_source_folder(), "stock", "*.*"))
    return max(os.stat(path).st_mtime for path in sources)


def build(name, compiler, option, folder):
    """The program's path in FOLDER, built there if it is not, or if a source is newer."""
    path = os.path.join(folder, "%s_%s_%s.exe" % (name, compiler, option))
    if os.path.exists(path) and os.stat(path).st_mtime > _sources_changed():
        return path
    # A folder of its own for each: two matrices may build the same program at a time.
    scratch = tempfile.mkdtemp(prefix=os.path.basename(path), dir=folder)
    try:
        command, objects = _objects(name, compiler, OPTIONS[option], scratch)
        link = link_options(compiler, scratch)
        end = ["-pthread"] + (["-lm"] if compiler == "flang" else [])
        if name == "dlopen":
            library = os.path.join(folder, "dlopen_region_%s_%s.so" % (compiler, option))
            include = ["-I" + _source_folder()] + include_options(compiler)
            _run(command + ["-g", "-fPIC", "-fopenmp"] + OPTIONS[option] + include +
                 ["-c", os.path.join(_source_folder(), "dlopen_region.c"), "-o", "region.o"], scratch)
            _run(command + ["-shared", "region.o", "-o", "region.so"] + link, scratch)
            os.rename(os.path.join(scratch, "region.so"), library)
            link = ["-rdynamic", "-ldl"]
        _run(command + objects + ["-o", "whole"] + link + end, scratch)
        if option == "stripped":
            _run(["strip", "-s", "whole"], scratch)
        os.rename(os.path.join(scratch, "whole"), path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return path


class Run:
    """A program at rest."""

    def __init__(self, path, name, runtime, folder, env=(), arguments=(), truth_env=()):
        """FOLDER: a new one, for the copy of the runtime's file and for the cores."""
        self.name, self.runtime, self.folder, self.path = name, runtime, folder, path
        os.makedirs(os.path.join(folder, "lib"))
        self.library = os.path.join(folder, "lib", runtime.soname)
        shutil.copy(runtime.file(), self.library)
        for alias in runtime.aliases:
            os.symlink(runtime.soname, os.path.join(folder, "lib", alias))
        self.env = dict(os.environ, GFORTRAN_ERROR_BACKTRACE="0", TRUTH_HOLD_SECONDS="300",
                        TRUTH_TIMEOUT=str(SECONDS // 3), LD_LIBRARY_PATH=os.path.join(folder, "lib"))
        self.env.update(ENVIRONMENT)
        self.env.update(ENVIRONMENTS.get(name, {}))
        if runtime.family == "kmp" or name in POLLING:
            self.env["TRUTH_RELAX"] = "1"
        if runtime.family == "kmp":
            self.env["TRUTH_TEAMS_AT_ONCE"] = "1"
        self.env.update(env)
        self.env.update(truth_env)
        self.arguments = list(arguments)
        self.process = self.truth = None

    def start(self):
        """Once more if need be: libomp's sleeping threads now and then miss that there is a task for them."""
        try:
            return self._start()
        except Missing:
            return self._start()

    def _start(self):
        self.process = subprocess.Popen(
            [self.path] + self.arguments, cwd=self.folder, env=self.env, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
        text = ""
        while self.truth is None:
            line = self.process.stdout.readline()
            if line == "":
                error = self.process.stderr.read()[-300:]
                self.stop()
                raise NoRest("%s came to no rest: %s" % (os.path.basename(self.path), error))
            text += line
            self.truth = compare.read_truth(text)
        compare.until_observer_sleeps(self.truth, self.process.pid)
        return self

    def core(self, signal_number):
        """The kernel's core of the process, which ends."""
        if self.truth["signal"] is None:
            self.process.send_signal(signal_number)
        self.process.wait(SECONDS)
        found = [one for one in os.listdir(self.folder) if one.startswith("core")]
        if len(found) != 1:
            raise Missing("the kernel wrote no core into the folder; core_pattern must be a plain name")
        return os.path.join(self.folder, found[0])

    def hide_library(self):
        """The runtime's file is gone, as on the machine of somebody else."""
        os.rename(self.library, self.library + ".away")

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()
