# SPDX-License-Identifier: Apache-2.0
"""A program with more rights than its caller (AT_SECURE): no variable has a file loaded, written or named.

    secure_test.py LIBRARY ARCHIVE

A program that names Companion by an absolute path, one with the archive in it, and a fully static one. The
same variables have their effect in an ordinary process, so the test sees what it is looking for. Such a
program is made in the way that this machine allows: set-user-ID, a real user other than the effective one, or
a file capability in a user namespace. A library that answers getauxval() in the kernel's place stands in
everywhere but in static programs.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY, ARCHIVE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
OTHER = 65534
KINDS = ("shared", "partly", "static")
# linux/capability.h: revision 2 with the effective bit, CAP_NET_BIND_SERVICE permitted.
CAPABILITY = struct.pack("<IIIII", 0x02000001, 1 << 10, 0, 0, 0)


def sh(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        raise AssertionError("%s\n%s" % (" ".join(command), done.stdout))


def as_other_user(program):
    """The program belongs to root and is set-user-ID, its caller is somebody else."""
    def become():
        os.setgroups([])
        os.setresgid(OTHER, OTHER, OTHER)
        os.setresuid(OTHER, OTHER, OTHER)

    os.chmod(program, 0o4755)
    return [program], become


def as_half_a_user(program):
    """The caller's real user is not its effective one."""
    return [program], lambda: os.setresuid(OTHER, 0, 0)


def with_capability(program):
    """The caller's namespace has no root; the program has a capability."""
    os.setxattr(program, "security.capability", CAPABILITY)
    return ["unshare", "--user", program], None


def with_capability_in_namespace(program):
    """The same for somebody who is not root: a namespace in which he is, and one in that."""
    write = "import os, sys; os.setxattr(sys.argv[1], 'security.capability', bytes.fromhex(sys.argv[2]))"
    return ["unshare", "--user", "--map-root-user", "sh", "-c",
            '"$0" -c "$1" "$2" "$3" && exec unshare --user "$2"', sys.executable, write, program,
            CAPABILITY.hex()], None


WAYS = (as_other_user, as_half_a_user, with_capability, with_capability_in_namespace)


class Secure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Another user must come in: not below TEST_TMPDIR, which may be below somebody's home.
        cls.folder = tempfile.mkdtemp(dir="/var/tmp" if os.access("/var/tmp", os.W_OK) else None)
        os.chmod(cls.folder, 0o755)
        os.mkdir(cls.path("lib"))
        shutil.copy(LIBRARY, cls.path("lib", "libompcompanion.so.1"))
        os.chmod(cls.path("lib", "libompcompanion.so.1"), 0o755)
        os.symlink("libompcompanion.so.1", cls.path("lib", "libgomp.so.1"))
        compile_ = ["gcc", "-O1", "-o"]
        source = os.path.join(HERE, "program.c")
        sh(*compile_, cls.path("shared"), "-fopenmp", source,
           "-Wl,--disable-new-dtags,-rpath," + cls.path("lib"))
        sh(*compile_, cls.path("program.o"), "-fopenmp", "-c", source)
        sh(*compile_, cls.path("partly"), cls.path("program.o"), ARCHIVE, "-pthread")
        sh(*compile_, cls.path("static"), cls.path("program.o"), ARCHIVE, "-pthread", "-static")
        sh(*compile_, cls.path("probe"), os.path.join(HERE, "secure.c"))
        sh(*compile_, cls.path("intruder.so"), os.path.join(HERE, "intruder.c"), "-shared", "-fPIC")
        for name, options in (("fake.so", []), ("silent.so", ["-DSILENT"])):
            sh(*compile_, cls.path(name), os.path.join(HERE, "fake_auxv.c"), "-shared", "-fPIC", *options)
        cls.way, cls.why = cls.find_way()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def path(cls, *parts):
        return os.path.join(cls.folder, *parts)

    @classmethod
    def find_way(cls):
        """The first way in which the kernel calls a program secure; else what each of them ended with."""
        why = []
        for way in WAYS:
            probe = cls.path("probe-" + way.__name__)
            shutil.copy(cls.path("probe"), probe)
            try:
                command, become = way(probe)
                done = subprocess.run(command, preexec_fn=become, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, universal_newlines=True)
                if done.stdout == "secure 1\n":
                    return way, None
                why.append("%s: %s" % (way.__name__, done.stdout.strip() or done.returncode))
            except (OSError, subprocess.SubprocessError) as error:
                why.append("%s: %s" % (way.__name__, error))
        return None, "; ".join(why)

    def run_with(self, command, become=None, **more):
        """Its output, and the files that it has made."""
        made = tempfile.mkdtemp(dir=self.folder)
        os.chmod(made, 0o777)
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "OMP_NUM_THREADS": "3",
               "OMP_DISPLAY_ENV": "verbose", "KMP_SETTINGS": "1",
               "OMP_TOOL_LIBRARIES": self.path("intruder.so"),
               "OMP_TOOL_VERBOSE_INIT": os.path.join(made, "log"),
               "KMP_STATS_FILE": os.path.join(made, "stats")}
        done = subprocess.run(command, preexec_fn=become, env=dict(env, **more), stdout=subprocess.PIPE,
                              cwd=made, stderr=subprocess.STDOUT, universal_newlines=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"threads 3\n")  # what names no file counts as ever
        return done.stdout, sorted(os.listdir(made))

    def check_safe(self, kind, out, files):
        self.assertEqual(files, [], kind)
        for forbidden in ("intruder\n", "intruder.so", "/log", "/stats"):
            self.assertNotIn(forbidden, out, kind)

    def test_ordinary_programs_obey(self):
        for kind in KINDS:
            out, files = self.run_with([self.path(kind)])
            self.assertEqual(files, ["log", "stats"], kind)
            self.assertIn("intruder.so", out, kind)
            self.assertIn("secure 0", out, kind)
            if kind != "static":  # which may be unable to load a library
                self.assertIn("intruder\n", out)

    def test_secure_programs_do_not(self):
        if self.way is None:
            self.skipTest("no way here to a program that the kernel calls secure: " + self.why)
        print("by", self.way.__name__)
        for kind in KINDS:
            program = self.path("secure-" + kind)
            shutil.copy(self.path(kind), program)
            command, become = type(self).way(program)
            out, files = self.run_with(command, become)
            self.assertIn("secure 1", out, kind)
            self.check_safe(kind, out, files)

    def test_the_word_of_the_kernel_decides(self):
        for kind in ("shared", "partly"):
            out, files = self.run_with([self.path(kind)], LD_PRELOAD=self.path("fake.so"))
            self.check_safe(kind, out, files)

    def test_a_kernel_without_a_word(self):
        out, files = self.run_with([self.path("shared")], LD_PRELOAD=self.path("silent.so"))
        self.assertIn("intruder\n", out)
        self.assertEqual(files, ["log", "stats"])


if __name__ == "__main__":
    xmltest.main()
