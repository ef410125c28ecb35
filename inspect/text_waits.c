/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The view `waits`: the verdict, the circle, then who waits for what, and what those do who keep others waiting.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "stacks.h"
#include "text.h"

static const char *end_name(const struct text_view *v, const struct mdl_end *end)
{
    const struct mdl_task *t;
    const char *at, *name;

    if (!end->task)
        return mdl_thread_name(v->arena, v->snap, end->lwp);
    t = mdl_task_by_id(v->snap, end->runtime, end->task);
    at = t && t->place.file && t->place.line > 0
             ? arena_printf(v->arena, " (%s:%d)", mdl_base_name(t->place.file), t->place.line)
             : NULL;
    name = arena_printf(v->arena, "task %" PRIu64 "%s", end->task, at ? at : "");
    return name ? name : "?";
}

static bool in_verdict(const insp_snapshot *s, int edge)
{
    for (int i = 0; i < s->verdict.edge_count; i++)
        if (s->verdict.edges[i] == edge)
            return true;
    return false;
}

static bool same_end(const struct mdl_end *a, const struct mdl_end *b)
{
    return a->lwp == b->lwp && a->task == b->task && a->runtime == b->runtime;
}

static void add_edge(const struct text_view *v, struct table *table, const struct mdl_edge *e,
                     const char *from, const char *to_text)
{
    const struct mdl_thread *to = mdl_thread_by_lwp(v->snap, e->to.lwp);
    const struct mdl_task *task = mdl_task_by_id(v->snap, e->to.runtime, e->to.task);
    bool told = in_verdict(v->snap, e->id);

    table_row(table, told ? TABLE_BOLD : TABLE_PLAIN);
    if (told)
        table_cell(table, 0, "!");
    table_cell(table, 1, "%s", from);
    table_cell(table, 2, "%s", e->because);
    table_cell(table, 3, "%s", to_text);
    if (to)
        table_cell(table, 4, "%s",
                   to->wait.kind                 ? "waits itself"
                   : mdl_same(to->state, "idle") ? "is idle"
                                                 : stack_doing(v->arena, to));
    else if (task && task->state)
        table_cell(table, 4, "%s", task->state);
    table_cell(table, 5, "%s", e->proved ? "" : "perhaps");
}

/* Further tasks of the same state that the same one waits for: their edges stand behind this one. */
static const char *tasks_of(const struct text_view *v, int first, char *shown)
{
    const insp_snapshot *s = v->snap;
    const struct mdl_edge *e = &s->edges[first];
    const struct mdl_task *t = mdl_task_by_id(s, e->to.runtime, e->to.task);
    int64_t *ids = NULL;
    int n = 0;

    for (int k = first;
         t && !in_verdict(s, first) && k < s->edge_count && same_end(&s->edges[k].from, &e->from); k++) {
        const struct mdl_task *other = mdl_task_by_id(s, s->edges[k].to.runtime, s->edges[k].to.task);

        if (shown[k] || !other || !mdl_same(other->state, t->state) || in_verdict(s, k))
            continue;
        ids = arena_grow(v->arena, ids, (size_t)n, sizeof(*ids));
        if (!ids)
            break;
        ids[n++] = (int64_t)other->id;
        shown[k] = 1;
    }
    if (!ids || n < 2)
        return end_name(v, &e->to);
    qsort(ids, (size_t)n, sizeof(*ids), text_by_number);
    return arena_printf(v->arena, "tasks %s", text_ranges(v, ids, n));
}

/* What waits for tasks is told of the first thread of a group alone: the tasks are the same for all of it. */
static bool told_by_first(const struct groups *g, int group, const struct mdl_thread *t,
                          const insp_snapshot *s, const struct mdl_edge *e)
{
    return group >= 0 && e->to.task && &s->threads[g->first[group]] != t;
}

/* Edges that differ only in who waits stand in one row; the list has a thread's edges side by side. */
static void add_edges(const struct text_view *v, struct table *table, const struct groups *g)
{
    const insp_snapshot *s = v->snap;
    char *shown = arena_alloc(v->arena, (size_t)s->edge_count + 1);

    for (int i = 0; shown && i < s->edge_count; i++) {
        const struct mdl_edge *e = &s->edges[i];
        const struct mdl_thread *t = mdl_thread_by_lwp(s, e->from.lwp);
        int group = t ? g->of[t - s->threads] : -1, n = 0, room = group >= 0 ? g->size[group] : 1;
        int64_t *from = arena_alloc(v->arena, ((size_t)room + 1) * sizeof(*from));
        const char *who = NULL;

        if (shown[i] || !from || (told_by_first(g, group, t, s, e) && !in_verdict(s, i)))
            continue;
        if (t && room > 1 && !in_verdict(s, i)) {
            for (int k = i; !e->to.task && n < room && k < s->edge_count; k++) {
                const struct mdl_thread *other = mdl_thread_by_lwp(s, s->edges[k].from.lwp);

                if (!other || g->of[other - s->threads] != group || !same_end(&s->edges[k].to, &e->to))
                    continue;
                shown[k] = 1;
                from[n++] = other->gdb_num ? other->gdb_num : other->lwp;
            }
            for (int k = g->first[group]; e->to.task && k >= 0; k = g->next[k])
                from[n++] = s->threads[k].gdb_num ? s->threads[k].gdb_num : s->threads[k].lwp;
        }
        qsort(from, (size_t)n, sizeof(*from), text_by_number);
        if (n > 1)
            who = arena_printf(v->arena, "%s %s (%d threads)", t->gdb_num ? "threads" : "LWPs",
                               text_ranges(v, from, n), n);
        add_edge(v, table, e, who ? who : end_name(v, &e->from),
                 e->to.task ? tasks_of(v, i, shown) : end_name(v, &e->to));
    }
}

void text_waits(const struct text_view *v)
{
    struct table table = {0};
    struct groups g;

    text_paragraph(v, 2, v->snap->verdict.sentence ? v->snap->verdict.sentence : "Nothing can be said.");
    if (text_no_runtime(v) || !group_threads(v->snap, v->options->expand, v->arena, &g))
        return;
    if (!v->snap->edge_count) {
        sbuf_add(v->out, v->snap->complete ? "Nobody waits for a thread or task.\n"
                                           : "Nobody is known to wait for a thread or task.\n");
        return;
    }
    sbuf_add(v->out, "\n");
    table_column(&table, " ", false, false);
    table_column(&table, "Who", false, true);
    table_column(&table, "Waits for", false, true);
    table_column(&table, "Of", false, true);
    table_column(&table, "Which", false, true);
    table_column(&table, "Sure", false, false);
    add_edges(v, &table, &g);
    table_print(&table, v->options->width, v->options->colour, v->out);
    table_free(&table);
}
