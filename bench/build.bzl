# SPDX-License-Identifier: Apache-2.0
"""Benchmark programs: one source, built once by each compiler, optimised. bench/runtimes.py chooses the runtime."""

_RUNTIME = "//runtime:libompcompanion.so.1.0.0"
_HEADERS = "//include:headers"
_FLAGS = "-g -O2 -fPIE -std=gnu11 -Wall -Wextra -fopenmp -fdebug-prefix-map=$$PWD=."
_FIND_OMP_H = "for h in $(locations %s); do case $$h in */omp.h) omp_h=$$(dirname $$h);; esac; done" % _HEADERS

def bench_program(name, src, hdrs = []):
    """Builds NAME_clang.exe and NAME_gcc.exe.

    clang's program is linked to Companion by path, so that a build needs no package of libomp; its version nodes are
    libomp's, so it runs on that too. gcc's is linked to libgomp, as users have them, and gets Companion in its place.

    Args:
      name: of the program.
      src: its C source.
      hdrs: what the source includes from its own directory.
    """
    native.genrule(
        name = name + "_clang",
        srcs = [src, _HEADERS, _RUNTIME] + hdrs,
        outs = [name + "_clang.exe"],
        cmd = "\n".join([
            "set -eu",
            "object=$$(mktemp)",
            "trap 'rm $$object' EXIT",
            _FIND_OMP_H,
            "clang %s -I$$omp_h -c $(location %s) -o $$object" % (_FLAGS, src),
            "clang -pie $$object $(location %s) -pthread -lm -Wl,-rpath,'$$ORIGIN' -o $@" % _RUNTIME,
        ]),
        executable = True,
        message = "OpenMP by clang",
    )
    native.genrule(
        name = name + "_gcc",
        srcs = [src] + hdrs,
        outs = [name + "_gcc.exe"],
        cmd = "gcc %s $(location %s) -pie -lm -o $@" % (_FLAGS, src),
        executable = True,
        message = "OpenMP by gcc",
    )

def fortran_program(name, src):
    """Builds NAME_gcc.exe: gfortran's, linked to libgomp as users have it.

    Args:
      name: of the program.
      src: its Fortran source.
    """
    native.genrule(
        name = name + "_gcc",
        srcs = [src],
        outs = [name + "_gcc.exe"],
        cmd = "gfortran -g -O2 -fPIE -Wall -fopenmp -fdebug-prefix-map=$$PWD=. $< -pie -o $@",
        executable = True,
        message = "OpenMP by gfortran",
    )
