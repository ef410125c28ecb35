/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_queues.h"

#include <stddef.h>
#include <string.h>

#include "runtimes/gomp/gomp_fields.h"

/** Different priorities in one queue; a target that has more is damaged. */
#define PRIORITIES_MAX 4096u

ompd_rc_t gomp_decode_task(struct gomp *gomp, const uint8_t *bytes, struct gomp_task *ret)
{
#define FIELD(name, member)                                               \
    {                                                                     \
        LAY_F_gomp_task_##name, offsetof(struct gomp_task, member), false \
    }
    static const struct lay_wanted fields[] = {
        FIELD(parent, parent),
        FIELD(children_root, children_root),
        FIELD(children_tasks, children_tasks),
        FIELD(taskgroup, taskgroup),
        FIELD(dependers, dependers),
        FIELD(taskwait, taskwait),
        FIELD(depend_count, depend_count),
        FIELD(num_dependees, num_dependees),
        FIELD(priority, priority),
        FIELD(fn, fn),
        FIELD(kind, kind),
        FIELD(final_task, final_task),
    };
#undef FIELD
    *ret = (struct gomp_task){.priority = UINT64_MAX, .kind = UINT64_MAX};
    return lay_decode(&gomp->aspace->tgt, gomp_lay(gomp), bytes, fields, sizeof fields / sizeof fields[0],
                      ret);
}

ompd_rc_t gomp_task_room(struct gomp *gomp)
{
    struct gomp_task *tasks = NULL;
    if (gomp->world->task_count < gomp->task_room)
        return ompd_rc_ok;
    const int32_t room = 2 * gomp->world->task_count + 64;
    TRY(brk_alloc(&gomp->aspace->brk, (uint64_t)room * sizeof *tasks, &tasks));
    memset(tasks, 0, (size_t)room * sizeof *tasks);
    if (gomp->task_room != 0)
        memcpy(tasks, gomp->tasks, (size_t)gomp->task_room * sizeof *tasks);
    gomp->tasks = tasks;
    gomp->task_room = room;
    return ompd_rc_ok;
}

static ompd_rc_t is_missing(struct gomp *gomp, ompd_rc_t rc)
{
    gomp->world->incomplete = true;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

ompd_rc_t gomp_add_task(struct gomp *gomp, uint64_t address, int32_t team, int32_t *ret)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    struct gomp_task task;
    *ret = world_task_at(gomp->world, address);
    if (*ret != WORLD_NONE || !gomp_has(gomp, LAY_F_gomp_task_kind))
        return ompd_rc_ok;
    ompd_rc_t rc = address % 8 != 0 ? ompd_rc_error
                                    : pages_read(gomp->aspace, &gomp->world->pages, address,
                                                 lay_size(gomp_lay(gomp), LAY_S_gomp_task), bytes);
    if (rc == ompd_rc_ok)
        rc = gomp_decode_task(gomp, bytes, &task);
    if (rc != ompd_rc_ok || task.kind == GOMP_KIND_IMPLICIT || task.kind > GOMP_KIND_DETACHED)
        return is_missing(gomp, rc);
    TRY(gomp_task_room(gomp));
    struct world_task *row = world_add_task(gomp->aspace, gomp->world, address);
    if (row == NULL)
        return ompd_rc_nomem;
    row->team = team;
    row->flags = ompt_task_explicit | (task.kind == GOMP_KIND_UNDEFERRED ? ompt_task_undeferred : 0) |
                 (task.final_task != 0 ? ompt_task_final : 0);
    if (task.priority <= INT32_MAX)
        row->priority = (int32_t)task.priority;
    row->function = task.fn;
    row->unknown[ompdx_task_fact_function] = gomp_missing(gomp, LAY_F_gomp_task_fn);
    row->unknown[ompdx_task_fact_final] = gomp_missing(gomp, LAY_F_gomp_task_final_task);
    row->serial = task.fn != 0 ? task.fn : 1;
    *ret = gomp->world->task_count - 1;
    gomp->tasks[*ret] = task;
    return ompd_rc_ok;
}

/** The words next and prev of a node. */
static ompd_rc_t read_node(struct gomp *gomp, uint64_t address, uint64_t *next, uint64_t *prev)
{
    uint8_t bytes[16];
    TRY(pages_read(gomp->aspace, &gomp->world->pages, address, sizeof bytes, bytes));
    TRY(tgt_number(&gomp->aspace->tgt, bytes, 8, next));
    return tgt_number(&gomp->aspace->tgt, bytes + 8, 8, prev);
}

/** A ring whose every node must know the one before it, so it leads into itself at its first node only. */
static ompd_rc_t add_ring(struct gomp *gomp, uint64_t first, unsigned node, int32_t team)
{
    uint64_t at = first, next, prev, before = 0;
    int32_t task;
    for (int32_t count = 0; at != 0; count++) {
        ompd_rc_t rc = read_node(gomp, at, &next, &prev);
        if (rc != ompd_rc_ok || (count != 0 && prev != before) || count >= WORLD_ROWS_MAX)
            return is_missing(gomp, rc);
        TRY(gomp_add_task(gomp, at - gomp_offset(gomp, node), team, &task));
        if (next == first)
            return ompd_rc_ok;
        before = at;
        at = next;
    }
    return ompd_rc_ok;
}

/** Tasks of each priority. */
static ompd_rc_t add_tree(struct gomp *gomp, uint64_t root, unsigned node, int32_t team)
{
    uint64_t waiting[PRIORITIES_MAX], bytes_left, bytes_right, tasks;
    struct pages *pages = &gomp->world->pages;
    uint32_t count = 0, seen = 0;
    waiting[count++] = root;
    while (count > 0) {
        const uint64_t at = waiting[--count];
        ompd_rc_t rc = pages_number(gomp->aspace, pages,
                                    at + gomp_offset(gomp, LAY_F_prio_splay_tree_node_s_tasks), 8, &tasks);
        if (rc == ompd_rc_ok)
            rc = pages_number(gomp->aspace, pages, at + gomp_offset(gomp, LAY_F_prio_splay_tree_node_s_left),
                              8, &bytes_left);
        if (rc == ompd_rc_ok)
            rc = pages_number(gomp->aspace, pages, at + gomp_offset(gomp, LAY_F_prio_splay_tree_node_s_right),
                              8, &bytes_right);
        if (rc != ompd_rc_ok || ++seen > PRIORITIES_MAX || count + 2 > PRIORITIES_MAX)
            return is_missing(gomp, rc);
        TRY(add_ring(gomp, tasks, node, team));
        if (bytes_left != 0)
            waiting[count++] = bytes_left;
        if (bytes_right != 0)
            waiting[count++] = bytes_right;
    }
    return ompd_rc_ok;
}

ompd_rc_t gomp_add_queue(struct gomp *gomp, const struct gomp_queue *queue, int32_t team)
{
    const struct gomp_queue_sort *sort = queue->sort;
    if (!gomp_has(gomp, sort->root) || !gomp_has(gomp, sort->tasks) || !gomp_has(gomp, sort->node))
        return ompd_rc_ok; /* ompdx_ability_tasks is refused */
    if (queue->root == 0)
        return add_ring(gomp, queue->tasks, sort->node, team);
    if (!gomp_has(gomp, LAY_F_prio_splay_tree_node_s_tasks) ||
        !gomp_has(gomp, LAY_F_prio_splay_tree_node_s_left) ||
        !gomp_has(gomp, LAY_F_prio_splay_tree_node_s_right))
        return is_missing(gomp, ompd_rc_ok);
    return add_tree(gomp, queue->root, sort->node, team);
}
