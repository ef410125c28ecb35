# SPDX-License-Identifier: Apache-2.0
"""How a program is asked whether it can go on: HOSTS, each a function that gives an Answer."""

import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import gdbrun

SECONDS = 180
# status: None in GDB. core: the file that was looked at, where there is one. withdrawn: a first look had a
# proof, and a further one took it back.
Answer = collections.namedtuple("Answer", "kind sentence status core withdrawn",
                                defaults=(None, None, False))


class Failed(Exception):
    """The host gave no answer."""


def install(prefix):
    """The command where it finds the rest: as ./dev install lays it out."""
    for folder in ("bin", "lib/ompcompanion", "share/ompd"):
        os.makedirs(os.path.join(prefix, folder))
    for path, to in (("command/ompd", "bin/ompd"), ("ompd/libompd.so.1", "lib/libompd.so.1"),
                     ("inspect/libompdinspect.so.1", "lib/libompdinspect.so.1"),
                     ("runtime/libompcompanion.so.1.0.0", "lib/libompcompanion.so.1.0.0"),
                     ("corefiles/engines", "share/ompd/engines")):
        shutil.copy(os.path.realpath(gdbrun.find(path)), os.path.join(prefix, to))
    for name in ("libomp.so", "libomp.so.5", "libiomp5.so", "libgomp.so.1", "libompcompanion.so.1"):
        os.symlink("../libompcompanion.so.1.0.0", os.path.join(prefix, "lib/ompcompanion", name))


class Hosts:
    """PREFIX: an installation. PLUGIN: its ompd.py; True: the tree's."""

    def __init__(self, prefix, plugin=True):
        self.ompd = os.path.join(prefix, "bin", "ompd")
        self.lib = os.path.join(prefix, "lib")
        self.plugin, self.lots = plugin, random.Random()

    def _ask(self, *arguments, statuses=(0, 1, 3)):
        command = [self.ompd] + [str(one) for one in arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, universal_newlines=True, check=False)
        if done.returncode not in statuses:
            raise Failed("%s: status %d %s" % (" ".join(arguments[:2]), done.returncode, done.stderr[-500:]))
        return self._read(done.stdout, done.returncode, done.stderr)

    @staticmethod
    def _read(text, status, error=""):
        """The last verdict in TEXT: --watch prints a document for each look."""
        verdict, decoder = None, json.JSONDecoder()
        at = text.find("{")
        while at >= 0:
            document, end = decoder.raw_decode(text, at)
            verdict = document.get("verdict") or verdict
            at = text.find("{", end)
        if not verdict:
            raise Failed("status %s, no verdict: %s%s" % (status, text[-300:], error[-500:]))
        return Answer(verdict["kind"], verdict["sentence"], status, None,
                      re.search(r"proofs? (was|were) withdrawn", error) is not None)

    def command(self, program):
        """`ompd waits -p`"""
        return self._ask("waits", "-v", "--check", "--json", "-p", program.pid)

    def snapshot(self, program):
        """The same by way of a file, which can be kept."""
        path = os.path.join(program.folder, "snapshot.json")
        self.record(path, "-p", program.pid)
        return self._ask("waits", "--check", "--json", "--snapshot", path)._replace(core=path)

    def record(self, path, option, target):
        done = subprocess.run([self.ompd, "record", "--force", "-o", path, option, str(target)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False, universal_newlines=True)
        if done.returncode not in (0, 1):
            raise Failed("ompd record: status %d %s" % (done.returncode, done.stdout[-500:]))

    def watch(self, program):
        """`ompd waits --watch`"""
        return self._ask("waits", "--check", "--json", "--watch", "%.2f" % self.lots.uniform(.1, 1),
                         "-p", program.pid)

    def run(self, program):
        """`ompd run --timeout`, which starts the program and ends it"""
        out = os.path.join(program.folder, "report.json")
        own = "--runtime=" + ("companion" if program.runtime.family == "companion" else "own")
        seconds = 8 if program.mistake != "-" else self.lots.randint(1, 3)
        program.start([self.ompd, "run", "--timeout", str(seconds), "--check", "--json", "-o", out, own,
                       "--"])
        started = time.monotonic()
        while program.alive():
            # The report is made at the end of that time, or later.
            if program.death.seen() is not None and program.death.seen() + 1 < started + seconds:
                program.dead = True
            time.sleep(.02)
        text, error = program.process.communicate()
        if program.process.returncode not in (124, 3) or not os.path.exists(out):
            raise Failed("ompd run: status %d %s%s" % (program.process.returncode, text[-300:], error[-500:]))
        with open(out, encoding="utf-8") as file:
            return self._read(file.read(), program.process.returncode, error)

    def gdb(self, program):
        """`ompd waits` in GDB, which has attached."""
        answer = gdbrun.gdb('say(document("ompd waits -json"))', ["-p", str(program.pid)], plugin=self.plugin,
                            env={"LD_LIBRARY_PATH": "", "OMPD_LIBDIR": self.lib}, timeout=SECONDS)
        if answer.problems() or not answer.said:
            raise Failed("GDB: %s %s" % (answer.problems(), answer))
        verdict = answer.said[0]["verdict"]
        return Answer(verdict["kind"], verdict["sentence"])

    def gcore(self, program):
        """`ompd waits --core` of gcore's core"""
        name = os.path.join(program.folder, "by_gcore")
        done = subprocess.run(["gcore", "-o", name, str(program.pid)], stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                              universal_newlines=True)
        name += ".%d" % program.pid
        if not os.path.exists(name):
            raise Failed("gcore: %s" % done.stdout[-500:])
        return self._core(name)

    def _core(self, path):
        return self._ask("waits", "--check", "--json", "--core", path)._replace(core=path)

    def kernel(self, program):
        """`ompd waits --core` of the kernel's core; the program ends."""
        return self._core(program.core(self.lots.choice((signal.SIGABRT, signal.SIGQUIT))))


# In the order of the table. `run` starts the program, `kernel` ends it.
HOSTS = ("command", "watch", "run", "gdb", "gcore", "kernel")
