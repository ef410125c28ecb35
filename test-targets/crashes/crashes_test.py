# SPDX-License-Identifier: Apache-2.0
"""What is said of crashes: the programs know where their stacks are, what they access and what they throw."""

import json
import os
import re
import resource
import subprocess
import tempfile
import unittest

import gdbrun
import ompd_schema
import xmltest

OMPD = gdbrun.find("command/ompd")
LIBRARY = gdbrun.find("ompd/libompd.so.1")
FOLDER = os.path.dirname(gdbrun.find("test-targets/crashes/libompcompanion.so.1"))
EVERYTHING = bool(os.environ.get("EVERYTHING"))
SECONDS = 60
STACK = 1 << 20

# Arguments of crash.c -> kind, and a part of what is said.
CRASHES = {
    "deep 2": ("stack_overflow", "Its stack of 1 MB is full: deep is called again and again. OMP_STACKSIZE"),
    "wide 1": ("stack_overflow", "its stack pointer is 6"),
    "pthread 3": ("stack_overflow", "pthread_attr_setstacksize"),
    "null 1": ("null", "The address is null."),
    "guard 1": ("guard_page", "below its own stack, which is not full"),
    "read_only 2": ("read_only", "It wrote to read-only memory"),
    "free 1": ("abort", "double free"),
}
MORE_CRASHES = {
    "not_mapped 2": ("not_mapped", "Nothing is mapped"),
    "end_of_file 0": ("end_of_file", "the mapping of short.data"),
    "null_plus 0": ("null", "null pointer plus 16"),
    "deep 0": ("stack_overflow", "Its stack has grown to 8 MB and is full"),
    "wide 0": ("stack_overflow", "more than it may have"),
    "not_canonical 1": ("no_address", "gives no address"),
    "no_access 1": ("no_access", "without permission"),
    "jump_null 2": ("null", "It jumped to a null pointer."),
    "jump_data 2": ("not_executable", "It jumped to"),
    "divide 3": ("arithmetic", "divided by zero"),
    "trap 3": ("trap", "ud2"),
    "abort 1": ("abort", None),
    "assert 1": ("abort", "Assertion `zero == 1' failed"),
    "raise 1": ("sent", "was sent by a process"),
}
# Arguments of exception.cc -> kind, type, text.
EXCEPTIONS = {
    "derived region": ("exception", "grid::Bad", "row 17 is bad"),
    "constant task": ("exception", "grid::Constant", "own words"),
    "made region": ("exception", "grid::Made", None),
    "handled region": ("terminate", "grid::Bad", "row 5 is bad"),
}
MORE_EXCEPTIONS = {
    "twice main": ("exception", "grid::Twice", None),
    "text region": ("exception", "char const*", "a text"),
    "derived main": ("exception", "grid::Bad", "row 17 is bad"),
    "derived noexcept": ("exception", "grid::Bad", "row 17 is bad"),
    "second task": ("exception", "grid::Second", "a second base"),
    "plain region": ("exception", "grid::Plain", None),
    "template region": ("exception", "grid::Of<std::vector<int, std::allocator<int> > >", "a template"),
    "int region": ("exception", "int", None),
    "string region": ("exception", "std::string", "a string"),
    "range region": ("exception", "std::out_of_range", "vector::_M_range_check: __n (which is 5) >= "
                                                       "this->size() (which is 3)"),
    "memory region": ("exception", "std::bad_alloc", "std::bad_alloc"),
    "system region": ("exception", "std::system_error", "open: Permission denied"),
    "future main": ("exception", "grid::Bad", "row 3 is bad"),
    "again region": ("exception", "grid::Bad", "row 5 is bad"),
    "other region": ("exception", "std::logic_error", "while another is handled"),
    "terminate region": ("terminate", None, None),
    "abort region": ("abort", None, None),
}


def limits():
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, hard))


ENVIRONMENT = dict(os.environ, OMP_STACKSIZE="1M", OMP_WAIT_POLICY="passive")


class Crash:
    """A program that has ended: its core, and what it said before."""

    def __init__(self, program, arguments, folder):
        self.program = os.path.realpath(os.path.join(FOLDER, program + ".exe"))
        self.arguments = arguments.split()
        self.folder = tempfile.mkdtemp(dir=folder)
        done = subprocess.run([self.program] + self.arguments, cwd=self.folder, env=ENVIRONMENT,
                              timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True, preexec_fn=limits)
        self.signal = -done.returncode
        self.said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
        cores = [name for name in os.listdir(self.folder) if name.startswith("core")]
        assert len(cores) == 1, "no core of %s; core_pattern must be a plain file name" % program
        self.core = os.path.join(self.folder, cores[0])

    def ompd(self, *arguments):
        done = subprocess.run([OMPD, *arguments, "--ompd-library", LIBRARY, "--core", self.core],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                              universal_newlines=True, check=False)
        assert done.stdout, done.stderr
        return done.stdout

    def report(self):
        document = json.loads(self.ompd("report", "--json"))
        ompd_schema.check(document)
        return document["process"]

    def remove(self):
        os.unlink(self.core)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(self.folder.cleanup)

    def crash(self, program, arguments):
        return Crash(program, arguments, self.folder.name)

    def as_told(self, crash, found):
        """What is found is what the program has said."""
        self.assertEqual(found["signal"], crash.signal)
        if "lwp" in crash.said:
            self.assertEqual(found["lwp"], int(crash.said["lwp"]))
        if "address" in crash.said:
            self.assertEqual(int(found["address"], 16), int(crash.said["address"], 16))
        stack = found["stack"]
        # glibc does not know where the first thread's stack begins: it can still grow.
        if stack and stack["of"] != "initial":
            self.assertEqual(int(stack["low"], 16), int(crash.said["low"], 16))
        if stack and stack["of"] == "openmp":
            self.assertEqual(stack["size"], STACK)


class Cores(Case):
    def test_crashes(self):
        wanted = dict(CRASHES, **MORE_CRASHES) if EVERYTHING else CRASHES
        for i, (arguments, (kind, part)) in enumerate(wanted.items()):
            for compiler in ("gcc", "clang") if EVERYTHING else (("gcc", "clang")[i % 2],):
                with self.subTest(arguments=arguments, compiler=compiler):
                    crash = self.crash("crash_" + compiler, arguments)
                    process = crash.report()
                    found = process["crash"]
                    self.assertEqual(found["kind"], kind)
                    self.as_told(crash, found)
                    self.assertEqual((found["live"], found["signal"]), (False, process["signal"]))
                    if part is None:
                        self.assertIsNone(found["what"])
                    else:
                        self.assertIn(part, found["what"])
                    crash.remove()

    def test_iterations(self):
        """What it had, and the very iteration where the program's or clang's frames have it."""
        for how, size, exact in (("dynamic", 4, ["clang"]), ("static", 50, ["clang"]), ("taskloop", 10, []),
                                 ("sections", 1, ["gcc"])):
            for compiler in ("gcc", "clang"):
                with self.subTest(how=how, compiler=compiler):
                    crash = self.crash("iteration_" + compiler, how)
                    found, text = crash.report()["crash"]["loop"], " ".join(crash.ompd("report").split())
                    bad = int(crash.said["iteration"])
                    crash.remove()
                    if found is None:  # gcc divides it in line, and clang's sections are a static loop
                        self.assertIn((how, compiler), (("static", "gcc"), ("sections", "clang")))
                        continue
                    self.assertLessEqual(found["first"], bad)
                    self.assertGreaterEqual(found["last"], bad)
                    self.assertEqual(found["last"] - found["first"] + 1, size)
                    if compiler in exact and size > 1:
                        self.assertEqual(found["at"], bad)
                        self.assertIn(" It was in iteration %d of a loop with schedule(%s" % (bad, how), text)
                    elif size > 1:
                        self.assertIn(" It had iterations %d to %d of a" % (found["first"], found["last"]),
                                      text)

    def test_the_dead_compute_no_more(self):
        crash = self.crash("crash_gcc", "null 1")
        text = " ".join(crash.ompd("report").split())
        self.assertNotIn("computes", text)
        self.assertIn("which was in memory at crash.c:", text.split("Threads")[0].split("waits at")[-1])
        self.assertIn("when SIGSEGV ended the process.", text)

    def test_exceptions(self):
        wanted = dict(EXCEPTIONS, **MORE_EXCEPTIONS) if EVERYTHING else EXCEPTIONS
        for i, (arguments, (kind, name, text)) in enumerate(wanted.items()):
            programs = [option + compiler for option in ("", "o1_") for compiler in ("gcc", "clang")]
            for program in programs if EVERYTHING else [programs[i % 4]]:
                with self.subTest(arguments=arguments, program=program):
                    crash = self.crash("exception_" + program, arguments)
                    found = crash.report()["crash"]
                    self.assertEqual(found["kind"], kind)
                    thrown = found["exception"] or {"type": None, "what": None, "what_why": None}
                    self.assertEqual((thrown["type"], thrown["what"]), (name, text))
                    unknown = arguments.split()[0] in ("made", "twice")
                    self.assertEqual(thrown["what_why"] is not None, unknown)
                    crash.remove()

    def test_the_text_and_a_recorded_snapshot(self):
        crash = self.crash("exception_gcc", "derived task")
        text = crash.ompd("report")
        self.assertRegex(" ".join(text.split()),
                         r"Ended by SIGABRT in LWP \d+, .*An exception was not caught: grid::Bad, "
                         r"\"row 17 is bad\"\. In OpenMP .* It ran explicit task \d+ .*created by implicit "
                         r"task \d+")
        path = os.path.join(self.folder.name, "snapshot")
        self.record(crash, path)
        done = subprocess.run([OMPD, "report", "--snapshot", path], stdout=subprocess.PIPE, timeout=SECONDS,
                              universal_newlines=True, check=False)
        self.assertEqual(done.stdout, text)

    def record(self, crash, path):
        subprocess.run([OMPD, "record", "--ompd-library", LIBRARY, "--core", crash.core, "-o", path],
                       check=True, stdout=subprocess.DEVNULL, timeout=SECONDS)

    def test_threads_ask_for_nothing_of_it(self):
        """Nor are its facts looked for where nobody has asked for stacks."""
        crash = self.crash("crash_gcc", "null 1")
        self.assertNotIn("The address is null", crash.ompd("threads"))

    def test_fortran(self):
        """gfortran's runtime handles the signal, and on a full stack the kernel finds no room for that."""
        crash = self.crash("f_wide_gfortran", "")
        found = crash.report()["crash"]
        self.assertEqual(found["kind"], "stack_overflow")
        self.assertEqual((found["stack"]["of"], found["stack"]["size"]), ("openmp", STACK))
        self.assertIn("below its end", found["what"])

    def test_a_signal_that_a_handler_raises_again(self):
        found = self.crash("f_null_gfortran", "").report()["crash"]
        self.assertEqual((found["kind"], found["raised_again"]), ("null", True))
        self.assertIn("raised the signal again", found["what"])


class InGdb(Case):
    def first(self, script, program, arguments, core=None):
        options = ["--args", program] + arguments if core is None else [program, core]
        answer = gdbrun.gdb(script + """
text, error = run("ompd report")
say([text, error, document("ompd report -json")["process"]])
""", options, env={"OMP_STACKSIZE": "1M", "OMP_WAIT_POLICY": "passive"}, cwd=self.folder.name)
        self.assertEqual(answer.problems(), [], str(answer))
        text, error, process = answer.said[0]
        self.assertIsNone(error)
        return " ".join(text.split()), process

    def test_cores(self):
        for program, arguments in (("crash_gcc", "deep 2"), ("crash_clang", "read_only 1"),
                                   ("exception_clang", "derived region"))[:3 if EVERYTHING else 1]:
            with self.subTest(program=program):
                crash = self.crash(program, arguments)
                text, process = self.first("", crash.program, [], crash.core)
                ours = crash.report()["crash"]
                self.as_told(crash, process["crash"])
                self.assertEqual(process["crash"], ours)
                self.assertIn("Ended by SIG", text)

    def test_cores_of_gcore(self):
        """It writes other permissions than the process had, and leaves files out."""
        for arguments, kind in (("read_only 1", "unknown"), ("deep 2", "stack_overflow"),
                                ("guard 1", "guard_page"), ("no_access 1", "unknown"),
                                ("not_mapped 1", "not_mapped"))[:5 if EVERYTHING else 1]:
            with self.subTest(arguments=arguments):
                program = os.path.realpath(os.path.join(FOLDER, "crash_gcc.exe"))
                core = os.path.join(self.folder.name, "gcore")
                answer = gdbrun.gdb('gdb.execute("run")\ngdb.execute("gcore %s")\n' % core,
                                    ["--args", program] + arguments.split(), env={"OMP_STACKSIZE": "1M"},
                                    plugin=False, cwd=self.folder.name)
                self.assertTrue(os.path.exists(core), str(answer))
                done = subprocess.run([OMPD, "report", "--json", "--ompd-library", LIBRARY, "--core", core],
                                      stdout=subprocess.PIPE, timeout=SECONDS, check=False)
                self.assertEqual(json.loads(done.stdout)["process"]["crash"]["kind"], kind)
                _, process = self.first("", program, [], core)
                self.assertEqual(process["crash"]["kind"], kind)
                os.unlink(core)

    def test_at_the_signal(self):
        for program, arguments, kind in (("crash_clang", "deep 1", "stack_overflow"),
                                         ("exception_gcc", "derived region", "exception")):
            with self.subTest(program=program):
                path = os.path.realpath(os.path.join(FOLDER, program + ".exe"))
                text, process = self.first('gdb.execute("run")\n', path, arguments.split())
                found = process["crash"]
                self.assertEqual((found["kind"], found["live"], process["signal"]), (kind, True, None))
                self.assertTrue(re.search(r"Stopped at SIG(SEGV|ABRT) in thread 2 \(LWP \d+\)", text), text)
                if kind == "stack_overflow":
                    self.assertEqual(found["stack"]["size"], STACK)


if __name__ == "__main__":
    xmltest.main()
