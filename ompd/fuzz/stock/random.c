/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Runs a fuzzer without libFuzzer: INPUTS random ones of SEED, by the environment or 300 and 1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int main(void)
{
    const unsigned long inputs = number("INPUTS", 300), seed = number("SEED", 1);
    for (unsigned long i = 0; i < inputs; i++) {
        uint64_t state = seed << 32 | i;
        uint8_t data[256];
        /* Mostly little damage: of much nothing is left to be asked. */
        const size_t size = 2 + next(&state) % 8 * (next(&state) % 8 + 1) + next(&state) % 8;
        for (size_t at = 0; at < size; at++)
            data[at] = (uint8_t)next(&state);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%lu inputs, no finding\n", inputs);
    return 0;
}
