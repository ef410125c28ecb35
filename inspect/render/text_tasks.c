/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/task_groups.h"
#include "inspect/render/text_view.h"

enum {
    COL_MARK,
    COL_TASK,
    COL_RUNTIME,
    COL_KIND,
    COL_STATE,
    COL_REGION,
    COL_CREATOR,
    COL_THREAD,
    COL_FUNCTION,
    COL_AT,
    COL_WAIT
};
/* Fewer equal tasks are listed one by one. */
enum { MAX_DEPTH = 200, FOLD_FROM = 9 };
/* Characters of the numbers of a row of several tasks. */
enum { NUMBERS_ROOM = 10 };

/* Children of each task in order of ids: child[i] the first, sibling[i] the next; -1 none. */
struct tree {
    struct groups groups;
    int *child, *sibling, *root;
    int roots;
    char *shown;
};

static bool build(const struct text_view *v, struct tree *t)
{
    const insp_snapshot *s = v->snap;
    size_t n = (size_t)s->task_count + 1;

    t->child = arena_alloc(v->arena, n * sizeof(int));
    t->sibling = arena_alloc(v->arena, n * sizeof(int));
    t->root = arena_alloc(v->arena, n * sizeof(int));
    t->shown = arena_alloc(v->arena, n);
    t->roots = 0;
    if (!t->child || !t->sibling || !t->root || !t->shown || !task_groups(v, &t->groups))
        return false;
    for (size_t i = 0; i < n; i++)
        t->child[i] = t->sibling[i] = -1;
    for (int i = s->task_count - 1; i >= 0; i--) {
        const struct mdl_task *parent = mdl_task_by_id(s, s->tasks[i].runtime, s->tasks[i].generator);

        if (parent && parent != &s->tasks[i]) {
            t->sibling[i] = t->child[parent - s->tasks];
            t->child[parent - s->tasks] = i;
        }
    }
    for (int i = 0; i < s->task_count; i++)
        if (!mdl_task_by_id(s, s->tasks[i].runtime, s->tasks[i].generator))
            t->root[t->roots++] = i;
    return true;
}

static const char *waits_for(const struct text_view *v, const struct mdl_task *task)
{
    const struct mdl_thread *t = task_runner(v->snap, task);
    const char *why;
    int64_t *ids;

    if (task->depends_count) {
        ids = arena_alloc(v->arena, (size_t)task->depends_count * sizeof(*ids));
        for (int i = 0; ids && i < task->depends_count; i++)
            ids[i] = (int64_t)task->depends_on[i];
        return arena_printf(v->arena, "%s %s", task->depends_count == 1 ? "task" : "tasks",
                            ids ? text_ranges(v, ids, task->depends_count) : "?");
    }
    why = mdl_unknown_reason(task->unknown, task->unknown_count, "depends_on");
    if (why && task->state == MDL_TASK_BLOCKED)
        return arena_printf(v->arena, "tasks that are not known: %s", why);
    if (!t)
        return "";
    if (!t->wait.kind)
        return text_is_waiting(t) ? mdl_activity_name(v->arena, v->snap, &t->activity, false) : "";
    /* The table of threads has the owners of locks. */
    return mdl_wait_name(v->arena, &t->wait, false);
}

/* The threads of a group of tasks that run. */
static void add_threads(const struct text_view *v, struct table *table, const struct groups *g, int group)
{
    int64_t *threads = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*threads));
    bool gdb = true;
    int n = 0;

    for (int i = g->first[group]; threads && i >= 0; i = g->next[i]) {
        const struct mdl_thread *t = task_runner(v->snap, &v->snap->tasks[i]);

        gdb &= t && t->gdb_num > 0;
    }
    for (int i = g->first[group]; threads && i >= 0; i = g->next[i]) {
        const struct mdl_thread *t = task_runner(v->snap, &v->snap->tasks[i]);

        if (t)
            threads[n++] = gdb ? t->gdb_num : t->lwp;
    }
    if (!n)
        return;
    qsort(threads, (size_t)n, sizeof(*threads), text_by_number);
    if (v->snap->stable)
        table_cell(table, COL_THREAD, "%s", text_stable_threads(v, threads, n, NUMBERS_ROOM));
    else
        table_cell(table, COL_THREAD, "%s%s", gdb ? "" : "LWP ",
                   text_short_ranges(v, threads, n, NUMBERS_ROOM));
}

/* The row of task I, or of its whole group. */
static void add_row(const struct text_view *v, const struct tree *tree, struct table *table, int i, bool all,
                    int depth)
{
    const struct groups *g = &tree->groups;
    const insp_snapshot *s = v->snap;
    const struct mdl_task *task = &s->tasks[i];
    const struct mdl_thread *t = task_runner(s, task);
    bool current = t && t->current;
    const struct mdl_thread *on = mdl_thread_by_lwp(s, task->lwp);
    const char *wait = waits_for(v, task);

    table_row(table, current ? TABLE_BOLD : task->state == MDL_TASK_BLOCKED ? TABLE_WAIT : TABLE_PLAIN);
    if (current)
        table_cell(table, COL_MARK, "*");
    if (all)
        table_cell(table, COL_TASK, "%*s%s (%d)", 2 * depth, "", task_ids(v, g, g->of[i], NUMBERS_ROOM),
                   g->size[g->of[i]]);
    else
        table_cell(table, COL_TASK, "%*s%" PRIu64, 2 * depth, "", task->id);
    if (s->runtime_count > 1)
        table_cell(table, COL_RUNTIME, "%d", task->runtime);
    table_cell(table, COL_KIND, "%s", task->kind ? text_task_kind(task) : "?");
    table_cell(table, COL_STATE, "%s", task_state(v, task));
    if (task->region)
        table_cell(table, COL_REGION, "%" PRIu64, task->region);
    if (task->creator_thread_num >= 0)
        table_cell(table, COL_CREATOR, "%d", task->creator_thread_num);
    if (all)
        add_threads(v, table, g, g->of[i]);
    else if (on && on->gdb_num)
        table_cell(table, COL_THREAD, "%d", on->gdb_num);
    else if (task->lwp && s->stable)
        table_cell(table, COL_THREAD, "%s", mdl_thread_name(v->arena, s, task->lwp));
    else if (task->lwp)
        table_cell(table, COL_THREAD, "LWP %" PRId64, task->lwp);
    if (task->place.function && task->entry && v->options->addresses && !s->stable)
        table_cell(table, COL_FUNCTION, "%s 0x%" PRIx64, task->place.function, task->entry);
    else if (task->place.function)
        table_cell(table, COL_FUNCTION, "%s", task->place.function);
    else if (task->entry && s->stable && task->place.module)
        table_cell(table, COL_FUNCTION, "in %s", mdl_base_name(task->place.module));
    else if (task->entry && !s->stable && (v->options->addresses || !task->place.file))
        table_cell(table, COL_FUNCTION, "0x%" PRIx64 "%s%s", task->entry, task->place.module ? " in " : "",
                   task->place.module ? mdl_base_name(task->place.module) : "");
    if (task->place.file && task->place.line)
        table_cell(table, COL_AT, "%s:%d", mdl_base_name(task->place.file), task->place.line);
    if (all && task->depends_count)
        wait = task_group_depends(v, g, g->of[i]);
    table_cell(table, COL_WAIT, "%s", wait);
    if (wait && *wait)
        table_below(table, arena_printf(v->arena, "%*swaits for %s", 2 * depth, "", wait));
}

static bool wanted(const struct text_view *v, const struct mdl_task *task)
{
    return !v->options->filter ||
           mdl_same(v->options->filter, mdl_word(&mdl_task_state_words, (int)task->state));
}

/* Adds the row of task I, or of its group when that is large; they are marked as shown. */
static void add_folded(const struct text_view *v, struct tree *tree, struct table *table, int i, int depth)
{
    const struct groups *g = &tree->groups;
    bool all = g->size[g->of[i]] >= FOLD_FROM;

    if (wanted(v, &v->snap->tasks[i]))
        add_row(v, tree, table, i, all, v->options->filter ? 0 : depth);
    tree->shown[i] = 1;
    for (int k = g->first[g->of[i]]; all && k >= 0; k = g->next[k])
        tree->shown[k] = 1;
}

static void add_tree(const struct text_view *v, struct tree *tree, struct table *table, int root)
{
    int stack[MAX_DEPTH], depth = 0;

    stack[0] = root;
    while (depth >= 0) {
        int i = stack[depth];

        while (depth && i >= 0 && tree->shown[i])
            i = tree->sibling[i];
        if (i < 0 || tree->shown[i]) {
            depth--;
            continue;
        }
        add_folded(v, tree, table, i, depth);
        stack[depth] = depth ? tree->sibling[i] : -1;
        if (tree->child[i] >= 0 && depth + 1 < MAX_DEPTH)
            stack[++depth] = tree->child[i];
    }
}

static bool same_reason(const struct mdl_task *a, const struct mdl_task *b)
{
    return a->runtime == b->runtime && a->region == b->region && a->not_taken.reason == b->not_taken.reason &&
           a->not_taken.lwp == b->not_taken.lwp && a->not_taken.task == b->not_taken.task &&
           a->not_taken.before == b->not_taken.before && a->not_taken.queued == b->not_taken.queued;
}

/* ", NUMBER WHAT" or ": NUMBER WHAT" behind TEXT. */
static const char *counted(const struct text_view *v, const char *text, int number, const char *one,
                           const char *more)
{
    const char *between = strchr(text, ':') ? "," : ":";

    text =
        number ? arena_printf(v->arena, "%s%s %d %s", text, between, number, number == 1 ? one : more) : text;
    return text ? text : "";
}

/* What the threads of the team do, that are more than one. */
static const char *team_doing(const struct text_view *v, const struct mdl_team_doing *team)
{
    const char *text = "all threads of the team do something else";

    text = counted(v, text, team->computes, "computes", "compute");
    text = counted(v, text, team->system_call, "is in a system call", "are in system calls");
    text = counted(v, text, team->waits, "waits for a lock or the like", "wait for locks or the like");
    text = counted(v, text, team->inside, "is in a region inside", "are in regions inside");
    return strchr(text, ':') ? counted(v, text, team->others, "does something else", "do something else")
                             : text;
}

/* What comes before the tasks like T, and whether a queue is full; "" nothing. */
static const char *queue_words(const struct text_view *v, const struct mdl_not_taken *n)
{
    const char *text = "";

    if (n->before > 0 && n->reason != MDL_NOT_TAKEN_PRIORITY)
        text = arena_printf(v->arena, " %d ready task%s of a higher priority come%s before.", n->before,
                            n->before == 1 ? "" : "s", n->before == 1 ? "s" : "");
    if (text && n->queue_full && n->queued >= n->queue_full)
        text = arena_printf(v->arena,
                            "%s A thread with %" PRId64
                            " tasks in its queue executes further ones that it creates itself, at once.",
                            text, n->queue_full);
    return text ? text : "";
}

/* Why the tasks like T are not taken, in words that follow "is not taken: ". */
static const char *not_taken(const struct text_view *v, const struct mdl_task *task)
{
    const struct mdl_not_taken *n = &task->not_taken;
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, n->lwp);
    const char *name = t ? mdl_thread_name(v->arena, v->snap, n->lwp) : NULL;

    switch (n->reason) {
    case MDL_NOT_TAKEN_PRIORITY:
        return arena_printf(v->arena,
                            "%s is free, and takes task %" PRIu64 ", which has a higher priority, first",
                            name ? name : "a thread", n->task);
    case MDL_NOT_TAKEN_SYSTEM_CALL:
        if (!t || n->team.system_call == 1)
            break;
        return arena_printf(v->arena, "all %d threads of the team are in system calls; %s %s",
                            n->team.system_call, name, text_doing(v, t));
    case MDL_NOT_TAKEN_FREE:
        return name ? arena_printf(v->arena, "nothing that is known keeps %s from taking one now", name)
                    : "nothing that is known keeps a waiting thread from taking one now";
    case MDL_NOT_TAKEN_CONSTRAINT:
        return arena_printf(v->arena,
                            "%s waits in tied task %" PRIu64
                            " and may take only descendants of that task; no other "
                            "thread of the team is free",
                            name ? name : "a thread", n->task);
    case MDL_NOT_TAKEN_BUSY:
        break;
    default:
        return "why cannot be known";
    }
    return name ? arena_printf(v->arena, "the team's only thread, %s, %s", name, text_doing(v, t))
                : team_doing(v, &n->team);
}

/* A sentence for each reason, with the numbers of its tasks. */
static void explain_ready(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    int64_t *ids = arena_alloc(v->arena, ((size_t)s->task_count + 1) * sizeof(*ids));
    char *said = arena_alloc(v->arena, (size_t)s->task_count + 1);

    for (int i = 0; ids && said && i < s->task_count; i++) {
        int count = 0;

        if (said[i] || s->tasks[i].not_taken.reason == MDL_NOT_TAKEN_NONE || !wanted(v, &s->tasks[i]))
            continue;
        for (int k = i; k < s->task_count; k++)
            if (!said[k] && same_reason(&s->tasks[i], &s->tasks[k])) {
                said[k] = 1;
                ids[count++] = (int64_t)s->tasks[k].id;
            }
        text_paragraph(v, 2,
                       arena_printf(v->arena, "Ready and not taken: %s %s: %s.%s",
                                    count == 1 ? "task" : "tasks",
                                    text_short_ranges(v, ids, count, 4 * NUMBERS_ROOM),
                                    not_taken(v, &s->tasks[i]), queue_words(v, &s->tasks[i].not_taken)));
    }
}

void text_tasks(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    struct table table = {0};
    struct tree tree;
    bool explicit_task = false, parallel = false;

    if (text_no_runtime(v))
        return;
    for (int i = 0; i < s->task_count; i++) {
        enum mdl_task_kind kind = s->tasks[i].kind;

        parallel |= kind == MDL_TASK_IMPLICIT;
        explicit_task |= kind && kind != MDL_TASK_IMPLICIT && kind != MDL_TASK_INITIAL;
    }
    if (!explicit_task)
        sbuf_add(v->out, "There are no explicit tasks.\n");
    if ((!explicit_task && !parallel) || !build(v, &tree))
        return;
    table_column(&table, " ", false, false);
    table_column(&table, "Task", false, false);
    table_column(&table, "Runtime", true, false);
    table_column(&table, "Kind", false, false);
    table_column(&table, "State", false, false);
    table_column(&table, "Region", true, false);
    table_column(&table, "Creator", true, false);
    table_column(&table, "Thr", true, false);
    table_column(&table, "Function", false, true);
    table_set_cut(&table);
    table_column(&table, "At", false, true);
    table_column(&table, "Waits for", false, true);
    table_set_down(&table);
    for (int i = 0; i < tree.roots; i++)
        add_tree(v, &tree, &table, tree.root[i]);
    /* Tasks that are their own ancestors, or too deep: still shown. */
    for (int i = 0; i < s->task_count; i++)
        if (!tree.shown[i])
            add_tree(v, &tree, &table, i);
    if (table.count)
        table_print(&table, v->options->width, v->options->colour, v->out);
    else
        sbuf_printf(v->out, "No task is %s.\n", v->options->filter ? v->options->filter : "known");
    table_free(&table);
    explain_ready(v);
}
