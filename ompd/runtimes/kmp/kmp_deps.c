/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: dependences between tasks. A task's node lists those that wait for it; each of them counts how many
 * it still waits for, which tells whether all were found.
 */
#include "runtimes/kmp/kmp.h"

#include <string.h>

/** Successors of one task. */
#define SUCCESSORS_MAX (1u << 16)

static const char incomplete_why[] = "libomp does not link all of the tasks that this one waits for";

static bool can_deps(const struct lay *lay)
{
    return lay_has(lay, LAY_F_kmp_taskdata_depnode) && lay_has(lay, LAY_F_kmp_depnode_successors) &&
           lay_has(lay, LAY_F_kmp_depnode_task) && lay_has(lay, LAY_F_kmp_depnode_npredecessors) &&
           lay_has(lay, LAY_F_kmp_depnode_list_node) && lay_has(lay, LAY_F_kmp_depnode_list_next);
}

static ompd_rc_t add_edge(struct kmp *kmp, int32_t from, int32_t to)
{
    if (kmp->edges.count == kmp->edge_room) {
        const size_t room = kmp->edge_room != 0 ? 2 * kmp->edge_room : 256;
        struct index_row *rows = NULL;
        TRY(brk_alloc(&kmp->aspace->brk, room * sizeof *rows, &rows));
        if (kmp->edges.count != 0)
            memcpy(rows, kmp->edges.rows, kmp->edges.count * sizeof *rows);
        kmp->edges.rows = rows;
        kmp->edge_room = room;
    }
    kmp->edges.rows[kmp->edges.count++] = (struct index_row){(uint64_t)to, (uint64_t)from};
    return ompd_rc_ok;
}

/** The task of a node of the list. */
static ompd_rc_t add_successor(struct kmp *kmp, int32_t from, uint64_t entry)
{
    uint64_t node, task;
    int32_t at;
    TRY(kmp_field(kmp, entry, LAY_F_kmp_depnode_list_node, &node));
    TRY(kmp_field(kmp, node, LAY_F_kmp_depnode_task, &task));
    if (task == 0)
        return ompd_rc_ok; /* a thread waits for it, not a task */
    TRY(kmp_add_task(kmp, task - lay_size(&kmp->aspace->lay, LAY_S_kmp_taskdata), &at));
    return at != WORLD_NONE ? add_edge(kmp, from, at) : ompd_rc_ok;
}

static ompd_rc_t walk(struct kmp *kmp, int32_t from)
{
    const uint64_t address = kmp->world->tasks[from].address;
    uint64_t node, entry;
    TRY(kmp_field(kmp, address, LAY_F_kmp_taskdata_depnode, &node));
    if (node == 0)
        return ompd_rc_ok;
    TRY(kmp_field(kmp, node, LAY_F_kmp_depnode_successors, &entry));
    for (uint32_t steps = 0; entry != 0 && steps < SUCCESSORS_MAX; steps++) {
        TRY(add_successor(kmp, from, entry));
        TRY(kmp_field(kmp, entry, LAY_F_kmp_depnode_list_next, &entry));
    }
    return ompd_rc_ok;
}

ompd_rc_t kmp_add_successors(struct kmp *kmp, int32_t task)
{
    if (!can_deps(&kmp->aspace->lay) || kmp->world->tasks[task].state == ompdx_task_completing)
        return ompd_rc_ok;
    ompd_rc_t rc = walk(kmp, task);
    if (rc == ompd_rc_nomem)
        return rc;
    kmp->world->incomplete |= rc != ompd_rc_ok;
    return ompd_rc_ok;
}

/** What ROW waits for, of the edges FIRST to LAST. */
static ompd_rc_t set_row(struct kmp *kmp, struct world_task *row, size_t first, size_t last)
{
    uint64_t node, count = 0;
    TRY(kmp_field(kmp, row->address, LAY_F_kmp_taskdata_depnode, &node));
    if (node != 0)
        TRY(kmp_field(kmp, node, LAY_F_kmp_depnode_npredecessors, &count));
    count = (int32_t)count > 0 ? count : 0;
    if (count != 0 && (row->state == ompdx_task_created || row->state == ompdx_task_ready))
        row->state = ompdx_task_blocked;
    if (count != last - first)
        row->predecessors_why = count != 0 ? incomplete_why : NULL;
    if (count != last - first || count == 0)
        return ompd_rc_ok;
    TRY(world_alloc_indices(kmp->aspace, (int32_t)count, &row->predecessors));
    row->predecessor_count = (int32_t)count;
    for (size_t i = first; i < last; i++)
        row->predecessors[i - first] = (int32_t)kmp->edges.rows[i].value;
    return ompd_rc_ok;
}

ompd_rc_t kmp_set_predecessors(struct kmp *kmp)
{
    struct world *world = kmp->world;
    size_t first = 0;
    if (!can_deps(&kmp->aspace->lay)) {
        for (int32_t i = 0; i < world->task_count; i++)
            world->tasks[i].predecessors_why = "the layout of libomp's dependences is not known";
        return ompd_rc_ok;
    }
    index_sort(&kmp->edges);
    for (int32_t i = 0; i < world->task_count; i++) {
        size_t last = first;
        while (last < kmp->edges.count && kmp->edges.rows[last].key == (uint64_t)i)
            last++;
        if ((world->tasks[i].flags & ompt_task_explicit) != 0) {
            ompd_rc_t rc = set_row(kmp, &world->tasks[i], first, last);
            if (rc == ompd_rc_nomem)
                return rc;
            if (rc != ompd_rc_ok)
                world->tasks[i].predecessors_why = "its dependences could not be read";
        }
        first = last;
    }
    return ompd_rc_ok;
}
