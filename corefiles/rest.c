/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Whether threads of a living process still sleep where the stop has found them. The process is not stopped
 * for that: the kernel's line of a thread has the call with its arguments, and its count of voluntary
 * switches rises whenever the thread has been awake. The stop itself begins each call anew, which is one such
 * switch, so two equal lines count that lie a while apart.
 */
#include <stdlib.h>
#include <time.h>

#include "corefiles/kernel.h"
#include "corefiles/procfs.h"
#include "corefiles/rest.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"

/* So long apart, and until this many have been read: threads that share a processor need a while until they
   sleep again. */
enum { APART_MS = 20, MOST = 25, UNSETTLED = 2 };

enum rest { RESTS, STIRS, HAS_LEFT };

static bool is_same_call(const struct insp_system_call *stopped, const struct insp_system_call *now)
{
    enum { RESTART_X86_64 = 219, RESTART_AARCH64 = 128, TELLING = 3 };

    if (now->number != stopped->number && now->number != RESTART_X86_64 && now->number != RESTART_AARCH64)
        return false;
    for (int i = 0; i < TELLING; i++)
        if (now->arg[i] != stopped->arg[i])
            return false;
    return true;
}

/* Did the stop find it asleep? The results are the kernel's own for a call that it will begin anew. */
static bool slept(struct cf_target *t, int64_t lwp, struct insp_system_call *call)
{
    enum { RESTART_FIRST = 512, RESTART_LAST = 516 };

    return !cf_host_system_call(t, lwp, call) &&
           (call->inside || (-call->result >= RESTART_FIRST && -call->result <= RESTART_LAST));
}

/* How often a thread had gone to sleep by itself: at the first look, and at the last. */
struct switches {
    int64_t first, last;
};

static enum rest look(struct cf_target *t, int64_t lwp, struct switches *switches)
{
    /* The stop itself is one, and a thread that lost a race for its processor may have another. */
    enum { OF_THE_STOP = 2 };
    struct insp_system_call stopped = {0}, now = {0};
    const int64_t before = switches->last, count = cf_proc_switches(t->live_pid, lwp);

    if (!slept(t, lwp, &stopped))
        return STIRS;
    switches->last = count;
    switches->first = switches->first < 0 ? count : switches->first;
    if (count < 0 || count > switches->first + OF_THE_STOP)
        return HAS_LEFT;
    if (cf_proc_system_call(t->live_pid, lwp, &now)) /* it has not had a processor since, or runs */
        return STIRS;
    if (!is_same_call(&stopped, &now))
        return HAS_LEFT;
    return count == before ? RESTS : STIRS;
}

int cf_still_asleep(struct cf_target *t, const int64_t *lwps, int n)
{
    struct insp_system_call call = {0};
    struct switches *switches = calloc((size_t)n + 1, sizeof(*switches));
    int answer = t->live_pid && switches ? 0 : -1;

    for (int i = 0; i < n && !answer; i++) {
        switches[i] = (struct switches){-1, -1};
        answer = slept(t, lwps[i], &call) ? 0 : -1;
    }
    answer = answer ? answer : UNSETTLED;
    for (int round = 0; round < MOST && answer == UNSETTLED; round++) {
        bool all = true, left = false;

        for (int i = 0; i < n; i++) {
            const enum rest rest = look(t, lwps[i], &switches[i]);

            all &= rest == RESTS;
            left |= rest == HAS_LEFT;
        }
        answer = left ? 0 : all ? 1 : UNSETTLED;
        if (answer == UNSETTLED)
            nanosleep(&(struct timespec){0, APART_MS * 1000000L}, NULL);
    }
    free(switches);
    return answer == UNSETTLED ? -1 : answer;
}

/* ---- without a stop ------------------------------------------------------------------------------------ */

struct cf_moment {
    uint32_t count;
    struct {
        int64_t switches;
        uint64_t cpu_ns;
        int in_call;
        struct insp_system_call call;
    } thread[]; /* in the target's order */
};

struct cf_moment *cf_moment(struct cf_target *t)
{
    struct cf_moment *m = calloc(1, sizeof(*m) + t->thread_count * sizeof(*m->thread));

    if (m)
        m->count = t->thread_count;
    for (uint32_t i = 0; m && i < m->count; i++) {
        const int64_t lwp = t->threads[i].lwp;

        m->thread[i].switches = cf_proc_switches(t->live_pid, lwp);
        m->thread[i].in_call = cf_proc_system_call(t->live_pid, lwp, &m->thread[i].call);
        if (cf_proc_cpu_ns(t->live_pid, lwp, &m->thread[i].cpu_ns))
            m->thread[i].cpu_ns = 0;
    }
    return m;
}

int64_t *cf_moved_since(struct cf_target *t, const struct cf_moment *before, int *count)
{
    struct cf_moment *now = cf_moment(t);
    int64_t *lwps = calloc((size_t)t->thread_count + 1, sizeof(*lwps));

    *count = 0;
    for (uint32_t i = 0; now && lwps && i < now->count && i < before->count; i++)
        if (now->thread[i].switches != before->thread[i].switches ||
            now->thread[i].in_call != before->thread[i].in_call ||
            now->thread[i].cpu_ns != before->thread[i].cpu_ns ||
            (!now->thread[i].in_call && !is_same_call(&before->thread[i].call, &now->thread[i].call)))
            lwps[(*count)++] = t->threads[i].lwp;
    free(now);
    return lwps;
}
