/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a region is a function that the runtime calls. A thread that has no explicit task on its stack
 * and is in no region further in has entered one body there: a worker its region's, and so the thread that
 * has created it, if that was in the initial region. At the region's end it has left it.
 */
#include "inspect/snapshot/snap_entry.h"

#include "inspect/frames/code.h"
#include "inspect/frames/construct.h"
#include "inspect/frames/places.h"
#include "inspect/session/hostcall.h"

enum {
    MAX_FRAMES = 512, /**< of a stack: a deeper one is another member's matter */
    MAX_MEMBERS = 4   /**< stacks to look at */
};

/* The only function of the user's on a stack that the runtime has called; 0: none, or there are several. */
static uint64_t only_body(struct snap_run *run, int64_t lwp)
{
    uint64_t user = 0, body = 0; /* addresses in the frames */

    for (uint32_t i = 0; i < MAX_FRAMES; i++) {
        const struct insp_place *place;
        struct insp_frame frame;
        enum insp_code code;
        uint64_t addr;

        if (host_frame(run->s, lwp, i, &frame)) {
            place = body ? places_at(run->places, body) : NULL;
            return place && place->symbol ? body - place->offset : 0;
        }
        addr = i ? frame.pc - 1 : frame.pc;
        code = code_of_frame(run->s, addr, &frame.place);
        if (code == INSP_CODE_USER) {
            user = addr;
        } else if (code == INSP_CODE_OPENMP) {
            if (user && body)
                return 0;
            body = user ? user : body;
            user = 0;
        }
    }
    return 0;
}

/* Is the task that a thread runs the implicit one of its region? */
static bool runs_implicit_task(struct snap_run *run, const struct mdl_thread *t)
{
    ompd_thread_handle_t *thread = run->threads[t - run->snap->threads];
    ompdx_task_info_t info = {.size = sizeof(info)};
    ompd_task_handle_t *task = NULL;
    bool implicit;

    if (!thread || run->lib->ompd_get_curr_task_handle(thread, &task) != ompd_rc_ok)
        return false;
    implicit = run->lib->ompdx_get_task_info(task, &info) == ompd_rc_ok && info.flags & ompt_task_implicit;
    run->lib->ompd_rel_task_handle(task);
    return implicit;
}

/* Is the region around REGION an initial one? */
static bool is_outermost(struct snap_run *run, const struct mdl_region *r)
{
    for (int i = 0; i < run->regions.count; i++) {
        ompdx_parallel_info_t info = {.size = sizeof(info)};

        if (run->regions.id[i] == r->parent)
            return run->lib->ompdx_get_parallel_info(run->regions.handle[i], &info) == ompd_rc_ok &&
                   info.kind == ompd_generator_program;
    }
    return false;
}

/* Is the only body on its stack this region's? */
static bool shows(struct snap_run *run, const struct mdl_region *r, const struct mdl_member *m)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(run->snap, m->lwp);

    return t && !t->running && t->runtime == r->runtime && t->region == r->id && runs_implicit_task(run, t) &&
           (m->thread_num > 0 || is_outermost(run, r));
}

void snap_entry(struct snap_run *run, struct mdl_region *r)
{
    for (int i = r->member_count - 1, tried = 0; i >= 0 && tried < MAX_MEMBERS && !r->entry; i--) {
        const struct mdl_member *m = &r->members[i];

        if (!shows(run, r, m))
            continue;
        tried++;
        r->entry = only_body(run, m->lwp);
    }
    if (r->entry)
        construct_place(run->places, r->entry, r->codeptr, 0, &r->place);
    else
        mdl_unknown(run->snap, &r->unknown, &r->unknown_count, "entry",
                    "the runtime does not record it, and it is on no stack that was looked at");
}
