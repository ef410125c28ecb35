# SPDX-License-Identifier: Apache-2.0
"""Sources of libgomp and libomp, from Debian's packages of gcc and LLVM.

They are unpacked to CACHE/sources/gcc-12 and the like, as much as a build of the runtime alone needs. A
folder that is there is not fetched again."""

import glob
import os
import subprocess
import tempfile
from typing import List, NamedTuple

from fetch_runtimes import Apt, download_source


class Source(NamedTuple):
    family: str  # gomp, kmp
    version: str
    suite: str  # of Debian; the oldest that has it

    @property
    def name(self) -> str:
        return f"{'gcc' if self.family == 'gomp' else 'llvm'}-{self.version}"


SOURCES = tuple(
    [Source("gomp", version, suite) for version, suite in
     (("9", "bullseye"), ("10", "bullseye"), ("11", "bookworm"), ("12", "bookworm"), ("13", "trixie"),
      ("14", "trixie"), ("15", "sid"), ("16", "sid"), ("snapshot", "sid"))] +
    [Source("kmp", version, suite) for version, suite in
     (("11", "bullseye"), ("13", "bookworm"), ("14", "bookworm"), ("15", "bookworm"), ("16", "bookworm"),
      ("17", "trixie"), ("18", "trixie"), ("19", "bookworm"), ("21", "sid"), ("22", "trixie"))])

# What the archives have, by the parts of its path that follow the archive's own folder.
GCC_PARTS = ("libgomp", "include", "config", "gcc/BASE-VER", "gcc/DATESTAMP", "*.m4", "*.sh", "*.am", "*-*",
             "missing", "depcomp", "compile", "config.*")
GCC_WITHOUT = ("testsuite", "gcc-*/libstdc++-v3", "gcc-*/lib*-*", "gcc-*/*/ChangeLog*")
LLVM_PARTS = ("openmp", "cmake", "llvm/cmake", "runtimes/cmake")
# Debian's archives have no tests; libgomp's configure wants these files of theirs.
GCC_TEST_FILES = ("Makefile.in", "libgomp-site-extra.exp.in", "libgomp-test-support.exp.in")


def _download_gcc(source: Source, apt: Apt, scratch: str) -> List[str]:
    if source.version == "snapshot":
        if not download_source("gcc-snapshot", apt, scratch):
            raise OSError("the mirror has no file of gcc-snapshot")
        return glob.glob(f"{scratch}/*.orig.tar.*")
    package = f"gcc-{source.version}-source"
    apt.run("apt-get", "download", package, cwd=scratch)
    archive = glob.glob(f"{scratch}/{package}_*.deb")[0]
    command = f"dpkg-deb --fsys-tarfile {archive} | tar x -C {scratch} --wildcards '*/gcc-*.tar.xz'"
    subprocess.run(["sh", "-c", command], check=True)
    os.unlink(archive)
    return glob.glob(f"{scratch}/usr/src/*/gcc-*.tar.xz")


def _download_llvm(source: Source, apt: Apt, scratch: str) -> List[str]:
    if not download_source(f"llvm-toolchain-{source.version}", apt, scratch):
        raise OSError(f"the mirror has no file of llvm-toolchain-{source.version}")
    return [path for path in sorted(glob.glob(f"{scratch}/*.orig*.tar.*")) if not path.endswith(".asc")]


def _unpack(archive: str, into: str, parts: List[str], without: List[str]) -> None:
    os.makedirs(into, exist_ok=True)
    command = ["tar", "xf", archive, "-C", into, "--strip-components=1", "--wildcards",
               "--no-wildcards-match-slash"]
    command += [f"--exclude={one}" for one in without] + [f"*/{part}" for part in parts]
    # A pattern that nothing matches is no failure: versions differ.
    subprocess.run(command, check=False, stderr=subprocess.DEVNULL)


def unpack_gcc(archives: List[str], tree: str) -> None:
    for archive in archives:
        _unpack(archive, tree, list(GCC_PARTS), list(GCC_WITHOUT))
    os.makedirs(f"{tree}/libgomp/testsuite", exist_ok=True)
    for name in GCC_TEST_FILES:
        with open(f"{tree}/libgomp/testsuite/{name}", "a", encoding="utf-8"):
            pass


def _fetch(source: Source, cache: str, place: str) -> None:
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        apt = Apt(os.path.join(cache, "apt", source.suite), source.suite)
        apt.run("apt-get", "update")
        tree = os.path.join(scratch, "tree")
        if source.family == "gomp":
            unpack_gcc(_download_gcc(source, apt, scratch), tree)
            wanted = f"{tree}/libgomp/configure"
        else:
            for archive in _download_llvm(source, apt, scratch):
                _unpack(archive, tree, list(LLVM_PARTS), [])
            wanted = f"{tree}/openmp/runtime/src/kmp.h"
        if not os.path.exists(wanted):
            raise OSError(f"{source.name}: the archive has no {os.path.relpath(wanted, tree)}")
        os.rename(tree, place)


def source_tree(source: Source, cache: str) -> str:
    """The folder of its sources, fetched at the first call. OSError: it cannot be had, and why."""
    place = os.path.join(cache, "sources", source.name)
    if not os.path.isdir(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _fetch(source, cache, place)
    return place
