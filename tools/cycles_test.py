# SPDX-License-Identifier: Apache-2.0
"""Tests of cycles.py, on small trees: which uses make one file depend on another, and which do not."""
import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest

from tools import cycles
import xmltest


class Cycles(unittest.TestCase):
    def tree(self, **files):
        """A tree of files ("room/a.c" is written room__a__c), as (root, paths, entries of
        compile_commands.json)."""
        root = tempfile.TemporaryDirectory()
        self.addCleanup(root.cleanup)
        paths = {}
        for name, text in files.items():
            *folders, base, ending = name.split("__")
            path = "/".join(folders + [base]) + "." + ending
            paths[path] = text
            os.makedirs(os.path.join(root.name, *folders), exist_ok=True)
            with open(os.path.join(root.name, path), "w") as f:
                f.write(text)
        command = ["gcc", "-O2", "-g", "-I.", "-MD", "-MF", "unused.d", "-o", "unused.o", "-c"]
        entries = [{"file": p, "arguments": command + [p]} for p in paths if p.endswith(".c")]
        return root.name, set(paths), entries

    def found(self, **files):
        return cycles.of_tree(*self.tree(**files)).cycles()

    def test_header_and_source_are_one_file(self):
        self.assertEqual(self.found(r__a__h="int a(void);",
                                    r__a__c='#include "a.h"\nint a(void) { return 1; }',
                                    r__b__c='#include "r/a.h"\nint b(void) { return a(); }'), [])

    def test_headers_that_include_each_other(self):
        self.assertEqual(self.found(r__a__h='#include "b.h"', r__b__h='#include "r/a.h"'), [["r/a", "r/b"]])

    def test_function_against_include(self):
        """b includes a.h; a calls a function of b that a third header declares."""
        self.assertEqual(self.found(r__all__h="int b(void);", r__a__h="int a(void);",
                                    r__a__c='#include "all.h"\nint a(void) { return b(); }',
                                    r__b__c='#include "a.h"\nint b(void) { return 1; }'), [["r/a", "r/b"]])

    def test_variable(self):
        self.assertEqual(self.found(r__a__c="extern int b; int a(void) { return b; }",
                                    r__b__c="int b; int a(void); int c(void) { return a(); }"),
                         [["r/a", "r/b"]])

    def test_three_in_a_row_and_two_cycles(self):
        self.assertEqual(self.found(r__a__c="void b(void); void a(void) { b(); }",
                                    r__b__c="void c(void); void b(void) { c(); }",
                                    r__c__c="void a(void); void c(void) { a(); }",
                                    s__x__py="import y", s__y__py="import x"),
                         [["r/a", "r/b", "r/c"], ["s/x", "s/y"]])

    def test_what_does_not_tie(self):
        """Static functions of the same name; another room's function; a weak reference; one of libc's."""
        self.assertEqual(self.found(
            r__a__c="static void f(void) {} void b(void); void a(void) { f(); b(); }",
            r__b__c="static void f(void) {} void b(void) { f(); }",
            s__c__c="void a(void); void b(void) { a(); }",
            t__d__c="__attribute__((weak)) void e(void); void d(void) { if (e) e(); }",
            t__e__c="void d(void); void e(void) { d(); }",
            u__g__c="#include <stdlib.h>\nvoid h(void);\n"
                    "void *realloc(void *p, size_t n) { h(); (void)n; return p; }",
            u__h__c="#include <stdlib.h>\nvoid h(void) { free(realloc(0, 1)); }"), [])

    def test_stand_ins(self):
        """A fuzzer defines what the code under test calls. Only what that code itself lacks ties it."""
        code = dict(r__low__read__c="int get(void) { return 1; }",
                    r__high__walk__c="int get(void); int walk(void) { return get(); }")
        fuzzer = "int walk(void); int get(void) { return 0; } int main(void) { return walk(); }"
        self.assertEqual(self.found(**code, r__fuzz__f__c=fuzzer, r__tests__t__c=fuzzer), [])
        self.assertEqual(self.found(r__high__walk__c=code["r__high__walk__c"], r__fuzz__f__c=fuzzer),
                         [["r/fuzz/f", "r/high/walk"]])

    def test_imports(self):
        """Imports at the top or inside a function, absolute, relative, and of a package's submodule."""
        self.assertEqual(self.found(r__pkg__a__py="from . import b",
                                    r__pkg__b__py="def f():\n    from .sub import c\n    return c",
                                    r__pkg__sub__c__py="from ..a import g",
                                    r__d__py="import pkg.a", r__e__py="import os"),
                         [["r/pkg/a", "r/pkg/b", "r/pkg/sub/c"]])

    def test_folders_below(self):
        """What a README's table has above may be used, what it has below may not, where the README says so;
        others have no order."""
        root, paths, entries = self.tree(
            r__up__a__h="int a(void);", r__down__b__h="int b(void);", r__other__o__h="int o(void);",
            r__up__x__c='#include "r/down/b.h"\nint x(void) { return b(); }',
            r__down__y__c='#include "r/up/a.h"\n#include "r/other/o.h"\nint y(void) { return a() + o(); }')
        graph = cycles.of_tree(root, paths, entries)
        table = "| folder | what |\n|---|---|\n| `up/` | one |\n| `down/` | two |\n"
        for sentence, wrong in (("A folder uses those above it.", [("r/up/x", "r/down/b")]), ("", [])):
            with open(os.path.join(root, "r", "README.md"), "w") as f:
                f.write(sentence + "\n" + table)
            self.assertEqual(list(cycles.wrong_order(graph, root)), wrong)

    def test_names_are_printed_and_decide_the_status(self):
        root, paths, entries = self.tree(r__a__c="void b(void); void a(void) { b(); }",
                                         r__b__c="void a(void); void b(void) { a(); }")
        subprocess.run(["git", "init", "-q", root], check=True,
                       env={"PATH": os.environ["PATH"], "HOME": root})
        with open(os.path.join(root, "compile_commands.json"), "w") as f:
            json.dump(entries, f)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(cycles.main([root]), 1)
        self.assertEqual(out.getvalue(),
                         "r: 2 files depend on each other\n  r/a -> r/b: b\n  r/b -> r/a: a\n")
        os.unlink(os.path.join(root, "r", "b.c"))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual((cycles.main([root]), out.getvalue()), (0, ""))


if __name__ == "__main__":
    xmltest.main()
