/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"
#include "inspect/render/group.h"
#include "inspect/render/text.h"

/* Characters of the numbers of threads with one stack; `ompd stacks --all` has each thread's. */
enum { LIST_ROOM = 50 };

static void print_frame(const struct text_view *v, const struct stack_line *line, int number, bool joined)
{
    const struct mdl_frame *f = line->frame;
    struct sbuf line_text = {0};
    bool dim = !code_is_users(f->code);

    if (joined)
        text_paragraph(v, 7,
                       arena_printf(v->arena, "    -- region created by %s --",
                                    mdl_thread_name(v->arena, v->snap, line->lwp)));
    sbuf_add(v->out, style_on(dim ? TABLE_DIM : TABLE_PLAIN, v->options->colour));
    sbuf_printf(v->out, "    #%-2d ", number);
    if (f->place.function)
        sbuf_add(&line_text, text_name(v, f->place.function));
    if (v->options->addresses || !f->place.function)
        sbuf_printf(&line_text, "%s0x%" PRIx64, f->place.function ? " " : "", f->pc);
    if (f->place.file && f->place.line > 0)
        sbuf_printf(&line_text, " at %s:%d", mdl_base_name(f->place.file), f->place.line);
    else if (f->module)
        sbuf_printf(&line_text, " in %s", mdl_base_name(f->module));
    text_continue(v, number < 100 ? 8 : 9, 10, line_text.text ? line_text.text : "");
    sbuf_add(v->out, style_off(dim ? TABLE_DIM : TABLE_PLAIN, v->options->colour));
    v->out->oom |= line_text.oom;
    sbuf_free(&line_text);
}

static void print_group(const struct text_view *v, const struct groups *g, int group)
{
    const struct mdl_thread *t = &v->snap->threads[g->first[group]];
    int64_t *list = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*list)), before = t->lwp;
    struct stack stack;
    const char *wait = text_wait(v, t), *who;
    int n = 0;

    for (int i = g->first[group]; list && i >= 0; i = g->next[i])
        list[n++] = v->snap->threads[i].gdb_num ? v->snap->threads[i].gdb_num : v->snap->threads[i].lwp;
    if (!list)
        return;
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    who = n == 1 ? mdl_thread_name(v->arena, v->snap, t->lwp)
                 : arena_printf(v->arena, "%s %s (%d threads)", t->gdb_num ? "threads" : "LWPs",
                                text_short_ranges(v, list, n, LIST_ROOM), n);
    text_paragraph(
        v, 4, arena_printf(v->arena, "%s: %s%s%s", who ? who : "?", text_state(t), *wait ? ", " : "", wait));
    stack_join(v->snap, t, v->options->frames, v->arena, &stack);
    for (int i = 0; i < stack.count; i++) {
        print_frame(v, &stack.line[i], i, stack.line[i].lwp != before);
        before = stack.line[i].lwp;
    }
    if (!stack.count)
        text_paragraph(v, 4,
                       t->frame_count ? "    only frames of the runtime and the system" : "    no stack");
}

void text_stacks(const struct text_view *v)
{
    struct groups g;

    if (text_no_runtime(v))
        return;
    if (!(v->snap->want & INSP_STACKS)) {
        sbuf_add(v->out, "The snapshot has no stacks.\n");
        return;
    }
    if (!group_threads(v->snap, v->options->expand, v->arena, &g))
        return;
    for (int i = 0; i < g.count; i++)
        print_group(v, &g, i);
    if (!g.count)
        sbuf_add(v->out, "No thread is an OpenMP thread.\n");
}

/* A semicolon separates frames, the last blank the count. */
static void add_word(struct sbuf *out, const char *word)
{
    for (; *word; word++)
        sbuf_add_n(out, *word == ';' ? ":" : *word == '\n' ? " " : word, 1);
}

void text_folded(const struct text_view *v)
{
    struct groups g;

    if (!group_threads(v->snap, false, v->arena, &g))
        return;
    for (int i = 0; i < g.count; i++) {
        const struct mdl_thread *t = &v->snap->threads[g.first[i]];
        struct stack stack;

        stack_join(v->snap, t, v->options->frames, v->arena, &stack);
        for (int k = stack.count - 1; k >= 0; k--) {
            const struct mdl_frame *f = stack.line[k].frame;
            const char *name =
                f->place.function ? f->place.function : arena_printf(v->arena, "0x%" PRIx64, f->pc);

            add_word(v->out, name ? name : "?");
            sbuf_add(v->out, k ? ";" : "");
        }
        if (!stack.count)
            sbuf_add(v->out, "(no stack)");
        if (t->wait.kind) {
            sbuf_add(v->out, ";[waits for ");
            add_word(v->out, mdl_wait_name(v->arena, &t->wait, false));
            sbuf_add(v->out, "]");
        } else if (t->state == MDL_STATE_IDLE) {
            sbuf_add(v->out, ";[idle]");
        }
        sbuf_printf(v->out, " %d\n", g.size[i]);
    }
}
