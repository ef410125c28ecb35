# SPDX-License-Identifier: Apache-2.0
"""Whose code a frame is in: the command `ompd`, and GDB's `ompd stacks`, `ompd waits`, `bt` and `ompd step`,
agree.

    frames_test.py ARCHIVE SHARED-LIBRARY OMPD LIBOMPD

The truth about an address is the linker's: the symbols of the unstripped program, and those of the archive.
"""

import bisect
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import gdbrun
import xmltest

ARCHIVE, SHARED, OMPD, LIBOMPD = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:5]

SOURCE = gdbrun.find("gdb-plugin/tests/frames.c")
USERS = ["omp_burn", "read_config", "clone3", "GOMP_filter", "rt_solver_step"]
ENV = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_STACKSIZE="1M")
# What of a construct's body the compiler makes.
BODY = re.compile(r"main|omp_outlined|omp_fn")


def sh(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        raise AssertionError("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


class Symbols:
    """The functions of a program by address, as `nm` lists them."""

    def __init__(self, program):
        rows = [line.split() for line in sh("nm", "-n", "--defined-only", program).splitlines()]
        self._rows = [(int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "TtWwi"]
        self._starts = [start for start, _ in self._rows]
        rows = (line.split() for line in sh("nm", "--defined-only", ARCHIVE).splitlines())
        self.companions = {row[2] for row in rows if len(row) == 3 and row[1] in "Tt"}

    def at(self, pc):
        """All names of the function before the return address PC."""
        i = bisect.bisect_right(self._starts, pc - 1) - 1
        return {name for start, name in self._rows if start == self._starts[i]} if i >= 0 else set()


# Names that only some versions of glibc have: until 2.36, or from 2.41 on; and not each of these.
OF_OLD_GLIBC = {"__ppoll", "__pthread_once_slow", "_int_free", "clone3", "malloc_consolidate",
                "_int_free_maybe_consolidate.part.0", "_int_free_maybe_trim", "__clone_internal_fallback"}
OF_NEW_GLIBC = {"__clone3_internal", "__clone_internal_fallback", "__internal_syscall_cancel",
                "__pthread_once_slow.isra.0", "__syscall_cancel", "__syscall_cancel_arch",
                "__syscall_cancel_arch_end", "__syscall_cancel_arch_start", "_int_free_chunk",
                "_int_free_create_chunk", "_int_free_maybe_consolidate.part.0", "_int_free_maybe_trim",
                "_int_free_merge_chunk"}


class Frames(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        self.folder = os.path.realpath(made.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, compiler, options, *link, name="program"):
        sh(compiler, *options, "-fopenmp", "-c", SOURCE, "-o", self.path(name + ".o"))
        sh("gcc", self.path(name + ".o"), *link, "-o", self.path(name), "-pthread")
        return self.path(name)

    def start(self, program):
        """A process in which thread 1 computes and the first thread sleeps; (process, thread 1's LWP)."""
        out = tempfile.TemporaryFile("w+", dir=self.folder)
        self.addCleanup(out.close)
        process = subprocess.Popen([program], stdout=out, env=ENV)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(1500):
            out.seek(0)
            states = {}
            for task in os.listdir("/proc/%d/task" % process.pid):
                with open("/proc/%d/task/%s/stat" % (process.pid, task)) as f:
                    states[int(task)] = f.read().rsplit(")", 1)[1].split()[0]
            running = [task for task, state in states.items() if state == "R"]
            ready = out.read() == "held\n" and len(states) == 3 and len(running) == 1
            if ready and running[0] != process.pid:
                return process, running[0]
            time.sleep(0.02)
        self.fail("%s came to no rest: %s" % (program, states))
        return None

    def ompd(self, view, pid, *options):
        return sh(OMPD, view, "--ompd-library", LIBOMPD, *options, "-p", str(pid))

    def gdb(self, script, *arguments):
        answer = gdbrun.gdb(script, arguments, env=dict(OMP_WAIT_POLICY="passive"))
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said

    def both(self, process):
        """({lwp: frames} of `ompd`, of GDB, sentence of `ompd`, of GDB, `bt -hide` of the computing
        thread)."""
        documents = [json.loads(self.ompd("stacks", process[0].pid, "--json"))]
        sentences = [json.loads(self.ompd("waits", process[0].pid, "--json"))["verdict"]["sentence"]]
        document, sentence, bt = self.gdb("""
say(document("ompd stacks -json"))
say(document("ompd waits -json")["verdict"]["sentence"])
next(one for one in gdb.selected_inferior().threads() if one.ptid[1] == %d).switch()
say(run("bt -hide")[0])
""" % process[1], "-p", str(process[0].pid))
        documents.append(document)
        sentences.append(sentence)
        stacks = [{one["lwp"]: one["frames"] for one in document["stacks"]} for document in documents]
        return stacks + sentences + [bt]

    def check_known(self, compiler, options, *link):
        """A program with line information."""
        process = self.start(self.build(compiler, ["-g"] + options, *link))
        of_ompd, of_gdb, *sentences, bt = self.both(process)
        for stacks in (of_ompd, of_gdb):
            with self.subTest(gdb=stacks is of_gdb):
                users = [f for f in stacks[process[1]] if f["kind"] == "user"]
                self.assertEqual([f["function"] for f in users][:5], USERS)
                for frame in users:
                    self.assertEqual(frame["code"], "user")
                    self.assertTrue(frame["function"] in USERS or BODY.search(frame["function"]), frame)
                codes = [f["code"] for f in stacks[process[1]]]
                # The user's, then Companion's, then libc's, nothing between.
                self.assertEqual(re.sub(r"(\w+)( \1)*", r"\1", " ".join(codes)), "user openmp libc")
                first = [f["function"] for f in stacks[process[0].pid] if f["kind"] == "user"]
                self.assertTrue(first and all(map(BODY.search, first)), first)
        for sentence in sentences:
            self.assertIn("which computes in omp_burn at frames.c:", sentence)
        names = re.findall(r"(?m)^(?:#\d+ +)?(?:0x\w+ in )?([.\w]+) ", bt)
        self.assertEqual(names[:5], USERS, bt)
        self.assertTrue(all(BODY.search(name) for name in names[5:]), bt)

    def test_static_gcc(self):
        for options in (["-O0"], ["-O1"]):
            self.check_known("gcc", options, "-static", ARCHIVE)

    def test_static_clang(self):
        self.check_known("clang", ["-O0"], "-static", ARCHIVE)

    def test_static_pie(self):
        self.check_known("gcc", ["-O0", "-fPIE"], "-static-pie", ARCHIVE)

    def test_archive_in_a_dynamic_program(self):
        self.check_known("gcc", ["-O0"], ARCHIVE)

    def test_shared_runtime(self):
        os.symlink(SHARED, self.path("libgomp.so.1"))
        self.check_known("gcc", ["-O0"], "-fopenmp", "-Wl,--disable-new-dtags,-rpath," + self.folder)

    def test_a_library_of_the_user(self):
        os.symlink(SHARED, self.path("libgomp.so.1"))
        library = self.path("libclone.so")
        sh("gcc", "-g", "-O0", "-fPIC", "-shared", "-DLIBRARY", SOURCE, "-o", library)
        self.check_known("gcc", ["-O0", "-DPROGRAM"], library, "-fopenmp",
                         "-Wl,--disable-new-dtags,-rpath," + self.folder)

    def stripped(self, compiler, *link):
        program = self.build(compiler, ["-O0"], *link)
        symbols = Symbols(program)
        sh("strip", program, "-o", self.path("stripped"))
        process = self.start(self.path("stripped"))
        of_ompd, of_gdb, *sentences, bt = self.both(process)
        for stacks in (of_ompd, of_gdb):
            for lwp, frames in stacks.items():
                with self.subTest(gdb=stacks is of_gdb, lwp=lwp):
                    for frame in frames:
                        names = symbols.at(int(frame["pc"], 16))
                        self.assertEqual(frame["kind"] == "runtime", bool(names & symbols.companions),
                                         (frame, names))
            shown = [symbols.at(int(f["pc"], 16)) for f in stacks[process[1]] if f["kind"] == "user"]
            self.assertEqual([name for names in shown for name in names if name in USERS], USERS)
            # What began the worker is libc's, by what the runtime knows of the thread.
            self.assertTrue(all(names & set(USERS) or any(map(BODY.search, names)) for names in shown), shown)
        # GDB has numbers for threads.
        command, debugger = (re.sub(r"thread \d+ \((LWP \d+)\)", r"\1", one) for one in sentences)
        if not command.startswith("It runs: "):  # the command looks again, and GDB cannot
            self.assertEqual(command, debugger)
        self.assertNotIn("computes", debugger)  # nothing says that it is not libc
        pcs = [int(pc, 16) for pc in re.findall(r"(?m)^#\d+ +(0x\w+) in", bt)]
        self.assertEqual([name for pc in pcs for name in symbols.at(pc) if name in USERS][:5], USERS, bt)
        self.assertEqual([pc for pc in pcs if symbols.at(pc) & symbols.companions], [], bt)

    def test_stripped_gcc(self):
        self.stripped("gcc", "-static", ARCHIVE)

    def test_stripped_clang(self):
        self.stripped("clang", "-static", ARCHIVE)

    def test_step_enters_them(self):
        program = self.build("gcc", ["-g", "-O0"], "-static", ARCHIVE)
        steps = self.gdb("""
gdb.execute("break rt_solver_step", to_string=True)
gdb.execute("run", to_string=True)
say([(gdb.execute("ompd step", to_string=True), gdb.selected_frame().name())[1] for _ in range(4)])
""", program)
        self.assertEqual(steps[0], ["GOMP_filter", "clone3", "read_config", "omp_burn"])

    def test_the_code_is_one_section_of_the_archive(self):
        sections = re.findall(r"(?m)^ *\d+ (\S+) +(\w+) .*\n.*CODE", sh("objdump", "-h", ARCHIVE))
        self.assertGreater(len(sections), 50)
        self.assertEqual({name for name, size in sections if int(size, 16)}, {"ompcompanion_text"})

    def test_names_of_libc_are_libcs(self):
        with open(gdbrun.find("inspect/frames/libc_names.c")) as f:
            text = f.read()
        names = re.findall(r'"(\w[\w.]*)"', text[text.index("names[] ="):])
        self.assertEqual(names, sorted(names))
        folder = "/usr/lib/%s-linux-gnu/" % os.uname().machine
        defined = set(sh("nm", "--defined-only", folder + "libc.a", folder + "crt1.o").split())
        recent = "__syscall_cancel" in defined
        self.assertEqual(set(names) - defined - (OF_OLD_GLIBC if recent else OF_NEW_GLIBC), set())


if __name__ == "__main__":
    xmltest.main()
