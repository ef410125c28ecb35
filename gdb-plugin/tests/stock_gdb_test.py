# SPDX-License-Identifier: Apache-2.0
"""Backtraces, steps and catchpoints on runtimes that tell a debugger of nothing: the programs of gcc and of
clang as they are."""

import os
import subprocess
import tempfile
import unittest

import debian
import gdbrun
import xmltest

HERE = os.path.join(gdbrun.ROOT, "gdb-plugin/tests")
FOLDER = tempfile.mkdtemp()
ENV = {"OMP_WAIT_POLICY": "passive", "OMP_DYNAMIC": "false", "OMP_MAX_ACTIVE_LEVELS": "2"}
with open(os.path.join(HERE, "walk.c")) as _f:
    WALK = _f.read().splitlines()

# What events.c says of itself, and what is not seen: the barrier at the end of a region, which is no call.
HITS = {"parallel": (1, 1), "barrier": (4, 2), "barrier all": (2, None), "critical": (2, 2),
        "critical end": (2, 2), "lock": (2, 2), "lock end": (2, 2), "lock if $ompd_thread_num() == 1": (1, 1),
        "parallel if $ompd_level() == 7": (0, 0)}
CATCH = """
error = run("ompd catch " + %r)[1]
stops, texts = [], []
texts.append(run("run")[0])
while gdb.selected_inferior().pid and len(stops) < 20:
    stops.append(gdb.selected_thread().global_num)
    text, failed = run("continue")
    texts.append(text)
    if failed: break
run("kill")
say([error, stops, "".join(texts)])
"""


def libomp():
    """(the library, options that find its header): clang's own if it is installed, else libomp 14."""
    own = subprocess.run(["clang", "-print-file-name=libomp.so"], stdout=subprocess.PIPE, check=True,
                         universal_newlines=True).stdout.strip()
    if os.path.isabs(own):
        return os.path.realpath(own), []
    header = debian.unpacked("libomp-14-dev", "usr/lib/llvm-14/lib/clang/14.0.6/include/omp.h")
    return (debian.unpacked("libomp5-14", "usr/lib/llvm-14/lib/libomp.so.5"),
            ["-I", os.path.dirname(header)])


def clang_program(name):
    """On libomp, which the folder has then."""
    found, options = libomp()
    for link in ("libomp.so", "libomp.so.5"):
        if not os.path.exists(os.path.join(FOLDER, link)):
            os.symlink(found, os.path.join(FOLDER, link))
    path = os.path.join(FOLDER, name + ".clang")
    subprocess.run(["clang", "-g", "-O0", "-fopenmp", *options, os.path.join(HERE, name + ".c"), "-o", path,
                    "-L" + FOLDER, "-lomp"], check=True, timeout=60)
    return path


def program(name):
    path = os.path.join(FOLDER, name)
    subprocess.run(["gcc", "-g", "-O0", "-fopenmp", os.path.join(HERE, name + ".c"), "-o", path], check=True,
                   timeout=60)
    return path


class Stock(unittest.TestCase):
    maxDiff = None

    def gdb(self, script, path):
        answer = gdbrun.gdb(script, ["--args", path], env=dict(ENV, LD_LIBRARY_PATH=FOLDER))
        self.assertEqual(answer.problems(), [], str(answer))
        return answer.said

    def test_catch(self):
        events = program("events")
        for what, (count, threads) in HITS.items():
            error, stops, text = self.gdb(CATCH % what, events)[0]
            self.assertIsNone(error)
            self.assertEqual(len(stops), count, (what, text))
            if threads is not None:
                self.assertEqual(len(set(stops)), threads, (what, text))

    def test_what_cannot_be_caught(self):
        events = program("events")
        for what in ("parallel end", "task", "task end", "thread"):
            error, stops, text = self.gdb(CATCH % what, events)[0]
            self.assertIsNone(error)
            self.assertEqual(stops, [], what)
            self.assertIn("Breakpoint 1 will not stop: ", text)
        said = self.gdb("run('break omp_unset_lock'); run('run'); say(run('ompd catch task')[1])", events)
        self.assertIn("cannot be caught", said[0])

    def test_step_enters_a_region_and_comes_out(self):
        """The lines of the creating thread, in order; the single construct may be another thread's."""
        self.step(program("walk"))

    def step(self, path):
        said = self.gdb("""
gdb.execute("tbreak main"); gdb.execute("run", to_string=True)
for i in range(80):
    gdb.execute("ompd step", to_string=True)
    if not gdb.selected_inferior().pid: break
    sal = gdb.newest_frame().find_sal()
    if sal.symtab is None or not sal.symtab.filename.endswith("walk.c"): break
    say([gdb.selected_thread().num, sal.line])
""", path)
        self.assertEqual({thread for thread, _ in said}, {1})
        texts = [WALK[line - 1] for _, line in said]
        at = [next((i for i, text in enumerate(texts) if "/* %s */" % word in text), None) for word in (
            "in the region", "in the inner region", "the inner region's last", "after the inner region",
            "the region's last", "after the region", "the end")]
        self.assertEqual(at, sorted(one for one in at if one is not None), texts)

    def test_a_workers_stack_goes_on_in_the_creator(self):
        self.finish(program("walk"))

    def finish(self, path):
        said = self.gdb("""
gdb.execute("set breakpoint pending on")
run("break add if number == 1 && $ompd_thread_num() == 1"); run("run")
say(run("bt")[0]); say(run("ompd finish")[1])
sal = gdb.newest_frame().find_sal(); say([gdb.selected_thread().num, sal.line])
""", path)
        bt = said[0]
        self.assertRegex(bt, r"add \(number=1\) at .*walk\.c:8\n")
        self.assertRegex(bt, r"main \[#pragma omp parallel at walk\.c:2[0-9]\] .*walk\.c:28\n")
        self.assertRegex(bt, r"frames of the OpenMP runtime and the thread's start")
        # gcc gives the call the line before it, or the pragma's.
        self.assertRegex(bt, r"main \[thread 1 \(LWP \d+\)\] \(\) at .*walk\.c:2[35]")
        self.assertIsNone(said[1])
        self.assertEqual(said[2][0], 1)
        self.assertIn(WALK[said[2][1] - 1].partition("/*")[2], (" after the region */", " the region */"))

    def test_libomp(self):
        try:
            walk, events = clang_program("walk"), clang_program("events")
        except debian.Unusable as error:
            self.skipTest(str(error))
        self.step(walk)
        self.finish(walk)
        for what in ("parallel", "barrier all", "critical", "lock"):
            self.stops(what, events)

    def stops(self, what, path, before=""):
        error, stops, text = self.gdb(before + CATCH % what, path)[0]
        self.assertIsNone(error)
        self.assertEqual(len(stops), HITS[what][0], (what, text))

    def test_gccs_program_on_libomp(self):
        """There a function for gcc's programs calls one for clang's, and that another one."""
        folder = os.path.join(FOLDER, "as_libgomp")
        os.mkdir(folder)
        try:
            found, _ = libomp()
        except debian.Unusable as error:
            self.skipTest(str(error))
        os.symlink(found, os.path.join(folder, "libgomp.so.1"))
        events = program("events")
        tried = subprocess.run([events], env=dict(os.environ, **ENV, LD_LIBRARY_PATH=folder),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
        if "' not found" in tried.stderr:  # libomp 11 and the programs of gcc 10
            self.skipTest(tried.stderr.strip())
        loaded = "gdb.execute('tbreak main'); gdb.execute('run', to_string=True);"
        for what, before in (("critical", ""), ("barrier", loaded)):
            self.stops(what, events, "gdb.execute('set environment LD_LIBRARY_PATH %s');" % folder + before)


if __name__ == "__main__":
    xmltest.main()
