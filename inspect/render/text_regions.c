/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/phrases.h"
#include "inspect/render/text_view.h"

enum { MAX_DEPTH = 200 };

/* What is shown behind a member's number; equal texts in a row fold into one line. */
static const char *member_state(const struct text_view *v, const struct mdl_region *r,
                                const struct mdl_member *m)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, m->lwp);

    if (!t)
        return "not listed";
    if (t->runtime != r->runtime && t->region)
        return arena_printf(v->arena, "in region %" PRIu64 " of runtime %d", t->region, t->runtime);
    if (t->region != r->id || t->runtime != r->runtime)
        return t->region ? arena_printf(v->arena, "in region %" PRIu64, t->region) : text_does(v, t);
    return text_state_and_wait(v, t, false);
}

/* The members of one row of a region's list: those of the same state, the current thread alone. */
struct row {
    int *member;
    int count;
    bool current;
};

/* Characters of numbers in one cell. */
enum { NUMBERS_ROOM = 20 };

static const char *threads_of(const struct text_view *v, const struct mdl_region *r, const struct row *row)
{
    int64_t *numbers = arena_alloc(v->arena, (size_t)row->count * sizeof(*numbers));
    bool gdb = true;
    int count = 0;

    /* The members' numbers are their names in a stable snapshot. */
    if (!numbers || !r->members[row->member[0]].lwp || v->snap->stable)
        return "";
    if (row->count == 1)
        return mdl_thread_name(v->arena, v->snap, r->members[row->member[0]].lwp);
    for (int i = 0; i < row->count; i++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, r->members[row->member[i]].lwp);

        gdb &= t && t->gdb_num > 0;
    }
    for (int i = 0; i < row->count; i++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, r->members[row->member[i]].lwp);

        numbers[count++] = gdb && t ? t->gdb_num : r->members[row->member[i]].lwp;
    }
    qsort(numbers, (size_t)count, sizeof(*numbers), text_by_number);
    return arena_printf(v->arena, "%s %s", gdb ? "threads" : "LWPs",
                        text_short_ranges(v, numbers, count, NUMBERS_ROOM));
}

static const char *members_of(const struct text_view *v, const struct mdl_region *r, const struct row *row)
{
    int64_t *numbers = arena_alloc(v->arena, (size_t)row->count * sizeof(*numbers));

    for (int i = 0; numbers && i < row->count; i++)
        numbers[i] = r->members[row->member[i]].thread_num;
    return numbers ? text_short_ranges(v, numbers, row->count, NUMBERS_ROOM) : "?";
}

/* The row that begins with member FIRST; its members' states are taken away. */
static void collect(const struct text_view *v, const struct mdl_region *r, const char **states, int first,
                    struct row *row)
{
    int64_t current = v->snap->current >= 0 ? v->snap->threads[v->snap->current].lwp : -1;
    const char *state = states[first];

    row->current = r->members[first].lwp == current;
    row->count = 0;
    for (int i = first; i < r->member_count; i++) {
        bool alike = states[i] && !row->current && !v->options->expand && r->members[i].lwp != current &&
                     !r->members[i].lwp == !r->members[first].lwp && !strcmp(states[i], state);

        if (i != first && !alike)
            continue;
        row->member[row->count++] = i;
        states[i] = NULL;
    }
}

static void print_members(const struct text_view *v, const struct mdl_region *r, int indent)
{
    const char **states = arena_alloc(v->arena, ((size_t)r->member_count + 1) * sizeof(*states));
    struct row row = {.member = arena_alloc(v->arena, ((size_t)r->member_count + 1) * sizeof(int))};
    struct table table = {0};
    struct sbuf lines = {0};
    char *at, *end;

    if (!states || !row.member)
        return;
    table_column(&table, "", false, false);
    table_column(&table, "", false, false);
    table_column(&table, "", false, true);
    table_column(&table, "", false, true);
    for (int i = 0; i < r->member_count; i++)
        states[i] = member_state(v, r, &r->members[i]);
    for (int i = 0; i < r->member_count; i++) {
        const char *state = states[i];

        if (!state)
            continue;
        collect(v, r, states, i, &row);
        table_row(&table, TABLE_PLAIN);
        table_cell(&table, 0, "%s", row.current ? "*" : " ");
        table_cell(&table, 1, "%s", members_of(v, r, &row));
        table_cell(&table, 2, "%s", threads_of(v, r, &row));
        if (row.count > 2)
            table_cell(&table, 3, "%s (%d threads)", state, row.count);
        else
            table_cell(&table, 3, "%s", state);
    }
    table_print(&table, v->options->width > 0 ? v->options->width - indent : 0, false, &lines);
    table_free(&table);
    if (lines.oom)
        v->out->oom = true;
    /* Indent it; the line of column heads is empty here. */
    for (at = lines.text; at && *at; at = end + 1) {
        end = strchr(at, '\n');
        if (end > at) {
            sbuf_pad(v->out, ' ', (size_t)indent);
            sbuf_add_n(v->out, at, (size_t)(end - at + 1));
        }
    }
    sbuf_free(&lines);
}

static bool is_current(const insp_snapshot *s, const struct mdl_region *r)
{
    return s->current >= 0 && s->threads[s->current].region == r->id &&
           s->threads[s->current].runtime == r->runtime;
}

static void print_region(const struct text_view *v, const struct mdl_region *r, int depth)
{
    struct sbuf line = {0};
    const char *word = mdl_word(&mdl_region_words, (int)r->kind), *kind = word ? word : "region";
    int indent = text_indent(v, 2 * depth);

    sbuf_printf(&line, "Region %" PRIu64, r->id);
    if (v->snap->runtime_count > 1)
        sbuf_printf(&line, " of runtime %d", r->runtime);
    sbuf_printf(&line, ": %s", text_construct(v, kind, &r->place));
    if (r->place.function)
        sbuf_printf(&line, ", %s", text_name(v, r->place.function));
    if (r->entry && !v->snap->stable && (v->options->addresses || (!r->place.function && !r->place.file)))
        sbuf_printf(&line, ", 0x%" PRIx64 "%s%s", r->entry, r->place.module ? " in " : "",
                    r->place.module ? mdl_base_name(r->place.module) : "");
    if (r->level >= 0)
        sbuf_printf(&line, ", level %d", r->level);
    if (r->team_size >= 0)
        sbuf_printf(&line, ", %d %s", r->team_size, r->team_size == 1 ? "thread" : "threads");
    if (r->team_num >= 0)
        sbuf_printf(&line, ", team %d of %d", r->team_num, r->league_size);
    sbuf_add(v->out, style_on(is_current(v->snap, r) ? TABLE_BOLD : TABLE_PLAIN, v->options->colour));
    sbuf_printf(v->out, "%s%*s", is_current(v->snap, r) ? "* " : "  ", indent, "");
    text_continue(v, indent + 2, indent + 6, line.text ? line.text : "");
    sbuf_add(v->out, style_off(is_current(v->snap, r) ? TABLE_BOLD : TABLE_PLAIN, v->options->colour));
    if (line.oom)
        v->out->oom = true;
    sbuf_free(&line);
    print_members(v, r, indent + 4);
}

/* Depth first by an explicit stack: a broken target's nest may be deep. Regions come in order of ids. */
static void print_tree(const struct text_view *v, const struct mdl_region *root, char *shown)
{
    const insp_snapshot *s = v->snap;
    int stack[MAX_DEPTH], next[MAX_DEPTH], depth = 0;

    stack[0] = (int)(root - s->regions);
    next[0] = 0;
    shown[stack[0]] = 1;
    print_region(v, root, 0);
    while (depth >= 0) {
        const struct mdl_region *r = &s->regions[stack[depth]];
        int i = next[depth];

        while (i < s->region_count &&
               (shown[i] || s->regions[i].parent != r->id || s->regions[i].runtime != r->runtime))
            i++;
        next[depth] = i + 1;
        if (i == s->region_count || depth + 1 == MAX_DEPTH) {
            depth--;
            continue;
        }
        shown[i] = 1;
        stack[++depth] = i;
        next[depth] = 0;
        print_region(v, &s->regions[i], depth);
    }
}

void text_regions(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    char *shown;
    int open = 0;

    if (text_no_runtime(v))
        return;
    for (int i = 0; i < s->region_count; i++)
        open += s->regions[i].kind != MDL_REGION_INITIAL;
    if (!open) {
        sbuf_add(v->out, "There is no parallel region.\n");
        return;
    }
    shown = arena_alloc(v->arena, (size_t)s->region_count);
    if (!shown)
        return;
    for (int i = 0; i < s->region_count; i++)
        if (!shown[i] && !mdl_region_by_id(s, s->regions[i].runtime, s->regions[i].parent))
            print_tree(v, &s->regions[i], shown);
    /* What is left is its own ancestor, or deeper than any real nest. */
    for (int i = 0; i < s->region_count; i++)
        if (!shown[i])
            print_tree(v, &s->regions[i], shown);
}
