/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fuzzer: much damage all over the structures by a generator whose seed is the input, then the whole API.
 */
#include "ompd/fuzz/damage.h"
#include "ompd/fuzz/calls.h"
#include "ompd/fuzz/session.h"
#include "ompd/fuzz/survey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** SplitMix64's step. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calls calls;
    struct damage input = {data, size};
    const uint8_t image = damage_byte(&input), how = damage_byte(&input);
    const unsigned damages = 1u + damage_byte(&input) % 64, kinds = damage_byte(&input);
    uint64_t seed = damage_number(&input, 8);
    session_begin(&calls, image, how);
    for (unsigned i = 0; i < damages; i++) {
        uint64_t random[2] = {next(&seed), next(&seed)};
        struct damage damage = {(const uint8_t *)random, sizeof random};
        const uint8_t op = (uint8_t)(next(&seed) % DAMAGE_OPS);
        if (op < DAMAGE_CUT || (op == DAMAGE_LOSE && (kinds & 1) != 0) ||
            (op == DAMAGE_CUT && (kinds & 2) != 0) || (op == DAMAGE_FAIL && (kinds & 4) != 0))
            damage_do(calls.mem, op, &damage);
    }
    survey(&calls, 0, 1 + (how >> 2 & 3), (how & 16) != 0);
    session_end(&calls);
    return 0;
}
