/* SPDX-License-Identifier: Apache-2.0 */
#include "bracket.h"

#include <string.h>

/**
 * Slabs of one kind within this distance are read with one callback: a callback costs more than some unused
 * bytes.
 */
#define MERGE_GAP      (64u * 1024)
#define READ_BYTES_MAX (8u * 1024 * 1024)
/**
 * In a bracket the first three kinds (threads, teams, tasks) are wanted together; up to this size, one read
 * for all.
 */
#define TOGETHER_KINDS     3
#define TOGETHER_BYTES_MAX (64u * 1024 * 1024)
#define PAGE               4096u
/** A directory that claims more is not one of this world. */
#define SLAB_BYTES_MAX (1ull << 30)
#define ALL_BYTES_MAX  (1ull << 33)
/** Unreadable pages that are looked at one by one; further unreadable slabs are given up whole. */
#define PAGE_FAILURES_MAX 4096u

ompd_rc_t brk_alloc(struct brk *brk, uint64_t bytes, void *ret)
{
    struct brk_block *block = NULL;
    TRY(tgt_alloc(bytes + sizeof *block, &block));
    block->next = brk->blocks;
    brk->blocks = block;
    void *memory = block + 1;
    memcpy(ret, &memory, sizeof memory);
    return ompd_rc_ok;
}

void brk_drop(struct brk *brk)
{
    struct brk_block *block = brk->blocks;
    while (block != NULL) {
        struct brk_block *next = block->next;
        tgt_free(block);
        block = next;
    }
    tgt_free(brk->array);
    *brk = (struct brk){.open = brk->open};
}

/* ---- directory ----------------------------------------------------------------------------------------- */

static uint64_t slab_bytes(const struct brk_slab *slab)
{
    return (uint64_t)slab->used * slab->slot_size;
}

static uint64_t slab_end(const struct brk_slab *slab)
{
    return slab->base + slab_bytes(slab);
}

ompd_rc_t brk_set_slabs(struct brk *brk, struct brk_slab *list, size_t count)
{
    struct index order = {NULL, count};
    struct brk_slab *sorted = NULL;
    TRY(brk_alloc(brk, (count + 1) * sizeof *sorted, &sorted));
    TRY(tgt_alloc((count + 1) * sizeof *order.rows, &order.rows));
    for (size_t i = 0; i < count; i++)
        order.rows[i] = (struct index_row){list[i].base, i};
    index_sort(&order);
    for (size_t i = 0; i < count; i++)
        sorted[i] = list[order.rows[i].value];
    tgt_free(order.rows);

    uint64_t all = 0, end = 0;
    for (size_t i = 0; i < count; i++) {
        const struct brk_slab *slab = &sorted[i];
        uint64_t whole = (uint64_t)slab->capacity * slab->slot_size;
        all += slab_bytes(slab);
        if (slab->slot_size == 0 || slab->used > slab->capacity || whole > SLAB_BYTES_MAX ||
            all > ALL_BYTES_MAX || slab->base < end || slab->base + whole < slab->base) {
            tgt_say("libompd: the runtime's list of slabs is damaged.\n");
            return ompd_rc_error;
        }
        end = slab->base + whole;
    }
    brk->slabs = sorted;
    brk->slab_count = count;
    return ompd_rc_ok;
}

struct brk_slab *brk_find(const struct brk *brk, uint64_t address)
{
    size_t low = 0, high = brk->slab_count;
    while (low < high) { /* the first slab with a base above */
        size_t middle = low + (high - low) / 2;
        if (brk->slabs[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &brk->slabs[low - 1];
}

bool brk_is_start(const struct brk_slab *slab, uint32_t kind, uint64_t address, uint32_t bytes)
{
    return slab->kind == kind && bytes <= slab->slot_size && (address - slab->base) % slab->slot_size == 0;
}

ompd_rc_t brk_no_slot(void)
{
    tgt_say("libompd: a pointer in the runtime's structures leads to no slot; the target's memory is "
            "damaged.\n");
    return ompd_rc_error;
}

static bool is_hole(const struct brk_slab *slab, uint64_t slot)
{
    return slab->holes != NULL && (slab->holes[slot / 8] >> (slot % 8) & 1) != 0;
}

uint64_t brk_used(const struct brk *brk, uint32_t kind)
{
    uint64_t used = 0;
    for (size_t i = 0; i < brk->slab_count; i++)
        used += brk->slabs[i].kind == kind ? brk->slabs[i].used : 0;
    return used;
}

/* ---- reading slabs ------------------------------------------------------------------------------------- */

static ompd_rc_t mark_hole(struct brk *brk, struct brk_slab *slab, uint64_t from, uint64_t to)
{
    if (slab->holes == NULL) {
        uint64_t bytes = slab->used / 8 + 1;
        TRY(brk_alloc(brk, bytes, &slab->holes));
        memset(slab->holes, 0, bytes);
    }
    for (uint64_t slot = from / slab->slot_size; slot <= (to - 1) / slab->slot_size; slot++)
        slab->holes[slot / 8] |= (uint8_t)(1u << (slot % 8));
    brk->has_holes[slab->kind] = true;
    return ompd_rc_ok;
}

/** Reads bytes FROM .. TO of a slab page by page, so that one lost page costs only its own slots. */
static ompd_rc_t read_pages(const struct tgt *tgt, struct brk *brk, struct brk_slab *slab, uint64_t from,
                            uint64_t to)
{
    while (from < to) {
        uint64_t next = ((slab->base + from) / PAGE + 1) * PAGE - slab->base;
        if (next > to || brk->page_failures >= PAGE_FAILURES_MAX)
            next = to;
        if (brk->page_failures >= PAGE_FAILURES_MAX ||
            tgt_read(tgt, slab->base + from, next - from, slab->data + from) != ompd_rc_ok) {
            brk->page_failures++;
            TRY(mark_hole(brk, slab, from, next));
        }
        from = next;
    }
    return ompd_rc_ok;
}

static ompd_rc_t read_slab(const struct tgt *tgt, struct brk *brk, struct brk_slab *slab)
{
    const uint64_t all = slab_bytes(slab);
    for (uint64_t from = 0; from < all; from += READ_BYTES_MAX) {
        uint64_t to = all - from > READ_BYTES_MAX ? from + READ_BYTES_MAX : all;
        if (brk->page_failures >= PAGE_FAILURES_MAX ||
            tgt_read(tgt, slab->base + from, to - from, slab->data + from) != ompd_rc_ok)
            TRY(read_pages(tgt, brk, slab, from, to));
    }
    return ompd_rc_ok;
}

/** Reads slabs FIRST .. LAST, whose data pointers are set within one buffer, halving on failure. */
static ompd_rc_t read_run(const struct tgt *tgt, struct brk *brk, size_t first, size_t last)
{
    struct brk_slab *slabs = brk->slabs;
    while (first < last && slabs[first].data == NULL)
        first++;
    while (first < last && slabs[last].data == NULL)
        last--;
    if (slabs[first].data == NULL)
        return ompd_rc_ok;
    if (first == last)
        return read_slab(tgt, brk, &slabs[first]);
    if (brk->page_failures < PAGE_FAILURES_MAX &&
        tgt_read(tgt, slabs[first].base, slab_end(&slabs[last]) - slabs[first].base, slabs[first].data) ==
            ompd_rc_ok)
        return ompd_rc_ok;
    size_t middle = first + (last - first) / 2;
    TRY(read_run(tgt, brk, first, middle));
    return read_run(tgt, brk, middle + 1, last);
}

static bool is_wanted(const struct brk_slab *slab, uint32_t kinds)
{
    return (kinds >> slab->kind & 1) != 0 && slab->used != 0 && slab->data == NULL;
}

/**
 * Is neither end there of a slab that claims more than one read's worth? Then it is lost whole, before memory
 * is asked for it: a damaged directory must not take the tool's memory away.
 */
static bool is_lost(const struct tgt *tgt, const struct brk_slab *slab)
{
    uint8_t byte;
    return slab_bytes(slab) > READ_BYTES_MAX && tgt_read(tgt, slab->base, 1, &byte) != ompd_rc_ok &&
           tgt_read(tgt, slab_end(slab) - 1, 1, &byte) != ompd_rc_ok;
}

static ompd_rc_t load_run(const struct tgt *tgt, struct brk *brk, size_t first, size_t last)
{
    struct brk_slab *slabs = brk->slabs;
    uint8_t *buffer = NULL;
    const uint64_t base = slabs[first].base;
    if (first == last && is_lost(tgt, &slabs[first])) {
        brk->has_holes[slabs[first].kind] = true;
        return ompd_rc_ok;
    }
    TRY(brk_alloc(brk, slab_end(&slabs[last]) - base, &buffer));
    /* Slabs of other kinds in between come for nothing. */
    for (size_t i = first; i <= last; i++)
        if (slabs[i].used != 0 && slabs[i].data == NULL)
            slabs[i].data = buffer + (slabs[i].base - base);
    ompd_rc_t rc = read_run(tgt, brk, first, last);
    if (rc != ompd_rc_ok)
        for (size_t i = first; i <= last; i++)
            if (slabs[i].data >= buffer && slabs[i].data < buffer + (slab_end(&slabs[last]) - base))
                slabs[i].data = NULL;
    return rc;
}

static ompd_rc_t load_kinds(const struct tgt *tgt, struct brk *brk, uint32_t kinds)
{
    struct brk_slab *slabs = brk->slabs;
    size_t i = 0;
    while (i < brk->slab_count) {
        if (!is_wanted(&slabs[i], kinds)) {
            i++;
            continue;
        }
        size_t last = i;
        bool loaded_between = false;
        for (size_t j = i + 1; j < brk->slab_count; j++) {
            loaded_between |= slabs[j].data != NULL; /* read twice, it might differ; leave it as it is */
            if (!is_wanted(&slabs[j], kinds))
                continue;
            if (loaded_between || slabs[j].base - slab_end(&slabs[last]) >= MERGE_GAP ||
                slab_end(&slabs[j]) - slabs[i].base > READ_BYTES_MAX)
                break;
            last = j;
        }
        TRY(load_run(tgt, brk, i, last));
        i = last + 1;
    }
    for (uint32_t kind = 0; kind < BRK_KINDS; kind++)
        if ((kinds >> kind & 1) != 0)
            brk->loaded[kind] = true;
    return ompd_rc_ok;
}

ompd_rc_t brk_load(const struct tgt *tgt, struct brk *brk, uint32_t kind)
{
    if (brk->loaded[kind])
        return ompd_rc_ok;
    uint32_t kinds = 1u << kind;
    if (brk->open && kind < TOGETHER_KINDS) {
        uint64_t bytes = 0;
        for (size_t i = 0; i < brk->slab_count; i++)
            bytes += brk->slabs[i].kind < TOGETHER_KINDS ? slab_bytes(&brk->slabs[i]) : 0;
        if (bytes <= TOGETHER_BYTES_MAX)
            kinds = (1u << TOGETHER_KINDS) - 1;
    }
    return load_kinds(tgt, brk, kinds);
}

ompd_rc_t brk_slot(const struct tgt *tgt, struct brk *brk, uint32_t kind, uint64_t address, uint32_t bytes,
                   uint8_t *scratch, const uint8_t **ret)
{
    struct brk_slab *slab = brk_find(brk, address);
    if (slab == NULL || !brk_is_start(slab, kind, address, bytes) ||
        (address - slab->base) / slab->slot_size >= slab->used)
        return brk_no_slot();
    if (slab->data == NULL && brk->open)
        TRY(brk_load(tgt, brk, kind));
    if (slab->data != NULL) {
        uint64_t offset = address - slab->base;
        if (is_hole(slab, offset / slab->slot_size))
            return ompd_rc_device_read_error;
        *ret = slab->data + offset;
        return ompd_rc_ok;
    }
    TRY(tgt_read(tgt, address, bytes, scratch));
    *ret = scratch;
    return ompd_rc_ok;
}

bool brk_next(const struct brk *brk, uint32_t kind, struct brk_cursor *cursor, uint64_t *address,
              const uint8_t **bytes)
{
    for (; cursor->slab < brk->slab_count; cursor->slab++, cursor->slot = 0) {
        const struct brk_slab *slab = &brk->slabs[cursor->slab];
        if (slab->kind != kind || slab->data == NULL)
            continue;
        while (cursor->slot < slab->used) {
            size_t slot = cursor->slot++;
            if (is_hole(slab, slot))
                continue;
            *address = slab->base + (uint64_t)slot * slab->slot_size;
            *bytes = slab->data + (uint64_t)slot * slab->slot_size;
            return true;
        }
    }
    return false;
}

/* ---- spots and arrays ---------------------------------------------------------------------------------- */

static ompd_rc_t read_spots(const struct tgt *tgt, struct brk *brk, struct brk_spot *list, size_t first,
                            size_t last)
{
    const uint64_t base = list[first].address;
    uint64_t end = 0;
    for (size_t i = first; i <= last; i++)
        end = list[i].address + list[i].bytes > end ? list[i].address + list[i].bytes : end;
    uint8_t *buffer = NULL;
    TRY(brk_alloc(brk, end - base, &buffer));
    ompd_rc_t rc = tgt_read(tgt, base, end - base, buffer);
    for (size_t i = first; i <= last; i++) {
        list[i].data = buffer + (list[i].address - base);
        list[i].rc = rc;
        if (rc != ompd_rc_ok && first != last)
            list[i].rc = tgt_read(tgt, list[i].address, list[i].bytes, buffer + (list[i].address - base));
    }
    return ompd_rc_ok;
}

ompd_rc_t brk_fill_spots(const struct tgt *tgt, struct brk *brk, unsigned set, struct brk_spot *list,
                         size_t count)
{
    __attribute__((cleanup(tgt_free_guard))) struct index_row *rows = NULL;
    struct brk_spot *sorted = NULL;
    TRY(tgt_alloc((count + 1) * sizeof *rows, &rows));
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct index_row){list[i].address, list[i].bytes};
    struct index order = {rows, count};
    index_sort(&order);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || rows[kept - 1].key != rows[i].key || rows[kept - 1].value != rows[i].value)
            rows[kept++] = rows[i];
    TRY(brk_alloc(brk, (kept + 1) * sizeof *sorted, &sorted));
    for (size_t i = 0; i < kept; i++)
        sorted[i] =
            (struct brk_spot){.address = rows[i].key, .bytes = (uint32_t)rows[i].value, .rc = ompd_rc_error};
    for (size_t first = 0, last; first < kept; first = last + 1) {
        last = first;
        if (sorted[first].address == 0 || sorted[first].address > UINT64_MAX - 2 * READ_BYTES_MAX)
            continue; /* nothing is there: the code is already error */
        while (last + 1 < kept && sorted[last + 1].address - sorted[last].address < MERGE_GAP &&
               sorted[last + 1].address - sorted[first].address < READ_BYTES_MAX - BRK_SLOT_BYTES_MAX)
            last++;
        TRY(read_spots(tgt, brk, sorted, first, last));
    }
    brk->spots[set] = (struct brk_spots){.list = sorted, .count = kept, .filled = true};
    return ompd_rc_ok;
}

ompd_rc_t brk_spot(const struct tgt *tgt, const struct brk *brk, unsigned set, uint64_t address,
                   uint32_t bytes, void *ret)
{
    const struct brk_spots *spots = &brk->spots[set];
    size_t low = 0, high = spots->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spots->list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < spots->count && spots->list[low].address == address; low++) {
        const struct brk_spot *spot = &spots->list[low];
        if (spot->bytes != bytes)
            continue;
        TRY(spot->rc);
        memcpy(ret, spot->data, bytes);
        return ompd_rc_ok;
    }
    return tgt_read(tgt, address, bytes, ret);
}

ompd_rc_t brk_array(const struct tgt *tgt, struct brk *brk, uint64_t array, uint64_t total, uint64_t offset,
                    uint32_t bytes, void *ret)
{
    if (offset > total || bytes > total - offset || array + total < array)
        return ompd_rc_error;
    if (!brk->open || total > READ_BYTES_MAX)
        return tgt_read(tgt, array + offset, bytes, ret);
    if (brk->array_address != array || brk->array_bytes != total) {
        uint8_t *copy = NULL;
        TRY(tgt_alloc(total, &copy));
        if (tgt_read(tgt, array, total, copy) != ompd_rc_ok) { /* its end may lie on a lost page */
            tgt_free(copy);
            copy = NULL;
        }
        tgt_free(brk->array);
        brk->array = copy;
        brk->array_address = array;
        brk->array_bytes = total;
    }
    if (brk->array == NULL)
        return tgt_read(tgt, array + offset, bytes, ret);
    memcpy(ret, brk->array + offset, bytes);
    return ompd_rc_ok;
}
