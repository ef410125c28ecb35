/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/report.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/frames/stacks.h"
#include "inspect/model/crash.h"
#include "inspect/model/phrases.h"
#include "inspect/render/crash_words.h"
#include "inspect/render/text_regions.h"
#include "inspect/render/text_stacks.h"
#include "inspect/render/text_tasks.h"
#include "inspect/render/text_threads.h"

const char *text_crash(const struct text_view *v)
{
    const struct mdl_process *p = &v->snap->process;
    const int signal = p->crash ? p->crash->signal : p->signal;
    const int64_t lwp = p->crash ? p->crash->lwp : p->crashed_lwp;
    const struct mdl_thread *t = mdl_thread_by_lwp(v->snap, lwp);
    const struct mdl_task *task = t ? mdl_task_by_id(v->snap, t->runtime, t->task) : NULL;
    const struct mdl_task *by = task ? mdl_task_by_id(v->snap, task->runtime, task->generator) : NULL;
    struct sbuf text = {0};
    const char *at;

    if (!signal)
        return NULL;
    sbuf_printf(&text, "%s %s in %s", p->signal ? "Ended by" : "Stopped at",
                mdl_signal_name(v->arena, signal), mdl_thread_name(v->arena, v->snap, lwp));
    /* Of one that raised the signal itself (abort) the stack says so. */
    if (t && text_is_waiting(t))
        sbuf_printf(&text, ", which %s", text_doing(v, t));
    else if (t && stack_known(t))
        sbuf_printf(&text, ", which %s", p->signal ? stack_was(v->arena, t) : stack_doing(v->arena, t));
    sbuf_add(&text, ".");
    sbuf_add(&text, crash_cause(v->arena, v->snap));
    if (task) {
        at = text_place(v, &task->place);
        sbuf_printf(&text, " It ran %s task %" PRIu64 "%s%s%s", text_task_kind(task), task->id,
                    at ? " (" : "", at ? at : "", at ? ")" : "");
        if (by)
            sbuf_printf(&text, ", created by %s task %" PRIu64, text_task_kind(by), by->id);
        at = by ? text_place(v, &by->place) : NULL;
        sbuf_printf(&text, "%s%s%s.", at ? " (" : "", at ? at : "", at ? ")" : "");
        sbuf_add(&text, crash_loop(v->arena, v->snap, task));
    }
    at = arena_str(v->arena, text.text);
    sbuf_free(&text);
    return at;
}

/* After a crash "no deadlock" is worth a line only where a thread waits. */
static bool anybody_waits(const insp_snapshot *s)
{
    for (int i = 0; i < s->thread_count; i++)
        if (text_is_waiting(&s->threads[i]))
            return true;
    return false;
}

/* "Process 4242, rank 3 of 64, job 4711.0, /apps/solve, core file core.1" */
static void text_process(const struct text_view *v)
{
    const struct mdl_process *p = &v->snap->process;
    struct sbuf text = {0};

    if (v->snap->stable) {
        text_paragraph(v, 2, arena_printf(v->arena, "Program %s", p->exe ? p->exe : "not known"));
        return;
    }
    sbuf_printf(&text, "Process %" PRId64, p->pid);
    if (p->rank >= 0)
        sbuf_printf(&text, ", rank %" PRId64, p->rank);
    if (p->rank >= 0 && p->size > 0)
        sbuf_printf(&text, " of %" PRId64, p->size);
    if (p->job)
        sbuf_printf(&text, ", job %s%s%s", p->job, p->step ? "." : "", p->step ? p->step : "");
    if (p->exe)
        sbuf_printf(&text, ", %s", p->exe);
    if (p->core)
        sbuf_printf(&text, ", core file %s", p->core);
    text_paragraph(v, 2, text.text ? text.text : "");
    sbuf_free(&text);
}

void text_verdict(const struct text_view *v)
{
    const struct mdl_verdict *verdict = &v->snap->verdict;
    bool bad = insp_verdict(v->snap, NULL) >= INSP_SUSPECTED;
    const char *crash = text_crash(v);

    if (crash)
        text_paragraph(v, 2, crash);
    if (bad)
        sbuf_add(v->out, style_on(TABLE_BOLD, v->options->colour));
    if (!crash || insp_verdict(v->snap, NULL) != INSP_NONE || anybody_waits(v->snap))
        text_paragraph(v, 2, verdict->sentence ? verdict->sentence : "Nothing can be said.");
    if (bad)
        sbuf_add(v->out, style_off(TABLE_BOLD, v->options->colour));
}

/* The interpreter's frames are no lines of the user's: another tool has those. */
static void text_python(const struct text_view *v)
{
    const insp_snapshot *s = v->snap;
    bool python = false;

    for (int i = 0; i < s->thread_count && !python; i++)
        for (int k = 0; k < s->threads[i].frame_count && !python; k++) {
            const char *symbol = s->threads[i].frames[k].symbol;

            python = symbol && !strncmp(symbol, "_PyEval_Eval", 12);
        }
    if (python && s->process.core)
        text_paragraph(
            v, 2,
            "Part of this program is Python: GDB's `py-bt` (Debian: python3-dbg) shows the lines of its "
            "code in a core.");
    else if (python)
        text_paragraph(v, 2,
                       arena_printf(v->arena,
                                    "Part of this program is Python: `py-spy dump --pid %" PRId64
                                    "` shows the lines of its code.",
                                    s->process.pid));
}

void text_report(const struct text_view *v)
{
    if (v->snap->process.pid)
        text_process(v);
    text_verdict(v);
    text_problems(v);
    text_python(v);
    if (!v->snap->runtime_count && !text_has_rows(v))
        return;
    sbuf_add(v->out, "\nThreads\n");
    text_threads(v);
    if (v->snap->runtime_count) {
        sbuf_add(v->out, "\nRegions\n");
        text_regions(v);
        sbuf_add(v->out, "\nTasks\n");
        text_tasks(v);
    }
    if (v->snap->want & INSP_STACKS) {
        sbuf_add(v->out, "\nStacks\n");
        text_stacks(v);
    }
}
