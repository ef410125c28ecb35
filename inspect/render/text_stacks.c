/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/text_stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"
#include "inspect/render/group.h"
#include "inspect/render/stack_labels.h"
#include "inspect/render/text_view.h"

/* Characters of the numbers of threads with one stack; `ompd stacks --all` has each thread's. */
enum { LIST_ROOM = 50 };

/* "#3  ", or "#3-#40 " of a recursion. */
static int print_number(const struct text_view *v, int number, int times)
{
    char text[32];
    int n = times > 1 ? snprintf(text, sizeof(text), "#%d-#%d ", number, number + times - 1)
                      : snprintf(text, sizeof(text), "#%-2d ", number);

    sbuf_printf(v->out, "    %s", text);
    return 4 + n;
}

/* LABEL: NULL none. TIMES: how many equal ones there are. */
static void print_frame(const struct text_view *v, const struct stack_line *line,
                        const struct stack_label *label, int number, int times, bool joined)
{
    const struct mdl_frame *f = line->frame;
    struct sbuf line_text = {0};
    const char *name = f->place.function;
    bool dim = !code_is_users(f->code);
    int indent;

    if (joined)
        text_paragraph(v, 7,
                       arena_printf(v->arena, "    -- region created by %s --",
                                    mdl_thread_name(v->arena, v->snap, line->lwp)));
    if (line->interrupted)
        sbuf_add(v->out, "    -- interrupted by a signal --\n");
    sbuf_add(v->out, style_on(dim ? TABLE_DIM : TABLE_PLAIN, v->options->colour));
    indent = print_number(v, number, times);
    if (label && label->construct && label->function)
        name = label->function;
    if (name)
        sbuf_add(&line_text, text_name(v, name));
    if (!name && v->snap->stable)
        sbuf_add(&line_text, "?");
    else if (v->options->addresses || !name)
        sbuf_printf(&line_text, "%s0x%" PRIx64, name ? " " : "", f->pc);
    if (label && label->construct)
        sbuf_printf(&line_text, " [%s]", label->construct);
    if (f->place.file && f->place.line > 0)
        sbuf_printf(&line_text, " at %s:%d", mdl_base_name(f->place.file), f->place.line);
    else if (f->module)
        sbuf_printf(&line_text, " in %s", mdl_base_name(f->module));
    if (f->inlined)
        sbuf_add(&line_text, " (inlined)");
    if (times > 1)
        sbuf_printf(&line_text, " (%d times)", times);
    text_continue(v, indent, 10, line_text.text ? line_text.text : "");
    sbuf_add(v->out, style_off(dim ? TABLE_DIM : TABLE_PLAIN, v->options->colour));
    v->out->oom |= line_text.oom;
    sbuf_free(&line_text);
}

/* Below its frame, as GDB's "bt full" has them. */
static void print_locals(const struct text_view *v, const struct mdl_frame *f)
{
    enum { INDENT = 10, FURTHER = 14 };

    for (int i = 0; i < f->local_count; i++) {
        const struct mdl_local *l = &f->locals[i];
        struct sbuf line = {0};

        sbuf_printf(&line, "%s%s = ", l->name, l->hidden ? " (of a block around)" : "");
        if (l->value)
            sbuf_add(&line, l->value);
        else
            sbuf_printf(&line, "<%s>", l->why);
        sbuf_pad(v->out, ' ', INDENT);
        text_continue(v, INDENT, FURTHER, line.text ? line.text : "");
        v->out->oom |= line.oom;
        sbuf_free(&line);
    }
    if (f->locals_left)
        sbuf_add(v->out, "          and more variables\n");
}

/* How many lines from I on are one call of a recursion, which a row stands for. */
static int equal_lines(const struct text_view *v, const struct stack *stack, int i)
{
    enum { LEAST = 4 };
    const struct stack_line *first = &stack->line[i];
    int n = 1;

    while (i + n < stack->count && stack->line[i + n].lwp == first->lwp && !stack->line[i + n].interrupted &&
           stack->line[i + n].frame->pc == first->frame->pc &&
           mdl_same(stack->line[i + n].frame->place.function, first->frame->place.function) &&
           stack->line[i + n].frame->place.line == first->frame->place.line)
        n++;
    return v->options->locals || n < LEAST ? 1 : n;
}

static void print_stack(const struct text_view *v, const struct stack_entries *entries,
                        const struct mdl_thread *t)
{
    const struct stack_label *labels = NULL;
    const struct mdl_thread *on = NULL;
    int64_t before = t->lwp;
    struct stack stack;
    int number = 0, times;

    stack_join(v->snap, t, v->options->frames, v->arena, &stack);
    for (int i = 0; i < stack.count; i += times) {
        const struct stack_line *line = &stack.line[i];
        const struct stack_label *label;

        times = equal_lines(v, &stack, i);
        if (!on || on->lwp != line->lwp) {
            on = mdl_thread_by_lwp(v->snap, line->lwp);
            labels = on ? stack_labels(v, entries, on) : NULL;
        }
        label = labels ? &labels[line->frame - on->frames] : NULL;
        if (label && label->wrapper && !v->options->frames)
            continue;
        print_frame(v, line, label, number, times, line->lwp != before);
        number += times;
        if (v->options->locals &&
            line->lwp == t->lwp) /* those of the thread that created the region are with its own stack */
            print_locals(v, line->frame);
        before = line->lwp;
    }
    if (!stack.count)
        text_paragraph(v, 4,
                       t->frame_count ? "    only frames of the runtime and the system" : "    no stack");
}

static void print_group(const struct text_view *v, const struct groups *g,
                        const struct stack_entries *entries, int group)
{
    const struct mdl_thread *t = &v->snap->threads[g->first[group]];
    int64_t *list = arena_alloc(v->arena, (size_t)g->size[group] * sizeof(*list));
    const char *who;
    int n = 0;

    for (int i = g->first[group]; list && i >= 0; i = g->next[i])
        list[n++] = v->snap->threads[i].gdb_num ? v->snap->threads[i].gdb_num : v->snap->threads[i].lwp;
    if (!list)
        return;
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    who = v->snap->stable ? text_stable_threads(v, list, n, LIST_ROOM)
          : n == 1        ? mdl_thread_name(v->arena, v->snap, t->lwp)
                          : arena_printf(v->arena, "%s %s (%d threads)", t->gdb_num ? "threads" : "LWPs",
                                         text_short_ranges(v, list, n, LIST_ROOM), n);
    text_paragraph(v, 4, arena_printf(v->arena, "%s: %s", who ? who : "?", text_state_and_wait(v, t, n > 1)));
    print_stack(v, entries, t);
}

void text_stacks(const struct text_view *v)
{
    struct stack_entries entries;
    struct text_view rows = *v;
    struct groups g;

    if (text_no_runtime(v) && !text_has_rows(v))
        return;
    if (!(v->snap->want & INSP_STACKS)) {
        sbuf_add(v->out, "The snapshot has no stacks.\n");
        return;
    }
    if (!group_threads(v->snap, group_how(v->options), v->arena, &g) || !stack_entries(v, &entries))
        return;
    rows.groups = &g;
    for (int i = 0; i < g.count; i++)
        print_group(&rows, &g, &entries, i);
    if (!g.count)
        sbuf_add(v->out, "There is no thread to show.\n");
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

    if (!group_threads(v->snap, 0, v->arena, &g))
        return;
    for (int i = 0; i < g.count; i++) {
        const struct mdl_thread *t = &v->snap->threads[g.first[i]];
        struct stack stack;

        stack_join(v->snap, t, v->options->frames, v->arena, &stack);
        for (int k = stack.count - 1; k >= 0; k--) {
            const struct mdl_frame *f = stack.line[k].frame;
            const char *name = f->place.function ? f->place.function
                               : v->snap->stable ? "?"
                                                 : arena_printf(v->arena, "0x%" PRIx64, f->pc);

            add_word(v->out, name ? name : "?");
            sbuf_add(v->out, k ? ";" : "");
        }
        if (!stack.count)
            sbuf_add(v->out, "(no stack)");
        if (t->wait.kind) {
            sbuf_add(v->out, ";[waits for ");
            add_word(v->out, mdl_wait_name(v->arena, &t->wait, false));
            sbuf_add(v->out, "]");
        } else if (text_is_waiting(t)) {
            sbuf_add(v->out, ";[waits for ");
            add_word(v->out, mdl_activity_name(v->arena, v->snap, &t->activity, false));
            sbuf_add(v->out, "]");
        } else if (t->state == MDL_STATE_IDLE) {
            sbuf_add(v->out, ";[idle]");
        }
        sbuf_printf(v->out, " %d\n", g.size[i]);
    }
}
