/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict of a process that was looked at twice. One look proves only what cannot be otherwise, so it
 * leaves much open of a process that moves; two looks see that it moves.
 */
#include <inttypes.h>
#include <string.h>

#include "inspect/graph/graph_activity.h"
#include "inspect/graph/motion.h"
#include "inspect/graph/verdict.h"
#include "inspect/inspect.h"
#include "inspect/model/phrases.h"

struct seen {
    int moved, all;                 /* threads; those that are idle have nothing to do, and are not counted */
    const struct mdl_thread *rest;  /* the first one that did not move, NULL */
    const struct mdl_thread *spins; /* the first one that ran in a loop of the program's, NULL */
};

static bool is_stuck(const struct mdl_verdict *v, int64_t lwp)
{
    for (int i = 0; i < v->stuck_count; i++)
        if (v->stuck[i] == lwp)
            return true;
    return false;
}

/* How many threads of AFTER have got on, and whether one of those that the proof is about has. */
static struct seen count(const insp_snapshot *after, const struct motions *m, bool *proof_moves)
{
    struct seen seen = {0};

    *proof_moves = false;
    for (int i = 0; i < m->count; i++) {
        const struct motion_row *row = &m->rows[i];
        const bool progress = motion_is_progress(row->motion);

        if (!row->after || row->motion == MOTION_IDLE)
            continue;
        seen.all++;
        seen.moved += progress;
        if (!progress && !seen.rest)
            seen.rest = row->after;
        if (row->motion == MOTION_SPINS && row->after->frame_count &&
            row->after->frames[0].code == INSP_CODE_USER && !seen.spins)
            seen.spins = row->after;
        *proof_moves |= progress && is_stuck(&after->verdict, row->after->lwp);
    }
    return seen;
}

/* "LWP 4243 spins at pool.c:14", or "". */
static const char *spinner(insp_snapshot *s, const struct mdl_thread *t)
{
    const struct mdl_place *at = t ? &t->activity.at : NULL;
    const char *text = "";

    if (at && at->file && at->line > 0)
        text = arena_printf(&s->arena, "%s spins at %s:%d", mdl_thread_name(&s->arena, s, t->lwp),
                            mdl_base_name(at->file), at->line);
    return text ? text : "";
}

/* "It runs: 3 of 4 threads have moved within 60 ms." And what is still open of the others. */
static const char *runs(insp_snapshot *s, const struct seen *seen, int64_t ms)
{
    const char *rest = "", *spins = spinner(s, seen->spins);

    if (seen->rest && graph_blocked(seen->rest))
        rest = arena_printf(
            &s->arena, "; %s still waits for %s", mdl_thread_name(&s->arena, s, seen->rest->lwp),
            seen->rest->wait.kind ? mdl_wait_name(&s->arena, &seen->rest->wait, false)
                                  : mdl_activity_name(&s->arena, s, &seen->rest->activity, false));
    return arena_printf(&s->arena, "It runs: %d of %d thread%s %s moved within %" PRId64 " ms%s%s%s.",
                        seen->moved, seen->all, seen->all == 1 ? "" : "s", seen->moved == 1 ? "has" : "have",
                        ms, rest ? rest : "", *spins ? "; " : "", spins);
}

/* The open sentence, and who has only spun. */
static const char *open_sentence(insp_snapshot *s, const struct mdl_thread *spins)
{
    const char *old = s->verdict.sentence, *who = spinner(s, spins), *text = NULL;

    if (*who)
        text = arena_printf(&s->arena, "%.*s; %s.", (int)strlen(old) - 1, old, who);
    return text ? text : old;
}

static bool is_proof(enum insp_verdict_kind kind)
{
    return kind == INSP_DEADLOCK || kind == INSP_STUCK || kind == INSP_SUSPECTED;
}

static void withdraw(insp_snapshot *s)
{
    for (int i = 0; i < s->verdict.edge_count; i++)
        s->edges[s->verdict.edges[i]].in_verdict = false;
    s->verdict.edge_count = 0;
    s->verdict.withdrawn = true;
}

void insp_judge(const insp_snapshot *before, insp_snapshot *after, int64_t ms)
{
    struct motions motions;
    struct seen seen;
    bool proof_moves;

    if (!is_proof(after->verdict.kind) && after->verdict.kind != INSP_UNKNOWN)
        return;
    if (!before) {
        withdraw(after);
        verdict_give(after, INSP_NONE,
                     arena_printf(&after->arena,
                                  "It runs: what looked like a deadlock has moved within %" PRId64 " ms.",
                                  ms));
        return;
    }
    if (!motion_compare(before, after, &after->arena, &motions))
        return;
    seen = count(after, &motions, &proof_moves);
    if (is_proof(after->verdict.kind) && !proof_moves)
        return;
    if (is_proof(after->verdict.kind))
        withdraw(after);
    if (seen.moved)
        verdict_give(after, INSP_NONE, runs(after, &seen, ms));
    else if (after->verdict.kind == INSP_UNKNOWN)
        verdict_give(after, INSP_UNKNOWN, open_sentence(after, seen.spins));
}

int insp_stuck(const insp_snapshot *snap, int64_t *lwps, int n)
{
    for (int i = 0; i < n && i < snap->verdict.stuck_count; i++)
        lwps[i] = snap->verdict.stuck[i];
    return is_proof(snap->verdict.kind) ? snap->verdict.stuck_count : 0;
}

void insp_moved(insp_snapshot *snap, const int64_t *lwps, int n)
{
    for (int i = 0; i < n; i++) {
        struct mdl_thread *t = mdl_thread_by_lwp(snap, lwps[i]);

        if (t)
            t->moving = true;
    }
    if (n)
        verdict_make(snap);
}

int insp_withdrawn(const insp_snapshot *snap)
{
    return snap->verdict.withdrawn;
}
