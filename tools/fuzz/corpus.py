#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Between libFuzzer's directories and the corpus files of the tree, one line of hexadecimal digits an input.

  corpus.py unpack FILE.hex DIRECTORY
  corpus.py pack DIRECTORY FILE.hex    keeps the lines that the file has and adds new ones, short ones first
"""
import hashlib
import os
import sys


def unpack(path, directory):
    os.makedirs(directory, exist_ok=True)
    with open(path) as lines:
        for line in lines:
            data = bytes.fromhex(line)
            with open(os.path.join(directory, hashlib.sha1(data).hexdigest()), "wb") as file:
                file.write(data)


def pack(directory, path):
    lines = []
    if os.path.exists(path):
        with open(path) as file:
            lines = file.read().splitlines()
    found = set()
    for name in os.listdir(directory):
        with open(os.path.join(directory, name), "rb") as file:
            found.add(file.read().hex())
    lines += sorted(found - set(lines), key=lambda line: (len(line), line))
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in lines))
    print("%s: %d inputs" % (path, len(lines)))


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__.strip())
    (pack if sys.argv[1] == "pack" else unpack)(*sys.argv[2:])


main()
