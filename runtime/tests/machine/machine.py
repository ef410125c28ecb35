# SPDX-License-Identifier: Apache-2.0
"""Machines that are not here: a tree of files as Linux has them below /sys/devices/system, and how a program
comes to see it (machine.c, or a mount namespace)."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CPUS = 64


def groups(*sizes):
    """CPUS processors in caches of these sizes, again and again."""
    caches, cpu = [], 0
    while cpu < CPUS:
        for size in sizes:
            caches.append(list(range(cpu, min(cpu + size, CPUS))))
            cpu += size
            if cpu >= CPUS:
                break
    return caches


# Name -> the processors of each last-level cache; of a processor in none the kernel says nothing.
CACHES = {
    "private": groups(1),
    "pairs": groups(2),
    "eights": groups(8),
    "unequal": groups(1, 3, 8, 2),
    "unequal2": groups(3, 1, 16),
    "missing": [],
    "first_missing": groups(1, 7)[1:],
}


def write(root, caches, cpus=CPUS):
    """The tree below `root`: a private first level, and the last one."""
    def file(path, text):
        path = os.path.join(root, "sys/devices/system", path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(text + "\n")

    everything = "0-%d" % (cpus - 1)
    for name in ("online", "possible", "present"):
        file("cpu/" + name, everything)
    file("node/online", "0")
    file("node/node0/cpulist", everything)
    for cpu in range(cpus):
        here = "cpu/cpu%d/" % cpu
        file(here + "topology/thread_siblings_list", str(cpu))
        file(here + "topology/core_siblings_list", everything)
        for cache in caches:
            if cpu in cache:
                for index, shared in enumerate(([cpu], cache)):
                    file(here + "cache/index%d/level" % index, str(index + 1))
                    file(here + "cache/index%d/shared_cpu_list" % index, ",".join(map(str, shared)))


def build_preload(folder):
    path = os.path.join(folder, "machine.so")
    subprocess.run(["gcc", "-O1", "-Wall", "-fPIC", "-shared", os.path.join(HERE, "machine.c"), "-o", path,
                    "-ldl"], check=True)
    return path


def environment(preload, root, cpus=CPUS):
    return {"LD_PRELOAD": preload, "MACHINE_ROOT": root, "MACHINE_CPUS": str(cpus)}
