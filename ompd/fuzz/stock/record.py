#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an image of what recorder.c wrote down: record.py LOG IMAGE

How the images of the tree were made: `ompd report --core CORE --ompd-library RECORDER.so` of programs of
test-targets/, where RECORDER.so is recorder.c linked with libompd.so.1.

An image, little-endian: pieces of u64 segment (0: memory), i64 LWP (0: none), u64 address, u32 bytes, u32
runs; each run: u32 offset, u32 bytes, the bytes. What no run has is zero.
"""
import struct
import sys


def pieces(path):
    """{(segment, LWP): {address: byte}}"""
    spaces = {}
    with open(path) as log:
        for line in log:
            segment, lwp, address, _, data = line.split()
            space = spaces.setdefault((int(segment, 16), int(lwp)), {})
            for i, byte in enumerate(bytes.fromhex(data)):
                space[int(address, 16) + i] = byte
    return spaces


def stretches(space):
    """(address, bytes) of each stretch without a gap."""
    start = before = None
    found = bytearray()
    for address in sorted(space):
        if before is None or address != before + 1:
            if found:
                yield start, bytes(found)
            start, found = address, bytearray()
        found.append(space[address])
        before = address
    if found:
        yield start, bytes(found)


def runs(data):
    """(offset, bytes) of the words that are not zero."""
    found = []
    for at in range(0, len(data), 8):
        word = data[at:at + 8]
        if not any(word):
            continue
        if found and found[-1][0] + len(found[-1][1]) == at:
            found[-1][1] += word
        else:
            found.append([at, bytearray(word)])
    return found


def main():
    log, image = sys.argv[1:]
    with open(image, "wb") as file:
        for (segment, lwp), space in sorted(pieces(log).items()):
            for address, data in stretches(space):
                listed = runs(data)
                file.write(struct.pack("<QqQII", segment, lwp, address, len(data), len(listed)))
                for at, word in listed:
                    file.write(struct.pack("<II", at, len(word)) + word)


main()
