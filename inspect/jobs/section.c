/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/section.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which jobs ------------------------------------------------------------------------------------ */

/* The smallest order of its groups: what is proved, suspected, and the rest alike. */
static int order_of(const struct job_section *s)
{
    int order = s->g.group_count ? s->g.groups[0].order : 2;

    return order > 2 ? 2 : order;
}

static int by_order(const void *left, const void *right)
{
    const struct job_section *a = left, *b = right;
    int order = order_of(a) - order_of(b);

    return order ? order : a->first < b->first ? -1 : a->first > b->first;
}

struct job_section *sections_make(struct job_view *v, size_t *count)
{
    struct job_section *list = calloc(v->j->section_count + 1, sizeof(*list));
    bool good = list != NULL;

    *count = 0;
    for (size_t i = 0; good && i < v->j->member_count; i = list[*count - 1].end) {
        struct job_section *s = &list[(*count)++];

        s->first = i;
        s->end = jobs_section_end(v->j, i);
        s->of = &v->j->sections[v->j->members[i].section];
        s->missing = jobs_missing(v->j, s->first, s->end);
        good = s->missing && job_groups_make(v->j, s->first, s->end, v->options->zoom, SECTION_GROUPS, &s->g);
    }
    if (!good) {
        sections_free(list, *count);
        v->arena.oom = true;
        return NULL;
    }
    qsort(list, *count, sizeof(*list), by_order);
    return list;
}

void sections_free(struct job_section *sections, size_t count)
{
    for (size_t i = 0; sections && i < count; i++) {
        job_groups_free(&sections[i].g);
        json_decref(sections[i].missing);
    }
    free(sections);
}

/* ---- who it is, and how many answered --------------------------------------------------------------- */

/* The program of all members; NULL: there are several, or it is not known of each. */
static const char *common_program(const struct job_view *v, const struct job_section *s)
{
    const char *found = NULL;

    for (size_t i = 0; i < s->g.variant_count; i++) {
        const char *text = view_string(s->g.variants[i].kept->state, "program");

        if (!text || (found && strcmp(text, found) != 0))
            return NULL;
        found = text;
    }
    (void)v;
    return found;
}

/* Equal names of hosts are one pointer: jobs_string. */
static int by_pointer(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t) * (const char *const *)left, b = (uintptr_t) * (const char *const *)right;

    return a < b ? -1 : a > b;
}

/* "on n1", "on 4 hosts"; "": it is not known of each. */
static const char *hosts(struct job_view *v, const struct job_section *s)
{
    const char **names = calloc(s->end - s->first + 1, sizeof(*names));
    size_t count = 0, n = s->end - s->first;

    for (size_t i = 0; names && i < n; i++) {
        names[i] = v->j->members[s->first + i].host;
        if (!names[i])
            n = 0;
    }
    if (names && n)
        qsort(names, n, sizeof(*names), by_pointer);
    for (size_t i = 0; names && i < n; i++)
        if (!count || names[count - 1] != names[i])
            names[count++] = names[i];
    const char *text = count == 1 ? view_printf(v, ", on %s", names[0])
                       : count    ? view_printf(v, ", on %zu hosts", count)
                                  : "";
    free(names);
    return text;
}

static json_int_t count_ranges(const json_t *ranges)
{
    json_int_t n = 0;

    for (size_t i = 0; i < json_array_size(ranges); i++) {
        const json_t *range = json_array_get(ranges, i);

        n += json_integer_value(json_array_get(range, 1)) - json_integer_value(json_array_get(range, 0)) + 1;
    }
    return n;
}

const char *section_name(struct job_view *v, const struct section *s)
{
    if (s->job)
        return view_printf(v, "Job %s%s%s", s->job, s->step ? "." : "", s->step ? s->step : "");
    if (s->name_space)
        return view_printf(v, "Job %s of the launcher", s->name_space);
    return "Processes of no known job";
}

const char *section_title(struct job_view *v, const struct job_section *s)
{
    const char *program = common_program(v, s), *text;
    json_int_t absent = count_ranges(s->missing);
    size_t ranks = 0, bare;

    for (size_t i = s->first; i < s->end; i++)
        ranks += v->j->members[i].rank >= 0;
    bare = s->end - s->first - ranks;
    text = view_printf(v, "%s%s%s%s", section_name(v, s->of), program ? ", " : "", program ? program : "",
                       hosts(v, s));
    if (ranks)
        text = view_printf(v, "%s: %zu of %" JSON_INTEGER_FORMAT " ranks answered", text, ranks,
                           (json_int_t)ranks + absent);
    if (absent)
        text = view_printf(v, "%s, %" JSON_INTEGER_FORMAT " did not", text, absent);
    if (bare)
        text = view_printf(v, "%s %zu process%s without a rank",
                           ranks ? view_printf(v, "%s, and", text) : view_printf(v, "%s:", text), bare,
                           bare == 1 ? "" : "es");
    return view_printf(v, "%s.", text);
}

/* ---- what is the matter ----------------------------------------------------------------------------- */

/* "Deadlock in 2 ranks: 5,9." of all states with this verdict; NULL: of none. */
static const char *of_verdict(struct job_view *v, const struct job_section *s, const char *verdict,
                              const char *words)
{
    struct job_groups some = {.variants = calloc(s->g.variant_count + 1, sizeof(*some.variants))};
    const char *text = NULL;
    size_t count = 0;

    for (size_t i = 0; some.variants && i < s->g.variant_count; i++) {
        const char *word = view_string(s->g.variants[i].kept->state, "verdict");

        if (word && !strcmp(word, verdict)) {
            some.variants[some.variant_count++] = s->g.variants[i];
            count += s->g.variants[i].end - s->g.variants[i].first;
        }
    }
    if (count)
        text = view_printf(v, "%s in %zu %s: %s.", words, count, view_noun(v->j, &some.variants[0], count),
                           view_which(v, &some, 0, some.variant_count, VIEW_RANGES));
    free(some.variants);
    return text;
}

static const char *mpi_place(const json_t *state)
{
    const json_t *rows = json_object_get(state, "threads");

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *kind = view_string(row, "kind");

        if (kind && !strncmp(kind, "MPI_", 4))
            return view_string(row, "at");
    }
    return NULL;
}

/* Where most of them are: the others are missed there, if it is a collective call of all. */
static const char *in_mpi(struct job_view *v, const struct job_section *s)
{
    const struct job_variant *most = NULL;
    size_t count = 0;
    const char *at;

    for (size_t i = 0; i < s->g.variant_count; i++) {
        const struct job_variant *one = &s->g.variants[i];
        size_t n = one->end - one->first;

        if (state_mpi(one->kept->state) && !state_proved(one->kept->state) &&
            (!most || n > count || (n == count && strcmp(one->kept->text, most->kept->text) < 0))) {
            most = one;
            count = n;
        }
    }
    if (!most)
        return NULL;
    at = mpi_place(most->kept->state);
    return view_printf(v, "%zu %s %s in %s%s%s.", count, view_noun(v->j, most, count),
                       count == 1 ? "is" : "are", state_mpi(most->kept->state), at ? " at " : "",
                       at ? at : "");
}

static const char *states(struct job_view *v, const struct job_groups *g)
{
    const char *text =
        view_printf(v, "%zu different state%s", g->variant_count, g->variant_count == 1 ? "" : "s");

    if (g->group_count < g->variant_count)
        text = view_printf(v, "%s, shown as %zu (zoom %d); --zoom %d tells more apart", text, g->group_count,
                           g->zoom, g->zoom + 1);
    return view_printf(v, "%s.", text);
}

void section_matter(struct job_view *v, const struct job_section *s, const char *ret[SECTION_SENTENCES])
{
    const char *all[] = {
        of_verdict(v, s, "deadlock", "Deadlock"),
        of_verdict(v, s, "stuck", "Threads that wait for ever for one that has ended or left"),
        of_verdict(v, s, "suspected", "Perhaps a deadlock"),
        in_mpi(v, s),
        states(v, &s->g),
    };
    size_t n = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i])
            ret[n++] = all[i];
    ret[n] = NULL;
}

void section_gaps(struct job_view *v, const struct job_section *s, const char *ret[SECTION_GAPS])
{
    size_t n = 0;

    if (json_array_size(s->missing))
        ret[n++] = view_printf(v, "No answer: nothing was given of rank %s.",
                               view_ranges(v, s->missing, 2 * VIEW_RANGES));
    if (json_array_size(s->of->again))
        ret[n++] = view_printf(v, "There are several samples of rank %s; the newest of each is shown.",
                               view_ranges(v, s->of->again, 2 * VIEW_RANGES));
    if (s->of->others)
        ret[n++] = "There are several samples of a process without a rank; the newest is shown.";
    ret[n] = NULL;
}

/* ---- who stands for a group -------------------------------------------------------------------------- */

static const struct job_variant *shown(const struct job_section *s, const struct job_group *group)
{
    return &s->g.variants[group->first];
}

bool section_differs(const struct job_section *s, const struct job_group *group)
{
    return group->order <= 3 && view_string(shown(s, group)->kept->state, "sentence");
}

const char *section_sentence(struct job_view *v, const struct job_section *s, const struct job_group *group)
{
    const char *sentence = view_string(shown(s, group)->kept->state, "sentence");

    return view_printf(v, "%s: %s", view_process(v, view_first(v->j, shown(s, group))),
                       sentence ? sentence : "No deadlock.");
}

const char *section_command(struct job_view *v, const struct job_section *s, const struct job_group *group)
{
    const struct member *m = view_first(v->j, shown(s, group));

    /* Of a core nobody has told when its process began. */
    if (m->pid <= 0 || m->start <= 0 ||
        json_is_integer(json_object_get(shown(s, group)->kept->state, "signal")))
        return NULL;
    return view_printf(v, "gdb -p %" PRId64, m->pid);
}

void failures_each(struct job_view *v, size_t most, void (*each)(struct job_view *v, const char *line))
{
    size_t n = v->j->failure_count;

    for (size_t i = 0; i < n && i < most; i++)
        each(v, view_printf(v, "%s: %s", v->j->failures[i].host ? v->j->failures[i].host : "not known whose",
                            v->j->failures[i].why));
    if (n > most)
        each(v, view_printf(v, "%zu more", n - most));
}
