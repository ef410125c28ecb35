/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/text.h"

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
/* Shorter runs of equal tasks are listed one by one. */
enum { MAX_DEPTH = 200, FOLD_FROM = 9 };
/* Members of a larger team fold in pieces. */
enum { FOLD_LOOK = 5000 };
/* Characters of the numbers of a row of implicit tasks. */
enum { NUMBERS_ROOM = 10 };

/* Children of each task in order of ids: child[i] the first, sibling[i] the next; -1 none. */
struct tree {
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
    if (!t->child || !t->sibling || !t->root || !t->shown)
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

static const struct mdl_thread *runner(const insp_snapshot *s, const struct mdl_task *task)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, task->lwp);

    return t && t->task == task->id && t->runtime == task->runtime ? t : NULL;
}

static const char *waits_for(const struct text_view *v, const struct mdl_task *task)
{
    const struct mdl_thread *t = runner(v->snap, task);
    int64_t *ids;

    if (task->depends_count) {
        ids = arena_alloc(v->arena, (size_t)task->depends_count * sizeof(*ids));
        for (int i = 0; ids && i < task->depends_count; i++)
            ids[i] = (int64_t)task->depends_on[i];
        return arena_printf(v->arena, "%s %s", task->depends_count == 1 ? "task" : "tasks",
                            ids ? text_ranges(v, ids, task->depends_count) : "?");
    }
    if (!t || !t->wait.kind)
        return "";
    /* In the task's own row its number adds nothing; the table of threads has the owners of locks.
       */
    if (t->wait.kind == MDL_WAIT_TASKWAIT || t->wait.kind == MDL_WAIT_TASKGROUP)
        return mdl_word(&mdl_wait_words, (int)t->wait.kind);
    return mdl_wait_name(v->arena, &t->wait, false);
}

/* Leaves that no thread runs and that differ in nothing but their number. */
static bool alike(const struct tree *tree, const insp_snapshot *s, int i, int k)
{
    const struct mdl_task *a = &s->tasks[i], *b = &s->tasks[k];

    return tree->child[i] < 0 && tree->child[k] < 0 && !a->lwp && !b->lwp && !a->depends_count &&
           !b->depends_count && a->runtime == b->runtime && a->region == b->region && a->entry == b->entry &&
           a->creator_thread_num == b->creator_thread_num && a->place.line == b->place.line &&
           a->kind == b->kind && a->state == b->state && mdl_same(a->place.file, b->place.file) &&
           mdl_same(a->place.function, b->place.function);
}

/* Members of one team that differ only in the thread that runs them; not neighbours where threads take turns.
 * --all has them one by one. */
static bool same_members(const struct text_view *v, const struct tree *tree, int i, int k)
{
    const struct mdl_task *a = &v->snap->tasks[i], *b = &v->snap->tasks[k];
    const struct mdl_thread *t = runner(v->snap, a), *u = runner(v->snap, b);

    return !v->options->expand && tree->child[i] < 0 && tree->child[k] < 0 && t && u && !t->current &&
           !u->current && a->kind == MDL_TASK_IMPLICIT && b->kind == MDL_TASK_IMPLICIT &&
           a->region == b->region && a->runtime == b->runtime && a->state == b->state &&
           t->wait.kind == u->wait.kind && t->wait.id == u->wait.id;
}

/* What one row shows: task FIRST, and COUNT - 1 more of its siblings, up to LAST; with NUMBERS they are not
 * neighbours. */
struct row {
    int first, last, count;
    int64_t *numbers, *threads;
};

/* "..." of the numbers in a row, at most ROOM. */
static void add_members(const struct text_view *v, struct table *table, const struct row *row, int depth)
{
    const struct mdl_thread *t = runner(v->snap, &v->snap->tasks[row->first]);

    table_cell(table, COL_TASK, "%*s%s (%d)", 2 * depth, "",
               text_short_ranges(v, row->numbers, row->count, NUMBERS_ROOM), row->count);
    qsort(row->threads, (size_t)row->count, sizeof(*row->threads), text_by_number);
    table_cell(table, COL_THREAD, "%s%s", t && t->gdb_num ? "" : "LWP ",
               text_short_ranges(v, row->threads, row->count, NUMBERS_ROOM));
}

static void add_row(const struct text_view *v, struct table *table, const struct row *row, int depth)
{
    int i = row->first;
    const insp_snapshot *s = v->snap;
    const struct mdl_task *task = &s->tasks[i];
    const struct mdl_thread *t = runner(s, task);
    bool current = t && t->current;
    const struct mdl_thread *on = mdl_thread_by_lwp(s, task->lwp);
    const char *wait, *state = mdl_word(&mdl_task_state_words, (int)task->state);

    table_row(table, current ? TABLE_BOLD : task->state == MDL_TASK_BLOCKED ? TABLE_WAIT : TABLE_PLAIN);
    if (current)
        table_cell(table, COL_MARK, "*");
    if (row->numbers)
        add_members(v, table, row, depth);
    else if (row->count > 1)
        table_cell(table, COL_TASK, "%*s%" PRIu64 "..%" PRIu64 " (%d)", 2 * depth, "", task->id,
                   s->tasks[row->last].id, row->count);
    else
        table_cell(table, COL_TASK, "%*s%" PRIu64, 2 * depth, "", task->id);
    if (s->runtime_count > 1)
        table_cell(table, COL_RUNTIME, "%d", task->runtime);
    table_cell(table, COL_KIND, "%s", task->kind ? text_task_kind(task) : "?");
    table_cell(table, COL_STATE, "%s", state ? state : "?");
    if (task->region)
        table_cell(table, COL_REGION, "%" PRIu64, task->region);
    if (task->creator_thread_num >= 0)
        table_cell(table, COL_CREATOR, "%d", task->creator_thread_num);
    if (row->numbers)
        ; /* written above */
    else if (on && on->gdb_num)
        table_cell(table, COL_THREAD, "%d", on->gdb_num);
    else if (task->lwp)
        table_cell(table, COL_THREAD, "LWP %" PRId64, task->lwp);
    if (task->place.function && task->entry && v->options->addresses)
        table_cell(table, COL_FUNCTION, "%s 0x%" PRIx64, task->place.function, task->entry);
    else if (task->place.function)
        table_cell(table, COL_FUNCTION, "%s", task->place.function);
    else if (task->entry)
        table_cell(table, COL_FUNCTION, "0x%" PRIx64 "%s%s", task->entry, task->place.module ? " in " : "",
                   task->place.module ? mdl_base_name(task->place.module) : "");
    if (task->place.file && task->place.line)
        table_cell(table, COL_AT, "%s:%d", mdl_base_name(task->place.file), task->place.line);
    wait = waits_for(v, task);
    table_cell(table, COL_WAIT, "%s", wait);
    if (wait && *wait)
        table_below(table, arena_printf(v->arena, "%*swaits for %s", 2 * depth, "", wait));
}

static bool wanted(const struct text_view *v, const struct mdl_task *task)
{
    return !v->options->filter ||
           mdl_same(v->options->filter, mdl_word(&mdl_task_state_words, (int)task->state));
}

/* Row ROW of the members like I among its siblings, which are marked as shown; false when they are few. */
static bool fold_members(const struct text_view *v, struct tree *tree, int i, struct row *row)
{
    const struct mdl_task *task = &v->snap->tasks[i];
    int count = 0, look = FOLD_LOOK;

    if (!same_members(v, tree, i, i))
        return false;
    for (int k = i; k >= 0 && v->snap->tasks[k].region == task->region && look--; k = tree->sibling[k])
        count += !tree->shown[k] && same_members(v, tree, i, k);
    if (count < FOLD_FROM)
        return false;
    *row = (struct row){i, i, 0, arena_alloc(v->arena, (size_t)count * sizeof(int64_t)),
                        arena_alloc(v->arena, (size_t)count * sizeof(int64_t))};
    if (!row->numbers || !row->threads)
        return false;
    for (int k = i; k >= 0 && row->count < count; k = tree->sibling[k]) {
        const struct mdl_thread *t = runner(v->snap, &v->snap->tasks[k]);

        if (tree->shown[k] || !same_members(v, tree, i, k))
            continue;
        tree->shown[k] = 1;
        row->numbers[row->count] = (int64_t)v->snap->tasks[k].id;
        row->threads[row->count++] = t->gdb_num ? t->gdb_num : t->lwp;
    }
    return true;
}

/* Adds the row of sibling I, folded with those like it; returns the last task that it took of those behind I.
 */
static int add_folded(const struct text_view *v, struct tree *tree, struct table *table, int i, int depth)
{
    int shown_depth = v->options->filter ? 0 : depth;
    struct row row = {i, i, 1, NULL, NULL};

    if (fold_members(v, tree, i, &row)) {
        if (wanted(v, &v->snap->tasks[i]))
            add_row(v, table, &row, shown_depth);
        return i;
    }
    for (int k = tree->sibling[i]; k >= 0 && alike(tree, v->snap, i, k); k = tree->sibling[k]) {
        row.last = k;
        row.count++;
    }
    if (row.count < FOLD_FROM)
        row = (struct row){i, i, 1, NULL, NULL};
    if (wanted(v, &v->snap->tasks[i]))
        add_row(v, table, &row, shown_depth);
    for (int k = i;; k = tree->sibling[k]) {
        tree->shown[k] = 1;
        if (k == row.last)
            return row.last;
    }
}

static void add_tree(const struct text_view *v, struct tree *tree, struct table *table, int root)
{
    int stack[MAX_DEPTH], depth = 0;

    stack[0] = root;
    while (depth >= 0) {
        int i = stack[depth], last;

        while (depth && i >= 0 && tree->shown[i])
            i = tree->sibling[i];
        if (i < 0 || tree->shown[i]) {
            depth--;
            continue;
        }
        last = depth ? add_folded(v, tree, table, i, depth) : i;
        if (!depth) {
            tree->shown[i] = 1;
            if (wanted(v, &v->snap->tasks[i]))
                add_row(v, table, &(struct row){i, i, 1, NULL, NULL}, 0);
        }
        stack[depth] = depth ? tree->sibling[last] : -1;
        if (last == i && tree->child[i] >= 0 && depth + 1 < MAX_DEPTH)
            stack[++depth] = tree->child[i];
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
        sbuf_add(v->out, "No explicit task exists.\n");
    if ((!explicit_task && !parallel) || !build(v, &tree))
        return;
    table_column(&table, " ", false, false);
    table_column(&table, "Task", false, false);
    table_column(&table, "Runtime", true, false);
    table_column(&table, "Kind", false, false);
    table_column(&table, "State", false, false);
    table_column(&table, "Region", true, false);
    table_column(&table, "By", true, false);
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
}
