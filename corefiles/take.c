/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A snapshot for which a live process stands still no longer than its memory takes to be copied.
 */
#include "corefiles/live.h"
#include "corefiles/target.h"
#include "inspect/inspect.h"

insp_snapshot *cf_take(struct cf_target *t, insp_session *session, unsigned want, char **error)
{
    insp_snapshot *rehearsal;
    unsigned moving = (want | INSP_MOVING) & ~(unsigned)INSP_STACKS;

    if (t->info.moving) {
        /* Threads without registers have no stacks; in which system calls they are is known. */
        if (want & INSP_STACKS)
            moving |= INSP_ACTIVITY;
        rehearsal = insp_take(session, moving, error);
        cf_resume(t);
        return rehearsal;
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
