# SPDX-License-Identifier: Apache-2.0
"""The programs of this folder: which there are, how those with MPI are built, how one is started."""

import os
import resource
import shutil
import subprocess

import gdbrun
from mixed_truth import Truth

DIR = os.path.dirname(gdbrun.find("test-targets/mixed/libompcompanion.so.1"))
SOURCES = os.path.dirname(gdbrun.find("test-targets/mixed/say.c"))
HEADERS = os.path.dirname(gdbrun.find("include/omp.h"))
C = ("barrier_read", "before_fork", "before_fork_ended", "c11", "child_task", "condition_timed",
     "descriptors", "fork_handed", "fork_wait", "guard_static", "inherit_barrier", "join_circle",
     "join_critical", "loader", "lock_handoff", "malloc_lock", "other_process", "owner_ended", "ring_wait",
     "rwlock_mutex", "semaphores", "signals", "spin_flag", "spinlock", "atomic_wait", "condition_critical",
     "critical_mutex", "event_thread", "future_mutex", "guard_locks", "heap_pool", "lock_completion",
     "mutex_crossed", "once_lock", "promise", "shared_mutex", "two_teams")
# Only where everything is wanted.
MORE = ("adaptive_task", "commands", "exit_handler", "handler_mutex", "queues", "recursive_nest",
        "stdio_lock", "cxx_waits", "stop_token", "thread_local_end")
FORTRAN = ("f_mutex", "f_read")
MPI = ("mpi_recv", "mpi_wait", "f_mpi", "mpi_plugin")
MORE_MPI = ("mpi_multiple",)
# Those that are mpi_recv.c, linked in other ways: in a plugin, and with the library's archive.
OTHER_LINKS = ("mpi_plugin", "mpi_static")
LIBRARIES = ("openmpi", "mpich")
# Debian has an archive of MPICH only.
MPI_PROGRAMS = [(source, library) for source in MPI for library in LIBRARIES] + [("mpi_static", "mpich")]
MORE_MPI_PROGRAMS = [(source, library) for source in MORE_MPI for library in LIBRARIES]


def built(everything):
    """Names of programs without .exe: of each source one, by turns, or EVERYTHING, which is two of MORE."""
    names = []
    for i, source in enumerate(C + FORTRAN):
        compilers = ("gfortran", "flang") if source in FORTRAN else ("gcc", "clang")
        turns = [source + option + "_" + compiler
                 for option, compiler in (("", compilers[0]), ("_o2", compilers[1]),
                                          ("_o2", compilers[0]), ("", compilers[1]))]
        names += turns if everything else [turns[i % 4]]
    for i, source in enumerate(MORE if everything else ()):
        names += [source + one for one in (("_gcc", "_o2_clang"), ("_o2_gcc", "_clang"))[i % 2]]
    return names


def exe(name):
    return os.path.realpath(os.path.join(DIR, name + ".exe"))


def build_mpi(source, library, option, folder):
    """(path of the program, None), or (None, why there is none)."""
    fortran = source.startswith("f_")
    compiler = shutil.which(("mpifort." if fortran else "mpicc.") + library)
    if compiler is None:
        return None, "there is no %s" % library
    path = os.path.join(folder, source + "_" + library)
    how, source = source, "mpi_recv" if source in OTHER_LINKS else source
    if how == "mpi_static" and not archive(compiler):
        return None, "there is no archive of %s" % library
    runtime = os.path.join(DIR, "libompcompanion.so.1")
    common = [option, "-g", "-I" + HEADERS, "-I" + SOURCES, "-I" + folder, "-J" + folder, "-fopenmp"]
    subprocess.run(["gcc", "-fPIC"] + common[:4] +
                   ["-c", os.path.join(SOURCES, "say.c"), "-o", path + "_say.o"], check=True)
    if fortran:
        parts = [os.path.join(SOURCES, name) for name in ("f_say.F90", source + ".F90")]
        options = common + ["-fallow-argument-mismatch"]
    else:
        parts = [os.path.join(SOURCES, source + ".c")]
        options = [word for word in common if not word.startswith("-J")]
        if how == "mpi_plugin":
            options += ["-fPIC", "-Dmain=plugin_main"]
    subprocess.run([compiler] + options + ["-c"] + parts, check=True, cwd=folder, stderr=subprocess.DEVNULL)
    objects = [os.path.splitext(os.path.basename(part))[0] + ".o" for part in parts]
    # Linked without -fopenmp: the compiler's own runtime stays out.
    files = objects + [path + "_say.o", runtime, "-pthread", "-Wl,-rpath," + DIR]
    if how == "mpi_plugin":
        subprocess.run([compiler] + files + ["-shared", "-o", path + ".so"], check=True, cwd=folder)
        subprocess.run(["gcc", "-g", "-DPLUGIN=\"%s.so\"" % path, os.path.join(SOURCES, "mpi_plugin.c"),
                        "-o", path], check=True)
    elif how == "mpi_static":
        words = [word for word in link_words(compiler) if word != "-lmpich"]
        subprocess.run(["gcc"] + files + ["-o", path] + archive(compiler) + words, check=True, cwd=folder)
    else:
        subprocess.run([compiler] + files + ["-o", path], check=True, cwd=folder)
    return path, None


def link_words(compiler):
    """What a compiler of MPI adds to link with."""
    shown = subprocess.run([compiler, "-show"], stdout=subprocess.PIPE, universal_newlines=True, check=True)
    return [word for word in shown.stdout.split()[1:] if word.startswith(("-l", "-L", "-Wl"))]


def archive(compiler):
    """libmpich.a and what it needs, as words for the linker; [] where there is none."""
    found = subprocess.run([compiler, "-print-file-name=libmpich.a"], stdout=subprocess.PIPE,
                           universal_newlines=True, check=True).stdout.strip()
    if "-lmpich" not in link_words(compiler) or not os.path.isabs(found):
        return []
    shared = subprocess.run(["readelf", "-d", found[:-1] + "so"], stdout=subprocess.PIPE,
                            universal_newlines=True, check=True).stdout
    needed = [line.rpartition("[")[2].rstrip("]") for line in shared.splitlines() if "(NEEDED)" in line]
    return [found] + ["-l:" + name for name in needed]


def start(path, folder, cleanup):
    """A program at rest, and what it has said. FOLDER: where its core will lie; CLEANUP gets what ends it."""
    # libgfortran would handle the signal that makes the core.
    env = dict(os.environ, GFORTRAN_ERROR_BACKTRACE="0")
    process = subprocess.Popen([path], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, universal_newlines=True, start_new_session=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE,
                                                                     (resource.RLIM_INFINITY,) * 2))
    cleanup(lambda: (process.kill(), process.wait(), process.stdin.close(), process.stdout.close()))
    truth = Truth(process)
    for pid in truth.processes:
        if pid != process.pid:
            cleanup(kill, pid)
    truth.rest()
    return process, truth


def kill(pid):
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        pass
