# SPDX-License-Identifier: Apache-2.0
"""How a program that is not instrumented runs on the runtime built with ThreadSanitizer: what is judged is
the runtime alone."""
import glob
import os
import subprocess


def sanitizer():
    path = subprocess.run(["gcc", "-print-file-name=libtsan.so"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    return os.path.realpath(path.strip())


def environment(library, scratch, suppressions=""):
    """Variables for one run whose reports go to the directory `scratch`; a run with a report ends with status
    66.

    By itself ThreadSanitizer sleeps a second before the end, for threads that may still race.
    """
    with open(os.path.join(scratch, "suppressions"), "w") as out:
        out.write(suppressions)
    return {
        "LD_PRELOAD": "%s %s" % (sanitizer(), os.path.abspath(library)),
        "TSAN_OPTIONS": "log_path=%s/log:suppressions=%s/suppressions:print_suppressions=0:exitcode=66:"
                        "handle_segv=0:handle_abort=0:atexit_sleep_ms=50" % (scratch, scratch),
        "OMP_STACKSIZE": "256K",
        "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive"),
    }


def reports(scratch):
    return "".join(open(log).read() for log in glob.glob(os.path.join(scratch, "log*")))
