/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where a call instruction of x86-64 goes, by its bytes (psABI, "Procedure Linkage Table").
 */
#ifndef INSPECT_CALL_TARGET_H
#define INSPECT_CALL_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct call_target {
    uint64_t direct; /**< the address that the instruction names; 0: it calls by a table */
    uint64_t slot;   /**< the word of the global offset table by which it, or the entry of the procedure
                        linkage table that it names, goes on; 0: none */
};

/** The call that returns to PC. False: the instruction before PC is no such call, or cannot be read. */
bool call_target_find(insp_read *read, void *ctx, uint64_t pc, struct call_target *ret);
/** Is the instruction before PC a call, of whatever form? False as well where it cannot be read. */
bool call_target_returns(insp_read *read, void *ctx, uint64_t pc);
/** The function that the call arrives at; 0 where its table's word cannot be read. */
uint64_t call_target_function(insp_read *read, void *ctx, const struct call_target *call);

#ifdef __cplusplus
}
#endif
#endif
