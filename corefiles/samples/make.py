# SPDX-License-Identifier: Apache-2.0
"""Makes the sample cores of this directory anew: `bazel run //corefiles/samples:make -- corefiles/samples` in
the tree's top directory. Each NAME.core.zst is beside NAME.json, the truth: what the program said of itself
(test-targets/truth.h), what it was given, and what GDB or the kernel did with it. The programs run in a
directory of the same name everywhere and with an environment of their own, so that a sample says nothing of
the machine that made it.
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import compare
import gdbrun

SECONDS = 60
RUNTIME = "libompcompanion.so.1"
PLACE = "/tmp/ompd-sample"
TARGETS = os.path.dirname(gdbrun.find("test-targets/parallel_clang.exe"))
# Small stacks: they are most of a core. Trimming leaves what malloc no longer needs out of it.
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "64K", "TRUTH_HOLD_SECONDS": "60",
               "MALLOC_ARENA_MAX": "1", "PATH": "/usr/bin:/bin"}


def limits():
    # As the kernel does by default (core(5)): no text, but the first page of each file.
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, resource.RLIM_INFINITY))
    with open("/proc/self/coredump_filter", "w") as f:
        f.write("0x33")


class Program:
    def __init__(self, name, **more):
        os.makedirs(PLACE)
        for file in (name, RUNTIME):
            shutil.copy(os.path.join(TARGETS, file), PLACE)
            os.chmod(os.path.join(PLACE, file), 0o755)
            subprocess.run(["strip", os.path.join(PLACE, file)], check=True)
        self.process = subprocess.Popen(["./" + name], cwd=PLACE, env=dict(ENVIRONMENT, **more),
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        universal_newlines=True, preexec_fn=limits)
        text, self.truth = "", None
        while self.truth is None:
            line = self.process.stdout.readline()
            assert line, "%s came to no rest" % name
            text += line
            self.truth = compare.read_truth(text)

    def end(self):
        self.process.kill()
        self.process.wait(SECONDS)
        self.process.stdout.close()
        shutil.rmtree(PLACE)


def kernel(name):
    program = Program(name, TRUTH_CORE="1")
    program.process.wait(SECONDS)
    found = [file for file in os.listdir(PLACE) if file.startswith("core")]
    assert len(found) == 1, "no core; core_pattern must be a plain file name"
    with open(os.path.join(PLACE, found[0]), "rb") as f:
        core = f.read()
    program.end()
    # Who calls abort() is the observer, which is no OpenMP thread.
    return core, {"omp": program.truth, "pid": program.process.pid, "signal": int(signal.SIGABRT),
                  "crashed_lwp": program.truth["not_openmp"][0]}


def gcore(name):
    program = Program(name)
    path = os.path.join(PLACE, "gcore")
    subprocess.run(["gcore", "-o", path, str(program.process.pid)], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=SECONDS)
    with open("%s.%d" % (path, program.process.pid), "rb") as f:
        core = f.read()
    program.end()
    return core, {"omp": program.truth, "pid": program.process.pid, "signal": 0, "crashed_lwp": 0}


def save(folder, name, core, truth, whole_size=None):
    with tempfile.NamedTemporaryFile() as plain:
        plain.write(core)
        plain.flush()
        subprocess.run(["zstd", "-q", "-f", "--ultra", "-22", plain.name, "-o",
                        os.path.join(folder, name + ".core.zst")], check=True)
    truth = dict(truth, size=len(core), whole_size=whole_size or len(core),
                 sha256=hashlib.sha256(core).hexdigest(), license="SPDX-License-Identifier: Apache-2.0")
    with open(os.path.join(folder, name + ".json"), "w") as f:
        json.dump(truth, f, indent=1, sort_keys=True)
        f.write("\n")


def main():
    folder = os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", "."), sys.argv[1])
    save(folder, "kernel", *kernel("deadlock_clang.exe"))
    save(folder, "gcore", *gcore("taskwait_gcc.exe"))
    # The last mappings are libc, the first thread's stack and the vdso; the runtime's state lies before them.
    core, truth = kernel("nested_clang.exe")
    save(folder, "truncated", core[:len(core) - (160 << 10)], truth, len(core))


if __name__ == "__main__":
    main()
