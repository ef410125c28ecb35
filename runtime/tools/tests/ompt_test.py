# SPDX-License-Identifier: Apache-2.0
"""OMPT: the handshake of OpenMP 5.2 section 19.2, and the order of events.

    ompt_test.py RUNTIME HANDSHAKE-LIBRARY CHECKER-LIBRARY PROGRAM...

The handshake's tool (handshake_tool.c) prints what is done with it. event_checker.c judges the events of
conformance programs, built here by both compilers; it knows nothing of the runtime but omp-tools.h.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import run
import xmltest

RUNTIME, LIBRARY, CHECKER = (os.path.abspath(path) for path in sys.argv[1:4])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[4:] if path.endswith(".exe")]
del sys.argv[1:]
HERE = tempfile.mkdtemp()

NEVER, SOMETIMES, ALWAYS = 1, 3, 5
# docs/tools.md lists the same by name.
DEVICE = {8, 9, 10, 12, 13, 14, 15, 22, 33, 34, 35, 36}
COMPILERS_INLINE, GCC_INLINES = {31, 32}, {20, 21, 29}

STATES = """work_serial=0 work_parallel=1 work_reduction=2 wait_barrier=10 wait_barrier_implicit_parallel=11
    wait_barrier_implicit_workshare=12 wait_barrier_explicit=14 wait_taskwait=20 wait_taskgroup=21
    wait_mutex=40 wait_lock=41 wait_critical=42 wait_atomic=43 wait_ordered=44 idle=100 overhead=101
""".split()
NOT_FOUND = ["program: threads 3", "program: control -2", "program: control -2", "program: control -2"]


def initialized(program):
    inlined = COMPILERS_INLINE | (GCC_INLINES if program.endswith("_gcc.exe") else set())
    answers = [NEVER if n in DEVICE else SOMETIMES if n in inlined else ALWAYS for n in range(1, 38)]
    answers = [0] + answers + [0]  # no events: 0 and 38
    return ["initialize device 0 data 7 names 19 unknown NULL", "callbacks " + " ".join(map(str, answers)),
            "states " + " ".join("ompt_state_" + state for state in STATES), "impls futex=1 turn=2"]


def used(where, program):
    """What a tool prints that is used until command 100 ends it."""
    lines = ["start 202111 Companion"] + initialized(program)
    lines = [where + ": " + line for line in lines] + ["program: threads 3"]
    return lines + [where + ": control 64 5 text from code", "program: control 65",
                    where + ": control 100 0 - from code", where + ": finalize data 7 threads 3 3",
                    "program: control 101", "program: control -2"]


def start(program, **env):
    done = subprocess.run([program], env=dict(os.environ, **env), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError("%s: %d\n%s%s" % (program, done.returncode, done.stdout, done.stderr))
    return done.stdout.splitlines(), done.stderr


class Handshake(unittest.TestCase):
    maxDiff = None

    def programs(self, inside):
        found = [p for p in PROGRAMS if ("with_tool" in p) == inside]
        self.assertEqual(len(found), 2)
        for program in found:
            with self.subTest(os.path.basename(program)):
                yield program

    def test_without_a_tool(self):
        for program in self.programs(False):
            self.assertEqual(start(program), (NOT_FOUND, ""))

    def test_tool_of_a_library(self):
        for program in self.programs(False):
            self.assertEqual(start(program, OMP_TOOL_LIBRARIES=LIBRARY)[0], used("library", program))

    def test_tool_in_the_program_goes_before_libraries(self):
        for program in self.programs(True):
            self.assertEqual(start(program, OMP_TOOL_LIBRARIES=LIBRARY)[0], used("program", program))

    def test_disabled(self):
        for program in self.programs(True):
            self.assertEqual(start(program, OMP_TOOL=" Disabled ", OMP_TOOL_LIBRARIES=LIBRARY)[0], NOT_FOUND)

    def test_null_lets_the_search_go_on(self):
        other = os.path.join(HERE, "other.so")
        with open(other, "w") as f:
            f.write("no library\n")
        for program in self.programs(True):
            lines, _ = start(program, OMP_TOOL_LIBRARIES="%s::%s" % (other, LIBRARY), TOOL_START="null")
            self.assertEqual(lines,
                             ["program: start 202111 Companion", "library: start 202111 Companion"]
                             + NOT_FOUND)

    def test_initializer_declines(self):
        for program in self.programs(False):
            lines, _ = start(program, OMP_TOOL_LIBRARIES=LIBRARY, TOOL_INITIALIZE="0")
            self.assertEqual([line for line in lines if line.startswith("library: fin")], [])
            self.assertEqual(lines[-4:], NOT_FOUND)

    def test_no_callback_and_the_end_of_the_program(self):
        for program in self.programs(False):
            lines, _ = start(program, OMP_TOOL_LIBRARIES=LIBRARY, TOOL_QUIET="1")
            self.assertEqual(lines[-5:], ["program: threads 3"] + 3 * ["program: control -1"] +
                             ["library: finalize data 7 threads 0 0"])

    def test_exit_of_a_thread_that_openmp_does_not_know(self):
        """Its regions were another thread's, which has ended: the workers are told to end all the same."""
        source, program = os.path.join(HERE, "others.c"), os.path.join(HERE, "others")
        with open(source, "w") as f:
            f.write("#include <pthread.h>\n"
                    "static void *leads(void *data) {\n"
                    "#pragma omp parallel num_threads(3)\n"
                    "    (void)data;\n"
                    "    return 0; }\n"
                    "int main(void) { pthread_t id; pthread_create(&id, 0, leads, 0); return "
                    "pthread_join(id, 0); }\n")
        link = os.path.join(HERE, "libompcompanion.so.1")
        if not os.path.exists(link):
            os.symlink(RUNTIME, link)
        subprocess.run(["gcc", "-fopenmp", "-c", source, "-o", program + ".o"], check=True)
        subprocess.run(["gcc", program + ".o", link, "-Wl,-rpath," + HERE, "-pthread", "-o", program],
                       check=True)
        lines, _ = start(program, OMP_TOOL_LIBRARIES=LIBRARY)
        self.assertEqual(lines[-1], "library: finalize data 7 threads 3 3")

    def test_verbose(self):
        for program in self.programs(False):
            path = os.path.join(HERE, "log")
            libraries = "/nowhere/tool.so:%s:%s" % (RUNTIME, LIBRARY)
            start(program, OMP_TOOL_LIBRARIES=libraries, OMP_TOOL_VERBOSE_INIT=path)
            with open(path) as f:
                text = f.read()
            for wanted in ("no tool is in the address space", "/nowhere/tool.so: was not loaded: ",
                           RUNTIME + ": was loaded", RUNTIME + ": ompt_start_tool was not found",
                           LIBRARY + ": was loaded", LIBRARY + ": ompt_start_tool was found",
                           "the tool was initialized and uses the OMPT interface"):
                self.assertIn(wanted, text)
            self.assertEqual(start(program, OMP_TOOL_VERBOSE_INIT=" Disabled "), (NOT_FOUND, ""))
            for where in ("STDERR", " stderr ", "/nowhere/log"):
                self.assertIn("tool-var is disabled",
                              start(program, OMP_TOOL="disabled", OMP_TOOL_VERBOSE_INIT=where)[1])
            self.assertIn("no tool is used", "\n".join(start(program, OMP_TOOL_VERBOSE_INIT="stdout")[0]))
        for program in self.programs(True):
            self.assertIn("a tool is in the address space", start(program, OMP_TOOL_VERBOSE_INIT="stderr")[1])


class Events(unittest.TestCase):
    """No violation of what event_checker.c asserts, and at the end nothing is open."""

    PROGRAMS = ("nested single locks ordered task_depend task_detach taskloop cancel_taskgroup "
                "cancel_parallel".split())
    THREADS = ("8",)

    def check(self, compiler):
        manifest = run.load_manifest()
        for name in self.PROGRAMS:
            program = next(p for p in manifest["programs"] if p["source"] == name + ".c")
            exe = os.path.join(HERE, "%s_%s" % (name, compiler))
            text, built = run.build(manifest, program, compiler, exe, link_dirs=[os.path.join(HERE, "lib")])
            self.assertTrue(built, text)
            for threads in self.THREADS:
                with self.subTest(name, threads=threads):
                    self.one(exe, threads, program.get("env", {}))

    def one(self, exe, threads, env):
        out = exe + ".events"
        if os.path.exists(out):
            os.remove(out)
        start(exe, **dict(env, LD_LIBRARY_PATH=os.path.join(HERE, "lib"), OMP_NUM_THREADS=threads,
                          OMP_TOOL_LIBRARIES=CHECKER, EVENT_CHECK_OUT=out))
        with open(out) as f:
            text = f.read()
        line = re.match(r"violations 0 events (\d+) open: threads 0 regions 0 implicit 0 tasks 0 mutexes 0;",
                        text)
        self.assertTrue(line and int(line.group(1)) > 50, text)

    def test_clang(self):
        self.check("clang14")

    def test_gcc(self):
        self.check("gcc12")


if __name__ == "__main__":
    os.mkdir(os.path.join(HERE, "lib"))
    for soname in ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so.1", "libgomp.so"):
        os.symlink(os.path.realpath(RUNTIME), os.path.join(HERE, "lib", soname))
    xmltest.main()
