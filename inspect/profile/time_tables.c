/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times in tables, the longest first.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/profile/profile.h"
#include "inspect/profile/store.h"
#include "inspect/render/table.h"

/* Who wants more rows wants a picture. */
enum { ROWS_MAX = 40 };

struct row {
    uint32_t text;  /* the number of what the time is counted by */
    uint32_t other; /* of lines: that of the activity there */
    uint64_t count;
};

static int longest_first(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    if (x->text != y->text)
        return x->text < y->text ? -1 : 1;
    return x->other < y->other ? -1 : x->other > y->other;
}

/* The rows of one table, in A; *ret NULL out of memory. */
static size_t count_rows(const struct profile *p, const uint64_t *counts, enum profile_by by, struct arena *a,
                         struct row **ret)
{
    struct row *rows = arena_alloc(a, (p->stack_count + 1) * sizeof(*rows));
    struct hash seen = {.arena = a};
    size_t n = 0;

    *ret = NULL;
    for (size_t i = 0; rows && i < p->stack_count; i++) {
        const uint32_t *own = p->stacks[i].by;
        const uint32_t other = by == PROFILE_LINE ? own[PROFILE_ACTIVITY] : 0;
        uint64_t *at = counts[i] ? hash_add(&seen, (uint64_t)own[by] << 32 | other, NULL) : NULL;

        if (!counts[i])
            continue;
        if (!at)
            return 0;
        if (!*at) {
            rows[n++] = (struct row){own[by], other, 0};
            *at = n;
        }
        rows[*at - 1].count += counts[i];
    }
    if (n)
        qsort(rows, n, sizeof(*rows), longest_first);
    *ret = rows;
    return n;
}

static bool add_table(const struct profile *p, const uint64_t *counts, enum profile_by by, int width,
                      struct sbuf *out)
{
    static const char *const titles[PROFILE_BYS] = {"activity", "region", "construct", "line"};
    static const char *const heads[PROFILE_BYS] = {"Activity", "Region", "Construct", "Line"};
    struct table table = {0};
    struct arena arena = {0};
    struct row *rows;
    const size_t n = count_rows(p, counts, by, &arena, &rows);
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += rows[i].count;
    sbuf_printf(out, "\nTime by %s\n", titles[by]);
    table_column(&table, "Share", true, false);
    table_column(&table, "Seconds", true, false);
    table_column(&table, heads[by], false, true);
    table_column(&table, "What it does there", false, true);
    for (size_t i = 0; i < n && i < ROWS_MAX; i++) {
        table_row(&table, TABLE_PLAIN);
        table_cell(&table, 0, "%.1f %%", (double)rows[i].count * 100 / (double)total);
        table_cell(&table, 1, "%.1f", (double)rows[i].count / p->rate);
        table_cell(&table, 2, "%s", p->texts[rows[i].text]);
        if (by == PROFILE_LINE)
            table_cell(&table, 3, "%s", p->texts[rows[i].other]);
    }
    table_print(&table, width, false, out);
    if (n > ROWS_MAX)
        sbuf_printf(out, "%zu more rows\n", n - ROWS_MAX);
    table_free(&table);
    arena_free(&arena);
    return rows;
}

static bool add_tables(const struct profile *p, const struct profile_thread *thread, int width,
                       struct sbuf *out)
{
    uint64_t *counts = store_counts(p, thread);
    bool good = counts;

    for (int by = 0; good && by < PROFILE_BYS; by++)
        good = add_table(p, counts, (enum profile_by)by, width, out);
    free(counts);
    return good;
}

char *profile_text(const struct profile *p, bool per_thread, int width)
{
    char *summary = profile_summary(p);
    struct arena arena = {0};
    struct sbuf out = {0};
    bool good = summary;

    if (good)
        sbuf_printf(&out, "%s (PID %" PRId64 "): %s\n", p->exe ? p->exe : "?", p->pid, summary);
    if (good && !per_thread)
        good = add_tables(p, NULL, width, &out);
    for (size_t i = 0; good && per_thread && i < p->thread_count; i++) {
        const char *name = store_thread_name(&arena, &p->threads[i]);

        sbuf_printf(&out, "\n%s\n", name ? name : "?");
        good = add_tables(p, &p->threads[i], width, &out);
    }
    free(summary);
    arena_free(&arena);
    out.oom |= !good;
    return sbuf_take(&out);
}
