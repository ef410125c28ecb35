/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a snapshot to stacks: root first, a frame for each function and for each construct, then the line,
 * then in brackets what the thread does there. Numbers that change from sample to sample are in none of them.
 */
#include "inspect/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/profile/store.h"
#include "inspect/render/stack_labels.h"
#include "inspect/render/text_view.h"

/* One sample, or one thread of it. */
struct fold {
    struct profile *p;
    const struct text_view *v;
    struct stack_entries entries;
    uint32_t *frame;
    uint32_t count, room;
};

static bool push(struct fold *f, const char *name, const char *file, int line)
{
    const struct profile_frame frame = {name ? name : "?", file, line};
    int64_t number = store_frame(f->p, &frame);
    uint32_t *grown;

    if (number < 0)
        return false;
    grown = arena_grow(f->v->arena, f->frame, f->count, sizeof(*grown));
    if (!grown)
        return false;
    f->frame = grown;
    f->frame[f->count++] = (uint32_t)number;
    return true;
}

/* What T does. Who holds a lock and who has not arrived changes all the time. */
static const char *activity(const struct text_view *v, const struct mdl_thread *t)
{
    struct mdl_wait wait = t->wait;
    const char *what;

    if (t->running)
        return "did not stop";
    wait.object = 0;
    if (t->wait.kind)
        what = mdl_wait_name(v->arena, &wait, false);
    else if (text_is_waiting(t))
        what = mdl_activity_name(v->arena, v->snap, &t->activity, false);
    else
        return text_does(v, t);
    return *what ? arena_printf(v->arena, "waits for %s", what) : "waits";
}

static const char *region(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_region *r = mdl_region_by_id(v->snap, t->runtime, t->region);

    if (!t->openmp)
        return "no OpenMP thread";
    if (t->state == MDL_STATE_IDLE && !t->wait.kind)
        return "idle, in no region";
    if (!r || (r->kind != MDL_REGION_PARALLEL && r->kind != MDL_REGION_TEAMS))
        return "no parallel region";
    return text_construct(v, r->kind == MDL_REGION_TEAMS ? "teams" : "parallel", &r->place);
}

/* Where a thread waits for the others of a construct, that is the construct which costs the time. */
static const char *construct(const struct text_view *v, const struct mdl_thread *t)
{
    static const char *const words[] = {
        [MDL_WAIT_CRITICAL] = "critical",   [MDL_WAIT_ORDERED] = "ordered",
        [MDL_WAIT_ATOMIC] = "atomic",       [MDL_WAIT_BARRIER] = "barrier",
        [MDL_WAIT_TASKWAIT] = "taskwait",   [MDL_WAIT_TASKGROUP] = "taskgroup",
        [MDL_WAIT_REDUCTION] = "reduction",
    };
    const char *word = t->wait.kind < sizeof(words) / sizeof(*words) ? words[t->wait.kind] : NULL, *text;

    if (word && !mdl_ends_region(t) && mdl_place_known(&t->wait.at))
        return text_construct(v, word, &t->wait.at);
    text = stack_construct(v, t);
    return text ? text : "no construct";
}

static const char *line(const struct text_view *v, const struct mdl_thread *t)
{
    const char *text = text_place(v, text_where(v, t));

    return text ? text : "no line is known";
}

/* A function without a name is known by its file: addresses would make one frame of each call. */
static const char *function(const struct text_view *v, const struct mdl_frame *frame)
{
    if (frame->place.function)
        return frame->place.function;
    if (frame->module)
        return arena_printf(v->arena, "(in %s)", mdl_base_name(frame->module));
    return "(unknown)";
}

static bool push_frame(struct fold *f, const struct mdl_frame *frame, const struct stack_label *label)
{
    const char *name = function(f->v, frame);

    if (label && label->wrapper)
        return true;
    if (label && label->construct && !push(f, label->construct, frame->place.file, 0))
        return false;
    if (label && label->construct && label->function)
        name = label->function;
    return push(f, name, frame->place.file, 0);
}

/* The user's stack of T, the line and what it does. */
static bool push_all(struct fold *f, const struct mdl_thread *t, const char *does)
{
    const struct text_view *v = f->v;
    const struct mdl_place *where = text_where(v, t);
    const struct stack_label *labels = NULL;
    const struct mdl_thread *on = NULL;
    struct stack stack;
    const char *text;

    stack_join(v->snap, t, false, v->arena, &stack);
    for (int i = stack.count - 1; i >= 0; i--) {
        const struct stack_line *one = &stack.line[i];

        if (!on || on->lwp != one->lwp) {
            on = mdl_thread_by_lwp(v->snap, one->lwp);
            labels = on ? stack_labels(v, &f->entries, on) : NULL;
        }
        if (!push_frame(f, one->frame, labels ? &labels[one->frame - on->frames] : NULL))
            return false;
    }
    if (!stack.count && !push(f, t->frame_count ? "(no code of the program)" : "(no stack)", NULL, 0))
        return false;
    if (stack.count && where->file && where->line > 0) {
        text = arena_printf(v->arena, "%s:%d", mdl_base_name(where->file), where->line);
        if (!push(f, text, where->file, where->line))
            return false;
    }
    text = arena_printf(v->arena, "[%s]", does);
    return push(f, text, NULL, 0);
}

static bool add_thread(struct fold *f, const struct mdl_thread *t)
{
    const char *by[PROFILE_BYS] = {
        [PROFILE_ACTIVITY] = activity(f->v, t),
        [PROFILE_REGION] = region(f->v, t),
        [PROFILE_CONSTRUCT] = construct(f->v, t),
        [PROFILE_LINE] = line(f->v, t),
    };
    struct profile_stack stack = {0};
    int64_t number;

    f->frame = NULL;
    f->count = 0;
    for (int i = 0; i < PROFILE_BYS; i++) {
        number = by[i] ? store_text(f->p, by[i]) : -1;
        if (number < 0)
            return false;
        stack.by[i] = (uint32_t)number;
    }
    if (!push_all(f, t, by[PROFILE_ACTIVITY]))
        return false;
    stack.frame = f->frame;
    stack.count = f->count;
    number = store_stack(f->p, &stack);
    return number >= 0 && store_sample(f->p, t->lwp, t->lwp == f->p->pid, (uint32_t)number);
}

bool profile_add(struct profile *p, const insp_snapshot *snapshot, uint64_t stopped_ns)
{
    const struct insp_render_options options = {.size = sizeof(options), .format = INSP_FOLDED};
    struct arena arena = {0};
    struct text_view v = {.snap = printable_snapshot(&arena, snapshot), .options = &options, .arena = &arena};
    struct fold fold = {.p = p, .v = &v};
    bool good = v.snap && stack_entries(&v, &fold.entries);

    if (v.snap && !p->totals.samples) {
        p->pid = v.snap->process.pid;
        p->exe = arena_str(&p->arena, v.snap->process.exe ? mdl_base_name(v.snap->process.exe) : NULL);
    }
    for (int i = 0; good && i < v.snap->thread_count; i++)
        good = add_thread(&fold, &v.snap->threads[i]);
    p->totals.samples += good;
    p->totals.stopped_ns += stopped_ns;
    good &= !arena.oom && !p->arena.oom;
    arena_free(&arena);
    return good;
}

struct profile *profile_new(double rate)
{
    struct profile *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->rate = rate;
    return p;
}

void profile_stands(struct profile *p, uint64_t stopped_ns)
{
    p->totals.stopped_ns += stopped_ns;
}

void profile_lose(struct profile *p, uint64_t count)
{
    p->totals.lost += count;
}

void profile_lasts(struct profile *p, double seconds)
{
    p->totals.seconds = seconds;
}

struct profile_totals profile_totals(const struct profile *p)
{
    return p->totals;
}

void profile_free(struct profile *p)
{
    if (!p)
        return;
    hash_free(&p->by_text);
    hash_free(&p->by_frame);
    hash_free(&p->by_stack);
    hash_free(&p->by_lwp);
    arena_free(&p->arena);
    free(p);
}

char *profile_summary(const struct profile *p)
{
    const struct profile_totals *t = &p->totals;
    struct sbuf out = {0};

    sbuf_printf(&out, "%" PRIu64 " sample%s of %" PRIu64 " thread%s in %.1f s, %" PRIu64 " lost; ",
                t->samples, t->samples == 1 ? "" : "s", t->threads, t->threads == 1 ? "" : "s", t->seconds,
                t->lost);
    sbuf_printf(&out, "the process stood still for %.3f s of them", (double)t->stopped_ns / 1e9);
    if (t->seconds > 0)
        sbuf_printf(&out, " (%.1f %%)", (double)t->stopped_ns / 1e7 / t->seconds);
    sbuf_add(&out, ".");
    return sbuf_take(&out);
}
