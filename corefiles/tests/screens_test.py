# SPDX-License-Identifier: Apache-2.0
"""The sessions in the documents that name a program: the commands print what stands there.

The line above such a block is `<!-- run with [NAME=VALUE]... PROGRAM [ARGUMENT]... -->`. PROGRAM is built
already, one of test-targets; or it is a source file of the tree, which is compiled here, by the compiler CC,
and runs on Companion. It has come to rest, or has crashed, when the first
command is run. Commands at the prompt of GDB are run in one GDB, at the process or its core; if one is
`run`, at the program alone. Those of lldb are run at the process."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

import gdbrun
import sessions
import xmltest
from installed import FOLDER, NEVER, OMPD, SECONDS, Held, Running

COMPILERS = {".c": "gcc", ".cc": "g++", ".F90": "gfortran"}
LLDB = shutil.which("lldb-19") or "lldb"
LLDB_FILES = os.path.dirname(gdbrun.PLUGIN)  # what an installation has in share/ompd
LIBRARIES = os.path.join(FOLDER, "prefix/lib/ompcompanion")
MARK = "=== GDB has answered ==="
MOST = 4000  # characters of a failure


def unlimited():
    """Cores of any size."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)


def settled(process):
    """Waits until all threads of it sleep, look after look, or it has ended."""
    until, alike = time.monotonic() + SECONDS, 0
    while alike < 10 and time.monotonic() < until and process.poll() is None:
        states = set()
        for tid in os.listdir("/proc/%d/task" % process.pid):
            try:
                with open("/proc/%d/task/%s/stat" % (process.pid, tid)) as f:
                    states.add(f.read().rpartition(")")[2].split()[0])
            except OSError:
                pass  # it has just ended
        alike = alike + 1 if states == {"S"} else 0
        time.sleep(0.05)


class Compiled(Running):
    """A source file's program, in a folder of its own."""

    def __init__(self, env, source, *arguments):
        self.folder = tempfile.mkdtemp(dir=FOLDER)
        shutil.copy(gdbrun.find(source), self.folder)
        name, kind = os.path.splitext(os.path.basename(source))
        self.program = os.path.join(self.folder, name)
        subprocess.run([env.get("CC", COMPILERS[kind]), "-g", "-O0", "-fopenmp", name + kind, "-o", name,
                        "-I", os.path.join(gdbrun.ROOT, "include"), "-L", LIBRARIES], check=True,
                       cwd=self.folder)
        full = {key: value for key, value in os.environ.items() if key not in NEVER}
        full.update(OMP_WAIT_POLICY="passive", LD_LIBRARY_PATH=LIBRARIES)
        self.command, self.env = [self.program, *arguments], dict(full, **env)
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=self.env,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        preexec_fn=unlimited)
        self.pid = self.process.pid
        settled(self.process)

    def core(self):
        """Of the crash, None where the kernel puts it elsewhere."""
        cores = [name for name in os.listdir(self.folder) if name.startswith("core")]
        return os.path.join(self.folder, cores[0]) if cores else None


class Built(Held):
    """A target that was built already."""

    def __init__(self, env, name):
        self.folder, self.program = tempfile.mkdtemp(dir=FOLDER), name
        Held.__init__(self, name, self.folder, **env)


def started(target):
    words, env = target.split(), {}
    while "=" in words[0]:
        name, _, env[name] = words.pop(0).partition("=")
    env = {name: value.replace("PREFIX", os.path.join(FOLDER, "prefix")) for name, value in env.items()}
    return (Built if words[0].endswith(".exe") else Compiled)(env, *words)


class Screens(unittest.TestCase):
    maxDiff = None

    def shell(self, target, command):
        """What a command prints, said of TARGET in place of the document's process or core."""
        command = re.sub(r"(-p |\bcore\.)\d+", r"\g<1>%d" % target.pid, command)
        core = re.search(r"\bcore(\.\d+)?\b", command)
        if core and target.process.poll() is None:
            subprocess.run(["gcore", "-o", "core", str(target.pid)], cwd=target.folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        elif core:
            os.rename(target.core(), os.path.join(target.folder, core.group()))
        env = {key: value for key, value in os.environ.items() if key not in NEVER}
        env["PATH"] = os.path.dirname(OMPD) + ":" + env["PATH"]
        done = subprocess.run(["bash", "-c", command], cwd=target.folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, universal_newlines=True)
        return done.stdout

    def gdb(self, target, commands):
        """What each command prints in GDB."""
        words = ["gdb", "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-iex", "set width 0",
                 "-x", gdbrun.PLUGIN]
        for command in commands + ["echo"]:
            words += ["-ex", "echo \\n%s\\n" % MARK, "-ex", command]
        env = dict(os.environ, HOME=target.folder, PYTHONDONTWRITEBYTECODE="1")
        if "run" in commands:
            env.update(target.env)
            words += ["--args", *target.command]
        elif target.process.poll() is None:
            words += ["-p", str(target.pid)]
        else:
            words += [target.program, target.core()]
        done = subprocess.run(words, cwd=target.folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, universal_newlines=True)
        return done.stdout.split(MARK)[1:-1]

    def lldb(self, target, commands):
        """What each command prints in lldb."""
        words = [LLDB, "-x", "-b", "-p", str(target.pid), "-o", "settings set use-color false"]
        for command in commands:
            words += ["-o", command.replace("PREFIX/share/ompd", LLDB_FILES)]
        done = subprocess.run(words, cwd=target.folder, env=dict(os.environ, HOME=target.folder),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              universal_newlines=True)
        # It repeats each command at its prompt.
        return [text.partition("\n")[2] for text in done.stdout.split("(lldb) ")[-len(commands):]]

    def printed(self, target, steps):
        """What each step's command prints."""
        answers = {}
        for prompt, ask in (("(gdb)", self.gdb), ("(lldb)", self.lldb)):
            asked = [command for one, command, _ in steps if one == prompt]
            answers[prompt] = iter(ask(target, asked) if asked else ())
        return [next(answers[prompt], "it has ended") if prompt in answers else self.shell(target, command)
                for prompt, command, _ in steps]

    def check(self, session):
        with started(session.target) as target:
            crashed = target.process.poll() is not None
            if crashed:
                self.assertLess(target.process.returncode, 0, "%s has ended" % session.target)
            if crashed and not target.core():
                self.skipTest("the kernel writes no core into the folder")
            tids = [] if crashed else [int(tid) for tid in os.listdir("/proc/%d/task" % target.pid)]
            for (_, command, lines), text in zip(session.steps, self.printed(target, session.steps)):
                if not sessions.agrees(lines, text, tids):
                    self.fail("%s:%d: %s prints, as far as two runs must agree:\n%s\nnot:\n%s" % (
                        session.page, session.line, command, sessions.plain(text, tids)[:MOST],
                        sessions.plain("\n".join(lines))))

    def test_each_session(self):
        count = 0
        for session in sessions.every():
            if session.page in self.ELSEWHERE:
                continue
            with self.subTest(page=session.page, line=session.line):
                self.check(session)
            count += 1
        self.assertGreater(count, 10)

    # Their sessions are run by other tests.
    ELSEWHERE = ("docs/jobs.md",)

    def test_a_session_that_is_not_true(self):
        seen = "Process 4711, /a/b c.exe\nhere at a.c:21\n  next 17"
        for text, true in (("Process 1234, /srv/x c.exe here\nat a.c:21 next 17", True),
                           ("Process 1234, /srv/x c.exe\n…\nnext 17", True), ("Thread 1234\n…", False),
                           ("Process 1234, /srv/x c.exe\n…", True), ("…\nnext 18", False),
                           ("Process 1234, /srv/x c.exe here at a.c:22 next 17", False)):
            self.assertEqual(sessions.agrees(text.split("\n"), seen), true, text)
        self.assertTrue(sessions.agrees(["row 31", "row N"], "row 41\nrow 2", tids=[31, 41]) is False)
        self.assertTrue(sessions.agrees(["LWP 12"], "LWP 7"))


if __name__ == "__main__":
    xmltest.main()
