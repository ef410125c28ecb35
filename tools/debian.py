# SPDX-License-Identifier: Apache-2.0
"""Files of Debian packages that are not installed: unpacked in the user's cache, a folder for each package.

Versions of LLVM's packages conflict with each other, so that tests and benchmarks which need several install none.
"""

import glob
import os
import subprocess
import tempfile


class Unusable(Exception):
    """It cannot be had. The text says why."""


def _folder(package):
    """Where the package's files are, or shall be. A test in Bazel's sandbox may not write to the cache."""
    # Bazel's tests have no HOME; expanduser then asks the password file.
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(home, "ompd-tools", package)
    try:
        os.makedirs(folder, exist_ok=True)
        if os.access(folder, os.W_OK) or os.listdir(folder):
            return folder
    except OSError:
        pass
    folder = os.path.join(os.environ.get("TEST_TMPDIR", tempfile.gettempdir()), package)
    os.makedirs(folder, exist_ok=True)
    return folder


def unpacked(package, inside):
    """The path of a file of PACKAGE, whose path from the root is INSIDE: downloaded and unpacked at the first call."""
    folder = _folder(package)
    path = os.path.join(folder, inside)
    if os.path.exists(path):
        return path
    _fetch(["apt-get", "-q", "download", package], folder)
    archive = glob.glob(os.path.join(folder, "*.deb"))
    if not archive:
        raise Unusable("apt-get downloaded no package %s" % package)
    _fetch(["dpkg", "-x", archive[0], folder], folder)
    os.remove(archive[0])
    if not os.path.exists(path):
        raise Unusable("the package %s has no %s" % (package, inside))
    return path


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
