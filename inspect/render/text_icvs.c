/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_icvs.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/icv_filter.h"
#include "inspect/render/text_view.h"

void text_icvs(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    const int shown = mdl_icv_thread(s);
    const struct mdl_thread *t = shown >= 0 ? &s->threads[shown] : NULL;
    struct table table = {0};

    if (text_no_runtime(v))
        return;
    if (t && t->openmp && t->task)
        text_paragraph(v, 2,
                       arena_printf(v->arena,
                                    "Values for %s: OpenMP thread %d of region %" PRIu64 ", task %" PRIu64,
                                    mdl_thread_name(v->arena, s, t->lwp), t->thread_num, t->region, t->task));
    else if (t && t->openmp)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "Values for %s, which is in no region",
                                    mdl_thread_name(v->arena, s, t->lwp)));
    else
        text_paragraph(v, 2,
                       arena_printf(v->arena, "%s: only values of the process are shown.",
                                    !t           ? "There is no OpenMP thread"
                                    : t->running ? "The current thread is running"
                                                 : "The current thread is not an OpenMP thread"));
    table_column(&table, "ICV", false, false);
    table_column(&table, "Scope", false, false);
    table_column(&table, "Value", false, true);
    for (int i = 0; i < s->icv_count; i++) {
        const struct mdl_icv *icv = &s->icvs[i];

        if (!icv_wanted(v->options, icv) ||
            (!icv->value && !(t && t->openmp) && icv->of != MDL_ICV_OF_PROCESS))
            continue;
        table_row(&table, TABLE_PLAIN);
        if (s->runtime_count > 1)
            table_cell(&table, 0, "%s (runtime %d)", icv->name, icv->runtime);
        else
            table_cell(&table, 0, "%s", icv->name);
        table_cell(&table, 1, "%s", mdl_word(&mdl_scope_words, (int)icv->scope));
        if (icv->value)
            table_cell(&table, 2, "%s", *icv->value ? icv->value : "(empty)");
        else
            table_cell(&table, 2, "(%s)", icv->why ? icv->why : "unknown");
    }
    if (table.count)
        table_print(&table, v->options->width, v->options->colour, v->out);
    else
        sbuf_add(v->out, "No such ICV is known here.\n");
    table_free(&table);
}
