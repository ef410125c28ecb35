/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/render/json_put.h"
#include "inspect/render/text_view.h"

static const char not_there[] =
    "by the debug information neither the program's frames there nor their source files have such a "
    "variable; GDB's `ompd print -team` knows those of other files";

/** What one thread has. */
struct value {
    const struct mdl_thread *thread;
    const struct mdl_local *local; /**< NULL: none */
    const struct mdl_frame *frame; /**< its, where the variable is local */
    int64_t lwp;                   /**< on whose stack that is */
    int number;                    /**< of that frame in the thread's own stack */
    bool told;
};

/* The innermost local variable of the joined stack, else the static one of the innermost frame that has
   it. */
static struct value value_of(const insp_snapshot *s, const struct mdl_thread *t)
{
    struct stack_segment segments[STACK_SEGMENTS];
    const int count = stack_segments(s, t, segments);
    struct value ret = {.thread = t};

    for (int k = 0; k < count; k++) {
        const struct mdl_thread *on = segments[k].thread;

        for (int i = segments[k].from; i < on->frame_count; i++) {
            const struct mdl_frame *f = &on->frames[i];

            if (!f->local_count || (f->locals[0].depth < 0 && ret.local))
                continue;
            ret.local = &f->locals[0];
            if (ret.local->depth < 0)
                continue;
            ret.frame = f;
            ret.lwp = on->lwp;
            ret.number = i;
            return ret;
        }
    }
    return ret;
}

/* Why there is no value; NULL there is one. */
static const char *why_not(const struct value *value)
{
    const struct mdl_thread *t = value->thread;

    if (value->local)
        return value->local->value ? NULL : value->local->why;
    if (t->running)
        return "it is running";
    return t->frame_count ? not_there : "its stack is not known";
}

static bool in_region(const insp_snapshot *s, const struct mdl_thread *t, const struct mdl_region *r)
{
    if (!r || !s->region_count)
        return true; /* no runtime: all threads */
    return t->openmp && t->runtime == r->runtime && t->region == r->id;
}

static int by_number(const void *a, const void *b)
{
    const struct mdl_thread *x = ((const struct value *)a)->thread, *y = ((const struct value *)b)->thread;

    if (x->thread_num != y->thread_num)
        return x->thread_num < y->thread_num ? -1 : 1;
    return x->lwp < y->lwp ? -1 : x->lwp > y->lwp;
}

/* Those of the threads that are in R now. RET has room for all. */
static int values_of(const insp_snapshot *s, const struct mdl_region *r, struct value *ret)
{
    int count = 0;

    for (int i = 0; i < s->thread_count; i++)
        if (in_region(s, &s->threads[i], r))
            ret[count++] = value_of(s, &s->threads[i]);
    if (count)
        qsort(ret, (size_t)count, sizeof(*ret), by_number);
    return count;
}

static bool is_wanted(const struct values_options *o, const struct mdl_region *r)
{
    return !o->region || o->region == r->id;
}

/* ---- text -------------------------------------------------------------------------------- */

static bool same_row(const struct value *a, const struct value *b)
{
    const char *left = why_not(a), *right = why_not(b);

    if (!left != !right || !mdl_same(left, right))
        return false;
    if (left)
        return true;
    return mdl_same(a->local->value, b->local->value) && !a->frame == !b->frame &&
           (!a->frame || mdl_same(a->frame->place.function, b->frame->place.function));
}

/* A row: who, and what they have. */
struct row {
    const char *who, *what;
};

/* "0-2", "37  in solve" of the threads that are like LIST[FIRST]. Those without a number are told by their
 * LWP. */
static struct row row_of(const struct text_view *v, struct value *list, int count, int first,
                         int64_t *numbers)
{
    const struct value *value = &list[first];
    const bool openmp = value->thread->thread_num >= 0;
    const char *why = why_not(value), *function = value->frame ? value->frame->place.function : NULL;
    int n = 0;

    for (int i = first; i < count; i++)
        if (!list[i].told && (list[i].thread->thread_num >= 0) == openmp && same_row(value, &list[i])) {
            list[i].told = true;
            numbers[n++] = openmp ? list[i].thread->thread_num : list[i].thread->lwp;
        }
    return (struct row){
        arena_printf(v->arena, "%s%s", openmp ? "" : "LWP ", text_ranges(v, numbers, n)),
        why        ? arena_printf(v->arena, "<%s>", why)
        : function ? arena_printf(v->arena, "%s  in %s", value->local->value, function)
                   : value->local->value,
    };
}

static void add_region(const struct text_view *v, const struct mdl_region *r, struct value *list, int count,
                       int64_t *numbers)
{
    const char *at = r ? text_place(v, &r->place) : NULL;
    struct row *rows = arena_alloc(v->arena, (size_t)count * sizeof(*rows));
    int row_count = 0;
    size_t width = 0;

    if (r)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "Region %" PRIu64 "%s%s%s, %d thread%s:", r->id, at ? " (" : "",
                                    at ? at : "", at ? ")" : "", count, count == 1 ? "" : "s"));
    for (int i = 0; rows && i < count; i++) {
        if (list[i].told)
            continue;
        rows[row_count] = row_of(v, list, count, i, numbers);
        if (!rows[row_count].who || !rows[row_count].what)
            return;
        if (strlen(rows[row_count].who) > width)
            width = strlen(rows[row_count].who);
        row_count++;
    }
    /* Values are not wrapped: their blanks may be a text's. */
    for (int i = 0; i < row_count; i++)
        sbuf_printf(v->out, "  %*s  %s\n", (int)width, rows[i].who, rows[i].what);
}

static int found_in(const struct value *list, int count)
{
    int found = 0;

    for (int i = 0; i < count; i++)
        found += !why_not(&list[i]);
    return found;
}

static void add_all(const struct text_view *v, const struct values_options *o, struct value *list, int *found)
{
    const insp_snapshot *s = v->snap;
    int64_t *numbers = arena_alloc(v->arena, ((size_t)s->thread_count + 1) * sizeof(*numbers));
    int told = 0, count;

    *found = 0;
    for (int i = 0; numbers && i < (s->region_count ? s->region_count : 1); i++) {
        const struct mdl_region *r = s->region_count ? &s->regions[i] : NULL;

        count = !r || is_wanted(o, r) ? values_of(s, r, list) : 0;
        *found += found_in(list, count);
        told += count;
        if (count)
            add_region(v, r, list, count, numbers);
    }
    if (!told && o->region)
        sbuf_printf(v->out, "No thread is in region %" PRIu64 ".\n", o->region);
    else if (!told)
        sbuf_add(v->out, "No thread is in a region.\n");
}

char *values_text(const insp_snapshot *snapshot, const struct values_options *o, int *found)
{
    const struct insp_render_options options = {.size = sizeof(options), .width = o->width};
    struct arena arena = {0};
    struct sbuf out = {0};
    struct text_view v = {
        .snap = printable_snapshot(&arena, snapshot), .options = &options, .arena = &arena, .out = &out};
    struct value *list =
        v.snap ? arena_alloc(&arena, ((size_t)snapshot->thread_count + 1) * sizeof(*list)) : NULL;
    char *text;

    *found = 0;
    if (list) {
        add_all(&v, o, list, found);
        text_problems(&v);
    }
    text = list && !arena.oom ? sbuf_take(&out) : NULL;
    sbuf_free(&out);
    arena_free(&arena);
    return text;
}

/* ---- JSON -------------------------------------------------------------------------------- */

static json_t *value_json(const struct mdl_region *r, const struct value *value)
{
    const struct mdl_local *l = value->local;
    const char *why = why_not(value);
    json_t *o = json_object();

    put(o, "region", r ? positive(r->id) : NULL);
    put(o, "thread_num", natural(value->thread->thread_num));
    put(o, "lwp", json_integer(value->thread->lwp));
    put_text(o, "value", l && !why ? l->value : NULL);
    put_text(o, "why", why);
    put_text(o, "type", l ? l->type : NULL);
    put_text(o, "function", value->frame && !why ? value->frame->place.function : NULL);
    put(o, "frame", value->frame && !why ? json_integer(value->number) : NULL);
    put(o, "in_lwp", value->frame && !why ? json_integer(value->lwp) : NULL);
    return o;
}

char *values_json(const insp_snapshot *s, const struct values_options *o, int *found)
{
    struct value *list = calloc((size_t)s->thread_count + 1, sizeof(*list));
    json_t *root = json_object(), *rows = json_array();

    *found = 0;
    for (int i = 0; list && i < (s->region_count ? s->region_count : 1); i++) {
        const struct mdl_region *r = s->region_count ? &s->regions[i] : NULL;
        const int count = !r || is_wanted(o, r) ? values_of(s, r, list) : 0;

        *found += found_in(list, count);
        for (int k = 0; k < count; k++)
            json_array_append_new(rows, value_json(r, &list[k]));
    }
    free(list);
    put(root, "schema", json_integer(1));
    put_text(root, "expression", o->expression);
    put(root, "team", rows);
    return dump_document(root);
}
