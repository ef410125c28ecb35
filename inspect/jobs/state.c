/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/state.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/cut.h"
#include "inspect/jobs/ranges.h"
#include "inspect/model/words.h"
#include "inspect/render/json_put.h"

/* Copies a text, or null. */
static void copy_text(json_t *to, const json_t *from, const char *key)
{
    struct arena arena = {0};
    const char *text = json_string_value(json_object_get(from, key));

    put_text(to, key, cut_text(&arena, text, CUT_WORDS));
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
            json_array_append_new(list, json_string(cut_text(&arena, text, CUT_WORDS)));
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
    copy_texts(o, from, "stack", STATE_FRAMES_MAX);
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

char *state_canonical(const json_t *value)
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
    text = state_canonical(rest);
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
    size_t n = json_array_size(from) < STATE_ROWS_MAX ? json_array_size(from) : STATE_ROWS_MAX;
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
    size_t n = json_array_size(from) < STATE_ROWS_MAX ? json_array_size(from) : STATE_ROWS_MAX;
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
    copy_texts(o, from, "problems", STATE_PROBLEMS_MAX);
    put(o, "threads", read_rows(json_object_get(from, "threads")));
    put(o, "tasks", read_tasks(json_object_get(from, "tasks")));
    return o;
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
