/* SPDX-License-Identifier: Apache-2.0 */
#include "kept.h"

#include <stdatomic.h>

static struct kept *all;
/** A tool may open and release processes in several threads. */
static atomic_flag all_busy = ATOMIC_FLAG_INIT;

static void hold(void)
{
    while (atomic_flag_test_and_set_explicit(&all_busy, memory_order_acquire)) {
    }
}

static void let_go(void)
{
    atomic_flag_clear_explicit(&all_busy, memory_order_release);
}

ompd_rc_t kept_new(struct kept **ret)
{
    struct kept *kept = NULL;
    TRY(tgt_alloc_zero(sizeof *kept, &kept));
    hold();
    kept->next = all;
    kept->link = &all;
    if (all != NULL)
        all->link = &kept->next;
    all = kept;
    let_go();
    *ret = kept;
    return ompd_rc_ok;
}

void kept_drop(struct kept *kept)
{
    brk_drop(&kept->directory);
    brk_drop(&kept->known);
}

void kept_free(struct kept *kept)
{
    if (kept == NULL)
        return;
    hold();
    *kept->link = kept->next;
    if (kept->next != NULL)
        kept->next->link = kept->link;
    let_go();
    kept_drop(kept);
    tgt_free(kept);
}

void kept_free_all(void)
{
    while (all != NULL)
        kept_free(all);
}

static uint64_t blocks_of(const struct brk *brk)
{
    uint64_t count = 0;
    for (const struct brk_block *block = brk->blocks; block != NULL; block = block->next)
        count++;
    return count;
}

uint64_t kept_blocks(void)
{
    uint64_t count = 0;
    hold();
    for (const struct kept *kept = all; kept != NULL; kept = kept->next)
        count += blocks_of(&kept->directory) + blocks_of(&kept->known);
    let_go();
    return count;
}
