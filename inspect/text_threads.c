/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "text.h"

enum {
    COL_MARK,
    COL_THR,
    COL_LWP,
    COL_RUNTIME,
    COL_OMP,
    COL_LEVEL,
    COL_REGION,
    COL_TASK,
    COL_STATE,
    COL_WAIT,
    COL_AT
};

static void add_row(const struct text_view *v, struct table *table, const struct mdl_thread *t)
{
    const char *at = text_place(v, &t->wait.at);

    table_row(table, t->current ? TABLE_BOLD : t->wait.kind ? TABLE_WAIT : TABLE_PLAIN);
    if (t->current)
        table_cell(table, COL_MARK, "*");
    if (t->gdb_num)
        table_cell(table, COL_THR, "%d", t->gdb_num);
    table_cell(table, COL_LWP, "%" PRId64, t->lwp);
    if (v->snap->runtime_count > 1)
        table_cell(table, COL_RUNTIME, "%d", t->runtime);
    if (t->thread_num >= 0 && t->team_size >= 0)
        table_cell(table, COL_OMP, "%d/%d", t->thread_num, t->team_size);
    else if (t->thread_num >= 0)
        table_cell(table, COL_OMP, "%d", t->thread_num);
    if (t->level >= 0)
        table_cell(table, COL_LEVEL, "%d", t->level);
    if (t->region)
        table_cell(table, COL_REGION, "%" PRIu64, t->region);
    if (t->task)
        table_cell(table, COL_TASK, "%" PRIu64, t->task);
    table_cell(table, COL_STATE, "%s", text_state(t));
    table_cell(table, COL_WAIT, "%s", text_wait(v, t));
    if (t->wait.kind && at)
        table_cell(table, COL_AT, "%s", at);
}

/* One line for the threads that OpenMP does not know, by the debugger's numbers where it has some. */
static void others(const struct text_view *v)
{
    int64_t *numbers = arena_alloc(v->arena, ((size_t)v->snap->thread_count + 1) * sizeof(*numbers));
    int count = 0, running = 0, unread = 0;
    bool gdb = true, current = false;
    const char *list;

    if (!numbers)
        return;
    for (int i = 0; i < v->snap->thread_count; i++)
        gdb &= v->snap->threads[i].gdb_num > 0;
    for (int i = 0; i < v->snap->thread_count; i++) {
        const struct mdl_thread *t = &v->snap->threads[i];

        running += t->running;
        unread += !t->running && !t->openmp && t->unknown_count;
        if (t->openmp || t->running || t->unknown_count)
            continue;
        current |= t->current;
        numbers[count++] = gdb ? t->gdb_num : t->lwp;
    }
    list = text_ranges(v, numbers, count);
    if (count)
        text_paragraph(
            v, 2,
            arena_printf(v->arena, "%d %s: %s%s.%s", count,
                         count == 1 ? "thread is not an OpenMP thread" : "threads are not OpenMP threads",
                         gdb          ? ""
                         : count == 1 ? "LWP "
                                      : "LWPs ",
                         list,
                         !current     ? ""
                         : count == 1 ? " It is the current one."
                                      : " The current one is among them."));
    if (running)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "%d %s running and not shown.", running,
                                    running == 1 ? "thread is" : "threads are"));
    if (unread)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "%d %s not be read.", unread,
                                    unread == 1 ? "thread could" : "threads could"));
}

void text_threads(const struct text_view *v)
{
    struct table table = {0};
    bool any = false;

    if (text_no_runtime(v))
        return;
    table_column(&table, " ", false, false);
    table_column(&table, "Thr", true, false);
    table_column(&table, "LWP", true, false);
    table_column(&table, "Runtime", true, false);
    table_column(&table, "OMP", true, false);
    table_column(&table, "Level", true, false);
    table_column(&table, "Region", true, false);
    table_column(&table, "Task", true, false);
    table_column(&table, "State", false, false);
    table_column(&table, "Waits for", false, true);
    table_column(&table, "At", false, true);
    for (int i = 0; i < v->snap->thread_count; i++)
        if (v->snap->threads[i].openmp) {
            add_row(v, &table, &v->snap->threads[i]);
            any = true;
        }
    if (any)
        table_print(&table, v->options->width, v->options->colour, v->out);
    else
        sbuf_add(v->out, "No thread is an OpenMP thread.\n");
    table_free(&table);
    others(v);
}
