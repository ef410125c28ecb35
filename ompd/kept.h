/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a process handle remembers from call to call, which an adapter can tell to be still true.
 *
 * It is no part of the handle's own block: handles that the tool has not released when it ends the library
 * are stale, and this memory goes with ompd_finalize.
 */
#ifndef OMPD_KEPT_H
#define OMPD_KEPT_H

#include "bracket.h"

struct kept {
    struct kept *next, **link; /**< in the list of all */
    struct brk directory;      /**< slabs, without what is in them */
    struct brk known;          /**< what an adapter remembers else: its `world` */
};

WARN_UNUSED ompd_rc_t kept_new(struct kept **ret);
/** Forgets everything; it can be filled again. */
void kept_drop(struct kept *kept);
/** KEPT may be NULL. */
void kept_free(struct kept *kept);
void kept_free_all(void);
/** Blocks of the tool that all of it has, for who counts what calls keep (fuzz/). */
uint64_t kept_blocks(void);

#endif
