#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fetches every libgomp and libomp that releases of Debian serve for x86-64, and the headers of each; and the
runtimes in wheels of PyPI.

    fetch_runtimes.py CACHE [SUITE...]

SUITE: bullseye, bookworm, trixie, sid, wheels; all of them by default. apt-get fetches from where this
machine's own packages come from, with lists of its own, so nothing of the system changes; pip fetches wheels,
PyTorch's has 540 MB. For each build there is a folder

    CACHE/FAMILY-UPSTREAM-SUITE/    lib.so, build.json, include/ (headers: libgomp or openmp/runtime/src)
                                    also/*.so: builds of the same code; debug: debug information

A folder that is there is not fetched again. tools/make_rows.py makes rows of them.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from typing import List, NamedTuple, Tuple

SUITES = ("bullseye", "bookworm", "trixie", "sid")
WHEELS = "wheels"
ARCHIVE_KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Build(NamedTuple):
    suite: str
    package: str  # libgomp1, libomp5-14
    version: str  # of the package

    @property
    def upstream(self) -> str:
        found = re.match(r"(?:\d+:)?(\d+(?:\.\d+)*)", self.version)
        return found.group(1) if found else self.version

    @property
    def family(self) -> str:
        return "gomp" if self.package == "libgomp1" else "kmp"

    @property
    def folder(self) -> str:
        return f"{self.family}-{self.upstream}-{self.suite}"


class Wheel(NamedTuple):
    """A runtime in a wheel. Who builds wheels for manylinux takes the libgomp of the image's distribution.
    Its own headers are served nowhere. Those of Debian's gcc SOURCE are the same, but for the lines
    WITHOUT."""

    folder: str
    wheels: Tuple[str, ...]  # NAME==VERSION of pip; the code of all is the same
    member: str  # what the file's name in the wheel begins with
    debug: str = ""
    source: str = ""
    without: Tuple[str, ...] = ()

    @property
    def family(self) -> str:
        return "gomp" if self.member == "libgomp" else "kmp"


IN_WHEELS = (
    Wheel("gomp-manylinux_2_28", ("scikit-learn==1.9.1", "torch==2.15.0"), "libgomp", source="gcc-9-source"),
    # It is older than reductions of tasks.
    Wheel("gomp-manylinux2014", ("scikit-learn==1.5.2",), "libgomp", source="gcc-9-source",
          without=("uintptr_t *task_reductions;", "uintptr_t *reductions;", "bool workshare;")),
    Wheel("kmp-intel-2024.2.1", ("intel-openmp==2024.2.1",), "libiomp5.so", "libiomp5.dbg"),
    Wheel("kmp-intel-2026.2.0", ("intel-openmp==2026.2.0",), "libiomp5.so", "libiomp5.dbg"),
)
# Of machines that are older than the newest manylinux.
TAGS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014", "manylinux1")


def mirror() -> str:
    """Where this machine's Debian packages come from."""
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")) + ["/etc/apt/sources.list"]:
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            found = re.search(r"^(?:URIs: *|deb (?:\[[^]]*\] *)?)(\S+/debian)/?\s", file.read(), re.M)
        if found:
            return found.group(1)
    raise SystemExit("fetch_runtimes: no source of Debian packages is set up")


class Apt:
    """apt-get with lists of its own for one suite."""

    def __init__(self, home: str, suite: str, kinds: Tuple[str, ...] = ("deb", "deb-src")) -> None:
        self.suite = suite
        for folder in ("lists/partial", "archives/partial"):
            os.makedirs(os.path.join(home, folder), exist_ok=True)
        sources = os.path.join(home, "sources.list")
        with open(sources, "w", encoding="utf-8") as file:
            for kind in kinds:
                file.write(f"{kind} [signed-by={ARCHIVE_KEYS}] {mirror()} {suite} main\n")
        empty = os.path.join(home, "status")
        with open(empty, "w", encoding="utf-8"):
            pass
        self.options = [f"-oDir::Etc::sourcelist={sources}", "-oDir::Etc::sourceparts=/dev/null",
                        f"-oDir::State::lists={home}/lists", f"-oDir::State::status={empty}",
                        f"-oDir::Cache={home}",
                        "-oAPT::Sandbox::User=root", "-oAPT::Get::AllowUnauthenticated=false"]

    def run(self, tool: str, *args: str, cwd: str = ".") -> str:
        done = subprocess.run([tool, "-q", *self.options, *args], cwd=cwd, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise OSError(f"{tool} {args[0]}: {done.stdout.strip().splitlines()[-1:]}")
        return done.stdout

    def builds(self) -> List[Build]:
        self.run("apt-get", "update")
        names = [name for name in self.run("apt-cache", "pkgnames", "libomp5").split()
                 if re.fullmatch(r"libomp5(-\d+)?", name)]
        found = []
        for name in ["libgomp1"] + sorted(names):
            for version in re.findall(r"^ *%s \| +(\S+) \|.*amd64 Packages" % re.escape(name),
                                      self.run("apt-cache", "madison", name), re.M)[:1]:
                found.append(Build(self.suite, name, version))
        return found


def library(build: Build, apt: Apt, scratch: str) -> str:
    """The path of the runtime, unpacked."""
    apt.run("apt-get", "download", f"{build.package}={build.version}", cwd=scratch)
    archive = glob.glob(f"{scratch}/{build.package}_*.deb")[0]
    subprocess.run(["dpkg", "-x", archive, f"{scratch}/files"], check=True)
    name = "libgomp.so.1" if build.family == "gomp" else "libomp.so.5"
    return os.path.realpath(glob.glob(f"{scratch}/files/usr/lib/**/{name}", recursive=True)[0])


def extract(tarball: str, scratch: str, patterns: List[str]) -> None:
    """Not all patterns have to match."""
    subprocess.run(["tar", "xf", tarball, "-C", scratch, "--wildcards", *patterns], check=False,
                   stderr=subprocess.DEVNULL)


def gomp_headers(build: Build, apt: Apt, scratch: str) -> Tuple[str, str]:
    source = f"gcc-{build.upstream.split('.', maxsplit=1)[0]}-source"
    return gcc_headers(source, apt, scratch), source


def gcc_headers(source: str, apt: Apt, scratch: str) -> str:
    apt.run("apt-get", "download", source, cwd=scratch)
    extract_deb = (f"dpkg-deb --fsys-tarfile {scratch}/{source}_*.deb | "
                   f"tar x -C {scratch} --wildcards '*/gcc-*.tar.xz'")
    subprocess.run(["sh", "-c", extract_deb], check=True)
    tarball = glob.glob(f"{scratch}/usr/src/*/gcc-*.tar.xz")[0]
    extract(tarball, scratch, ["gcc-*/libgomp/*.h", "gcc-*/libgomp/*.h.in", "gcc-*/libgomp/config/*",
                               "gcc-*/include/gomp-constants.h"])
    headers = glob.glob(f"{scratch}/gcc-*/libgomp")[0]
    shutil.copy(os.path.join(headers, "../include/gomp-constants.h"), headers)
    return headers


def download_source(which: str, apt: Apt, scratch: str) -> bool:
    """WHICH: a name, or NAME=VERSION. Has the tarball come? A description alone may have gone."""
    try:
        apt.run("apt-get", "source", "--download-only", which, cwd=scratch)
    except OSError:
        pass
    return bool(glob.glob(f"{scratch}/{which.split('=', maxsplit=1)[0]}*.orig*.tar.*"))


def kmp_headers(build: Build, apt: Apt, scratch: str) -> Tuple[str, str]:
    about = apt.run("apt-cache", "show", f"{build.package}={build.version}")
    source = re.findall(r"^Source: (\S+)", about, re.M)[0]
    if not download_source(source, apt, scratch):
        # The list may be a step ahead of the mirror. Headers of another release of the branch will do, for
        # `ompd layout` refuses them where the code says otherwise.
        listed = re.findall(r"^Version: (\S+)", apt.run("apt-cache", "showsrc", source), re.M)
        found = [one for one in dict.fromkeys(listed) if download_source(f"{source}={one}", apt, scratch)]
        if not found:
            raise OSError(f"the mirror has no file of {source}")
        source = f"{source} {found[0]}"
    for tarball in sorted(glob.glob(f"{scratch}/*.orig*.tar.*")):
        if not tarball.endswith(".asc"):
            extract(tarball, scratch, ["*/openmp/runtime/src/*", "openmp*/runtime/src/*"])
    return glob.glob(f"{scratch}/**/runtime/src", recursive=True)[0], source


def fetch(build: Build, apt: Apt, cache: str) -> None:
    place = os.path.join(cache, build.folder)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        whole = os.path.join(scratch, "whole")
        os.mkdir(whole)
        shutil.copy(library(build, apt, scratch), os.path.join(whole, "lib.so"))
        source = None
        try:
            headers, source = (gomp_headers if build.family == "gomp" else kmp_headers)(build, apt, scratch)
            shutil.copytree(headers, os.path.join(whole, "include"), symlinks=True)
        except OSError as error:  # its row will be made of its code alone
            print(f"{build.folder}: {error}", file=sys.stderr, flush=True)
        with open(os.path.join(whole, "build.json"), "w", encoding="utf-8") as file:
            more = {"upstream": build.upstream, "family": build.family, "source": source}
            json.dump({**build._asdict(), **more}, file)
        os.rename(whole, place)


def unpack(requirement: str, member: str, scratch: str) -> str:
    """The path of the file in a wheel whose name begins with MEMBER."""
    place = os.path.join(scratch, requirement)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
               "--python-version", "3.11", "--dest", place]
    for tag in TAGS:
        command += ["--platform", tag + "_x86_64"]
    subprocess.run(command + [requirement], check=True, stdin=subprocess.DEVNULL)
    with zipfile.ZipFile(glob.glob(f"{place}/*.whl")[0]) as wheel:
        name = [name for name in wheel.namelist() if os.path.basename(name).startswith(member)][0]
        return wheel.extract(name, place)


def fetch_wheel(wheel: Wheel, cache: str) -> None:
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        whole = os.path.join(scratch, "whole")
        os.makedirs(os.path.join(whole, "also"))
        for i, requirement in enumerate(wheel.wheels):
            shutil.copy(unpack(requirement, wheel.member, scratch),
                        os.path.join(whole, f"also/{requirement}.so" if i else "lib.so"))
        if wheel.debug:
            shutil.copy(unpack(wheel.wheels[0], wheel.debug, scratch), os.path.join(whole, "debug"))
        if wheel.source:
            suite = SUITES[0]
            apt = Apt(os.path.join(cache, "apt", suite), suite)
            apt.run("apt-get", "update")
            include = os.path.join(whole, "include")
            shutil.copytree(gcc_headers(wheel.source, apt, scratch), include, symlinks=True)
            with open(os.path.join(include, "libgomp.h"), encoding="utf-8") as file:
                lines = file.readlines()
            with open(os.path.join(include, "libgomp.h"), "w", encoding="utf-8") as file:
                file.writelines(line for line in lines if line.strip() not in wheel.without)
        with open(os.path.join(whole, "build.json"), "w", encoding="utf-8") as file:
            json.dump({"family": wheel.family, "wheels": wheel.wheels, "source": wheel.source,
                       "without": wheel.without, "suite": WHEELS, "upstream": wheel.folder}, file)
        os.rename(whole, os.path.join(cache, wheel.folder))


def fetch_wheels(cache: str) -> int:
    failed = 0
    for wheel in IN_WHEELS:
        if os.path.isdir(os.path.join(cache, wheel.folder)):
            continue
        try:
            fetch_wheel(wheel, cache)
            print(wheel.folder, flush=True)
        except (OSError, IndexError, subprocess.CalledProcessError) as error:
            print(f"{wheel.folder}: {error}", file=sys.stderr, flush=True)
            failed += 1
    return failed


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cache = os.path.abspath(sys.argv[1])
    failed = 0
    for suite in sys.argv[2:] or SUITES + (WHEELS,):
        if suite == WHEELS:
            failed += fetch_wheels(cache)
            continue
        home = os.path.join(cache, "apt", suite)
        try:
            apt = Apt(home, suite)
            builds = apt.builds()
        except OSError as error:
            print(f"{suite}: {error}", file=sys.stderr)
            failed += 1
            continue
        for build in builds:
            if os.path.isdir(os.path.join(cache, build.folder)):
                continue
            try:
                fetch(build, apt, cache)
                print(build.folder, build.version, flush=True)
            except (OSError, IndexError, subprocess.CalledProcessError) as error:
                print(f"{build.folder}: {error}", file=sys.stderr, flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
