/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wait-for graph as a picture: a box for each group of threads and each task that has part in an edge.
 * Threads of one group share a box unless another thread waits for one of them in particular.
 */
#include "inspect/render/dot_waits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/graph/graph.h"
#include "inspect/model/phrases.h"
#include "inspect/render/dot.h"
#include "inspect/render/group.h"
#include "inspect/render/text_waits.h"

/* Edges of one group to one box become one. They were made side by side, so a small memory of pairs does. */
enum { RECENT = 256 };
struct recent {
    int pair[RECENT][2], count;
};

struct picture {
    const struct text_view *v;
    struct groups g;
    bool *alone;  /* thread: has a box of its own */
    bool *drawn;  /* thread: its box is drawn; task: behind the threads */
    bool *marked; /* edge: of the verdict */
    int *shared;  /* task -> the task in whose box it is */
    int *members; /* task -> tasks in its box */
    int *barrier; /* box of a barrier -> a thread that waits there; its number is the index */
    int barriers;
    struct recent pairs, in, out; /* edges drawn so far: between boxes, to a barrier, from one */
    int boxes, left_out;
};

static int thread_index(const insp_snapshot *s, const struct mdl_end *end)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(s, end->lwp);

    return t ? (int)(t - s->threads) : -1;
}

/* Number of the box of an edge's end: the first thread of its group, or the task behind all threads. */
static int box_of(const struct picture *p, const struct mdl_end *end)
{
    const insp_snapshot *s = p->v->snap;
    const struct mdl_task *task = mdl_task_by_id(s, end->runtime, end->task);
    int t = thread_index(s, end);

    if (end->task)
        return task ? s->thread_count + p->shared[task - s->tasks] : -1;
    return t >= 0 && !p->alone[t] && p->g.of[t] >= 0 ? p->g.first[p->g.of[t]] : t;
}

static bool on_stack(const struct mdl_task *t)
{
    return t->state == MDL_TASK_RUNNING || t->state == MDL_TASK_SUSPENDED;
}

/* Tasks of one region and state that are on no stack and have no part in the verdict share a box. */
static void share_boxes(struct picture *p)
{
    const insp_snapshot *s = p->v->snap;
    enum { SORTS = 64 };
    int sort[SORTS], count = 0;

    for (int i = 0; i < s->task_count; i++)
        p->shared[i] = i;
    for (int i = 0; i < s->verdict.edge_count; i++) {
        const struct mdl_edge *e = &s->edges[s->verdict.edges[i]];
        const struct mdl_task *from = mdl_task_by_id(s, e->from.runtime, e->from.task);
        const struct mdl_task *to = mdl_task_by_id(s, e->to.runtime, e->to.task);

        if (from)
            p->members[from - s->tasks] = -1;
        if (to)
            p->members[to - s->tasks] = -1;
    }
    for (int i = 0; i < s->task_count; i++) {
        const struct mdl_task *t = &s->tasks[i];
        int k = 0;

        if (on_stack(t) || p->members[i] < 0)
            continue;
        while (k < count && (s->tasks[sort[k]].runtime != t->runtime ||
                             s->tasks[sort[k]].region != t->region || s->tasks[sort[k]].state != t->state))
            k++;
        if (k == count && count < SORTS)
            sort[count++] = i;
        if (k < count)
            p->shared[i] = sort[k];
        p->members[p->shared[i]]++;
    }
}

static bool prepare(struct picture *p)
{
    const insp_snapshot *s = p->v->snap;
    struct arena *a = p->v->arena;

    p->alone = arena_alloc(a, (size_t)s->thread_count + 1);
    p->drawn = arena_alloc(a, (size_t)s->thread_count + (size_t)s->task_count + 1);
    p->marked = arena_alloc(a, (size_t)s->edge_count + 1);
    p->barrier = arena_alloc(a, ((size_t)s->thread_count + 1) * sizeof(int));
    p->shared = arena_alloc(a, ((size_t)s->task_count + 1) * sizeof(int));
    p->members = arena_alloc(a, ((size_t)s->task_count + 1) * sizeof(int));
    if (!group_threads(s, group_how(p->v->options), a, &p->g) || !p->alone || !p->drawn || !p->marked ||
        !p->barrier || !p->shared || !p->members)
        return false;
    share_boxes(p);
    for (int i = 0; i < s->verdict.edge_count; i++)
        if (s->verdict.edges[i] >= 0 && s->verdict.edges[i] < s->edge_count)
            p->marked[s->verdict.edges[i]] = true;
    for (int i = 0; i < s->edge_count; i++) {
        const struct mdl_edge *e = &s->edges[i];
        int to = thread_index(s, &e->to), from = thread_index(s, &e->from);

        /* An owner is one thread; of missing members there may be hundreds, alike. */
        if (to >= 0 && (p->marked[i] || e->from.task ||
                        (from >= 0 && (s->threads[from].wait.owner_lwp == e->to.lwp ||
                                       s->threads[from].activity.owner_lwp == e->to.lwp))))
            p->alone[to] = true;
        if (from >= 0 && p->marked[i])
            p->alone[from] = true;
    }
    /* The group's box is that of its first thread: that one must be in it. */
    for (int g = 0; g < p->g.count; g++) {
        int first = p->g.first[g];

        while (first >= 0 && p->alone[first])
            first = p->g.next[first];
        p->g.size[g] = 0;
        for (int i = first; i >= 0; i = p->g.next[i])
            p->g.size[g] += !p->alone[i];
        if (first >= 0)
            p->g.first[g] = first;
    }
    return true;
}

static void thread_box(struct picture *p, int box)
{
    const struct text_view *v = p->v;
    const struct mdl_thread *t = &v->snap->threads[box];
    int group = p->g.of[box], size = group >= 0 && !p->alone[box] ? p->g.size[group] : 1, n = 0;
    bool stuck = false;
    const char *at = dot_place(v, &t->wait.at);

    for (int i = 0; i < v->snap->edge_count && !stuck; i++)
        stuck = p->marked[i] && (v->snap->edges[i].from.lwp == t->lwp || v->snap->edges[i].to.lwp == t->lwp);
    sbuf_printf(v->out, "  n%d [fillcolor=\"%s\"%s, label=\"", box,
                stuck                ? "#f8cfcf\", color=\"#b3261e"
                : text_is_waiting(t) ? "#fbe3c8"
                : !t->openmp         ? "#eeeeee"
                                     : "#d5efd9",
                size > 1 ? ", peripheries=2" : "");
    if (size > 1) {
        int64_t *list = arena_alloc(v->arena, (size_t)size * sizeof(*list));

        for (int i = p->g.first[group]; list && i >= 0; i = p->g.next[i])
            if (!p->alone[i])
                list[n++] =
                    v->snap->threads[i].gdb_num ? v->snap->threads[i].gdb_num : v->snap->threads[i].lwp;
        if (list)
            qsort(list, (size_t)n, sizeof(*list), text_by_number);
        dot_line(v->out, arena_printf(v->arena, "%s %s", t->gdb_num ? "threads" : "LWPs",
                                      list ? text_ranges(v, list, n) : "?"));
        dot_line(v->out, arena_printf(v->arena, "(%d threads)", size));
    } else {
        dot_line(v->out, mdl_thread_name(v->arena, v->snap, t->lwp));
        if (t->thread_num >= 0 && t->team_size > 0)
            dot_line(v->out, arena_printf(v->arena, "OpenMP thread %d of %d", t->thread_num, t->team_size));
    }
    if (t->wait.kind) {
        dot_line(v->out, at);
        if (*text_caller(v, t))
            dot_line(v->out, text_caller(v, t) + strlen(", "));
    }
    if (!t->wait.kind && (t->openmp || mdl_activity_known(&t->activity)))
        dot_line(v->out, text_is_waiting(t) ? text_at(v, t) : text_doing(v, t));
    sbuf_add(v->out, "\"];\n");
}

static void task_box(const struct picture *p, int box)
{
    const struct text_view *v = p->v;
    const struct mdl_task *t = &v->snap->tasks[box - v->snap->thread_count];

    sbuf_printf(v->out, "  n%d [shape=ellipse, style=filled, fillcolor=\"%s\", label=\"", box,
                t->state == MDL_TASK_READY ? "#fff6c9" : "#eef2f7");
    if (p->members[box - v->snap->thread_count] > 1) {
        dot_line(v->out, arena_printf(v->arena, "%d tasks", p->members[box - v->snap->thread_count]));
    } else {
        dot_line(v->out, arena_printf(v->arena, "task %" PRIu64, t->id));
        dot_line(v->out, dot_place(v, &t->place));
    }
    dot_line(v->out, mdl_word(&mdl_task_state_words, (int)t->state));
    sbuf_add(v->out, "\"];\n");
}

/* False: the picture is full. */
static bool draw_box(struct picture *p, int box)
{
    if (box < 0)
        return false;
    if (p->drawn[box])
        return true;
    if (p->boxes == DOT_NODES)
        return false;
    p->drawn[box] = true;
    p->boxes++;
    if (box < p->v->snap->thread_count)
        thread_box(p, box);
    else
        task_box(p, box);
    return true;
}

/* A region has several barriers: at its end, and wherever the source has one. */
static bool same_barrier(const struct mdl_thread *a, const struct mdl_thread *b)
{
    const struct mdl_place *x = &a->wait.at, *y = &b->wait.at;

    if (!a->wait.barrier || !b->wait.barrier || a->runtime != b->runtime ||
        (a->wait.object ? a->wait.object : a->region) != (b->wait.object ? b->wait.object : b->region) ||
        mdl_ends_region(a) != mdl_ends_region(b))
        return false;
    /* The end of a region has no call of its own in the source. */
    return mdl_ends_region(a) || (x->line == y->line && mdl_same(x->file, y->file) &&
                                  (x->line || a->wait.codeptr == b->wait.codeptr));
}

/* The box of the barrier at which an edge begins, -1: it is another sort of edge. *fresh: it is not drawn
 * yet. */
static int barrier_of(struct picture *p, const struct mdl_edge *e, bool *fresh)
{
    const insp_snapshot *s = p->v->snap;
    int at = thread_index(s, &e->from);

    *fresh = false;
    if (at < 0 || e->from.task || !s->threads[at].wait.barrier)
        return -1;
    for (int i = 0; i < p->barriers; i++)
        if (same_barrier(&s->threads[p->barrier[i]], &s->threads[at]))
            return i;
    *fresh = true;
    p->barrier[p->barriers] = at;
    return p->barriers;
}

/* Of the threads that the runtime counts as arrived, those at this barrier. */
static int count_arrived(const insp_snapshot *s, const struct mdl_thread *t)
{
    const struct mdl_split *split = mdl_split_of(s, t);

    return t->wait.arrived_count - (!split ? 0 : mdl_ends_region(t) ? split->other_count : split->end_count);
}

static void barrier_box(struct picture *p, int box)
{
    const struct text_view *v = p->v;
    const struct mdl_thread *t = &v->snap->threads[p->barrier[box]];
    const struct mdl_wait *w = &t->wait;
    const struct mdl_region *r = mdl_region_by_id(v->snap, t->runtime, w->object ? w->object : t->region);
    const struct mdl_place *at = mdl_ends_region(t) && r ? &r->place : &w->at;

    p->barriers++;
    sbuf_printf(v->out,
                "  b%d [shape=hexagon, style=filled, fillcolor=\"#e6dcf2\", color=\"#7b5ea7\", label=\"",
                box);
    dot_line(v->out, mdl_wait_name(v->arena, w, v->options->addresses));
    if (at->file && at->line > 0)
        dot_line(v->out, arena_printf(v->arena, "%s:%d", mdl_base_name(at->file), at->line));
    /* One that left out a barrier counts as arrived there, not here. */
    if (w->arrivals_known && !graph_left_out_barrier(t))
        dot_line(v->out, arena_printf(v->arena, "%d of %d %s arrived", count_arrived(v->snap, t),
                                      w->arrived_count + w->missing_count,
                                      count_arrived(v->snap, t) == 1 ? "has" : "have"));
    sbuf_add(v->out, "\"];\n");
}

/* LABEL: NULL none. NODE: 'n' a thread or task, 'b' a barrier. */
static void draw_edge(const struct picture *p, const struct mdl_edge *e, char from_sort, int from,
                      char to_sort, int to, const char *label)
{
    sbuf_printf(p->v->out, "  %c%d -> %c%d [%s%slabel=\"", from_sort, from, to_sort, to,
                p->marked[e->id] ? "color=\"#b3261e\", fontcolor=\"#8c1d18\", penwidth=2, " : "",
                e->proved ? "" : "style=dashed, ");
    dot_line(p->v->out, label);
    sbuf_add(p->v->out, "\"];\n");
}

static bool is_new(struct recent *r, int from, int to)
{
    for (int k = 0; k < r->count && k < RECENT; k++)
        if (r->pair[k][0] == from && r->pair[k][1] == to)
            return false;
    r->pair[r->count % RECENT][0] = from;
    r->pair[r->count++ % RECENT][1] = to;
    return true;
}

static bool to_itself(const struct mdl_edge *e)
{
    return e->from.lwp == e->to.lwp && e->from.task == e->to.task && e->from.runtime == e->to.runtime;
}

/* A process that is waited for has a box of its own for each edge: it is rarely waited for twice. */
static void draw_child(struct picture *p, const struct mdl_edge *e, int from)
{
    if (!draw_box(p, from)) {
        p->left_out++;
        return;
    }
    sbuf_printf(p->v->out,
                "  p%d [fillcolor=\"#eeeeee\", label=\"process %" PRId64 "\"];\n  n%d -> p%d [%slabel=\"",
                e->id, e->to.pid, from, e->id, e->proved ? "" : "style=dashed, ");
    dot_line(p->v->out, text_because(p->v, e));
    sbuf_add(p->v->out, "\"];\n");
}

static void draw_edges(struct picture *p, bool marked)
{
    const insp_snapshot *s = p->v->snap;

    for (int i = 0; i < s->edge_count; i++) {
        const struct mdl_edge *e = &s->edges[i];
        bool fresh;
        int from = box_of(p, &e->from), to = box_of(p, &e->to), barrier = barrier_of(p, e, &fresh);

        if (e->to.pid) {
            if (p->marked[i] == marked)
                draw_child(p, e, from);
            continue;
        }
        /* Members of one group that wait for each other say nothing; one that waits for itself is the whole
         * story. */
        if ((from == to && !to_itself(e)) || p->marked[i] != marked ||
            (barrier < 0 && !is_new(&p->pairs, from, to)))
            continue;
        if (!draw_box(p, from) || !draw_box(p, to)) {
            p->left_out++;
        } else if (barrier < 0) {
            draw_edge(p, e, 'n', from, 'n', to, text_because(p->v, e));
        } else {
            if (fresh)
                barrier_box(p, barrier);
            if (is_new(&p->in, from, barrier))
                draw_edge(p, e, 'n', from, 'b', barrier, NULL);
            if (is_new(&p->out, barrier, to))
                draw_edge(p, e, 'b', barrier, 'n', to, "waits for");
        }
    }
}

/* What thread T in box BOX waits for, and who holds that, where it is no thread that is listed. */
static void draw_object(const struct picture *p, const struct mdl_thread *t, int box, const char *holder)
{
    const struct text_view *v = p->v;

    sbuf_printf(v->out, "  h%d [shape=box, style=\"dashed\", label=\"", box);
    dot_line(v->out, text_object(v, t));
    dot_line(v->out, holder);
    sbuf_printf(v->out, "\"];\n  n%d -> h%d [label=\"", box, box);
    dot_line(v->out, mdl_timeout(v->arena, t->activity.timeout_ns));
    sbuf_add(v->out, "\"];\n");
}

/* What no edge can say: the holder is no thread any more, or nobody is known to hold it. True: something was
 * drawn. */
static bool draw_absent(struct picture *p)
{
    const insp_snapshot *s = p->v->snap;
    bool any = false, ended = false;

    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];
        int box = p->alone[i] || p->g.of[i] < 0 ? i : p->g.first[p->g.of[i]];
        bool mutex = mdl_is_mutex(t->wait.kind) && t->wait.owner == MDL_OWNER_ENDED;
        const char *holder = mutex || t->wait.kind || p->drawn[box] ? NULL : text_absent_holder(p->v, t);

        if (p->drawn[box] || (!mutex && !holder))
            continue;
        if (!draw_box(p, box)) {
            p->left_out++;
            continue;
        }
        any = true;
        if (holder) {
            draw_object(p, t, box, holder);
            continue;
        }
        if (!ended)
            sbuf_add(p->v->out, "  ended [fillcolor=\"#eeeeee\", label=\"a thread that has ended\"];\n");
        ended = true;
        sbuf_printf(p->v->out, "  n%d -> ended [label=\"", box);
        dot_line(p->v->out, mdl_wait_name(p->v->arena, &t->wait, p->v->options->addresses));
        sbuf_add(p->v->out, "\"];\n");
    }
    return any;
}

void dot_waits(const struct text_view *v)
{
    bool absent;
    struct text_view rows = *v;
    struct picture p = {.v = &rows};

    dot_begin(v->out, "waits", "LR");
    if (prepare(&p)) {
        rows.groups = &p.g;
        draw_edges(&p, true); /* the story of the verdict is never what does not fit */
        draw_edges(&p, false);
        absent = draw_absent(&p);
        if (p.left_out)
            sbuf_printf(v->out, "  more [shape=plaintext, style=\"\", label=\"… %d more edges\"];\n",
                        p.left_out);
        if (!v->snap->edge_count && !absent)
            sbuf_add(
                v->out,
                "  none [shape=plaintext, style=\"\", label=\"No thread or task waits for another.\"];\n");
    }
    dot_end(v->out);
}
