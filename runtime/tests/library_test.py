# SPDX-License-Identifier: Apache-2.0
"""What packagers and debuggers rely on in the built library: exports, dependencies, the note, the table's
pages.

readelf and nm (binutils) read the file: nothing of ours takes part.
"""
import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import xmltest

LIBRARY = os.path.abspath(sys.argv[1])
PAGE = 4096


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dynamic_symbols():
    """name -> (address, size, section, version)"""
    found = {}
    for line in run("readelf", "-W", "--dyn-syms", LIBRARY).splitlines():
        match = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\w+) \w+\s+(?:GLOBAL|WEAK)\s+\w+\s+(\w+) (\S+)", line)
        if match and match.group(3) not in ("UND", "ABS"):
            name, _, version = match.group(4).partition("@")
            found[name] = (int(match.group(1), 16), int(match.group(2), 0), match.group(3),
                           version.lstrip("@"))
    return found


class Library(unittest.TestCase):
    def test_needs_libc_only(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", LIBRARY))
        self.assertEqual(needed, ["libc.so.6"])

    def test_soname(self):
        self.assertEqual(re.findall(r"SONAME.*\[(.*)\]", run("readelf", "-d", LIBRARY)),
                         ["libompcompanion.so.1"])

    def test_note_in_the_first_page_leads_to_the_table(self):
        with open(LIBRARY, "rb") as file:
            first = file.read(PAGE)
        at = first.find(struct.pack("<III", 5, 16, 1) + b"OMPC\0")
        self.assertGreater(at, 0, "the note is not in the first page")
        word = at + 12 + 8  # behind the name, padded to 4
        offset, size, major, zero = struct.unpack_from("<iIII", first, word)
        table, table_size, _, _ = dynamic_symbols()["rt_layout_table"]
        # The first page is mapped at the library's base, so a file offset in it is an address.
        self.assertEqual(word + offset, table)
        self.assertEqual((size, major, zero), (table_size, 1, 0))

    def test_note_is_listed_in_a_program_header_of_the_first_page(self):
        for line in run("readelf", "-Wl", LIBRARY).splitlines():
            fields = line.split()
            if fields[:1] == ["NOTE"] and int(fields[1], 16) + int(fields[4], 16) <= PAGE:
                return
        self.fail("no PT_NOTE lies in the first page")

    def test_table_lies_in_pages_that_are_written(self):
        table, size, _, _ = dynamic_symbols()["rt_layout_table"]
        self.assertEqual(table % PAGE, 0)
        for line in run("readelf", "-Wl", LIBRARY).splitlines():
            fields = line.split()
            if fields[:1] == ["LOAD"] and "RW" in line:
                start, length = int(fields[2], 16), int(fields[5], 16)
                if start <= table and table + size <= start + length:
                    return
        self.fail("the table is not in a writable segment")

    def test_labels_end_where_they_do(self):
        """Without a size a debugger gives a label's name to all code of a stripped library that follows
        it."""
        for name, (_, size, _, _) in dynamic_symbols().items():
            if name.startswith(("ompd_bp_", "ompd_dll_locations_valid")):
                self.assertGreater(size, 0, name)
                self.assertLessEqual(size, 16, name)

    def test_invalid_device_is_each_compilers_own(self):
        library = ctypes.CDLL(LIBRARY)
        find = ctypes.CDLL(None).dlvsym
        find.restype = ctypes.c_void_p
        # omp_invalid_device: -2 in the headers of clang and flang, -4 in those of gcc and gfortran.
        for node, invalid in (("VERSION", -2), ("GOMP_6.0", -4)):
            for name in ("omp_get_device_from_uid", "omp_get_device_from_uid_"):
                address = find(ctypes.c_void_p(library._handle), name.encode(), node.encode())
                self.assertTrue(address, name + "@" + node)
                call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)(address)
                self.assertEqual(call(b"nobody", 6), invalid, name + "@" + node)
                self.assertEqual(call(b"OMP_INITIAL_DEVICE", 18), -1, name + "@" + node)

    def test_locations_begin_with_the_path_beside_the_real_file(self):
        show = ("import ctypes, sys\nlibrary = ctypes.CDLL(sys.argv[1])\n"
                "names = ctypes.POINTER(ctypes.c_char_p).in_dll(library, 'ompd_dll_locations')\n"
                "at = 0\nwhile names[at]:\n    print(names[at].decode())\n    at += 1\n")

        def locations(name, **options):
            done = subprocess.run([sys.executable, "-c", show, name], stdout=subprocess.PIPE, text=True,
                                  check=True, **options)
            return done.stdout.split("\n")[:-1]

        plain = ["libompd.so.1", "libompd.so"]
        with tempfile.TemporaryDirectory() as top:
            top = os.path.realpath(top)
            os.makedirs(os.path.join(top, "lib", "ompcompanion"))
            shutil.copy(LIBRARY, os.path.join(top, "lib", "libompcompanion.so.1.0.0"))
            link = os.path.join(top, "lib", "ompcompanion", "libgomp.so.1")
            os.symlink("../libompcompanion.so.1.0.0", link)
            self.assertEqual(locations(link), plain)  # nothing to name beside it
            beside = os.path.join(top, "lib", "libompd.so.1")
            with open(beside, "w", encoding="ascii"):
                pass
            self.assertEqual(locations(link), [beside] + plain)
            # A relative LD_LIBRARY_PATH: the path is absolute all the same.
            env = dict(os.environ, LD_LIBRARY_PATH="lib/ompcompanion")
            self.assertEqual(locations("libgomp.so.1", cwd=top, env=env), [beside] + plain)

    def test_no_relocation_in_code(self):
        self.assertNotIn("TEXTREL", run("readelf", "-d", LIBRARY))


if __name__ == "__main__":
    del sys.argv[1]
    xmltest.main()
