# SPDX-License-Identifier: Apache-2.0
"""What is installed finds the rest of it in every layout of a distribution, and others find it."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import gdbrun
import xmltest

TREE = gdbrun.ROOT
SCRIPT = os.path.join(TREE, "packaging/install.sh")
BUILT = os.path.dirname(os.path.dirname(gdbrun.find("command/ompd")))
LIBRARIES = {"libompd1": ["ompd/libompd.so.1"], "libompdinspect1": ["inspect/libompdinspect.so.1"],
             "libompcompanion1": ["runtime/abttool/libompcompanion-abttool.so",
                                  "runtime/libompcompanion.so.1.0.0"]}
LIBC = {"libc.so.6", "ld-linux-x86-64.so.2"}
COMMANDS = {"libelf.so.1", "libdw.so.1", "libjansson.so.4", "liblz4.so.1", "libzstd.so.1", "libz.so.1",
            "libarchive.so.13", "libseccomp.so.2", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1"}
CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(hello C)
find_package(ompd 1 REQUIRED)
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE ompd::companion)
"""
HELLO = """
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_num_threads();
    printf("%d\\n", sum);
}
"""


def said(*command, status=0, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=120, stdin=subprocess.DEVNULL, **more)
    if done.returncode != status:
        raise AssertionError("%s: status %d\n%s" % (command, done.returncode, done.stdout[-3000:]))
    return done.stdout


class Layout(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def install(self, name, *words, **env):
        prefix = os.path.join(self.folder, name)
        said(SCRIPT, BUILT, prefix, *words, env=dict(os.environ, **env))
        return prefix

    def test_everything_finds_the_libraries(self):
        for libdir in ("lib", "lib64", "lib/%s-linux-gnu" % os.uname().machine, "lib/ompd"):
            with self.subTest(libdir):
                prefix = self.install("of " + libdir.replace("/", "-"), "--libdir", libdir)
                lib, ompd = os.path.join(prefix, libdir), os.path.join(prefix, "bin/ompd")
                told = said(ompd, "status", "-p", os.getpid(), status=2)  # no OpenMP here
                self.assertIn(os.path.join(lib, "libompd.so.1"), told)
                told = said(ompd, "run", "--", "sh", "-c", "echo $LD_LIBRARY_PATH")
                self.assertIn(os.path.join(lib, "ompcompanion"), re.split("[:\n]", told))
                told = said("gdb", "-nx", "-q", "-batch", "-x", os.path.join(prefix, "share/ompd/ompd.py"),
                            "-ex", "python import ompd_common.library; print(ompd_common.library.locate())",
                            env={k: v for k, v in os.environ.items() if k != "OMPD_LIBDIR"})
                self.assertIn(os.path.join(lib, "libompdinspect.so.1"), told)

    def test_no_library(self):
        """The message names the first of the places."""
        prefix = self.install("none")
        os.unlink(os.path.join(prefix, "lib/libompd.so.1"))
        done = subprocess.run([os.path.join(prefix, "bin/ompd"), "status", "-p", str(os.getpid())],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(os.path.join(prefix, "lib/libompd.so.1") + " cannot be read", done.stderr)

    def test_of_a_distribution(self):
        """Below DESTDIR, with the paths of /usr; headers do not compete with the compiler's."""
        dest = os.path.join(self.folder, "dest")
        said(SCRIPT, BUILT, "/usr", "--libdir", "/usr/lib/x86_64-linux-gnu",
             env=dict(os.environ, DESTDIR=dest))
        self.assertTrue(os.path.exists(dest + "/usr/include/ompd/omp.h"))
        self.assertEqual(os.listdir(dest + "/usr/include"), ["ompd"])
        self.assertTrue(os.path.exists(dest + "/usr/share/gdb/auto-load/usr/lib/x86_64-linux-gnu/"
                                              "libompcompanion.so.1.0.0-gdb.py"))
        for folder, _, names in os.walk(dest):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    self.assertTrue(os.path.exists(path), "%s leads nowhere" % path)
                elif name.endswith((".pc", ".cmake")) or "modulefiles" in folder:
                    with open(path) as f:
                        text = f.read()
                    self.assertNotIn(dest, text, path)
                    self.assertNotRegex(text, "@[A-Z]+@", path)

    def test_without_the_command(self):
        """Where elfutils is too old for it (packaging/Makefile): the rest is whole."""
        whole, part = self.install("whole"), self.install("part", "--without-command")
        # The script for auto-load has the prefix in its path once more.
        files = [{os.path.relpath(os.path.join(folder, name), prefix).replace(os.path.realpath(prefix), "")
                  for folder, _, names in os.walk(prefix) for name in names if not name.endswith(".pyc")}
                 for prefix in (whole, part)]
        self.assertEqual(files[1] - files[0], set())
        for gone in files[0] - files[1]:
            self.assertRegex(gone, r"^(bin/ompd|share/man/man1/.*|share/(bash-completion|zsh|fish)/.*)$")
        self.assertIn("bin/ompd", files[0] - files[1])
        self.assertIn("share/man/man7/ompd_gdb.7", files[1])

    def test_libraries_that_are_needed(self):
        """Those that Debian 12, 13 and unstable have under the same name."""
        lib = os.path.join(self.install("needed"), "lib")
        for path, allowed in (("libompd.so.1", LIBC), ("libompcompanion.so.1.0.0", LIBC),
                              ("libompcompanion-abttool.so.1", LIBC),
                              ("libompdinspect.so.1", LIBC | {"libjansson.so.4"}),
                              ("../bin/ompd", LIBC | COMMANDS)):
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", os.path.join(lib, path)))
            self.assertIn("libc.so.6", needed)
            self.assertEqual(set(needed) - allowed, set(), path)

    def test_pkg_config(self):
        prefix = self.install("pc", "--libdir", "lib64", "--includedir", "include/ompd")
        env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(prefix, "lib64/pkgconfig"))
        self.assertEqual(said("pkg-config", "--cflags", "--libs", "ompd", "ompcompanion", env=env).split(),
                         ["-I" + prefix + "/include/ompd", "-L" + prefix + "/lib64", "-lompd",
                          "-lompcompanion"])
        library = said("pkg-config", "--variable=ompd_library", "ompd", env=env).strip()
        self.assertTrue(os.path.exists(library), library)
        with open(os.path.join(TREE, "VERSION")) as f:
            self.assertEqual(said("pkg-config", "--modversion", "ompd", env=env), f.read())

    def test_cmake(self):
        """A project that names ompd::companion runs on Companion, and on no other runtime."""
        prefix, project = self.install("cmake"), os.path.join(self.folder, "project")
        os.mkdir(project)
        for name, text in (("CMakeLists.txt", CMAKE), ("hello.c", HELLO)):
            with open(os.path.join(project, name), "w") as f:
                f.write(text)
        said("cmake", "-S", project, "-B", project + "/build", "-DCMAKE_PREFIX_PATH=" + prefix)
        said("cmake", "--build", project + "/build")
        self.assertEqual(said(project + "/build/hello"), "9\n")
        libraries = said("ldd", project + "/build/hello")
        self.assertIn(prefix + "/lib/libompcompanion.so.1", libraries)
        self.assertNotIn("libgomp", libraries)

    def test_wrong_usage(self):
        for words in ((), (BUILT,), (BUILT, "a", "b"), (BUILT, "a", "--libdir"), (BUILT, "a", "--what")):
            done = subprocess.run([SCRIPT] + list(words), cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, universal_newlines=True)
            self.assertEqual((done.returncode, done.stdout), (64, ""), words)
            self.assertIn("usage: ", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Debian(unittest.TestCase):
    def test_symbols(self):
        """The symbols files list what the libraries export: by name, or by version node."""
        for package, libraries in LIBRARIES.items():
            with open(os.path.join(TREE, "packaging/debian", package + ".symbols")) as f:
                listed = re.findall(r"^ (\S+) ", f.read(), re.M)
            exported = set()
            for library in libraries:
                for line in said("nm", "-D", "--defined-only", "--with-symbol-versions",
                                 gdbrun.find(library)).splitlines():
                    kind, name = line.split()[1:]
                    if kind in "TDBRViVW":
                        symbol, _, node = name.replace("@@", "@").partition("@")
                        exported.add((symbol, node or "Base"))
            nodes = {word[len("(symver)"):] for word in listed if word.startswith("(symver)")}
            names = {tuple(word.split("@")) for word in listed if not word.startswith("(symver)")}
            names = {(symbol, node) for symbol, node in names if symbol != node}
            self.assertEqual({one for one in exported if one[1] not in nodes},
                             names, "packaging/debian/%s.symbols" % package)
            self.assertEqual(nodes - {node for _, node in exported}, set(), package)


if __name__ == "__main__":
    xmltest.main()
