#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares each instruction of whole libraries with what objdump says of it: its length, where it goes on,
what it does to the general registers.

usage: objdump_test.py DECODE [FILE...]     without a FILE: the OpenMP runtimes and the libc of this machine
"""
import glob
import os
import re
import subprocess
import sys
import unittest

import xmltest

LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t?(.*)$")
NAMES = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"] + ["r%d" % n for n in range(8, 16)]
KINDS = ["other", "call", "call*", "jump", "jump*", "jump if", "return", "lea", "set", "move", "load",
         "store", "syscall", "pause", "stop", "push", "pop"]
# Whose last operand is read only.
READERS = re.compile(r"^(cmp[bwlq]?|test[bwlq]?|push[wq]?|bt[wlq]?|call|jmp|j[a-z]+|nop[wl]?|ptwrite[lq]?|"
                     r"ud[01]|i?div[bwlq]?|mul[bwlq]?|verr|verw|lldt|ltr|lmsw|out[bwl]?|wr[fg]sbase|"
                     r"incssp[dq]|inv[a-z]+|umwait|tpause|umonitor|vm[a-z]+|clzero|monitorx?|mwaitx?|"
                     r"enqcmds?|movdir64b|ss?tr|loopn?e?)$")
IMPLICIT = {"mul": ["rax", "rdx"], "div": ["rax", "rdx"], "idiv": ["rax", "rdx"], "cpuid": NAMES[:4],
            "rdtsc": ["rax", "rdx"], "xgetbv": ["rax", "rdx"], "rdtscp": ["rax", "rcx", "rdx"],
            "cltq": ["rax"], "cwtl": ["rax"], "cqto": ["rdx"], "cltd": ["rdx"],
            "syscall": ["rax", "rcx", "r11"],
            "leave": ["rsp", "rbp"], "lods": ["rsi", "rax"], "stos": ["rdi"], "movs": ["rsi", "rdi"],
            "scas": ["rdi"], "cmps": ["rsi", "rdi"], "push": ["rsp"], "pop": ["rsp"], "cmpxchg": ["rax"],
            "cmpxchg8b": ["rax", "rdx"], "cmpxchg16b": ["rax", "rdx"], "pcmpestri": ["rcx"],
            "pcmpistri": ["rcx"], "vpcmpestri": ["rcx"], "vpcmpistri": ["rcx"]}


def whole(name: str) -> tuple[str, int] | None:
    """The register of which NAME ("%r8d", "%ah") is a part, and its bytes. None: it is none."""
    name = name.lstrip("%")
    legacy = re.fullmatch(r"([re]?)([abcd]x|[sd]i|[sb]p)", name)
    if legacy:
        return "r" + legacy[2], {"r": 8, "e": 4, "": 2}[legacy[1]]
    legacy = re.fullmatch(r"([abcd])[lh]|([sd]i|[sb]p)l", name)
    if legacy:
        return "r" + (legacy[1] + "x" if legacy[1] else legacy[2]), 1
    extended = re.fullmatch(r"(r(?:[89]|1[0-5]))([dwb]?)", name)
    return (extended[1], {"": 8, "d": 4, "w": 2, "b": 1}[extended[2]]) if extended else None


def operands(text: str) -> list[str]:
    """Those of AT&T's notation, without what is behind '#' and '<'."""
    text = re.sub(r" *[#<].*", "", text)
    parts, depth = [""], 0
    for c in text:
        depth += (c in "({") - (c in ")}")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def must_change(mnemonic: str, args: list[str]) -> set[str]:
    plain = re.sub(r"[bwlqd]$", "", mnemonic)
    if mnemonic == "xchg" and args == ["%ax", "%ax"]:
        return set()
    if mnemonic in ("movsd", "cmpsd") and any("%xmm" in a for a in args):
        return set()
    found = set(IMPLICIT.get(mnemonic, IMPLICIT.get(plain, [])))
    if mnemonic.startswith("pop") and mnemonic != "popcnt":
        found.add("rsp")
    if mnemonic.startswith(("imul", "mul")) and len(args) == 1:
        return {"rax", "rdx"}
    if args and not READERS.match(mnemonic):
        register = whole(args[-1])
        if register:
            found.add(register[0])
    if mnemonic.startswith(("xchg", "xadd")):
        found |= {r[0] for r in map(whole, args) if r}
    return found


class Said:
    """What the decoder says."""

    def __init__(self, line: str):
        words = line.split()
        self.length, kind, self.to, self.source, self.size = map(int, words[:5])
        self.kind = KINDS[kind]
        self.address, self.writes, self.immediate = (int(w, 16) for w in words[5:8])
        self.base, self.displacement, self.segment = map(int, words[8:])

    def changes(self) -> set[str]:
        return {n for i, n in enumerate(NAMES) if self.writes >> i & 1}


def wrong_move(text: str, mnemonic: str, args: list[str], said: Said) -> str | None:
    """Of mov and lea: kinds, operands, constants."""
    to, source = whole(args[-1]), whole(args[0])
    comment = re.search(r"# ([0-9a-f]+)", text)
    if mnemonic.startswith("lea") and to and to[1] >= 4 and "addr32" not in text and "(%e" not in text:
        if said.kind != "lea" or NAMES[said.to] != to[0]:
            return "lea"
        if comment and said.address != int(comment[1], 16):
            return "the address"
        place = re.match(r"^(-?)(?:0x([0-9a-f]+))?\(%(r\w+)\)$", args[0])
        if place and place[3] != "rip":
            distance = int(place[2] or "0", 16) * (-1 if place[1] else 1)
            if (NAMES[said.base], said.displacement) != (place[3], distance):
                return "the place"
    if re.fullmatch(r"mov(abs)?[lq]?", mnemonic) and to and to[1] >= 4 and args[0].startswith("$"):
        if said.kind != "set" or NAMES[said.to] != to[0]:
            return "a constant"
        if said.immediate != int(args[0][1:], 16) % (1 << 8 * to[1]):
            return "the constant"
    if mnemonic == "mov" and to and source and to[1] == source[1] and to[1] >= 4:
        if (said.kind, NAMES[said.to], NAMES[said.source], said.size) != ("move", to[0], source[0], to[1]):
            return "mov of registers"
    if mnemonic == "mov" and to and to[1] >= 4 and "(" in args[0] and said.kind != "load":
        return "a load"
    if mnemonic == "mov" and source and "(" in args[-1] and (
            said.kind != "store" or NAMES[said.source] != source[0] and source[1] > 1):
        return "a store"
    if mnemonic == "mov" and args[0].startswith("%fs:") and to and to[1] >= 4 and said.segment != ord("f"):
        return "the segment"
    return None


def wrong(length: int, text: str, said: Said) -> str | None:
    """What differs; None: nothing."""
    text = re.sub(r"^((rep[nz]*|lock|data16|bnd|notrack|cs|ds|es|ss|fs|gs|rex\S*|addr32|repnz|xacquire"
                  r"|xrelease|\{\w+\}) +)+", "", text)
    mnemonic, _, rest = text.partition(" ")
    args = operands(rest)
    if said.length != length:
        return "the length is %d" % said.length
    kind = None
    if mnemonic in ("call", "jmp"):
        kind = {"call": "call", "jmp": "jump"}[mnemonic] + ("*" if rest.strip().startswith("*") else "")
    elif re.match(r"^(j[a-z]+|loopn?e?|xbegin)$", mnemonic):
        kind = "jump if"
    elif mnemonic in ("ret", "iretq", "lret", "iret"):
        kind = "return"
    elif mnemonic in ("syscall", "pause"):
        kind = mnemonic
    elif mnemonic in ("hlt", "ud2", "int3"):
        kind = "stop"
    elif re.match(r"^(push|pop)[wq]?$", mnemonic) and not args[0].endswith(("fs", "gs")):
        kind = mnemonic.rstrip("wq")
    if kind and said.kind != kind:
        return "the kind is " + said.kind
    if not kind and said.kind in ("call", "call*", "jump", "jump*", "jump if", "return", "syscall", "pause",
                                  "push", "pop"):
        return "the kind is " + said.kind
    if kind in ("call", "jump", "jump if") and said.address != int(args[-1], 16):
        return "it goes to %x" % said.address
    if kind in ("push", "pop") and whole(args[0]):
        if NAMES[said.source if kind == "push" else said.to] != whole(args[0])[0]:
            return "it is not that register"
    if kind in ("call*", "jump*"):
        register = whole(rest.strip()[1:])
        if register and NAMES[said.source] != register[0]:
            return "it is not by that register"
        slot = re.search(r"\(%rip\) +# ([0-9a-f]+)", rest)
        if slot and said.address != int(slot[1], 16):
            return "it is not by that pointer"
    if re.match(r"^(endbr(32|64)|nop[wl]?)$", mnemonic) and said.changes():
        return "says that %s may change" % ", ".join(sorted(said.changes()))
    missing = must_change(mnemonic, args) - said.changes()
    if missing:
        return "does not say that %s may change" % ", ".join(sorted(missing))
    return wrong_move(text, mnemonic, args, said) if len(args) == 2 else None


def instructions(path: str) -> list[tuple[int, str, str]]:
    """(address, bytes, text) of each, in order."""
    listing = subprocess.run(["objdump", "-d", "-w", "--insn-width=16", path], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    rows = []
    for m in filter(None, map(LINE.match, listing.splitlines())):
        address, code, text = int(m[1], 16), m[2].replace(" ", ""), m[3].strip()
        if code.startswith("9b") and len(code) > 2:  # objdump joins fwait and fnstcw to fstcw
            rows.append((address, code[:2], "fwait"))
            address, code, text = address + 1, code[2:], "fn" + text[1:]
        rows.append((address, code, text))
    return rows


def check(decode: str, path: str) -> tuple[int, list[str]]:
    """How many there are, and those that differ."""
    rows = instructions(path)
    question = []
    for i, (address, code, _) in enumerate(rows):
        behind = "".join(r[1] for r in rows[i + 1:i + 16])
        question.append("%x %s" % (address, (code + behind)[:30]))
    answer = subprocess.run([decode], input="\n".join(question) + "\n", check=True, stdout=subprocess.PIPE,
                            text=True).stdout.splitlines()
    assert len(answer) == len(rows)
    differ = []
    for (address, code, text), line in zip(rows, answer):
        if "(bad)" in text or not text:
            continue
        why = wrong(len(code) // 2, text, Said(line))
        if why:
            differ.append("%s: %x: %s  %s: %s" % (os.path.basename(path), address, code, text, why))
    return len(rows), differ


def libraries() -> list[str]:
    """One name of each file."""
    found = {}
    for pattern in ("/usr/lib/x86_64-linux-gnu/libgomp.so.1", "/usr/lib/x86_64-linux-gnu/libomp.so.5",
                    "/usr/lib/llvm-*/lib/libomp.so.5", "/lib/x86_64-linux-gnu/libc.so.6"):
        for path in glob.glob(pattern):
            found[os.path.realpath(path)] = path
    return list(found.values())


class Instructions(unittest.TestCase):
    def test_all(self):
        files = sys.argv[2:] or libraries()
        self.assertGreaterEqual(len(files), 2 if not sys.argv[2:] else 1, files)
        for path in files:
            count, differ = check(sys.argv[1], path)
            print("%s: %d instructions, %d differ" % (path, count, len(differ)))
            self.assertGreater(count, 1000)
            self.assertEqual([], differ[:20])

    def test_marks_of_branch_targets(self):
        """endbr64 and endbr32 begin the functions of many distributions, not of Debian 12's runtimes. Beside
        them is rdsspq %rdx."""
        answer = subprocess.run([sys.argv[1]], input="0 f30f1efa\n0 f30f1efb\n0 f3480f1eca\n", check=True,
                                stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.assertEqual([Said(line).changes() for line in answer], [set(), set(), {"rdx"}])


if __name__ == "__main__":
    xmltest.main()
