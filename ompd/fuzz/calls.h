/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Every function of the API as an operation on registers, with what must hold after any call on any target:
 *   the code is one of OMPD's; outputs are touched on ok and incomplete alone; what is handed out was read;
 *   memory is handed out on success only; the reads stay below the bound (docs/hostile-targets.md).
 * A violation aborts the program, which is what libFuzzer calls a crash.
 */
#ifndef OMPD_FUZZ_CALLS_H
#define OMPD_FUZZ_CALLS_H

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
/** Does the function have a way to return ok at all? Companion has no devices and no tools' data. */
bool call_can_succeed(unsigned function);
/** How often each function returned each code from a target that was damaged at that time. */
extern uint8_t call_damaged[CALL_COUNT][CALL_CODES];

const char *call_name(unsigned function);

/**
 * Calls a function. ARGUMENT[0]: bits 0-1 the register of input, 2-3 that of output, 4 the address space, 5 a
 * NULL handle, 6 a handle of another sort, 7 a NULL output; ARGUMENT[1] and [2]: numbers.
 */
ompd_rc_t call_run(struct calls *calls, unsigned function, const uint8_t argument[3]);

/** Releases all registers but aspace[0], and closes its bracket. */
void calls_clear(struct calls *calls);

/** Says WHY and aborts. */
void call_violation(unsigned function, const char *why) __attribute__((noreturn));

#endif
