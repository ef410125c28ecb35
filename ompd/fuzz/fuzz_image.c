/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fuzzer: an input is a recorded image's number and a program of damage, failing callbacks and API calls,
 * mixed: so the target changes between calls, handles go stale, brackets are open or not.
 */
#include "ompd/fuzz/damage.h"
#include "ompd/fuzz/calls.h"
#include "ompd/fuzz/session.h"

#define CALLS_MAX 24
#define STEPS_MAX 64
#define WALK_MAX  40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Follows a chain of parents to its end, which there must be. */
static void walk(struct calls *calls, const uint8_t *argument)
{
    static const uint8_t chains[] = {CALL_ompd_get_enclosing_parallel_handle,
                                     CALL_ompd_get_generating_task_handle,
                                     CALL_ompd_get_scheduling_task_handle};
    const uint8_t step[3] = {(uint8_t)((argument[0] & 3) * 5), 0, 0}; /* from a register to itself */
    for (unsigned i = 0; i < 4 * WALK_MAX; i++)
        if (call_run(calls, chains[argument[1] % 3], step) != ompd_rc_ok)
            return;
    if (!calls->bracket[0] && !calls->bracket[1]) /* sound chains are shorter, rings are found */
        call_violation(chains[argument[1] % 3], "a chain without an end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calls calls;
    struct damage damage = {data, size};
    const uint8_t image = damage_byte(&damage), how = damage_byte(&damage);
    unsigned called = 0;
    session_begin(&calls, image, how);
    for (unsigned step = 0; step < STEPS_MAX && called < CALLS_MAX && damage.size != 0; step++) {
        const uint8_t op = damage_byte(&damage);
        if (op < DAMAGE_OPS) {
            damage_do(calls.mem, op, &damage);
            continue;
        }
        uint8_t argument[3];
        for (unsigned i = 0; i < 3; i++)
            argument[i] = damage_byte(&damage);
        called++;
        if (op == DAMAGE_OPS)
            walk(&calls, argument);
        else
            (void)call_run(&calls, (op - DAMAGE_OPS - 1u) % CALL_COUNT, argument);
    }
    session_end(&calls);
    return 0;
}
