#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds libgomp and libomp from Debian's sources of gcc and LLVM, with the options of distributions and with
others that change what the machine code looks like. tools/layout_matrix.py compares what `ompd layout` says
of each.

    build_runtimes.py CACHE [PATTERN...]

PATTERN (of a shell): names such as gomp-12-os or kmp-*-debian; all by default. A build that is there, or that
its compiler has refused, is not made again. Each takes a minute or two of a processor:

    CACHE/builds/NAME/      lib.so (with debug information), stripped.so, build.json
                            build.json has "refused", the compiler's first error, instead of files
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, Iterator, List, NamedTuple

from runtime_sources import SOURCES, Source, source_tree

# Debian builds libgomp with gcc's defaults, Ubuntu with these.
UBUNTU = ("-O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fcf-protection -fstack-protector-strong "
          "-fstack-clash-protection -D_FORTIFY_SOURCE=3")
FLAGS: Dict[str, str] = {
    "debian": "-O2",
    "ubuntu": UBUNTU,
    "o1": "-O1",
    "o3": "-O3",
    "os": "-Os",
    "frame-pointer": "-O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer",
    "cf-protection": "-O2 -fcf-protection",
    "no-cf-protection": "-O2 -fcf-protection=none",
    "stack-protector": "-O2 -fstack-protector-all",
    "stack-clash": "-O2 -fstack-clash-protection",
    "v2": "-O2 -march=x86-64-v2",
    "v3": "-O2 -march=x86-64-v3",
    "v4": "-O2 -march=x86-64-v4",
    "lto": "-O2 -flto -flto-partition=one",
    "no-plt": "-O2 -fno-plt",
    "clang": "-O2",
    "clang-os": "-Os",
    "shared-tls": "-O2",
    "shared-tls-gnu2": "-O2 -mtls-dialect=gnu2",
    "shared-tls-local": "-O2 -ftls-model=local-dynamic",
}
# Every flag is tried on these, a distribution's and the smallest code on all.
EVERY_FLAG = ("gomp-12", "gomp-14", "gomp-16", "kmp-14", "kmp-19", "kmp-22")
EVERY_SOURCE = ("debian", "ubuntu", "os")
STATIC_TLS = "-ftls-model=initial-exec -DUSING_INITIAL_EXEC_TLS"


class Refused(Exception):
    """The compiler refuses. The text says what."""


class Build(NamedTuple):
    source: Source
    flags: str  # a key of FLAGS

    @property
    def name(self) -> str:
        return f"{self.source.family}-{self.source.version}-{self.flags}"

    @property
    def compilers(self) -> List[str]:
        """Of C and C++. libomp's distributions build it with clang. clang 14 refuses libgomp 14 and later."""
        if "clang" in self.flags and self.source.family == "gomp":
            return ["clang-19", "clang++-19"]
        is_clang = "clang" in self.flags or (self.source.family == "kmp" and self.flags == "debian")
        return ["clang", "clang++"] if is_clang else ["gcc", "g++"]

    @property
    def options(self) -> str:
        return f"-g {FLAGS[self.flags]}"


def builds() -> Iterator[Build]:
    for source in SOURCES:
        for flags in FLAGS:
            if flags in EVERY_SOURCE or f"{source.family}-{source.version}" in EVERY_FLAG:
                yield Build(source, flags)


def reason(output: str) -> str:
    """The first error. That a program which was called has failed is none, if that has said why."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\b([Ee]rror|failed): |undefined reference|"
                                                  r"multiple definition", line)]
    causes = [line for line in errors if not re.search(r"returned \d+ exit status|^make|^collect2:", line)]
    return (causes or errors or lines or ["no message"])[0][-300:]


def run(command: List[str], folder: str) -> None:
    done = subprocess.run(command, cwd=folder, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Refused(reason(done.stdout))


def build_gomp(build: Build, tree: str, folder: str) -> str:
    """libgomp.so, built in FOLDER."""
    compiler = build.compilers[0]
    command = [f"{tree}/libgomp/configure", "--disable-multilib", "--disable-static", "FC=no", "F77=no",
               f"CC={compiler}", f"--cache-file={tree}/configured-{compiler}",
               "--build=x86_64-linux-gnu", "--host=x86_64-linux-gnu"]
    run(command, folder)
    more = "-pthread" if "shared-tls" in build.flags else f"-pthread {STATIC_TLS}"
    flags = f"CFLAGS={build.options}"
    if "clang" in build.flags:  # what clang does not have: an attribute about warnings, a function of OpenACC
        more += (" '-D__malloc__(x)=__malloc__' '-D__builtin_acc_on_device(x)=0' -Wno-int-conversion"
                 " -Wno-implicit-function-declaration")
    if "lto" in build.flags:  # gcc's takes no symbol versions from asm
        run(["make", "lock.lo", "fortran.lo", f"{flags} -fno-lto", f"XCFLAGS={more}"], folder)
    run(["make", "libgomp.la", flags, f"XCFLAGS={more}"], folder)
    return f"{folder}/.libs/libgomp.so.1.0.0"


def build_kmp(build: Build, tree: str, folder: str) -> str:
    """libomp.so, built in FOLDER. In any type but Release it traces itself, which distributions' does not."""
    options = f"{build.options} -DNDEBUG"
    command = ["cmake", f"{tree}/openmp", "-DCMAKE_BUILD_TYPE=Release",
               f"-DCMAKE_C_COMPILER={build.compilers[0]}", f"-DCMAKE_CXX_COMPILER={build.compilers[1]}",
               f"-DCMAKE_C_FLAGS_RELEASE={options}", f"-DCMAKE_CXX_FLAGS_RELEASE={options}",
               "-DOPENMP_STANDALONE_BUILD=ON", "-DLIBOMP_OMPD_GDB_SUPPORT=OFF",
               "-DOPENMP_ENABLE_LIBOMPTARGET=OFF", "-DOPENMP_ENABLE_OMPT_TOOLS=OFF"]
    if "lto" in build.flags:  # gcc's takes no symbol versions from asm
        command.append("-DLIBOMP_USE_VERSION_SYMBOLS=OFF")
    run(command, folder)
    run(["make", "omp"], folder)
    return f"{folder}/runtime/src/libomp.so"


def make(build: Build, cache: str) -> str:
    """What became of it, in a word or the compiler's."""
    place = os.path.join(cache, "builds", build.name)
    if os.path.isdir(place):
        return ""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    tree = source_tree(build.source, cache)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        whole, folder = os.path.join(scratch, "whole"), os.path.join(scratch, "build")
        os.mkdir(whole)
        os.mkdir(folder)
        about = {"family": build.source.family, "version": build.source.version, "flags": build.flags,
                 "compiler": build.compilers[0], "options": build.options}
        try:
            library = (build_gomp if build.source.family == "gomp" else build_kmp)(build, tree, folder)
            shutil.copy(library, os.path.join(whole, "lib.so"))
            run(["strip", "-o", "stripped.so", "lib.so"], whole)
        except Refused as error:
            about["refused"] = str(error)
        with open(os.path.join(whole, "build.json"), "w", encoding="utf-8") as file:
            json.dump(about, file)
        os.rename(whole, place)
    return "refused: " + about["refused"] if "refused" in about else "built"


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cache = os.path.abspath(sys.argv[1])
    failed = 0
    for build in builds():
        if sys.argv[2:] and not any(fnmatch.fnmatch(build.name, pattern) for pattern in sys.argv[2:]):
            continue
        try:
            result = make(build, cache)
            if result:
                print(f"{build.name}: {result}", flush=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{build.name}: {error}", file=sys.stderr, flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
