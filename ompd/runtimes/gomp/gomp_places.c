/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's record has the number of its place and 1. The process has a list of all places: pointers to sets
 * of processors, as the kernel takes them for a thread's affinity.
 */
#include "runtimes/gomp/gomp_places.h"

#include "runtimes/base/cpus.h"
#include "runtimes/base/stock.h"

/** A process that has more places is damaged. */
#define PLACES_MAX 65536u
/** The kernel's sets consist of these. */
#define WORD_BYTES 8u

struct places {
    uint64_t list, count, set_bytes;
};

static ompd_rc_t variable(aspace_t *aspace, unsigned id, uint64_t *ret)
{
    uint8_t bytes[8];
    TRY(tgt_read(&aspace->tgt, lay_variable(&aspace->lay, id), sizeof bytes, bytes));
    return tgt_number(&aspace->tgt, bytes, sizeof bytes, ret);
}

/** Codes: ok; unsupported: the layout does not say where they are; unavailable: nobody is bound; error. */
static ompd_rc_t read_places(aspace_t *aspace, struct places *ret)
{
    static const uint16_t ids[] = {LAY_V_gomp_places_list, LAY_V_gomp_places_list_len,
                                   LAY_V_gomp_cpuset_size};
    const struct lay *lay = &aspace->lay;
    uint64_t *const values[] = {&ret->list, &ret->count, &ret->set_bytes};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (!lay_has(lay, ids[i]) || lay_size(lay, ids[i]) != 8)
            return ompd_rc_unsupported;
        TRY(variable(aspace, ids[i], values[i]));
    }
    if (ret->list == 0)
        return ompd_rc_unavailable;
    if (ret->count == 0 || ret->count > PLACES_MAX || ret->set_bytes == 0 ||
        ret->set_bytes > CPUS_BYTES_MAX || ret->set_bytes % WORD_BYTES != 0)
        return ompd_rc_error;
    return ompd_rc_ok;
}

ompd_rc_t gomp_place(aspace_t *aspace, const struct world *world, int32_t index, int *ret,
                     struct grown *processors)
{
    const struct lay *lay = &aspace->lay;
    struct cpus set = {.size = WORD_BYTES};
    struct places places;
    uint64_t number, pointer;
    uint8_t bytes[8];
    if (!lay_has(lay, LAY_F_gomp_thread_place) || lay_size(lay, LAY_F_gomp_thread_place) != 4)
        return ompd_rc_unsupported;
    TRY(read_places(aspace, &places));
    TRY(tgt_read(&aspace->tgt, world->threads[index].address + lay_offset(lay, LAY_F_gomp_thread_place), 4,
                 bytes));
    TRY(tgt_number(&aspace->tgt, bytes, 4, &number));
    if (number == 0)
        return ompd_rc_unavailable;
    if (number > places.count)
        return ompd_rc_error;
    TRY(tgt_read(&aspace->tgt, places.list + (number - 1) * 8, sizeof bytes, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, sizeof bytes, &pointer));
    TRY(tgt_read(&aspace->tgt, pointer, places.set_bytes, set.bytes));
    set.words = (uint32_t)(places.set_bytes / WORD_BYTES);
    TRY(cpus_text(&aspace->tgt, &set, processors));
    *ret = (int)(number - 1);
    return ompd_rc_ok;
}
