/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Frames with names.
 */
#ifndef COREFILES_STACK_H
#define COREFILES_STACK_H

#include "corefiles/target.h"

struct die;

/** Functions inlined at an address, innermost first, then the one around them. */
struct cf_scopes {
    struct die *dies; /**< malloc'ed */
    int count;
};

/** The variables and parameters of a function or block. */
enum { CF_VARIABLES_MAX = 4096 };
struct cf_block {
    struct die *variables; /**< malloc'ed; no more than CF_VARIABLES_MAX */
    uint32_t count;
};
/** Those of BLOCK, found once however many frames it has: a recursion may be as deep as its function is long.
 * NULL out of memory. They live as long as the target. */
const struct cf_block *cf_block_of(struct cf_target *t, struct die *block);

/** Those at PC, found once; NULL out of memory. They live as long as the target. */
const struct cf_scopes *cf_scopes_of(struct cf_target *t, uint64_t pc);
/** The linker's name of a function's DIE; its own where it has none, or NULL. */
const char *cf_function_name(struct die *die);
void cf_inlined_free(struct cf_inlined *inlined);

#endif
