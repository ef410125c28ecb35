# SPDX-License-Identifier: Apache-2.0
"""The command `ompd` where it finds the rest, as ./dev install lays it out; targets for it to look at."""

import atexit
import os
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

import compare
import gdbrun

TARGETS = os.path.dirname(gdbrun.find("test-targets/deadlock_clang.exe"))
SECONDS = 60
NAMES = ("libomp.so", "libomp.so.5", "libiomp5.so", "libgomp.so.1", "libompcompanion.so.1")
NEVER = ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LD_LIBRARY_PATH", "OMP_DEBUG")


def install(prefix):
    """The command where it finds the rest: as ./dev install lays it out."""
    for folder in ("bin", "lib/ompcompanion"):
        os.makedirs(os.path.join(prefix, folder))
    for path, to in (("command/ompd", "bin/ompd"), ("ompd/libompd.so.1", "lib/libompd.so.1"),
                     ("runtime/libompcompanion.so.1.0.0", "lib/libompcompanion.so.1.0.0")):
        shutil.copy(os.path.realpath(gdbrun.find(path)), os.path.join(prefix, to))
    os.makedirs(os.path.join(prefix, "share/ompd"))
    shutil.copy(gdbrun.find("corefiles/engines"), os.path.join(prefix, "share/ompd/engines"))
    for name in NAMES:
        os.symlink("../libompcompanion.so.1.0.0", os.path.join(prefix, "lib/ompcompanion", name))
    return os.path.join(prefix, "bin/ompd")


def alive(pid):
    """Whether the process is there and no zombie; it may be anybody's child."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:  # ENOENT; ESRCH, when it goes between the two calls
        return False


class Running:
    """`process`, which ends with the block."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Held(Running):
    """A target that has come to its state; `before`: words that start it."""

    def __init__(self, name, cwd, before=(), **env):
        self.process = subprocess.Popen(
            [*before, os.path.join(TARGETS, name)], cwd=cwd, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, universal_newlines=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2),
            env=dict(os.environ, OMP_WAIT_POLICY="passive", TRUTH_HOLD_SECONDS="300", TRUTH_TIMEOUT="60",
                     **env))
        self.pid = self.process.pid
        text, self.truth = "", None
        while self.truth is None:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("%s came to no rest" % name)
            text += line
            self.truth = compare.read_truth(text)
        compare.until_observer_sleeps(self.truth, self.pid)


# Of one test's process; gone with it.
FOLDER = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
atexit.register(shutil.rmtree, FOLDER, True)
OMPD = install(os.path.join(FOLDER, "prefix"))


def run(*arguments, command=None, env=None, timeout=SECONDS, stdin=subprocess.DEVNULL, **more):
    clean = {k: v for k, v in os.environ.items() if k not in NEVER}
    return subprocess.run([command or OMPD] + [str(a) for a in arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=timeout, stdin=stdin,
                          env=dict(clean, **(env or {})), **more)


class Case(unittest.TestCase):
    longMessage = True

    def ok(self, *arguments, status=0, **more):
        done = run(*arguments, **more)
        self.assertEqual(done.returncode, status, "%s\n%s%s" % (arguments, done.stdout[-2000:], done.stderr))
        return done


def subcommands():
    """Their names, as help tells."""
    text = run("help").stdout
    return re.findall(r"^  (\w+)\s", text[:text.index("Options:")], re.M)


def options():
    """{subcommand: [option, ...]} as help tells."""
    return {name: re.findall(r"^  (?:-., |    )--([\w-]+)", run("help", name).stdout, re.M)
            for name in subcommands()}
