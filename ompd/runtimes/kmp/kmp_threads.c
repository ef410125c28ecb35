/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the records of its threads.
 */
#include "runtimes/kmp/kmp.h"

#include <string.h>

/** Without its length, the array is read so far beyond as many entries as there are threads: numbers of
 * threads leave gaps. */
#define GAP 64u

ompd_rc_t kmp_number(const struct kmp *kmp, const uint8_t *record, unsigned id, uint64_t *ret)
{
    *ret = 0;
    if (!lay_has(&kmp->aspace->lay, id))
        return ompd_rc_ok;
    return lay_get(&kmp->aspace->tgt, &kmp->aspace->lay, record, id, ret);
}

ompd_rc_t kmp_record(struct kmp *kmp, uint64_t address, uint32_t bytes, uint8_t *ret)
{
    if (bytes > KMP_RECORD_MAX || address % sizeof(uint32_t) != 0)
        return ompd_rc_error;
    return pages_read(kmp->aspace, &kmp->world->pages, address, bytes, ret);
}

ompd_rc_t kmp_field(struct kmp *kmp, uint64_t address, unsigned id, uint64_t *ret)
{
    const struct lay_entry *entry = lay_at(&kmp->aspace->lay, id);
    uint8_t bytes[sizeof(uint64_t)];
    uint64_t number;
    if (entry->kind != LAY_FIELD && entry->kind != LAY_BITS)
        return ompd_rc_unsupported;
    if (entry->size > sizeof bytes || address > UINT64_MAX - KMP_RECORD_MAX)
        return ompd_rc_error;
    TRY(pages_read(kmp->aspace, &kmp->world->pages, address + (uint64_t)(int64_t)entry->offset, entry->size,
                   bytes));
    TRY(tgt_number(&kmp->aspace->tgt, bytes, entry->size, &number));
    if (entry->kind == LAY_BITS)
        number = (number & entry->mask) >> __builtin_ctzll(entry->mask);
    *ret = number;
    return ompd_rc_ok;
}

uint32_t kmp_span(const struct lay *lay, const uint16_t *fields)
{
    uint32_t span = 0;
    for (; *fields != 0; fields++) {
        const struct lay_entry *entry = lay_at(lay, *fields);
        if (entry->kind != LAY_FIELD && entry->kind != LAY_BITS)
            continue;
        const uint32_t end = (uint32_t)entry->offset + entry->size * (entry->count > 1 ? entry->count : 1);
        span = end > span ? end : span;
    }
    return span;
}

ompd_rc_t kmp_bars(const struct kmp *kmp, const uint8_t *record, uint32_t bytes,
                   const struct kmp_bar_ids *ids, uint64_t ret[KMP_BARRIERS])
{
    const struct lay *lay = &kmp->aspace->lay;
    memset(ret, 0, KMP_BARRIERS * sizeof *ret);
    if (!lay_has(lay, ids->array) || !lay_has(lay, ids->element) || !lay_has(lay, ids->number))
        return ompd_rc_ok;
    for (uint32_t i = 0; i < KMP_BARRIERS; i++) {
        const uint64_t start = lay_offset(lay, ids->array) + (uint64_t)i * lay_size(lay, ids->element);
        if (start + lay_offset(lay, ids->number) + lay_size(lay, ids->number) > bytes)
            break;
        TRY(kmp_number(kmp, record + start, ids->number, &ret[i]));
    }
    return ompd_rc_ok;
}

uint32_t kmp_bars_end(const struct lay *lay, const struct kmp_bar_ids *ids)
{
    if (!lay_has(lay, ids->array) || !lay_has(lay, ids->element) || !lay_has(lay, ids->number))
        return 0;
    return lay_offset(lay, ids->array) + (KMP_BARRIERS - 1) * lay_size(lay, ids->element) +
           lay_offset(lay, ids->number) + lay_size(lay, ids->number);
}

static const struct kmp_bar_ids thread_arrived = {LAY_F_kmp_info_bar, LAY_S_kmp_balign,
                                                  LAY_F_kmp_balign_arrived};
static const struct kmp_bar_ids thread_go = {LAY_F_kmp_info_bar, LAY_S_kmp_balign, LAY_F_kmp_balign_go};

static uint32_t info_bytes(const struct lay *lay)
{
    static const uint16_t fields[] = {LAY_F_kmp_info_ds_thread,   LAY_F_kmp_info_ds_tid,
                                      LAY_F_kmp_info_ds_gtid,     LAY_F_kmp_info_team,
                                      LAY_F_kmp_info_root,        LAY_F_kmp_info_current_task,
                                      LAY_F_kmp_info_ident,       LAY_F_kmp_info_task_team,
                                      LAY_F_kmp_info_serial_team, LAY_F_kmp_info_teams_microtask,
                                      LAY_F_kmp_info_teams_level, LAY_F_kmp_info_next_waiting,
                                      LAY_F_kmp_info_spin_here,   0};
    const uint32_t ends[] = {kmp_span(lay, fields), kmp_bars_end(lay, &thread_arrived),
                             kmp_bars_end(lay, &thread_go)};
    uint32_t end = 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        end = ends[i] > end ? ends[i] : end;
    return end;
}

static ompd_rc_t decode(const struct kmp *kmp, const uint8_t *record, uint32_t bytes, struct kmp_thread *ret)
{
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_ds_thread, &ret->pthread));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_ds_tid, &ret->tid));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_team, &ret->team));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_root, &ret->root));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_current_task, &ret->task));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_ident, &ret->ident));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_task_team, &ret->task_team));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_serial_team, &ret->serial_team));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_teams_microtask, &ret->teams_microtask));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_teams_level, &ret->teams_level));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_next_waiting, &ret->next_waiting));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_spin_here, &ret->spin_here));
    TRY(kmp_bars(kmp, record, bytes, &thread_go, ret->go));
    return kmp_bars(kmp, record, bytes, &thread_arrived, ret->arrived);
}

/** pthread_t -> index of the thread as the tool has it. */
static ompd_rc_t index_natives(struct kmp *kmp, struct index *ret)
{
    struct world *world = kmp->world;
    ret->count = 0;
    TRY(brk_alloc(&kmp->aspace->brk, (world->native_count + 1) * sizeof *ret->rows, &ret->rows));
    for (size_t i = 0; i < world->native_count; i++) {
        struct stock_thread *native = &world->native[i];
        if (native->pthread == 0 && stock_knows(native, ompdx_reg_fs_base))
            native->pthread = native->regs.reg[ompdx_reg_fs_base];
        if (native->pthread != 0)
            ret->rows[ret->count++] = (struct index_row){native->pthread, i};
    }
    index_sort(ret);
    return ompd_rc_ok;
}

/** Entries of __kmp_threads. __kmp_root begins where it ends. */
static ompd_rc_t capacity(struct kmp *kmp, uint64_t array, uint64_t *ret)
{
    const struct lay *lay = &kmp->aspace->lay;
    uint64_t number = 0;
    *ret = kmp->natives ? kmp->world->native_count + GAP : GAP;
    if (lay_has(lay, LAY_V_kmp_threads_capacity)) {
        TRY(pages_number(kmp->aspace, &kmp->world->pages, lay_variable(lay, LAY_V_kmp_threads_capacity), 4,
                         &number));
    } else if (lay_has(lay, LAY_V_kmp_root)) {
        TRY(pages_number(kmp->aspace, &kmp->world->pages, lay_variable(lay, LAY_V_kmp_root), 8, &number));
        number = number > array ? (number - array) / sizeof(uint64_t) : 0;
    }
    if (number != 0 && (number < *ret || !kmp->natives))
        *ret = number;
    if (*ret > KMP_THREADS_MAX)
        *ret = KMP_THREADS_MAX;
    return ompd_rc_ok;
}

/** One entry of the array. A record that is no thread's of this process is left out. */
static ompd_rc_t add_thread(struct kmp *kmp, const struct index *natives, uint64_t gtid, uint64_t address)
{
    const uint32_t bytes = info_bytes(&kmp->aspace->lay);
    uint8_t record[KMP_RECORD_MAX];
    uint64_t number, at;
    struct kmp_thread thread = {.gtid = gtid, .address = address, .team_at = WORLD_NONE, .row = WORLD_NONE};
    ompd_rc_t rc = kmp_record(kmp, address, bytes, record);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        kmp->world->incomplete = true;
        return ompd_rc_ok;
    }
    TRY(decode(kmp, record, bytes, &thread));
    TRY(kmp_number(kmp, record, LAY_F_kmp_info_ds_gtid, &number));
    if (lay_has(&kmp->aspace->lay, LAY_F_kmp_info_ds_gtid) && number != gtid)
        return ompd_rc_ok;
    if (kmp->natives) {
        if (!index_get(natives, thread.pthread, &at))
            return ompd_rc_ok;
        thread.native = &kmp->world->native[at];
    }
    for (int i = 0; i < KMP_BARRIERS; i++)
        kmp->counted = kmp->counted || thread.arrived[i] != 0;
    kmp->threads[kmp->thread_count++] = thread;
    return ompd_rc_ok;
}

static ompd_rc_t index_threads(struct kmp *kmp)
{
    const size_t count = (size_t)kmp->thread_count;
    TRY(brk_alloc(&kmp->aspace->brk, (count + 1) * sizeof(struct index_row), &kmp->by_address.rows));
    TRY(brk_alloc(&kmp->aspace->brk, (count + 1) * sizeof(struct index_row), &kmp->by_gtid.rows));
    for (size_t i = 0; i < count; i++) {
        kmp->by_address.rows[i] = (struct index_row){kmp->threads[i].address, i};
        kmp->by_gtid.rows[i] = (struct index_row){kmp->threads[i].gtid, i};
    }
    kmp->by_address.count = kmp->by_gtid.count = count;
    index_sort(&kmp->by_address);
    index_sort(&kmp->by_gtid);
    return ompd_rc_ok;
}

static int32_t find(const struct index *index, uint64_t key)
{
    uint64_t value;
    return index_get(index, key, &value) ? (int32_t)value : WORLD_NONE;
}

int32_t kmp_thread_at(const struct kmp *kmp, uint64_t address)
{
    return find(&kmp->by_address, address);
}

int32_t kmp_thread_of_gtid(const struct kmp *kmp, uint64_t gtid)
{
    return find(&kmp->by_gtid, gtid);
}

ompd_rc_t kmp_read_threads(struct kmp *kmp)
{
    aspace_t *aspace = kmp->aspace;
    struct index natives = {0};
    uint64_t array, count, *list = NULL;
    ompd_rc_t rc = stock_threads(aspace, &kmp->world->native, &kmp->world->native_count);
    if (rc != ompd_rc_ok && rc != ompd_rc_unavailable)
        return rc;
    kmp->natives = rc == ompd_rc_ok;
    TRY(index_natives(kmp, &natives));
    TRY(pages_number(aspace, &kmp->world->pages, lay_variable(&aspace->lay, LAY_V_kmp_threads), 8, &array));
    if (array == 0)
        return ompd_rc_unavailable;
    TRY(capacity(kmp, array, &count));
    TRY(brk_alloc(&aspace->brk, (count + 1) * sizeof *kmp->threads, &kmp->threads));
    TRY(brk_alloc(&aspace->brk, (count + 1) * sizeof *list, &list));
    for (uint64_t gtid = 0; gtid < count; gtid++) {
        rc = pages_number(aspace, &kmp->world->pages, array + gtid * sizeof(uint64_t), 8, &list[gtid]);
        if (rc == ompd_rc_nomem || (rc != ompd_rc_ok && gtid == 0))
            return rc;
        if (rc != ompd_rc_ok)
            count = gtid;
    }
    TRY(pages_fetch(aspace, &kmp->world->pages, list, count, info_bytes(&aspace->lay)));
    for (uint64_t gtid = 0; gtid < count; gtid++)
        if (list[gtid] != 0)
            TRY(add_thread(kmp, &natives, gtid, list[gtid]));
    return index_threads(kmp);
}
