/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_calls.h"

#include "inspect/frames/code.h"
#include "inspect/unwind/eh_frame.h"
#include "inspect/target/hostcall.h"

/* Regions within regions; more is damage. */
enum { NESTING_MAX = 256 };

static bool made_by(const struct mdl_region *r, const struct mdl_thread *t)
{
    return r->member_count && r->members[0].lwp == t->lwp;
}

/* Does the function of frame I begin at ENTRY? By the unwinder's tables, which a stripped file has too. */
static bool begins_at(insp_session *s, const struct mdl_thread *t, int i, uint64_t entry)
{
    const uint64_t addr = i ? t->frames[i].pc - 1 : t->frames[i].pc;
    struct insp_place place;
    uint64_t fde, start;

    if (eh_frame_find(s, addr, &fde, &start))
        return start == entry;
    return !host_place(s, addr, &place) && place.symbol && addr - place.offset == entry;
}

/* The first frame outside of the runtime's from I on, if it is the user's: the call returns there. */
static uint64_t behind_runtime(const struct mdl_thread *t, int i)
{
    while (i < t->frame_count && t->frames[i].code == INSP_CODE_OPENMP)
        i++;
    return i < t->frame_count && code_is_users(t->frames[i].code) ? t->frames[i].pc : 0;
}

/* In a recursion several regions around R have the same body: the outermost frame is of the outermost one. */
static int same_around(const insp_snapshot *snap, const struct mdl_thread *t, const struct mdl_region *r)
{
    const struct mdl_region *up = mdl_region_by_id(snap, r->runtime, r->parent);
    int count = 0;

    for (int depth = 0; up && depth < NESTING_MAX; depth++) {
        count += up->entry == r->entry && made_by(up, t);
        up = mdl_region_by_id(snap, up->runtime, up->parent);
    }
    return count;
}

/* Where the runtime itself is on a stack that ends in it, behind what it has called of libc. */
static int runtimes_frame(const struct mdl_thread *t)
{
    int i = 0;

    while (i < t->frame_count &&
           (t->frames[i].code == INSP_CODE_LIBC || t->frames[i].code == INSP_CODE_SYSTEM))
        i++;
    return i < t->frame_count && t->frames[i].code == INSP_CODE_OPENMP ? i : t->frame_count;
}

static uint64_t find_call(insp_session *s, const insp_snapshot *snap, const struct mdl_thread *t,
                          const struct mdl_region *r)
{
    int outer = same_around(snap, t, r);

    for (int i = t->frame_count - 2; i >= 0; i--)
        if (!t->frames[i].inlined && code_is_users(t->frames[i].code) &&
            t->frames[i + 1].code == INSP_CODE_OPENMP && begins_at(s, t, i, r->entry) && outer-- == 0)
            return behind_runtime(t, i + 1);
    /* At the region's end its body has returned. */
    return t->region == r->id && t->wait.kind == MDL_WAIT_BARRIER && t->wait.barrier == MDL_BARRIER_REGION_END
               ? behind_runtime(t, runtimes_frame(t))
               : 0;
}

void snap_calls(insp_session *s, insp_snapshot *snap, const struct mdl_thread *t)
{
    const struct mdl_region *r = mdl_region_by_id(snap, t->runtime, t->region);

    for (int depth = 0; r && made_by(r, t) && depth < NESTING_MAX; depth++) {
        if (!r->codeptr && r->entry)
            snap->regions[r - snap->regions].codeptr = find_call(s, snap, t, r);
        r = mdl_region_by_id(snap, r->runtime, r->parent);
    }
}

void snap_calls_unknown(insp_snapshot *snap)
{
    const char *why = snap->want & INSP_STACKS && !snap->moving
                          ? "the runtime does not tell, and it is not found in its creator's stack"
                          : "the runtime does not tell, and whole stacks were not read";

    for (int i = 0; i < snap->region_count; i++) {
        struct mdl_region *r = &snap->regions[i];

        if (!r->codeptr && r->kind != MDL_REGION_INITIAL)
            mdl_unknown(snap, &r->unknown, &r->unknown_count, "codeptr", why);
    }
}
