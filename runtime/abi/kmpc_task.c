/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for tasks (docs/abi/kmpc.md sections 1.2 and 7).
 */

#include <stdbool.h>

#include "../core/attach.h"
#include "../core/depend.h"
#include "../core/execute.h"
#include "../core/submit.h"
#include "../core/target_task.h"
#include "../core/task_inline.h"
#include "../core/taskgroup.h"
#include "../core/taskwait.h"
#include "kmpc.h"

/* kmp task flags that the compiler passes. */
enum {
    KMP_TIED = 0x1,
    KMP_FINAL = 0x2,
    KMP_MERGEABLE = 0x4,
    KMP_DESTRUCTORS = 0x8,
    KMP_PROXY = 0x10,
    KMP_PRIORITY = 0x20,
};

/** Bytes of a task's own and where its shareds start: flang 22 computes this place itself. */
static inline size_t shareds_at(size_t task_size)
{
    return (task_size + 7) & ~(size_t)7;
}

/** `taskwait depend(...) nowait` is a task without code. */
static int32_t nothing(int32_t gtid, void *kmp_task)
{
    (void)gtid, (void)kmp_task;
    return 0;
}

static inline __attribute__((always_inline)) struct rt_kmp_task *fill(struct rt_task *task, size_t task_size,
                                                                      size_t shareds_size, rt_routine entry)
{
    struct rt_kmp_task *kmp = rt_task_payload(task);
    kmp->shareds = shareds_size != 0 ? (char *)kmp + shareds_at(task_size) : NULL;
    kmp->routine = entry;
    kmp->part_id = 0;
    return kmp;
}

/** Bytes of a task's payload; TAIL of them behind what the compiler has asked for. */
static size_t payload(size_t task_size, size_t shareds_size, size_t tail)
{
    return shareds_at(task_size) + shareds_at(shareds_size) + tail;
}

/** FLAGS are the compiler's; of ours KIND comes to them. */
static struct rt_task *create_task(struct rt_loc *loc, uint64_t codeptr, int32_t flags, uint32_t kind,
                                   size_t bytes, rt_routine entry)
{
    uint32_t ours =
        RT_TASK_EXPLICIT | kind | (flags & KMP_TIED ? 0 : RT_TASK_UNTIED) |
        (flags & KMP_FINAL ? RT_TASK_FINAL : 0) | (flags & KMP_MERGEABLE ? RT_TASK_MERGEABLE : 0) |
        (flags & KMP_DESTRUCTORS ? RT_TASK_DESTRUCTORS : 0) | (flags & KMP_PRIORITY ? RT_TASK_PRIORITY : 0);
    struct rt_task *task = rt_task_new(rt_me(), ours, bytes, (uint64_t)(uintptr_t)entry, loc, codeptr);
    if (flags & KMP_PROXY)
        rt_detach_create(task);
    return task;
}

static RT_NOINLINE struct rt_kmp_task *any_task(struct rt_loc *loc, uint64_t codeptr, int32_t flags,
                                                size_t task_size, size_t shareds_size, rt_routine entry)
{
    size_t bytes = payload(task_size, shareds_size, 0);
    int plain = (flags & 0x7f) == KMP_TIED && RT_TASK_PAYLOAD + bytes <= RT_TASK_BYTES;
    struct rt_task *task = create_task(loc, codeptr, flags, plain ? RT_TASK_PLAIN : 0, bytes, entry);
    return fill(task, task_size, shareds_size, entry != NULL ? entry : nothing);
}

RT_EXPORT struct rt_kmp_task *__kmpc_omp_task_alloc(struct rt_loc *loc, int32_t gtid, int32_t flags,
                                                    size_t task_size, size_t shareds_size, rt_routine entry)
{
    struct rt_thread *th = rt_self;
    (void)gtid;
    task_size = shareds_at(task_size);
    if (unlikely(th == NULL || entry == NULL || (flags & 0x7f) != KMP_TIED ||
                 RT_TASK_PAYLOAD + task_size + shareds_size > RT_TASK_BYTES))
        return any_task(loc, RT_CALLER().codeptr, flags, task_size, shareds_size, entry);
    struct rt_task *parent = rt_load(th->cur_task), *task = rt_task_slot_stamped(th, parent);
    if (unlikely(task == NULL))
        return any_task(loc, RT_CALLER().codeptr, KMP_TIED, task_size, shareds_size, entry);
    rt_task_init(task, parent, RT_TASK_EXPLICIT | RT_TASK_PLAIN, (uint64_t)(uintptr_t)entry, loc,
                 RT_CALLER().codeptr, RT_TS_CREATED);
    rt_task_publish_stamped(th, task);
    return fill(task, task_size, shareds_size, entry);
}

/* ---- target tasks -------------------------------------------------------------------------------------- */

/** `target nowait`: the task's code asks libomptarget for the region, or runs the host's version. */
RT_EXPORT struct rt_kmp_task *__kmpc_omp_target_task_alloc(struct rt_loc *loc, int32_t gtid, int32_t flags,
                                                           size_t task_size, size_t shareds_size,
                                                           rt_routine entry, int64_t device)
{
    (void)gtid, (void)device;
    uint32_t kind = flags & KMP_PROXY ? 0 : RT_TASK_TARGET; /* a proxy's end is told by others */
    struct rt_task *task = create_task(loc, RT_CALLER().codeptr, flags, kind,
                                       payload(task_size, shareds_size, sizeof(void *)), entry);
    if (kind == RT_TASK_TARGET) {
        *rt_target_handle(task) = NULL;
        rt_detach_create(task);
    }
    return fill(task, task_size, shareds_size, entry);
}

/** The current task, if libomptarget may leave it before its device has finished; else NULL. */
static struct rt_task *may_leave(void)
{
    struct rt_task *task = rt_self != NULL ? rt_load(rt_self->cur_task) : NULL;
    return task != NULL && rt_target_may_leave(task) ? task : NULL;
}

/** By its name it asks for a part of libomp's; what libomptarget wants to know is whether it may leave. */
RT_EXPORT bool __kmpc_omp_has_task_team(int32_t gtid)
{
    (void)gtid;
    return may_leave() != NULL;
}

RT_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid)
{
    struct rt_task *task = may_leave();
    (void)gtid;
    return task != NULL ? rt_target_handle(task) : NULL;
}

/* ---- completion elsewhere, submission ------------------------------------------------------------------ */

/** The detach clause: the event's handle; also from any thread later: omp_fulfill_event. */
RT_EXPORT void *__kmpc_task_allow_completion_event(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp)
{
    (void)loc, (void)gtid;
    struct rt_thread *th = rt_me();
    struct rt_task *task = rt_task_of(kmp);
    th->detachable = task;
    task->flags &= ~(uint32_t)RT_TASK_PLAIN;
    return (void *)rt_detach_create(task); /* NOLINT(performance-no-int-to-ptr) */
}

/** A proxy task's work is done somewhere else. */
RT_EXPORT void __kmpc_proxy_task_completed(int32_t gtid, struct rt_kmp_task *kmp)
{
    (void)gtid;
    rt_detach_fulfil(rt_me(), rt_detach_handle(rt_task_of(kmp)));
}

RT_EXPORT void __kmpc_proxy_task_completed_ooo(struct rt_kmp_task *kmp)
{
    rt_detach_fulfil(rt_me(), rt_detach_handle(rt_task_of(kmp)));
}

static RT_NOINLINE void submit_any(struct rt_task *task, const struct rt_dep *deps, int32_t n, uint64_t frame)
{
    struct rt_thread *th = rt_me();
    struct rt_task *encountering = rt_load(th->cur_task);
    struct rt_kmp_task *kmp = rt_task_payload(task);
    (void)encountering, (void)frame;
    RT_TRACK(rt_store(encountering->enter_frame, frame));
    if (unlikely(task->flags & RT_TASK_PRIORITY))
        task->priority = kmp->data2.priority; /* the compiler has stored it after the allocation */
    rt_task_submit(th, task, deps, n);
    RT_TRACK(rt_store(encountering->enter_frame, 0));
}

/**
 * As rt_task_switch_in, for an undeferred task that the same thread has created, when no tool is there. FLAGS
 * are the task's. It leaves exit_frame, which is 0 in a new task.
 */
static inline void switch_in_quietly(struct rt_thread *th, struct rt_task *task, struct rt_task *below,
                                     uint32_t flags)
{
    rt_task_enter(th, task, below, task->creator_thread_num);
    rt_store(task->flags_and_state, (uint64_t)RT_TS_STARTED << 32 | flags | RT_TASK_UNDEFERRED);
    rt_publish(th->cur_task, task);
}

/**
 * For a tool: the task is created, and becomes the current one. FRAME, FLAG: where its code is called, as
 * ompt_frame_t.
 */
static RT_COLD void begin_told(struct rt_thread *th, struct rt_task *task, uint64_t frame, int32_t flag)
{
    task->flags |= RT_TASK_UNDEFERRED;
    if (RT_WANTS(RT_ON_CREATE))
        rt_report_create(th, task, 0, NULL, 0, 0);
    task->frame_flags[0] = flag;
    rt_task_switch_in(th, task, frame);
}

static RT_COLD void run_told(struct rt_thread *th, struct rt_task *task, struct rt_kmp_task *kmp,
                             uint64_t frame)
{
    begin_told(th, task, frame, RT_FRAME_FLAG);
    rt_task_call((void *)(intptr_t)th->gtid, kmp, (void *)kmp->routine);
    struct rt_task *below = rt_task_end_uncounted(th, task, rt_task_cleanup(task));
    RT_TRACK(rt_store(below->enter_frame, 0));
}

/** FLAGS are the task's. `told`: to a tool, if one is there. Returns 0. */
static inline __attribute__((always_inline)) int32_t run_at_once(struct rt_thread *th, struct rt_task *task,
                                                                 uint32_t flags, uint64_t frame, int told)
{
    struct rt_task *below = rt_load(th->cur_task);
    RT_TRACK(rt_store(below->enter_frame, frame));
    if (told && RT_WANTS(RT_ON_RUN_NEW)) {
        run_told(th, task, rt_task_payload(task), frame);
        return 0;
    }
    RT_TRACK(rt_store(task->exit_frame, frame));
    switch_in_quietly(th, task, below, flags);
    struct rt_kmp_task *kmp = rt_task_payload(task);
    rt_task_call((void *)(intptr_t)th->gtid, kmp, (void *)kmp->routine);
    return rt_task_end_untold(th, task, rt_task_cleanup(task));
}

/**
 * Its descriptor, as an address of its own: by way of KMP each field is so far away that it takes a long
 * instruction.
 */
static inline struct rt_task *task_of(struct rt_kmp_task *kmp)
{
    struct rt_task *task = rt_task_of(kmp);
    __asm__("" : "+r"(task));
    return task;
}

/** What asks for nothing runs at once if its creator is alone or has queued enough. Returns 0. */
static inline __attribute__((always_inline)) int32_t submit(struct rt_kmp_task *kmp, uint64_t frame)
{
    struct rt_thread *th = rt_self;
    struct rt_task *task = task_of(kmp);
    uint32_t flags = task->flags;
    int plain = (flags & RT_TASK_PLAIN) != 0; /* then its creator calls, which has a descriptor */
    if (likely(plain) && likely(task->team->nthreads == 1))
        return run_at_once(th, task, flags, frame, 1);
    if (plain && rt_creator_runs(th)) {
        th->nested_direct++;
        run_at_once(th, task, flags, frame, 0); /* rt_creator_runs has asked */
        th->nested_direct--;
        return 0;
    }
    submit_any(task, NULL, 0, frame);
    return 0;
}

RT_EXPORT int32_t __kmpc_omp_task(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp)
{
    (void)loc, (void)gtid;
    return submit(kmp, RT_CALLER().frame);
}

RT_EXPORT int32_t __kmpc_omp_task_parts(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp)
{
    (void)loc, (void)gtid;
    return submit(kmp, RT_CALLER().frame);
}

RT_EXPORT int32_t __kmpc_omp_task_with_deps(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp,
                                            int32_t n, struct rt_dep *deps, int32_t n_noalias,
                                            struct rt_dep *noalias)
{
    (void)loc, (void)gtid, (void)n_noalias, (void)noalias; /* compilers pass none */
    submit_any(rt_task_of(kmp), deps, n, RT_CALLER().frame);
    return 0;
}

static RT_NOINLINE void begin_if0_any(struct rt_task *task, uint64_t frame)
{
    struct rt_thread *th = rt_me();
    task->marks = RT_MARKS_BY_COMPILER; /* all of them: a load of all must not meet a store of one */
    if (RT_WANTS(RT_ON_RUN_NEW)) {
        /* The program calls the code itself: where this entry point's frame was is that code's own. */
        RT_TRACK(rt_store(rt_load(th->cur_task)->enter_frame, frame));
        begin_told(th, task, frame, RT_FRAME_OF_CODE);
    } else {
        switch_in_quietly(th, task, rt_load(th->cur_task), task->flags);
    }
}

RT_EXPORT void __kmpc_omp_task_begin_if0(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp)
{
    struct rt_thread *th = rt_self;
    struct rt_task *task = task_of(kmp);
    (void)loc, (void)gtid;
    uint32_t flags = task->flags;
    if (unlikely(!(flags & RT_TASK_PLAIN)) || RT_WANTS(RT_ON_RUN_NEW))
        begin_if0_any(task, RT_CALLER().frame);
    else
        switch_in_quietly(th, task, rt_load(th->cur_task), flags);
    rt_task_call(task, NULL, (void *)rt_task_passed);
}

/**
 * Its creator goes on when its code has ended; an event that is still to come completes it (core/execute.c).
 */
static void complete_if0_detachable(struct rt_thread *th, struct rt_task *task)
{
    task->resubmit = 0;
    if (task->lazy_reduction)
        rt_reduction_task_done(th, task);
    if (task->flags & RT_TASK_REGISTERED)
        task->owns_parent_ref = task->registered = 1; /* __kmpc_omp_task_begin_if0 has stored all marks */
    else
        rt_task_count(th, task);
    rt_task_switch_out(th, task);
    if (!rt_detach_body_done(task))
        rt_task_complete(th, task);
}

static RT_NOINLINE void complete_if0_any(struct rt_kmp_task *kmp)
{
    struct rt_thread *th = rt_me();
    struct rt_task *task = rt_task_of(kmp);
    task->frame_flags[0] = RT_FRAME_FLAG;             /* the slot's next task may not be reported to a tool */
    if (unlikely(task->resubmit != RT_BY_COMPILER)) { /* nobody else would take the next part */
        RT_TRACK(rt_store(task->exit_frame, (uint64_t)(uintptr_t)__builtin_frame_address(0)));
        rt_task_further_parts(th, task, kmp);
    }
    if (task->flags & RT_TASK_DESTRUCTORS)
        kmp->data1.destructors(th->gtid, kmp);
    if (rt_load(task->event) == RT_DETACH_NONE) {
        task->resubmit = 0;
        rt_task_end_slow(th, task);
    } else {
        complete_if0_detachable(th, task);
    }
    if (RT_WANTS(RT_ON_RUN_NEW))
        RT_TRACK(rt_store(rt_load(th->cur_task)->enter_frame, 0));
}

RT_EXPORT void __kmpc_omp_task_complete_if0(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp)
{
    struct rt_thread *th = rt_self;
    struct rt_task *task = task_of(kmp);
    (void)loc, (void)gtid;
    if (likely(task->flags & RT_TASK_PLAIN && rt_task_cleanup(task) == 0))
        rt_task_end_untold(th, task, 0); /* else its beginning has left a mark */
    else
        complete_if0_any(kmp);
}

RT_EXPORT int32_t __kmpc_omp_taskwait(struct rt_loc *loc, int32_t gtid)
{
    struct rt_thread *th = rt_me();
    struct rt_task *task = rt_load(th->cur_task);
    (void)loc, (void)gtid;
    if (unlikely(rt_acquire(task->children) != 0 || task->deps != NULL) || RT_WANTS(RT_ON_SYNC))
        rt_taskwait_slow(th, task, RT_CALLER());
    return 0;
}

RT_EXPORT int32_t __kmpc_omp_taskyield(struct rt_loc *loc, int32_t gtid, int32_t end_part)
{
    (void)loc, (void)gtid, (void)end_part;
    rt_taskyield(rt_me());
    return 0;
}

/**
 * Of a taskwait, or before an undeferred task that has dependences and that only the next call names. Is that
 * one detachable, it may be incomplete when its siblings go on, so they have to find it among those that they
 * depend on.
 */
static void wait_deps(struct rt_dep *deps, int32_t n, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct rt_task *task = th->detachable;
    th->detachable = NULL;
    rt_taskwait_deps(th, deps, n, caller);
    if (likely(task == NULL) || rt_load(task->state) != RT_TS_CREATED ||
        rt_load(task->event) == RT_DETACH_NONE || task->parent != rt_load(th->cur_task))
        return; /* it was submitted, and the slot may have had other lives */
    rt_task_count(th, task);
    rt_deps_register(th, task, deps, n);
    rt_store(task->state, RT_TS_CREATED);
    task->flags |= RT_TASK_REGISTERED;
}

RT_EXPORT void __kmpc_omp_wait_deps(struct rt_loc *loc, int32_t gtid, int32_t n, struct rt_dep *deps,
                                    int32_t n_noalias, struct rt_dep *noalias)
{
    (void)loc, (void)gtid, (void)n_noalias, (void)noalias;
    wait_deps(deps, n, RT_CALLER());
}

RT_EXPORT void __kmpc_omp_taskwait_deps_51(struct rt_loc *loc, int32_t gtid, int32_t n, struct rt_dep *deps,
                                           int32_t n_noalias, struct rt_dep *noalias, int32_t no_wait)
{
    (void)loc, (void)gtid, (void)n_noalias, (void)noalias,
        (void)no_wait; /* waiting is always correct (docs/abi/kmpc.md 7) */
    wait_deps(deps, n, RT_CALLER());
}

RT_EXPORT void __kmpc_taskgroup(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_taskgroup_begin_at(rt_me(), RT_CALLER());
}

RT_EXPORT void __kmpc_end_taskgroup(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_taskgroup_end(rt_me(), RT_CALLER());
}

/** Where a task's data is: a hint that this runtime does not use. */
RT_EXPORT int32_t __kmpc_omp_reg_task_with_affinity(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *kmp,
                                                    int32_t n, void *list)
{
    (void)loc, (void)gtid, (void)kmp, (void)n, (void)list;
    return 0;
}

/* Identifiers for a debugger's user: the serials that `ompd tasks` shows. */
RT_EXPORT uint64_t __kmpc_get_taskid(void)
{
    return rt_load(rt_load(rt_me()->cur_task)->serial);
}

RT_EXPORT uint64_t __kmpc_get_parent_taskid(void)
{
    const struct rt_task *parent = rt_load(rt_me()->cur_task)->parent;
    return parent != NULL ? rt_load(parent->serial) : 0;
}

/* Recording of task graphs is not done: "execute the region". */
RT_EXPORT int32_t __kmpc_start_record_task(struct rt_loc *loc, int32_t gtid, int32_t flags, int32_t id)
{
    (void)loc, (void)gtid, (void)flags, (void)id;
    return 1;
}

RT_EXPORT void __kmpc_end_record_task(struct rt_loc *loc, int32_t gtid, int32_t flags, int32_t id)
{
    (void)loc, (void)gtid, (void)flags, (void)id;
}
