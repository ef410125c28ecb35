# SPDX-License-Identifier: Apache-2.0
"""Packages of the Python registry that tests use: wheels in the user's cache, never installed.

    pypi.py NAME==VERSION...      fetches them, for tests that have no network

A wheel of pure Python is imported as it is: `sys.path.insert(0, pypi.wheel("pygdbmi", "0.11.0.0"))`.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

import debian

SECONDS = 60


def _folder(home):
    return os.path.join(home, "pypi")


def wheel(name, version):
    """The path of the wheel, fetched at the first call; debian.Unusable if it cannot be had."""
    homes = [debian.cache(), os.environ.get("TEST_TMPDIR", tempfile.gettempdir())]
    for home in homes:
        for path in glob.glob(os.path.join(_folder(home), "%s-%s-py3-none-any.whl" % (name, version))):
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
