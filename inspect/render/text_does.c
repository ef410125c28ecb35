/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread does, in words: OpenMP's own answer where it waits or is idle there, else its activity.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/stacks.h"
#include "inspect/graph/graph.h"
#include "inspect/model/phrases.h"
#include "inspect/render/text_view.h"

/* ---- what a thread does -------------------------------------------------------------------------------- */

/* OpenMP's own answer is the better one where the thread waits, or has nothing to do, in the runtime. */
static bool openmp_says(const struct mdl_thread *t)
{
    return t->wait.kind || t->abandoned || mdl_state_waits(t->state) ||
           t->activity.kind == MDL_ACTIVITY_OPENMP || (t->openmp && t->state == MDL_STATE_IDLE);
}

/* A worker of a library's pool, which has nothing to do. */
static bool is_idle_in_pool(const struct mdl_thread *t)
{
    return t->activity.pool && !t->wait.kind;
}

bool text_is_waiting(const struct mdl_thread *t)
{
    if (is_idle_in_pool(t))
        return false;
    return t->wait.kind || t->abandoned || (!openmp_says(t) && mdl_activity_waits(&t->activity));
}

/* What the signal of a core has ended does nothing any more. */
static bool has_crashed(const struct text_view *v, const struct mdl_thread *t)
{
    return v->snap->process.signal > 0 && t->lwp == v->snap->process.crashed_lwp && !text_is_waiting(t);
}

const char *text_does(const struct text_view *v, const struct mdl_thread *t)
{
    const char *word = has_crashed(v, t) ? mdl_signal_name(v->arena, v->snap->process.signal) : NULL;

    if (!word && t->moving)
        return "moving";
    if (!word && graph_released(t))
        return "released";
    if (!word && t->abandoned && !t->wait.kind)
        return "waiting";
    if (!word && is_idle_in_pool(t))
        return "idle";

    if (!word && !t->running && !openmp_says(t))
        word = mdl_activity_state(v->arena, &t->activity);

    /* It waits there, or the runtime works for it: that is no work of the program's. */
    if (!word && t->activity.kind == MDL_ACTIVITY_OPENMP && !t->wait.kind && !mdl_state_waits(t->state) &&
        t->state != MDL_STATE_IDLE)
        return "in runtime";
    return word ? word : text_state(t);
}

/* The innermost frame of the user's code. */
static const struct mdl_place *users_place(const struct mdl_thread *t)
{
    for (int i = 0; i < t->frame_count; i++)
        if (code_is_users(t->frames[i].code))
            return &t->frames[i].place;
    return NULL;
}

const struct mdl_place *text_where(const struct text_view *v, const struct mdl_thread *t)
{
    uint64_t region = t->wait.object ? t->wait.object : t->region;
    const struct mdl_region *r = mdl_ends_region(t) ? mdl_region_by_id(v->snap, t->runtime, region) : NULL;
    const struct mdl_place *frame = users_place(t);

    /* The end of a region has no call of its own in the source: its construct has a line. */
    if (r && !mdl_place_known(&t->wait.at) && mdl_place_known(&r->place))
        return &r->place;

    if (t->wait.kind)
        return &t->wait.at;
    return mdl_place_known(&t->activity.at) || !frame ? &t->activity.at : frame;
}

/* Is it in a call that its state names? */
static bool in_a_call(const struct mdl_thread *t)
{
    enum mdl_activity_kind kind = t->activity.kind;

    return !openmp_says(t) && (mdl_activity_waits(&t->activity) ||
                               (kind > MDL_ACTIVITY_FUTEX && kind < MDL_ACTIVITIES) || t->activity.asleep);
}

/* "is in sin(), called from solve at solve.c:90" of a thread that is on its own way there; else NULL. */
static const char *in_library(const struct text_view *v, const struct mdl_thread *t)
{
    const char *doing = "";

    if (t->frame_count && !openmp_says(t) && !in_a_call(t))
        doing = stack_doing(v->arena, t);
    return !strncmp(doing, "is in ", 6) && strstr(doing, ", called from ") ? doing : NULL;
}

const char *text_caller(const struct text_view *v, const struct mdl_thread *t)
{
    struct mdl_place caller = t->wait.caller;

    if (!t->wait.kind)
        return "";
    caller.function = caller.function ? text_name(v, caller.function) : NULL;
    return mdl_called_from(v->arena, &caller);
}

/* TEXT, which says where T waits, and who has called the wrapper that it waits in. */
static const char *with_caller(const struct text_view *v, const struct mdl_thread *t, const char *text)
{
    const char *caller = text_caller(v, t), *whole;

    whole = text && *caller ? arena_printf(v->arena, "%s%s", text, caller) : text;
    return whole ? whole : text;
}

const char *text_at(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_place *place = text_where(v, t);
    const char *text;

    if (is_idle_in_pool(t))
        return arena_printf(v->arena, "%s's thread pool", t->activity.pool);
    if (openmp_says(t) && !t->wait.kind)
        return t->state == MDL_STATE_IDLE ? NULL : text_place(v, place);
    text = in_library(v, t);
    return text ? text + strlen("is ") : with_caller(v, t, text_place(v, place));
}

const char *text_state_and_wait(const struct text_view *v, const struct mdl_thread *t, bool many)
{
    const char *wait = text_wait(v, t), *state = text_does(v, t), *text;

    if (text_is_waiting(t) && !graph_released(t))
        state = many ? "wait" : "waits";
    if (!*wait)
        return state;
    if (graph_released(t))
        text = arena_printf(v->arena, "%s from %s", state, wait);
    else
        text = arena_printf(v->arena, "%s%s %s", state, strncmp(wait, "for ", 4) ? " for" : "", wait);
    return text ? text : state;
}

/* TEXT, and "in solve at solve.c:90" with what is known. */
static const char *with_place(const struct text_view *v, const char *text, const struct mdl_place *p)
{
    const char *at = "", *function = p->function ? text_name(v, p->function) : NULL;

    if (p->file && p->line > 0)
        at = arena_printf(v->arena, "%sat %s:%d", function ? " " : "", mdl_base_name(p->file), p->line);
    if (!function && p->module)
        function = mdl_base_name(p->module);
    if (!at || (!function && !*at))
        return text;
    text = arena_printf(v->arena, "%s %s%s%s", text, function ? "in " : "", function ? function : "", at);
    return text ? text : "?";
}

/* "waits in solve at solve.c:90 for lock a, held by LWP 7". The place is before what is said of others. */
static const char *waits_there(const struct text_view *v, const char *where, const char *wait)
{
    const char *text = arena_printf(v->arena, "%s%s %s", where, strncmp(wait, "for ", 4) ? " for" : "", wait);

    return text ? text : "waits";
}

const char *text_doing(const struct text_view *v, const struct mdl_thread *t)
{
    const char *wait = text_wait(v, t), *text;

    if (t->wait.kind && graph_released(t)) {
        text = arena_printf(v->arena, "was released from %s", wait);
        text = with_place(v, text ? text : "was released", text_where(v, t));
        text = arena_printf(v->arena, "%s, and has not run yet", text);
        return text ? text : "was released";
    }
    if (t->wait.kind)
        return waits_there(v, with_caller(v, t, with_place(v, "waits", text_where(v, t))), wait);
    if (t->called && graph_released(t))
        return "was called into its region, and has not run yet";
    if (is_idle_in_pool(t)) {
        text = arena_printf(v->arena, "is idle in %s's thread pool", t->activity.pool);
        return text ? text : "is idle";
    }
    if (t->abandoned)
        return waits_there(v, with_place(v, "waits", text_where(v, t)), wait);
    if (!openmp_says(t))
        return has_crashed(v, t) ? stack_did(v->arena, v->snap, t) : stack_doing(v->arena, t);
    text = text_does(v, t);
    if (!strcmp(text, "in runtime"))
        return with_place(v, "is in the OpenMP runtime,", text_where(v, t));
    text = arena_printf(v->arena, "is %s", text);
    return text ? text : "is idle";
}

/* Characters of thread numbers that one row shows. */
enum { MISSING_MAX = 60 };

/* The threads that have not arrived, by the debugger's numbers; NULL: hundreds of numbers in each waiting
 * thread's row hide the table, and JSON has them all. */
static const char *missing_text(const struct text_view *v, const struct mdl_wait *w)
{
    int64_t *missing = arena_alloc(v->arena, ((size_t)w->missing_count + 1) * sizeof(*missing));
    bool gdb = true, listed = true;
    const char *list;

    if (!missing)
        return NULL;
    /* By the numbers that the team has for them. */
    listed &= !v->snap->stable;
    if (listed && w->missing_count == 1 && mdl_thread_by_lwp(v->snap, w->missing_lwp[0]))
        return mdl_thread_name(v->arena, v->snap, w->missing_lwp[0]);
    for (int i = 0; i < w->missing_count; i++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, w->missing_lwp[i]);

        listed &= t != NULL;
        gdb &= t && t->gdb_num > 0;
    }
    for (int i = 0; i < w->missing_count; i++)
        missing[i] = gdb      ? mdl_thread_by_lwp(v->snap, w->missing_lwp[i])->gdb_num
                     : listed ? w->missing_lwp[i]
                              : w->missing[i];
    qsort(missing, (size_t)w->missing_count, sizeof(*missing), text_by_number);
    list = text_ranges(v, missing, w->missing_count);
    if (strlen(list) > MISSING_MAX)
        return NULL;
    return arena_printf(v->arena, "%s%s %s",
                        gdb      ? "thread"
                        : listed ? "LWP"
                                 : "OpenMP thread",
                        w->missing_count == 1 ? "" : "s", list);
}

/* Some have arrived here, others at another barrier of the region: for these they are missing. */
static const char *split_text(const struct text_view *v, const struct mdl_thread *t, const char *name,
                              const struct mdl_split *split)
{
    const struct mdl_wait *w = &t->wait;
    bool end = mdl_ends_region(t);
    int elsewhere = end ? split->other_count : split->end_count, missing = elsewhere + w->missing_count;
    const struct mdl_thread *there = &v->snap->threads[end ? split->other : split->end];
    const char *who = elsewhere == 1 ? mdl_thread_name(v->arena, v->snap, there->lwp)
                                     : arena_printf(v->arena, "%d threads", elsewhere);
    const char *where = !end ? "the end of the region" : text_construct(v, "the barrier", &there->wait.at);

    return arena_printf(v->arena, "%s, %d of %d missing: %s %s %s", name, missing,
                        w->arrived_count + w->missing_count, who ? who : "?",
                        elsewhere == 1 ? "is at" : "are at", where);
}

static const char *barrier_text(const struct text_view *v, const struct mdl_thread *t, const char *name)
{
    const struct mdl_split *split = mdl_split_of(v->snap, t);
    const struct mdl_wait *w = &t->wait;
    const char *list;

    if (!w->arrivals_known)
        return name;
    if (split)
        return split_text(v, t, name, split);
    /* When no thread counts as arrived, all have been released, and this one is about to leave. */
    if (!w->missing_count || !w->arrived_count)
        return arena_printf(v->arena, "%s, all have arrived", name);
    list = missing_text(v, w);
    return arena_printf(v->arena, "%s, %d of %d missing%s%s", name, w->missing_count,
                        w->arrived_count + w->missing_count, list ? ": " : "", list ? list : "");
}

const char *text_object(const struct text_view *v, const struct mdl_thread *t)
{
    const char *all =
        v->groups ? group_objects(v->snap, v->groups, (int)(t - v->snap->threads), v->arena) : NULL;

    return all ? all : mdl_activity_name(v->arena, v->snap, &t->activity, v->options->addresses);
}

/* What the thread waits for outside of OpenMP, who holds it, and for how long at most. */
static const char *activity_text(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_activity *act = &t->activity;
    const char *name = text_object(v, t);
    const char *holder = mdl_activity_holder(v->arena, v->snap, t->lwp, act);
    /* Threads that sleep share a row, though each has its own time. */
    bool sleeps = act->kind == MDL_ACTIVITY_SLEEP;
    const char *time = sleeps ? "" : mdl_timeout(v->arena, act->timeout_ns), *text;

    if (openmp_says(t) || is_idle_in_pool(t) || !mdl_activity_known(act) ||
        act->kind == MDL_ACTIVITY_COMPUTES)
        return "";
    if (act->kind == MDL_ACTIVITY_UNKNOWN)
        return "";
    text = arena_printf(v->arena, "%s%s%s%s%s", name, *name && *holder ? ", " : "", holder,
                        (*name || *holder) && *time ? ", " : "", time);
    return text ? text : name;
}

const char *text_wait(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const char *name = mdl_wait_name(v->arena, w, v->options->addresses), *text = name;

    if (!w->kind)
        return t->abandoned ? "members of its team that are not here" : activity_text(v, t);
    if (graph_left_out_barrier(t))
        text = arena_printf(v->arena, "%s, after skipping a barrier", name);
    else if (w->barrier)
        text = barrier_text(v, t, name);
    else if (w->owner == MDL_OWNER_ENDED)
        text = arena_printf(v->arena, "%s, held by a thread that has ended", name);
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp == t->lwp)
        text = arena_printf(
            v->arena, w->owner_doubt ? "%s, which it perhaps already holds" : "%s, which it already holds",
            name);
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp && w->kind == MDL_WAIT_ORDERED)
        text = arena_printf(v->arena, "%s, where it is the turn of %s", name,
                            mdl_thread_name(v->arena, v->snap, w->owner_lwp));
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp)
        text = arena_printf(v->arena, w->owner_doubt ? "%s, perhaps held by %s" : "%s, held by %s", name,
                            mdl_thread_name(v->arena, v->snap, w->owner_lwp));
    else if (w->owner == MDL_OWNER_THREAD)
        text = arena_printf(v->arena, "%s, held by a thread that is not listed", name);
    else if (mdl_probable_owner(t) == t->lwp)
        text = arena_printf(v->arena, "%s, which it probably already holds", name);
    else if (mdl_probable_owner(t))
        text = arena_printf(v->arena, "%s, probably held by %s", name,
                            mdl_thread_name(v->arena, v->snap, mdl_probable_owner(t)));
    if (text && w->taken_at.file && w->taken_at.line)
        text = arena_printf(v->arena, "%s, %s", text, text_construct(v, "taken", &w->taken_at));
    else if (text && w->taken_at.function)
        text = arena_printf(v->arena, "%s, taken in %s", text, text_name(v, w->taken_at.function));
    return text ? text : name;
}
