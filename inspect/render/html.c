/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html.h"

#include "inspect/model/phrases.h"
#include "inspect/render/html_frame.h"
#include "inspect/render/html_put.h"
#include "inspect/render/html_tables.h"
#include "inspect/render/report.h"

#include <inttypes.h>
#include <string.h>

static void problems(const struct text_view *v)
{
    if (!v->snap->problem_count)
        return;
    sbuf_add(v->out, "<h2>What could not be shown</h2><ul>\n");
    for (int i = 0; i < v->snap->problem_count; i++) {
        const struct mdl_problem *p = &v->snap->problems[i];

        sbuf_add(v->out, "<li>");
        html_text(v->out, p->what);
        sbuf_add(v->out, ": ");
        html_text(v->out, p->why);
        sbuf_add(v->out, ". ");
        html_text(v->out, p->remedy);
        sbuf_add(v->out, "</li>\n");
    }
    sbuf_add(v->out, "</ul>\n");
}

static void heading(const struct text_view *v)
{
    const struct mdl_process *p = &v->snap->process;

    html_begin(v->out, p->exe ? mdl_base_name(p->exe) : "a process");
    sbuf_add(v->out, "<h1>OpenMP in ");
    html_text(v->out, p->exe ? p->exe : "a process");
    sbuf_add(v->out, "</h1>\n<p class=\"dim\">");
    if (p->pid)
        sbuf_printf(v->out, "process %" PRId64, p->pid);
    if (p->host) {
        sbuf_add(v->out, " on ");
        html_text(v->out, p->host);
    }
    if (p->core) {
        sbuf_add(v->out, ", core file ");
        html_text(v->out, p->core);
    }
    for (int i = 0; i < v->snap->runtime_count; i++) {
        sbuf_add(v->out, "; ");
        html_text(v->out,
                  v->snap->runtimes[i].version ? v->snap->runtimes[i].version : v->snap->runtimes[i].kind);
    }
    sbuf_printf(v->out, "; %d threads, %d regions, %d tasks</p>\n", v->snap->thread_count,
                v->snap->region_count, v->snap->task_count);
}

void html_page(const struct text_view *v)
{
    const struct mdl_verdict *verdict = &v->snap->verdict;
    const char *crash = text_crash(v);

    heading(v);
    if (crash) {
        sbuf_add(v->out, "<p>");
        html_text(v->out, crash);
        sbuf_add(v->out, "</p>\n");
    }
    sbuf_printf(v->out, "<p class=\"verdict %s\">", mdl_word(&mdl_verdict_words, (int)verdict->kind));
    html_text(v->out, verdict->sentence ? verdict->sentence : "Nothing can be said.");
    sbuf_add(v->out,
             "</p>\n<nav><a href=\"#waits\">Waits</a><a href=\"#threads\">Threads</a>"
             "<a href=\"#tree\">Regions and tasks</a><a href=\"#regions\">Regions</a>"
             "<a href=\"#tasks\">Tasks</a><a href=\"#stacks\">Stacks</a><a href=\"#icvs\">ICVs</a></nav>\n");
    problems(v);
    html_picture(v->out, "waits", "Waits", v->options->svg_waits);
    html_threads(v);
    html_picture(v->out, "tree", "Regions and tasks", v->options->svg_tree);
    html_regions(v);
    html_tasks(v);
    html_stacks(v);
    html_icvs(v);
    sbuf_add(v->out, "</body>\n</html>\n");
}
