/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs as text: which few processes differ comes first, and a screen has room for all of it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/jobs/groups.h"
#include "inspect/jobs/ranges.h"
#include "inspect/render/table.h"

/* Groups that are shown, rows of one of them, ranges of ranks in a cell, sentences. */
enum { GROUPS_MAX = 12, ROWS_MAX = 5, LINES_MAX = 24, RANGES_MAX = 4, SENTENCES_MAX = 3 };
enum { COL_MARK, COL_COUNT, COL_WHICH, COL_THREADS, COL_DOES, COL_AT };

struct screen {
    const struct jobs *j;
    const struct jobs_options *options;
    struct arena arena;
    struct sbuf out;
};

static const char *string(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static json_int_t integer(const json_t *o, const char *key, json_int_t absent)
{
    const json_t *value = json_object_get(o, key);

    return json_is_integer(value) ? json_integer_value(value) : absent;
}

static const char *ranges(struct screen *s, const json_t *list, size_t most)
{
    struct sbuf text = {0};
    const char *result;

    ranges_add(&text, list, most);
    result = arena_str(&s->arena, text.text ? text.text : "");
    sbuf_free(&text);
    return result ? result : "?";
}

static const char *noun(const struct jobs *j, const struct job_variant *v, size_t count)
{
    bool rank = j->members[v->first].rank >= 0;

    return count == 1 ? (rank ? "rank" : "process") : rank ? "ranks" : "processes";
}

/* ---- which -------------------------------------------------------------------------------------------- */

/* "n1:4711": a process without a rank. */
static const char *process_name(struct screen *s, const struct member *m)
{
    const char *text = m->host ? arena_printf(&s->arena, "%s:%" PRId64, m->host, m->pid)
                               : arena_printf(&s->arena, "process %" PRId64, m->pid);

    return text ? text : "?";
}

static const char *which(struct screen *s, const struct job_groups *g, size_t first, size_t end)
{
    json_t *list = job_groups_ranks(s->j, g, first, end);
    const char *text = ranges(s, list, RANGES_MAX), *more = *text ? "," : "";
    size_t named = 0;

    for (size_t i = first; i < end; i++)
        for (size_t k = g->variants[i].first; k < g->variants[i].end; k++) {
            if (s->j->members[k].rank >= 0 || named > RANGES_MAX)
                continue;
            text = arena_printf(&s->arena, "%s%s%s", text, more,
                                named == RANGES_MAX ? "..." : process_name(s, &s->j->members[k]));
            text = text ? text : "?";
            more = ",";
            named++;
        }
    json_decref(list);
    return text;
}

/* ---- a row of threads ---------------------------------------------------------------------------------- */

/* Rows that say most come first: those of OpenMP and MPI, few threads, then numbers. */
static int weight(const json_t *row)
{
    const char *kind = string(row, "kind");

    if (kind && !strcmp(kind, "idle"))
        return 3;
    if (kind && !strncmp(kind, "MPI_", 4))
        return 0;
    return json_is_true(json_object_get(row, "openmp")) ? 1 : 2;
}

static json_int_t first_number(const json_t *row)
{
    return json_integer_value(json_array_get(json_array_get(json_object_get(row, "numbers"), 0), 0));
}

static int by_weight(const void *left, const void *right)
{
    const json_t *a = *(json_t *const *)left, *b = *(json_t *const *)right;
    json_int_t order = weight(a) - weight(b);

    order = order ? order : integer(a, "count", 0) - integer(b, "count", 0);
    order = order ? order : first_number(a) - first_number(b);
    return order < 0 ? -1 : order > 0;
}

static const char *threads_cell(struct screen *s, const json_t *row)
{
    const char *list = ranges(s, json_object_get(row, "numbers"), RANGES_MAX), *text;
    json_int_t size = integer(row, "team_size", -1), count = integer(row, "count", 0);

    if (!*list)
        text = arena_printf(&s->arena, "%" JSON_INTEGER_FORMAT " more", count);
    else if (size >= 0)
        text = arena_printf(&s->arena, "%s/%" JSON_INTEGER_FORMAT, list, size);
    else
        text = list;
    return text ? text : "?";
}

/* The line that ends a place, "hybrid.c:42"; -1: it ends otherwise. *length: of what is before it. */
static long line_of(const char *at, size_t *length)
{
    const char *colon = at ? strrchr(at, ':') : NULL;

    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return -1;
    *length = (size_t)(colon - at);
    return strtol(colon + 1, NULL, 10);
}

/** Places of several states: how far their lines reach. */
struct span {
    const char *at;
    size_t length, others;
    long low, high;
};

static void widen(struct span *span, const char *at)
{
    size_t length = 0;
    long line = line_of(at, &length);

    if (!at || !strcmp(at, span->at))
        return;
    if (line < 0 || span->low < 0 || length != span->length || strncmp(at, span->at, length) != 0) {
        span->others++;
        return;
    }
    span->low = line < span->low ? line : span->low;
    span->high = line > span->high ? line : span->high;
}

/* Where the threads of ROW are, and those of the group's other variants that do the same. */
static const char *at_cell(struct screen *s, const struct job_groups *g, const struct job_group *group,
                           const json_t *row)
{
    const char *at = string(row, "at"), *kind = string(row, "kind"), *text;
    struct span span = {.at = at};

    if (!at)
        return "";
    span.low = span.high = line_of(at, &span.length);
    for (size_t i = group->first + 1; kind && i < group->end; i++) {
        const json_t *rows = json_object_get(g->variants[i].kept->state, "threads");

        for (size_t k = 0; k < json_array_size(rows); k++) {
            const json_t *other = json_array_get(rows, k);

            if (string(other, "kind") && !strcmp(string(other, "kind"), kind))
                widen(&span, string(other, "at"));
        }
    }
    text = span.low < span.high
               ? arena_printf(&s->arena, "%.*s:%ld-%ld", (int)span.length, at, span.low, span.high)
               : at;
    if (span.others && text)
        text = arena_printf(&s->arena, "%s, and elsewhere", text);
    return text ? text : at;
}

static const char *mark(const json_t *state)
{
    return state_proved(state) ? "!" : state_suspected(state) ? "?" : "";
}

/* Returns how many lines were added. */
static size_t add_group(struct screen *s, struct table *table, const struct job_groups *g,
                        const struct job_group *group, size_t most)
{
    const json_t *state = g->variants[group->first].kept->state, *rows = json_object_get(state, "threads");
    size_t n = json_array_size(rows), shown = n <= most ? n : most - 1;
    const json_t **list = calloc(n + 1, sizeof(*list));

    for (size_t i = 0; list && i < n; i++)
        list[i] = json_array_get(rows, i);
    if (list)
        qsort(list, n, sizeof(*list), by_weight);
    for (size_t i = 0; list && (i < shown || !i); i++) {
        table_row(table, state_proved(state) ? TABLE_WAIT : TABLE_PLAIN);
        if (!i) {
            table_cell(table, COL_MARK, "%s", mark(state));
            table_cell(table, COL_COUNT, "%zu", group->processes);
            table_cell(table, COL_WHICH, "%s", which(s, g, group->first, group->end));
        }
        if (i < n) {
            table_cell(table, COL_THREADS, "%s", threads_cell(s, list[i]));
            table_cell(table, COL_DOES, "%s", string(list[i], "does") ? string(list[i], "does") : "?");
            table_cell(table, COL_AT, "%s", at_cell(s, g, group, list[i]));
        } else {
            table_cell(table, COL_DOES, "no thread is known");
        }
    }
    if (shown < n) {
        table_row(table, TABLE_PLAIN);
        table_cell(table, COL_DOES, "(%zu more rows)", n - shown);
    }
    free(list);
    return shown < n ? shown + 1 : n ? n : 1;
}

static void add_table(struct screen *s, const struct job_groups *g)
{
    struct table table = {0};
    size_t lines = 0, left = 0, i;

    table_column(&table, " ", false, false);
    table_column(&table, "Ranks", true, false);
    table_column(&table, "Which", false, true);
    table_column(&table, "Threads", false, false);
    table_column(&table, "Do", false, true);
    table_column(&table, "At", false, true);
    for (i = 0; i < g->group_count && (i < GROUPS_MAX || s->options->zoom) &&
                (lines < LINES_MAX || s->options->zoom);
         i++)
        lines += add_group(s, &table, g, &g->groups[i], s->options->zoom ? 1000 : ROWS_MAX);
    sbuf_add(&s->out, "\n");
    table_print(&table, s->options->width, false, &s->out);
    table_free(&table);
    for (size_t k = i; k < g->group_count; k++)
        left += g->groups[k].processes;
    if (left)
        sbuf_printf(&s->out, "(%zu more groups, of %zu; --zoom 1 to 3 shows all)\n", g->group_count - i,
                    left);
}

/* ---- sentences ---------------------------------------------------------------------------------------- */

/* The host or the program of all members; NULL: there are several, or it is not known of each. */
static const char *common(struct screen *s, size_t first, size_t end, bool host)
{
    const char *found = NULL;

    for (size_t i = first; i < end; i++) {
        const struct member *m = &s->j->members[i];
        const char *text = host ? m->host : string(s->j->states[m->state].state, "program");

        if (!text || (found && strcmp(text, found) != 0))
            return NULL;
        found = text;
    }
    return found;
}

static void title(struct screen *s, const struct section *section, size_t first, size_t end)
{
    const char *program = common(s, first, end, false), *host = common(s, first, end, true);

    if (section->job)
        sbuf_printf(&s->out, "Job %s%s%s", section->job, section->step ? "." : "",
                    section->step ? section->step : "");
    else if (section->name_space)
        sbuf_printf(&s->out, "Job %s of the launcher", section->name_space);
    else
        sbuf_add(&s->out, "Processes of no known job");
    if (program)
        sbuf_printf(&s->out, ", %s", program);
    if (host)
        sbuf_printf(&s->out, ", on %s", host);
}

static void coverage(struct screen *s, int number, size_t first, size_t end, const json_t *missing)
{
    size_t ranks = 0;
    json_int_t absent = 0;

    for (size_t i = first; i < end; i++)
        ranks += s->j->members[i].rank >= 0;
    for (size_t i = 0; i < json_array_size(missing); i++) {
        const json_t *range = json_array_get(missing, i);

        absent +=
            json_integer_value(json_array_get(range, 1)) - json_integer_value(json_array_get(range, 0)) + 1;
    }
    title(s, &s->j->sections[number], first, end);
    if (ranks)
        sbuf_printf(&s->out, ": %zu of %" JSON_INTEGER_FORMAT " ranks answered", ranks,
                    (json_int_t)ranks + absent);
    if (absent)
        sbuf_printf(&s->out, ", %" JSON_INTEGER_FORMAT " did not", absent);
    if (end - first > ranks)
        sbuf_printf(&s->out, "%s %zu process%s without a rank", ranks ? ", and" : ":", end - first - ranks,
                    end - first - ranks == 1 ? "" : "es");
    sbuf_add(&s->out, ".\n");
}

/* "Deadlock in 2 ranks: 5,9." of all states with this verdict. */
static void say_verdict(struct screen *s, const struct job_groups *g, const char *verdict, const char *words)
{
    struct job_groups some = {.variants = calloc(g->variant_count + 1, sizeof(*some.variants))};
    size_t count = 0;

    for (size_t i = 0; some.variants && i < g->variant_count; i++)
        if (string(g->variants[i].kept->state, "verdict") &&
            !strcmp(string(g->variants[i].kept->state, "verdict"), verdict)) {
            some.variants[some.variant_count++] = g->variants[i];
            count += g->variants[i].end - g->variants[i].first;
        }
    if (count)
        sbuf_printf(&s->out, "%s in %zu %s: %s.\n", words, count, noun(s->j, &some.variants[0], count),
                    which(s, &some, 0, some.variant_count));
    free(some.variants);
}

static const char *mpi_place(const json_t *state)
{
    const json_t *rows = json_object_get(state, "threads");

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        if (string(row, "kind") && !strncmp(string(row, "kind"), "MPI_", 4))
            return string(row, "at");
    }
    return NULL;
}

/* Where most of them are: the others are missed there, if it is a collective call of all. */
static void say_mpi(struct screen *s, const struct job_groups *g)
{
    const struct job_variant *most = NULL;
    const char *at;

    for (size_t i = 0; i < g->variant_count; i++) {
        const struct job_variant *v = &g->variants[i];

        if (state_mpi(v->kept->state) && !state_proved(v->kept->state) &&
            (!most || v->end - v->first > most->end - most->first ||
             (v->end - v->first == most->end - most->first && strcmp(v->kept->text, most->kept->text) < 0)))
            most = v;
    }
    if (!most)
        return;
    at = mpi_place(most->kept->state);
    sbuf_printf(&s->out, "%zu %s %s in %s%s%s.\n", most->end - most->first,
                noun(s->j, most, most->end - most->first), most->end - most->first == 1 ? "is" : "are",
                state_mpi(most->kept->state), at ? " at " : "", at ? at : "");
}

static void say_states(struct screen *s, const struct job_groups *g)
{
    sbuf_printf(&s->out, "%zu different state%s", g->variant_count, g->variant_count == 1 ? "" : "s");
    if (g->group_count < g->variant_count)
        sbuf_printf(&s->out, ", shown as %zu (zoom %d); --zoom %d tells more apart", g->group_count, g->zoom,
                    g->zoom + 1);
    sbuf_add(&s->out, ".\n");
}

/* The process with the lowest rank of a state, which stands for the others. */
static const struct member *first_of(const struct jobs *j, const struct job_variant *v)
{
    const struct member *best = &j->members[v->first];

    for (size_t i = v->first; i < v->end; i++)
        if (j->members[i].rank >= 0 && (best->rank < 0 || j->members[i].rank < best->rank))
            best = &j->members[i];
    return best;
}

static void say_process(struct screen *s, const struct member *m)
{
    if (m->rank >= 0)
        sbuf_printf(&s->out, "Rank %" PRId64 ", process %" PRId64, m->rank, m->pid);
    else
        sbuf_printf(&s->out, "Process %" PRId64, m->pid);
    if (m->host)
        sbuf_printf(&s->out, " on %s", m->host);
}

static void say_sentences(struct screen *s, const struct job_groups *g)
{
    size_t said = 0;

    for (size_t i = 0; i < g->group_count && said < SENTENCES_MAX; i++) {
        const struct job_variant *v = &g->variants[g->groups[i].first];
        const char *sentence = string(v->kept->state, "sentence");

        if (g->groups[i].order > 3 || !sentence)
            continue;
        sbuf_add(&s->out, "\n");
        say_process(s, first_of(s->j, v));
        sbuf_printf(&s->out, ": %s\n", sentence);
        said++;
    }
}

static void say_missing(struct screen *s, const struct section *section, const json_t *missing)
{
    if (json_array_size(missing))
        sbuf_printf(&s->out, "\nNo answer: nothing was given of rank %s.\n",
                    ranges(s, missing, 2 * RANGES_MAX));
    if (json_array_size(section->again))
        sbuf_printf(&s->out, "\nThere are several samples of rank %s; the newest of each is shown.\n",
                    ranges(s, section->again, 2 * RANGES_MAX));
    if (section->others)
        sbuf_add(&s->out, "\nThere are several samples of a process without a rank; the newest is shown.\n");
}

/* ---- a section, and one rank -------------------------------------------------------------------------- */

static void add_section(struct screen *s, size_t first, size_t end)
{
    int number = s->j->members[first].section;
    json_t *missing = jobs_missing(s->j, first, end);
    struct job_groups g;

    if (job_groups_make(s->j, first, end, s->options->zoom, GROUPS_MAX, &g)) {
        coverage(s, number, first, end, missing);
        say_verdict(s, &g, "deadlock", "Deadlock");
        say_verdict(s, &g, "stuck", "Threads that wait for ever for one that has ended or left");
        say_verdict(s, &g, "suspected", "Perhaps a deadlock");
        say_mpi(s, &g);
        say_states(s, &g);
        add_table(s, &g);
        say_sentences(s, &g);
        say_missing(s, &s->j->sections[number], missing);
    } else {
        s->arena.oom = true;
    }
    job_groups_free(&g);
    json_decref(missing);
}

static void add_row(struct screen *s, const json_t *row)
{
    const json_t *stack = json_object_get(row, "stack");
    const char *region = string(row, "region");

    bool numbered = json_array_size(json_object_get(row, "numbers")) > 0;

    sbuf_printf(&s->out, "\n%s%s: %s%s%s\n", numbered ? "Threads " : "", threads_cell(s, row),
                string(row, "does") ? string(row, "does") : "?", region ? ", in " : "", region ? region : "");
    for (size_t i = 0; i < json_array_size(stack); i++)
        sbuf_printf(&s->out, "    #%-2zu %s\n", i, json_string_value(json_array_get(stack, i)));
}

/* All that is known of one process. */
static void add_member(struct screen *s, const struct member *m)
{
    const json_t *state = s->j->states[m->state].state, *rows = json_object_get(state, "threads");
    const json_t *problems = json_object_get(state, "problems"), *tasks = json_object_get(state, "tasks");
    size_t alike = 0;

    for (size_t i = 0; i < s->j->member_count; i++)
        alike += s->j->members[i].state == m->state && s->j->members[i].section == m->section;
    say_process(s, m);
    if (string(state, "program"))
        sbuf_printf(&s->out, ", %s", string(state, "program"));
    if (alike > 1)
        sbuf_printf(&s->out, "; %zu more are in the same state", alike - 1);
    sbuf_printf(&s->out, "\n%s\n", string(state, "sentence") ? string(state, "sentence") : "No deadlock.");
    for (size_t i = 0; i < json_array_size(problems); i++)
        sbuf_printf(&s->out, "%s.\n", json_string_value(json_array_get(problems, i)));
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_row(s, json_array_get(rows, i));
    for (size_t i = 0; i < json_array_size(tasks); i++)
        sbuf_printf(&s->out, "%s%" JSON_INTEGER_FORMAT " or more tasks: %s\n", i ? "" : "\n",
                    integer(json_array_get(tasks, i), "at_least", 1),
                    string(json_array_get(tasks, i), "what"));
}

static void say_failures(struct screen *s)
{
    enum { FAILURES_MAX = 8 };
    size_t n = s->j->failure_count;

    if (n)
        sbuf_add(&s->out, s->out.len ? "\nNo answer\n" : "No answer\n");
    for (size_t i = 0; i < n && (i < FAILURES_MAX || s->options->zoom); i++)
        sbuf_printf(&s->out, "  %s: %s\n",
                    s->j->failures[i].host ? s->j->failures[i].host : "not known whose",
                    s->j->failures[i].why);
    if (n > FAILURES_MAX && !s->options->zoom)
        sbuf_printf(&s->out, "  %zu more\n", n - FAILURES_MAX);
}

char *jobs_text(struct jobs *j, const struct jobs_options *options)
{
    struct screen s = {.j = j, .options = options};

    jobs_sort(j);
    for (size_t i = 0, next; i < j->member_count; i = next) {
        next = jobs_section_end(j, i);
        if (i && options->rank < 0)
            sbuf_add(&s.out, "\n");
        if (options->rank < 0)
            add_section(&s, i, next);
        for (size_t k = i; options->rank >= 0 && k < next; k++)
            if (j->members[k].rank == options->rank)
                add_member(&s, &j->members[k]);
    }
    if (options->rank < 0)
        say_failures(&s);
    s.out.oom |= s.arena.oom || j->oom;
    arena_free(&s.arena);
    return sbuf_take(&s.out);
}
