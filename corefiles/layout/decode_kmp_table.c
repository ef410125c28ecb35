/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a libomp that was built for Intel's debugger publishes: the exported variable
 * __kmp_omp_debug_struct_info is a table of addresses, then of offsets and sizes, 4 bytes each. Version 9,
 * that of libiomp5 of 2019 and of 2026, is read.
 */
#include <string.h>

#include "corefiles/layout/decode_kmp_parts.h"
#include "corefiles/layout/imply.h"

/* Places in the table, in bytes. */
enum { VERSION = 9, TABLE_BYTES = 944, OWN_SIZE_AT = 4, VERSION_AGAIN_AT = 936, OFFSET_MAX = 1 << 14 };

static const struct {
    const char *name;
    uint16_t at;
} entries[] = {
    {"kmp_info.th.th_team", 260},
    {"kmp_info.th.th_root", 268},
    {"kmp_info.th.th_serial_team", 276},
    {"kmp_info.th.th_ident", 284},
    {"kmp_info.th.th_spin_here", 292},
    {"kmp_info.th.th_next_waiting", 300},
    {"kmp_info.th.th_task_team", 308},
    {"kmp_info.th.th_current_task", 316},
    {"kmp_info.th.th_teams_microtask", 348},
    {"kmp_info.th.th_teams_level", 356},
    {"kmp_info.th.th_info.ds.ds_tid", 384},
    {"kmp_info.th.th_info.ds.ds_gtid", 392},
    {"kmp_info.th.th_info.ds.ds_thread", 400},
    {"kmp_team.t.t_master_tid", 412},
    {"kmp_team.t.t_ident", 420},
    {"kmp_team.t.t_parent", 428},
    {"kmp_team.t.t_nproc", 436},
    {"kmp_team.t.t_threads", 444},
    {"kmp_team.t.t_serialized", 452},
    {"kmp_team.t.t_id", 460},
    {"kmp_team.t.t_pkfn", 468},
    {"kmp_team.t.t_task_team", 476},
    {"kmp_team.t.t_implicit_task_taskdata", 484},
    {"kmp_team.t.t_cancel_request", 492},
    {"kmp_root.r.r_root_team", 528},
    {"kmp_root.r.r_hot_team", 536},
    {"kmp_root.r.r_uber_thread", 544},
    {"ident.psource", 564},
    {"ident.flags", 572},
    {"kmp_queuing_lock.lk.initialized", 584},
    {"kmp_queuing_lock.lk.tail_id", 600},
    {"kmp_queuing_lock.lk.head_id", 608},
    {"kmp_queuing_lock.lk.owner_id", 632},
    {"kmp_queuing_lock.lk.depth_locked", 640},
    {"kmp_queuing_lock.lk.flags", 648},
    {"kmp_task_team.tt.tt_threads_data", 660},
    {"kmp_task_team.tt.tt_found_tasks", 668},
    {"kmp_task_team.tt.tt_nproc", 676},
    {"kmp_taskdata.td_task_id", 704},
    {"kmp_taskdata.td_flags", 712},
    {"kmp_taskdata.td_team", 720},
    {"kmp_taskdata.td_parent", 728},
    {"kmp_taskdata.td_level", 736},
    {"kmp_taskdata.td_ident", 744},
    {"kmp_taskdata.td_allocated_child_tasks", 752},
    {"kmp_taskdata.td_incomplete_child_tasks", 760},
    {"kmp_taskdata.td_taskwait_thread", 784},
    {"kmp_taskdata.td_taskgroup", 792},
    {"kmp_taskgroup.count", 800},
    {"kmp_taskgroup.cancel_request", 808},
    {"kmp_taskdata.td_depnode", 816},
    {"kmp_depnode_list.node", 824},
    {"kmp_depnode_list.next", 832},
    {"kmp_depnode.dn.successors", 840},
    {"kmp_depnode.dn.task", 848},
    {"kmp_depnode.dn.npredecessors", 856},
    {"kmp_task.routine", 872},
    {"kmp_thread_data.td.td_deque", 884},
    {"kmp_thread_data.td.td_deque_size", 892},
    {"kmp_thread_data.td.td_deque_head", 900},
    {"kmp_thread_data.td.td_deque_tail", 908},
    {"kmp_thread_data.td.td_deque_ntasks", 916},
};

/* Sizes of whole structures. */
static const struct {
    const char *name;
    uint16_t at;
} sizes[] = {
    {"kmp_info", 248},         {"kmp_team", 408},      {"kmp_root", 524},     {"ident", 560},
    {"kmp_queuing_lock", 580}, {"kmp_task_team", 656}, {"kmp_taskdata", 700}, {"kmp_thread_data", 880},
};

static int32_t number(const uint8_t *table, unsigned at)
{
    int32_t value;

    memcpy(&value, table + at, sizeof value);
    return value;
}

/* The table, NULL: there is none of this version. */
static const uint8_t *find_table(const struct ly_image *image)
{
    uint64_t address = 0, size = 0;
    size_t left = 0;

    if (!ly_object(image, "__kmp_omp_debug_struct_info", &address, &size) || size != TABLE_BYTES)
        return NULL;
    const uint8_t *table = ly_bytes(image, address, &left);
    if (!table || left < TABLE_BYTES || number(table, 0) != VERSION ||
        number(table, OWN_SIZE_AT) != TABLE_BYTES || number(table, VERSION_AGAIN_AT) != VERSION)
        return NULL;
    return table;
}

bool ly_decode_kmp_table(struct ly_decoding *d)
{
    const uint8_t *table = find_table(d->image);

    for (size_t i = 0; table && i < sizeof entries / sizeof entries[0]; i++) {
        const int32_t offset = number(table, entries[i].at), size = number(table, entries[i].at + 4u);
        const struct ly_fact *known = ly_fact(d->facts, d->count, entries[i].name);
        if (offset < 0 || offset > OFFSET_MAX || size <= 0 || size > OFFSET_MAX)
            continue; /* -1: the runtime does not have it */
        if (known && (known->offset != (uint64_t)offset || known->size != (uint64_t)size))
            return false;
        ly_add(d, entries[i].name, offset, (uint64_t)size);
    }
    for (size_t i = 0; table && i < sizeof sizes / sizeof sizes[0]; i++)
        ly_add(d, sizes[i].name, number(table, sizes[i].at), 0);
    return true;
}
