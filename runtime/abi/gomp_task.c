/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for tasks, taskwait and taskgroup (docs/abi/gomp.md section 6).
 */
#include <stdlib.h>
#include <string.h>

#include "../core/attach.h"
#include "../core/cancel.h"
#include "../core/execute.h"
#include "../core/message.h"
#include "../core/submit.h"
#include "../core/task_inline.h"
#include "../core/taskgroup.h"
#include "../core/taskwait.h"
#include "gomp.h"

/* ---- depend arrays ------------------------------------------------------------------------------------- */

enum { DEP_IN = 1, DEP_OUT = 3, DEP_MUTEX = 4, DEP_INOUTSET = 8, DEP_ALL = 0x80 };

int gomp_deps_count(void **depend)
{
    if (depend == NULL)
        return 0;
    return (int)(uintptr_t)(depend[0] != NULL ? depend[0] : depend[1]);
}

/** omp_all_memory comes as an address of 0 that is written. */
static struct rt_dep dep_of(void *address, uint8_t type)
{
    if (address == NULL && type == DEP_OUT)
        type |= DEP_ALL;
    return (struct rt_dep){.address = (uint64_t)(uintptr_t)address, .type = type};
}

/** What a depend object or an inoutset entry points to: address and kind. */
static struct rt_dep dep_of_object(void **object)
{
    static const uint8_t types[] = {DEP_OUT, DEP_IN, DEP_OUT, DEP_OUT, DEP_MUTEX, DEP_INOUTSET};
    uintptr_t kind = (uintptr_t)object[1];
    return dep_of(object[0], types[kind < sizeof types ? kind : 0]);
}

/** The array in the core's form: n items, as gomp_deps_count() says. */
static inline void deps_fill(void **depend, uintptr_t n, struct rt_dep *deps)
{
    uintptr_t i = 0;
    if (n == 0)
        return;
    if (depend[0] != NULL) { /* the form of OpenMP 4: the written ones, then the read ones */
        uintptr_t out = (uintptr_t)depend[1];
        for (; i < n; i++)
            deps[i] = dep_of(depend[2 + i], i < out ? DEP_OUT : DEP_IN);
        return;
    }
    uintptr_t out = (uintptr_t)depend[2], mutex = out + (uintptr_t)depend[3],
              in = mutex + (uintptr_t)depend[4];
    for (; i < in; i++)
        deps[i] = dep_of(depend[5 + i], i < out ? DEP_OUT : i < mutex ? DEP_MUTEX : DEP_IN);
    for (; i < n; i++)
        deps[i] = dep_of_object(depend[5 + i]);
}

#define FEW_DEPS 16

/**
 * The array in the core's form, in `few` if that has the room: an iterator makes as many as the program
 * likes.
 */
static inline struct rt_dep *deps_take(void **depend, int n, struct rt_dep *few)
{
    struct rt_dep *deps = few;
    if (n > FEW_DEPS && (deps = malloc((size_t)n * sizeof *deps)) == NULL)
        rt_fatal("no memory for %d dependences", n);
    deps_fill(depend, (uintptr_t)n, deps);
    return deps;
}

static void deps_give(struct rt_dep *deps, const struct rt_dep *few)
{
    if (deps != few)
        free(deps);
}

void gomp_deps_wait(struct rt_thread *th, void **depend, struct rt_caller caller)
{
    struct rt_dep few[FEW_DEPS];
    int n = gomp_deps_count(depend);
    if (n == 0)
        return;
    struct rt_dep *deps = deps_take(depend, n, few);
    rt_taskwait_deps(th, deps, n, caller);
    deps_give(deps, few);
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

bool gomp_task_dropped(struct rt_thread *th)
{
    return rt_root.cancellation && rt_cancel_pending(th, RT_CANCEL_TASKGROUP);
}

uint32_t gomp_task_flags(struct rt_thread *th, unsigned flags)
{
    uint32_t ours = RT_TASK_EXPLICIT;
    if (likely(!(flags & (GOMP_UNTIED | GOMP_FINAL | GOMP_MERGEABLE))))
        return ours; /* final is inherited when the task is made */
    if (flags & GOMP_UNTIED)
        ours |= RT_TASK_UNTIED;
    if (flags & GOMP_FINAL || rt_load(th->cur_task)->flags & RT_TASK_FINAL)
        ours |= RT_TASK_FINAL;
    if (flags & GOMP_MERGEABLE)
        ours |= RT_TASK_MERGEABLE;
    return ours;
}

void gomp_task_priority(struct rt_task *task, int priority)
{
    int most = rt_root.max_task_priority;
    task->priority = priority > most ? most : priority;
}

struct rt_task *gomp_task_create(struct rt_thread *th, uint32_t flags, gomp_fn *fn, size_t size, size_t align,
                                 void **data, struct rt_caller caller)
{
    uintptr_t mask = align > sizeof(uintptr_t) ? align - 1 : sizeof(uintptr_t) - 1;
    struct rt_task *task = rt_task_create(th, flags, sizeof(struct rt_kmp_task) + mask + size,
                                          (uint64_t)(uintptr_t)fn, NULL, caller);
    struct rt_kmp_task *kmp = rt_task_payload(task);
    kmp->routine = (rt_routine)(void *)fn;
    kmp->shareds = *data = (void *)(((uintptr_t)(kmp + 1) + mask) & ~mask);
    kmp->part_id = 0;
    task->call = RT_CALL_GOMP;
    return task;
}

static inline void submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                          bool deferred, struct rt_caller caller)
{
    struct rt_task *encountering = rt_load(th->cur_task);
    (void)encountering;
    RT_TRACK(rt_store(encountering->enter_frame, caller.frame));
    if (likely(deferred))
        rt_task_submit(th, task, deps, n);
    else
        rt_task_run_undeferred(th, task, deps, n, caller);
    RT_TRACK(rt_store(encountering->enter_frame, 0));
}

/** On its own, for the room on the stack: an undeferred task runs above it. */
static RT_NOINLINE void submit_in_order(struct rt_thread *th, struct rt_task *task, void **depend,
                                        bool deferred, struct rt_caller caller)
{
    struct rt_dep few[FEW_DEPS];
    int n = gomp_deps_count(depend);
    struct rt_dep *deps = deps_take(depend, n, few);
    submit(th, task, deps, n, deferred, caller);
    deps_give(deps, few);
}

void gomp_task_submit(struct rt_thread *th, struct rt_task *task, void **depend, bool deferred,
                      struct rt_caller caller)
{
    if (likely(depend == NULL))
        submit(th, task, NULL, 0, deferred, caller);
    else
        submit_in_order(th, task, depend, deferred, caller);
}

static void nothing(void *data)
{
    (void)data;
}

void gomp_task_empty(struct rt_thread *th, uint32_t flags, void **depend, struct rt_caller caller)
{
    void *data;
    struct rt_task *task = gomp_task_create(th, gomp_task_flags(th, 0) | flags, nothing, 0, 0, &data, caller);
    gomp_task_submit(th, task, depend, true, caller);
}

/** A task that runs as it is created, in the caller's data; for a tool, or with flags. */
static RT_NOINLINE void run_at_once(struct rt_thread *th, uint32_t flags, gomp_fn *fn, void *data,
                                    struct rt_caller caller)
{
    struct rt_task *task =
        rt_task_new(th, flags | RT_TASK_UNDEFERRED, 0, (uint64_t)(uintptr_t)fn, NULL, caller.codeptr);
    RT_TRACK(rt_store(task->parent->enter_frame, caller.frame));
    if (RT_WANTS(RT_ON_CREATE))
        rt_report_create(th, task, 0, NULL, 0, 0);
    rt_task_switch_in(th, task, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    rt_task_call(data, NULL, (void *)fn);
    struct rt_task *below = rt_task_end_uncounted(th, task, rt_task_cleanup(task));
    (void)below;
    RT_TRACK(rt_store(below->enter_frame, 0));
}

/**
 * What GOMP_task gets behind its sixth argument. x86-64 passes these on the stack, where a structure of that
 * size is passed too (psABI 3.2.3): as one they are read only by those who need them. Older compilers pass
 * fewer: depend, priority and detach are only there with their flags.
 */
struct more {
    unsigned flags;
    void **depend;
    int priority;
    void *detach;
};

static RT_NOINLINE void any_task(gomp_fn *fn, void *data, gomp_copy *copy, long size, long align,
                                 bool deferred, struct more more, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    unsigned flags = more.flags;
    if (unlikely(gomp_task_dropped(th))) {
        if (flags & GOMP_DETACH)
            *(void **)more.detach = NULL; /* an event that may be fulfilled: nothing waits for it */
        return;
    }
    bool in_place = !deferred && copy == NULL; /* the caller's block outlives the task */
    if ((in_place || (copy == NULL && th->implicit->team->nthreads == 1)) &&
        !(flags & (GOMP_DEPEND | GOMP_DETACH))) {
        run_at_once(th, gomp_task_flags(th, flags), fn, data, caller);
        return;
    }
    void *room;
    struct rt_task *task = gomp_task_create(th, gomp_task_flags(th, flags), fn, in_place ? 0 : (size_t)size,
                                            (size_t)align, &room, caller);
    if (unlikely(flags & GOMP_PRIORITY))
        gomp_task_priority(task, more.priority);
    if (unlikely(flags & GOMP_DETACH)) { /* the event variable is also the first member of the block */
        void *event = (void *)rt_detach_create(task);
        *(void **)more.detach = event;
        if (data != NULL)
            *(void **)data = event;
    }
    if (in_place)
        ((struct rt_kmp_task *)rt_task_payload(task))->shareds = data;
    else if (unlikely(copy != NULL))
        gomp_task_copy(task, copy, room, data);
    else if (size != 0 && data != NULL)
        memcpy(room, data, (size_t)size);
    gomp_task_submit(th, task, flags & GOMP_DEPEND ? more.depend : NULL, deferred, caller);
}

/*
 * The short ways. GOMP_task has the shortest one inline; else it only chooses one, as its last act, and each
 * has few arguments, so none is copied from stack to stack.
 */

/** What asks for nothing runs as it is created, in the caller's data. `told`: to a tool, if one is there. */
static inline __attribute__((always_inline)) void run_in_place(struct rt_thread *th, gomp_fn *fn, void *data,
                                                               uint64_t codeptr, uint64_t frame, int told)
{
    struct rt_task *parent = rt_load(th->cur_task);
    struct rt_task *task = told && RT_WANTS(RT_ON_RUN_NEW) ? NULL : rt_task_slot_stamped(th, parent);
    if (unlikely(task == NULL)) {
        run_at_once(th, RT_TASK_EXPLICIT, fn, data, (struct rt_caller){codeptr, frame});
        return;
    }
    rt_task_init(task, parent, RT_TASK_EXPLICIT | RT_TASK_UNDEFERRED, (uint64_t)(uintptr_t)fn, NULL, codeptr,
                 RT_TS_STARTED);
    rt_task_enter(th, task, parent, task->creator_thread_num);
    RT_TRACK(rt_store(task->exit_frame, frame));
    rt_task_publish_stamped(th, task);
    RT_TRACK(rt_store(parent->enter_frame, frame));
    rt_publish(th->cur_task, task);
    rt_task_call(data, NULL, (void *)fn);
    rt_task_end_untold(th, task, rt_task_cleanup(task));
}

/** A deferred one whose creator has queued enough. */
static RT_NOINLINE void task_of_full_queue(gomp_fn *fn, void *data, struct rt_thread *th, uint64_t codeptr,
                                           uint64_t frame)
{
    th->nested_direct++;
    run_in_place(th, fn, data, codeptr, frame, 0); /* rt_creator_runs has asked */
    th->nested_direct--;
}

static RT_NOINLINE void queued_task(gomp_fn *fn, const void *data, long size, long align,
                                    struct rt_caller caller)
{
    struct rt_thread *th = rt_self;
    void *room;
    struct rt_task *task =
        gomp_task_create(th, RT_TASK_EXPLICIT, fn, (size_t)size, (size_t)align, &room, caller);
    if (size != 0 && data != NULL)
        memcpy(room, data, (size_t)size);
    gomp_task_submit(th, task, NULL, true, caller);
}

/**
 * What is undeferred, or meets a team of one or a full queue, and asks for nothing else, is created and runs
 * at once, in the caller's data, which outlives it. So nothing is copied and nobody counts it.
 */
RT_EXPORT void GOMP_task(gomp_fn *fn, void *data, gomp_copy *copy, long size, long align, bool deferred,
                         struct more more)
{
    struct rt_thread *th = rt_self;
    if (unlikely(th == NULL || copy != NULL || (more.flags | rt_root.cancellation) != 0))
        any_task(fn, data, copy, size, align, deferred, more, RT_CALLER());
    else if (!deferred || th->implicit->team->nthreads == 1)
        run_in_place(th, fn, data, RT_CALLER().codeptr, RT_CALLER().frame, 1);
    else if (rt_creator_runs(th))
        task_of_full_queue(fn, data, th, RT_CALLER().codeptr, RT_CALLER().frame);
    else
        queued_task(fn, data, size, align, RT_CALLER());
}

RT_EXPORT void GOMP_taskwait(void)
{
    struct rt_thread *th = rt_me();
    struct rt_task *task = rt_load(th->cur_task);
    if (unlikely(rt_acquire(task->children) != 0 || task->deps != NULL) || RT_WANTS(RT_ON_SYNC))
        rt_taskwait_slow(th, task, RT_CALLER());
}

RT_EXPORT void GOMP_taskwait_depend(void **depend)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    if (!gomp_task_dropped(th))
        gomp_deps_wait(th, depend, caller);
}

RT_EXPORT void GOMP_taskwait_depend_nowait(void **depend)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    if (!gomp_task_dropped(th))
        gomp_task_empty(th, 0, depend, caller);
}

RT_EXPORT void GOMP_taskyield(void)
{
    rt_taskyield(rt_me());
}

RT_EXPORT void GOMP_taskgroup_start(void)
{
    rt_taskgroup_begin_at(rt_me(), RT_CALLER());
}

RT_EXPORT void GOMP_taskgroup_end(void)
{
    rt_taskgroup_end(rt_me(), RT_CALLER());
}

RT_ALSO_VERSION(GOMP_task);
RT_ALSO_VERSION(GOMP_taskwait);
RT_ALSO_VERSION(GOMP_taskwait_depend);
RT_ALSO_VERSION(GOMP_taskyield);
RT_ALSO_VERSION(GOMP_taskgroup_start);
RT_ALSO_VERSION(GOMP_taskgroup_end);
