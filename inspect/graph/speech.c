/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/speech.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/frames/activity_words.h"
#include "inspect/model/phrases.h"

struct speech speech_begin(insp_snapshot *snap, const struct graph *g)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};

    s.text.oom = !s.named;
    return s;
}

char *speech_end(struct speech *s)
{
    char *text = s->text.oom ? NULL : arena_str(&s->snap->arena, s->text.text ? s->text.text : "");

    s->snap->arena.oom |= s->text.oom;
    sbuf_free(&s->text);
    free(s->named);
    return text;
}

void speech_thread(struct speech *s, int thread)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    bool again = s->named[thread];

    s->named[thread] = true;
    if (again && t->gdb_num > 0)
        sbuf_printf(&s->text, "thread %d", t->gdb_num);
    else
        sbuf_add(&s->text, mdl_thread_name(&s->snap->arena, s->snap, t->lwp));
}

void speech_place(struct speech *s, const struct mdl_place *at)
{
    if (at->file && at->line > 0)
        sbuf_printf(&s->text, " at %s:%d", mdl_base_name(at->file), at->line);
    else if (at->function)
        sbuf_printf(&s->text, " in %s", at->function);
}

void speech_wait_place(struct speech *s, const struct mdl_wait *w)
{
    const char *caller = mdl_called_from(&s->snap->arena, &w->caller);

    speech_place(s, &w->at);
    if (*caller && w->at.function && w->at.file && w->at.line > 0)
        sbuf_printf(&s->text, ", in %s", w->at.function);
    sbuf_add(&s->text, caller);
}

const char *speech_wait(struct speech *s, const struct mdl_wait *w)
{
    const char *name = mdl_wait_name(&s->snap->arena, w, false), *text = NULL;

    if (w->kind == MDL_WAIT_ORDERED)
        text = arena_printf(&s->snap->arena, "the %s", name);
    return text ? text : name;
}

/* "the initialiser of table()::t", which a guard's name tells. */
static const char *initialiser(struct speech *s, const struct mdl_activity *a)
{
    static const char guard[] = "guard variable for ";
    const bool named = a->name && !strncmp(a->name, guard, sizeof(guard) - 1);
    const char *text =
        named ? arena_printf(&s->snap->arena, "the initialiser of %s", a->name + sizeof(guard) - 1)
              : "the initialiser of a static variable";

    return text ? text : "?";
}

const char *speech_lock(struct speech *s, const struct mdl_thread *t)
{
    if (t->wait.kind)
        return mdl_is_mutex(t->wait.kind) ? speech_wait(s, &t->wait) : NULL;
    if (graph_wants_lock(t) && t->activity.kind == MDL_ACTIVITY_ONCE)
        return initialiser(s, &t->activity);
    return graph_wants_lock(t) ? activity_object(&s->snap->arena, &t->activity) : NULL;
}

void speech_barrier_place(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const struct mdl_region *r = mdl_region_by_id(s->snap, t->runtime, w->object ? w->object : t->region);

    if (w->barrier == MDL_BARRIER_REGION_END && r && r->place.file && r->place.line > 0)
        sbuf_printf(&s->text, " (%s:%d)", mdl_base_name(r->place.file), r->place.line);
    else
        speech_place(s, &w->at);
}
