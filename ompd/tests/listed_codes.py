#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""@file The codes that omp-tools.h lists for each routine of OMPD.

  listed_codes.py emit HEADER             rows for the C++ tests: {"ompd_get_state", ompd_rc_ok},
  listed_codes.py check HEADER TEST...    no test expects a code that is not listed

Whether each listed code is really returned, and no other, listed_codes_test.cc finds out by making the calls.
"""
import re
import sys

ROUTINE = re.compile(r"/\*\n((?: \*(?!/).*\n)+) \*/\nompd_rc_t (ompd_\w+)\(")
ITEM = re.compile(r"^ \*   ([a-z_]+(?:, [a-z_]+)*):", re.MULTILINE)
EXPECTED = re.compile(r"(?:EXPECT|ASSERT)_EQ\(\s*(ompd_[a-z_]+)\((?:[^;]*?)\),\s*ompd_rc_([a-z_]+)\)")


def listed(path):
    """Function -> list of codes in the order of the comment."""
    with open(path, encoding="utf-8") as header:
        text = header.read()
    enum = re.search(r"typedef enum ompd_rc_t \{(.*?)\}", text, re.DOTALL).group(1)
    known = set(re.findall(r"ompd_rc_([a-z_]+) =", enum))
    found = {}
    for comment, name in ROUTINE.findall(text):
        joined = re.sub(r"\n \*     ", " ", comment)  # a list of codes may go on in the next line
        codes = [code for item in ITEM.findall(joined) for code in item.split(", ")]
        if not codes:
            raise ValueError("%s: no codes" % name)
        for code in codes:
            if code not in known or codes.count(code) != 1:
                raise ValueError("%s: %s is no code, or listed twice" % (name, code))
        found[name] = codes
    return found


def check(header, tests):
    """Returns complaints."""
    codes = listed(header)
    complaints = [] if len(codes) == 37 else ["%d routines in the header, not 37" % len(codes)]
    expectations = 0
    for path in tests:
        with open(path, encoding="utf-8") as source:
            for name, code in EXPECTED.findall(source.read()):
                if name not in codes:
                    complaints.append("%s: unknown routine %s" % (path, name))
                elif code not in codes[name]:
                    complaints.append("%s: %s returns %s, which the header does not list"
                                      % (path, name, code))
                expectations += 1
    if expectations < 100:
        complaints.append("only %d expectations found: the pattern is wrong" % expectations)
    print("%d routines, %d codes, %d expectations"
          % (len(codes), sum(map(len, codes.values())), expectations))
    return complaints


def main(arguments):
    """The command."""
    if arguments[0] == "emit":
        for name, codes in listed(arguments[1]).items():
            for code in codes:
                print('{"%s", ompd_rc_%s},' % (name, code))
        return 0
    complaints = check(arguments[1], arguments[2:])
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
