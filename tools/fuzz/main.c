/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Runs a fuzzer without libFuzzer, with any compiler: the inputs of a corpus file, then INPUTS random ones of
 * SEED, by the environment or 300 and 1.
 *
 *   main CORPUS.hex
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/fuzz/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one(const uint8_t *data, size_t size)
{
    /* A copy of just this size, so that a sanitizer sees what is read behind it. */
    uint8_t *copy = malloc(size + (size == 0));
    for (size_t i = 0; copy != NULL && i < size; i++)
        copy[i] = data[i];
    if (copy != NULL)
        LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/** SplitMix64's step. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned long number(const char *variable, unsigned long otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoul(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    const unsigned long inputs = number("INPUTS", 300), seed = number("SEED", 1);
    if (argc != 2)
        return 64;
    const unsigned long kept = lines_each(argv[1], one);
    for (unsigned long i = 0; i < inputs; i++) {
        uint64_t state = seed << 32 | i;
        uint8_t data[256];
        /* Mostly short ones: of much damage nothing is left to be asked. */
        const size_t size = 2 + next(&state) % 8 * (next(&state) % 8 + 1) + next(&state) % 8;
        for (size_t at = 0; at < size; at++)
            data[at] = (uint8_t)next(&state);
        one(data, size);
    }
    printf("%lu inputs of the corpus and %lu random ones, no finding\n", kept, inputs);
    return kept == 0;
}
