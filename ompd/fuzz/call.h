/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A call of the API by its number, the registers that it works on, and the account of all calls.
 */
#ifndef OMPD_FUZZ_CALL_H
#define OMPD_FUZZ_CALL_H

#include "ompd/fuzz/host.h"
#include "ompd/fuzz/memory.h"

#define REGISTERS 4

struct calls {
    struct mem *mem;
    ompd_address_space_handle_t *aspace[2];
    ompd_thread_handle_t *thread[REGISTERS];
    ompd_parallel_handle_t *parallel[REGISTERS];
    ompd_task_handle_t *task[REGISTERS];
    bool bracket[2];
};

enum call_id {
#define X(name) CALL_##name,
#include "ompd/tests/api_list.def"
#undef X
    CALL_COUNT
};

#define CALL_CODES 14

/**
 * For the report: how often each function returned each code, and the most reads of one call (fresh,
 * bracket).
 */
extern uint64_t call_codes[CALL_COUNT][CALL_CODES];
extern uint64_t call_reads[CALL_COUNT][2];
/** Blocks that layouts take which were added, until ompd_finalize. */
extern uint64_t call_kept;
/** Does the function have a way to return ok at all? Companion has no devices and no tools' data. */
bool call_can_succeed(unsigned function);
/** How often each function returned each code from a target that was damaged at that time. */
extern uint8_t call_damaged[CALL_COUNT][CALL_CODES];

const char *call_name(unsigned function);

/** Says WHY and aborts. */
void call_violation(unsigned function, const char *why) __attribute__((noreturn));

#endif
