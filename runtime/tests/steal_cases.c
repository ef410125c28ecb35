/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See steal_cases.h. The entry points are called as compiled code calls them (docs/abi), and what a thief
 * leaves behind is stored from inside.
 */
#include "runtime/tests/steal_cases.h"

#include <sched.h>
#include <stdbool.h>

#include "runtime/core/attach.h"
#include "runtime/core/deque.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *detach);
struct rt_kmp_task *__kmpc_omp_task_alloc(struct rt_loc *loc, int32_t gtid, int32_t flags, size_t task_size,
                                          size_t shareds_size, rt_routine entry);
int32_t __kmpc_omp_task(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp);
void GOMP_taskwait(void);
int omp_get_thread_num(void);

static _Thread_local uintptr_t region_frame; /**< where the thread entered the region's code */

/** Only thread 0 has something to do; the other one is in user code until that is done. */
struct held_region {
    void (*work)(void *);
    void *data;
    _Atomic int over;
};

static void held_member(void *argument)
{
    struct held_region *region = argument;
    region_frame = (uintptr_t)__builtin_frame_address(0);
    if (omp_get_thread_num() == 0) {
        region->work(region->data);
        region->over = 1;
    }
    while (!region->over)
        sched_yield();
}

static void with_held_member(void (*work)(void *), void *data)
{
    struct held_region region = {work, data, 0};
    GOMP_parallel(held_member, &region, 2, 0);
}

/* Both conventions run the same function of one pointer. */
static int32_t by_clang(int32_t gtid, void *kmp)
{
    void *const *own = (void **)((struct rt_kmp_task *)kmp + 1);
    (void)gtid;
    ((void (*)(void *))own[0])(own[1]);
    return 0;
}

static void by_gcc(void *block)
{
    void *const *own = block;
    ((void (*)(void *))own[0])(own[1]);
}

static void create(void (*fn)(void *), void *data, int clang)
{
    void *own[2] = {(void *)fn, data};
    if (!clang) {
        GOMP_task(by_gcc, own, NULL, sizeof own, _Alignof(void *), true, 0, NULL, 0, NULL);
        return;
    }
    struct rt_kmp_task *kmp =
        __kmpc_omp_task_alloc(NULL, 0, 1, sizeof(struct rt_kmp_task) + sizeof own, 0, by_clang);
    ((void **)(kmp + 1))[0] = own[0];
    ((void **)(kmp + 1))[1] = own[1];
    __kmpc_omp_task(NULL, 0, kmp);
}

static void add(void *count)
{
    __atomic_fetch_add((int *)count, 1, __ATOMIC_RELAXED);
}

static void flat(void *argument)
{
    struct steal_run *run = argument;
    uint32_t enough = rt_root.queue_enough;
    if (run->enough != 0)
        rt_root.queue_enough = run->enough;
    for (int i = 0; i < run->tasks; i++)
        create(add, &run->ran, run->by_clang);
    run->ran_at_once = __atomic_load_n(&run->ran, __ATOMIC_RELAXED);
    rt_root.queue_enough = enough;
}

void steal_flat(struct steal_run *run)
{
    run->ran = 0;
    with_held_member(flat, run);
}

struct chain {
    int left, ran;
    long deepest;
    struct steal_run filling; /* its tasks run behind chain_up */
};

/** The links run one after the other, by whichever thread. */
static void link(void *argument)
{
    struct chain *chain = argument;
    long depth = (long)(region_frame - (uintptr_t)__builtin_frame_address(0));
    chain->ran++;
    if (depth > chain->deepest)
        chain->deepest = depth;
    if (--chain->left > 0)
        create(link, chain, chain->filling.by_clang);
}

static void chain_up(void *argument)
{
    struct chain *chain = argument;
    flat(&chain->filling);
    create(link, chain, chain->filling.by_clang);
}

long steal_chain(int tasks, int by_clang, int *ran)
{
    struct chain chain = {.left = tasks,
                          .filling = {.tasks = (int)rt_root.queue_enough, .by_clang = by_clang}};
    with_held_member(chain_up, &chain);
    *ran = chain.ran;
    return chain.deepest;
}

struct meeting {
    int tasks, ran;
    _Atomic int here;
};

static void short_tasks(void *argument)
{
    struct meeting *meeting = argument;
    if (omp_get_thread_num() == 0)
        for (int i = 0; i < meeting->tasks; i++)
            create(add, &meeting->ran, 0);
}

/** Ends only when two of them run at the same time. */
static void meet(void *argument)
{
    struct meeting *meeting = argument;
    meeting->here++;
    while (meeting->here < 2)
        sched_yield();
}

static void two_meet(void *argument)
{
    if (omp_get_thread_num() == 0) {
        create(meet, argument, 0);
        create(meet, argument, 1);
    }
}

int steal_meeting(int tasks)
{
    struct meeting meeting = {.tasks = tasks};
    GOMP_parallel(short_tasks, &meeting, 2, 0);
    GOMP_parallel(two_meet, &meeting, 2, 0);
    return meeting.ran;
}

/** So many chains of tasks: there is always one that can run. */
enum { CHAINS = 64 };

struct waiting {
    int tasks;
    _Atomic int ran;
};

static void run_of_chain(void *argument)
{
    (*(struct waiting **)argument)->ran++;
}

static void create_chains(void *argument)
{
    struct waiting *waiting = argument;
    static char word[CHAINS];
    int early;
    for (int i = 0; i < waiting->tasks; i++) {
        void *depend[] = {(void *)1, (void *)1, &word[i % CHAINS]}; /* one, an out */
        GOMP_task(run_of_chain, &waiting, NULL, sizeof waiting, _Alignof(struct waiting *), 1, 8, depend, 0,
                  NULL);
    }
    early = waiting->ran;
    GOMP_taskwait();
    waiting->ran = waiting->ran == waiting->tasks ? early : -1;
}

int steal_waiting(int tasks)
{
    struct waiting waiting = {.tasks = tasks};
    with_held_member(create_chains, &waiting);
    return waiting.ran;
}
