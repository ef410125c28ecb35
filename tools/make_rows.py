#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the rows of ompd/rows/ from what tools/fetch_runtimes.py has fetched.

    make_rows.py OMPD CACHE ROWS [FOLDER...]

OMPD is the command, ROWS the folder that the rows are written to. Each build's structures are those of a
small file that is compiled with -g against the headers of that version; `ompd layout` refuses them if the
code of the runtime says otherwise. Two builds of one version have the suite in their names.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from typing import Any, Dict, List

# What libgomp's configure finds on Debian, as far as structures depend on it.
GOMP_CONFIG = """
#define HAVE_ATTRIBUTE_VISIBILITY 1
#define HAVE_ATTRIBUTE_ALIAS 1
#define HAVE_SYNC_BUILTINS 1
#define HAVE_TLS 1
#define USE_TLS 1
#define USING_INITIAL_EXEC_TLS 1
#define HAVE_PTHREAD_H 1
#define HAVE_PTHREAD_AFFINITY_NP 1
#define HAVE_STRING_H 1
#define HAVE_UNISTD_H 1
#define HAVE_SEMAPHORE_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_ALIGNED_ALLOC 1
#define LIBGOMP_USE_PTHREADS 1
#define LIBGOMP_GNU_SYMBOL_VERSIONING 1
#define PLUGIN_SUPPORT 1
#define STRING_WITH_STRINGS 1
"""
GOMP_PROBE = """
#include "libgomp.h"
struct gomp_thread *a; struct gomp_team *b; struct gomp_task *c; struct gomp_taskwait *d;
struct gomp_taskgroup *e;
struct gomp_thread_pool *f; struct gomp_work_share *g; struct gomp_task_icv *h; struct gomp_dependers_vec *i;
struct prio_splay_tree_node_s *j; omp_nest_lock_t k;
"""
# What is 1 in kmp_config.h on Debian; the rest is 0.
KMP_ON = """RELWITHDEBINFO_BUILD LIBOMP_USE_ITT_NOTIFY USE_ITT_NOTIFY LIBOMP_USE_VERSION_SYMBOLS
LIBOMP_HAVE_WEAK_ATTRIBUTE
LIBOMP_HAVE_X86INTRIN_H LIBOMP_HAVE___RDTSC LIBOMP_OMPT_SUPPORT LIBOMP_OMPD_SUPPORT LIBOMP_OMPT_OPTIONAL
LIBOMP_USE_ADAPTIVE_LOCKS LIBOMP_HAVE_WAITPKG_INTRINSICS LIBOMP_HAVE_RTM_INTRINSICS LIBOMP_HAVE_IMMINTRIN_H
LIBOMP_HAVE_ATTRIBUTE_WAITPKG LIBOMP_HAVE_ATTRIBUTE_RTM LIBOMP_HAVE_XMMINTRIN_H LIBOMP_HAVE_ALIGNED_ALLOC
LIBOMP_HAVE__MM_MALLOC LIBOMP_HAVE_POSIX_MEMALIGN LIBOMP_ENABLE_SHARED ENABLE_LIBOMPTARGET
OPENMP_ENABLE_LIBOMPTARGET LIBOMP_TARGET_MEMORY""".split()
KMP_PROBE = """
#include "kmp.h"
kmp_info_t *a; kmp_team_t *b; kmp_taskdata_t *c; kmp_task_t *d; kmp_root_t *e; kmp_task_team_t *f;
kmp_thread_data_t *g; kmp_taskgroup_t *h; kmp_depnode_t *i; kmp_depnode_list_t *j; kmp_balign_t *k;
kmp_balign_team_t *l; kmp_queuing_lock_t *m; ident_t *n; kmp_internal_control_t *o;
kmp_ticket_lock_t *p; kmp_drdpa_lock_t *q; kmp_tas_lock_t *r; kmp_indirect_lock_table_t *s; kmp_disp_t *t;
"""
MESSAGES = {"META": "prp", "STRINGS": "str", "FORMATS": "fmt", "MESSAGES": "msg", "HINTS": "hnt"}


def write(folder: str, name: str, text: str) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def compile_probe(command: List[str], source: str, folder: str) -> str:
    debug = os.path.join(folder, "probe.so")
    done = subprocess.run(command + ["-g", "-O0", "-fPIC", "-shared", "-w", "-o", debug, source], text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError("\n".join(line for line in done.stderr.splitlines() if "error" in line)[:2000])
    return debug


def gomp_debug(headers: str, folder: str) -> str:
    write(folder, "config.h", GOMP_CONFIG)
    write(folder, "gstdint.h", "#include <stdint.h>\n")  # before version 11
    source = write(folder, "probe.c", GOMP_PROBE)
    config = [os.path.join(headers, "config", part) for part in ("linux/x86", "linux", "posix")]
    return compile_probe(["gcc"] + ["-I" + part for part in [folder, *config, headers]], source, folder)


def message_ids(headers: str) -> str:
    names = ["kmp_i18n_null"]
    section = None
    for line in read(os.path.join(headers, "i18n/en_US.txt")).splitlines():
        heading = re.match(r"-\*- (\w+) -\*-", line)
        if heading:
            section = MESSAGES[heading.group(1)]
            continue
        entry = re.match(r'(\w+)\s+"', line)
        if entry and section:
            names.append(f"kmp_i18n_{section}_{entry.group(1)}")
    return "typedef enum kmp_i18n_id { %s } kmp_i18n_id_t;\n" % ", ".join(dict.fromkeys(names))


def kmp_debug(headers: str, folder: str) -> str:
    """What CMake makes of the headers, made by hand."""
    config = read(os.path.join(headers, "kmp_config.h.cmake"))
    config = re.sub(r"#cmakedefine01 (\w+)", lambda m: f"#define {m[1]} {int(m[1] in KMP_ON)}", config)
    config = re.sub(r"#cmakedefine .*", "", config).replace("@LIBOMP_OMP_YEAR_MONTH@", "201611")
    write(folder, "kmp_config.h", re.sub(r"@\w+@", "5", config))
    public = os.path.join(headers, "include")
    if not os.path.exists(os.path.join(public, "omp.h.var")):  # LLVM 9 and older: a folder a version
        public = os.path.join(public, max(os.listdir(public), key=int))
    write(folder, "omp.h", re.sub(r"@\w+@", "5", read(os.path.join(public, "omp.h.var"))))
    for name in ("omp-tools.h.var", "ompt.h.var"):
        if os.path.exists(os.path.join(public, name)):
            write(folder, name[:-4], read(os.path.join(public, name)))
    write(folder, "kmp_i18n_id.inc", message_ids(headers))
    write(folder, "kmp_i18n_default.inc", "")
    source = write(folder, "probe.cpp", KMP_PROBE)
    include = [folder, headers, os.path.join(headers, "i18n"), public,
               os.path.join(headers, "thirdparty/ittnotify")]
    return compile_probe(["g++", "-std=c++17", "-D_GNU_SOURCE", "-D_REENTRANT", "-mrtm"] +
                         ["-I" + part for part in include], source, folder)


def made_from(build: Dict[str, Any]) -> str:
    if "wheels" not in build:
        source = f"{build['package']} {build['version']} of Debian ({build['suite']}), "
        return source + (f"headers of {build['source']}" if build["source"] else "by its code alone")
    source = " and ".join(wheel.replace("==", " ") for wheel in build["wheels"]) + " of PyPI, "
    if not build["source"]:
        return source + "with its debug information"
    without = " without " + ", ".join(line.split()[-1].strip("*;") for line in build["without"])
    return source + f"headers of {build['source']}" + (without if build["without"] else "")


def build_ids(ompd: str, place: str, row: str) -> str:
    """ROW with the build-ids of the other files that have the same code."""
    known = json.loads(row)
    ids = known["build_ids"]
    for path in sorted(glob.glob(os.path.join(place, "also", "*.so"))):
        other = json.loads(subprocess.run([ompd, "layout", path], text=True, capture_output=True,
                                          check=True).stdout)
        if other["fingerprint"] != known["fingerprint"]:
            raise ValueError(f"{os.path.basename(path)} has other code")
        ids += [one for one in other["build_ids"] if one not in ids]
    return re.sub(r'"build_ids": \[.*\]', '"build_ids": ' + json.dumps(ids), row, count=1)


def make(ompd: str, cache: str, build: Dict[str, Any], name: str, rows: str) -> None:
    place = os.path.join(cache, build["folder"])
    command = [ompd, "layout", os.path.join(place, "lib.so"), "--name", name, "--source", made_from(build)]
    if os.path.exists(os.path.join(place, "debug")):
        command += ["--debug", os.path.join(place, "debug")]
    with tempfile.TemporaryDirectory() as folder:
        if build["source"]:
            probe = gomp_debug if build["family"] == "gomp" else kmp_debug
            command += ["--debug", probe(os.path.join(place, "include"), folder)]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    write(rows, name + ".json", build_ids(ompd, place, done.stdout))


def main() -> int:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ompd, cache, rows = sys.argv[1:4]
    builds: List[Dict[str, Any]] = []
    for folder in sorted(os.listdir(cache)):
        path = os.path.join(cache, folder, "build.json")
        if os.path.exists(path):
            builds.append({**json.loads(read(path)), "folder": folder})
    versions = collections.Counter((build["family"], build["upstream"]) for build in builds)
    failed = 0
    for build in builds:
        if sys.argv[4:] and build["folder"] not in sys.argv[4:]:
            continue
        name = build["folder"] if "wheels" in build else f"{build['family']}-{build['upstream']}"
        if versions[build["family"], build["upstream"]] > 1:
            name += "-" + build["suite"]
        try:
            make(ompd, cache, build, name, rows)
            print(name)
        except (ValueError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
