/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs as a page: the text's tables with all ranks and stacks behind a click, and the tree as a picture.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/jobs/rows.h"
#include "inspect/jobs/section.h"
#include "inspect/render/html_frame.h"
#include "inspect/render/html_put.h"

/* So that a page of 100,000 ranks can still be opened. */
enum { PAGE_JOBS = 50, PAGE_GROUPS = 100, PAGE_ROWS = 20, PAGE_RANGES = 1000, PAGE_FAILURES = 200 };

static void paragraph(struct job_view *v, const char *class, const char *text)
{
    sbuf_printf(&v->out, "<p class=\"%s\">", class);
    html_text(&v->out, text);
    sbuf_add(&v->out, "</p>\n");
}

static void add_which(struct job_view *v, const struct job_section *s, const struct job_group *group)
{
    sbuf_printf(&v->out, "<td class=\"n\">%zu</td><td class=\"ids\"><details><summary>", group->processes);
    html_text(&v->out, view_which(v, &s->g, group->first, group->end, VIEW_RANGES));
    sbuf_add(&v->out, "</summary>");
    html_text(&v->out, view_which(v, &s->g, group->first, group->end, PAGE_RANGES));
    sbuf_add(&v->out, "</details></td>");
}

static void add_stack(struct job_view *v, const json_t *row, const char *at)
{
    const json_t *stack = json_object_get(row, "stack");

    if (!json_array_size(stack)) {
        html_cell(&v->out, at);
        return;
    }
    sbuf_add(&v->out, "<td><details><summary>");
    html_text(&v->out, at);
    sbuf_add(&v->out, "</summary><pre>");
    for (size_t i = 0; i < json_array_size(stack); i++) {
        sbuf_printf(&v->out, "#%-2zu ", i);
        html_text(&v->out, json_string_value(json_array_get(stack, i)));
        sbuf_add(&v->out, "\n");
    }
    sbuf_add(&v->out, "</pre></details></td>");
}

static void add_group(struct job_view *v, const struct job_section *s, const struct job_group *group)
{
    const json_t *state = s->g.variants[group->first].kept->state;
    size_t n;
    const json_t **list = rows_sorted(state, &n);

    v->arena.oom |= !list;
    for (size_t i = 0; list && (i < n || !i) && i < PAGE_ROWS; i++) {
        sbuf_printf(&v->out, "<tr%s>", *view_mark(state) ? " class=\"wait\"" : "");
        html_cell(&v->out, i ? "" : view_mark(state));
        if (i)
            sbuf_add(&v->out, "<td></td><td></td>");
        else
            add_which(v, s, group);
        html_cell(&v->out, i < n ? rows_threads(v, list[i]) : "");
        html_cell(&v->out, i < n ? view_string(list[i], "does") : "no thread is known");
        add_stack(v, i < n ? list[i] : NULL, i < n ? rows_at(v, &s->g, group, list[i]) : "");
        sbuf_add(&v->out, "</tr>\n");
    }
    if (list && n > PAGE_ROWS)
        sbuf_printf(&v->out,
                    "<tr><td></td><td></td><td></td><td></td><td>(%zu more rows)</td><td></td></tr>\n",
                    n - PAGE_ROWS);
    free(list);
}

static void add_table(struct job_view *v, const struct job_section *s)
{
    static const char *const heads[] = {"", "Ranks", "Which", "Threads", "Do", "At"};
    size_t i;

    sbuf_add(&v->out, "<div class=\"scroll\"><table><thead><tr>");
    for (i = 0; i < sizeof(heads) / sizeof(*heads); i++)
        sbuf_printf(&v->out, "<th>%s</th>", heads[i]);
    sbuf_add(&v->out, "</tr></thead><tbody>\n");
    for (i = 0; i < s->g.group_count && i < PAGE_GROUPS; i++)
        add_group(v, s, &s->g.groups[i]);
    sbuf_add(&v->out, "</tbody></table></div>\n");
    if (i < s->g.group_count)
        paragraph(v, "dim", view_printf(v, "%zu more groups.", s->g.group_count - i));
}

/* "verdict deadlock": the colour of what is said of a job. */
static const char *class_of(const struct job_section *s)
{
    int order = s->g.group_count ? s->g.groups[0].order : 2;

    return order == 0 ? "verdict deadlock" : order == 1 ? "verdict suspected" : "verdict";
}

static void add_section(struct job_view *v, const struct job_section *s)
{
    const char *matter[SECTION_SENTENCES], *gaps[SECTION_GAPS];

    sbuf_add(&v->out, "<section><h2>");
    html_text(&v->out, section_title(v, s));
    sbuf_printf(&v->out, "</h2>\n<p class=\"%s\">", class_of(s));
    section_matter(v, s, matter);
    for (const char **text = matter; *text; text++) {
        html_text(&v->out, *text);
        sbuf_add(&v->out, text[1] ? "<br>\n" : "</p>\n");
    }
    add_table(v, s);
    for (size_t i = 0; i < s->g.group_count && i < SECTION_GROUPS; i++) {
        const char *command = section_command(v, s, &s->g.groups[i]);

        if (!section_differs(s, &s->g.groups[i]))
            continue;
        paragraph(v, "", section_sentence(v, s, &s->g.groups[i]));
        if (command)
            sbuf_printf(&v->out, "<pre>%s</pre>\n", command);
    }
    section_gaps(v, s, gaps);
    for (const char **text = gaps; *text; text++)
        paragraph(v, "", *text);
    sbuf_add(&v->out, "</section>\n");
}

static void add_failure(struct job_view *v, const char *text)
{
    sbuf_add(&v->out, "<li>");
    html_text(&v->out, text);
    sbuf_add(&v->out, "</li>\n");
}

char *jobs_html(struct jobs *j, const struct jobs_options *options)
{
    struct job_view v = {.j = j, .options = options};
    struct job_section *list;
    size_t count = 0;

    jobs_sort(j);
    list = sections_make(&v, &count);
    html_begin(&v.out, "jobs");
    sbuf_printf(&v.out, "<h1>OpenMP in %zu process%s of %zu job%s</h1>\n", j->member_count,
                j->member_count == 1 ? "" : "es", count, count == 1 ? "" : "s");
    for (size_t i = 0; list && i < count && i < PAGE_JOBS; i++)
        add_section(&v, &list[i]);
    if (count > PAGE_JOBS)
        paragraph(&v, "dim", view_printf(&v, "%zu more jobs.", count - PAGE_JOBS));
    if (j->failure_count)
        sbuf_add(&v.out, "<section><h2>No answer</h2><ul>\n");
    failures_each(&v, PAGE_FAILURES, add_failure);
    sbuf_add(&v.out, j->failure_count ? "</ul></section>\n" : "");
    html_picture(&v.out, "tree", "Where all threads are", options->svg);
    sbuf_add(&v.out, "</body>\n</html>\n");
    sections_free(list, count);
    return view_take(&v);
}
