/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A snapshot for which a live process stands still no longer than its memory takes to be copied.
 */
#include <stdlib.h>

#include "corefiles/live.h"
#include "corefiles/rest.h"
#include "corefiles/target.h"
#include "inspect/inspect.h"

/* What has gone on meanwhile is known of each thread by the kernel's counts before and after. */
static insp_snapshot *take_moving(struct cf_target *t, insp_session *session, unsigned want, char **error)
{
    struct cf_moment *before = cf_moment(t);
    insp_snapshot *snapshot = insp_take(session, want, error);
    int64_t *moved = NULL;
    int count = 0;

    if (snapshot && before)
        moved = cf_moved_since(t, before, &count);
    if (moved)
        insp_moved(snapshot, moved, count);
    free(moved);
    free(before);
    cf_resume(t);
    return snapshot;
}

insp_snapshot *cf_take(struct cf_target *t, insp_session *session, unsigned want, char **error)
{
    insp_snapshot *rehearsal;
    unsigned moving = (want | INSP_MOVING) & ~(unsigned)INSP_STACKS;

    if (t->info.moving) {
        /* Threads without registers have no stacks; in which system calls they are is known. */
        if (want & INSP_STACKS)
            moving |= INSP_ACTIVITY;
        return take_moving(t, session, moving, error);
    }
    if (!t->stopped)
        return insp_take(session, want, error);
    if (want & INSP_LOCALS) {
        /* Where a variable's value lies, and what it leads to, only its type says. */
        rehearsal = insp_take(session, want, error);
        cf_resume(t);
        return rehearsal;
    }
    if ((want & INSP_UNNAMED) && !(want & (INSP_STACKS | INSP_ACTIVITY))) {
        /* Nothing is asked for that takes longer than to read memory. */
        t->nameless = true;
        rehearsal = insp_take(session, want, error);
        t->nameless = false;
        cf_let_go(t);
        return rehearsal;
    }
    /* The first time without names, which need files; it reads all memory that the second will read. */
    t->nameless = true;
    rehearsal = insp_take(session, want & ~(unsigned)INSP_STACKS, error);
    t->nameless = false;
    cf_resume(t);
    if (!rehearsal)
        return NULL;
    insp_free(rehearsal);
    return insp_take(session, want, error);
}
