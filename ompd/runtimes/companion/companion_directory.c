/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: the root, the directory of slabs, and whether an address is a slot.
 *
 * A bracket and a call that lists or searches read the directory into aspace->brk. For all other calls the
 * process handle remembers it in aspace->kept->directory. That needs no check as long as a slot is found
 * there: a slab is never unmapped and keeps its kind and size, and `used` only grows. What is not found
 * there is looked for in the target again before it is refused.
 */
#include <string.h>

#include "runtimes/companion/companion.h"

/** A process with more slabs than this (16 million threads' worth) is a damaged directory. */
#define SLABS_MAX (1u << 20)
/** Further blocks of the directory: more than SLABS_MAX slabs need. */
#define BLOCKS_MAX 8192u

/** What tells whether slabs have been added: the counts of both parts of the directory, and where it ends. */
struct mark {
    uint64_t count, more, in_block;
};

/* ---- root ---------------------------------------------------------------------------------------------- */

ompd_rc_t co_read_root(aspace_t *aspace)
{
    struct brk *brk = &aspace->brk;
    if (brk->root != NULL)
        return ompd_rc_ok;
    const uint32_t bytes = lay_size(&aspace->lay, LAY_S_rt_root);
    uint8_t *root = NULL;
    TRY(brk_alloc(brk, bytes, &root));
    TRY(tgt_read(&aspace->tgt, lay_variable(&aspace->lay, LAY_V_rt_root), bytes, root));
    brk->root = root;
    return ompd_rc_ok;
}

ompd_rc_t co_root_bytes(aspace_t *aspace, uint64_t offset, uint64_t bytes, void *ret)
{
    if (aspace->brk.open)
        TRY(co_read_root(aspace));
    if (aspace->brk.root == NULL)
        return tgt_read(&aspace->tgt, lay_variable(&aspace->lay, LAY_V_rt_root) + offset, bytes, ret);
    memcpy(ret, aspace->brk.root + offset, bytes);
    return ompd_rc_ok;
}

ompd_rc_t co_root_number(aspace_t *aspace, unsigned id, uint64_t *ret)
{
    const struct lay_entry *entry = lay_at(&aspace->lay, id);
    uint8_t bytes[8];
    if (entry->kind == LAY_CONSTANT) { /* what stands for a field that the runtime lacks */
        *ret = entry->mask;
        return ompd_rc_ok;
    }
    TRY(lay_require_number(&aspace->lay, id));
    TRY(co_root_bytes(aspace, (uint32_t)entry->offset, entry->size, bytes));
    return tgt_number(&aspace->tgt, bytes, entry->size, ret);
}

ompd_rc_t co_root_signed(aspace_t *aspace, unsigned id, int64_t *ret)
{
    uint64_t number;
    TRY(co_root_number(aspace, id, &number));
    const unsigned shift = 64 - 8 * lay_size(&aspace->lay, id);
    *ret = (int64_t)(number << shift) >> shift;
    return ompd_rc_ok;
}

ompd_rc_t co_started(aspace_t *aspace)
{
    uint64_t initialized;
    TRY(co_root_number(aspace, LAY_F_rt_root_initialized, &initialized));
    return initialized != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

/* ---- entries of the directory -------------------------------------------------------------------------- */

/** Our kind for the target's number; BRK_KINDS: one that we do not read. */
static uint32_t kind_of(const aspace_t *aspace, uint64_t number)
{
    if (number == co_constant(aspace, LAY_C_RT_KIND_THREAD))
        return CO_THREAD;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TEAM))
        return CO_TEAM;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TASK))
        return CO_TASK;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TASKGROUP))
        return CO_TASKGROUP;
    if (number == co_constant(aspace, LAY_C_RT_KIND_EDGE))
        return CO_EDGE;
    return BRK_KINDS;
}

uint32_t co_slot_bytes(const aspace_t *aspace, enum co_kind kind)
{
    static const uint16_t ids[BRK_KINDS] = {LAY_S_rt_thread, LAY_S_rt_team, LAY_S_rt_task, LAY_S_rt_taskgroup,
                                            LAY_S_rt_edge};
    return lay_size(&aspace->lay, ids[kind]);
}

struct slab_list {
    struct brk *brk; /**< whose memory it is in */
    struct brk_slab *slabs;
    size_t count, room;
};

/** The entry at ENTRY of the target, of which BYTES is a copy. */
static ompd_rc_t add_slab(aspace_t *aspace, const uint8_t *bytes, uint64_t entry, struct slab_list *list)
{
    uint64_t base, slot_size, capacity, used, kind;
    const struct lay *lay = &aspace->lay;
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_base, &base));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_slot_size, &slot_size));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_capacity, &capacity));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_used, &used));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_kind, &kind));
    uint32_t our_kind = kind_of(aspace, kind);
    if (our_kind == BRK_KINDS)
        return ompd_rc_ok;
    if (base == 0 || slot_size < co_slot_bytes(aspace, (enum co_kind)our_kind) || slot_size > UINT32_MAX ||
        capacity > UINT32_MAX || used > capacity) {
        tgt_say("libompd: an entry in the runtime's list of slabs is damaged.\n");
        return ompd_rc_error;
    }
    if (list->count == list->room) {
        const size_t room = list->room != 0 ? list->room * 2 : 64;
        struct brk_slab *wider = NULL;
        TRY(brk_alloc(list->brk, room * sizeof *wider, &wider));
        if (list->count != 0)
            memcpy(wider, list->slabs, list->count * sizeof *wider);
        list->slabs = wider;
        list->room = room;
    }
    list->slabs[list->count++] = (struct brk_slab){.base = base,
                                                   .slot_size = (uint32_t)slot_size,
                                                   .capacity = (uint32_t)capacity,
                                                   .used = (uint32_t)used,
                                                   .kind = our_kind,
                                                   .entry = entry};
    return ompd_rc_ok;
}

/** Of the first COUNT elements of an array of entries at ADDRESS, of which BYTES is a copy. */
static ompd_rc_t add_slabs(aspace_t *aspace, const uint8_t *bytes, uint64_t address, uint32_t size,
                           uint64_t count, struct slab_list *list)
{
    for (uint64_t i = 0; i < count; i++)
        TRY(add_slab(aspace, bytes + i * size, address + i * size, list));
    return ompd_rc_ok;
}

static ompd_rc_t check_count(const struct lay_entry *array, uint64_t count, const struct slab_list *list)
{
    if (count <= array->count && list->count + count <= SLABS_MAX)
        return ompd_rc_ok;
    tgt_say("libompd: the runtime's list of slabs has an impossible length.\n");
    return ompd_rc_error;
}

/** The entries in the root itself. */
static ompd_rc_t add_first(aspace_t *aspace, uint64_t count, struct slab_list *list)
{
    const struct lay_entry *array = lay_at(&aspace->lay, LAY_F_rt_root_slabs);
    const uint64_t offset = (uint32_t)array->offset;
    __attribute__((cleanup(tgt_free_guard))) uint8_t *copy = NULL;
    TRY(check_count(array, count, list));
    if (count == 0)
        return ompd_rc_ok;
    TRY(tgt_alloc(count * array->size, &copy));
    TRY(co_root_bytes(aspace, offset, count * array->size, copy));
    return add_slabs(aspace, copy, lay_variable(&aspace->lay, LAY_V_rt_root) + offset, array->size, count,
                     list);
}

/** The directory's further blocks; a ring of blocks is found by Brent's method. */
static ompd_rc_t add_blocks(aspace_t *aspace, uint64_t block, struct slab_list *list)
{
    const uint32_t bytes = lay_size(&aspace->lay, LAY_S_rt_slab_block);
    const struct lay_entry *array = lay_at(&aspace->lay, LAY_F_rt_slab_block_slabs);
    const uint32_t offset = (uint32_t)array->offset;
    __attribute__((cleanup(tgt_free_guard))) uint8_t *copy = NULL;
    struct handle_chain chain = {0};
    uint32_t blocks = 0;
    if (block != 0)
        TRY(tgt_alloc(bytes, &copy));
    while (block != 0) {
        uint64_t next, count;
        TRY(tgt_read(&aspace->tgt, block, bytes, copy));
        TRY(lay_get(&aspace->tgt, &aspace->lay, copy, LAY_F_rt_slab_block_count, &count));
        TRY(lay_get(&aspace->tgt, &aspace->lay, copy, LAY_F_rt_slab_block_next, &next));
        TRY(check_count(array, count, list));
        TRY(add_slabs(aspace, copy + offset, block + offset, array->size, count, list));
        if (next != 0)
            TRY(handle_step(&chain, block, next, &chain));
        if (++blocks > BLOCKS_MAX) {
            tgt_say("libompd: the runtime's list of slabs has an impossible length.\n");
            return ompd_rc_error;
        }
        block = next;
    }
    return ompd_rc_ok;
}

static ompd_rc_t read_mark(aspace_t *aspace, struct mark *ret)
{
    struct mark mark = {0};
    const struct lay_entry *count = lay_at(&aspace->lay, LAY_F_rt_slab_block_count);
    uint8_t bytes[8];
    TRY(co_root_number(aspace, LAY_F_rt_root_slab_count, &mark.count));
    TRY(co_root_number(aspace, LAY_F_rt_root_more_slabs, &mark.more));
    if (mark.more != 0) { /* entries are added to the first block only */
        TRY(tgt_read(&aspace->tgt, mark.more + (uint32_t)count->offset, count->size, bytes));
        TRY(tgt_number(&aspace->tgt, bytes, count->size, &mark.in_block));
    }
    *ret = mark;
    return ompd_rc_ok;
}

static ompd_rc_t read_directory(aspace_t *aspace, const struct mark *mark, struct brk *brk)
{
    struct slab_list list = {.brk = brk};
    TRY(add_first(aspace, mark->count, &list));
    TRY(add_blocks(aspace, mark->more, &list));
    return brk_set_slabs(brk, list.slabs, list.count);
}

ompd_rc_t co_directory(aspace_t *aspace)
{
    struct mark mark = {0};
    if (aspace->brk.slabs != NULL)
        return ompd_rc_ok;
    TRY(co_root_number(aspace, LAY_F_rt_root_slab_count, &mark.count));
    TRY(co_root_number(aspace, LAY_F_rt_root_more_slabs, &mark.more));
    return read_directory(aspace, &mark, &aspace->brk);
}

/* ---- what the handle remembers ------------------------------------------------------------------------- */

void co_forget(aspace_t *aspace)
{
    kept_drop(aspace->kept);
}

/** Reads the directory that the handle is to remember. */
static ompd_rc_t renew(aspace_t *aspace, const struct mark *mark)
{
    struct brk *directory = &aspace->kept->directory;
    struct mark *kept = NULL;
    brk_drop(directory);
    TRY(brk_alloc(directory, sizeof *kept, &kept));
    *kept = *mark;
    TRY(read_directory(aspace, mark, directory));
    directory->world = kept;
    return ompd_rc_ok;
}

ompd_rc_t co_update_directory(aspace_t *aspace)
{
    const struct mark *kept = aspace->kept->directory.world;
    struct mark mark;
    TRY(read_mark(aspace, &mark));
    if (aspace->kept->directory.slabs != NULL && kept != NULL && kept->count == mark.count &&
        kept->more == mark.more && kept->in_block == mark.in_block)
        return ompd_rc_ok;
    return renew(aspace, &mark);
}

ompd_rc_t co_update_used(aspace_t *aspace, struct brk_slab *slab)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_slab_used);
    uint8_t bytes[8];
    uint64_t used;
    TRY(tgt_read(&aspace->tgt, slab->entry + (uint32_t)field->offset, field->size, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, field->size, &used));
    if (used > slab->capacity) {
        tgt_say("libompd: an entry in the runtime's list of slabs is damaged.\n");
        return ompd_rc_error;
    }
    slab->used = (uint32_t)used;
    return ompd_rc_ok;
}

/** Is it a slot as far as the handle knows? */
static ompd_rc_t is_known_slot(aspace_t *aspace, enum co_kind kind, uint64_t address, bool *ret)
{
    struct brk_slab *slab = brk_find(&aspace->kept->directory, address);
    *ret = false;
    if (slab == NULL || !brk_is_start(slab, kind, address, co_slot_bytes(aspace, kind)))
        return ompd_rc_ok;
    const uint64_t slot = (address - slab->base) / slab->slot_size;
    if (slot >= slab->used && slot < slab->capacity)
        TRY(co_update_used(aspace, slab));
    *ret = slot < slab->used;
    return ompd_rc_ok;
}

ompd_rc_t co_check_slot(aspace_t *aspace, enum co_kind kind, uint64_t address, bool *in_cache)
{
    struct mark mark;
    bool known = false;
    *in_cache = aspace->brk.open || aspace->brk.slabs != NULL;
    if (*in_cache)
        return co_directory(aspace); /* brk_slot() checks */
    if (aspace->kept->directory.slabs != NULL)
        TRY(is_known_slot(aspace, kind, address, &known));
    if (known)
        return ompd_rc_ok;
    TRY(read_mark(aspace, &mark));
    TRY(renew(aspace, &mark));
    TRY(is_known_slot(aspace, kind, address, &known));
    return known ? ompd_rc_ok : brk_no_slot();
}

uint64_t co_slots_used(const aspace_t *aspace, enum co_kind kind)
{
    return brk_used(aspace->brk.slabs != NULL ? &aspace->brk : &aspace->kept->directory, kind);
}
