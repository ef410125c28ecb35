/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/dot_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/dot.h"
#include "inspect/render/task_groups.h"

/*
 * Nodes of the tree: regions 0.., then tasks. Below a region are its implicit tasks, below a task the tasks
 * it generated and the regions it met. Children are in order, next[] the sibling.
 */
struct tree {
    const insp_snapshot *s;
    int *child, *next, *below; /* below: tasks in the subtree */
    char *root, *boxed;        /* boxed: drawn, and alone in its box */
    int nodes, drawn;
};

static int task_node(const struct tree *t, int runtime, uint64_t id)
{
    const struct mdl_task *task = mdl_task_by_id(t->s, runtime, id);

    return task ? t->s->region_count + (int)(task - t->s->tasks) : -1;
}

static const struct mdl_task *task_of(const struct tree *t, int node)
{
    return node >= t->s->region_count ? &t->s->tasks[node - t->s->region_count] : NULL;
}

static int parent_of(const struct tree *t, int node)
{
    const struct mdl_task *task = task_of(t, node);
    const struct mdl_region *r =
        task ? mdl_region_by_id(t->s, task->runtime, task->region) : &t->s->regions[node];
    int up;

    if (task && (task->kind == MDL_TASK_IMPLICIT || task->kind == MDL_TASK_INITIAL || !task->generator))
        return r ? (int)(r - t->s->regions) : -1;
    if (task)
        return task_node(t, task->runtime, task->generator);
    up = task_node(t, r->runtime, r->parent_task);
    r = up < 0 ? mdl_region_by_id(t->s, r->runtime, r->parent) : NULL;
    return up >= 0 ? up : r ? (int)(r - t->s->regions) : -1;
}

static bool tree_build(struct tree *t, const insp_snapshot *s, struct arena *a)
{
    size_t n;

    *t = (struct tree){.s = s, .nodes = s->region_count + s->task_count};
    n = (size_t)t->nodes + 1;
    t->child = arena_alloc(a, n * sizeof(int));
    t->next = arena_alloc(a, n * sizeof(int));
    t->below = arena_alloc(a, n * sizeof(int));
    t->root = arena_alloc(a, n);
    t->boxed = arena_alloc(a, n);
    if (!t->child || !t->next || !t->below || !t->root || !t->boxed)
        return false;
    for (size_t i = 0; i < n; i++)
        t->child[i] = t->next[i] = -1;
    for (int i = t->nodes - 1; i >= 0; i--) {
        int up = parent_of(t, i), steps = 0;

        /* Damaged rows may form a cycle: such a node is drawn alone. */
        for (int at = up; at >= 0 && at != i && steps < 1000; steps++)
            at = parent_of(t, at);
        if (up < 0 || up == i || steps == 1000) {
            t->root[i] = 1;
            continue;
        }
        t->next[i] = t->child[up];
        t->child[up] = i;
        for (int at = up; at >= 0 && steps-- >= 0; at = parent_of(t, at))
            t->below[at]++;
    }
    return true;
}

static const struct mdl_thread *runner(const struct tree *t, const struct mdl_task *task)
{
    const struct mdl_thread *th = mdl_thread_by_lwp(t->s, task->lwp);

    return th && th->task == task->id && th->runtime == task->runtime ? th : NULL;
}

/* May two siblings share a box? Only leaves; implicit tasks also need the same wait. */
static bool alike(const struct tree *t, int a, int b)
{
    const struct mdl_task *x = task_of(t, a), *y = task_of(t, b);
    const struct mdl_thread *tx, *ty;

    if (!x || !y || t->child[a] >= 0 || t->child[b] >= 0 || x->kind != y->kind || x->state != y->state ||
        x->entry != y->entry || x->place.line != y->place.line || !mdl_same(x->place.file, y->place.file) ||
        x->region != y->region)
        return false;
    tx = runner(t, x);
    ty = runner(t, y);
    return (!tx && !ty) || (tx && ty && mdl_same_state(tx, ty) && tx->wait.kind == ty->wait.kind &&
                            tx->wait.id == ty->wait.id);
}

static const char *fill(const struct text_view *v, const struct tree *t, const struct mdl_task *task)
{
    const struct mdl_thread *th = runner(t, task);

    if (th && text_is_waiting(th))
        return "#fbe3c8";
    if (!strcmp(task_state(v, task), "running"))
        return "#d5efd9";
    if (task->state == MDL_TASK_READY)
        return "#fff6c9";
    if (task->state == MDL_TASK_BLOCKED)
        return "#fbe3c8";
    return "#eef2f7";
}

/* Characters of the ids of tasks in one box. */
enum { IDS_ROOM = 30 };

/* IDS: of the COUNT tasks that share the box of NODE; NULL of one alone. */
static void draw_task(const struct text_view *v, const struct tree *t, int node, const int64_t *ids,
                      int count)
{
    const struct mdl_task *task = task_of(t, node);
    const struct mdl_thread *th = runner(t, task);
    const char *wait = !th             ? ""
                       : th->wait.kind ? mdl_wait_name(v->arena, &th->wait, false)
                                       : text_wait(v, th);
    const char *where = dot_place(v, &task->place);
    bool implicit = task->kind == MDL_TASK_IMPLICIT || task->kind == MDL_TASK_INITIAL;

    sbuf_printf(v->out, "  n%d [fillcolor=\"%s\"%s, label=\"", node, fill(v, t, task),
                count > 1 ? ", peripheries=2" : "");
    if (count > 1)
        dot_line(v->out, arena_printf(v->arena, "%d %s tasks: %s", count, text_task_kind(task),
                                      text_short_ranges(v, ids, count, IDS_ROOM)));
    else if (implicit && task->thread_num >= 0)
        dot_line(v->out, arena_printf(v->arena, "thread %d of the team (task %" PRIu64 ")", task->thread_num,
                                      task->id));
    else
        dot_line(v->out, arena_printf(v->arena, "%s task %" PRIu64, text_task_kind(task), task->id));
    if (!implicit)
        dot_line(v->out, where);
    if (th && count == 1)
        dot_line(v->out, mdl_thread_name(v->arena, v->snap, th->lwp));
    if (task->depends_count && count == 1) {
        int64_t *before = arena_alloc(v->arena, (size_t)task->depends_count * sizeof(*before));

        for (int i = 0; before && i < task->depends_count; i++)
            before[i] = (int64_t)task->depends_on[i];
        if (before)
            dot_line(v->out, arena_printf(v->arena, "after %s", text_ranges(v, before, task->depends_count)));
    }
    dot_line(v->out, *wait && text_is_waiting(th) ? arena_printf(v->arena, "waits for %s", wait)
                                                  : task_state(v, task));
    sbuf_add(v->out, "\"];\n");
}

static void draw_region(const struct text_view *v, const struct tree *t, int node)
{
    const struct mdl_region *r = &t->s->regions[node];
    const char *kind = mdl_word(&mdl_region_words, (int)r->kind);

    sbuf_printf(
        v->out,
        "  n%d [shape=box, style=filled, fillcolor=\"#d9e5f7\", color=\"#4a6fa5\", penwidth=1.4, label=\"",
        node);
    dot_line(v->out, arena_printf(v->arena, "%s region %" PRIu64, kind ? kind : "", r->id));
    dot_line(v->out, dot_place(v, &r->place));
    if (r->team_size >= 0 && r->kind != MDL_REGION_INITIAL)
        dot_line(v->out,
                 arena_printf(v->arena, r->team_size == 1 ? "%d thread" : "%d threads", r->team_size));
    sbuf_add(v->out, "\"];\n");
}

static void draw_rest(const struct text_view *v, int parent, int count)
{
    sbuf_printf(v->out,
                "  m%d [shape=plaintext, style=\"\", fontcolor=\"#566377\", label=\"… %d more below\"];\n"
                "  n%d -> m%d [style=dashed, arrowhead=none];\n",
                parent, count, parent, parent);
}

/* Draws the children of NODE, equal ones in one box; those boxes that have children of their own go to QUEUE.
 */
static void draw_children(const struct text_view *v, struct tree *t, int node, int *queue, int *queued)
{
    int boxes = 0;

    for (int c = t->child[node]; c >= 0; c = t->next[c]) {
        int64_t *ids = NULL;
        int count = 0;

        if (t->root[c]) /* is in a box already */
            continue;
        if (t->drawn >= DOT_NODES || boxes++ == DOT_CHILDREN) {
            int rest = 0;

            for (; c >= 0; c = t->next[c])
                rest += t->root[c] ? 0 : 1 + t->below[c];
            draw_rest(v, node, rest);
            return;
        }
        for (int k = c; k >= 0; k = t->next[k])
            if (k == c || (!t->root[k] && alike(t, c, k))) {
                t->root[k] = k != c;
                ids = arena_grow(v->arena, ids, (size_t)count, sizeof(*ids));
                if (!ids)
                    return;
                ids[count++] = task_of(t, k) ? (int64_t)task_of(t, k)->id : 0;
            }
        if (task_of(t, c))
            draw_task(v, t, c, ids, count);
        else
            draw_region(v, t, c);
        t->drawn++;
        t->boxed[c] = count == 1;
        sbuf_printf(v->out, "  n%d -> n%d;\n", node, c);
        if (t->child[c] >= 0)
            queue[(*queued)++] = c;
    }
}

/* Dependences among the tasks that have a box of their own: a blocked task never shares one. */
static void draw_dependences(const struct text_view *v, const struct tree *t)
{
    for (int i = 0; i < t->s->task_count; i++)
        for (int d = 0; t->boxed[t->s->region_count + i] && d < t->s->tasks[i].depends_count; d++) {
            int to = task_node(t, t->s->tasks[i].runtime, t->s->tasks[i].depends_on[d]);

            if (to >= 0 && t->boxed[to])
                sbuf_printf(v->out, "  n%d -> n%d [style=dashed, color=\"#b5651d\", constraint=false];\n",
                            t->s->region_count + i, to);
        }
}

void dot_tree(const struct text_view *v)
{
    struct tree t;
    int *queue, queued = 0;

    dot_begin(v->out, "tree", "LR");
    if (tree_build(&t, v->snap, v->arena) &&
        (queue = arena_alloc(v->arena, ((size_t)t.nodes + 1) * sizeof(*queue)))) {
        for (int i = 0; i < t.nodes; i++)
            if (t.root[i] && t.drawn++ < DOT_NODES) {
                if (task_of(&t, i))
                    draw_task(v, &t, i, NULL, 1);
                else
                    draw_region(v, &t, i);
                t.boxed[i] = 1;
                queue[queued++] = i;
            }
        for (int q = 0; q < queued; q++)
            draw_children(v, &t, queue[q], queue, &queued);
        draw_dependences(v, &t);
    }
    dot_end(v->out);
}
