# SPDX-License-Identifier: Apache-2.0
"""LLVM's offloading on Companion: libomptarget finds what it looks up, is found where both export a name,
never brings a second runtime, and its programs do what they do on libomp.

    offload_test.py RUNTIME INCLUDE CHECK_H CONSTRUCTS.C NOT_YET.C STANDIN.C TOOL.C

The libraries are Debian's, unpacked and not installed (tools/debian.py). LLVM 19's has a plug-in for the
host: its devices are four, and need no hardware.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

import debian
import xmltest

RUNTIME, INCLUDE, CHECK_H, CONSTRUCTS, NOT_YET, STANDIN, TOOL = map(os.path.abspath, sys.argv[1:8])
del sys.argv[1:]

LLVM_19 = "usr/lib/llvm-19/lib"
TARGETS = {  # release -> package, file
    14: ("libomp-14-dev", "usr/lib/llvm-14/lib/libomptarget.so"),
    15: ("libomp5-15", "usr/lib/llvm-15/lib/libomptarget.so.15"),
    16: ("libomp5-16", "usr/lib/llvm-16/lib/libomptarget.so.16"),
    19: ("libomp5-19", LLVM_19 + "/libomptarget.so.19.1"),
    22: ("liboffload-22", "usr/lib/llvm-22/lib/libomptarget.so.22.1"),
}
NAMES = ("libomp.so", "libomp.so.5", "libiomp5.so", "libgomp.so.1")  # the links of `./dev install`


def run(*command, **options):
    options.update(check=True, stdout=subprocess.PIPE, text=True, timeout=120)
    return subprocess.run(command, **options).stdout


def symbols(path, which):
    """(name, node) of each dynamic symbol; node "" if it has none."""
    found = re.findall(r" [A-Za-z] (\S+)$", run("nm", "-D", which, path), re.MULTILINE)
    return {tuple(name.replace("@@", "@").partition("@")[::2]) for name in found}


def compile_c(*command):
    run("clang-19", "-g", "-O1", "-Wall", "-Werror", *command)


class Names(unittest.TestCase):
    def setUp(self):
        self.ours = symbols(RUNTIME, "--defined-only")
        self.targets = {release: debian.unpacked(*where) for release, where in TARGETS.items()}

    def test_all_that_is_looked_up_is_there(self):
        ours = {name for name, node in self.ours if node == "VERSION"}
        for release, path in self.targets.items():
            wanted = {name for name, _ in symbols(path, "--undefined-only")
                      if re.match("__kmpc_|k?omp_|ompt_|GOMP_|__tgt_", name)}
            self.assertGreaterEqual(len(wanted), 4, release)
            self.assertLessEqual(wanted, ours, release)
        self.assertIn("ompt_libomp_connect", ours)  # by dlsym: its name is put together as the program runs

    def test_each_shared_name_goes_to_libomptarget(self):
        """Stands for libomptarget: each name that any release shares with Companion, and tells that it was
        called."""
        theirs = {name for path in self.targets.values() for name, _ in symbols(path, "--defined-only")}
        shared = sorted((name, node) for name, node in self.ours if name in theirs)
        self.assertGreater(len(shared), 23)
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as scratch:
            source, library = os.path.join(scratch, "all.c"), os.path.join(scratch, "libomptarget.so.99")
            with open(source, "w", encoding="ascii") as text:
                text.write("const char *called;\n")
                for name in sorted({name for name, _ in shared}):
                    text.write('long %s(void) { called = "%s"; return 7; }\n' % (name, name))
            compile_c("-Wno-incompatible-library-redeclaration", "-shared", "-fPIC", source, "-o", library)
            runtime = ctypes.CDLL(RUNTIME)
            self.assertEqual(runtime.omp_get_num_devices(), 0)  # in vain, and again when it has come
            target = ctypes.CDLL(library)
            called = ctypes.c_char_p.in_dll(target, "called")
            find = ctypes.CDLL(None).dlvsym
            find.restype = ctypes.c_void_p
            for name, node in shared:
                address = find(ctypes.c_void_p(runtime._handle), name.encode(), node.encode())
                self.assertTrue(address, name + "@" + node)
                called.value = None
                ctypes.CFUNCTYPE(ctypes.c_long)(address)()
                self.assertEqual(called.value, name.encode(), name + "@" + node)
            self.assertEqual(runtime.omp_get_num_devices(), 7)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = scratch.name
        cls.target = os.path.dirname(debian.unpacked(*TARGETS[19]))  # libomp is beside libomptarget
        development = os.path.dirname(debian.unpacked("libomp-19-dev", LLVM_19 + "/libomptarget.devicertl.a"))
        tools = os.path.dirname(debian.unpacked("clang-tools-19",
                                                "usr/lib/llvm-19/bin/clang-linker-wrapper"))
        for folder in ("lib", "lib/ompcompanion", "only", "link"):
            os.mkdir(cls.path(folder))
        cls.install()
        cls.link("only/libomptarget.so.19.1", os.path.join(cls.target, "libomptarget.so.19.1"))
        for name, to in (("libomp.so", cls.target + "/libomp.so.5"),
                         ("libomptarget.so", cls.target + "/libomptarget.so.19.1"),
                         ("libomptarget.devicertl.a", development + "/libomptarget.devicertl.a")):
            cls.link("link/" + name, to)
        cls.headers = os.path.join(development, "clang/19/include")
        cls.environment = dict(os.environ, PATH="/usr/lib/llvm-19/bin:%s:%s" % (tools, os.environ["PATH"]))
        for name in [name for name in cls.environment if name.startswith(("OMP_", "KMP_", "LIBOMPTARGET_"))]:
            del cls.environment[name]
        cls.offload(CONSTRUCTS, "constructs")
        compile_c("-shared", "-fPIC", "-I", INCLUDE, TOOL, "-o", cls.path("tool.so"))

    @classmethod
    def path(cls, *parts):
        return os.path.join(cls.scratch, *parts)

    @classmethod
    def link(cls, name, to):
        os.symlink(to, cls.path(name))

    @classmethod
    def install(cls):
        """As `./dev install PREFIX` does."""
        with open(RUNTIME, "rb") as one, open(cls.path("lib/libompcompanion.so.1.0.0"), "wb") as other:
            other.write(one.read())
        cls.link("lib/libompcompanion.so.1", "libompcompanion.so.1.0.0")
        for name in NAMES:
            cls.link("lib/ompcompanion/" + name, "../libompcompanion.so.1.0.0")

    @classmethod
    def offload(cls, source, name, *more):
        """clang's program for the host's plug-in, which asks for libomp.so.5."""
        run("clang-19", "-g", "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "-isystem",
            cls.headers, "-L", cls.path("link"), source, "-o", cls.path(name), *more, env=cls.environment)

    def program(self, name, libraries, **more):
        """What it prints on the two streams."""
        env = dict(self.environment, LD_LIBRARY_PATH=":".join(libraries), **more)
        done = subprocess.run([self.path(name)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def companion(self):
        return [self.path("lib/ompcompanion"), self.path("only")]

    def runtimes(self, name, libraries):
        """The files with a runtime in them that the loader has loaded."""
        log = self.program(name, libraries, LD_DEBUG="files")[1]
        loaded = {os.path.realpath(path) for path in re.findall(r"calling init: (\S+)", log)}
        self.assertIn("libomptarget.so.19.1", {os.path.basename(path) for path in loaded})
        return {path for path in loaded if "omp_get_num_threads" in run("nm", "-D", "--defined-only", path)}

    def test_every_construct_as_on_libomp(self):
        expected = self.program("constructs", [self.target])[0]
        self.assertIn("target: on the host 0\n", expected)
        self.assertEqual(self.program("constructs", self.companion())[0], expected)
        self.assertEqual(self.program("constructs", self.companion(), OMP_TARGET_OFFLOAD="MANDATORY")[0],
                         expected)

    def test_one_runtime(self):
        ours = os.path.realpath(self.path("lib/libompcompanion.so.1.0.0"))
        self.link("only/libomp.so", os.path.join(self.target, "libomp.so.5"))
        self.assertEqual(self.runtimes("constructs", self.companion()), {ours})
        # By its run path alone, with another libomp.so where dlopen() looks.
        self.offload(CONSTRUCTS, "linked", "-Wl,-rpath," + self.path("lib/ompcompanion"))
        self.assertEqual(self.runtimes("linked", [self.path("only")]), {ours})

    def test_a_tool_hears_of_devices(self):
        def events(libraries):
            heard = self.program("constructs", libraries, OMP_TOOL_LIBRARIES=self.path("tool.so"))[1]
            return sorted(line for line in heard.splitlines() if not line.startswith("OMP:"))
        expected = events([self.path("link"), self.target])
        self.assertIn("target 1, begin, device 0, task known, code known", expected)
        self.assertEqual(events(self.companion()), expected)

    def test_a_device_that_has_not_finished(self):
        compile_c("-shared", "-fPIC", STANDIN, "-o", self.path("libomptarget.so.99"))
        compile_c("-fopenmp", "-I", INCLUDE, "-I", os.path.dirname(CHECK_H), NOT_YET, "-o",
                  self.path("not_yet"), self.path("libomptarget.so.99"), "-L", self.path("lib/ompcompanion"),
                  "-pthread", "-Wl,-rpath," + self.path("lib"))
        for threads in "1", "4":
            out, err = self.program("not_yet", [self.scratch], OMP_NUM_THREADS=threads)
            self.assertRegex(out, r"^cases [1-9]\d*\n$")
            self.assertEqual(err, "")


if __name__ == "__main__":
    xmltest.main()
