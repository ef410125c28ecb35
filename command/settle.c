/* SPDX-License-Identifier: Apache-2.0 */
#include "settle.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* When to look again, milliseconds after the first look. A look may take longer than all of them: then one
   more has to do. */
static const int64_t looks[] = {20, 60, 200, 500};
enum { LOOKS = sizeof(looks) / sizeof(*looks) };

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* False when the user ends it. */
static bool pass_until(int64_t when)
{
    for (int64_t left = when - now_ms(); left > 0; left = when - now_ms()) {
        struct timespec t = {left / 1000, left % 1000 * 1000000};

        if (nanosleep(&t, NULL) && errno == EINTR && cmd_cancelled())
            return false;
    }
    return true;
}

static bool is_proof(const insp_snapshot *s)
{
    return insp_verdict(s, NULL) >= INSP_SUSPECTED;
}

/* 1: all threads of the proof still sleep; 0: one has moved; -1: only another look can say that. */
static int confirm(struct cf_target *t, const insp_snapshot *s)
{
    const int n = insp_stuck(s, NULL, 0);
    int64_t *lwps = calloc((size_t)n + 1, sizeof(*lwps));
    int answer = -1;

    if (lwps && n)
        answer = cf_still_asleep(t, lwps, insp_stuck(s, lwps, n));
    free(lwps);
    return answer;
}

/* NULL: the process has ended, or cannot be stopped again; what was seen counts then. */
static insp_snapshot *look_again(unsigned want, struct cf_target *t, insp_session *session)
{
    insp_snapshot *next = NULL;
    char *error = NULL;

    if (!cf_again(t, &error)) {
        next = cf_take(t, session, want, &error);
        cf_resume(t);
    }
    insp_string_free(error);
    return next;
}

/* A look is compared with the one before it, and takes its place. */
static insp_snapshot *replace(insp_snapshot *last, insp_snapshot *next, int64_t ms)
{
    insp_judge(last, next, ms);
    insp_free(last);
    return next;
}

insp_snapshot *cmd_settle(const struct cmd_args *args, unsigned want, struct cf_target *target,
                          insp_session *session, insp_snapshot *first)
{
    const unsigned facts = INSP_THREADS | INSP_REGIONS | INSP_TASKS;
    const int64_t start = now_ms();
    int64_t before = start;
    insp_snapshot *last = first, *next;
    int withdrawn = 0, stands = -1;

    if (args->core || args->no_stop || args->hold || (want & facts) != facts)
        return first;
    for (int i = 0;; i++) {
        const bool proof = is_proof(last);

        stands = proof ? confirm(target, last) : -1;
        withdrawn += stands == 0;
        if (stands == 1 || insp_verdict(last, NULL) == INSP_NONE || i == LOOKS ||
            now_ms() - start > looks[LOOKS - 1] || !pass_until(start + looks[i]))
            break;
        next = look_again(want, target, session);
        if (!next)
            break;
        last = replace(last, next, now_ms() - before);
        withdrawn += insp_withdrawn(last);
        before = now_ms();
        if (proof && stands < 0 && is_proof(last)) /* the conditions are what they were */
            break;
    }
    if (stands == 0 && is_proof(last))
        insp_judge(NULL, last, now_ms() - start);
    if (withdrawn && args->verbose)
        cmd_say("%d proof%s withdrawn: what was said to stand still has moved.", withdrawn,
                withdrawn == 1 ? " was" : "s were");
    return last;
}
