#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes compile_commands.json for clangd from Bazel's own action graph."""
import json
import os
import subprocess
import sys

bazel = ["bazel"] + sys.argv[1:]


def run(*args):
    return subprocess.run(bazel + list(args), check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


root = run("info", "workspace").strip()
execroot = run("info", "execution_root").strip()
base = run("info", "output_base").strip()


def place(arg):
    """The action's path, as seen from the workspace."""
    if arg == "external" or arg.startswith("external/"):
        return base + "/" + arg
    if arg.startswith("bazel-out/"):
        return execroot + "/" + arg
    return "-I" + place(arg[2:]) if arg.startswith("-I") and len(arg) > 2 else arg


graph = json.loads(run("aquery", "--output=jsonproto", "--include_artifacts=false",
                       'mnemonic("CppCompile", //...)'))
entries = {}
for action in graph["actions"]:
    args = [place(a) for a in action["arguments"] if a != "-fno-canonical-system-headers"]
    src = args[args.index("-c") + 1] if "-c" in args else None
    # bench/ builds the runtime without this and that, too: what users have is what editor and clang-tidy see.
    partial = any(a.startswith("-DRT_NO_") for a in args)
    if src and not src.startswith("/") and not (partial and src in entries):
        entries[src] = {"directory": root, "file": src, "arguments": args}
with open(os.path.join(root, "compile_commands.json"), "w") as f:
    json.dump(sorted(entries.values(), key=lambda e: e["file"]), f, indent=1)
print("%d entries" % len(entries))
