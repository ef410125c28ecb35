# SPDX-License-Identifier: Apache-2.0
"""Files without a build-id, shorter than a page: which of them `ompd` takes for those of the process, whose
stack is in them. The test makes them, and changes them behind the process' back. As root, and as an ordinary
user.
"""

import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

import gdbrun
import xmltest

SMALL = ["gcc", "-Os", "-shared", "-nostdlib", "-fPIC", "-fcf-protection=none", "-s",
         "-Wl,--build-id=none,--hash-style=gnu,-z,noseparate-code,-z,norelro", "-xc", "-"]
# One calls the next, the last one says that it is there and stays.
CALLS = "void small%d(void); void small%d(void) { small%d(); asm volatile(\"\"); }\n"
STAYS = """void small%d(void)
{
    long done;
    asm volatile("syscall" : "=a"(done) : "0"(1), "D"(1), "S"("r"), "d"(1) : "rcx", "r11", "memory");
    for (;;)
        asm volatile("syscall" : "=a"(done) : "0"(34) : "rcx", "r11", "memory");
}
"""
PROGRAM = "void small0(void) __attribute__((weak));\nint main(void) { small0(); }\n"
NOBODY = 65534
TICKS = .1  # the kernel counts a process' start in hundredths of a second
MANY = 18


def compiled(command, source, path):
    subprocess.run([*command, "-o", path], input=source, check=True, universal_newlines=True)


def without_sections(path):
    """The file ends behind what is loaded, as linkers of other families leave it."""
    with open(path, "r+b") as file:
        header = bytearray(file.read(64))
        sections = struct.unpack_from("<Q", header, 40)[0]
        struct.pack_into("<Q", header, 40, 0)
        struct.pack_into("<HHH", header, 58, 64, 0, 0)
        file.seek(0)
        file.write(header)
        file.truncate(sections)


class SameFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        # An ordinary user may not read root's folders.
        self.ompd = shutil.copy(gdbrun.find("command/ompd"), os.path.join(self.folder, "ompd"))
        self.libompd = shutil.copy(gdbrun.find("ompd/libompd.so.1"), self.folder)
        self.program = os.path.join(self.folder, "program")
        compiled(["gcc", "-xc", "-"], PROGRAM, self.program)
        self.small = self.library("small.so", STAYS % 0)

    def library(self, name, source):
        path = os.path.join(self.folder, name)
        compiled(SMALL, source, path)
        without_sections(path)
        self.assertLess(os.path.getsize(path), 4096)
        return path

    def start(self, libraries, user=None):
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
            if user is not None:
                os.setgid(user)
                os.setuid(user)
        time.sleep(TICKS)
        process = subprocess.Popen([self.program], cwd=self.folder, stdout=subprocess.PIPE,
                                   preexec_fn=prepare,
                                   env=dict(os.environ, LD_PRELOAD=":".join(libraries)))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.read(1), b"r")
        time.sleep(TICKS)
        return process

    def look(self, *options, user=None):
        """(the files that are used, problems)"""
        def prepare():
            if user is not None:
                os.setgid(user)
                os.setuid(user)
        command = [self.ompd, "stacks", "--all", "--json", "-v", "--ompd-library", self.libompd]
        done = subprocess.run([*command, *map(str, options)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, preexec_fn=prepare,
                              timeout=120, check=False)
        files = re.findall(r"^ompd: (\S+): (?:that file|/proc/\d+/root\1),", done.stderr, re.M)
        return files, json.loads(done.stdout)["problems"]

    def about_files(self, problems):
        return [p for p in problems if self.folder in p["what"]]

    def shorter_than_a_page(self, user):
        files, problems = self.look("-p", self.start([self.small], user).pid, user=user)
        self.assertIn(self.small, files)
        self.assertEqual(self.about_files(problems), [])

    def test_shorter_than_a_page(self):
        self.shorter_than_a_page(None)

    def test_as_an_ordinary_user(self):
        try:
            self.shorter_than_a_page(NOBODY)
        except subprocess.SubprocessError as error:
            self.skipTest("no other user can be had: %s" % error)

    def test_another_one(self):
        """Another name in the first page; the same page and another address in the dynamic section."""
        process = self.start([self.small])
        for source in STAYS % 1, STAYS % 0 + "int more[2] = {1, 2};\n":
            os.replace(self.library("other.so", source), self.small)
            files, _ = self.look("-p", process.pid)
            self.assertNotIn(self.small, files)

    def test_changed_since(self):
        process = self.start([self.small])
        os.utime(self.small)
        files, problems = self.look("-p", process.pid)
        self.assertIn(self.small, files)
        problem, = self.about_files(problems)
        self.assertIn("could not be checked", problem["what"])
        self.assertIn("has been changed since the process began", problem["why"])

    def test_in_a_core(self):
        process = self.start([self.small])
        process.send_signal(signal.SIGABRT)
        process.wait(60)
        core, = (name for name in os.listdir(self.folder) if name.startswith("core"))
        core = os.path.join(self.folder, core)
        files, problems = self.look("--core", core)
        self.assertIn(self.small, files)
        problem, = self.about_files(problems)
        self.assertIn("could not be checked", problem["what"])
        self.assertIn("a core does not say when the process began", problem["why"])

    def test_many_are_one_line(self):
        libraries = [self.library("small%d.so" % i, CALLS % (i + 1, i, i + 1))
                     for i in range(MANY - 1)]
        libraries.append(self.library("last.so", STAYS % (MANY - 1)))
        process = self.start(libraries)
        for path in libraries:
            os.utime(path)
        _, problems = self.look("-p", process.pid)
        problem, = self.about_files(problems)
        self.assertRegex(problem["what"],
                         "^The files of %d libraries .*: %d not checked; the first is " % (MANY, MANY))


if __name__ == "__main__":
    xmltest.main()
