/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/rows.h"

#include <stdlib.h>
#include <string.h>

/* Rows that say most come first: those of OpenMP and MPI, few threads, then numbers. */
static int weight(const json_t *row)
{
    const char *kind = view_string(row, "kind");

    if (kind && !strcmp(kind, "idle"))
        return 3;
    if (kind && !strncmp(kind, "MPI_", 4))
        return 0;
    return json_is_true(json_object_get(row, "openmp")) ? 1 : 2;
}

static json_int_t first_number(const json_t *row)
{
    return json_integer_value(json_array_get(json_array_get(json_object_get(row, "numbers"), 0), 0));
}

static int compare(const json_t *a, const json_t *b, const char *key)
{
    const char *left = view_string(a, key), *right = view_string(b, key);

    return strcmp(left ? left : "", right ? right : "");
}

static int by_weight(const void *left, const void *right)
{
    const json_t *a = *(json_t *const *)left, *b = *(json_t *const *)right;
    json_int_t order = weight(a) - weight(b);

    order = order ? order : view_integer(a, "count", 0) - view_integer(b, "count", 0);
    order = order ? order : first_number(a) - first_number(b);
    order = order ? order : compare(a, b, "does");
    order = order ? order : compare(a, b, "at");
    return order < 0 ? -1 : order > 0;
}

const json_t **rows_sorted(const json_t *state, size_t *count)
{
    const json_t *rows = json_object_get(state, "threads");
    const json_t **list;

    *count = json_array_size(rows);
    list = calloc(*count + 1, sizeof(*list));
    for (size_t i = 0; list && i < *count; i++)
        list[i] = json_array_get(rows, i);
    if (list)
        qsort(list, *count, sizeof(*list), by_weight);
    return list;
}

const char *rows_threads(struct job_view *v, const json_t *row)
{
    const char *list = view_ranges(v, json_object_get(row, "numbers"), VIEW_RANGES);
    json_int_t size = view_integer(row, "team_size", -1), count = view_integer(row, "count", 0);

    if (!*list)
        return view_printf(v, "%" JSON_INTEGER_FORMAT " more", count);
    return size >= 0 ? view_printf(v, "%s/%" JSON_INTEGER_FORMAT, list, size) : list;
}

/* The line that ends a place, "hybrid.c:42"; -1: it ends otherwise. *length: of what is before it. */
static long line_of(const char *at, size_t *length)
{
    const char *colon = at ? strrchr(at, ':') : NULL;

    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return -1;
    *length = (size_t)(colon - at);
    return strtol(colon + 1, NULL, 10);
}

/** Places of several states: how far their lines reach. */
struct span {
    const char *at;
    size_t length, others;
    long low, high;
};

static void widen(struct span *span, const char *at)
{
    size_t length = 0;
    long line = line_of(at, &length);

    if (!at || !strcmp(at, span->at))
        return;
    if (line < 0 || span->low < 0 || length != span->length || strncmp(at, span->at, length) != 0) {
        span->others++;
        return;
    }
    span->low = line < span->low ? line : span->low;
    span->high = line > span->high ? line : span->high;
}

const char *rows_at(struct job_view *v, const struct job_groups *g, const struct job_group *group,
                    const json_t *row)
{
    const char *at = view_string(row, "at"), *kind = view_string(row, "kind"), *text;
    struct span span = {.at = at};

    if (!at)
        return "";
    span.low = span.high = line_of(at, &span.length);
    for (size_t i = group->first + 1; kind && i < group->end; i++) {
        const json_t *rows = json_object_get(g->variants[i].kept->state, "threads");

        for (size_t k = 0; k < json_array_size(rows); k++) {
            const json_t *other = json_array_get(rows, k);

            if (view_string(other, "kind") && !strcmp(view_string(other, "kind"), kind))
                widen(&span, view_string(other, "at"));
        }
    }
    text =
        span.low < span.high ? view_printf(v, "%.*s:%ld-%ld", (int)span.length, at, span.low, span.high) : at;
    return span.others ? view_printf(v, "%s, and elsewhere", text) : text;
}
