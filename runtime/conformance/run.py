#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the conformance programs and runs them under an OpenMP runtime.

By hand:
    run.py --runtime DIR [--compiler gcc|clang|gcc12|...] [--threads 1,2,4,16] [NAME ...]
DIR has the runtime under the names that programs ask for (libomp.so.5, libgomp.so.1); it is searched first
by the loader, and by the linker when it has libomp.so or libgomp.so (not with --drop-in: the programs then
ask for the compiler's own runtime by its name and versions). Without --runtime the compiler's own is used.
--programs DIR takes programs built before (DIR/NAME_COMPILER), --build DIR keeps what is built.

manifest.json says for each program which compilers lack what it needs ("without", with the reason), its
flags and environment, and which peers fail it and why. A program with a line in "peers" runs all the same on
every other runtime. As a module: conformance(...) returns one Result for each run.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2, 4, 16)
TIMEOUT = 60
ALIASES = {"gcc": "gcc12", "clang": "clang14"}

# kind: passed, failed, known (a peer's failure that the manifest explains), skipped
Result = collections.namedtuple("Result", "program compiler threads kind cases text")


def load_manifest(path=os.path.join(HERE, "manifest.json")):
    with open(path) as f:
        return json.load(f)


def build_command(manifest, program, compiler, output, link_dirs=(), include=None, extra=()):
    """The command that makes `output`; link_dirs are searched for the runtime before the system's."""
    tool = manifest["compilers"][compiler]
    source = program["source"]
    command = [tool["cxx"] if source.endswith(".cc") else tool["cc"], "-O2", "-Wall", "-fopenmp"]
    command += tool.get("flags", [])
    if source.endswith(".cc"):
        command += tool.get("cxxflags", [])
    command += (program.get("flags", []) + program.get("flags_" + tool["family"], []) +
                program.get("flags_" + compiler, []) + list(extra))
    if include is None and not tool["has_omp_h"]:
        include = os.path.join(HERE, "..", "..", "include")
    if include:
        command += ["-I", include]
    command += ["-o", output, os.path.join(HERE, source)]
    for d in link_dirs:
        command += ["-L", d]
    return command + program.get("libs", [])


def build(manifest, program, compiler, output, **options):
    """Compiler's messages and whether it succeeded; a warning is a failure, too."""
    done = subprocess.run(build_command(manifest, program, compiler, output, **options),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.stdout, done.returncode == 0 and not done.stdout.strip()


def run(path, program, threads, runtime=None, environment=None, timeout=TIMEOUT):
    """(passed, cases, output) of one run."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
    env["OMP_NUM_THREADS"] = str(threads)
    if runtime:
        env["LD_LIBRARY_PATH"] = os.pathsep.join([os.path.abspath(runtime)] +
                                                 [d for d in [env.get("LD_LIBRARY_PATH")] if d])
    env.update(program.get("env", {}))
    env.update(environment or {})
    process = subprocess.Popen([path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, env=env, start_new_session=True)
    note = ""
    try:
        output = process.communicate(timeout=timeout)[0]
    except subprocess.TimeoutExpired:
        note = "timeout after %d s\n" % timeout
        process.terminate()  # the program says which case it is in
        try:
            output = process.communicate(timeout=5)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0]
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what a program has left behind, such as a child of fork
    except ProcessLookupError:
        pass
    text = output.decode(errors="replace")
    cases = 0
    for line in text.splitlines():
        if line.startswith("cases "):
            cases = int(line.split()[1])
    passed = process.returncode == 0 and not note and cases > 0
    if not passed:
        note += "exit status %d\n" % process.returncode
    return passed, cases, note + text


def conformance(compiler, runtime=None, names=(), threads=THREADS, peer=None, programs=None, keep=None,
                environment=None, jobs=2, include=None, report=None, drop_in=False):
    """Builds and runs all that `compiler` can compile; one Result for each run, or for a failed build.

    peer: the key of the manifest's "peers" by which known failures are told; programs: a directory of built
    ones; keep: a directory for what is built here; report: called with each Result; drop_in: link with the
    compiler's own runtime, so that the programs ask for its name and symbol versions.
    """
    compiler = ALIASES.get(compiler, compiler)
    manifest = load_manifest()
    chosen = [p for p in manifest["programs"] if not names or p["name"] in names]
    unknown = set(names) - {p["name"] for p in chosen}
    if unknown:
        raise SystemExit("no such program: " + ", ".join(sorted(unknown)))
    directory = keep or tempfile.mkdtemp(prefix="conformance")
    os.makedirs(directory, exist_ok=True)
    link = [runtime] if runtime and not drop_in and any(os.path.exists(os.path.join(runtime, n))
                                                        for n in ("libomp.so", "libgomp.so")) else []

    def one(program):
        name = program["name"]
        reason = program.get("without", {}).get(compiler)
        if drop_in and not reason:
            reason = program.get("without_drop_in", {}).get(manifest["compilers"][compiler]["family"])
        if reason:
            return [Result(name, compiler, 0, "skipped", 0, reason)]
        path = os.path.join(programs or directory, name + "_" + compiler)
        known = program.get("peers", {}).get(peer) if peer else None
        if not programs:
            text, fine = build(manifest, program, compiler, path, link_dirs=link, include=include)
            if not fine:
                return [Result(name, compiler, 0, "known" if known else "failed", 0,
                               "build:\n" + text + (known or ""))]
        results = []
        for n in program.get("threads", threads):
            passed, cases, text = run(path, program, n, runtime, environment)
            kind = "passed" if passed else "known" if known else "failed"
            results.append(Result(name, compiler, n, kind, cases, text if not known else known + "\n" + text))
            if not passed and text.startswith("timeout"):
                break  # the others would take as long
        return results

    everything = []
    try:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for results in pool.map(one, chosen):
                everything += results
                if report:
                    for r in results:
                        report(r)
    finally:
        if not keep:
            shutil.rmtree(directory, ignore_errors=True)
    return everything


def summary(results):
    """The line that ends a report."""
    count = collections.Counter(r.kind for r in results)
    ran = [r for r in results if r.threads]
    cases = {}
    for r in ran:
        cases[r.program] = max(cases.get(r.program, 0), r.cases)
    told = tuple(count[kind] for kind in ("passed", "failed", "known", "skipped"))
    return "programs %d, cases %d, runs %d: %d passed, %d failed, %d known, %d skipped" % (
        (len(cases), sum(cases.values()), len(ran)) + told)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", help="directory with libomp.so.5 and libgomp.so.1")
    parser.add_argument("--compiler", default="gcc", help="gcc (12), clang (14) or a key of the manifest")
    parser.add_argument("--threads", default=",".join(map(str, THREADS)))
    parser.add_argument("--peer", metavar="KEY",
                        help="a key of the manifest's peers: failures that it explains do not count")
    parser.add_argument("--programs", help="directory of programs built before")
    parser.add_argument("--drop-in", action="store_true", help="link with the compiler's own runtime")
    parser.add_argument("--build", help="directory that keeps what is built")
    parser.add_argument("--include", help="directory of omp.h; default the compiler's, or this repository's")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", "-v", action="store_true", help="a line for each run")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()

    def report(r):
        if r.kind == "failed":
            print("FAILED %s %s threads=%d\n    %s" % (r.program, r.compiler, r.threads,
                                                      "\n    ".join(r.text.splitlines()[:25])), flush=True)
        elif args.verbose or r.kind == "known":
            told = r.text.splitlines()[0] if r.kind != "passed" else r.cases
            print("%s %s %s threads=%d %s" % (r.kind, r.program, r.compiler, r.threads, told), flush=True)

    results = conformance(args.compiler, args.runtime, args.names, [int(n) for n in args.threads.split(",")],
                          args.peer, args.programs, args.build, jobs=args.jobs, include=args.include,
                          report=report, drop_in=args.drop_in)
    print(summary(results))
    return 1 if any(r.kind == "failed" for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
