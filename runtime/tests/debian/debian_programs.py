# SPDX-License-Identifier: Apache-2.0
"""Programs and libraries of Debian that use OpenMP, unchanged, on Companion and on libgomp: the same output?

    debian_programs.py LIBRARY [PROGRAM...]     LIBRARY: libompcompanion.so.1.0.0; without PROGRAM all of them
    debian_programs.py --list                   the programs and the packages that they are in

Each runs with 1, 2 and 4 threads on either runtime. Which library was in use is read from the loader
(LD_DEBUG=libs), and that there were threads from OMP_DISPLAY_AFFINITY. Prints a table; exit 1 when anything
differs.
"""

import array
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = (1, 2, 4)
SECONDS = 300


class Failed(Exception):
    pass


class Program:
    """What the runs of a program have in common. OUTPUTS are the files that are compared, with what the last
    command writes to stdout."""

    name = packages = ""
    command = ""  # what must be there
    numbers = False  # doubles, to be compared as such where bytes differ

    def prepare(self, folder):
        """Makes the input in FOLDER; the same for all runs."""

    def commands(self, folder, threads):
        """Commands to run in an empty folder, one after another; stdout of each counts."""
        raise NotImplementedError

    def outputs(self):
        """Files that count besides, as patterns."""
        return ()

    def there(self):
        return os.path.exists(self.command) if os.sep in self.command else shutil.which(self.command)


class GraphicsMagick(Program):
    name, packages, command = "GraphicsMagick", "graphicsmagick", "gm"

    def prepare(self, folder):
        for image, source in (("logo", "logo:"), ("granite", "granite:"), ("gradient", "gradient:navy-gold")):
            subprocess.run(["gm", "convert", "-size", "480x360", source, "-resize", "480x360!",
                            os.path.join(folder, image + ".ppm")], check=True)

    def commands(self, folder, threads):
        logo, granite, gradient = (os.path.join(folder, name + ".ppm")
                                   for name in ("logo", "granite", "gradient"))
        for i, steps in enumerate((
                "-blur 0x3 -resize 61% -sharpen 0x1", "-gaussian 4x2 -rotate 17 -crop 300x200+40+30",
                "-median 2 -edge 1", "-emboss 1 -modulate 110,80,95", "-swirl 90 -implode 0.3",
                "-equalize -gamma 1.4", "-normalize -scale 200%", "-colorspace GRAY -charcoal 1",
                "-wave 8x60 -shade 30x30", "-colors 32 -spread 0 -motion-blur 0x6+30",
                "-unsharp 0x2+1+0.05 -filter Lanczos -resize 333x222!", "-type Palette -segment 0.5x1.5",
                "-solarize 40% -negate -contrast -enhance -paint 2")):
            yield ["gm", "convert", logo] + steps.split() + ["step%02d.ppm" % i]
        for compose in ("Over", "Multiply", "Difference", "Plus", "Xor", "Screen"):
            yield ["gm", "composite", "-compose", compose, logo, granite, "with_%s.ppm" % compose]
        yield ["gm", "composite", "-dissolve", "40", gradient, logo, "dissolved.ppm"]
        yield ["gm", "composite", "-displace", "9x9", gradient, logo, "displaced.ppm"]
        yield ["gm", "compare", "-metric", "PSNR", logo, granite]
        yield ["gm", "identify", "-verbose", "step01.ppm"]

    def outputs(self):
        return ("*.ppm",)


class Driver(Program):
    """A driver of a library, compiled here."""

    source = ""
    options = ()

    def prepare(self, folder):
        subprocess.run(["gcc", "-O2", "-fopenmp", os.path.join(HERE, self.source), "-o",
                        os.path.join(folder, "driver"), *self.options], check=True)

    def commands(self, folder, threads):
        yield [os.path.join(folder, "driver")]


class FFTW(Driver):
    name, packages, command = "FFTW 3", "libfftw3-dev", "/usr/include/fftw3.h"
    source, options = "fftw_driver.c", ("-lfftw3_omp", "-lfftw3", "-lm")


class OpenBLAS(Driver):
    name, packages = "OpenBLAS", "libopenblas0-openmp"
    command = "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0"
    source, options = "blas_driver.c", (command, "-Wl,-rpath," + os.path.dirname(command))
    numbers = True


def family(letters, count, length, seed):
    """COUNT sequences that descend from one another."""
    rng = random.Random(seed)
    known = ["".join(rng.choice(letters) for _ in range(length))]
    while len(known) < count:
        parent = rng.choice(known)
        child = []
        for letter in parent:
            dice = rng.random()
            if dice < 0.004:
                continue
            child.append(rng.choice(letters) if dice < 0.06 else letter)
            if dice > 0.996:
                child.append(rng.choice(letters))
        known.append("".join(child))
    return known


def fasta(folder, name, sequences):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        for i, sequence in enumerate(sequences):
            f.write(">s%d\n%s\n" % (i, sequence))
    return path


class Clustal(Program):
    name, packages, command = "Clustal Omega", "clustalo", "clustalo"

    def prepare(self, folder):
        fasta(folder, "in.fa", family("ACDEFGHIKLMNPQRSTVWY", 120, 150, 1))

    def commands(self, folder, threads):
        yield ["clustalo", "-i", os.path.join(folder, "in.fa"), "--threads=%d" % threads]


class Muscle(Program):
    name, packages, command = "MUSCLE 5", "muscle", "muscle"

    def prepare(self, folder):
        fasta(folder, "in.fa", family("ACDEFGHIKLMNPQRSTVWY", 24, 90, 2))

    def commands(self, folder, threads):
        yield ["muscle", "-align", os.path.join(folder, "in.fa"), "-output", "out.fa", "-threads",
               str(threads)]

    def outputs(self):
        return ("out.fa",)


class FastTree(Program):
    name, packages, command = "FastTreeMP", "fasttree", "fasttreeMP"

    def prepare(self, folder):
        aligned = [s[:400] for s in family("ACGT", 200, 420, 3)]
        fasta(folder, "in.fa", [s.ljust(400, "-") for s in aligned])

    def commands(self, folder, threads):
        yield ["fasttreeMP", "-nt", "-quiet", "-seed", "1", os.path.join(folder, "in.fa")]


class SumaClust(Program):
    name, packages, command = "SumaClust", "sumaclust", "sumaclust"

    def prepare(self, folder):
        fasta(folder, "in.fa", [s.lower() for s in family("ACGT", 400, 200, 4)])

    def commands(self, folder, threads):
        yield ["sumaclust", "-p", str(threads), "-t", "0.95", os.path.join(folder, "in.fa")]


class IQTree(Program):
    name, packages, command = "IQ-TREE 2", "iqtree", "iqtree2"

    def prepare(self, folder):
        fasta(folder, "in.fa", [s[:90].ljust(90, "-") for s in family("ACGT", 4, 100, 5)])

    def commands(self, folder, threads):
        # It refuses more threads than processors.
        yield ["iqtree2", "-s", os.path.join(folder, "in.fa"), "-m", "JC", "-nt",
               str(min(threads, os.cpu_count() or 1)), "-seed", "7", "-pre", "out", "-quiet", "-redo"]

    def outputs(self):
        return ("out.treefile",)


PROGRAMS = [GraphicsMagick, FFTW, OpenBLAS, Clustal, Muscle, FastTree, SumaClust, IQTree]


def environment(library_path, threads, **more):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMP_", "GOMP_", "KMP_", "MAGICK_", "LD_"))}
    env.update(OMP_NUM_THREADS=str(threads), LC_ALL="C", **more)
    if library_path:
        env["LD_LIBRARY_PATH"] = library_path
    return env


def run(program, made, library_path, threads, **more):
    """Runs a program once; returns ({name: bytes}, seconds, what went to stderr)."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        results, errors, start = {}, b"", time.monotonic()
        for i, command in enumerate(program.commands(made, threads)):
            done = subprocess.run(command, cwd=folder, env=environment(library_path, threads, **more),
                                  timeout=SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            if done.returncode:
                raise Failed("%s: exit %d: %s" % (" ".join(command), done.returncode,
                                                  done.stderr.decode(errors="replace").strip()[-400:]))
            # Paths and times are the run's own.
            lines = [line for line in done.stdout.splitlines(keepends=True)
                     if b"User Time" not in line and b"Elapsed" not in line and b"Pixels Per Second"
                     not in line]
            results["stdout %d" % i] = b"".join(lines) if not program.numbers else done.stdout
            errors += done.stderr
        seconds = time.monotonic() - start
        for pattern in program.outputs():
            for path in sorted(glob.glob(os.path.join(folder, pattern))):
                with open(path, "rb") as f:
                    results[os.path.basename(path)] = f.read()
        return results, seconds, errors


def in_use(program, made, library_path):
    """The OpenMP runtimes that the loader started in one run."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        run(program, made, library_path, 2, LD_DEBUG="libs", LD_DEBUG_OUTPUT=os.path.join(folder, "ld"))
        found = set()
        for path in glob.glob(os.path.join(folder, "ld.*")):
            with open(path, errors="replace") as f:
                for line in f:
                    if "calling init:" in line:
                        file = line.split("calling init:")[1].strip()
                        if os.path.basename(file).startswith(("libgomp", "libomp", "libiomp")):
                            found.add(os.path.realpath(file))
        return found


def team_sizes(program, made, library_path):
    """The sizes of the teams that there were with four threads."""
    _, _, errors = run(program, made, library_path, 4, OMP_DISPLAY_AFFINITY="true",
                       OMP_AFFINITY_FORMAT="TEAM %N")
    return sorted({int(word.split()[1]) for word in errors.decode(errors="replace").splitlines()
                   if word.startswith("TEAM ") and word.split()[1].isdigit()})


def difference(program, a, b):
    """None, or how two runs' results differ."""
    if sorted(a) != sorted(b):
        return "other files: %s, %s" % (sorted(a), sorted(b))
    for name in a:
        if a[name] == b[name]:
            continue
        if not program.numbers or len(a[name]) != len(b[name]) or len(a[name]) % 8:
            return "%s differs" % name
        x, y = array.array("d", a[name]), array.array("d", b[name])
        worst = max(abs(u - v) / max(1.0, abs(u)) for u, v in zip(x, y))
        if not worst < 1e-9:
            return "%s differs by %g" % (name, worst)
    return None


def check(program, library_path, library):
    """Runs a program on both runtimes; returns (rows of the table, what is wrong)."""
    rows, wrong = [], []
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as made:
        program.prepare(made)
        ours = in_use(program, made, library_path)
        theirs = in_use(program, made, None)
        if ours != {library}:
            wrong.append("%s ran on %s, not on Companion"
                         % (program.name, ", ".join(sorted(ours)) or "no runtime"))
        if library in theirs or len(theirs) != 1:
            wrong.append("%s was to be compared with %s"
                         % (program.name, ", ".join(sorted(theirs)) or "no runtime"))
        teams = team_sizes(program, made, library_path)
        if not teams or max(teams) < 2:
            wrong.append("%s had no team of several threads" % program.name)
        for threads in THREADS:
            a, before, _ = run(program, made, None, threads)
            b, after, _ = run(program, made, library_path, threads)
            differs = difference(program, a, b)
            word = "same"
            if differs:
                # A program may differ from itself; then there is nothing to compare with.
                again = [run(program, made, None, threads)[0] for _ in range(3)]
                if any(difference(program, a, c) for c in again):
                    known = any(not difference(program, c, b) for c in again)
                    word = ("varies on libgomp, and ours is one "
                            "of its" if known else "varies on libgomp, and here")
                else:
                    word = differs
                    wrong.append("%s with %d threads: %s" % (program.name, threads, word))
            elif a != b:
                word = "same to 1e-9"
            rows.append((program.name, threads, len(a), sum(len(v) for v in a.values()), before, after,
                         ",".join(map(str, teams)), word))
    return rows, wrong


def check_all(library, programs, tell=print):
    """Runs PROGRAMS on the runtime at LIBRARY; prints the table; returns what is wrong."""
    library = os.path.realpath(library)
    problems = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        for name in ("libgomp.so.1", "libomp.so.5"):
            os.symlink(library, os.path.join(folder, name))
        tell("%-15s %7s %7s %10s %10s %10s %-8s %s"
             % ("program", "threads", "results", "bytes", "libgomp s", "ours s", "teams", "output"))
        for program in programs:
            if not program.there():
                problems.append("%s is missing: install %s" % (program.command, program.packages))
                continue
            try:
                rows, wrong = check(program, folder, library)
            except (Failed, subprocess.SubprocessError) as error:
                problems.append("%s: %s" % (program.name, error))
                continue
            for row in rows:
                tell("%-15s %7d %7d %10d %10.2f %10.2f %-8s %s" % row)
            problems += wrong
    return problems


def main(arguments):
    if arguments == ["--list"]:
        for program in PROGRAMS:
            print("%-15s %s" % (program.__name__, program.packages))
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 64
    known = {program.__name__: program for program in PROGRAMS}
    unknown = [name for name in arguments[1:] if name not in known]
    if unknown:
        print("unknown: %s; there are: %s" % (", ".join(unknown), ", ".join(known)), file=sys.stderr)
        return 64
    problems = check_all(arguments[0], [known[name]() for name in arguments[1:]]
                         or [program() for program in PROGRAMS])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
