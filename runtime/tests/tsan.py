# SPDX-License-Identifier: Apache-2.0
"""How a program runs on the runtime built with ThreadSanitizer. If it is not instrumented, the runtime alone
is judged; if it is, too, so is the order of its own accesses (stress/stress_test.py)."""
import glob
import os
import subprocess


def sanitizer():
    path = subprocess.run(["gcc", "-print-file-name=libtsan.so"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    return os.path.realpath(path.strip())


def options(scratch, suppressions=""):
    """ThreadSanitizer's for one run whose reports go to the directory `scratch`; a run with a report ends
    with status 66.

    By itself it sleeps a second before the end, for threads that may still race.
    """
    with open(os.path.join(scratch, "suppressions"), "w") as out:
        out.write(suppressions)
    return ("log_path=%s/log:suppressions=%s/suppressions:print_suppressions=0:exitcode=66:"
            "handle_segv=0:handle_abort=0:atexit_sleep_ms=50" % (scratch, scratch))


def environment(library, scratch, suppressions=""):
    """Variables of a program that is not instrumented itself."""
    return {
        "LD_PRELOAD": "%s %s" % (sanitizer(), os.path.abspath(library)),
        "TSAN_OPTIONS": options(scratch, suppressions),
        "OMP_STACKSIZE": "256K",
        "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "passive"),
    }


def reports(scratch):
    return "".join(open(log).read() for log in glob.glob(os.path.join(scratch, "log*")))
