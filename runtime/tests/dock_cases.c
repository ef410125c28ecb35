/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the runtime knows of its workers while regions of several widths come and go: looked at from inside.
 */
#include "runtime/tests/dock_cases.h"

#include "runtime/core/attach.h"
#include "runtime/core/task.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);

static void nothing(void *unused)
{
    (void)unused;
}

void dock_region(int threads)
{
    GOMP_parallel(nothing, 0, (unsigned)threads, 0);
}

static void inner(void *data)
{
    GOMP_parallel(nothing, 0, *(const unsigned *)data, 0);
}

void dock_nested(int outer, int threads)
{
    unsigned n = (unsigned)threads;
    GOMP_parallel(inner, &n, (unsigned)outer, 0);
}

static void look(void *data)
{
    if (omp_get_thread_num() == 0)
        *(int *)data = rt_load(rt_root.busy);
}

int dock_busy_in(int threads)
{
    int busy = -1;
    GOMP_parallel(look, &busy, (unsigned)threads, 0);
    return busy;
}

int dock_busy(void)
{
    return rt_load(rt_root.busy);
}

int dock_pooled(void)
{
    int n = 0;
    rt_lock(&rt_root.lock);
    for (const struct rt_thread *worker = rt_root.pool; worker != NULL; worker = worker->next_pooled)
        n++;
    rt_unlock(&rt_root.lock);
    return n;
}

int dock_threads(void)
{
    return rt_me()->implicit->member->hot == NULL ? 1 : rt_load(rt_me()->implicit->member->hot->capacity);
}

/** Each member's entry, its thread's dock and its task say the same. */
static int same(const struct rt_team *team, int i)
{
    const struct rt_member *member = &team->members[i];
    const struct rt_thread *worker = member->thread;
    return worker->own_task == member->task && member->task->member == member &&
           rt_load(worker->dock) == team && rt_load(worker->dock_index) == i &&
           rt_load(worker->dock_turn) % 2 == 1;
}

int dock_agrees(void)
{
    const struct rt_team *team = rt_me()->implicit->member->hot;
    for (int i = 1; i < rt_load(team->capacity); i++)
        if (!same(team, i))
            return 0;
    return team->members[0].thread == rt_me();
}
