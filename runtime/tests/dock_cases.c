/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the runtime knows of its workers while regions of several widths come and go: looked at from inside.
 */
#include "runtime/tests/dock_cases.h"

#include <sched.h>

#include "runtime/core/attach.h"
#include "runtime/core/notify.h"
#include "runtime/core/task.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);
int omp_get_num_threads(void);

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

struct nested {
    int threads, busy;
    _Atomic int here, seen;
};

static void look_nested(void *data)
{
    struct nested *nested = data;
    nested->here++;
    while (nested->here % nested->threads != 0)
        sched_yield();
    if (nested->seen++ == 0)
        nested->busy = rt_load(rt_root.busy);
    while (nested->seen < nested->here)
        sched_yield();
}

static void outer_nested(void *data)
{
    struct nested *nested = data;
    GOMP_parallel(look_nested, nested, (unsigned)(nested->threads / omp_get_num_threads()), 0);
}

int dock_busy_nested(int outer, int threads)
{
    struct nested nested = {.threads = outer * threads, .busy = -1};
    GOMP_parallel(outer_nested, &nested, (unsigned)outer, 0);
    return nested.busy;
}

void dock_register(void)
{
    rt_me();
}

static int slices(struct rt_patience patience)
{
    uint32_t procs = rt_root.procs;
    rt_root.procs = 2;
    for (int i = 0; i < 100; i++)
        rt_patience_spent(&patience);
    rt_root.procs = procs;
    return (int)patience.yields;
}

static void look_at_slices(void *data)
{
    if (omp_get_thread_num() == 0)
        *(int *)data = slices((struct rt_patience){.ahead = 1, .team = rt_me()->implicit->team});
}

int dock_slices(void)
{
    int count = -1;
    GOMP_parallel(look_at_slices, &count, 2, 0);
    return count;
}

int dock_slices_outside(void)
{
    return slices((struct rt_patience){.outside = 1});
}

int dock_slices_between(void)
{
    return slices((struct rt_patience){.team = rt_me()->implicit->member->hot});
}

struct inside {
    void (*what)(void *);
    void *data;
};

static void one_does(void *argument)
{
    const struct inside *inside = argument;
    if (omp_get_thread_num() == 0)
        inside->what(inside->data);
}

void dock_inside(int threads, void (*what)(void *), void *data)
{
    struct inside inside = {what, data};
    GOMP_parallel(one_does, &inside, (unsigned)threads, 0);
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
