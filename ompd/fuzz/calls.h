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

#include "ompd/fuzz/call.h"

/**
 * Calls a function. ARGUMENT[0]: bits 0-1 the register of input, 2-3 that of output, 4 the address space, 5 a
 * NULL handle, 6 a handle of another sort, 7 a NULL output; ARGUMENT[1] and [2]: numbers.
 */
ompd_rc_t call_run(struct calls *calls, unsigned function, const uint8_t argument[3]);

#endif
