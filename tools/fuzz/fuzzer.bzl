# SPDX-License-Identifier: Apache-2.0
"""Fuzzers: what ./dev fuzz runs, and the tests of their corpora, which ./dev test runs with any compiler."""

def fuzzer(
        name,
        src,
        corpus,
        max_len,
        tested,
        others = [],
        headers = [],
        data = [],
        options = [],
        libraries = [],
        deps = None,
        env = {},
        inputs = 300):
    """Defines fuzz_NAME, which is manual and has the tag fuzz, and corpus_NAME_test.

    Args:
      name: what is fuzzed.
      src: the source with LLVMFuzzerTestOneInput.
      corpus: its inputs, FILE.hex.
      max_len: bytes of the longest input.
      tested: the sources that guide libFuzzer; groups of them may have headers in them.
      others: further sources of the fuzzer.
      headers: what they include.
      data: what libFuzzer's build or the fuzzer needs beside these.
      options: of the compiler.
      libraries: as -lNAME.
      deps: libraries that the test is linked with; None: it compiles `tested`.
      env: environment.
      inputs: random ones of the test beside the corpus; None: there is no test.
    """
    native.sh_test(
        name = "fuzz_" + name,
        size = "enormous",
        srcs = ["//tools/fuzz:run.sh"],
        args = ["fuzz_" + name, "$(location %s)" % corpus, str(max_len)] +
               ["$(locations %s)" % label for label in tested] + ["--"] +
               ["$(locations %s)" % label for label in [src] + others] + ["--"] + options + libraries,
        data = [src, corpus, "//tools/fuzz:corpus.py"] + tested + others + headers + data,
        env = env,
        tags = [
            "fuzz",
            "manual",
        ],
    )
    if inputs == None:
        return
    native.cc_test(
        name = "corpus_%s_test" % name,
        size = "small",
        srcs = [src, "//tools/fuzz:main"] + others + headers + (tested if deps == None else []),
        args = ["$(location %s)" % corpus],
        copts = ["-Iinclude", "-Iompd", "-O1"] + options,
        data = [corpus],
        env = dict(env, INPUTS = str(inputs)),
        linkopts = libraries,
        deps = deps or [],
    )
