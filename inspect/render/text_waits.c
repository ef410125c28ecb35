/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The view `waits`: the verdict and its edges, then all other waits, and what the threads waited for do.
 */
#include "inspect/render/text_waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/group.h"
#include "inspect/render/report.h"
#include "inspect/render/task_groups.h"
#include "inspect/render/text_view.h"

/* Characters of numbers in one cell. */
enum { LIST_ROOM = 14 };
/* So many edges to tasks a thread has at most: graph/edges.c. */
enum { EDGES_MAX = 64 };

static const char *end_name(const struct text_view *v, const struct mdl_end *end)
{
    const struct mdl_task *t;
    const char *at, *name;

    if (end->pid) {
        name = arena_printf(v->arena, "process %" PRId64, end->pid);
        return name ? name : "?";
    }
    if (!end->task)
        return mdl_thread_name(v->arena, v->snap, end->lwp);
    t = mdl_task_by_id(v->snap, end->runtime, end->task);
    at = t && t->place.file && t->place.line > 0
             ? arena_printf(v->arena, " (%s:%d)", mdl_base_name(t->place.file), t->place.line)
             : NULL;
    name = arena_printf(v->arena, "task %" PRIu64 "%s", end->task, at ? at : "");
    return name ? name : "?";
}

/* Is it only probable that the edge leads to who holds what its thread waits for? */
static bool is_probable(const struct text_view *v, const struct mdl_edge *e)
{
    const struct mdl_thread *from = e->from.task ? NULL : mdl_thread_by_lwp(v->snap, e->from.lwp);

    return from && e->to.lwp && mdl_probable_owner(from) == e->to.lwp;
}

static bool in_verdict(const insp_snapshot *s, int edge)
{
    return s->edges[edge].in_verdict;
}

static bool same_end(const struct mdl_end *a, const struct mdl_end *b)
{
    return a->lwp == b->lwp && a->task == b->task && a->runtime == b->runtime && a->pid == b->pid;
}

static const char *task_doing(const struct text_view *v, const struct mdl_task *task)
{
    const char *state = task_state(v, task), *text;

    if (!strcmp(state, "waiting"))
        return "also waits";
    if (!strcmp(state, "sleeps") || !strcmp(state, "has ended"))
        return state;
    text = arena_printf(v->arena, "is %s", task->state == MDL_TASK_CREATED ? "being created" : state);
    return text ? text : "";
}

/* TO_TEXT names MANY threads, or one thread or task. */
static void add_edge(const struct text_view *v, struct table *table, const struct mdl_edge *e,
                     const char *from, const char *to_text, bool many)
{
    const struct mdl_thread *to = mdl_thread_by_lwp(v->snap, e->to.lwp);
    const struct mdl_task *task = mdl_task_by_id(v->snap, e->to.runtime, e->to.task);
    const char *which = "";
    bool bold = in_verdict(v->snap, e->id);

    table_row(table, bold ? TABLE_BOLD : TABLE_PLAIN);
    if (bold)
        table_cell(table, 0, "!");
    table_cell(table, 1, "%s", from);
    table_cell(table, 2, "%s", text_because(v, e));
    table_cell(table, 3, "%s%s", is_probable(v, e) ? "probably " : "", to_text);
    if (to)
        which = text_is_waiting(to) ? "also waits"
                : to->called        ? "is called, has not arrived yet"
                                    : text_doing(v, to);
    else if (e->to.pid)
        which = "is not looked at";
    else if (task && task->state)
        which = task_doing(v, task);
    if (*which && many)
        which = arena_printf(v->arena, "each %s", which);
    if (!which)
        which = "";
    table_cell(table, 4, "%s", which);
    table_cell(table, 5, "%s", e->proved ? "" : "no");
    if (*which)
        table_below(table, arena_printf(v->arena, many ? "%s" : "which %s", which));
}

/* Further tasks of the same state that the same thread waits for: their edges follow this one. */
static const char *tasks_of(const struct text_view *v, int first, char *shown)
{
    const insp_snapshot *s = v->snap;
    const struct mdl_edge *e = &s->edges[first];
    const struct mdl_task *t = mdl_task_by_id(s, e->to.runtime, e->to.task);
    int64_t *ids = NULL;
    int n = 0, all = 0;

    for (int k = 0; k < s->edge_count; k++)
        all += s->edges[k].to.task && same_end(&s->edges[k].from, &e->from);
    for (int k = first;
         t && !in_verdict(s, first) && k < s->edge_count && same_end(&s->edges[k].from, &e->from); k++) {
        const struct mdl_task *other = mdl_task_by_id(s, s->edges[k].to.runtime, s->edges[k].to.task);

        if (shown[k] || !other || other->state != t->state || in_verdict(s, k))
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
    return arena_printf(v->arena, all < EDGES_MAX ? "%d tasks: %s" : "at least %d tasks: %s", n,
                        text_short_ranges(v, ids, n, LIST_ROOM));
}

/* Waits for tasks are shown for the first thread of a group only: the tasks are the same for all of it. */
static bool shown_by_first(const struct groups *g, int group, const struct mdl_thread *t,
                           const insp_snapshot *s, const struct mdl_edge *e)
{
    return group >= 0 && e->to.task && &s->threads[g->first[group]] != t;
}

static int group_of(const struct groups *g, const insp_snapshot *s, const struct mdl_end *end)
{
    const struct mdl_thread *t = end->task ? NULL : mdl_thread_by_lwp(s, end->lwp);

    return t ? g->of[t - s->threads] : -1;
}

static int size_of(const struct groups *g, int group)
{
    return group < 0 ? 1 : g->size[group];
}

/* "LWP 7", "LWPs 7, 8, ... (30 threads)" of the marked threads; the marks are taken away. */
static const char *marked(const struct text_view *v, char *marks, int *ret_count)
{
    const insp_snapshot *s = v->snap;
    int64_t *numbers = arena_alloc(v->arena, ((size_t)s->thread_count + 1) * sizeof(*numbers)), lwp = 0;
    bool gdb = true;
    const char *text;
    int n = 0;

    for (int i = 0; i < s->thread_count; i++)
        gdb &= !marks[i] || s->threads[i].gdb_num > 0;
    for (int i = 0; numbers && i < s->thread_count; i++) {
        if (!marks[i])
            continue;
        marks[i] = 0;
        lwp = s->threads[i].lwp;
        numbers[n++] = gdb ? s->threads[i].gdb_num : lwp;
    }
    *ret_count = n;
    if (n && s->stable)
        return n == 1 ? text_stable_threads(v, numbers, n, LIST_ROOM)
                      : arena_printf(v->arena, "%s (%d threads)",
                                     text_stable_threads(v, numbers, n, LIST_ROOM), n);
    if (n == 1)
        return mdl_thread_name(v->arena, s, lwp);
    if (numbers)
        qsort(numbers, (size_t)n, sizeof(*numbers), text_by_number);
    text = n ? arena_printf(v->arena, "%s %s (%d threads)", gdb ? "threads" : "LWPs",
                            text_short_ranges(v, numbers, n, LIST_ROOM), n)
             : NULL;
    return text ? text : "?";
}

/* Edges of one group of threads to another are one row. Edge FIRST is of a group, or leads to one; a thread's
 * edges stand side by side. */
static void mark_both(const insp_snapshot *s, const struct groups *g, int first, char *shown, char *from,
                      char *to)
{
    const struct mdl_edge *e = &s->edges[first];
    int of = group_of(g, s, &e->from), on = group_of(g, s, &e->to);
    bool alone = size_of(g, of) == 1;

    for (int k = first; k < s->edge_count; k++) {
        const struct mdl_edge *other = &s->edges[k];

        if (alone && !same_end(&other->from, &e->from))
            return;
        if (in_verdict(s, k) || other->proved != e->proved || group_of(g, s, &other->from) != of ||
            (on < 0 ? !same_end(&other->to, &e->to) : group_of(g, s, &other->to) != on))
            continue;
        shown[k] = 1;
        from[mdl_thread_by_lwp(s, other->from.lwp) - s->threads] = 1;
        if (on >= 0)
            to[mdl_thread_by_lwp(s, other->to.lwp) - s->threads] = 1;
    }
}

/* Fewer equal tasks are listed one by one. */
enum { FOLD_FROM = 9 };

/* Edge FIRST is of a task: what the tasks of its group wait for is one row. False: they are few, or it is of
 * the verdict. */
static bool add_chain(const struct text_view *v, struct table *table, const struct groups *g, int first,
                      char *shown)
{
    const insp_snapshot *s = v->snap;
    const struct mdl_edge *e = &s->edges[first];
    const struct mdl_task *task = mdl_task_by_id(s, e->from.runtime, e->from.task);
    int group = task ? g->of[task - s->tasks] : -1;

    if (!task || !task->depends_count || g->size[group] < FOLD_FROM || in_verdict(s, first))
        return false;
    for (int k = first; k < s->edge_count; k++) {
        const struct mdl_task *from = mdl_task_by_id(s, s->edges[k].from.runtime, s->edges[k].from.task);

        if (from && g->of[from - s->tasks] == group && !in_verdict(s, k))
            shown[k] = 1;
    }
    table_row(table, TABLE_PLAIN);
    table_cell(table, 1, "%d tasks: %s", g->size[group], task_ids(v, g, group, LIST_ROOM));
    table_cell(table, 2, "%s", text_because(v, e));
    table_cell(table, 3, "%s", task_group_depends(v, g, group));
    return true;
}

/* Edges that differ only in the waiter, or in the member of a group that is waited for, share a row. */
static void add_edges(const struct text_view *v, struct table *table, const struct groups *g,
                      const struct groups *tasks)
{
    const insp_snapshot *s = v->snap;
    char *shown = arena_alloc(v->arena, (size_t)s->edge_count + 1);
    char *from = arena_alloc(v->arena, (size_t)s->thread_count + 1);
    char *to = arena_alloc(v->arena, (size_t)s->thread_count + 1);

    for (int i = 0; shown && from && to && i < s->edge_count; i++) {
        const struct mdl_edge *e = &s->edges[i];
        int of = group_of(g, s, &e->from), on = group_of(g, s, &e->to), waiting, others = 1;
        const char *waiter = NULL, *blocker = NULL;

        if (shown[i] ||
            (of >= 0 && !in_verdict(s, i) && shown_by_first(g, of, mdl_thread_by_lwp(s, e->from.lwp), s, e)))
            continue;
        if (e->from.task && add_chain(v, table, tasks, i, shown))
            continue;
        if (of >= 0 && !in_verdict(s, i) && e->to.task) {
            for (int k = g->first[of]; k >= 0; k = g->next[k])
                from[k] = 1;
            waiter = marked(v, from, &waiting);
        } else if (of >= 0 && !in_verdict(s, i) && (size_of(g, of) > 1 || size_of(g, on) > 1)) {
            mark_both(s, g, i, shown, from, to);
            waiter = marked(v, from, &waiting);
            blocker = on >= 0 ? marked(v, to, &others) : NULL;
        }
        add_edge(v, table, e, waiter ? waiter : end_name(v, &e->from),
                 blocker      ? blocker
                 : e->to.task ? tasks_of(v, i, shown)
                              : end_name(v, &e->to),
                 others > 1);
    }
}

static bool has_edge(const insp_snapshot *s, const struct mdl_thread *t)
{
    for (int i = 0; i < s->edge_count; i++)
        if (s->edges[i].from.lwp == t->lwp)
            return true;
    return false;
}

const char *text_absent_holder(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_activity *act = &t->activity;
    const char *holder;

    if (mdl_is_mutex(t->wait.kind) && t->wait.owner == MDL_OWNER_ENDED)
        return "a thread that has ended";
    if (mdl_is_mutex(t->wait.kind) && t->wait.owner == MDL_OWNER_SOMEBODY)
        return mdl_probable_owner(t) ? NULL : "not recorded by the runtime";
    if (mdl_is_mutex(t->wait.kind))
        return t->wait.owner == MDL_OWNER_THREAD && !t->wait.owner_lwp ? "a thread that is not listed" : NULL;
    if (t->wait.kind || !text_is_waiting(t) || (act->owner == MDL_OWNER_THREAD && act->owner_lwp) ||
        has_edge(v->snap, t))
        return NULL;
    if (act->owner == MDL_OWNER_UNKNOWN)
        return "not known";
    holder = mdl_activity_holder(v->arena, v->snap, t->lwp, act);
    return strncmp(holder, "held by ", 8) ? holder : holder + 8;
}

static void add_absent(const struct text_view *v, struct table *table, const struct groups *g)
{
    const insp_snapshot *s = v->snap;
    char *marks = arena_alloc(v->arena, (size_t)s->thread_count + 1);

    for (int i = 0; marks && i < g->count; i++) {
        const struct mdl_thread *t = &s->threads[g->first[i]];
        const char *blocker = text_absent_holder(v, t);
        const char *time = t->wait.kind ? "" : mdl_timeout(v->arena, t->activity.timeout_ns);
        int count;

        if (!blocker)
            continue;
        for (int k = g->first[i]; k >= 0; k = g->next[k])
            marks[k] = 1;
        table_row(table, TABLE_PLAIN);
        table_cell(table, 1, "%s", marked(v, marks, &count));
        table_cell(table, 2, "%s%s%s",
                   t->wait.kind ? mdl_wait_name(v->arena, &t->wait, v->options->addresses)
                                : text_object(v, t),
                   *time ? ", " : "", time);
        table_cell(table, 3, "%s", blocker);
    }
}

/* Is there a waiting thread of which it is not known what it waits for? */
static bool waits_for_unknown(const insp_snapshot *s)
{
    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_wait *w = &s->threads[i].wait;

        if (!w->kind && text_is_waiting(&s->threads[i]))
            return true;
        if (w->kind &&
            (mdl_is_mutex(w->kind) ? w->owner == MDL_OWNER_UNKNOWN || w->owner == MDL_OWNER_SOMEBODY
                                   : !w->barrier || !w->arrivals_known))
            return true;
    }
    return false;
}

/* Is there a thread in a call that another process may have to end? */
static bool in_calls(const insp_snapshot *s)
{
    for (int i = 0; i < s->thread_count; i++)
        if (s->threads[i].activity.kind >= MDL_ACTIVITY_READ &&
            s->threads[i].activity.kind <= MDL_ACTIVITY_MPI)
            return true;
    return false;
}

void text_waits(const struct text_view *v)
{
    struct table table = {0};
    struct text_view rows = *v;
    struct groups tasks;
    struct groups g;
    bool known;

    text_verdict(v);
    if ((text_no_runtime(v) && !text_has_rows(v)) ||
        !group_threads(v->snap, group_how(v->options), v->arena, &g) || !task_groups(v, &tasks))
        return;
    table_column(&table, " ", false, false);
    table_column(&table, "Waiter", false, true);
    table_column(&table, "Waits for", false, true);
    table_column(&table, "Blocked by", false, true);
    table_column(&table, "What it does", false, true);
    table_set_down(&table);
    table_column(&table, "Proved", false, false);
    add_edges(v, &table, &g, &tasks);
    rows.groups = &g;
    add_absent(&rows, &table, &g);
    if (table.count) {
        sbuf_add(v->out, "\n");
        table_print(&table, v->options->width, v->options->colour, v->out);
    } else if (insp_verdict(v->snap, NULL) < INSP_SUSPECTED) {
        known = v->snap->complete && !waits_for_unknown(v->snap);
        text_paragraph(v, 2,
                       arena_printf(v->arena, "No thread or task %s for another%s.",
                                    known ? "waits" : "is known to wait",
                                    known && in_calls(v->snap) ? " of this process" : ""));
    }
    table_free(&table);
}
