# SPDX-License-Identifier: Apache-2.0
"""Cores with damaged pointers: words that point into the heap, and malloc's notes of sizes, are replaced."""

import random
import struct

_PT_LOAD, _WRITE = 1, 2


def _loads(data):
    """(address, place in the file, size) of the parts that the program could write."""
    at, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, offset, address, _, there = struct.unpack_from("<IIQQQQ", data, at + i * size)
        if kind == _PT_LOAD and flags & _WRITE and there:
            yield address, offset, there


def _words(data, loads, low, high):
    """Places of words that point into the heap, or that can be a chunk's size."""
    places, sizes = [], []
    for address, offset, size in loads:
        if size > 1 << 22:
            continue
        for at in range(offset, offset + size - 7, 8):
            value, = struct.unpack_from("<Q", data, at)
            if low <= value < high:
                places.append(at)
            elif low <= address < high and 0x20 < value < 0x40000 and value % 16 in (1, 2,
                                                                                     3) and at % 16 == 8:
                sizes.append(at)
    return places, sizes


def damaged(core, copy, low, high, seed):
    """Writes COPY, CORE with a part of its pointers into [LOW, HIGH) replaced."""
    chance = random.Random(seed)
    with open(core, "rb") as f:
        data = bytearray(f.read())
    loads = list(_loads(data))
    places, sizes = _words(data, loads, low, high)
    for at in chance.sample(places, max(1, len(places) // chance.choice((2, 4, 10)))):
        old, = struct.unpack_from("<Q", data, at)
        other, = struct.unpack_from("<Q", data, chance.choice(places))
        value = chance.choice((other, other, old + 8, old - 16, low, high - 8,
                               chance.randrange(low, high) & ~7, 0, 1, 2**64 - 8, chance.getrandbits(64),
                               chance.getrandbits(47)))
        struct.pack_into("<Q", data, at, value % 2**64)
    for at in chance.sample(sizes, len(sizes) // 4):
        struct.pack_into("<Q", data, at,
                         chance.choice((1, 0x21, 2**62 + 1, 2**64 - 15, chance.getrandbits(24) | 1,
                                                        chance.getrandbits(20) & ~15 | 2)))
    with open(copy, "wb") as f:
        f.write(data)
