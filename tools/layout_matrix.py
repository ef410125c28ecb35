#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `ompd layout` reads from the code of stripped runtimes with what GDB reads from the debug
information of the same builds, which tools/build_runtimes.py has made.

    layout_matrix.py OMPD CACHE [TABLE]

For each build there is a line of JSON in TABLE (CACHE/table.jsonl by default), and at the end a summary.
"wrong": facts that differ; "missing": those that the debug information has and the code of some other build
of the family shows. The status is 1 if a fact is wrong.
"""

import collections
import glob
import json
import os
import subprocess
import sys
from typing import Any, Dict, List, Set

HERE = os.path.dirname(os.path.abspath(__file__))
PROVIDERS = os.path.join(HERE, "..", "ompd", "providers")
# Words that the linker makes for a thread-local variable of libgomp's: no debug information has them.
UNTOLD = ("gomp_tls_data", "gomp_tls_index", "gomp_tls_descriptor")
# Where one of these is known, so is the next one in an array, or what follows it.
ELEMENTS = ("kmp_balign", "kmp_balign_team", "kmp_taskdata", "kmp_thread_data")


def truth(path: str, family: str) -> Dict[str, Any]:
    """What GDB says of the file with debug information."""
    command = ["gdb", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off",
               "-x", os.path.join(HERE, "layout_truth.py"), path]
    env = dict(os.environ, DEFINITIONS=os.path.join(PROVIDERS, family + ".def"))
    done = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env=env)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise ValueError(f"GDB says nothing of {path}: {done.stderr.strip()[-300:]}")
    ret: Dict[str, Any] = json.loads(lines[0])
    return ret


def decoded(ompd: str, path: str) -> Dict[str, Any]:
    """The layout that is made of the stripped file; ValueError: there is none, and why."""
    done = subprocess.run([ompd, "layout", path], text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    ret: Dict[str, Any] = json.loads(done.stdout)
    return ret


def differences(row: Dict[str, Any], true: Dict[str, Any]) -> List[str]:
    """Facts of the row that are not true. A structure's size may be that of what is known of it."""
    wrong = []
    for name, place in row["fields"].items():
        it = true["fields"].get(name)
        if it is None or place[0] != it[0] or place[2:] != it[2:] or (place[1] and place[1] != it[1]):
            wrong.append(f"{name}: {place}, not {it}")
    for name, size in row["sizes"].items():
        its = true["sizes"].get(name, 0)
        if size > its or (name in ELEMENTS and size != its):
            wrong.append(f"{name}: {size} bytes, not {true['sizes'].get(name)}")
    for name, (address, _) in row["variables"].items():
        it = true["variables"].get(name)
        if name not in UNTOLD and (it is None or int(address, 16) != it[0]):
            wrong.append(f"{name}: at {address}, not {it and hex(it[0])}")
    return wrong


def examine(ompd: str, place: str) -> Dict[str, Any]:
    with open(os.path.join(place, "build.json"), encoding="utf-8") as file:
        about: Dict[str, Any] = json.load(file)
    if "refused" in about:
        return about
    try:
        row = decoded(ompd, os.path.join(place, "stripped.so"))
    except ValueError as error:
        return {**about, "unread": str(error)}
    true = truth(os.path.join(place, "lib.so"), about["family"])
    return {**about, "sites": len(row["sites"]), "wrong": differences(row, true),
            "facts": list(row["fields"]) + list(row["variables"]),
            "true": list(true["fields"]) + list(true["variables"])}


def add_missing(table: List[Dict[str, Any]]) -> None:
    shown: Dict[str, Set[str]] = collections.defaultdict(set)
    for one in table:
        shown[one["family"]].update(one.get("facts", ()))
    for one in table:
        if "facts" in one:
            one["missing"] = sorted(shown[one["family"]].intersection(one.pop("true")) - set(one["facts"]))
            one["facts"] = len(one["facts"])


def summary(table: List[Dict[str, Any]]) -> str:
    counts: Dict[str, int] = collections.Counter()
    lines = []
    for one in table:
        what = "refused" if "refused" in one else "unread" if "unread" in one else \
            "wrong" if one["wrong"] else "incomplete" if one["missing"] else "right"
        counts[what] += 1
        if what != "right":
            why = one.get("refused") or one.get("unread") or ", ".join(one["wrong"] or one["missing"])
            lines.append(f"{one['family']}-{one['version']}-{one['flags']}: {what}: {why}")
    head = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    return "\n".join(lines + [f"{len(table)} builds: {head}"])


def main() -> int:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    ompd, cache = sys.argv[1:3]
    path = sys.argv[3] if len(sys.argv) == 4 else os.path.join(cache, "table.jsonl")
    table = [examine(ompd, place) for place in sorted(glob.glob(os.path.join(cache, "builds", "*")))]
    add_missing(table)
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in table)
    print(summary(table))
    return 1 if any(one.get("wrong") for one in table) else 0


if __name__ == "__main__":
    sys.exit(main())
