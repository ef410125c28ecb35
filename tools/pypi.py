# SPDX-License-Identifier: Apache-2.0
"""Packages of the Python registry that tests and benchmarks use: wheels in the user's cache, never installed.

    pypi.py NAME==VERSION...      fetches them, for tests that have no network

A wheel of pure Python is imported as it is: `sys.path.insert(0, pypi.wheel("pygdbmi", "0.11.0.0"))`. Of one
for this machine a file can be unpacked: `pypi.unpacked("intel-openmp", "2026.2.0", "libiomp5.so")`.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

import debian

SECONDS = 300


def _folder(home):
    return os.path.join(home, "pypi")


def wheel(name, version):
    """The path of the wheel, fetched at the first call; debian.Unusable if it cannot be had."""
    homes = [debian.cache(), os.environ.get("TEST_TMPDIR", tempfile.gettempdir())]
    for home in homes:
        # A wheel's name has no hyphen but between its parts.
        pattern = "%s-%s-*.whl" % (name.replace("-", "_"), version)
        for path in glob.glob(os.path.join(_folder(home), pattern)):
            return path
    for home in homes:
        try:
            os.makedirs(_folder(home), exist_ok=True)
            scratch = tempfile.TemporaryDirectory(dir=_folder(home))
        except OSError:
            continue
        with scratch as folder:
            return _fetch(name, version, folder, _folder(home))
    raise debian.Unusable("there is no place for the package %s" % name)


def unpacked(name, version, member):
    """The path of the file called MEMBER, unpacked beside the wheel at the first call."""
    archive = wheel(name, version)
    place = archive[:-len(".whl")]
    path = os.path.join(place, member)
    if not os.path.exists(path):
        with zipfile.ZipFile(archive) as files:
            inside = [i for i in files.namelist() if os.path.basename(i) == member]
            if not inside:
                raise debian.Unusable("%s has no %s" % (os.path.basename(archive), member))
            os.makedirs(place, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place, delete=False) as scratch:
                scratch.write(files.read(inside[0]))
            os.chmod(scratch.name, 0o755)
            os.rename(scratch.name, path)
    return path


def _fetch(name, version, scratch, place):
    """Downloads to SCRATCH, then moves to PLACE, so that what is there is whole."""
    pip = shutil.which("pip") or shutil.which("pip3")
    if pip is None:
        raise debian.Unusable("%s %s is not in the cache, and there is no pip to fetch it" % (name, version))
    try:
        done = subprocess.run([pip, "download", "-q", "--no-deps", "--only-binary=:all:", "-d", scratch,
                               "%s==%s" % (name, version)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise debian.Unusable("the Python registry has not answered in %d s" % SECONDS) from None
    found = glob.glob(os.path.join(scratch, "*.whl"))
    if done.returncode or not found:
        raise debian.Unusable("pip: %s" % (done.stdout.strip().splitlines() or ["no package"])[-1])
    path = os.path.join(place, os.path.basename(found[0]))
    os.replace(found[0], path)
    return path


def main(argv):
    for word in argv:
        try:
            print(wheel(*word.split("==")))
        except debian.Unusable as error:
            print("pypi: %s" % error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
