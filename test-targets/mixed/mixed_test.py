# SPDX-License-Identifier: Apache-2.0
"""What `ompd` says of each thread of the programs of this folder, and its verdict: of the living process, of
the kernel's core and of gcore's, against what the program said before it waited and what /proc shows. 0 cells
may be wrong; what is not known is counted. MIXED=all: by all compilers; PROGRAMS (comma-separated) chooses
some.
"""

import collections
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import gdbrun
import mixed_programs
import xmltest

OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
ALL = os.environ.get("MIXED") == "all"
CHOSEN = [name for name in os.environ.get("PROGRAMS", "").split(",") if name]
SECONDS = 60
WORKERS = 3
counts = collections.Counter()


def wanted(name):
    return not CHOSEN or any(name.startswith(one) for one in CHOSEN)


def ask(view, source, *more):
    """(document, exit status) of a core by its path, of a process by its number."""
    name = "--pid" if isinstance(source, int) else "--core"
    done = subprocess.run([OMPD, view, "--json", "--check", "--ompd-library", LIBOMPD, name, str(source)]
                          + list(more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                          universal_newlines=True)
    if not done.stdout:
        raise AssertionError("status %d: %s" % (done.returncode, done.stderr))
    return json.loads(done.stdout), done.returncode


class Mixed(unittest.TestCase):
    longMessage = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        pool = ThreadPoolExecutor(WORKERS)
        cls.addClassCleanup(pool.shutdown, cancel_futures=True)
        cls.done = {name: pool.submit(cls.work, name, work) for name, work in WORK.items()}

    @classmethod
    def tearDownClass(cls):
        print("%d cells, %d wrong, %d not known" % (counts["cells"], counts["wrong"], counts["unknown"]))

    @classmethod
    def work(cls, name, work):
        case = cls("test_" + name)
        try:
            work(case)
        finally:
            case.doCleanups()

    def folder(self):
        made = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, made, ignore_errors=True)
        return made

    def right(self, truth, pid, source, where, *more):
        """The report is true, and each command with a verdict has the same one with the same status."""
        document, status = ask("report", source, *more)
        result = truth.check(pid, document)
        counts["cells"] += result.cells
        counts["wrong"] += len(result.wrong)
        counts["unknown"] += len(result.unknown)
        for one in result.unknown:
            print("%s, %s: %s" % (self.id().rpartition(".")[2], where, one))
        self.assertEqual(result.wrong, [], "%s\n%s\n%s" % (where, document["verdict"]["sentence"],
                                                          list(truth.threads.values())))
        kind = document["verdict"]["kind"]
        self.assertEqual(status == 3, kind in ("deadlock", "stuck"), where)
        again, other = ask("waits", source, *more)
        self.assertEqual((again["verdict"]["kind"], other == 3), (kind, status == 3), where)
        return kind

    def gcore(self, pid, folder):
        subprocess.run(["gcore", "-o", os.path.join(folder, "gcore"), str(pid)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True, timeout=SECONDS)
        return os.path.join(folder, "gcore.%d" % pid)

    def kernel_core(self, pid, folder):
        os.kill(pid, signal.SIGABRT)
        self.until(lambda: [name for name in os.listdir(folder) if name.startswith("core")])
        # The core is whole when the process is gone, or a zombie.
        self.until(lambda: not os.path.exists("/proc/%d/maps" % pid) or not os.listdir("/proc/%d/task" % pid)
                   or open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[0] in "ZX")
        return os.path.join(folder, [name for name in os.listdir(folder) if name.startswith("core")][0])

    def until(self, there):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                if there():
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(.02)
        self.fail("no core; core_pattern must be a plain file name")

    def everywhere(self, path, gcore):
        folder = self.folder()
        process, truth = mixed_programs.start(path, folder, self.addCleanup)
        kinds = {}
        for pid in truth.processes:
            kinds[pid] = {self.right(truth, pid, pid, "live")}
            if gcore:
                core = self.gcore(pid, folder)
                kinds[pid].add(self.right(truth, pid, core, "gcore's core"))
                os.remove(core)
        # A core of the child would have the name of the parent's.
        core = self.kernel_core(process.pid, folder)
        kinds[process.pid].add(self.right(truth, process.pid, core, "the kernel's core"))
        for pid, found in kinds.items():
            # A core does not know of other processes, so there less may be certain.
            self.assertTrue(len(found) == 1 or len(truth.verdicts(pid)) > 1,
                            "the verdicts of process %d: %s" % (pid, found))

    def mpi(self, source, library, option):
        path, why = mixed_programs.build_mpi(source, library, option, self.folder())
        if path is None:
            raise unittest.SkipTest(why)
        self.everywhere(path, ALL)

    def bare(self, name):
        """A Debian without libc6-dbg: the files are looked for where no debug files are."""
        folder = self.folder()
        process, truth = mixed_programs.start(mixed_programs.exe(name), folder, self.addCleanup)
        with open("/proc/%d/maps" % process.pid) as f:
            files = {line.split(maxsplit=5)[5].strip() for line in f if "/" in line}
        for file in files:
            if os.path.isfile(file):
                to = os.path.join(folder, "root") + file
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(file, to)
        self.right(truth, process.pid, process.pid, "live, no debug files", "--sysroot",
                   os.path.join(folder, "root"))


WORK = {}
for _i, _name in enumerate(mixed_programs.built(ALL)):
    WORK[_name] = lambda case, name=_name, gcore=ALL or _i % 3 == 0: case.everywhere(mixed_programs.exe(name),
                                                                                     gcore)
for _name in ("rwlock_mutex_gcc", "semaphores_o2_clang", "future_mutex_gcc", "join_circle_clang"):
    WORK["bare_" + _name] = lambda case, name=_name: case.bare(name)
for _i, (_source, _library) in enumerate(mixed_programs.MPI_PROGRAMS +
                                         (mixed_programs.MORE_MPI_PROGRAMS if ALL else [])):
    for _option in ("-O0", "-O2") if ALL else ("-O0", "-O2")[_i % 2:_i % 2 + 1]:
        WORK["%s_%s%s" % (_source, _library, _option.replace("-", "_"))] = \
            lambda case, s=_source, l=_library, o=_option: case.mpi(s, l, o)
WORK = {name: work for name, work in WORK.items() if wanted(name)}
for _name in WORK:
    setattr(Mixed, "test_" + _name, lambda self, name=_name: self.done[name].result())

if __name__ == "__main__":
    xmltest.main()
