/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs as text: which few processes differ comes first, and a screen has room for all of it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/base/utf8.h"
#include "inspect/jobs/one_rank.h"
#include "inspect/jobs/rows.h"
#include "inspect/jobs/section.h"
#include "inspect/render/table.h"

enum { COL_MARK, COL_COUNT, COL_WHICH, COL_THREADS, COL_DOES, COL_AT };

/** How much is shown. */
struct detail {
    size_t jobs, titles; /**< in full, and after these only the first line of each */
    size_t groups, rows; /**< of a job, and of a group */
    size_t sentences, failures;
};

enum { SCREEN_LINES = 40 };
/* The first that gives a short screen counts. */
static const struct detail details[] = {
    {100, 0, SECTION_GROUPS, 5, 3, 8},
    {100, 0, SECTION_GROUPS, 4, 2, 8},
    {100, 0, SECTION_GROUPS, 3, 2, 6},
    {100, 0, SECTION_GROUPS, 2, 1, 6},
    {6, 8, 8, 2, 1, 4},
    {4, 8, 4, 3, 1, 4},
    {3, 8, 4, 2, 1, 4},
    {2, 8, 3, 2, 1, 3},
    {1, 8, 4, 2, 1, 3},
    {1, 6, 3, 1, 1, 2},
    {1, 4, 1, 1, 0, 2},
};
static const struct detail everything = {SIZE_MAX, 0, SIZE_MAX, SIZE_MAX, 3, SIZE_MAX};

static void line(struct job_view *v, const char *before, const char *text)
{
    sbuf_printf(&v->out, "%s%s\n", before, text);
}

/* ---- a job ------------------------------------------------------------------------------------------- */

static void add_group(struct job_view *v, struct table *table, const struct job_section *s,
                      const struct job_group *group, size_t most)
{
    const json_t *state = s->g.variants[group->first].kept->state;
    size_t n, shown;
    const json_t **list = rows_sorted(state, &n);

    shown = n <= most || most == 1 ? (n < most ? n : most) : most - 1;
    v->arena.oom |= !list;
    for (size_t i = 0; list && (i < shown || !i); i++) {
        table_row(table, state_proved(state) ? TABLE_WAIT : TABLE_PLAIN);
        if (!i) {
            table_cell(table, COL_MARK, "%s", view_mark(state));
            table_cell(table, COL_COUNT, "%zu", group->processes);
            table_cell(table, COL_WHICH, "%s", view_which(v, &s->g, group->first, group->end, VIEW_RANGES));
        }
        if (i < n) {
            const char *does = view_string(list[i], "does");

            table_cell(table, COL_THREADS, "%s", rows_threads(v, list[i]));
            table_cell(table, COL_DOES, "%s", does ? does : "?");
            table_cell(table, COL_AT, "%s", rows_at(v, &s->g, group, list[i]));
        } else {
            table_cell(table, COL_DOES, "no thread is known");
        }
    }
    if (shown < n && most > 1) {
        table_row(table, TABLE_PLAIN);
        table_cell(table, COL_DOES, "(%zu more rows)", n - shown);
    }
    free(list);
}

static void add_table(struct job_view *v, const struct job_section *s, const struct detail *d)
{
    struct table table = {0};
    size_t left = 0, i;

    table_column(&table, " ", false, false);
    table_column(&table, "Ranks", true, false);
    table_column(&table, "Which", false, true);
    table_column(&table, "Threads", false, false);
    table_column(&table, "Do", false, true);
    table_column(&table, "At", false, true);
    for (i = 0; i < s->g.group_count && i < d->groups; i++)
        add_group(v, &table, s, &s->g.groups[i], d->rows);
    sbuf_add(&v->out, "\n");
    table_print(&table, v->options->width, v->options->colour, &v->out);
    table_free(&table);
    for (size_t k = i; k < s->g.group_count; k++)
        left += s->g.groups[k].processes;
    if (left)
        sbuf_printf(&v->out, "(%zu more group%s, of %zu; --zoom 1 to 3 shows all)\n", s->g.group_count - i,
                    s->g.group_count - i == 1 ? "" : "s", left);
}

static void add_section(struct job_view *v, const struct job_section *s, const struct detail *d)
{
    const char *matter[SECTION_SENTENCES], *gaps[SECTION_GAPS];
    size_t said = 0;

    line(v, "", section_title(v, s));
    section_matter(v, s, matter);
    for (const char **text = matter; *text; text++)
        line(v, "", *text);
    add_table(v, s, d);
    for (size_t i = 0; i < s->g.group_count && said < d->sentences; i++) {
        const char *command = section_command(v, s, &s->g.groups[i]);

        if (!section_differs(s, &s->g.groups[i]))
            continue;
        line(v, "\n", section_sentence(v, s, &s->g.groups[i]));
        if (command)
            line(v, "  ", command);
        said++;
    }
    section_gaps(v, s, gaps);
    for (const char **text = gaps; *text; text++)
        line(v, "\n", *text);
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static void add_failure(struct job_view *v, const char *text)
{
    line(v, "  ", text);
}

static void add_jobs(struct job_view *v, const struct job_section *list, size_t count, const struct detail *d)
{
    size_t i;

    for (i = 0; i < count && i < d->jobs; i++) {
        sbuf_add(&v->out, i ? "\n" : "");
        add_section(v, &list[i], d);
    }
    for (size_t first = i; i < count && i < first + d->titles; i++)
        line(v, i == first ? "\n" : "", section_title(v, &list[i]));
    if (i < count)
        sbuf_printf(&v->out, "(%zu more job%s; --zoom 1 to 3 shows all)\n", count - i,
                    count - i == 1 ? "" : "s");
    if (v->j->failure_count)
        line(v, v->out.len ? "\n" : "", "No answer");
    failures_each(v, d->failures, add_failure);
}

/* Lines that a screen of this width takes for the text. */
static size_t lines_of(const struct job_view *v)
{
    size_t lines = 0, column = 0, width = v->options->width > 0 ? (size_t)v->options->width : SIZE_MAX, n;

    for (const char *at = v->out.text; at && *at; at += n) {
        n = utf8_len(at);
        n = n ? n : 1;
        if (*at == '\n' || column == width) {
            lines++;
            column = 0;
        }
        column += *at != '\n';
    }
    return lines;
}

char *jobs_text(struct jobs *j, const struct jobs_options *options)
{
    struct job_view v = {.j = j, .options = options};
    struct job_section *list;
    size_t count = 0;

    jobs_sort(j);
    if (options->rank >= 0) {
        one_rank(&v, options->rank);
        return view_take(&v);
    }
    list = sections_make(&v, &count);
    for (size_t i = 0; list && i < sizeof(details) / sizeof(*details); i++) {
        sbuf_free(&v.out);
        v.out = (struct sbuf){0};
        add_jobs(&v, list, count, options->zoom ? &everything : &details[i]);
        if (options->zoom || lines_of(&v) <= SCREEN_LINES)
            break;
    }
    sections_free(list, count);
    return view_take(&v);
}
