/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"
#include "inspect/render/group.h"
#include "inspect/render/html_put.h"
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
    struct groups g;

    if (!group_threads(v->snap, v->options->expand, v->arena, &g))
        return;
    begin(v, "threads", "Threads", columns);
    for (int i = 0; i < g.count; i++) {
        const struct mdl_thread *t = &v->snap->threads[g.first[i]];

        sbuf_printf(v->out, "<tr class=\"%s\">",
                    t->wait.kind                 ? "wait"
                    : t->state == MDL_STATE_IDLE ? ""
                                                 : "work");
        cell_group(v, &g, i);
        if (g.size[i] == 1 && t->thread_num >= 0)
            sbuf_printf(v->out, "<td>%d/%d</td>", t->thread_num, t->team_size);
        else if (t->team_size >= 0)
            sbuf_printf(v->out, "<td>of %d</td>", t->team_size);
        else
            sbuf_add(v->out, "<td></td>");
        sbuf_printf(v->out, t->level >= 0 ? "<td>%d</td>" : "<td></td>", t->level);
        cell_id(v, t->region);
        html_cell(v->out, text_state(t));
        html_cell(v->out, text_wait(v, t));
        html_cell(v->out, t->wait.kind                                   ? text_place(v, &t->wait.at)
                          : t->frame_count && t->state != MDL_STATE_IDLE ? stack_doing(v->arena, t)
                                                                         : NULL);
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

/* Order of rows: what makes tasks differ, then the id. A task on a thread or with predecessors is alone. */
static int compare_tasks(const struct mdl_task *a, const struct mdl_task *b)
{
    int rc = a->runtime - b->runtime;

    if (!rc)
        rc = (a->region > b->region) - (a->region < b->region);
    if (!rc)
        rc = (a->generator > b->generator) - (a->generator < b->generator);
    if (!rc)
        rc = (a->entry > b->entry) - (a->entry < b->entry);
    if (!rc)
        rc = (int)a->state - (int)b->state;
    if (!rc)
        rc = (int)a->kind - (int)b->kind;
    if (!rc)
        rc = (a->lwp > b->lwp) - (a->lwp < b->lwp);
    return rc ? rc : a->depends_count - b->depends_count;
}

static int by_likeness(const void *a, const void *b)
{
    const struct mdl_task *x = *(const struct mdl_task *const *)a, *y = *(const struct mdl_task *const *)b;
    int rc = compare_tasks(x, y);

    return rc ? rc : (x->id > y->id) - (x->id < y->id);
}

static void task_row(const struct text_view *v, const struct mdl_task **list, int count)
{
    const struct mdl_task *t = list[0];
    int64_t *ids = arena_alloc(v->arena, (size_t)count * sizeof(*ids)), *depends;

    for (int i = 0; ids && i < count; i++)
        ids[i] = (int64_t)list[i]->id;
    if (!ids)
        return;
    sbuf_printf(v->out, "<tr class=\"%s\"><td class=\"n\">%d</td><td class=\"ids\">",
                t->state == MDL_TASK_RUNNING   ? "work"
                : t->state == MDL_TASK_BLOCKED ? "wait"
                                               : "",
                count);
    if (count > 12 && strlen(text_ranges(v, ids, count)) > 80)
        sbuf_printf(v->out, "<details><summary>%" PRIu64 " … %" PRIu64 "</summary>%s</details></td>",
                    list[0]->id, list[count - 1]->id, text_ranges(v, ids, count));
    else
        sbuf_printf(v->out, "%s</td>", text_ranges(v, ids, count));
    html_cell(v->out, text_task_kind(t));
    html_cell(v->out, mdl_word(&mdl_task_state_words, (int)t->state));
    cell_id(v, t->region);
    cell_id(v, t->generator);
    html_cell(v->out, t->lwp ? mdl_thread_name(v->arena, v->snap, t->lwp) : NULL);
    html_cell(v->out, text_place(v, &t->place));
    depends = arena_alloc(v->arena, ((size_t)t->depends_count + 1) * sizeof(*depends));
    for (int i = 0; depends && i < t->depends_count; i++)
        depends[i] = (int64_t)t->depends_on[i];
    html_cell(v->out, depends && t->depends_count ? text_ranges(v, depends, t->depends_count) : NULL);
    sbuf_add(v->out, "</tr>\n");
}

void html_tasks(const struct text_view *v)
{
    static const char *const columns[] = {"Count",        "Tasks",  "Kind",  "State",      "Region",
                                          "Generated by", "Thread", "Place", "Depends on", NULL};
    const insp_snapshot *s = v->snap;
    const struct mdl_task **list = arena_alloc(v->arena, ((size_t)s->task_count + 1) * sizeof(*list));

    if (!list)
        return;
    for (int i = 0; i < s->task_count; i++)
        list[i] = &s->tasks[i];
    qsort(list, (size_t)s->task_count, sizeof(*list), by_likeness);
    begin(v, "tasks", "Tasks", columns);
    for (int i = 0; i < s->task_count;) {
        int count = 1;

        while (i + count < s->task_count && !list[i]->lwp && !list[i]->depends_count &&
               !compare_tasks(list[i], list[i + count]))
            count++;
        task_row(v, list + i, count);
        i += count;
    }
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
