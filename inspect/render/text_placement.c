/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_placement.h"

#include <inttypes.h>

#include "inspect/base/printable.h"
#include "inspect/model/phrases.h"

enum { COL_THR, COL_LWP, COL_OMP, COL_LAST, COL_ALLOWED, COL_PLACE, COL_BIND, COL_HOLDS };

const char *placement_hold(struct arena *a, const insp_snapshot *s, const struct mdl_hold *hold, bool address)
{
    const char *name =
        hold->wait ? mdl_wait_name(a, hold->wait, address) : mdl_activity_name(a, s, hold->activity, address);

    name = hold->perhaps ? arena_printf(a, "perhaps %s", name) : name;
    return name ? name : "?";
}

/* "LWP 12, LWP 13 and 4 more". */
static const char *some(struct arena *a, const insp_snapshot *s, const struct mdl_finding *f)
{
    enum { NAMED = 3 };
    const char *text = "";

    for (int i = 0; text && i < f->threads && i < NAMED; i++)
        text = arena_printf(a, "%s%s%s", text,
                            i == 0                                       ? ""
                            : i == f->threads - 1 && f->threads <= NAMED ? " and "
                                                                         : ", ",
                            mdl_thread_name(a, s, f->lwps[i]));
    if (text && f->threads > NAMED)
        text = arena_printf(a, "%s and %d more", text, f->threads - NAMED);
    return text ? text : "?";
}

const char *placement_finding(struct arena *a, const insp_snapshot *s, const struct mdl_finding *f)
{
    const char *processors = f->processors == 1 ? "processor" : "processors", *text = NULL;

    switch (f->kind) {
    case MDL_FINDING_CROWDED:
        text =
            arena_printf(a,
                         "Oversubscribed: %d OpenMP threads want to run at this moment, and may use %d %s: "
                         "%s.",
                         f->threads, f->processors, processors, some(a, s, f));
        break;
    case MDL_FINDING_TOGETHER:
        text = arena_printf(a,
                            "%d members of region %" PRIu64 " may run on processor %d only: %s. They take "
                            "turns there.",
                            f->threads, f->region, f->processor, some(a, s, f));
        break;
    default:
        text = f->processors && f->threads > f->processors
                   ? arena_printf(a,
                                  "Possible cause of slowness or a hang: %d OpenMP runtimes are in this "
                                  "process, with %d threads for %d %s.",
                                  s->runtime_count, f->threads, f->processors, processors)
                   : arena_printf(a,
                                  "Possible cause of slowness or a hang: %d OpenMP runtimes are in this "
                                  "process, and threads of more than one are in parallel regions.",
                                  s->runtime_count);
    }
    return text ? text : "?";
}

/* How many threads wait for it, or where it was taken: a line that the wait of another one does not show. */
static const char *waiters(const struct text_view *v, const struct mdl_hold *hold)
{
    const struct mdl_place *at = hold->wait ? &hold->wait->taken_at : NULL;
    const char *text = "";

    if (hold->waiters)
        text =
            arena_printf(v->arena, " (%d thread%s)", hold->waiters, hold->waiters == 1 ? " waits" : "s wait");
    else if (at && at->file && at->line)
        text = arena_printf(v->arena, " (taken at %s:%d)", mdl_base_name(at->file), at->line);
    return text ? text : "";
}

/* Why the list of what threads hold is not all, the same for all or the first one's; NULL: it is. */
static const char *holds_why(const struct text_view *v)
{
    const char *why = NULL;

    for (int i = 0; i < v->snap->thread_count && !why; i++) {
        const struct mdl_thread *t = &v->snap->threads[i];

        why = mdl_unknown_reason(t->placement_unknown, t->placement_unknown_count, "holds");
    }
    return why;
}

/* What the list of what threads hold has, and what it has not. */
static void tell_holds(const struct text_view *v)
{
    const char *why = holds_why(v);

    text_paragraph(
        v, 2,
        why ? arena_printf(v->arena, "Not all that threads hold is listed: %s.", why)
            : "Listed as held are all locks, critical and ordered regions of OpenMP. Of mutexes of "
              "pthreads only those are known that somebody waits for.");
}

/* The waits are those of the snapshot itself, whose strings may have anything in them. */
static const char *holds(const struct text_view *v, const struct mdl_thread *t)
{
    const char *text = "";

    for (int i = 0; text && i < t->hold_count; i++)
        text = arena_printf(v->arena, "%s%s%s%s", text, *text ? ", " : "",
                            placement_hold(v->arena, v->snap, &t->holds[i], v->options->addresses),
                            waiters(v, &t->holds[i]));
    text = printable_str(v->arena, text);
    return text ? text : "?";
}

static void add_row(const struct text_view *v, struct table *table, const struct mdl_thread *t)
{
    table_row(table, t->current ? TABLE_BOLD : TABLE_PLAIN);
    if (t->gdb_num)
        table_cell(table, COL_THR, "%d", t->gdb_num);
    table_cell(table, COL_LWP, "%" PRId64, t->lwp);
    if (t->thread_num >= 0 && t->team_size >= 0)
        table_cell(table, COL_OMP, "%d/%d", t->thread_num, t->team_size);
    if (t->processor >= 0)
        table_cell(table, COL_LAST, "%d", t->processor);
    table_cell(table, COL_ALLOWED, "%s", t->allowed ? printable_str(v->arena, t->allowed) : "");
    if (t->place_num >= 0)
        table_cell(table, COL_PLACE, "%d %s", t->place_num,
                   t->place ? printable_str(v->arena, t->place) : "");
    table_cell(table, COL_BIND, "%s", t->bind ? t->bind : "");
    table_cell(table, COL_HOLDS, "%s", holds(v, t));
}

void text_placement(const struct text_view *v)
{
    struct table table = {0};
    bool known = false;

    if (!(v->snap->want & INSP_PLACEMENT) || !v->snap->thread_count)
        return;
    sbuf_add(v->out, "\n");
    table_column(&table, "Thr", true, false);
    table_column(&table, "LWP", true, false);
    table_column(&table, "OMP", true, false);
    table_column(&table, "Ran last on", true, false);
    table_column(&table, "May run on", false, false);
    table_column(&table, "Place", false, false);
    table_column(&table, "bind-var", false, false);
    table_column(&table, "Holds", false, true);
    table_set_down(&table);
    for (int i = 0; i < v->snap->thread_count; i++) {
        known |= v->snap->threads[i].allowed != NULL;
        add_row(v, &table, &v->snap->threads[i]);
    }
    table_print(&table, v->options->width, v->options->colour, v->out);
    table_free(&table);
    for (int i = 0; i < v->snap->finding_count; i++)
        text_paragraph(v, 2, placement_finding(v->arena, v->snap, &v->snap->findings[i]));
    tell_holds(v);
    if (!known)
        text_paragraph(v, 2,
                       v->snap->process.core ? "On which processors threads run is not in a core."
                                             : "On which processors threads run is not known.");
}
