# SPDX-License-Identifier: Apache-2.0
"""What is said of programs that hang on stock runtimes (hangs/), word for word: of the living process, of the
kernel's core, and by GDB. The programs say which thread is which, comments in them which line it stays at.
Also of a core whose libgomp's file is another one, or missing: the same."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import gdbrun
import stock_programs
import xmltest

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hangs")
OMPD = gdbrun.find("command/ompd")
LIBOMPD = gdbrun.find("ompd/libompd.so.1")
SECONDS = 60

SKIPPED = ("LWP {a} waits at the barrier at {a.at} for LWP {b}; LWP {b} skipped the barrier at {a.at} "
           "and is at the end of its region ({region.at}), where it waits for LWP {a}.")
OF_TEAM = " Of the team of 4, 3 are at the barrier at {a.at} and 1 is at the end of the region."
PROVED = "Deadlock: " + SKIPPED + " 2 more threads also wait forever." + OF_TEAM
SUSPECTED = "Suspected deadlock: " + SKIPPED + " 2 more threads would also wait forever." + OF_TEAM + \
    " This is not proved: the region may have been cancelled."
AGAIN = "Deadlock: LWP {b} waits for critical 'screen' at {b.at}, which it already holds, taken at " \
    "{taken.at}. 2 more threads also wait forever."
LOCK = "Deadlock: LWP {b} waits for lock table at {b.at}, which it probably already holds, and no thread " \
    "that could release it can go on. 2 more threads also wait forever."
GUARD = "Deadlock: LWP {a} runs the initialiser of table()::made and waits at the barrier at the end of " \
    "its region ({region.at}) for LWP {b}; LWP {b} waits for the initialiser of table()::made at {b.at}."
ALONE = "Nothing is proved: the team of 2 waits at the barrier at the end of its region ({region.at}) for " \
    "LWP {b}, which waits for condition variable done at {b.at}; %s may end that."


class Program:
    """One that hangs, and what it has said."""

    def __init__(self, case, source, runtime, arguments=(), env=(), threads=4):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        case.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.source, self.case = os.path.join(SOURCES, source), case
        self.exe = self._build(runtime)
        self.process = subprocess.Popen(
            [self.exe, *arguments], cwd=self.folder, stdout=subprocess.PIPE, universal_newlines=True,
            env=dict(os.environ, OMP_WAIT_POLICY="passive", LD_LIBRARY_PATH=self.folder, LD_BIND_NOW="",
                     **dict(env)),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
        case.addCleanup(self.process.stdout.close)
        case.addCleanup(self.process.wait)
        case.addCleanup(self.process.kill)
        self.tids = {}
        for _ in range(threads):
            name, tid = self.process.stdout.readline().split()
            self.tids.setdefault(name, []).append(int(tid))

    def _build(self, runtime):
        exe, known = os.path.join(self.folder, "hang"), stock_programs.RUNTIMES[runtime]
        compiler = "clang" if known.family == "kmp" else "gcc"
        command = compiler + "++" * (compiler == "clang" and self.source.endswith(".cc"))
        command = "g++" if compiler == "gcc" and self.source.endswith(".cc") else command
        try:
            for name in (known.soname,) + tuple(known.aliases):
                shutil.copy(known.file(), os.path.join(self.folder, name))
            options = stock_programs.include_options(compiler)
            options += stock_programs.link_options(compiler, self.folder) if compiler == "clang" else []
        except stock_programs.NoRuntime as error:
            self.case.skipTest(str(error))
        subprocess.run([command, "-g", "-O1", "-fopenmp", "-D_GNU_SOURCE", self.source, "-o", exe,
                        "-Wl,-z,lazy", *options], check=True)
        return exe

    def line(self, name):
        with open(self.source) as file:
            found = [number for number, text in enumerate(file, 1)
                     if re.search(r"/[*/] %s( \*/)?$" % name, text.rstrip())]
        self.case.assertEqual(len(found), 1, name)
        return "%s:%d" % (os.path.basename(self.source), found[0])

    def pattern(self, sentence):
        """{a}: a thread that says so, {a.at}: its line; {line}: any."""
        def word(match):
            name, _, at = match.group(1).partition(".")
            if name == "line":
                return r"\w+\.\w+:\d+"
            if at:
                return re.escape(self.line(name))
            return "(?:%s)" % "|".join(map(str, self.tids[name]))
        parts = re.split(r"\{([^}]*)\}", sentence)
        return "".join(word(re.match("(.*)", part)) if i % 2 else re.escape(part)
                       for i, part in enumerate(parts))

    def core(self):
        self.process.send_signal(signal.SIGABRT)
        self.process.wait(SECONDS)
        name, = [name for name in os.listdir(self.folder) if name.startswith("core")]
        return os.path.join(self.folder, name)


class Hangs(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def ask(self, *source):
        done = subprocess.run([OMPD, "report", "--check", "--json", *map(str, source)]
                              + ([] if "--snapshot" in source else ["--ompd-library", LIBOMPD]),
                              stdout=subprocess.PIPE, universal_newlines=True, timeout=SECONDS, check=False)
        return json.loads(done.stdout), done.returncode

    def living(self, program, sentence):
        """Once all are where they stay, for which nobody has a word. Some spin there."""
        end, wanted = time.monotonic() + SECONDS, "^%s$" % program.pattern(sentence)
        while time.monotonic() < end:
            if re.match(wanted, self.ask("-p", program.process.pid)[0]["verdict"]["sentence"]):
                break
        self.right(program, sentence, "-p", program.process.pid)

    def right(self, program, sentence, *source):
        document, status = self.ask(*source)
        verdict = document["verdict"]
        self.assertRegex(verdict["sentence"], "^%s$" % program.pattern(sentence), source)
        self.assertEqual((verdict["kind"] in ("deadlock", "stuck"), status == 3),
                         (sentence.startswith("Deadlock"),) * 2, source)
        return document

    def in_gdb(self, program, sentence, core):
        answer = gdbrun.gdb('say(document("ompd report -json"))', (program.exe, core))
        said = re.sub(r"thread \d+ \((LWP \d+)\)", r"\1", answer.said[0]["verdict"]["sentence"])
        # Later it has only GDB's number.
        wanted = re.sub(r"LWP\\ (\(\?:[^)]*\))", r"(?:LWP \1|thread \\d+)", program.pattern(sentence))
        self.assertRegex(said, "^%s$" % wanted)
        return answer

    def everywhere(self, sentence, *arguments, **options):
        program = Program(self, *arguments, **options)
        self.living(program, sentence)
        core = program.core()
        self.right(program, sentence, program.exe, core)
        self.in_gdb(program, sentence, core)

    # -- a barrier that one has skipped

    def test_skipped_on_libgomp_without_its_file(self):
        for env in {}, {"OMP_CANCELLATION": "true"}:
            with self.subTest(**env):
                self.without_file(env)

    def without_file(self, env):
        program = Program(self, "skip.c", "libgomp-12", env=env)
        self.living(program, PROVED)
        core, library = program.core(), os.path.join(program.folder, "libgomp.so.1")
        self.right(program, PROVED, program.exe, core)
        snapshot = core + ".json"
        subprocess.run([OMPD, "record", "--ompd-library", LIBOMPD, "--core", core, "-o", snapshot],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        self.right(program, PROVED, "--snapshot", snapshot)
        # Where the region begins GDB knows by the body's first line only, without the library's file.
        without = PROVED.replace("{region.at}", "{line}")
        shutil.copy(gdbrun.find("runtime/libompcompanion.so.1.0.0"), library)
        self.right(program, PROVED, program.exe, core)
        self.in_gdb(program, without, core)
        self.check_reason(program, core, library)
        os.remove(library)
        document = self.right(program, PROVED, program.exe, core)
        self.in_gdb(program, without, core)
        rows = {row["lwp"]: row["wait"] for row in document["threads"]}
        for name, barrier in ("a", "unknown"), ("b", "implicit_parallel"):
            for tid in program.tids[name]:
                self.assertEqual(rows[tid]["barrier"], barrier)
        shown = subprocess.run([OMPD, "threads", "--ompd-library", LIBOMPD, program.exe, core],
                               stdout=subprocess.PIPE, universal_newlines=True, timeout=SECONDS, check=False)
        self.assertNotIn("all have arrived", shown.stdout)
        self.assertIn("1 of 4 missing", shown.stdout)
        os.remove(program.exe)  # no line, no function: the counts alone
        document, status = self.ask(core)
        self.assertEqual((document["verdict"]["kind"], status), ("deadlock", 3))
        self.assertIn(" skipped a barrier ", document["verdict"]["sentence"])

    def check_reason(self, program, core, library):
        """GDB, which reads the other file, says so first."""
        said = subprocess.run(["gdb", "-batch", "-nx", "-x", gdbrun.PLUGIN, program.exe, core,
                               "-ex", "ompd waits", "-ex", "ompd waits"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=SECONDS, check=False).stdout
        reason = "The file that GDB has for %s is another one: its build-id is " % library
        words = " ".join(said.split())
        self.assertEqual((words.count(reason), words.count("Deadlock:")), (1, 2), said)
        self.assertLess(words.index(reason), words.index("Deadlock:"))

    def check_libomp(self, runtime):
        self.everywhere(PROVED, "skip.c", runtime)
        program = Program(self, "skip.c", runtime, env={"OMP_CANCELLATION": "true"})
        self.living(program, SUSPECTED)

    def test_skipped_on_libomp_14(self):
        self.check_libomp("libomp-14")

    def test_skipped_on_libomp_19(self):
        self.check_libomp("libomp-19")

    # -- who is in it already

    def test_critical_again_on_libgomp(self):
        self.everywhere(AGAIN, "again.c", "libgomp-12", threads=3)

    def test_critical_again_on_libomp(self):
        self.everywhere(AGAIN, "again.c", "libomp-14", threads=3)

    def test_lock_again_on_libgomp(self):
        self.everywhere(LOCK, "lock_again.c", "libgomp-12", threads=3)

    # -- who makes a static variable

    def test_guard_on_libgomp(self):
        self.everywhere(GUARD, "guard.cc", "libgomp-12", threads=2)

    def test_guard_on_libomp(self):
        self.everywhere(GUARD, "guard.cc", "libomp-14", threads=2)

    # -- who else is there

    def test_no_other_thread(self):
        self.everywhere(ALONE % "no other thread goes on before it does; a signal handler, or a process that "
                        "shares it,", "alone.c", "libgomp-12", threads=2)

    def test_another_thread(self):
        program = Program(self, "alone.c", "libgomp-12", ["more"], threads=3)
        self.living(program, ALONE.replace("; %s", ", and 1 more thread waits; %s")
                    % "another thread or a signal handler")


if __name__ == "__main__":
    xmltest.main()
