/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: its entry points, and which of them a thread is in. All frames of the runtime between the user's
 * code and the stack's top are looked at, for one entry point of libomp calls another.
 */
#include "runtimes/kmp/kmp.h"

#include <string.h>

/** Entry points that wait; those for barriers that tell more of the sort of barrier have that state. */
static const struct kmp_call calls[] = {
    {"GOMP_atomic_start", ompdx_wait_atomic, ompt_state_wait_atomic},
    {"GOMP_barrier", ompdx_wait_barrier, ompt_state_wait_barrier},
    {"GOMP_barrier_cancel", ompdx_wait_barrier, ompt_state_wait_barrier},
    {"GOMP_critical_name_start", ompdx_wait_critical, ompt_state_wait_critical},
    {"GOMP_critical_start", ompdx_wait_critical, ompt_state_wait_critical},
    {"GOMP_doacross_ull_wait", ompdx_wait_ordered, ompt_state_wait_ordered},
    {"GOMP_doacross_wait", ompdx_wait_ordered, ompt_state_wait_ordered},
    {"GOMP_loop_end", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_loop_end_cancel", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_ordered_start", ompdx_wait_ordered, ompt_state_wait_ordered},
    {"GOMP_parallel", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_parallel},
    {"GOMP_parallel_end", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_parallel},
    {"GOMP_sections_end", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_sections_end_cancel", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_single_copy_end", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_single_copy_start", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"GOMP_taskgroup_end", ompdx_wait_taskgroup, ompt_state_wait_taskgroup},
    {"GOMP_taskwait", ompdx_wait_taskwait, ompt_state_wait_taskwait},
    {"GOMP_taskwait_depend", ompdx_wait_depend, ompt_state_wait_taskwait},
    {"GOMP_teams_reg", ompdx_wait_barrier, ompt_state_wait_barrier_teams},
    {"GOMP_workshare_task_reduction_unregister", ompdx_wait_barrier,
     ompt_state_wait_barrier_implicit_workshare},
    {"__kmpc_atomic_start", ompdx_wait_atomic, ompt_state_wait_atomic},
    {"__kmpc_barrier", ompdx_wait_barrier, ompt_state_wait_barrier},
    {"__kmpc_barrier_master", ompdx_wait_barrier, ompt_state_wait_barrier_implementation},
    {"__kmpc_barrier_master_nowait", ompdx_wait_barrier, ompt_state_wait_barrier_implementation},
    {"__kmpc_cancel_barrier", ompdx_wait_barrier, ompt_state_wait_barrier},
    {"__kmpc_copyprivate", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"__kmpc_critical", ompdx_wait_critical, ompt_state_wait_critical},
    {"__kmpc_critical_with_hint", ompdx_wait_critical, ompt_state_wait_critical},
    {"__kmpc_doacross_wait", ompdx_wait_ordered, ompt_state_wait_ordered},
    {"__kmpc_end_barrier_master", ompdx_wait_barrier, ompt_state_wait_barrier_implementation},
    {"__kmpc_end_reduce", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"__kmpc_end_reduce_nowait", ompdx_wait_barrier, ompt_state_wait_barrier_implementation},
    {"__kmpc_end_taskgroup", ompdx_wait_taskgroup, ompt_state_wait_taskgroup},
    {"__kmpc_fork_call", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_parallel},
    {"__kmpc_fork_call_if", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_parallel},
    {"__kmpc_fork_teams", ompdx_wait_barrier, ompt_state_wait_barrier_teams},
    {"__kmpc_omp_taskwait", ompdx_wait_taskwait, ompt_state_wait_taskwait},
    {"__kmpc_omp_taskwait_deps_51", ompdx_wait_depend, ompt_state_wait_taskwait},
    {"__kmpc_omp_wait_deps", ompdx_wait_depend, ompt_state_wait_taskwait},
    {"__kmpc_ordered", ompdx_wait_ordered, ompt_state_wait_ordered},
    {"__kmpc_reduce", ompdx_wait_barrier, ompt_state_wait_barrier_implicit_workshare},
    {"__kmpc_reduce_nowait", ompdx_wait_barrier, ompt_state_wait_barrier_implementation},
    {"__kmpc_set_lock", ompdx_wait_lock, ompt_state_wait_lock},
    {"__kmpc_set_nest_lock", ompdx_wait_nest_lock, ompt_state_wait_lock},
    {"omp_set_lock", ompdx_wait_lock, ompt_state_wait_lock},
    {"omp_set_lock_", ompdx_wait_lock, ompt_state_wait_lock},
    {"omp_set_nest_lock", ompdx_wait_nest_lock, ompt_state_wait_lock},
    {"omp_set_nest_lock_", ompdx_wait_nest_lock, ompt_state_wait_lock},
};

/** All forms of gcc's combined parallel constructs. */
static const struct kmp_call parallel = {"GOMP_parallel", ompdx_wait_barrier,
                                         ompt_state_wait_barrier_implicit_parallel};
static const struct kmp_call atomic = {"__kmpc_atomic", ompdx_wait_atomic, ompt_state_wait_atomic};

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static const struct kmp_call *find_call(const char *name)
{
    size_t low = 0, high = sizeof calls / sizeof calls[0];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(calls[middle].name, name);
        if (order == 0)
            return &calls[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (begins(name, "GOMP_parallel"))
        return &parallel;
    return begins(name, "__kmpc_atomic") ? &atomic : NULL;
}

static bool has_mutex(const struct kmp_call *call)
{
    return call->wait == ompdx_wait_lock || call->wait == ompdx_wait_nest_lock ||
           call->wait == ompdx_wait_critical;
}

/** A call that runs the user's code and waits at the end: what that code waits in is another call. */
static bool is_fork(const struct kmp_call *call)
{
    return call->state == ompt_state_wait_barrier_implicit_parallel ||
           call->state == ompt_state_wait_barrier_teams;
}

/**
 * The innermost entry point that waits is what counts, for those outside of it may run the user's code: a
 * region, or tasks at a barrier. But one of libomp's own may be called by one that is written for gcc or for
 * the user.
 */
static void take_call(struct kmp_stack *stack, const struct kmp_call *call)
{
    if (stack->call == NULL)
        stack->call = call;
    else if (!stack->wrapped && call->wait == stack->call->wait && !is_fork(call) &&
             !begins(call->name, "__kmpc"))
        stack->call = call;
    else
        stack->covered = true;
    stack->wrapped = stack->wrapped || !begins(call->name, "__kmpc");
}

/** One frame of the runtime. Returns false at the one that calls the user's code: what is outside is another
 * stay in the runtime. */
static bool take_frame(const struct kmp *kmp, struct kmp_stack *stack, const ompdx_frame_t *frame)
{
    const ompdx_layout_entry_t *function = stock_function(kmp->stock, frame->pc - (frame->exact ? 0 : 1));
    if (function == NULL)
        return true;
    if (strcmp(function->name, "__kmp_invoke_microtask") == 0)
        return false;
    if (strcmp(function->name, "__kmp_fork_call") == 0)
        stack->forking = true;
    else if (begins(function->name, "__kmp_acquire_"))
        stack->acquiring = stack->waiting = true;
    else if (begins(function->name, "__kmp_wait_"))
        stack->polling = stack->waiting = true;
    const struct kmp_call *call = find_call(function->name);
    if (call == NULL)
        return true;
    if (has_mutex(call) && stack->slot == NULL && stack->call == NULL &&
        stock_slot(kmp->stock, function->name) != NULL) {
        stack->slot = function->name;
        stack->frame = *frame;
    }
    take_call(stack, call);
    return true;
}

ompd_rc_t kmp_look(struct kmp *kmp, struct kmp_thread *thread)
{
    struct kmp_stack *stack = &thread->stack;
    uint64_t last = 0;
    uint32_t inside = 0; /* frames of the runtime so far */
    if (stack->looked)
        return ompd_rc_ok;
    stack->looked = true;
    if (thread->native == NULL)
        return ompd_rc_ok;
    for (uint32_t i = 0; i < KMP_FRAMES_MAX; i++) {
        ompdx_frame_t frame;
        ompd_rc_t rc = stock_frame(kmp->aspace, thread->native, i, &frame);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok)
            return ompd_rc_ok; /* the end is not seen: nothing is known */
        if (i == 0)
            stack->low = frame.sp;
        if (stock_inside(kmp->stock, frame.pc)) {
            const bool found = stack->call != NULL;
            stack->launch = last;
            last = frame.pc;
            if (!take_frame(kmp, stack, &frame)) {
                stack->top = KMP_TOP_RUNTIME;
                return ompd_rc_ok;
            }
            stack->deep = stack->deep || (!found && stack->call != NULL && inside >= 2);
            inside++;
            continue;
        }
        if (frame.code == ompdx_code_system && inside == 0) {
            stack->deep = true;
            continue;
        }
        stack->high = frame.sp;
        stack->top = inside == 0                       ? KMP_TOP_USER
                     : frame.code == ompdx_code_system ? KMP_TOP_WORKER
                                                       : KMP_TOP_RUNTIME;
        if (stack->top == KMP_TOP_RUNTIME && !stack->covered)
            stack->codeptr = frame.pc;
        return ompd_rc_ok;
    }
    return ompd_rc_ok;
}

ompd_rc_t kmp_next_stay(struct kmp *kmp, const struct kmp_thread *thread, uint32_t first,
                        struct kmp_stay *ret)
{
    struct kmp_stay stay = {0};
    bool inside = false, away = false;
    if (thread->native == NULL)
        return ompd_rc_unavailable;
    for (uint32_t i = first; i < KMP_FRAMES_MAX; i++) {
        ompdx_frame_t frame;
        TRY(stock_frame(kmp->aspace, thread->native, i, &frame));
        const bool is_own = stock_inside(kmp->stock, frame.pc);
        const ompdx_layout_entry_t *function =
            is_own ? stock_function(kmp->stock, frame.pc - (frame.exact ? 0 : 1)) : NULL;
        const bool calls_user = function != NULL && strcmp(function->name, "__kmp_invoke_microtask") == 0;
        if (inside && (!is_own || calls_user)) {
            stay.high = frame.sp;
            stay.next = i;
            stay.meets = !away && (stay.meets || frame.code == ompdx_code_system);
            *ret = stay;
            return ompd_rc_ok;
        }
        if (!is_own)
            continue;
        stay.low = inside ? stay.low : frame.sp;
        inside = true;
        away = away || calls_user || (function != NULL && strcmp(function->name, "__kmp_fork_call") == 0);
        const struct kmp_call *call = function != NULL ? find_call(function->name) : NULL;
        stay.meets = stay.meets || (call != NULL && call->wait == ompdx_wait_barrier);
    }
    return ompd_rc_unavailable;
}

/** What a frame of the runtime says of barriers while the stack is followed outward. */
struct meeting {
    int32_t level; /**< regions that were left, counted from the innermost one */
    bool forking;  /**< since the user's code was left last */
    bool met;
};

static void meet(const struct kmp *kmp, const ompdx_frame_t *frame, bool calls_user, int32_t wanted,
                 struct meeting *meeting)
{
    const ompdx_layout_entry_t *function = stock_function(kmp->stock, frame->pc - (frame->exact ? 0 : 1));
    const struct kmp_call *call = function != NULL ? find_call(function->name) : NULL;
    if (function == NULL)
        return;
    if (strcmp(function->name, "__kmp_fork_call") == 0)
        meeting->forking = true;
    if (strcmp(function->name, "__kmp_invoke_microtask") == 0 ||
        (calls_user && call != NULL && is_fork(call))) {
        meeting->level++;
        meeting->forking = true;
        return;
    }
    if (call == NULL || call->wait != ompdx_wait_barrier || (is_fork(call) && meeting->forking))
        return;
    meeting->met = meeting->met || meeting->level == wanted;
    if (is_fork(
            call)) { /* at the end of a region, whose own frames have gone: what is outside is around it */
        meeting->level++;
        meeting->forking = true;
    }
}

ompd_rc_t kmp_meets(struct kmp *kmp, const struct kmp_thread *thread, int32_t level, bool *ret)
{
    struct meeting meeting = {0};
    bool inside = false, seen_user = false;
    *ret = false;
    if (thread->native == NULL)
        return ompd_rc_unavailable;
    for (uint32_t i = 0; i < KMP_FRAMES_MAX && meeting.level <= level; i++) {
        ompdx_frame_t frame;
        TRY(stock_frame(kmp->aspace, thread->native, i, &frame));
        if (stock_inside(kmp->stock, frame.pc)) {
            meet(kmp, &frame, seen_user && !inside, level, &meeting);
            inside = true;
            continue;
        }
        if (frame.code == ompdx_code_system) {
            if (inside && i != 0 && seen_user) { /* the end of a worker's stack: its loop */
                *ret = meeting.met || meeting.level == level;
                return ompd_rc_ok;
            }
            continue;
        }
        meeting.forking = inside ? false : meeting.forking;
        inside = false;
        seen_user = true;
    }
    *ret = meeting.met;
    return ompd_rc_ok;
}
