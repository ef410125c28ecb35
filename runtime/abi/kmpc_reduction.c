/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for task reductions (docs/abi/kmpc.md sections 1.4 and 7).
 */

#include "../core/attach.h"
#include "../core/reduction.h"
#include "../core/taskgroup.h"
#include "../core/workshare.h"
#include "kmpc.h"

/** kmp_taskred_input_t. */
struct input {
    void *shar, *orig;
    size_t size;
    void *init, *fini, *comb;
    uint32_t flags;
};

/** kmp_task_red_input_t, of clang before 11. */
struct old_input {
    void *shar;
    size_t size;
    void *init, *fini, *comb;
    uint32_t flags;
};

static void fill(struct rt_item *item, void *shar, void *orig, size_t size, void *init, void *fini,
                 void *comb, uint32_t flags)
{
    *item = (struct rt_item){shar, orig != NULL ? orig : shar, size, NULL, NULL, NULL, flags};
    item->init = (void (*)(void *, void *))init;
    item->fini = (void (*)(void *))fini;
    item->comb = (void (*)(void *, void *))comb;
}

static struct rt_reduction *read_new(struct rt_copies *common, int n, const struct input *data)
{
    struct rt_reduction *reduction = rt_reduction_create(common, n);
    for (int i = 0; i < n; i++)
        fill(&reduction->item[i], data[i].shar, data[i].orig, data[i].size, data[i].init, data[i].fini,
             data[i].comb, data[i].flags);
    return reduction;
}

static struct rt_reduction *read_old(struct rt_copies *common, int n, const struct old_input *data)
{
    struct rt_reduction *reduction = rt_reduction_create(common, n);
    for (int i = 0; i < n; i++)
        fill(&reduction->item[i], data[i].shar, NULL, data[i].size, data[i].init, data[i].fini, data[i].comb,
             data[i].flags);
    return reduction;
}

static struct rt_reduction *read_any(struct rt_copies *common, int n, const void *data, int old)
{
    return old ? read_old(common, n, data) : read_new(common, n, data);
}

static void *group_reduction(int n, const void *data, int old)
{
    struct rt_thread *th = rt_me();
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_taskgroup *group = task->taskgroup;
    if (group == NULL || n <= 0 || task->team->nthreads == 1)
        return group;
    group->reduction = read_any(rt_copies_create(n, task->team->nthreads), n, data, old);
    return group;
}

RT_EXPORT void *__kmpc_taskred_init(int gtid, int n, void *data)
{
    (void)gtid;
    return group_reduction(n, data, 0);
}

RT_EXPORT void *__kmpc_task_reduction_init(int gtid, int n, void *data)
{
    (void)gtid;
    return group_reduction(n, data, 1);
}

RT_EXPORT void *__kmpc_task_reduction_get_th_data(int gtid, void *group, void *item)
{
    (void)gtid;
    return rt_reduction_copy(rt_me(), group, item);
}

/** reduction(task, ...): a taskgroup in each thread of the team, one set of copies for all. */
static void *team_reduction(int n, const void *data, int old)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    rt_taskgroup_begin(th);
    struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    group->worksharing = 1;
    if (implicit->team->nthreads == 1 || n <= 0)
        return group;
    struct rt_workshare *work = rt_workshare_enter(th);
    if (rt_workshare_first(work)) {
        struct rt_copies *copies = rt_copies_create(n, implicit->team->nthreads);
        if (unlikely(rt_workshare_is_private(work)))
            rt_store(copies->users, 1);
        work->data = copies;
        rt_workshare_ready(work);
    }
    group->reduction = read_any(work->data, n, data, old);
    group->reduction->shared = 1;
    rt_workshare_leave(th, work);
    return group;
}

RT_EXPORT void *__kmpc_taskred_modifier_init(struct rt_loc *loc, int gtid, int is_ws, int n, void *data)
{
    (void)loc, (void)gtid, (void)is_ws;
    return team_reduction(n, data, 0);
}

RT_EXPORT void *__kmpc_task_reduction_modifier_init(struct rt_loc *loc, int gtid, int is_ws, int n,
                                                    void *data)
{
    (void)loc, (void)gtid, (void)is_ws;
    return team_reduction(n, data, 1);
}

RT_EXPORT void __kmpc_task_reduction_modifier_fini(struct rt_loc *loc, int gtid, int is_ws)
{
    (void)loc, (void)gtid, (void)is_ws;
    rt_taskgroup_end(rt_me(), RT_CALLER());
}
