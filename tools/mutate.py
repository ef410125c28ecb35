# SPDX-License-Identifier: Apache-2.0
"""What the tests see of the runtime: each wait, fence, order and wake of its core taken away in turn.

    tools/mutate.py [OPTION...] [PATTERN...]

A mutant is one call in runtime/core/ that asks for less: an access made relaxed, a fence, a wait or a wake
that is not there. It has a name, of its file, function, kind and text, which stays when other code changes.
runtime/tests/mutants.tsv has for each the test that sees it, or, where none does, the reason. Without an
option, those are run that the list lacks; patterns (regular expressions) keep to a part. A run that is ended
goes on: each result is in the list at once.

  --all            run those that have a result, too
  --alive          run those that no test has seen
  --sample N       run N of those that the stress saw at once: each must be seen again
  --seed S         of the sample
  --seconds S      begin no other mutant after that time
  --jobs N         mutants at once (default 2)
  --work FOLDER    what is built (default: in the user's cache)
  --list           print the names and where they are; run nothing
  --check          compare the names with the list; run nothing
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNTIME = os.path.join(TREE, "runtime")
sys.path[:0] = [os.path.join(RUNTIME, "tests"), os.path.join(RUNTIME, "tests", "litmus")]

import accesses  # noqa: E402
import orders  # noqa: E402

LIST = os.path.join(RUNTIME, "tests", "mutants.tsv")
WAKE = re.compile(r"(rt_\w*(wake|notify)\w*|pair_wake|dock_wake|dock_summon|rt_dock_call|rt_turn_pass\w*|"
                  r"rt_turns_void|rt_mutex_unlock\w*)$")
WAIT = re.compile(r"(rt_\w*wait\w*|wait_\w+|\w+_wait|\w+_sleep|sleep_on|rt_(mutex_lock|lock|spin)_slow)$")
# They say what a thread waits for, or have a result without which nothing compiles.
NO_WAIT = {"rt_enter_wait", "rt_report_wait", "rt_dock_wait"}
FENCE = {"atomic_thread_fence": "0", "atomic_signal_fence": "0", "rt_arch_full_after_rmw": "0",
         "rt_membarrier": "1"}
# What a reason begins with (docs/testing.md).
REASON = re.compile(r"(equal|stronger|debugger|tool|c11|rare): .")
LOOP = re.compile(r"\bwhile \(")
LOOKS = re.compile(r"\brt_acquire\(|\batomic_load")


# ---- the mutants ---------------------------------------------------------------------------------------

class Mutant:
    def __init__(self, path, function, kind, what, line, start, end, instead):
        self.path, self.line = path, line
        self.name = "%s %s %s %s" % (path, function, kind, what)
        self.kind, self.start, self.end, self.instead = kind, start, end, instead

    def apply(self, text):
        return text[:self.start] + self.instead + text[self.end:]


def relaxed(call):
    """The text of an access with no order, or None."""
    if call.name in ("rt_acquire", "rt_publish"):
        return ("rt_load" if call.name == "rt_acquire" else "rt_store") + call.text[len(call.name):]
    if call.order() in (None, "relaxed"):
        return None
    return accesses.ORDER.sub(lambda found: "memory_order_relaxed" if found.group(1) else "__ATOMIC_RELAXED",
                              call.text)


def mutants_of_call(call):
    """(kind, text instead) or None."""
    if call.name in FENCE:
        return "no-fence", FENCE[call.name]
    if WAKE.match(call.name):
        return "no-wake", "0"
    if WAIT.match(call.name) and call.name not in NO_WAIT:
        return "no-wait", "0"
    less = relaxed(call)
    return ("relaxed", less) if less else None


def mutants_of(path):
    """In the order of the file."""
    with open(os.path.join(RUNTIME, path), encoding="utf-8") as file:
        text = file.read()
    clean = accesses.without_comments(text)
    found = []
    for call in accesses.calls(text):
        changed = mutants_of_call(call)
        if changed and call.function not in accesses.BY_NAME.keys() - FENCE.keys():
            found.append(Mutant(path, call.function, changed[0], str(call), call.line, call.start, call.end,
                                changed[1]))
    for function, start, end in accesses.functions(clean):
        for loop in LOOP.finditer(clean, start, end):
            close = accesses.closing(clean, loop.end() - 1)
            condition = clean[loop.end() - 1:close]
            # That of `do ... while` has been through once; so has a list that ends.
            if LOOKS.search(condition) and not clean[:loop.start()].rstrip().endswith("}"):
                found.append(Mutant(path, function, "no-wait", "while " + " ".join(condition.split()),
                                    clean.count("\n", 0, loop.start()) + 1, loop.start(), close,
                                    "while (0 && %s)" % condition))
    found.sort(key=lambda mutant: mutant.start)
    return found


def all_mutants():
    found, seen = [], {}
    for path in sorted(glob.glob(os.path.join(RUNTIME, "core", "*.[ch]"))):
        for mutant in mutants_of(os.path.relpath(path, RUNTIME)):
            seen[mutant.name] = number = seen.get(mutant.name, 0) + 1
            if number > 1:
                mutant.name += " #%d" % number
            found.append(mutant)
    return found


# ---- the list ------------------------------------------------------------------------------------------

def read_list(path=LIST):
    """{name: [who sees it, seconds, reason]}"""
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    name, *rest = line.rstrip("\n").split("\t")
                    known[name] = (rest + ["", "", ""])[:3]
    return known


def write_list(known, names):
    with open(LIST + ".new", "w", encoding="utf-8") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0\n"
                   "# mutant\tseen by\tseconds\twhy no test sees it (tools/mutate.py)\n")
        for name in names:
            if name in known:
                file.write("\t".join([name] + known[name]).rstrip("\t") + "\n")
    os.rename(LIST + ".new", LIST)


def complaints(names, known):
    """What the list lacks."""
    found = ["the list has no mutant '%s'" % name for name in names if name not in known]
    found += ["the code has no mutant '%s' any more" % name for name in known if name not in names]
    return found + ["neither a test nor a reason: '%s'" % name for name, (seen, _, reason) in known.items()
                    if not seen and not REASON.match(reason)]


# ---- building ------------------------------------------------------------------------------------------

COMMON = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-w", "-fno-omit-frame-pointer",
          "-fno-strict-aliasing", "-falign-functions=64"]
# What is built of the runtime's sources: a library, one under ThreadSanitizer, and what unit tests link with.
KINDS = {"plain": [], "tsan": ["-fsanitize=thread"], "static": ["-DRT_STATIC"]}
SONAMES = ("libompcompanion.so.1", "libomp.so", "libomp.so.5", "libgomp.so.1", "libgomp.so")
UNITS = {
    "edge_test": [],
    "mutex_test": ["rt_futex_wait", "rt_futex_wait_bits_for", "rt_membarrier"],
    "waiting_test": ["clock_gettime", "rt_futex_wait_bits", "rt_futex_wait_bits_for", "rt_futex_wake_bits",
                     "rt_patience_spent", "sched_yield"],
}


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          **options)
    if done.returncode != 0:
        raise RuntimeError("%s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def contents(folder):
    """{path: what the file has} of the sources in a Tree."""
    found = {}
    for room in ("runtime", "include"):
        for place, _, names in os.walk(os.path.join(folder, room)):
            for name in names:
                with open(os.path.join(place, name), "rb") as file:
                    found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return found


def is_newer(path, sources):
    return os.path.exists(path) and os.stat(path).st_mtime > max(os.stat(s).st_mtime for s in sources)


class Tree:
    """A copy of the runtime's sources, in which one file at a time is changed, and what is built of it."""

    def __init__(self, folder):
        """Keeps what was built before of the same sources."""
        self.folder, self.depends = folder, {}
        shutil.rmtree(folder + ".new", ignore_errors=True)
        for room in ("core", "abi", "tools"):
            shutil.copytree(os.path.join(RUNTIME, room), os.path.join(folder + ".new", "runtime", room),
                            ignore=shutil.ignore_patterns("tests", "BUILD"))
        for name in ("layout.def", "libompcompanion.lds"):
            shutil.copy(os.path.join(RUNTIME, name), os.path.join(folder + ".new", "runtime"))
        shutil.copytree(os.path.join(TREE, "include"), os.path.join(folder + ".new", "include"))
        if contents(folder + ".new") != contents(folder):
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(folder + ".new", folder)
        shutil.rmtree(folder + ".new", ignore_errors=True)
        self.sources = sorted(os.path.relpath(path, self.path("runtime")) for room in ("core", "abi", "tools")
                              for ending in ("c", "S")
                              for path in glob.glob(self.path("runtime", room, "*." + ending)))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def object(self, kind, source, changed=False):
        return self.path("changed" if changed else "objects", kind, source.replace("/", "_") + ".o")

    def compile(self, kind, source, changed=False):
        target = self.object(kind, source, changed)
        if not changed and os.path.exists(target):
            return target
        os.makedirs(os.path.dirname(target), exist_ok=True)
        run(["gcc", *COMMON, *KINDS[kind], "-I.", "-Iinclude", "-MMD", "-MF", target + ".d", "-c",
             "runtime/" + source, "-o", target], cwd=self.folder)
        return target

    def build(self, kinds, pool):
        """All of it as it is."""
        list(pool.map(lambda work: self.compile(*work), [(k, s) for k in kinds for s in self.sources]))
        for source in self.sources:
            with open(self.object("plain", source) + ".d", encoding="utf-8") as file:
                names = file.read().replace("\\\n", " ").split()
            for name in names:
                if name.startswith("runtime/"):
                    place = os.path.normpath(name[len("runtime/"):])
                    self.depends.setdefault(place, set()).add(source)

    def share(self, other):
        """What another copy has built."""
        shutil.rmtree(self.path("objects"), ignore_errors=True)
        shutil.copytree(other.path("objects"), self.path("objects"))
        self.depends = other.depends

    def recompile(self, kind, path):
        """What depends on `path`; returns whether the machine code differs."""
        shutil.rmtree(self.path("changed", kind), ignore_errors=True)
        differs = False
        for source in sorted(self.depends.get(path, ())):
            with open(self.compile(kind, source, True), "rb") as new, \
                    open(self.object(kind, source), "rb") as old:
                differs |= new.read() != old.read()
        return differs

    def objects(self, kind):
        return [new if os.path.exists(new) else self.object(kind, source)
                for source in self.sources for new in [self.object(kind, source, True)]]

    def link(self, kind):
        """The folder of the library."""
        place = self.path("lib", kind)
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        run(["gcc", *KINDS[kind], "-shared", "-o", os.path.join(place, "lib.so"), *self.objects(kind),
             "-pthread", "-ldl", "-Wl,--as-needed,-z,nodelete,-soname,libompcompanion.so.1",
             "-Wl,--version-script=" + self.path("runtime", "libompcompanion.lds")])
        for name in SONAMES:
            os.symlink("lib.so", os.path.join(place, name))
        return place


class Programs:
    """The tests' programs, built once."""

    def __init__(self, folder, tree, units, pool):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        plain = tree.link("plain")
        stress = sorted(glob.glob(os.path.join(RUNTIME, "tests", "stress", "*.c")))
        include = "-I" + os.path.join(TREE, "include")
        jobs = []
        for compiler in ("gcc", "clang"):
            for tsan in (False, True):
                name = "stress_%s%s" % (compiler, "_tsan" if tsan else "")
                jobs.append(pool.submit(self.stress, name, compiler, tsan, stress, include, plain))
        jobs += [pool.submit(self.unit, name) for name in units]
        for job in jobs:
            job.result()

    def path(self, name):
        return os.path.join(self.folder, name)

    def stress(self, name, compiler, tsan, sources, include, library):
        """clang's objects get gcc's ThreadSanitizer, as the library has it: there is one in a process."""
        if is_newer(self.path(name), sources + glob.glob(os.path.join(RUNTIME, "tests", "stress", "*.h"))):
            return
        flags = ["-fsanitize=thread"] if tsan else []
        objects = []
        for source in sources:
            objects.append(self.path("%s_%s.o" % (name, os.path.basename(source))))
            run([compiler, "-std=gnu11", "-O1", "-g", "-w", "-fopenmp", *flags, include, "-c", source, "-o",
                 objects[-1]])
        run(["gcc", *flags, *objects, "-o", self.path(name), "-L" + library,
             "-lgomp" if compiler == "gcc" else "-lomp", "-pthread", "-lm"])

    def unit(self, name):
        tests = os.path.join(RUNTIME, "tests")
        if is_newer(self.path(name + ".o"), glob.glob(os.path.join(tests, name.replace("_test", "_*")))):
            return
        flags = ["-O1", "-g", "-w", "-I" + TREE, "-I" + TREE + "/include", "-I" + RUNTIME]
        run(["gcc", "-std=gnu11", *flags, "-DRT_STATIC", "-c",
             os.path.join(tests, name.replace("_test", "_cases.c")), "-o", self.path(name + "_cases.o")])
        run(["g++", *flags, "-c", os.path.join(tests, name + ".cc"), "-o", self.path(name + ".o")])


# ---- the tests -----------------------------------------------------------------------------------------

# All that the stress sees of its settings: STRESS_STARTED keeps it from drawing others by its seed.
FIXED = {"STRESS_STARTED": "0", "OMP_MAX_ACTIVE_LEVELS": "10", "OMP_DYNAMIC": "false"}
OFF = {"OMP_CANCELLATION": "false", "OMP_WAIT_POLICY": "passive"}
TREES = {"OMP_CANCELLATION": "false", "OMPC_BARRIER_CLUSTER": "1"}
ON = {"OMP_CANCELLATION": "true"}
BOUND = {"OMP_CANCELLATION": "false", "OMP_PROC_BIND": "close", "OMP_MAX_TASK_PRIORITY": "10"}
SLICE = 2.0  # seconds of the stress
QUICK = 5.0  # a mutant that was seen within so long will be seen each time
PATIENCE = {False: 10, True: 20}  # without the end of a scenario, under ThreadSanitizer: a hang
RUNS = [("gcc", OFF), ("clang", TREES), ("clang", ON), ("gcc", BOUND)]


def limited(command, env, seconds):
    """(status, output); the status is None after so long."""
    child = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, universal_newlines=True, start_new_session=True,
                             errors="replace")
    try:
        output, _ = child.communicate(timeout=seconds)
        return child.returncode, output
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def environment(library, settings, patience=0):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP", "GOMP", "KMP", "STRESS"))}
    return dict(env, LD_LIBRARY_PATH=library, STRESS_PATIENCE=str(patience), OMP_STACKSIZE="256K", **settings)


def stress(programs, library, compiler, settings, seed, tsan):
    """How it has failed, or ""."""
    command = [programs.path("stress_%s%s" % (compiler, "_tsan" if tsan else ""))]
    env = environment(library, dict(settings, **FIXED), PATIENCE[tsan])
    if tsan:
        # ThreadSanitizer ends a child of fork() that makes threads.
        command += ["-x", "forks", "-x", "forks_inside"]
        env["TSAN_OPTIONS"] = "halt_on_error=1:exitcode=66:handle_segv=0:handle_abort=0:atexit_sleep_ms=50"
    status, output = limited(command + [str(SLICE), str(seed)], env, 3 * (SLICE + PATIENCE[tsan]))
    told = re.search(r"^seed \d+:(.*)", output, re.M)
    if status == 0 and not told:
        raise RuntimeError("the stress does not say its settings:\n" + output[-500:])
    if status == 0 and sorted(told.group(1).split()) != sorted("%s=%s" % pair for pair in settings.items()):
        raise RuntimeError("the stress has other settings than it was given:" + told.group(1))
    race = re.search(r"SUMMARY: ThreadSanitizer: .* in (\w+)", output)
    hang = status is None or " hangs: " in output
    return ("" if status == 0 else "race in " + race.group(1) if race else "hang" if hang else
            "crash" if " crashed: " in output else "wrong")


def unit(programs, tree, name):
    program = tree.path(name)
    run(["g++", programs.path(name + ".o"), programs.path(name + "_cases.o"), *tree.objects("static"), "-o",
         program, "-pthread", "-ldl", *["-Wl,--wrap=" + function for function in UNITS[name]], "-lgtest",
         "-lgtest_main"])
    status, _ = limited([program, "--gtest_brief=1"], environment("", {}), 60)
    return status != 0


def seen_by(mutant, tree, programs, units, litmus):
    """(the first test that sees it and what it sees, seconds until then), or ("", seconds)."""
    if mutant.name in litmus:
        return "litmus_test, " + litmus[mutant.name], 0.0
    differs = tree.recompile("plain", mutant.path)
    started = time.monotonic()
    for tsan in ([False] if differs else []) + [True]:
        kind = "tsan" if tsan else "plain"
        if tsan:
            tree.recompile(kind, mutant.path)
        library = tree.link(kind)
        for i, (compiler, settings) in enumerate(RUNS):
            failure = stress(programs, library, compiler, settings, i, tsan)
            if failure:
                return ("stress%s, %s: %s" % ("_tsan" if tsan else "", compiler, failure),
                        time.monotonic() - started)
    if differs and units:
        tree.recompile("static", mutant.path)
        for name in units:
            if unit(programs, tree, name):
                return name, time.monotonic() - started
    return "", time.monotonic() - started


# ---- the run -------------------------------------------------------------------------------------------

class Run:
    def __init__(self, options, mutants):
        self.options, self.todo = options, mutants
        self.known = read_list()
        self.names = [mutant.name for mutant in all_mutants()]
        self.lock = threading.Lock()
        self.end = time.monotonic() + options.seconds
        self.missed = []
        # Those of a sample were seen before it came to the unit tests.
        self.units = {} if options.sample else UNITS

    def prepare(self):
        work = self.options.work
        jobs = max(1, min(self.options.jobs, len(self.todo)))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.trees = [Tree(os.path.join(work, "tree%d" % i)) for i in range(jobs)]
            self.trees[0].build([kind for kind in KINDS if self.units or kind != "static"], pool)
            for tree in self.trees[1:]:
                tree.share(self.trees[0])
            self.programs = Programs(os.path.join(work, "programs"), self.trees[0], self.units, pool)
        tests = {}
        for test, calls in orders.where().items():
            for path, call in calls:
                tests.setdefault((path, call.start), test)
        self.litmus = {mutant.name: tests[mutant.path, mutant.start] for mutant in all_mutants()
                       if mutant.kind in ("relaxed", "no-fence") and (mutant.path, mutant.start) in tests}

    def one(self, tree, mutant):
        source = tree.path("runtime", mutant.path)
        with open(source, encoding="utf-8") as file:
            text = file.read()
        try:
            with open(source, "w", encoding="utf-8") as file:
                file.write(mutant.apply(text))
            return seen_by(mutant, tree, self.programs, self.units,
                           {} if self.options.sample else self.litmus)
        finally:
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            shutil.rmtree(tree.path("changed"), ignore_errors=True)

    def worker(self, tree):
        while True:
            with self.lock:
                if not self.todo or time.monotonic() > self.end:
                    return
                mutant = self.todo.pop(0)
            try:
                seen, seconds = self.one(tree, mutant)
            except RuntimeError as error:  # it does not compile
                print("%s: %s" % (mutant.name, error), flush=True)
                continue
            self.tell(mutant, seen, seconds)

    def tell(self, mutant, seen, seconds):
        with self.lock:
            print("%-32s %5.1f s  %s (line %d)" % (seen or "ALIVE", seconds, mutant.name, mutant.line),
                  flush=True)
            if self.options.sample:
                self.missed += [] if seen else [mutant.name]
                return
            reason = self.known.get(mutant.name, ["", "", ""])[2]
            self.known[mutant.name] = [seen, "%.1f" % seconds if seen else "", "" if seen else reason]
            write_list(self.known, self.names)

    def check_unchanged(self):
        """Each test holds for the code as it is: else it would see everything."""
        tree = self.trees[0]
        libraries = {tsan: tree.link("tsan" if tsan else "plain") for tsan in (False, True)}
        for i, (compiler, settings) in enumerate(RUNS):
            for tsan, library in libraries.items():
                if stress(self.programs, library, compiler, settings, i, tsan):
                    raise RuntimeError("the stress fails without a mutant: %s %s" % (compiler, settings))
        for name in self.units:
            if unit(self.programs, tree, name):
                raise RuntimeError("%s fails without a mutant" % name)

    def go(self):
        self.prepare()
        self.check_unchanged()
        workers = [threading.Thread(target=self.worker, args=(tree,)) for tree in self.trees]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def wanted(options, mutants, known):
    if options.sample:
        quick = [m for m in mutants if known.get(m.name, ["", "", ""])[1] not in ("", "0.0")
                 and float(known[m.name][1]) <= QUICK]
        return random.Random(options.seed).sample(quick, min(options.sample, len(quick)))
    patterns = [re.compile(pattern) for pattern in options.patterns]

    def runs(mutant):
        fits = not patterns or any(pattern.search(mutant.name) for pattern in patterns)
        return fits and (options.all or mutant.name not in known or
                         options.alive and not known[mutant.name][0])
    return [mutant for mutant in mutants if runs(mutant)]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="regular expressions of names")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--alive", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "ompd-tools", "mutants"))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    mutants, known = all_mutants(), read_list()
    if options.list:
        for mutant in mutants:
            print("%s (line %d)" % (mutant.name, mutant.line))
        return 0
    if options.check:
        found = complaints([mutant.name for mutant in mutants], known)
        print("\n".join(found) or "%d mutants, all in the list" % len(mutants))
        return 1 if found else 0
    work = Run(options, wanted(options, mutants, known))
    print("%d of %d mutants to run" % (len(work.todo), len(mutants)), flush=True)
    work.go()
    if options.sample:
        print("%d not seen: %s" % (len(work.missed), ", ".join(work.missed)))
        return 1 if work.missed else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
