# SPDX-License-Identifier: Apache-2.0
"""libompcompanion.a in programs and shared libraries: they work, and GDB explains them.

    static_test.py ARCHIVE SHARED-LIBRARY

Programs of test-targets/ are linked with the archive: fully static, static and position independent, dynamic
with the archive in it, and as a library that a program without OpenMP loads. Their own truth is compared with
`ompd report`: live, from a core, from a core without the program; stripped too. Then two runtimes in one
process, unloading, link-time optimisation, garbage collection by the linkers, and GDB's auto-load.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import compare
import gdbrun
import xmltest

ARCHIVE, SHARED = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]

HERE = os.path.dirname(gdbrun.find("runtime/tests/static_part.c"))
TARGETS = os.path.dirname(gdbrun.find("test-targets/truth.c"))
INCLUDE = os.path.dirname(gdbrun.find("include/omp.h"))
ENV = {"OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "1M", "TRUTH_HOLD_SECONDS": "300",
       "TRUTH_TIMEOUT": "60"}
# How the archive gets into a program: compile options, link options.
KINDS = {
    "static": ([], ["-static"]),
    "static_pie": (["-fPIE"], ["-static-pie"]),
    "partly": (["-fPIC"], []),
    "no_pie": ([], ["-no-pie"]),
}
# Name -> compiler, the target's source, other sources that come before it.
LANGUAGES = {
    "gcc": ("gcc", "lock.c", []),
    "clang": ("clang", "lock.c", []),
    "gxx": ("g++", "cxx_locks.cc", []),
    "clangxx": ("clang++", "cxx_locks.cc", []),
    "gfortran": ("gfortran", "f_lock.F90", ["f_truth.F90"]),
}
REPORT = 'say(document("ompd report -json"))\n'
THREADS = 'say(run("ompd threads")[0])\n'
GCORE = "gdb.execute('gcore %s', to_string=True)\n"
HELD = 'gdb.execute("break held", to_string=True); gdb.execute("run", to_string=True)\n'


def sh(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          **options)
    if done.returncode:
        raise AssertionError("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


class Case(unittest.TestCase):
    longMessage = True
    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(made.cleanup)
        self.folder = os.path.realpath(made.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def object(self, compiler, source, *options, name=None):
        """Compiles SOURCE, which has OpenMP in it unless OPTIONS say otherwise."""
        out = self.path((name or os.path.basename(source)) + ".o")
        sh(compiler, "-g", "-O0", "-fopenmp", "-I", INCLUDE, "-I", TARGETS, *options, "-c", source, "-o", out,
           cwd=self.folder)
        return out

    def target(self, language, options, link, out="program"):
        """A target with its truth.c, linked with the archive and without the compiler's own runtime."""
        compiler, source, before = LANGUAGES[language]
        fortran = ["-ffree-line-length-none", "-J", self.folder] if compiler == "gfortran" else []
        objects = [self.object(compiler, os.path.join(TARGETS, name), *options, *fortran) for name in before
                   + [source]]
        objects.append(self.object(compiler if compiler == "clang" else "gcc",
                                   os.path.join(TARGETS, "truth.c"), *options, "-fno-openmp"))
        # A linker that warns is a failure too.
        said = sh(compiler, *objects, ARCHIVE, "-o", self.path(out), "-pthread", *link)
        self.assertEqual(said, "")
        return self.path(out)

    def library(self, compiler, source, name, *options, link=()):
        """A shared library with the archive in it."""
        made = self.object(compiler, source, "-fPIC", *options, name=name)
        sh(compiler, "-shared", made, ARCHIVE, "-o", self.path(name), "-pthread", *link)
        return self.path(name)

    def gdb(self, script, *arguments, **more):
        answer = gdbrun.gdb(script, arguments, env=dict(ENV, **more.pop("env", {})), **more)
        self.assertEqual(answer.problems(), [], str(answer))
        return answer

    def start(self, *command, env=None, ready=lambda text: compare.read_truth(text) is not None):
        """A process that runs until the test ends, and what it had written when READY says yes to that."""
        out = tempfile.TemporaryFile("w+", dir=self.folder)
        self.addCleanup(out.close)
        full = dict(os.environ, **ENV, **(env or {}))
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=full)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(600):
            out.seek(0)
            text = out.read()
            if ready(text):
                return process, text
            if process.poll() is not None:
                break
            time.sleep(0.05)
        self.fail("%s came to no rest: %s" % (command[0], text))
        return None

    def check(self, report, truth, names):
        self.assertEqual(compare.compare(truth, report, names=names), [])
        self.assertEqual([r["kind"] for r in report["runtimes"]], ["companion"])

    def check_all(self, program, *arguments):
        """Live and from gcore, with names and stripped, and from a core whose program is gone."""
        core = self.path("core")
        answer = self.gdb(HELD + REPORT + GCORE % core, "--args", program, *arguments)
        truth = compare.read_truth(answer.out)
        self.assertIsNotNone(truth, str(answer))
        self.check(answer.said[0], truth, True)
        self.check(self.gdb(REPORT, program, core).said[0], truth, True)

        files = [program] + list(arguments)
        for file in files:
            sh("strip", file)
        os.remove(core)
        process, text = self.start(program, *arguments)
        answer = self.gdb(REPORT + GCORE % core, "-p", str(process.pid))
        truth = compare.read_truth(text)
        self.check(answer.said[0], truth, False)
        self.check(self.gdb(REPORT, program, core).said[0], truth, False)
        for file in files:
            os.remove(file)
        self.check(self.gdb(REPORT, "-c", core).said[0], truth, False)


class Programs(Case):
    """test_<language>_<kind>: made below."""

    def counts(self, compiler, kind):
        options, link = KINDS[kind]
        parts = [self.object(compiler, os.path.join(HERE, "static_part.c"), *options, "-DPART=" + part,
                             name=part)
                 for part in ("one", "two")]
        main = self.object("gcc", os.path.join(HERE, "static_main.c"), *options, "-fno-openmp")
        sh(compiler, *parts, main, ARCHIVE, "-o", self.path("count"), "-pthread", *link)
        for threads in ("1", "2", "4"):
            sh(self.path("count"), "count", timeout=60, env=dict(os.environ, OMP_NUM_THREADS=threads))


def _make(language, kind):
    def test(self):
        self.check_all(self.target(language, *KINDS[kind]))
    return test


for _kind in KINDS:
    for _language in LANGUAGES:
        if _kind != "no_pie" or _language in ("gcc", "clang"):
            setattr(Programs, "test_%s_%s" % (_language, _kind), _make(_language, _kind))
    for _compiler in ("gcc", "clang"):
        setattr(Programs, "test_counts_%s_%s" % (_compiler, _kind),
                lambda self, c=_compiler, k=_kind: self.counts(c, k))


class Links(Case):
    """The note and the table survive what linkers do, and the compiler's own runtime may stand behind the
    archive."""

    def links(self, compiler, options, link):
        program = self.target(compiler, options, link)
        answer = self.gdb(HELD + REPORT, program)
        self.check(answer.said[0], compare.read_truth(answer.out), None)

    def test_gc_sections(self):
        sections = ["-ffunction-sections", "-fdata-sections"]
        for compiler in ("gcc", "clang"):
            for link in ([], ["-static"]):
                with self.subTest(compiler=compiler, link=link):
                    self.links(compiler, sections, link + ["-Wl,--gc-sections", "-Wl,-O2"])

    def test_gold_and_icf(self):
        for link in ([], ["-static"]):
            with self.subTest(link=link):
                self.links("gcc", ["-ffunction-sections"],
                           link + ["-fuse-ld=gold", "-Wl,--gc-sections,--icf=all"])

    def test_lto(self):
        for compiler in ("gcc", "clang"):
            for link in ([], ["-static", "-Wl,--gc-sections"]):
                with self.subTest(compiler=compiler, link=link):
                    self.links(compiler, ["-flto"], ["-flto"] + link)

    def test_the_own_runtime_of_gcc_behind_the_archive_is_not_used(self):
        for link in ([], ["-static"]):
            with self.subTest(link=link):
                self.links("gcc", [], ["-fopenmp"] + link)


class Libraries(Case):
    """A shared library that has the archive in it."""

    def test_loaded_by_a_program_without_openmp(self):
        main = self.object("gcc", os.path.join(TARGETS, "dlopen.c"), "-fno-openmp", "-fPIC")
        truth = self.object("gcc", os.path.join(TARGETS, "truth.c"), "-fno-openmp", "-fPIC")
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                program = self.path("dlopen_%s.exe" % compiler)
                sh("gcc", main, truth, "-o", program, "-rdynamic", "-pthread")
                library = self.library(compiler, os.path.join(TARGETS, "dlopen_region.c"),
                                       "dlopen_region_%s.so" % compiler)
                # The library is stripped and removed with the program; it takes no notice of arguments.
                self.check_all(program, library)
                os.remove(self.path("core"))

    def test_linked_with_a_program_without_openmp(self):
        with open(self.path("main.c"), "w") as source:
            source.write("#define TRUTH_WITHOUT_OPENMP\n#include <truth.h>\nvoid run_region(void);\n"
                         "int main(void) { truth_start(\"dlopen\", 4, 0, 0); run_region(); return 1; }\n")
        main = self.object("gcc", self.path("main.c"), "-fno-openmp", "-fPIC")
        truth = self.object("gcc", os.path.join(TARGETS, "truth.c"), "-fno-openmp", "-fPIC")
        library = self.library("gcc", os.path.join(TARGETS, "dlopen_region.c"), "libregion.so")
        program = self.path("program")
        sh("gcc", main, truth, library, "-o", program, "-rdynamic", "-pthread", "-Wl,-rpath,$ORIGIN")
        self.check_all(program, library)

    def test_exports_nothing_of_the_abi(self):
        library = self.library("gcc", os.path.join(HERE, "static_part.c"), "libone.so", "-DPART=one")
        names = sh("nm", "-D", "--defined-only", library).split()
        self.assertIn("one_count", names)
        self.assertEqual([n for n in names if n.startswith(("GOMP_", "omp_", "__kmpc_", "kmp_"))], [])

    def test_unloading(self):
        """Threads of the pool rest in the library's code when dlclose would unmap it."""
        program = self.path("close")
        sh("gcc", "-DWITHOUT_PARTS", os.path.join(HERE, "static_main.c"), "-o", program, "-pthread")
        for compiler in ("gcc", "clang"):
            library = self.library(compiler, os.path.join(HERE, "static_part.c"), "libone.so", "-DPART=one")
            for threads in ("1", "4"):
                with self.subTest(compiler=compiler, threads=threads):
                    sh(program, "close", library, timeout=60, env=dict(os.environ, OMP_NUM_THREADS=threads))


class Two(Case):
    """Two runtimes in one process, one region inside the other's."""

    def hold(self, program, way, env=None):
        """Runs it until it holds; returns the process and {part: {"holds": tid, "waits" or "calls": tid}}."""
        process, text = self.start(program, way, env=env, ready=lambda text: text.count("PART ") == 4)
        parts = {"one": {}, "two": {}}
        for line in text.splitlines():
            _, part, what, tid = line.split()
            parts[part][what] = int(tid)
        # The waiting thread says so before it waits; it sleeps when all is done.
        waiting = next(p["waits"] for p in parts.values() if "waits" in p)
        for _ in range(600):
            with open("/proc/%d/task/%d/wchan" % (process.pid, waiting)) as f:
                if "futex" in f.read():
                    break
            time.sleep(0.02)
        return process, parts

    def check_two(self, program, libraries, names, env=None):
        """LIBRARIES: part -> base name of the file that has its runtime."""
        for way in ("hold", "reverse"):
            process, parts = self.hold(program, way, env)
            core = self.path("core")
            answer = self.gdb(REPORT + THREADS + GCORE % core, "-p", str(process.pid))
            reports = [answer.said[0], self.gdb(REPORT, program, core).said[0]]
            os.remove(core)
            process.kill()
            process.wait()
            for report in reports:
                with self.subTest(way=way, core=report is reports[1]):
                    self.check_report(report, parts, libraries, names)
            self.assertIn("Runtime", answer.said[1].splitlines()[0].split())

    def check_report(self, report, parts, libraries, names):
        runtimes = {os.path.basename(r["library"]): r["id"] for r in report["runtimes"]
                    if r["kind"] == "companion"}
        self.assertEqual(sorted(runtimes), sorted(libraries.values()))
        self.assertEqual([p for p in report["problems"]], [])
        # The counters have left idle threads in both pools.
        rows = {row["lwp"]: row for row in report["threads"] if row["openmp"] and row["state"] != "idle"}
        self.assertEqual(sorted(rows), sorted({tid for part in parts.values() for tid in part.values()}))
        for part, tids in parts.items():
            runtime = runtimes[libraries[part]]
            owner = rows[tids["holds"]]
            self.assertEqual((owner["runtime"], owner["state"], owner["thread_num"], owner["team_size"]),
                             (runtime, "work_parallel", 1, 2), part)
            regions = [r for r in report["regions"] if r["runtime"] == runtime and r["kind"] == "parallel"]
            self.assertEqual([sorted(m["lwp"] for m in r["members"]) for r in regions],
                             [sorted(tids.values())], part)
            if "waits" in tids:
                row = rows[tids["waits"]]
                self.assertEqual((row["runtime"], row["state"], row["thread_num"]), (runtime, "wait_lock", 0),
                                 part)
                self.assertEqual(row["wait"]["owner_lwp"], tids["holds"], part)
                # Without symbols it is told by the file and the place in it.
                name = "hold_lock" if names else re.escape(libraries[part]) + r"\+0x[0-9a-f]+"
                self.assertRegex(row["wait"]["name"], "^%s$" % name)

    def share(self, program, *library, **env):
        """Threads of two runtimes sleep for one lock; none is left asleep."""
        for policy in ("passive", "active"):
            sh(program, "share", *library, timeout=60, env=dict(os.environ, OMP_WAIT_POLICY=policy, **env))

    def check_cross(self, program, env=None):
        """The lock's word has the number of a thread of either runtime: no owner is certain."""
        process, text = self.start(program, "cross", env=env, ready=lambda text: text.count("PART ") == 2)
        waits = int(re.search("waits (.*)", text).group(1))
        for _ in range(600):
            with open("/proc/%d/task/%d/wchan" % (process.pid, waits)) as f:
                if "futex" in f.read():
                    break
            time.sleep(0.02)
        report = self.gdb(REPORT, "-p", str(process.pid)).said[0]
        process.kill()
        process.wait()
        row = next(row for row in report["threads"] if row["lwp"] == waits)
        self.assertEqual(row["state"], "wait_lock")
        # "Perhaps", if the waiting thread's runtime has a thread of that number, else "unknown".
        self.assertIn("another copy of the runtime",
                      row["unknown"].get("wait.owner") or row["unknown"]["wait.owner_lwp"])
        self.assertNotEqual(report["verdict"]["kind"], "deadlock")

    def main_object(self):
        return self.object("gcc", os.path.join(HERE, "static_main.c"), "-fno-openmp", "-fPIC")

    def part(self, compiler, part, **more):
        return self.library(compiler, os.path.join(HERE, "static_part.c"), "lib%s.so" % part,
                            "-DPART=" + part, **more)

    def test_two_libraries(self):
        for compilers in (("gcc", "clang"), ("gcc", "gcc")):
            with self.subTest(compilers=compilers):
                libraries = [self.part(compilers[0], "one"), self.part(compilers[1], "two")]
                program = self.path("two")
                sh("gcc", self.main_object(), *libraries, "-o", program, "-Wl,-rpath,$ORIGIN")
                sh(program, "count", timeout=60)
                self.share(program)
                self.share(program, self.part(compilers[1], "three"))
                self.check_cross(program)
                self.check_two(program, {"one": "libone.so", "two": "libtwo.so"}, True)
                for file in libraries + [program]:
                    sh("strip", file)
                self.check_two(program, {"one": "libone.so", "two": "libtwo.so"}, False)

    def test_program_and_library(self):
        """The program has the archive, and its library uses libompcompanion.so as libgomp.so.1."""
        for name in ("libgomp.so.1", "libompcompanion.so.1"):
            os.symlink(SHARED, self.path(name))
        one = self.object("gcc", os.path.join(HERE, "static_part.c"), "-DPART=one", "-fPIC", name="one")
        two = self.object("gcc", os.path.join(HERE, "static_part.c"), "-DPART=two", "-fPIC", name="two")
        sh("gcc", "-fopenmp", "-shared", two, "-o", self.path("libtwo.so"))
        program = self.path("program")
        sh("gcc", self.main_object(), one, ARCHIVE, self.path("libtwo.so"), "-o", program, "-pthread",
           "-rdynamic", "-Wl,-rpath,$ORIGIN")
        env = {"LD_LIBRARY_PATH": self.folder}
        sh(program, "count", timeout=60, env=dict(os.environ, **env))
        self.share(program, **env)
        self.check_two(program, {"one": "program", "two": os.path.basename(os.path.realpath(SHARED))}, True,
                       env)

    def test_library_on_a_foreign_runtime(self):
        """Both are shown, and each thread belongs to its own."""
        one = self.object("gcc", os.path.join(HERE, "static_part.c"), "-DPART=one", "-fPIC", name="one")
        two = self.object("gcc", os.path.join(HERE, "static_part.c"), "-DPART=two", "-fPIC", name="two")
        sh("gcc", "-fopenmp", "-shared", two, "-o", self.path("libtwo.so"))
        program = self.path("program")
        sh("gcc", self.main_object(), one, ARCHIVE, self.path("libtwo.so"), "-o", program, "-pthread",
           "-Wl,-rpath,$ORIGIN")
        env = {"LD_LIBRARY_PATH": ""}
        sh(program, "count", timeout=60, env=dict(os.environ, **env))
        process, parts = self.hold(program, "reverse", env)
        report = self.gdb(REPORT, "-p", str(process.pid)).said[0]
        self.assertEqual([one["kind"] for one in report["runtimes"]].count("libgomp"), 1, report["runtimes"])
        rows = {row["lwp"]: row for row in report["threads"]}
        self.assertEqual(rows[parts["one"]["waits"]]["wait"]["owner_lwp"], parts["one"]["holds"])
        kinds = {one["id"]: one["kind"] for one in report["runtimes"]}
        self.assertEqual(kinds[rows[parts["one"]["holds"]]["runtime"]], "companion")
        self.assertEqual(kinds[rows[parts["two"]["holds"]]["runtime"]], "libgomp")


class AutoLoad(Case):
    """A static program has no library after which GDB would name its script: autoload.sh links one for the
    program."""

    def setUp(self):
        super().setUp()
        prefix = self.prefix = self.path("prefix with blank")
        library = os.path.join(prefix, "lib")
        package = os.path.join(prefix, "share", "ompd")
        self.scripts = os.path.join(prefix, "share", "gdb", "auto-load")
        for folder in (library, package, self.scripts + library):
            os.makedirs(folder)
        for name in ("ompd/libompd.so.1", "inspect/libompdinspect.so.1"):
            shutil.copy(gdbrun.find(name), library)
        plugin = os.path.dirname(gdbrun.PLUGIN)
        shutil.copy(os.path.join(plugin, "autoload.sh"), package)
        for name in ("ompd_common", "ompd_gdb"):
            shutil.copytree(os.path.join(plugin, name), os.path.join(package, name))
        shutil.copy(gdbrun.find("gdb-plugin/autoload/libompcompanion.so.1.0.0-gdb.py"),
                    self.scripts + library)
        self.helper = os.path.join(package, "autoload.sh")

    def ask(self, program):
        return self.gdb(HELD + 'say(run("ompd threads"))', program, plugin=False, before=[
            "add-auto-load-scripts-directory " + self.scripts,
            "add-auto-load-safe-path " + self.scripts]).said[0]

    def test_program(self):
        for kind in ("static", "partly"):
            program = self.target("gcc", *KINDS[kind], out=kind)
            self.assertIn("Undefined command", self.ask(program)[1])
            link = sh("sh", self.helper, program).strip()
            self.assertEqual(link, self.scripts + program + "-gdb.py")
            text, error = self.ask(program)
            self.assertIsNone(error)
            self.assertIn("lock ledger, held by thread", text)
            sh("sh", self.helper, program)  # again: no error

    def test_helper(self):
        self.assertIn("usage: autoload.sh PROGRAM", sh("sh", self.helper, "--help"))
        for arguments, code, word in (([], 64, "usage"), (["--no"], 64, "usage"),
                                      (["/no/such"], 1, "is not a file")):
            done = subprocess.run(["sh", self.helper] + arguments, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True)
            self.assertEqual(done.returncode, code, done.stdout)
            self.assertIn(word, done.stdout)
        shutil.rmtree(self.scripts)
        program = os.path.realpath("/bin/true")
        self.assertRaisesRegex(AssertionError, "install the project again", sh, "sh", self.helper, program)


if __name__ == "__main__":
    xmltest.main()
