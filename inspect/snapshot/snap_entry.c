/* SPDX-License-Identifier: Apache-2.0 */
/*
 *  The body of a region is a function that the runtime calls. A thread that has no explicit task on its
 * stack has entered there one body for each region that it is in, from the one outwards which it has not
 * created itself: a worker's first body is that of the region that it was woken for, and the first body of
 * the thread of the initial region that of its outermost one. At a region's end the thread has left its
 * body.
 */
#include "inspect/snapshot/snap_entry.h"

#include "inspect/frames/code.h"
#include "inspect/frames/construct.h"
#include "inspect/frames/function.h"
#include "inspect/frames/places.h"
#include "inspect/target/hostcall.h"

enum {
    MAX_FRAMES = 512, /**< of a stack: a deeper one is another member's matter */
    MAX_NESTED = 16,  /**< regions, bodies on one stack */
    MAX_MEMBERS = 4   /**< stacks to look at */
};

/* Addresses in the functions of the user's on a stack that the runtime has called, innermost first. Their
   number; negative: more than fit, or the stack is deeper. */
static int find_bodies(struct snap_run *run, int64_t lwp, uint64_t body[MAX_NESTED])
{
    uint64_t user = 0, newest = 0;
    int count = 0;

    for (uint32_t i = 0; i < MAX_FRAMES; i++) {
        struct insp_frame frame;
        enum insp_code code;
        uint64_t addr;

        if (host_frame(run->s, lwp, i, &frame))
            return count;
        newest = i ? newest : frame.pc;
        if (frame.inlined)
            continue;
        addr = frame.pc == newest ? frame.pc : frame.pc - 1;
        code = code_at(run->s, addr, &frame.place);
        if (code == INSP_CODE_USER) {
            user = addr;
        } else if (code == INSP_CODE_OPENMP && user) {
            if (count == MAX_NESTED)
                return -1;
            body[count++] = user;
            user = 0;
        }
    }
    return -1;
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

/* The regions whose bodies are on the stack of T, innermost first. Their number; 0: that is not known, or
   there are none. */
static int find_regions(const insp_snapshot *snap, const struct mdl_thread *t, uint64_t region[MAX_NESTED])
{
    const struct mdl_region *r = mdl_region_by_id(snap, t->runtime, t->region);

    for (int count = 0, depth = 0; r && r->kind == MDL_REGION_PARALLEL && depth < MAX_NESTED; depth++) {
        if (r->id != t->region || !mdl_ends_region(t))
            region[count++] = r->id;
        if (!r->member_count || r->members[0].lwp != t->lwp)
            return r->member_count ? count : 0;
        r = mdl_region_by_id(snap, r->runtime, r->parent);
        if (r && r->kind == MDL_REGION_INITIAL)
            return count;
    }
    return 0;
}

/* Where the body of R begins, by the stack of its member T; 0: that does not tell. */
static uint64_t entry_on_stack(struct snap_run *run, const struct mdl_region *r, const struct mdl_thread *t)
{
    uint64_t body[MAX_NESTED], region[MAX_NESTED];
    const int count = find_regions(run->snap, t, region);
    const struct insp_place *place;

    if (!count || find_bodies(run, t->lwp, body) != count)
        return 0;
    for (int i = 0; i < count; i++)
        if (region[i] == r->id) {
            place = places_at(run->places, body[i]);
            /* Else the body has left by a jump to another function, or is in its cold part. */
            return place && function_is_body(place->symbol) ? body[i] - place->offset : 0;
        }
    return 0;
}

/* The place of the call that has made R, on its primary thread's stack: what is inlined there has frames. */
static void place_of_call(struct snap_run *run, struct mdl_region *r)
{
    struct insp_frame frame;

    for (uint32_t i = 0; i < MAX_FRAMES && !host_frame(run->s, r->members[0].lwp, i, &frame); i++)
        if (frame.pc == r->codeptr) {
            if (!r->entry)
                r->place.function = function_name(&run->snap->arena, frame.place.symbol, frame.place.file);
            if (r->entry ? r->place.file && !code_is_system_header(r->place.file)
                         : code_is_system_header(frame.place.file))
                return; /* what is known of the body, or of the address, is better */
            if (frame.place.file && *frame.place.file && frame.place.line > 0) {
                r->place.file = arena_str(&run->snap->arena, frame.place.file);
                r->place.line = frame.place.line;
            }
            return;
        }
}

void snap_entry(struct snap_run *run, struct mdl_region *r)
{
    for (int i = r->member_count - 1, tried = 0; i >= 0 && tried < MAX_MEMBERS && !r->entry; i--) {
        const struct mdl_thread *t = mdl_thread_by_lwp(run->snap, r->members[i].lwp);

        if (!t || t->running || t->runtime != r->runtime || !runs_implicit_task(run, t))
            continue;
        tried++;
        r->entry = entry_on_stack(run, r, t);
    }
    if (r->entry)
        construct_place(run->places, r->entry, r->codeptr, 0, &r->place);
    if (r->codeptr && r->member_count)
        place_of_call(run, r);
    if (!r->entry)
        mdl_unknown(run->snap, &r->unknown, &r->unknown_count, "entry",
                    "the runtime does not record it, and it is on no stack that was looked at");
}
