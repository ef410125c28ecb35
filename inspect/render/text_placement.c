/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_placement.h"

#include <inttypes.h>

#include "inspect/base/printable.h"
#include "inspect/model/phrases.h"

enum { COL_THR, COL_LWP, COL_OMP, COL_LAST, COL_ALLOWED, COL_HOLDS };

const char *placement_hold(struct arena *a, const insp_snapshot *s, const struct mdl_hold *hold, bool address)
{
    const bool doubt = hold->wait ? hold->wait->owner_doubt : hold->activity->owner_doubt;
    const char *name =
        hold->wait ? mdl_wait_name(a, hold->wait, address) : mdl_activity_name(a, s, hold->activity, address);

    name = doubt ? arena_printf(a, "perhaps %s", name) : name;
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

/* The waits are those of the snapshot itself, whose strings may have anything in them. */
static const char *holds(const struct text_view *v, const struct mdl_thread *t)
{
    const char *text = "";

    for (int i = 0; text && i < t->hold_count; i++)
        text = arena_printf(v->arena, "%s%s%s (%d thread%s)", text, *text ? ", " : "",
                            placement_hold(v->arena, v->snap, &t->holds[i], v->options->addresses),
                            t->holds[i].waiters, t->holds[i].waiters == 1 ? " waits" : "s wait");
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
    text_paragraph(v, 2,
                   "Listed as held is what another thread waits for; what nobody waits for is not recorded.");
    if (!known)
        text_paragraph(v, 2,
                       v->snap->process.core ? "On which processors threads run is not in a core."
                                             : "On which processors threads run is not known.");
}
