# SPDX-License-Identifier: Apache-2.0
"""Tests in Python."""

def python_test(name, program = None, srcs = [], deps = [], data = [], tags = [], **kwargs):
    """A program that ends with xmltest.main().

    Args:
      name: the test's name.
      program: its file without .py, when that is not the name.
      srcs: modules that it imports besides.
      deps: libraries besides //tools:xmltest.
      data: files that it reads.
      tags: docs/testing.md.
      **kwargs: passed on to py_test.
    """
    main = (program or name) + ".py"
    native.py_test(
        name = name,
        srcs = srcs + [main],
        data = data,
        main = main,
        python_version = "PY3",
        tags = tags,
        deps = deps + ["//tools:xmltest"],
        **kwargs
    )

def debugger_test(name, deps = [], data = [], tags = [], **kwargs):
    """A python_test of our libraries with an OpenMP program, in GDB or without (gdbrun.py).

    Args:
      name: see python_test.
      deps: libraries besides gdbrun.
      data: files besides libompd and libompdinspect.
      tags: besides gdb and omp.
      **kwargs: passed on to python_test.
    """
    python_test(
        name = name,
        data = data + ["//inspect:libompdinspect.so.1", "//ompd:libompd.so.1"],
        tags = ["gdb", "omp"] + tags,
        deps = deps + ["//gdb-plugin/tests:gdbrun"],
        **kwargs
    )
