#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the Fortran conformance programs with one compiler and runs them on one runtime.

    run.py --runtime DIR --compiler gfortran|gfortran-11|flang-new-19|flang-22 [names]

DIR has the runtime under the names that programs ask for (libgomp.so.1, libomp.so.5); without --runtime the
system's own serves. Each program runs with 1, 2, 4 and 16 threads and must end with status 0, its line "cases
N", and nothing else on stdout or stderr. manifest.json names the programs; a program says with NO_<FEATURE>
macros what may be left out of it, and the manifest says for which compiler that is and why ("omit"), or that
the compiler cannot do the whole program ("skip"). --probe tries what is left out, so that the manifest can be
kept up to date. --peer libgomp or --peer libomp leaves out besides what that runtime is known to fail in
("peers"): so the programs themselves are tested on the runtimes of others. --keep DIR builds there.
"""
import argparse
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2, 4, 16)
SECONDS = 60


def for_compiler(table, compiler):
    """The reason that a table {pattern: reason} gives for this compiler, or None."""
    for pattern, reason in table.items():
        if fnmatch.fnmatchcase(compiler, pattern):
            return reason
    return None


def programs_for(compiler):
    """Names of the programs that the compiler can do."""
    with open(os.path.join(HERE, "manifest.json")) as file:
        programs = json.load(file)["programs"]
    return [program["name"] for program in programs
            if for_compiler(program.get("skip", {}), compiler) is None]


class Builder:
    def __init__(self, compiler, runtime, scratch, peer=None):
        self.compiler, self.runtime, self.scratch, self.peer = compiler, runtime, scratch, peer
        self.name = os.path.basename(compiler)
        self.gnu = "gfortran" in self.name
        self.flags = ["-cpp", "-g", "-O1", "-fopenmp"]
        if self.gnu:
            self.flags += ["-ffree-line-length-none", "-J", scratch]
            self.library = "libgomp.so.1"
        else:
            resources = subprocess.run([compiler, "-print-resource-dir"], stdout=subprocess.PIPE,
                                       text=True).stdout
            modules = os.path.join(os.path.dirname(resources.strip()), "..", "..", "include", "flang")
            self.flags += ["-module-dir", scratch, "-fopenmp-version=52", "-I" + os.path.normpath(modules)]
            self.library = "libomp.so.5"
        self.link = {"runtime": [], "compiler": []}
        if runtime:
            # The compiler asks for the development name, which an installation need not have. gfortran has
            # its own libgomp to link with, as the programs of users have been; only what that lacks is linked
            # with the runtime.
            development = os.path.join(scratch, self.library.rsplit(".", 1)[0])
            if not os.path.lexists(development):
                os.symlink(os.path.join(os.path.abspath(runtime), self.library), development)
            self.link["runtime"] = ["-L" + scratch]
        if not self.gnu:
            self.link["compiler"] = self.link["runtime"] or [
                "-L/usr/lib/llvm-%d/lib" % version for version in range(30, 13, -1)
                if os.path.exists("/usr/lib/llvm-%d/lib/libomp.so" % version)]
            self.link["runtime"] = self.link["compiler"]
        self.module = None

    def compile(self, source, output, *arguments):
        return subprocess.run([self.compiler] + self.flags + [source] + list(arguments) + ["-o", output],
                              cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def checks(self):
        """The checks module's object, and its .mod file beside it."""
        if self.module is None:
            self.module = os.path.join(self.scratch, "check.o")
            done = self.compile("check.f90", self.module, "-c")
            if done.returncode:
                raise RuntimeError("check.f90: " + done.stdout)
        return self.module

    def omitted(self, program):
        found = {feature: for_compiler(table, self.name) for feature, table
                 in program.get("omit", {}).items()}
        for feature, table in program.get("peers", {}).items():
            if self.peer in table and feature:
                found[feature] = table[self.peer]
        return {feature: reason for feature, reason in found.items() if reason is not None}

    def skipped(self, program):
        """Why this compiler, or the peer, cannot do the program at all; None if it can."""
        return for_compiler(program.get("skip", {}),
                            self.name) or program.get("peers", {}).get("", {}).get(self.peer)

    def build(self, program, without=None):
        """Compiles and links one program; returns (path of it or None, the compiler's words)."""
        path = os.path.join(self.scratch, program["name"])
        if without is None:
            without = self.omitted(program)
        checks = self.checks()
        done = self.compile(program["name"] + ".f90", path, *["-DNO_" + feature for feature in without],
                            checks, *self.link[program.get("link", "compiler")])
        return (path if done.returncode == 0 else None), done.stdout

    def environment(self, program, threads):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("OMP_", "GOMP_", "KMP_", "LD_LIBRARY_PATH"))}
        env.update(OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false", NO_STOP_MESSAGE="1")
        cpus = sorted(os.sched_getaffinity(0))[:2]
        env["CONFORMANCE_CPUS"] = " ".join(map(str, cpus))
        env.update({name: value.replace("@places@", ",".join("{%d}" % cpu for cpu in cpus))
                    for name, value in program.get("env", {}).items()})
        if self.peer:
            env["KMP_WARNINGS"] = "false"
        if self.runtime:
            env["LD_LIBRARY_PATH"] = os.path.abspath(self.runtime)
        return env

    def elsewhere(self, path):
        """None if the loader takes this program's runtime from the directory, else what it says."""
        if not self.runtime:
            return None
        words = subprocess.run(["ldd", path], env=self.environment({}, 1), stdout=subprocess.PIPE,
                               text=True).stdout
        found = re.findall(r"(\S*lib(?:i?omp|gomp)\S*) => (not found|\S+)", words)
        wrong = [name + " => " + where for name, where in found
                 if not where.startswith(os.path.abspath(self.runtime) + os.sep)]
        return ", ".join(wrong) or (None if found else "no runtime at all")


def run_once(path, env):
    """Runs one program; returns (cases, None) or (cases or 0, what was wrong)."""
    try:
        done = subprocess.run([path], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 0, "did not end in %d s" % SECONDS
    counted = re.search(r"^cases (\d+)$", done.stdout, re.M)
    cases = int(counted.group(1)) if counted else 0
    rest = re.sub(r"^cases \d+\n", "", done.stdout, flags=re.M) + done.stderr
    if done.returncode == 0 and counted and not rest.strip():
        return cases, None
    return cases, "status %d\n%s" % (done.returncode, rest.strip()[:2000])


def conformance(compiler, runtime=None, names=(), threads=THREADS, say=print, scratch=None, probe=False,
                peer=None):
    """Runs the programs; returns {"programs", "cases", "runs", "failures": [sentence], "left_out":
    [sentence]}."""
    with open(os.path.join(HERE, "manifest.json")) as file:
        programs = json.load(file)["programs"]
    unknown = set(names) - {program["name"] for program in programs}
    if unknown:
        raise SystemExit("no such program: " + " ".join(sorted(unknown)))
    result = {"programs": 0, "cases": 0, "runs": 0, "failures": [], "left_out": []}
    own = scratch is None
    scratch = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")) if own else scratch
    os.makedirs(scratch, exist_ok=True)
    builder = Builder(compiler, runtime, scratch, peer)

    def fail(sentence):
        result["failures"].append(sentence)
        say("FAILED " + sentence)

    try:
        for program in programs:
            name = program["name"]
            if names and name not in names:
                continue
            reason = builder.skipped(program)
            left_out = builder.omitted(program)
            if probe:
                for feature in left_out:
                    path, words = builder.build(program, [other for other in left_out if other != feature])
                    failed = [n for n in threads if path
                              and run_once(path, builder.environment(program, n))[1]]
                    if path and not failed:
                        say("%s: %s works now" % (name, feature))
                if reason:
                    path, words = builder.build(program)
                    if path and not [n for n in threads
                                     if run_once(path, builder.environment(program, n))[1]]:
                        say("%s works now" % name)
                continue
            if reason:
                result["left_out"].append("%s: %s" % (name, reason))
                continue
            result["left_out"] += ["%s, %s: %s" % (name, feature, why) for feature, why in left_out.items()]
            path, words = builder.build(program)
            if path is None:
                fail("%s does not compile: %s" % (name, words.strip()[:2000]))
                continue
            if builder.elsewhere(path):
                fail("%s would run on %s" % (name, builder.elsewhere(path)))
                continue
            result["programs"] += 1
            most = 0
            for count in program.get("threads", threads):
                cases, wrong = run_once(path, builder.environment(program, count))
                most = max(most, cases)
                result["runs"] += 1
                if wrong:
                    fail("%s with %d threads: %s" % (name, count, wrong))
            result["cases"] += most
    finally:
        if own:
            shutil.rmtree(scratch, ignore_errors=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runtime", help="directory of the runtime; without it, the system's")
    parser.add_argument("--compiler", default="gfortran")
    parser.add_argument("--keep", help="directory to build in, which stays")
    parser.add_argument("--threads", type=int, action="append",
                        help="a number of threads, instead of 1, 2, 4 and 16")
    parser.add_argument("--probe", action="store_true",
                        help="try what the manifest leaves out for this compiler")
    parser.add_argument("--peer", choices=("libgomp", "libomp"), help="the runtime is this one of others")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    result = conformance(options.compiler, options.runtime, options.names, tuple(options.threads or THREADS),
                     scratch=options.keep, probe=options.probe, peer=options.peer)
    if options.probe:
        return 0
    for sentence in result["left_out"]:
        print("left out: " + sentence)
    print("programs %d, cases %d, runs %d, failures %d"
          % (result["programs"], result["cases"], result["runs"],
                                                           len(result["failures"])))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
