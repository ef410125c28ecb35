/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_loops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"

enum { COL_MARK, COL_NUM, COL_THREAD, COL_HAS, COL_AT, COL_SHARE, COL_DOES };

/** The rows of one loop: loops[first], ... of the sorted list. */
struct group {
    const struct mdl_loop *const *loop;
    int count;
};

static bool known(const struct mdl_loop *l, const char *fact)
{
    return !mdl_unknown_reason(l->unknown, l->unknown_count, fact);
}

static bool same_loop(const struct mdl_loop *a, const struct mdl_loop *b)
{
    const bool tasks = a->schedule == MDL_SCHEDULE_TASKLOOP && b->schedule == MDL_SCHEDULE_TASKLOOP;

    return a->runtime == b->runtime && a->region == b->region && (tasks || a->id == b->id) &&
           (a->schedule == MDL_SCHEDULE_TASKLOOP) == (b->schedule == MDL_SCHEDULE_TASKLOOP);
}

static int by_loop(const void *a, const void *b)
{
    const struct mdl_loop *x = *(const struct mdl_loop *const *)a, *y = *(const struct mdl_loop *const *)b;
    const bool xt = x->schedule == MDL_SCHEDULE_TASKLOOP, yt = y->schedule == MDL_SCHEDULE_TASKLOOP;

#define FIRST(left, right) \
    if ((left) != (right)) \
    return (left) < (right) ? -1 : 1
    FIRST(x->runtime, y->runtime);
    FIRST(x->region, y->region);
    FIRST(xt, yt);
    FIRST(xt ? 0 : x->sequence, yt ? 0 : y->sequence);
    FIRST(xt ? 0 : x->id, yt ? 0 : y->id);
    FIRST(xt ? x->task : 0, yt ? y->task : 0);
    FIRST(x->thread_num, y->thread_num);
#undef FIRST
    return 0;
}

/* ---- what is said of the whole ------------------------------------------------------------------------- */

/* "schedule(dynamic, 4), ordered" */
static void add_schedule(struct sbuf *out, const struct mdl_loop *l)
{
    switch (l->schedule) {
    case MDL_SCHEDULE_SECTIONS:
        sbuf_add(out, "sections");
        return;
    case MDL_SCHEDULE_TASKLOOP:
        sbuf_add(out, "tasks of taskloop constructs");
        return;
    case MDL_SCHEDULE_UNKNOWN:
        sbuf_add(out, "a loop whose schedule is not known");
        if (!known(l, "schedule"))
            sbuf_printf(out, " (%s)", mdl_unknown_reason(l->unknown, l->unknown_count, "schedule"));
        return;
    default:
        sbuf_printf(out, "%s",
                    l->flags & MDL_LOOP_OR_SECTIONS ? "sections, or a loop with " : "a loop with ");
        sbuf_printf(out, "schedule(%s", mdl_word(&mdl_schedule_words, (int)l->schedule));
        if (l->chunk && known(l, "chunk"))
            sbuf_printf(out, ", %" PRIu64, l->chunk);
        sbuf_add(out, ")");
    }
    if (l->flags & MDL_LOOP_ORDERED)
        sbuf_add(out, ", ordered");
    if (l->flags & MDL_LOOP_DOACROSS)
        sbuf_add(out, ", doacross");
}

/* The last number; false: it wraps round, so memory is damaged. */
static bool last_number(const struct mdl_loop *l, int64_t *ret)
{
    int64_t span;

    return l->iterations && l->iterations <= INT64_MAX &&
           !__builtin_mul_overflow((int64_t)(l->iterations - 1), l->step, &span) &&
           !__builtin_add_overflow(l->first, span, ret);
}

static void add_extent(struct sbuf *out, const struct mdl_loop *l)
{
    const bool sections = l->schedule == MDL_SCHEDULE_SECTIONS;
    int64_t last;

    if (!known(l, "iterations"))
        return;
    sbuf_printf(out, ", %" PRIu64 " %s%s", l->iterations, sections ? "section" : "iteration",
                l->iterations == 1 ? "" : "s");
    if (known(l, "step") && last_number(l, &last)) {
        sbuf_printf(out, " (%" PRId64 " to %" PRId64, l->first, last);
        if (l->step != 1)
            sbuf_printf(out, ", step %" PRId64, l->step);
        sbuf_add(out, ")");
    }
}

static void add_left(struct sbuf *out, const struct mdl_loop *l)
{
    if (!known(l, "left"))
        return;
    if (!l->left)
        sbuf_add(out, " All are handed out.");
    else if (l->flags & MDL_LOOP_SHARES)
        sbuf_printf(out,
                    " %" PRIu64 " are not begun: each member has a share, and takes from others' when it is "
                    "through.",
                    l->left);
    else
        sbuf_printf(out, " %" PRIu64 " %s left; the next to be handed out is %" PRId64 ".", l->left,
                    l->left == 1 ? "is" : "are", l->next);
}

/* Between the ends of what a task has in hand, whichever way the loop runs. */
static bool covers(const struct mdl_loop *l, int64_t number)
{
    return l->has_count && known(l, "has") &&
           (l->has_first <= l->has_last ? l->has_first <= number && number <= l->has_last
                                        : l->has_last <= number && number <= l->has_first);
}

static void add_turn(struct sbuf *out, const struct group *g)
{
    const struct mdl_loop *l = g->loop[0];
    int64_t last;

    if (!(l->flags & MDL_LOOP_ORDERED) || !known(l, "turn"))
        return;
    if (known(l, "iterations") && known(l, "step") && last_number(l, &last) &&
        (l->step > 0 ? l->turn > last : l->turn < last)) {
        sbuf_add(out, " All iterations have had their turn.");
        return;
    }
    for (int i = 0; i < g->count; i++)
        if (covers(g->loop[i], l->turn)) {
            sbuf_printf(out, " It is the turn of member %d, which has iteration %" PRId64 ".",
                        g->loop[i]->thread_num, l->turn);
            return;
        }
    sbuf_printf(out, " It is the turn of iteration %" PRId64 ", which none of these members has.", l->turn);
}

/* Iterations that a member still has to execute, as far as they are its own. False: not known. */
static bool remaining(const struct mdl_loop *l, uint64_t *ret)
{
    uint64_t hand = l->has_count;

    if (!known(l, "share") || !known(l, "has"))
        return false;
    if (hand && known(l, "at") && l->step == 1)
        hand = l->at <= l->has_last ? (uint64_t)l->has_last - (uint64_t)l->at + 1 : 0;
    *ret = hand + l->share;
    return true;
}

static void add_furthest(struct sbuf *out, const struct group *g)
{
    uint64_t most = 0, least = UINT64_MAX, n;
    int behind = -1, ahead = -1;

    for (int i = 0; i < g->count; i++) {
        if (!remaining(g->loop[i], &n))
            return;
        if (behind < 0 || n > most) {
            most = n;
            behind = g->loop[i]->thread_num;
        }
        if (n < least) {
            least = n;
            ahead = g->loop[i]->thread_num;
        }
    }
    if (g->count > 1 && most > least)
        sbuf_printf(out,
                    " Member %d has most before it: %" PRIu64 " iteration%s; member %d least: %" PRIu64 ".",
                    behind, most, most == 1 ? "" : "s", ahead, least);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static const char *has_text(const struct text_view *v, const struct mdl_loop *l)
{
    if (!known(l, "has"))
        return "?";
    if (!l->has_count)
        return l->source == MDL_LOOP_OF_FRAME ? "through" : "none";
    return l->has_first == l->has_last
               ? arena_printf(v->arena, "%" PRId64, l->has_first)
               : arena_printf(v->arena, "%" PRId64 " to %" PRId64, l->has_first, l->has_last);
}

static const char *does_text(const struct text_view *v, const struct mdl_loop *l)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, l->lwp);
    const struct mdl_task *task = mdl_task_by_id(v->snap, l->runtime, l->task);

    if (l->waits && known(l, "waits_for"))
        return arena_printf(v->arena, "waits for iteration %" PRId64 " to be posted", l->waits_for);
    if (!t)
        return task && l->schedule == MDL_SCHEDULE_TASKLOOP
                   ? mdl_word(&mdl_task_state_words, (int)task->state)
                   : "not listed";
    if (t->region != l->region || t->runtime != l->runtime)
        return t->region ? arena_printf(v->arena, "is in region %" PRIu64, t->region) : text_does(v, t);
    return text_state_and_wait(v, t, false);
}

static void add_row(const struct text_view *v, struct table *table, const struct mdl_loop *l)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, l->lwp);
    const bool tasks = l->schedule == MDL_SCHEDULE_TASKLOOP;

    table_row(table, t && t->current ? TABLE_BOLD : TABLE_PLAIN);
    table_cell(table, COL_MARK, "%s", t && t->current ? "*" : " ");
    if (tasks)
        table_cell(table, COL_NUM, "%" PRIu64, l->task);
    else if (l->thread_num >= 0)
        table_cell(table, COL_NUM, "%d", l->thread_num);
    if (t)
        table_cell(table, COL_THREAD, "%s", mdl_thread_name(v->arena, v->snap, l->lwp));
    table_cell(table, COL_HAS, "%s", has_text(v, l));
    if (l->has_count && known(l, "at") && known(l, "has"))
        table_cell(table, COL_AT, "%" PRId64, l->at);
    if (known(l, "share") && !tasks)
        table_cell(table, COL_SHARE, "%" PRIu64, l->share);
    table_cell(table, COL_DOES, "%s", does_text(v, l));
}

static bool is_in_group(const struct group *g, int thread_num)
{
    for (int i = 0; i < g->count; i++)
        if (g->loop[i]->thread_num == thread_num)
            return true;
    return false;
}

/* Members that are in none of the region's loops: GROUP has all rows of the region. */
static void add_others(const struct text_view *v, struct table *table, const struct group *g,
                       const struct mdl_region *r)
{
    for (int i = 0; r && i < r->member_count; i++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, r->members[i].lwp);

        if (is_in_group(g, r->members[i].thread_num))
            continue;
        table_row(table, t && t->current ? TABLE_BOLD : TABLE_PLAIN);
        table_cell(table, COL_MARK, "%s", t && t->current ? "*" : " ");
        table_cell(table, COL_NUM, "%d", r->members[i].thread_num);
        if (t)
            table_cell(table, COL_THREAD, "%s", mdl_thread_name(v->arena, v->snap, r->members[i].lwp));
        table_cell(table, COL_HAS, "not in it");
        table_cell(table, COL_DOES, "%s", t ? text_state_and_wait(v, t, false) : "not listed");
    }
}

static void print_table(const struct text_view *v, const struct group *g, const struct mdl_region *others)
{
    const bool tasks = g->loop[0]->schedule == MDL_SCHEDULE_TASKLOOP;
    struct table table = {0};

    table_column(&table, " ", false, false);
    table_column(&table, tasks ? "Task" : "Member", true, false);
    table_column(&table, "Thread", false, false);
    table_column(&table, "Has", false, false);
    table_column(&table, "At", true, false);
    table_column(&table, "Still gets", true, false);
    table_column(&table, "Does", false, true);
    for (int i = 0; i < g->count; i++)
        add_row(v, &table, g->loop[i]);
    add_others(v, &table, g, others);
    table_print(&table, v->options->width, v->options->colour, v->out);
    table_free(&table);
}

/* Reasons of what is a question mark in the table, each once. */
static void print_reasons(const struct text_view *v, const struct group *g)
{
    const char *said = NULL;

    for (int i = 0; i < g->count; i++) {
        const char *why = mdl_unknown_reason(g->loop[i]->unknown, g->loop[i]->unknown_count, "has");

        if (!why || (said && !strcmp(said, why)))
            continue;
        said = why;
        text_paragraph(v, 2,
                       arena_printf(v->arena, "  Which iterations they have cannot be known: %s.", why));
    }
}

static void print_group(const struct text_view *v, const struct group *g, const struct mdl_region *r,
                        const struct mdl_region *others)
{
    const struct mdl_loop *l = g->loop[0];
    struct sbuf line = {0};

    sbuf_printf(&line, "Region %" PRIu64, l->region);
    if (v->snap->runtime_count > 1)
        sbuf_printf(&line, " of runtime %d", l->runtime);
    if (r && (r->place.function || r->place.file))
        sbuf_printf(&line, " (%s)", text_place(v, &r->place));
    sbuf_add(&line, ": ");
    if (l->schedule == MDL_SCHEDULE_STATIC && !l->id)
        sbuf_add(&line, "a static loop, which the compiler's own code divides");
    else
        add_schedule(&line, l);
    add_extent(&line, l);
    sbuf_add(&line, ".");
    add_left(&line, l);
    add_turn(&line, g);
    add_furthest(&line, g);
    text_paragraph(v, 2, line.text ? line.text : "");
    if (line.oom)
        v->out->oom = true;
    sbuf_free(&line);
    print_table(v, g, others);
    print_reasons(v, g);
}

/* ---- the view ------------------------------------------------------------------------------------------ */

/* A region with several members none of which is in a loop that anything tells of. */
static void print_without(const struct text_view *v, const struct mdl_region *r)
{
    const char *place = text_place(v, &r->place);

    if (r->kind != MDL_REGION_PARALLEL || r->member_count < 2)
        return;
    text_paragraph(
        v, 2,
        arena_printf(v->arena,
                     "Region %" PRIu64 "%s%s%s: no member is in a loop that %s. What a static loop "
                     "gives each member is in code of the compiler: it cannot be known (static, inlined).",
                     r->id, place ? " (" : "", place ? place : "", place ? ")" : "",
                     v->snap->loops_untold ? "its frames tell of, and it is not known where this runtime "
                                             "records loops"
                                           : "the runtime divides"));
}

/* The rows of region R, from loops[*at] on. */
static void print_region(const struct text_view *v, const struct mdl_region *r,
                         const struct mdl_loop *const *loops, int count)
{
    const struct group all = {loops, count};

    for (int i = 0; i < count;) {
        struct group g = {loops + i, 0};

        while (i + g.count < count && same_loop(loops[i], loops[i + g.count]))
            g.count++;
        i += g.count;
        print_group(
            v, &g, r,
            i == count && g.loop[0]->schedule != MDL_SCHEDULE_TASKLOOP && g.count == all.count ? r : NULL);
    }
}

void text_loops(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    const struct mdl_loop **loops = arena_alloc(v->arena, ((size_t)s->loop_count + 1) * sizeof(*loops));
    int teams = 0;

    if (text_no_runtime(v) || !loops)
        return;
    if (!(s->want & INSP_LOOPS)) {
        sbuf_add(v->out, "This snapshot has no loops: it was recorded without them.\n");
        return;
    }
    for (int i = 0; i < s->loop_count; i++)
        loops[i] = &s->loops[i];
    qsort(loops, (size_t)s->loop_count, sizeof(*loops), by_loop);
    for (int i = 0, end; i < s->loop_count; i = end) {
        for (end = i + 1; end < s->loop_count && loops[end]->runtime == loops[i]->runtime &&
                          loops[end]->region == loops[i]->region;)
            end++;
        print_region(v, mdl_region_by_id(s, loops[i]->runtime, loops[i]->region), loops + i, end - i);
    }
    for (int i = 0; i < s->region_count; i++) {
        const struct mdl_region *r = &s->regions[i];
        bool shown = false;

        teams += r->kind == MDL_REGION_PARALLEL;
        for (int k = 0; k < s->loop_count && !shown; k++)
            shown = loops[k]->runtime == r->runtime && loops[k]->region == r->id;
        if (!shown)
            print_without(v, r);
    }
    if (!teams && !s->loop_count)
        sbuf_add(v->out, "There is no parallel region.\n");
}
