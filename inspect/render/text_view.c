/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/render/text_view.h"

#include "inspect/model/phrases.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int text_indent(const struct text_view *v, int columns)
{
    int most = v->options->width / 3;

    return v->options->width > 0 && columns > most ? most : columns;
}

void text_paragraph(const struct text_view *v, int indent, const char *text)
{
    size_t blanks = text ? strspn(text, " ") : 0;
    int lead = text_indent(v, (int)blanks);

    sbuf_pad(v->out, ' ', (size_t)lead);
    text_continue(v, lead, indent, text ? text + blanks : NULL);
}

void text_continue(const struct text_view *v, int begun, int indent, const char *text)
{
    size_t width = v->options->width > 0 ? (size_t)v->options->width : SIZE_MAX;
    size_t column = (size_t)begun;
    bool first = true;

    indent = text_indent(v, indent);
    while (text && *text) {
        size_t n = strcspn(text, " "), columns = 0;

        for (size_t i = 0; i < n; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (!first && column > (size_t)indent && column + 1 + columns > width) {
            sbuf_add(v->out, "\n");
            sbuf_pad(v->out, ' ', (size_t)indent);
            column = (size_t)indent;
        } else if (!first) {
            sbuf_add(v->out, " ");
            column++;
        }
        first = false;
        sbuf_add_n(v->out, text, n);
        column += columns;
        text += n + strspn(text + n, " ");
    }
    sbuf_add(v->out, "\n");
}

void text_problems(const struct text_view *v)
{
    for (int i = 0; i < v->snap->problem_count; i++) {
        const struct mdl_problem *p = &v->snap->problems[i];
        const char *remedy = p->remedy ? p->remedy : "";
        char *text = arena_printf(v->arena, "%s: %s.%s%s", p->what ? p->what : "?", p->why ? p->why : "?",
                                  *remedy ? " " : "", remedy);

        if (!text)
            continue;
        text[0] = (char)toupper((unsigned char)text[0]);
        text_paragraph(v, 2, text);
    }
}

bool text_has_rows(const struct text_view *v)
{
    for (int i = 0; i < v->snap->thread_count; i++)
        if (v->snap->threads[i].activity.kind != MDL_ACTIVITY_UNKNOWN)
            return true;
    return false;
}

bool text_no_runtime(const struct text_view *v)
{
    if (v->snap->runtime_count)
        return false;
    if (!v->snap->problem_count)
        sbuf_add(v->out, "No OpenMP runtime was found.\n");
    return true;
}

const char *text_state(const struct mdl_thread *t)
{
    if (t->running)
        return "not stopped";
    if (t->state == MDL_STATE_UNKNOWN)
        return "?";
    if (t->wait.kind || mdl_state_waits(t->state))
        return "waiting";
    switch (t->state) {
    case MDL_STATE_WORK_SERIAL:
        return "serial";
    case MDL_STATE_WORK_PARALLEL:
        return "parallel";
    case MDL_STATE_WORK_REDUCTION:
        return "reducing";
    case MDL_STATE_OVERHEAD:
        return "in runtime";
    case MDL_STATE_OTHER:
        return t->other_state;
    default:
        return mdl_word(&mdl_state_words, (int)t->state);
    }
}

const char *text_task_kind(const struct mdl_task *task)
{
    const char *word = mdl_word(&mdl_task_words, (int)task->kind);

    return word ? word : "";
}

int text_by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

const char *text_ranges(const struct text_view *v, const int64_t *numbers, int count)
{
    struct sbuf text = {0};
    const char *result;

    for (int i = 0; i < count;) {
        int end = i;

        while (end + 1 < count && numbers[end + 1] == numbers[end] + 1)
            end++;
        sbuf_printf(&text, "%s%" PRId64, i ? ", " : "", numbers[i]);
        if (end > i)
            sbuf_printf(&text, "%s%" PRId64, end == i + 1 ? ", " : "-", numbers[end]);
        i = end + 1;
    }
    result = text.text ? arena_str(v->arena, text.text) : "";
    sbuf_free(&text);
    return result ? result : "";
}

const char *text_short_ranges(const struct text_view *v, const int64_t *numbers, int count, size_t room)
{
    static const char more[] = ", ...";
    const char *text = text_ranges(v, numbers, count);
    size_t cut = room > sizeof(more) ? room - sizeof(more) + 1 : 0;

    if (strlen(text) <= room)
        return text;
    while (cut > 0 && text[cut] != ',')
        cut--;
    if (!cut)
        cut = strcspn(text, ",");
    if (!text[cut])
        return text;
    text = arena_printf(v->arena, "%.*s%s", (int)cut, text, more);
    return text ? text : "?";
}

const char *text_because(const struct text_view *v, const struct mdl_edge *e)
{
    const char *address = v->options->addresses ? NULL : strstr(e->because, " at 0x"), *text;

    if (!address)
        return e->because;
    text = arena_printf(v->arena, "%.*s", (int)(address - e->because), e->because);
    return text ? text : e->because;
}

const char *text_name(const struct text_view *v, const char *function)
{
    enum { LEAST = 24 };
    size_t most = v->options->width > 2 * LEAST ? (size_t)v->options->width / 2 : LEAST;
    struct sbuf cut = {0};
    const char *kept;

    if (!function || v->options->width <= 0 || text_width(function) <= most)
        return function;
    table_add_cut(&cut, function, most);
    kept = cut.text && !cut.oom ? arena_printf(v->arena, "%s", cut.text) : NULL;
    sbuf_free(&cut);
    return kept ? kept : function;
}

const char *text_place(const struct text_view *v, const struct mdl_place *p)
{
    if (p->function && p->file && p->line)
        return arena_printf(v->arena, "%s, %s:%d", text_name(v, p->function), mdl_base_name(p->file),
                            p->line);
    if (p->file && p->line)
        return arena_printf(v->arena, "%s:%d", mdl_base_name(p->file), p->line);
    if (!p->function && p->module)
        return arena_printf(v->arena, "in %s", mdl_base_name(p->module));
    return text_name(v, p->function);
}

const char *text_construct(const struct text_view *v, const char *kind, const struct mdl_place *p)
{
    const char *text = NULL;

    if (p->file && p->line)
        text = arena_printf(v->arena, "%s at %s:%d", kind, mdl_base_name(p->file), p->line);
    return text ? text : kind;
}

const char *text_stable_threads(const struct text_view *v, const int64_t *lwps, int count, size_t room)
{
    static const char start[] = "OpenMP thread ";
    int64_t *numbers = arena_alloc(v->arena, ((size_t)count + 1) * sizeof(*numbers));
    struct sbuf rest = {0};
    const char *text, *before = "";
    int n = 0;

    for (int i = 0; numbers && i < count; i++) {
        const char *name = mdl_thread_name(v->arena, v->snap, lwps[i]);
        size_t digits =
            strncmp(name, start, sizeof(start) - 1) ? 0 : strspn(name + sizeof(start) - 1, "0123456789");

        if (digits && !name[sizeof(start) - 1 + digits]) {
            numbers[n++] = strtoll(name + sizeof(start) - 1, NULL, 10);
        } else if (rest.len > room) {
            before = NULL;
        } else if (strcmp(name, before) != 0) {
            sbuf_printf(&rest, "%s%s", rest.len ? ", " : "", name);
            before = name;
        }
    }
    if (!before)
        sbuf_add(&rest, ", ...");
    if (numbers)
        qsort(numbers, (size_t)n, sizeof(*numbers), text_by_number);
    text = n ? arena_printf(v->arena, "OpenMP thread%s %s%s%s", n == 1 ? "" : "s",
                            text_short_ranges(v, numbers, n, room), rest.len ? ", " : "",
                            rest.len ? rest.text : "")
             : arena_str(v->arena, rest.text);
    sbuf_free(&rest);
    return text ? text : "?";
}
