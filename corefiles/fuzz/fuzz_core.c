/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is a core. FUZZ_PROGRAM names the program that the corpus' cores are of
 * (module.c).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "corefiles/fuzz/mutate.h"
#include "corefiles/fuzz/survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    survey_core(data, size, getenv("FUZZ_PROGRAM"));
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint64_t random = seed | UINT64_C(1) << 32;

    if (seed % 4 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (unsigned n = seed / 4 % 4 + 1; n; n--)
        size = mutate_core(data, size, &random);
    return size;
}
