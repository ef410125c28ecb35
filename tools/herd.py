# SPDX-License-Identifier: Apache-2.0
"""herd7, which tells what a memory model allows, of Debian unstable: no release has it.

It needs that suite's C library, so the program, what it loads and its models are kept in a folder of the
user's cache, and the loader there is called by name. Prints the command.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import debian
import fetch_runtimes

PACKAGES = ("herdtools7", "libc6", "libgmp10")
LIBRARIES = ("libc.so.6", "libm.so.6", "libgmp.so.10")
LOADER = "ld-linux-x86-64.so.2"


def command():
    """What to run, as a list. What the variable HERD7 names or is on the PATH comes first."""
    found = os.environ.get("HERD7") or shutil.which("herd7")
    if found:
        return [found]
    for home in debian.homes():
        place = os.path.join(home, "herd7")
        if not os.path.isdir(place):
            try:
                os.makedirs(home, exist_ok=True)
                _fetch(home, place)
            except (OSError, IndexError, SystemExit) as error:
                failure = error
                continue
        return [os.path.join(place, LOADER), "--library-path", place, os.path.join(place, "herd7"),
                "-set-libdir", os.path.join(place, "models")]
    raise debian.Unusable("herd7: %s" % failure)


def _fetch(home, place):
    """Makes `place` whole, or not at all."""
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        apt = fetch_runtimes.Apt(scratch, "sid", ("deb",))
        apt.run("apt-get", "update")
        apt.run("apt-get", "download", *PACKAGES, cwd=scratch)
        for archive in glob.glob(os.path.join(scratch, "*.deb")):
            done = subprocess.run(["dpkg", "-x", archive, os.path.join(scratch, "files")], check=False)
            if done.returncode != 0:
                raise OSError("dpkg cannot unpack %s" % os.path.basename(archive))
        kept = os.path.join(scratch, "kept")
        shutil.copytree(os.path.join(scratch, "files/usr/share/herdtools7/herd"),
                        os.path.join(kept, "models"))
        shutil.copy(os.path.join(scratch, "files/usr/bin/herd7"), kept)
        for name in LIBRARIES + (LOADER,):
            shutil.copy(glob.glob(os.path.join(scratch, "files/usr/lib/**", name), recursive=True)[0], kept)
        os.rename(kept, place)


def main():
    try:
        print(" ".join(command()))
    except debian.Unusable as error:
        print("herd.py: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
