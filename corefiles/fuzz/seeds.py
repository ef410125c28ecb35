#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The first cores of the fuzzer's corpus, made by hand: seeds.py PROGRAM > core.hex

PROGRAM is module.c's. x86-64 as the kernel and as gcore write it, aarch64, more mappings than a header
counts, cut off, and compressed. Their mappings are short: a change should hit something that matters."""

import struct
import subprocess
import sys

BASE, RUNTIME, STACK, THREADS = 0x555555554000, 0x7f0000000000, 0x7ffffffde000, 0x7f1111111000
NT_PRSTATUS, NT_PRPSINFO, NT_AUXV, NT_SIGINFO, NT_FILE, NT_ARM_TLS = 1, 3, 6, 0x53494749, 0x46494C45, 0x401
X86_64, AARCH64 = 62, 183
AT_PHDR, AT_PHNUM, AT_ENTRY, AT_SYSINFO_EHDR = 3, 5, 9, 33
DT_DEBUG = 21
SIGSEGV = 11
PATH = "/opt/app"


def note(kind, desc, owner=b"CORE"):
    owner += b"\0"
    return struct.pack("<III", len(owner), len(desc),
                       kind) + owner + bytes(-len(owner) % 4) + desc + bytes(-len(desc) % 4)


def words(*values):
    return struct.pack("<%dQ" % len(values), *values)


def prstatus(pid, signal, registers):
    desc = bytearray(112)
    struct.pack_into("<H", desc, 12, signal)
    struct.pack_into("<I", desc, 32, pid)
    return note(NT_PRSTATUS, bytes(desc) + words(*registers) + bytes(8))


def files(entries):
    desc = words(len(entries), 4096)
    for start, end, offset, _ in entries:
        desc += words(start, end, offset)
    return note(NT_FILE, desc + b"".join(path.encode() + b"\0" for _, _, _, path in entries))


def core(machine, notes, loads, extended=False):
    """loads: (address, size in memory, contents, flags). The library's page, the first, goes on through the
    others' contents: it must be whole."""
    count = len(loads) + 1
    at = 64 + 56 * count
    section = words(0) + words(0, 0, 0, 0) + struct.pack("<II", 0, count) + words(0, 0) if extended else b""
    image = b"\177ELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, machine, 1, 0, 64,
                                                      at if extended else 0, 0, 64, 56,
                                                      0xffff if extended else count, 64, int(extended), 0)
    at += len(section)
    image += struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(notes), 0, 4)
    at += len(notes)
    for address, size, data, flags in loads:
        image += struct.pack("<IIQQQQQQ", 1, flags, at, address, 0, 4096 if address == RUNTIME else len(data),
                             size, 4096)
        at += len(data)
    return image + section + notes + b"".join(data for _, _, data, _ in loads)


class Program:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.symbols = {}
        for line in subprocess.run(["nm", path], check=True, stdout=subprocess.PIPE,
                                   universal_newlines=True).stdout.splitlines():
            value, _, name = line.rpartition(" ")
            if " " in value:
                self.symbols[name] = int(value.split()[0], 16)
        phoff, = struct.unpack_from("<Q", self.data, 32)
        count, = struct.unpack_from("<H", self.data, 56)
        self.headers = [struct.unpack_from("<IIQQQQQQ", self.data, phoff + 56 * i) for i in range(count)]
        self.text = [h for h in self.headers if h[0] == 1 and h[1] & 1][0]
        self.written = [h for h in self.headers if h[0] == 1 and h[1] & 2][0]
        self.dynamic = [h for h in self.headers if h[0] == 2][0][3]

    def memory(self):
        """Its data as a running process has it."""
        _, _, offset, address, _, size, memory, _ = self.written
        data = bytearray(self.data[offset:offset + size]) + bytes(memory - size)

        def put(symbol, *values):
            data[self.symbols[symbol] - address:self.symbols[symbol] - address + 8
                 * len(values)] = words(*values)

        at = {name: BASE + value for name, value in self.symbols.items()}
        for entry in range(self.dynamic - address, size, 16):
            if struct.unpack_from("<Q", data, entry)[0] == DT_DEBUG:
                struct.pack_into("<Q", data, entry + 8, at["debug"])
        put("debug", 1, at["map"])
        put("map", BASE, 0, BASE + self.dynamic, 0, 0, 1)
        put("dtv", 0, 0, at["grid"], 0)
        first, second = at["pthreads"], at["pthreads"] + 256
        # Its handle, its vector, its number, and where it is in libc's list.
        put("pthreads", first, at["dtv"], 501, 0, second + 32, at["_rtld_global"])
        data[second - BASE - address:second - BASE - address + 48] = words(second, at["dtv"], 502, 0,
                                                                           at["_rtld_global"], first + 32)
        put("_rtld_global", first + 32, second + 32, at["_rtld_global"] + 16, at["_rtld_global"] + 16)
        return bytes(data)

    def loads(self, text=0x80):
        start = BASE + self.written[3] // 4096 * 4096
        data = bytes(self.written[3] % 4096) + self.memory()
        return [(BASE, 0x1000, self.data[:0x380], 4),
                (BASE + self.text[3], 0x1000, self.data[self.text[2]:self.text[2] + text], 5),
                (start, (len(data) + 4095) // 4096 * 4096, data, 6)]

    def maps(self):
        data = BASE + self.written[3] // 4096 * 4096
        return [(BASE, BASE + 0x1000, 0, PATH), (BASE + self.text[3], BASE + self.text[3] + 0x1000, 1, PATH),
                (data, data + 0x1000, 2, PATH)]


def runtime():
    """The first page of a library with Companion's note (docs/core-note.md), whose file is nowhere."""
    page = bytearray(b"\177ELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, X86_64, 1, 0, 64, 0, 0,
                                                               64, 56, 2, 0, 0, 0))
    page += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x4000, 0x4000, 4096)
    page += struct.pack("<IIQQQQQQ", 4, 4, 0xb0, 0xb0, 0, 0x38, 0x38, 4)
    page += struct.pack("<III", 4, 4,
                        3) + b"GNU\0" + b"\xde\xad\xbe\xef" + struct.pack("<III", 5, 16,
                                                                          1) + b"OMPC\0\0\0\0" + bytes(16)
    return (RUNTIME, 0x4000, bytes(page), 5)


def frames(spin):
    """A stack of two calls of spin, then through the library's frame pointers, then out of the world."""
    stack = bytearray(0x200)
    for at, up, back in ((0x40, STACK + 0xa0, spin), (0xa0, STACK + 0x100, RUNTIME + 0x2000),
                         (0x100, STACK + 0x140, spin), (0x140, 0, 0x400000)):
        struct.pack_into("<QQ", stack, at, up, back)
    return bytes(stack)


def x86_64(program, text=0x80, threads=2, extended=False):
    spin = BASE + program.symbols["spin"]
    handles = BASE + program.symbols["pthreads"]
    notes = b""
    for i in range(threads):
        registers = [0x1000 + k for k in range(27)]
        registers[4], registers[16], registers[19] = STACK + 0x40, spin + 20, STACK
        registers[21] = handles + 256 * (i % 2)
        if i % 2:
            registers[16], registers[21] = RUNTIME + 0x1000, 0
        notes += prstatus(501 + i, SIGSEGV if i == 0 else 0, registers)
        if i == 0:
            notes += note(NT_PRPSINFO, bytes(24) + struct.pack("<I", 501) + bytes(12)
                          + b"app".ljust(16, b"\0") + b"./app 4 ".ljust(80, b"\0"))
            notes += note(NT_SIGINFO, struct.pack("<iiiiQ", SIGSEGV, 0, 1, 0, 0xdead).ljust(128, b"\0"))
            notes += note(NT_AUXV, words(AT_PHDR, BASE + 64, AT_PHNUM, len(program.headers), AT_ENTRY, spin,
                                         AT_SYSINFO_EHDR, RUNTIME, 0, 0))
            notes += files(program.maps() + [(RUNTIME, RUNTIME + 0x4000, 0, "/opt/libompcompanion.so.1")])
    return core(X86_64, notes, [runtime()] + program.loads(text) + [(STACK, 0x1000, frames(spin + 0x78), 6)],
                extended)


def aarch64():
    notes = b""
    for i in range(2):
        registers = [0x1000 + k for k in range(34)]
        registers[29], registers[31], registers[32] = STACK + 0x40, STACK, RUNTIME + 0x1000
        notes += prstatus(501 + i, SIGSEGV if i == 0 else 0,
                          registers) + note(NT_ARM_TLS, words(THREADS + 0x700 * i), b"LINUX")
    notes += files([(RUNTIME, RUNTIME + 0x4000, 0, "/opt/libompcompanion.so.1")])
    return core(AARCH64, notes, [runtime(), (STACK, 0x1000, frames(RUNTIME + 0x1800) + bytes(0xe00), 6)])


def compressed(data, *command):
    return subprocess.run(command, input=data, check=True, stdout=subprocess.PIPE).stdout


def main():
    program = Program(sys.argv[1])
    whole = x86_64(program)
    for image in (whole, x86_64(program, text=0), x86_64(program, threads=5), x86_64(program, extended=True),
                  whole[:len(whole) // 2], aarch64(), compressed(whole, "zstd", "-q", "-19", "-c"),
                  compressed(whole, "zstd", "-q", "-1", "--check", "-c")[:-300],
                  compressed(aarch64(), "lz4", "-q", "-c")):
        print(image.hex())


if __name__ == "__main__":
    main()
