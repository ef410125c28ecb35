# SPDX-License-Identifier: Apache-2.0
"""OpenMP test programs, built against our runtime by the compilers whose ABI it has."""

_RUNTIME = "//runtime:libompcompanion.so.1.0.0"
_HEADERS = "//include:headers"

# Suffix -> C compiler, C++ compiler.
COMPILERS = {
    "clang": ("clang", "clang++"),
    "gcc": ("gcc", "g++"),
}

def _soname_link_impl(ctx):
    link = ctx.actions.declare_file(ctx.attr.soname)
    ctx.actions.symlink(output = link, target_file = ctx.file.library)
    return [DefaultInfo(files = depset([link]), runfiles = ctx.runfiles([link, ctx.file.library]))]

soname_link = rule(
    implementation = _soname_link_impl,
    doc = """A symlink with the library's SONAME, for programs of this package with rpath $ORIGIN.

    A link and no copy: two names of one file are one runtime in a process, and the debugger
    resolves it to the real name.""",
    attrs = {
        "library": attr.label(allow_single_file = True, mandatory = True),
        "soname": attr.string(mandatory = True),
    },
)

def omp_program(
        name,
        srcs,
        hdrs = [],
        copts = [],
        cxx_copts = [],
        linkopts = [],
        openmp = True,
        shared = False,
        libs = [],
        compilers = COMPILERS,
        **kwargs):
    """Builds NAME_<compiler>.exe (or .so) for each compiler, and a filegroup NAME of them.

    At run time the loader looks for libompcompanion.so.1 beside the program: see soname_link.

    Args:
      name: the group's name.
      srcs: C sources, or C++ when one of them ends in .cc.
      hdrs: headers that the sources include by their plain name.
      copts: more compile options, after -g -O0.
      cxx_copts: more of the sources in C++, after -std=c++17.
      linkopts: more link options.
      openmp: False for a program that is to have no OpenMP in it.
      shared: a shared library instead of a program.
      libs: labels of shared libraries to link with besides; see soname_link.
      compilers: suffix -> (C compiler, C++ compiler).
      **kwargs: passed on to the rules (testonly, visibility, ...).
    """
    cxx = len([s for s in srcs if s.endswith(".cc")]) > 0
    for suffix, commands in compilers.items():
        native.genrule(
            name = name + "_" + suffix,
            srcs = srcs + hdrs + libs + [_HEADERS, _RUNTIME],
            outs = [name + "_" + suffix + (".so" if shared else ".exe")],
            # Compile with -fopenmp, link without it: that leaves out the compiler's own runtime and
            # needs no package of it. The runtime is named by its path, so the SONAME gets into NEEDED.
            cmd = "\n".join([
                "set -eu",
                "tmp=$$(mktemp -d)",
                "trap 'rm -r $$tmp' EXIT",
                "flags='-g -O0 -fPIC -Wall -Wextra -Wno-unused-parameter -fdebug-prefix-map='$$PWD=.",
                "for h in $(locations %s); do case $$h in */omp.h) flags=\"$$flags -I$$(dirname $$h)\";; esac; done" % _HEADERS,
                "for s in %s; do" % " ".join(["$(locations %s)" % s for s in srcs]),
                "  omp=%s" % ("-fopenmp" if openmp else ""),
                "  case $$s in",
                "    *.cc) cc='%s';;" % " ".join([commands[1], "-std=c++17"] + cxx_copts),
                "    *) cc='%s -std=gnu11';;" % commands[0],
                "  esac",
                # What the targets share calls no OpenMP and is compiled without it.
                "  case $$s in */truth.c) omp=;; esac",
                "  $$cc $$flags $$omp %s -c $$s -o $$tmp/$$(basename $$s).o" % " ".join(copts),
                "done",
                " ".join([
                    commands[1] if cxx else commands[0],
                    "-shared" if shared else "",
                    "$$tmp/*.o -o $@",
                    "$(location %s)" % _RUNTIME if openmp else "",
                    " ".join(["$(location %s)" % lib for lib in libs]),
                    "-pthread -Wl,-rpath,'$$ORIGIN'",
                    " ".join(linkopts),
                ]),
            ]),
            executable = not shared,
            message = "OpenMP by " + suffix,
            **kwargs
        )
    native.filegroup(
        name = name,
        srcs = [":" + name + "_" + s for s in compilers],
        **kwargs
    )

# Suffix -> Fortran compiler and what it needs besides.
FORTRAN_COMPILERS = {
    "gfortran": ("gfortran", "-ffree-line-length-none", ""),
    "flang": ("flang-new-19", "", "-lm"),
}

def omp_fortran_program(
        name,
        srcs,
        c_srcs = [],
        hdrs = [],
        copts = [],
        c_copts = [],
        own_module = False,
        compilers = FORTRAN_COMPILERS,
        **kwargs):
    """Builds NAME_<compiler>.exe for each Fortran compiler, and a filegroup NAME of them; see omp_program.

    Args:
      name: the group's name.
      srcs: Fortran sources, a module before those that use it.
      c_srcs: C sources without OpenMP, compiled by gcc.
      hdrs: headers of the C sources.
      copts: more compile options.
      c_copts: more of the C sources.
      own_module: use omp_lib as include/omp_lib.F90 makes it, not the compiler's.
      compilers: suffix -> (compiler, options, libraries).
      **kwargs: passed on to the rules.
    """
    module = ["//include:omp_lib.F90"] if own_module else []
    for suffix, (compiler, options, libraries) in compilers.items():
        native.genrule(
            name = name + "_" + suffix,
            srcs = module + srcs + c_srcs + hdrs + ["//include:omp_lib.h", _HEADERS, _RUNTIME],
            outs = [name + "_" + suffix + ".exe"],
            cmd = "\n".join([
                "set -eu",
                "tmp=$$(mktemp -d)",
                "trap 'rm -r $$tmp' EXIT",
                "for h in $(locations %s); do case $$h in */omp.h) inc=$$(dirname $$h);; esac; done" % _HEADERS,
                "for s in %s; do" % " ".join(["$(location %s)" % s for s in c_srcs]),
                "  gcc -g -O0 -std=gnu11 -fdebug-prefix-map=$$PWD=. -I$$inc %s -c $$s -o $$tmp/$$(basename $$s).o" % " ".join(c_copts),
                "done",
                "for s in %s; do" % " ".join(["$(location %s)" % s for s in module + srcs]),
                "  (src=$$PWD/$$s; inc=$$PWD/$$(dirname $(location //include:omp_lib.h)); cd $$tmp && %s -g -O0 -fopenmp %s %s -I$$tmp -I$$inc -c $$src -o $$(basename $$s).o)" %
                (compiler, options, " ".join(copts + (["-DOWN_MODULE"] if own_module else []))),
                "done",
                "%s $$tmp/*.o -o $@ $(location %s) -pthread -Wl,-rpath,'$$ORIGIN' %s" % (compiler, _RUNTIME, libraries),
            ]),
            executable = True,
            message = "OpenMP by " + suffix,
            **kwargs
        )
    native.filegroup(
        name = name,
        srcs = [":" + name + "_" + s for s in compilers],
        **kwargs
    )
