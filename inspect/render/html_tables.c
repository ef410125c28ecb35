/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/group.h"
#include "inspect/render/html_put.h"
#include "inspect/render/task_groups.h"
#include "inspect/render/text_icvs.h"
#include "inspect/render/text_stacks.h"

static void begin(const struct text_view *v, const char *id, const char *title, const char *const *columns)
{
    sbuf_printf(v->out, "<section id=\"%s\"><h2>%s</h2>\n<div class=\"scroll\"><table><thead><tr>", id,
                title);
    for (; *columns; columns++)
        sbuf_printf(v->out, "<th>%s</th>", *columns);
    sbuf_add(v->out, "</tr></thead><tbody>\n");
}

static void end(const struct text_view *v)
{
    sbuf_add(v->out, "</tbody></table></div></section>\n");
}

static void cell_id(const struct text_view *v, uint64_t id)
{
    if (id)
        sbuf_printf(v->out, "<td>%" PRIu64 "</td>", id);
    else
        sbuf_add(v->out, "<td></td>");
}

/* Numbers of a group: a range with the count, which unfolds to all of them. */
static void cell_group(const struct text_view *v, const struct groups *g, int group)
{
    const insp_snapshot *s = v->snap;
    const struct mdl_thread *t = &s->threads[g->first[group]];
    int64_t *list = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*list));
    int n = 0;

    for (int i = g->first[group]; list && i >= 0; i = g->next[i])
        list[n++] = t->gdb_num ? s->threads[i].gdb_num : s->threads[i].lwp;
    if (!list)
        return;
    if (n == 1) {
        html_cell(v->out, mdl_thread_name(v->arena, s, t->lwp));
        return;
    }
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    sbuf_printf(v->out, "<td class=\"ids\"><details><summary>%s %s (%d threads)</summary><ul>",
                t->gdb_num ? "" : "LWPs", text_ranges(v, list, n), n);
    for (int i = g->first[group]; i >= 0; i = g->next[i])
        sbuf_printf(v->out, "<li>%s: number %d, task %" PRIu64 "</li>",
                    mdl_thread_name(v->arena, s, s->threads[i].lwp), s->threads[i].thread_num,
                    s->threads[i].task);
    sbuf_add(v->out, "</ul></details></td>");
}

void html_threads(const struct text_view *v)
{
    static const char *const columns[] = {"Threads", "OpenMP",    "Level", "Region",
                                          "State",   "Waits for", "At",    NULL};
    struct text_view rows = *v;
    struct groups g;

    if (!group_threads(v->snap, group_how(v->options), v->arena, &g))
        return;
    rows.groups = &g;
    begin(v, "threads", "Threads", columns);
    for (int i = 0; i < g.count; i++) {
        const struct mdl_thread *t = &v->snap->threads[g.first[i]];

        sbuf_printf(v->out, "<tr class=\"%s\">",
                    text_is_waiting(t)                     ? "wait"
                    : !strcmp(text_does(v, t), "computes") ? "work"
                                                           : "");
        cell_group(v, &g, i);
        if (g.size[i] == 1 && t->thread_num >= 0)
            sbuf_printf(v->out, "<td>%d/%d</td>", t->thread_num, t->team_size);
        else if (t->team_size >= 0)
            sbuf_printf(v->out, "<td>team of %d</td>", t->team_size);
        else
            sbuf_add(v->out, "<td></td>");
        sbuf_printf(v->out, t->level >= 0 ? "<td>%d</td>" : "<td></td>", t->level);
        cell_id(v, t->region);
        html_cell(v->out, text_does(v, t));
        html_cell(v->out, text_wait(&rows, t));
        html_cell(v->out, text_at(v, t));
        sbuf_add(v->out, "</tr>\n");
    }
    end(v);
}

void html_regions(const struct text_view *v)
{
    static const char *const columns[] = {"Region",  "Kind",     "Parent", "Level",
                                          "Threads", "Function", "At",     NULL};

    begin(v, "regions", "Regions", columns);
    for (int i = 0; i < v->snap->region_count; i++) {
        const struct mdl_region *r = &v->snap->regions[i];

        sbuf_add(v->out, "<tr>");
        cell_id(v, r->id);
        html_cell(v->out, mdl_word(&mdl_region_words, (int)r->kind));
        cell_id(v, r->parent);
        sbuf_printf(v->out, r->level >= 0 ? "<td>%d</td>" : "<td></td>", r->level);
        sbuf_printf(v->out, r->team_size >= 0 ? "<td>%d</td>" : "<td></td>", r->team_size);
        html_cell(v->out, r->place.function);
        html_cell(v->out, r->place.file && r->place.line > 0
                              ? arena_printf(v->arena, "%s:%d", mdl_base_name(r->place.file), r->place.line)
                              : NULL);
        sbuf_add(v->out, "</tr>\n");
    }
    end(v);
}

/* ---- tasks: equal ones share a row --------------------------------------------------------------------- */

/* Ids of a group that are too long for a cell unfold. */
enum { IDS_ROOM = 40 };

static void task_row(const struct text_view *v, const struct groups *g, int group)
{
    const struct mdl_task *t = &v->snap->tasks[g->first[group]];
    const char *state = task_state(v, t), *ids = task_ids(v, g, group, IDS_ROOM), *depends;
    const char *all = task_ids(v, g, group, SIZE_MAX);
    int size = g->size[group];

    sbuf_printf(v->out, "<tr class=\"%s\"><td class=\"ids\">",
                t->state == MDL_TASK_BLOCKED || !strcmp(state, "waiting")   ? "wait"
                : t->state == MDL_TASK_RUNNING && !strcmp(state, "running") ? "work"
                                                                            : "");
    if (size > 1 && strcmp(ids, all))
        sbuf_printf(v->out, "<details><summary>%s (%d tasks)</summary>%s</details></td>", ids, size, all);
    else if (size > 1)
        sbuf_printf(v->out, "%s (%d tasks)</td>", ids, size);
    else
        sbuf_printf(v->out, "%s</td>", ids);
    html_cell(v->out, text_task_kind(t));
    html_cell(v->out, state);
    cell_id(v, t->region);
    cell_id(v, t->generator);
    html_cell(v->out, !t->lwp     ? NULL
                      : size == 1 ? mdl_thread_name(v->arena, v->snap, t->lwp)
                                  : arena_printf(v->arena, "%d threads", size));
    html_cell(v->out, text_place(v, &t->place));
    depends = task_group_depends(v, g, group);
    html_cell(v->out, depends);
    sbuf_add(v->out, "</tr>\n");
}

void html_tasks(const struct text_view *v)
{
    static const char *const columns[] = {"Task",   "Kind",  "State",      "Region", "Generated by",
                                          "Thread", "Place", "Depends on", NULL};
    struct groups g;

    if (!task_groups(v, &g))
        return;
    begin(v, "tasks", "Tasks", columns);
    for (int i = 0; i < g.count; i++)
        task_row(v, &g, i);
    end(v);
}

void html_stacks(const struct text_view *v)
{
    struct text_view plain = *v;
    struct insp_render_options options = *v->options;
    struct sbuf text = {0};

    sbuf_add(v->out, "<section id=\"stacks\"><h2>Stacks</h2>\n");
    if (!(v->snap->want & INSP_STACKS)) {
        sbuf_add(v->out, "<p class=\"dim\">The snapshot has no stacks.</p></section>\n");
        return;
    }
    options.colour = 0;
    plain.options = &options;
    plain.out = &text;
    text_stacks(&plain);
    sbuf_add(v->out, "<pre>");
    html_text(v->out, text.text);
    sbuf_add(v->out, "</pre></section>\n");
    sbuf_free(&text);
}

void html_icvs(const struct text_view *v)
{
    static const char *const columns[] = {"Variable", "Scope", "Value", NULL};

    begin(v, "icvs", "Internal control variables", columns);
    for (int i = 0; i < v->snap->icv_count; i++) {
        const struct mdl_icv *icv = &v->snap->icvs[i];

        sbuf_add(v->out, "<tr>");
        html_cell(v->out, icv->name);
        html_cell(v->out, mdl_word(&mdl_scope_words, (int)icv->scope));
        html_cell(v->out, icv->value ? icv->value : icv->why);
        sbuf_add(v->out, "</tr>\n");
    }
    end(v);
}
