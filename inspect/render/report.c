/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/render/report.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/model/phrases.h"
#include "inspect/render/text_regions.h"
#include "inspect/render/text_stacks.h"
#include "inspect/render/text_tasks.h"
#include "inspect/render/text_threads.h"

/* The signal, the thread, its task and where that was created. */
static void text_crash(const struct text_view *v)
{
    const struct mdl_process *p = &v->snap->process;
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, p->crashed_lwp);
    const struct mdl_task *task = t ? mdl_task_by_id(v->snap, t->runtime, t->task) : NULL;
    const struct mdl_task *by = task ? mdl_task_by_id(v->snap, task->runtime, task->generator) : NULL;
    struct sbuf text = {0};
    const char *at, *name;

    if (!p->signal)
        return;
    name = sigabbrev_np(p->signal);
    sbuf_printf(&text, name ? "Ended by SIG%s in %s" : "Ended by signal %s in %s",
                name ? name : arena_printf(v->arena, "%d", p->signal),
                mdl_thread_name(v->arena, v->snap, p->crashed_lwp));
    if (t && t->wait.kind)
        sbuf_printf(&text, ", which waits for %s", text_wait(v, t));
    else if (t && stack_known(t))
        sbuf_printf(&text, ", which %s", stack_doing(v->arena, t));
    sbuf_add(&text, ".");
    if (task) {
        at = text_place(v, &task->place);
        sbuf_printf(&text, " It ran %s task %" PRIu64 "%s%s%s", text_task_kind(task), task->id,
                    at ? " (" : "", at ? at : "", at ? ")" : "");
        if (by)
            sbuf_printf(&text, ", created by %s task %" PRIu64, text_task_kind(by), by->id);
        at = by ? text_place(v, &by->place) : NULL;
        sbuf_printf(&text, "%s%s%s.", at ? " (" : "", at ? at : "", at ? ")" : "");
    }
    text_paragraph(v, 2, text.text ? text.text : "");
    sbuf_free(&text);
}

/* After a crash "no deadlock" is worth a line only where a thread waits. */
static bool anybody_waits(const insp_snapshot *s)
{
    for (int i = 0; i < s->thread_count; i++)
        if (s->threads[i].wait.kind)
            return true;
    return false;
}

void text_report(const struct text_view *v)
{
    const struct mdl_verdict *verdict = &v->snap->verdict;
    bool bad = insp_verdict(v->snap, NULL) >= INSP_SUSPECTED;
    const struct mdl_process *p = &v->snap->process;

    if (p->pid)
        text_paragraph(v, 2,
                       arena_printf(v->arena, "Process %" PRId64 "%s%s%s%s", p->pid, p->exe ? ", " : "",
                                    p->exe ? p->exe : "", p->core ? ", core file " : "",
                                    p->core ? p->core : ""));
    text_crash(v);
    if (bad)
        sbuf_add(v->out, style_on(TABLE_BOLD, v->options->colour));
    if (!p->signal || insp_verdict(v->snap, NULL) != INSP_NONE || anybody_waits(v->snap))
        text_paragraph(v, 2, verdict->sentence ? verdict->sentence : "Nothing can be said.");
    if (bad)
        sbuf_add(v->out, style_off(TABLE_BOLD, v->options->colour));
    text_problems(v);
    if (!v->snap->runtime_count)
        return;
    sbuf_add(v->out, "\nThreads\n");
    text_threads(v);
    sbuf_add(v->out, "\nRegions\n");
    text_regions(v);
    sbuf_add(v->out, "\nTasks\n");
    text_tasks(v);
    if (v->snap->want & INSP_STACKS) {
        sbuf_add(v->out, "\nStacks\n");
        text_stacks(v);
    }
}
