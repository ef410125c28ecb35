# SPDX-License-Identifier: Apache-2.0
"""Tests in Python."""

def python_test(name, srcs = [], deps = [], data = [], tags = [], **kwargs):
    """NAME.py, which ends with xmltest.main().

    Args:
      name: the test's name, and its file's without .py.
      srcs: modules that it imports besides.
      deps: libraries besides //tools:xmltest.
      data: files that it reads.
      tags: docs/testing.md.
      **kwargs: passed on to py_test.
    """
    native.py_test(
        name = name,
        srcs = srcs + [name + ".py"],
        data = data,
        main = name + ".py",
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
