#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Manual pages from what the programs say of themselves.

    man_pages.py OMPD|--without-command FOLDER

Writes to FOLDER a page of section 1 for each subcommand of the program OMPD, from `ompd help`, if there is
one, and ompd_gdb.7, from docs/man/ompd_gdb.7.in and the help texts of the extension of GDB.
"""

import ast
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "gdb-plugin", "ompd_gdb")


def roff(text):
    """TEXT as it is: no character of it is a request of troff's."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def paragraphs(text):
    """Blocks of lines, as roff; a block with indented lines keeps them as they are."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if re.search("^  ", block, re.M):
            out += [".nf", roff(block), ".fi"]
        else:
            out.append(roff(" ".join(block.split())))
        out.append(".PP")
    return "\n".join(out[:-1])


def told(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def subcommands(ompd):
    part = told(ompd, "help").partition("Subcommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)  ", part, re.M)


def options(text):
    """[(option, what it does)] of the part of a help text below "Options:"."""
    found = []
    for line in text.splitlines():
        begun = re.match(r" {2,6}(-.*?)(?:   ?|$)(\S.*)?$", line)
        if begun:
            found.append([begun.group(1).strip(), begun.group(2) or ""])
        elif found and line.strip():
            found[-1][1] += " " + line.strip()
    return [(name, " ".join(text.split())) for name, text in found]


def page(ompd, name, version):
    """The page of a subcommand."""
    text = told(ompd, "help", name)
    usage, _, rest = text.partition("\n\n")
    body, _, below = rest.partition("\nOptions:\n")
    summary, _, description = body.partition("\n\n")
    lines = [".\\\" made by tools/man_pages.py",
             '.TH OMPD\\-%s 1 "" "ompd %s" "User Commands"' % (name.upper(), version),
             ".SH NAME", "ompd\\-%s \\- %s" % (name, roff(" ".join(summary.split()))),
             ".SH SYNOPSIS", ".B " + roff(usage.replace("Usage: ", ""))]
    if description.strip():
        lines += [".SH DESCRIPTION", paragraphs(description)]
    given = options(below)
    if given:
        lines.append(".SH OPTIONS")
        for option, does in given:
            lines += [".TP", ".B " + roff(option), roff(does)]
    lines += [".SH SEE ALSO", ".BR ompd (1)"]
    return "\n".join(lines) + "\n"


def classes(package):
    for name in sorted(os.listdir(package)):
        if name.endswith(".py"):
            with open(os.path.join(package, name), encoding="utf-8") as f:
                for node in ast.walk(ast.parse(f.read())):
                    if isinstance(node, ast.ClassDef) and ast.get_docstring(node):
                        yield node


def _parameter(node):
    """The name of the parameter that a class makes, and its first line of help."""
    strings = {one.value for one in ast.walk(node)
               if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    named = [one for one in strings if re.fullmatch(r"ompd [a-z-]+", one)]
    about = [one for one in strings if one.startswith("Set ")]
    return (named[0], about[0]) if len(named) == 1 and len(about) == 1 else None


def extension(package=PACKAGE):
    """{kind: {name: help}} of commands, functions and parameters."""
    found = {"commands": {}, "functions": {}, "parameters": {}}
    for node in classes(package):
        text = ast.get_docstring(node, clean=False)
        usage = re.search(r"^Usage: (\$ompd_\w+|ompd \w+)", text, re.M)
        if usage:
            kind = "functions" if usage.group(1).startswith("$") else "commands"
            found[kind][usage.group(1)] = text
        elif _parameter(node):
            name, about = _parameter(node)
            found["parameters"]["set " + name] = about + "\n\n" + text
    return found


def gdb_page(template, version):
    """ompd_gdb.7"""
    for kind, entries in extension().items():
        lines = []
        for name, text in sorted(entries.items()):
            usage = re.search(r"^Usage: (.*)$", text, re.M)
            text = re.sub(r"^Usage: .*\n?", "\n", text, flags=re.M)
            lines += [".TP", ".B " + roff(usage.group(1) if usage else name),
                      paragraphs(text).replace("\n.PP\n", "\n.IP\n")]
        template = template.replace("@%s@" % kind.upper(), "\n".join(lines))
    return template.replace("@VERSION@", version)


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    ompd, folder = argv
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(ROOT, "VERSION")) as f:
        version = f.read().strip()
    for name in subcommands(ompd) if ompd != "--without-command" else ():
        with open(os.path.join(folder, "ompd-%s.1" % name), "w", encoding="utf-8") as f:
            f.write(page(ompd, name, version))
    with open(os.path.join(ROOT, "docs/man/ompd_gdb.7.in"), encoding="utf-8") as f:
        template = f.read()
    with open(os.path.join(folder, "ompd_gdb.7"), "w", encoding="utf-8") as f:
        f.write(gdb_page(template, version))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
