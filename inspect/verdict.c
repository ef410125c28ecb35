/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for whom, and what follows from it. A verdict is given only on what is proved: a circle of
 * threads each waiting for a mutex that the next one holds, or a mutex whose holder has ended.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "snap.h"

/* Half of a team of 2,048 waiting for the other half would be a million edges, of which none says anything
   new. */
enum { MAX_EDGES = 1 << 16 };

static bool add_edge(insp_snapshot *snap, int from, int64_t to, bool mutex, const char *because)
{
    struct mdl_edge *rows;
    const struct mdl_thread *target = mdl_thread_by_lwp(snap, to);

    if (snap->edge_count == MAX_EDGES) {
        mdl_problem(snap, "not all waits are listed as edges", "there are more than 65536", "");
        return false;
    }
    rows = arena_grow(&snap->arena, snap->edges, (size_t)snap->edge_count, sizeof(*rows));
    if (!rows)
        return false;
    snap->edges = rows;
    rows[snap->edge_count] = (struct mdl_edge){
        .id = snap->edge_count,
        .from = snap->threads[from].lwp,
        .to = to,
        .from_index = from,
        .to_index = target ? (int)(target - snap->threads) : -1,
        .mutex = mutex,
        .because = because,
        .proved = true,
    };
    snap->edge_count++;
    return true;
}

static void find_edges(insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_wait *w = &snap->threads[i].wait;
        const char *because;

        if (!w->kind || (!w->owner_lwp && !w->missing_count))
            continue;
        because = mdl_wait_name(&snap->arena, w, true);
        if (w->owner_lwp && !add_edge(snap, i, w->owner_lwp, true, because))
            return;
        for (int m = 0; m < w->missing_count; m++)
            if (w->missing_lwp[m] && w->missing_lwp[m] != snap->threads[i].lwp &&
                !add_edge(snap, i, w->missing_lwp[m], false, because))
                return;
    }
}

/* A thread waits for one mutex at a time, so at most one mutex edge leaves it: following them either ends or
   circles. */
static const struct mdl_edge **mutex_edges(const insp_snapshot *snap)
{
    const struct mdl_edge **out = calloc((size_t)snap->thread_count + 1, sizeof(*out));

    for (int i = 0; out && i < snap->edge_count; i++)
        if (snap->edges[i].mutex && snap->edges[i].proved)
            out[snap->edges[i].from_index] = &snap->edges[i];
    return out;
}

/* Index of a thread on a circle, -1. */
static int find_circle(const insp_snapshot *snap, const struct mdl_edge **out)
{
    int *walk = calloc((size_t)snap->thread_count + 1, sizeof(*walk)), found = -1;

    for (int start = 0; walk && start < snap->thread_count && found < 0; start++) {
        int at = start;

        /* Marks of this walk are start + 1; a smaller mark was walked before and led nowhere. */
        while (at >= 0 && !walk[at]) {
            walk[at] = start + 1;
            at = out[at] ? out[at]->to_index : -1;
        }
        if (at >= 0 && walk[at] == start + 1)
            found = at;
    }
    free(walk);
    return found;
}

static void deadlock(insp_snapshot *snap, const struct mdl_edge **out, int start)
{
    struct arena *a = &snap->arena;
    const struct mdl_edge *first = out[start];
    struct sbuf text = {0};
    int *edges = arena_alloc(a, (size_t)snap->thread_count * sizeof(*edges)), at = start, count = 0;

    if (!edges)
        return;
    if (first->to_index == start) {
        edges[count++] = first->id;
        sbuf_printf(&text, "Deadlock: %s waits for %s, which it holds itself.",
                    mdl_thread_name(a, snap, first->from), first->because);
    } else {
        sbuf_printf(&text, "Deadlock: %s", mdl_thread_name(a, snap, first->from));
        do {
            const struct mdl_edge *e = out[at];

            edges[count++] = e->id;
            sbuf_printf(&text, "%s waits for %s held by %s", at == start ? "" : ", which", e->because,
                        mdl_thread_name(a, snap, e->to));
            at = e->to_index;
        } while (at != start);
        sbuf_add(&text, ".");
    }
    snap->verdict.kind = "deadlock";
    snap->verdict.sentence = text.oom ? NULL : arena_str(a, text.text);
    snap->verdict.edges = edges;
    snap->verdict.edge_count = count;
    sbuf_free(&text);
}

static bool stuck(insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (!t->wait.kind || t->wait.owner != MDL_OWNER_ENDED)
            continue;
        snap->verdict.kind = "stuck";
        snap->verdict.sentence = arena_printf(
            &snap->arena, "Stuck: %s waits for %s, and the thread that holds it has ended.",
            mdl_thread_name(&snap->arena, snap, t->lwp), mdl_wait_name(&snap->arena, &t->wait, true));
        return true;
    }
    return false;
}

/* A circle may go through a mutex whose holder nobody can tell. */
static bool owner_unknown(const insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].wait.kind && snap->threads[i].wait.owner == MDL_OWNER_UNKNOWN)
            return true;
    return false;
}

void snap_verdict(insp_snapshot *snap)
{
    const struct mdl_edge **out;
    int circle;

    find_edges(snap);
    out = mutex_edges(snap);
    circle = out ? find_circle(snap, out) : -1;
    if (circle >= 0) {
        deadlock(snap, out, circle);
    } else if (!stuck(snap)) {
        /* Where no runtime could be read, "no deadlock" would be a claim about nothing. */
        bool blind = owner_unknown(snap);

        snap->verdict.kind = snap->runtime_count && !blind ? "none" : "unknown";
        snap->verdict.sentence = !snap->runtime_count ? "Nothing can be said about deadlocks."
                                 : blind ? "Whether this is a deadlock cannot be said: who holds what "
                                           "threads wait for is not known."
                                 : snap->complete ? "No deadlock was found among locks and criticals."
                                                  : "No deadlock was found in what could be read.";
    }
    free(out);
}
