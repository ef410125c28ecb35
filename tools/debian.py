# SPDX-License-Identifier: Apache-2.0
"""Files of Debian packages that are not installed: unpacked in the user's cache, a folder for each package.

Versions of LLVM's packages conflict with each other, so that tests and benchmarks which need several install
none.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile


class Unusable(Exception):
    """It cannot be had. The text says why."""


def cache():
    """The user's, for all tools."""
    # Bazel's tests have no HOME; expanduser then asks the password file.
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"),
                        "ompd-tools")


def homes():
    """Where packages may be unpacked, the best place first. A test in Bazel's sandbox may read the cache, not
    write it."""
    return [cache(), os.environ.get("TEST_TMPDIR", tempfile.gettempdir())]


def unpacked(package, inside):
    """The path of a file of PACKAGE, whose path from the root is INSIDE: downloaded and unpacked at the first
    call."""
    for home in homes():
        path = os.path.join(home, package, inside)
        if os.path.exists(path):
            return path
    for home in homes():
        try:
            os.makedirs(home, exist_ok=True)
            scratch = tempfile.TemporaryDirectory(dir=home)
        except OSError:
            continue
        with scratch as folder:
            return _unpack(package, inside, folder, os.path.join(home, package))
    raise Unusable("there is no place to unpack the package %s" % package)


def _unpack(package, inside, folder, place):
    """Unpacks in FOLDER, then moves all to PLACE, so that what is there is whole."""
    _download(package, folder)
    archive = glob.glob(os.path.join(folder, "*.deb"))
    if not archive:
        raise Unusable("apt-get downloaded no package %s" % package)
    _fetch(["dpkg", "-x", archive[0], os.path.join(folder, "files")], folder)
    if not os.path.exists(os.path.join(folder, "files", inside)):
        raise Unusable("the package %s has no %s" % (package, inside))
    shutil.rmtree(place, ignore_errors=True)
    os.rename(os.path.join(folder, "files"), place)
    return os.path.join(place, inside)


def _download(package, folder):
    # Without a change of user: in Bazel's sandbox there is none but our own, and apt-get's downloader would
    # end with status 112 because it cannot become _apt.
    _fetch(["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package], folder)


def _fetch(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, universal_newlines=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable("%s: %s" % (command[0], error)) from None
    if done.returncode != 0:
        raise Unusable("%s: %s" % (" ".join(command), last_line(done.stdout)))


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def main(arguments):
    """debian.py PACKAGE... [--update]: unpacks them into the cache. --update: with apt-get update when one is
    not found."""
    packages = [a for a in arguments if a != "--update"]
    complaint = None
    for package in packages:
        try:
            unpacked(package, "usr")
        except Unusable as error:
            complaint = error
    if complaint and "--update" in arguments:
        try:
            _fetch(["apt-get", "-q", "update"], tempfile.gettempdir())
        except Unusable as error:
            complaint = error
        else:
            return main(packages)
    if complaint:
        print("debian.py: %s" % complaint, file=sys.stderr)
    return 1 if complaint else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
