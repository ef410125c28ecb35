/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/render/group.h"
#include "inspect/render/text_view.h"

enum {
    COL_MARK,
    COL_THR,
    COL_LWP,
    COL_THREADS,
    COL_RUNTIME,
    COL_OMP,
    COL_LEVEL,
    COL_REGION,
    COL_TASK,
    COL_STATE,
    COL_WAIT,
    COL_AT
};

/* Width of the numbers in one cell: long lists of single threads would leave the other columns no room. */
enum { NUMBERS_ROOM = 14 };

/* "3-17 (15 threads)", "3, 5, 7, ... (200 threads)": --all lists each. */
static const char *numbers(const struct text_view *v, const struct groups *g, int group,
                           int64_t (*of)(const struct mdl_thread *), bool count)
{
    int64_t *list = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*list));
    int n = 0;
    const char *text;

    for (int i = g->first[group]; list && i >= 0; i = g->next[i])
        list[n++] = of(&v->snap->threads[i]);
    if (!list)
        return "?";
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    text = text_short_ranges(v, list, n, NUMBERS_ROOM);
    if (n > 1 && count)
        text = arena_printf(v->arena, "%s (%d threads)", text, n);
    return text ? text : "?";
}

static int64_t gdb_num(const struct mdl_thread *t)
{
    return t->gdb_num;
}

static int64_t lwp(const struct mdl_thread *t)
{
    return t->lwp;
}

static int64_t thread_num(const struct mdl_thread *t)
{
    return t->thread_num;
}

/* The cells that a narrow table has no columns for: "at solve.c:20 in f, for lock a". What is said of others
 * comes last, or the place would be theirs. */
static const char *below(const struct text_view *v, const struct mdl_thread *t, const char *wait)
{
    const struct mdl_place *p = text_where(v, t);
    const char *at = text_at(v, t), *text, *before;

    if (at && p->file && p->line && strncmp(at, "in ", 3))
        at = arena_printf(v->arena, "at %s:%d%s%s%s", mdl_base_name(p->file), p->line,
                          p->function ? " in " : "", p->function ? text_name(v, p->function) : "",
                          text_caller(v, t));
    else if (at && strncmp(at, "in ", 3))
        at = arena_printf(v->arena, "in %s", at);
    before = *wait && strncmp(wait, "for ", 4) ? "for " : "";
    text = arena_printf(v->arena, "%s%s%s%s", at ? at : "", *wait && at ? ", " : "", before, wait);
    return text;
}

static void add_row(const struct text_view *v, struct table *table, const struct groups *g, int group)
{
    const struct mdl_thread *t = &v->snap->threads[g->first[group]];
    const char *at = text_at(v, t), *wait = text_wait(v, t);
    bool one = g->size[group] == 1;

    table_row(table, t->current ? TABLE_BOLD : text_is_waiting(t) ? TABLE_WAIT : TABLE_PLAIN);
    if (t->current)
        table_cell(table, COL_MARK, "*");
    if (t->gdb_num)
        table_cell(table, COL_THR, "%s", numbers(v, g, group, gdb_num, true));
    if ((one || !t->gdb_num) && !v->snap->stable)
        table_cell(table, COL_LWP, "%s", numbers(v, g, group, lwp, true));
    else if (v->snap->stable)
        table_cell(table, COL_THREADS, "%d", g->size[group]);
    if (v->snap->runtime_count > 1)
        table_cell(table, COL_RUNTIME, "%d", t->runtime);
    if (t->thread_num >= 0 && t->team_size >= 0)
        table_cell(table, COL_OMP, "%s/%d", numbers(v, g, group, thread_num, false), t->team_size);
    else if (t->thread_num >= 0)
        table_cell(table, COL_OMP, "%s", numbers(v, g, group, thread_num, false));
    if (t->level >= 0)
        table_cell(table, COL_LEVEL, "%d", t->level);
    if (t->region && !v->snap->stable)
        table_cell(table, COL_REGION, "%" PRIu64, t->region);
    if (t->task && one && !v->snap->stable)
        table_cell(table, COL_TASK, "%" PRIu64, t->task);
    table_cell(table, COL_STATE, "%s", text_does(v, t));
    table_cell(table, COL_WAIT, "%s", wait);
    table_cell(table, COL_AT, "%s", at ? at : "");
    table_below(table, below(v, t, wait));
}

/* One line for the threads that are not OpenMP threads, by the debugger's numbers where it has some. */
static void others(const struct text_view *v)
{
    int64_t *numbers = arena_alloc(v->arena, ((size_t)v->snap->thread_count + 1) * sizeof(*numbers));
    int count = 0, unread = 0;
    bool gdb = true, current = false;
    const char *list;

    if (!numbers)
        return;
    for (int i = 0; i < v->snap->thread_count; i++)
        gdb &= v->snap->threads[i].gdb_num > 0;
    for (int i = 0; i < v->snap->thread_count; i++) {
        const struct mdl_thread *t = &v->snap->threads[i];

        unread += !t->running && !t->openmp && t->unknown_count;
        if (t->openmp || t->running || t->unknown_count || t->activity.kind != MDL_ACTIVITY_UNKNOWN)
            continue;
        current |= t->current;
        numbers[count++] = gdb ? t->gdb_num : t->lwp;
    }
    list = text_ranges(v, numbers, count);
    if (count)
        text_paragraph(
            v, 2,
            arena_printf(v->arena, "%d %s%s%s.%s", count,
                         count == 1 ? "thread is not an OpenMP thread" : "threads are not OpenMP threads",
                         v->snap->stable ? ""
                         : gdb           ? ": "
                         : count == 1    ? ": LWP "
                                         : ": LWPs ",
                         v->snap->stable ? "" : list,
                         !current     ? ""
                         : count == 1 ? " It is the current thread."
                                      : " The current thread is one of them."));
    if (unread)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "%d %s not be read.", unread,
                                    unread == 1 ? "thread could" : "threads could"));
}

void text_threads(const struct text_view *v)
{
    struct table table = {0};
    struct text_view rows = *v;
    struct groups g;
    bool single = true; /* single numbers are aligned right, lists left */

    if (text_no_runtime(v) && !text_has_rows(v))
        return;
    if (!group_threads(v->snap, group_how(v->options), v->arena, &g))
        g.count = 0;
    for (int i = 0; i < g.count; i++)
        single &= g.size[i] == 1;
    table_column(&table, " ", false, false);
    table_column(&table, "Thr", single, false);
    table_column(&table, "LWP", single, false);
    table_column(&table, "Threads", true, false);
    table_column(&table, "Runtime", true, false);
    table_column(&table, "OMP", single, false);
    table_column(&table, "Level", true, false);
    table_column(&table, "Region", true, false);
    table_column(&table, "Task", true, false);
    table_column(&table, "State", false, false);
    table_column(&table, "Waits for", false, true);
    table_set_down(&table);
    table_column(&table, "At", false, true);
    table_set_down(&table);
    rows.groups = &g;
    for (int i = 0; i < g.count; i++)
        add_row(&rows, &table, &g, i);
    if (g.count)
        table_print(&table, v->options->width, v->options->colour, v->out);
    else
        sbuf_add(v->out, "No thread is an OpenMP thread.\n");
    table_free(&table);
    others(v);
}
