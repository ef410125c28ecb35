/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/state.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/frames/stacks.h"
#include "inspect/jobs/ranges.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/model/words.h"
#include "inspect/render/group.h"
#include "inspect/render/json_put.h"
#include "inspect/render/text.h"

/* What of a process is compared: deeper stacks and longer lists are cut, so that no state is endless. */
enum { FRAMES_MAX = 64, ROWS_MAX = 1000, PROBLEMS_MAX = 8 };

/* ---- from a snapshot --------------------------------------------------------------------------------- */

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
    for (int i = 0; i < stack.count && i < FRAMES_MAX; i++) {
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

static void put_string(json_t *o, const char *key, const char *text)
{
    put(o, key, text ? json_string(text) : NULL);
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
    put_string(o, "kind", kind_of(t));
    put_string(o, "does", text_state_and_wait(v, t, false));
    put_string(o, "at", idle ? NULL : text_at(v, t));
    put_string(o, "region", idle ? NULL : region_of(v, t));
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

    for (int i = 0; i < v->snap->problem_count && i < PROBLEMS_MAX; i++) {
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
    struct groups g;

    if (!group_threads(s, false, v->arena, &g))
        g.count = 0;
    for (int i = 0; i < g.count; i++)
        json_array_append_new(rows, row_of(v, &g, i));
    put_string(o, "program", s->process.exe ? mdl_base_name(s->process.exe) : NULL);
    put_string(o, "verdict", mdl_word(&mdl_verdict_words, (int)s->verdict.kind));
    put_string(o, "sentence", sentence_of(s));
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

/* ---- in its one form --------------------------------------------------------------------------------- */

/* Copies a text, or null. */
static void copy_text(json_t *to, const json_t *from, const char *key)
{
    struct arena arena = {0};
    const char *text = json_string_value(json_object_get(from, key));

    put_string(to, key, text ? printable_str(&arena, text) : NULL);
    arena_free(&arena);
}

static void copy_number(json_t *to, const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    json_int_t n = json_integer_value(value);

    put(to, key, json_is_integer(value) && n >= 0 && n <= INT32_MAX ? json_integer(n) : NULL);
}

static void copy_truth(json_t *to, const json_t *from, const char *key)
{
    put(to, key, json_boolean(json_is_true(json_object_get(from, key))));
}

static void copy_texts(json_t *to, const json_t *from, const char *key, size_t most)
{
    const json_t *old = json_object_get(from, key);
    struct arena arena = {0};
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(old) && i < most; i++) {
        const char *text = json_string_value(json_array_get(old, i));

        if (text)
            json_array_append_new(list, json_string(printable_str(&arena, text)));
    }
    arena_free(&arena);
    put(to, key, list);
}

static json_t *read_row(const json_t *from)
{
    const json_t *numbers = json_object_get(from, "numbers");
    json_t *o = json_object();

    copy_number(o, from, "count");
    copy_truth(o, from, "openmp");
    put(o, "numbers", ranges_good(numbers) ? json_deep_copy(numbers) : json_array());
    copy_number(o, from, "team_size");
    copy_number(o, from, "level");
    copy_text(o, from, "kind");
    copy_text(o, from, "does");
    copy_text(o, from, "at");
    copy_text(o, from, "region");
    copy_texts(o, from, "stack", FRAMES_MAX);
    return o;
}

struct sorted_row {
    char *text; /**< all but its count and numbers */
    json_t *row;
};

static int by_text(const void *left, const void *right)
{
    const struct sorted_row *a = left, *b = right;

    return strcmp(a->text ? a->text : "", b->text ? b->text : "");
}

static char *canonical(const json_t *value)
{
    return json_dumps(value, JSON_SORT_KEYS | JSON_COMPACT | JSON_ENCODE_ANY);
}

/* ROW without what equal rows may differ in. */
static char *text_of(const json_t *row)
{
    json_t *rest = json_copy((json_t *)row);
    char *text;

    json_object_del(rest, "count");
    json_object_del(rest, "numbers");
    text = canonical(rest);
    json_decref(rest);
    return text;
}

static json_int_t count_of(const json_t *row)
{
    return json_integer_value(json_object_get(row, "count"));
}

static void join_rows(json_t *to, const json_t *from)
{
    json_int_t count = count_of(to) + count_of(from);

    put(to, "count", json_integer(count > INT32_MAX ? INT32_MAX : count));
    put(to, "numbers", ranges_union(json_object_get(to, "numbers"), json_object_get(from, "numbers")));
}

/* Sorts rows, and makes one of equal ones. */
static json_t *read_rows(const json_t *from)
{
    size_t n = json_array_size(from) < ROWS_MAX ? json_array_size(from) : ROWS_MAX;
    struct sorted_row *rows = calloc(n + 1, sizeof(*rows));
    json_t *list = rows ? json_array() : NULL, *last = NULL;

    for (size_t i = 0; rows && i < n; i++) {
        rows[i].row = read_row(json_array_get(from, i));
        rows[i].text = text_of(rows[i].row);
    }
    if (rows)
        qsort(rows, n, sizeof(*rows), by_text);
    for (size_t i = 0; rows && i < n; i++) {
        if (i && rows[i].text && rows[i - 1].text && !strcmp(rows[i].text, rows[i - 1].text))
            join_rows(last, rows[i].row);
        else
            json_array_append(list, last = rows[i].row);
    }
    for (size_t i = 0; rows && i < n; i++) {
        json_decref(rows[i].row);
        free(rows[i].text);
    }
    free(rows);
    return list;
}

static json_t *read_tasks(const json_t *from)
{
    size_t n = json_array_size(from) < ROWS_MAX ? json_array_size(from) : ROWS_MAX;
    json_t *map = json_object(), *list = json_array();
    const char **keys = calloc(n + 1, sizeof(*keys));
    size_t count = 0;

    for (size_t i = 0; keys && i < n; i++) {
        json_t *row = json_object();
        const char *what;

        copy_text(row, json_array_get(from, i), "what");
        copy_number(row, json_array_get(from, i), "at_least");
        what = json_string_value(json_object_get(row, "what"));
        if (what && !json_object_get(map, what))
            put(map, what, json_incref(row));
        json_decref(row);
    }
    for (void *at = json_object_iter(map); keys && at; at = json_object_iter_next(map, at)) {
        size_t i = count++;

        for (; i && strcmp(keys[i - 1], json_object_iter_key(at)) > 0; i--)
            keys[i] = keys[i - 1];
        keys[i] = json_object_iter_key(at);
    }
    for (size_t i = 0; i < count; i++)
        json_array_append(list, json_object_get(map, keys[i]));
    free(keys);
    json_decref(map);
    return list;
}

json_t *state_read(const json_t *from)
{
    const char *verdict = json_string_value(json_object_get(from, "verdict"));
    json_t *o;

    if (mdl_word_value(&mdl_verdict_words, verdict) < 0 || !json_is_array(json_object_get(from, "threads")))
        return NULL;
    o = json_object();
    copy_text(o, from, "program");
    copy_text(o, from, "verdict");
    copy_text(o, from, "sentence");
    copy_number(o, from, "signal");
    copy_truth(o, from, "complete");
    copy_texts(o, from, "problems", PROBLEMS_MAX);
    put(o, "threads", read_rows(json_object_get(from, "threads")));
    put(o, "tasks", read_tasks(json_object_get(from, "tasks")));
    return o;
}

/* ---- keys -------------------------------------------------------------------------------------------- */

/* FNV-1a of 128 bits. Equal keys are no proof: whoever puts states together compares them. */
static void hash_text(const char *text, char ret[33])
{
    __extension__ typedef unsigned __int128 wide;
    const wide prime = ((wide)1 << 88) + 0x13b;
    wide hash = ((wide)UINT64_C(0x6c62272e07bb0142) << 64) + UINT64_C(0x62b821756295c58d);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * prime;
    snprintf(ret, 33, "%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
}

/* Does the row say where the process is? Threads outside of OpenMP do when there are no others. */
static bool counts(const json_t *row, bool openmp)
{
    const char *kind = json_string_value(json_object_get(row, "kind"));

    if (kind && !strcmp(kind, "idle"))
        return false;
    return !openmp || json_is_true(json_object_get(row, "openmp")) || (kind && !strncmp(kind, "MPI_", 4));
}

static bool has_openmp(const json_t *threads)
{
    for (size_t i = 0; i < json_array_size(threads); i++)
        if (json_is_true(json_object_get(json_array_get(threads, i), "openmp")))
            return true;
    return false;
}

static int by_string(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The set of what the rows say under KEYS. */
static void hash_rows(const json_t *state, const char *const *keys, char ret[33])
{
    const json_t *threads = json_object_get(state, "threads");
    size_t n = json_array_size(threads), count = 0;
    char **texts = calloc(n + 1, sizeof(*texts));
    bool openmp = has_openmp(threads);
    struct sbuf all = {0};

    for (size_t i = 0; texts && i < n; i++) {
        const json_t *row = json_array_get(threads, i);
        json_t *part = json_array();

        for (const char *const *key = keys; *key; key++)
            json_array_append(part, json_object_get(row, *key));
        texts[count] = counts(row, openmp) ? canonical(part) : NULL;
        count += texts[count] != NULL;
        json_decref(part);
    }
    if (texts)
        qsort(texts, count, sizeof(*texts), by_string);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(texts[i], texts[i - 1]) != 0)
            sbuf_printf(&all, "%s\n", texts[i]);
    for (const char *const *key = (const char *const[]){"program", "verdict", "signal", NULL}; *key; key++) {
        char *text = canonical(json_object_get(state, *key));

        sbuf_printf(&all, "%s\n", text ? text : "");
        free(text);
    }
    hash_text(all.text ? all.text : "", ret);
    sbuf_free(&all);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void state_make_keys(const json_t *state, struct state_keys *ret)
{
    static const char *const coarse[] = {"kind", "region", NULL};
    static const char *const finer[] = {"kind", "region", "does", "team_size", "level", "at", NULL};
    char *all = canonical(state);

    hash_rows(state, coarse, ret->key[0]);
    hash_rows(state, finer, ret->key[1]);
    hash_text(all ? all : "", ret->key[2]);
    free(all);
}

/* ---- questions --------------------------------------------------------------------------------------- */

static bool has_verdict(const json_t *state, const char *word)
{
    return mdl_same(json_string_value(json_object_get(state, "verdict")), word);
}

bool state_proved(const json_t *state)
{
    return has_verdict(state, "deadlock") || has_verdict(state, "stuck");
}

bool state_suspected(const json_t *state)
{
    return has_verdict(state, "suspected");
}

const char *state_mpi(const json_t *state)
{
    const json_t *threads = json_object_get(state, "threads");

    for (size_t i = 0; i < json_array_size(threads); i++) {
        const char *kind = json_string_value(json_object_get(json_array_get(threads, i), "kind"));

        if (kind && !strncmp(kind, "MPI_", 4))
            return kind;
    }
    return NULL;
}
