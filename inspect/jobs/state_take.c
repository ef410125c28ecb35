/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/state_take.h"

#include "inspect/frames/stacks.h"
#include "inspect/jobs/ranges.h"
#include "inspect/jobs/state.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/model/words.h"
#include "inspect/render/group.h"
#include "inspect/render/json_put.h"
#include "inspect/render/text_view.h"

static bool is_idle(const struct mdl_thread *t)
{
    return t->openmp && !t->wait.kind && t->state == MDL_STATE_IDLE;
}

/* In one word what it does: of MPI the call. */
static const char *kind_of(const struct mdl_thread *t)
{
    if (t->running)
        return "running";
    if (t->wait.kind)
        return mdl_word(&mdl_wait_words, (int)t->wait.kind);
    if (is_idle(t))
        return "idle";
    if (t->activity.kind == MDL_ACTIVITY_MPI && t->activity.call)
        return t->activity.call;
    return mdl_word(&mdl_activity_words, (int)t->activity.kind);
}

static json_t *stack_of(const struct text_view *v, const struct mdl_thread *t)
{
    json_t *list = json_array();
    struct stack stack;

    stack_join(v->snap, t, false, v->arena, &stack);
    for (int i = 0; i < stack.count && i < STATE_FRAMES_MAX; i++) {
        const struct mdl_frame *f = stack.line[i].frame;
        const char *place = text_place(v, &f->place);

        if (!place && f->module)
            place = arena_printf(v->arena, "in %s", mdl_base_name(f->module));
        json_array_append_new(list, json_string(place ? place : "?"));
    }
    return list;
}

static const char *region_of(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_region *r = mdl_region_by_id(v->snap, t->runtime, t->region);
    const char *word = r ? mdl_word(&mdl_region_words, (int)r->kind) : NULL;

    return word ? text_construct(v, word, &r->place) : NULL;
}

/* The row of a group of threads. Which of the idle threads is which tells nothing. */
static json_t *row_of(const struct text_view *v, const struct groups *g, int group)
{
    const struct mdl_thread *t = &v->snap->threads[g->first[group]];
    int64_t *numbers = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*numbers));
    bool idle = is_idle(t);
    json_t *o = json_object();
    size_t n = 0;

    for (int i = g->first[group]; numbers && i >= 0; i = g->next[i])
        if (v->snap->threads[i].thread_num >= 0 && !idle)
            numbers[n++] = v->snap->threads[i].thread_num;
    put(o, "count", json_integer(g->size[group]));
    put(o, "openmp", json_boolean(t->openmp));
    put(o, "numbers", ranges_json(numbers, n));
    put(o, "team_size", idle ? NULL : natural(t->team_size));
    put(o, "level", idle ? NULL : natural(t->level));
    put_text(o, "kind", kind_of(t));
    put_text(o, "does", text_state_and_wait(v, t, false));
    put_text(o, "at", idle ? NULL : text_at(v, t));
    put_text(o, "region", idle ? NULL : region_of(v, t));
    put(o, "stack", idle ? json_array() : stack_of(v, t));
    return o;
}

/* "1", "10", "100" of a count: those of two processes that do the same differ. */
static json_int_t magnitude(json_int_t count)
{
    json_int_t power = 1;

    while (count >= 10 * power && power < 1000000000)
        power *= 10;
    return power;
}

static json_t *tasks_of(const struct text_view *v)
{
    json_t *counts = json_object(), *list = json_array();
    const char *key;
    json_t *value;

    for (int i = 0; i < v->snap->task_count; i++) {
        const struct mdl_task *t = &v->snap->tasks[i];
        const char *state = mdl_word(&mdl_task_state_words, (int)t->state), *at = text_place(v, &t->place);
        const char *name = arena_printf(v->arena, "%s, %s", state ? state : "?", at ? at : "?");

        if (name && t->kind != MDL_TASK_IMPLICIT && t->kind != MDL_TASK_INITIAL)
            put(counts, name, json_integer(json_integer_value(json_object_get(counts, name)) + 1));
    }
    json_object_foreach(counts, key, value)
    {
        json_t *row = json_object();

        put(row, "what", json_string(key));
        put(row, "at_least", json_integer(magnitude(json_integer_value(value))));
        json_array_append_new(list, row);
    }
    json_decref(counts);
    return list;
}

static json_t *problems_of(const struct text_view *v)
{
    json_t *list = json_array();

    for (int i = 0; i < v->snap->problem_count && i < STATE_PROBLEMS_MAX; i++) {
        const struct mdl_problem *p = &v->snap->problems[i];
        const char *text = arena_printf(v->arena, "%s: %s", p->what ? p->what : "?", p->why ? p->why : "?");

        json_array_append_new(list, json_string(text ? text : "?"));
    }
    return list;
}

/* Does the process say more by its verdict than that it goes on? */
static const char *sentence_of(const insp_snapshot *s)
{
    return s->verdict.kind == INSP_NONE ? NULL : s->verdict.printable;
}

static json_t *state_raw(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    json_t *o = json_object(), *rows = json_array();
    struct text_view grouped = *v;
    struct groups g;

    if (!group_threads(s, 0, v->arena, &g))
        g.count = 0;
    grouped.groups = &g;
    for (int i = 0; i < g.count; i++)
        json_array_append_new(rows, row_of(&grouped, &g, i));
    put_text(o, "program", s->process.exe ? mdl_base_name(s->process.exe) : NULL);
    put_text(o, "verdict", mdl_word(&mdl_verdict_words, (int)s->verdict.kind));
    put_text(o, "sentence", sentence_of(s));
    put(o, "signal", s->process.signal > 0 ? json_integer(s->process.signal) : NULL);
    put(o, "complete", json_boolean(s->complete));
    put(o, "problems", problems_of(v));
    put(o, "threads", rows);
    put(o, "tasks", tasks_of(v));
    return o;
}

json_t *state_of(insp_snapshot *snapshot)
{
    const struct insp_render_options options = {.size = sizeof(options)};
    struct arena arena = {0};
    struct sbuf out = {0};
    struct text_view v = {.options = &options, .arena = &arena, .out = &out};
    json_t *raw, *state = NULL;

    insp_stable(snapshot);
    v.snap = printable_snapshot(&arena, snapshot);
    raw = v.snap && !snapshot->arena.oom ? state_raw(&v) : NULL;
    if (raw && !arena.oom)
        state = state_read(raw);
    json_decref(raw);
    sbuf_free(&out);
    arena_free(&arena);
    return state;
}
