/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_members.h"

#include "inspect/frames/code.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/start_routine.h"

/* A stack that has more frames says nothing of its foot. */
enum { FRAMES = 1024 };

/* ---- who has created a thread -------------------------------------------------------------------------- */

/* Is the runtime linked into a program, where its code is not told from the program's? */
static bool is_embedded(const struct snap_run *run)
{
    return run->context->stock && run->context->module.embedded > INSP_EMBEDDED_UNREAD;
}

/* Whether the thread began in the runtime. */
static enum snap_created by_start(struct snap_run *run, const struct mdl_thread *t)
{
    uint64_t start, base = 0;
    enum insp_code code;

    if (!start_routine_of(run->s, t->pthread, &start))
        return SNAP_CREATED_UNKNOWN;
    code = start ? code_at(run->s, start, NULL) : INSP_CODE_UNKNOWN;
    if (!start || !code_file(run->s, start, &base) || base != run->context->module.base)
        return SNAP_NOT_CREATED;
    return code == INSP_CODE_OPENMP ? SNAP_CREATED
           : code == INSP_CODE_USER ? SNAP_NOT_CREATED
                                    : SNAP_CREATED_UNKNOWN;
}

/* What the stack says. A tool that stands between a program and pthread_create begins threads with a function
 * of its own, which then calls that of the runtime. */
static enum snap_created by_stack(struct snap_run *run, const struct mdl_thread *t)
{
    enum insp_code outermost = INSP_CODE_UNKNOWN;
    bool inside = false, called = false;
    struct insp_frame frame;

    for (uint32_t i = 0; i < FRAMES && !host_frame(run->s, t->lwp, i, &frame); i++) {
        outermost = code_of_frame(run->s, i ? frame.pc - 1 : frame.pc, &frame);
        if (outermost == INSP_CODE_OPENMP) {
            inside = true;
            called = false;
        } else {
            called |= code_is_users(outermost);
        }
    }
    if (inside)
        return called ? SNAP_CREATED_UNKNOWN : SNAP_CREATED;
    return outermost == INSP_CODE_LIBC ? SNAP_NOT_CREATED : SNAP_CREATED_UNKNOWN;
}

enum snap_created snap_created(struct snap_run *run, const struct mdl_thread *t)
{
    enum snap_created start;

    /* Companion forgets a thread that ends; only fork() leaves records of threads that are not there. */
    if (!run->context->stock && run->snap->process.forked == 0)
        return SNAP_CREATED_UNKNOWN;
    start = by_start(run, t);
    if (start == SNAP_CREATED || is_embedded(run))
        return start;
    if (start == SNAP_CREATED_UNKNOWN && run->snap->process.forked <= 0)
        return start;
    return by_stack(run, t);
}

/* ---- members that are not there ------------------------------------------------------------------------ */

/* May T, of which this runtime has no record, be on its way to become a member? */
static bool may_become(struct snap_run *run, const struct mdl_thread *t)
{
    return !t->stranger && by_start(run, t) != SNAP_NOT_CREATED;
}

/* Are all threads of the process placed: where they are in this runtime, or that they are none of its? */
static bool all_placed(struct snap_run *run)
{
    for (int i = 0; i < run->snap->thread_count; i++) {
        const struct mdl_thread *t = &run->snap->threads[i];

        if (t->running || (run->threads[i] ? t->runtime == run->id && !t->state : may_become(run, t)))
            return false;
    }
    return true;
}

/* Waits for T's region to begin are over only when all its members have come. */
static void not_released(struct snap_run *run, const struct mdl_region *r)
{
    for (int i = 0; i < run->snap->thread_count; i++) {
        struct mdl_thread *t = &run->snap->threads[i];

        if (t->runtime == run->id && t->region == r->id && t->state == MDL_STATE_OVERHEAD && !t->wait.kind)
            t->released = false;
    }
}

/* The regions of which a member was found nowhere. */
static bool lacks_member(const struct mdl_region *r)
{
    for (int m = 0; m < r->member_count; m++)
        if (r->members[m].gone)
            return true;
    return false;
}

void snap_gone(struct snap_run *run)
{
    bool asked = false, sure = false;

    for (int i = 0; i < run->snap->region_count; i++) {
        struct mdl_region *r = &run->snap->regions[i];

        if (r->runtime != run->id || !lacks_member(r))
            continue;
        if (!asked)
            sure = !run->snap->moving && run->snap->complete && all_placed(run);
        asked = true;
        for (int m = 0; m < r->member_count; m++)
            r->members[m].gone = r->members[m].gone && sure && r->kind == MDL_REGION_PARALLEL;
        if (lacks_member(r))
            not_released(run, r);
    }
}
