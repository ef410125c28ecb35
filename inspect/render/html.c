/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html.h"

#include "inspect/model/phrases.h"
#include "inspect/render/html_put.h"
#include "inspect/render/html_tables.h"

#include <inttypes.h>
#include <string.h>

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                           "style-src 'unsafe-inline'\">\n";

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light "
    "dark;--fg:#1d2733;--dim:#5c6b7e;--bg:#fff;--line:#d8dfe8;--head:#f1f4f8;--card:#f7f9fc}\n"
    "@media(prefers-color-scheme:dark){:root{--fg:#e4e9f0;--dim:#9aa8ba;--bg:#151a21;--line:#303a47;--head:#"
    "1f2731;"
    "--card:#1b222b}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);margin:0 "
    "auto;max-width:1400px;"
    "padding:1.2rem 1.5rem 4rem}\n"
    "h1{font-size:1.35rem;margin:.2rem 0}h2{font-size:1.1rem;margin:2rem 0 .5rem}\n"
    ".dim{color:var(--dim)}\n"
    ".verdict{border-left:6px solid #4b8b57;background:var(--card);padding:.8rem 1rem;margin:1rem "
    "0;font-size:1.05rem;"
    "border-radius:4px}\n"
    ".verdict.deadlock,.verdict.stuck{border-color:#b3261e}.verdict.suspected{border-color:#c77700}"
    ".verdict.unknown{border-color:#7a8aa0}\n"
    "nav a{margin-right:1rem}a{color:#2f6bb2}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.28rem .7rem .28rem .4rem;border-bottom:1px solid "
    "var(--line)}\n"
    "th{background:var(--head);position:sticky;top:0}td.n,th.n{text-align:right;font-variant-numeric:tabular-"
    "nums}\n"
    "td.ids{max-width:22rem;overflow-wrap:anywhere}\n"
    "tr.wait td:first-child{border-left:3px solid #d98b2b}tr.work td:first-child{border-left:3px solid "
    "#4b8b57}\n"
    ".pic{background:#fff;border:1px solid "
    "var(--line);border-radius:4px;overflow:auto;max-height:80vh;padding:.4rem}\n"
    ".pic svg{max-width:100%;height:auto;display:block;margin:auto}\n"
    ".zoom:checked~.pic "
    "svg{max-width:none;height:auto}label{cursor:pointer;color:var(--dim);font-size:.9rem}\n"
    "pre{margin:.2rem 0 .8rem;padding:.6rem .8rem;background:var(--card);border-radius:4px;overflow-x:auto;"
    "font:13px/1.45 ui-monospace,monospace}\n"
    "summary{cursor:pointer}ul{margin:.3rem 0;padding-left:1.2rem}\n"
    "</style>\n";

static void picture(const struct text_view *v, const char *id, const char *title, const char *svg)
{
    const char *start = svg ? strstr(svg, "<svg") : NULL;

    sbuf_printf(v->out, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
    if (start) {
        sbuf_printf(v->out,
                    "<input type=\"checkbox\" class=\"zoom\" id=\"zoom-%s\"><label for=\"zoom-%s\"> full "
                    "size</label>\n",
                    id, id);
        sbuf_add(v->out, "<div class=\"pic\">");
        sbuf_add(v->out, start);
        sbuf_add(v->out, "</div>\n");
    } else {
        sbuf_add(v->out,
                 "<p class=\"dim\">Install Graphviz (the program dot) to have the picture here.</p>\n");
    }
    sbuf_add(v->out, "</section>\n");
}

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

    sbuf_add(v->out, head);
    sbuf_add(v->out, "<title>OpenMP: ");
    html_text(v->out, p->exe ? mdl_base_name(p->exe) : "a process");
    sbuf_add(v->out, "</title>\n");
    sbuf_add(v->out, style);
    sbuf_add(v->out, "</head>\n<body>\n<h1>OpenMP in ");
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
    if (p->signal)
        sbuf_printf(v->out, ", ended by signal %d in %s", p->signal,
                    mdl_thread_name(v->arena, v->snap, p->crashed_lwp));
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

    heading(v);
    sbuf_printf(v->out, "<p class=\"verdict %s\">", mdl_word(&mdl_verdict_words, (int)verdict->kind));
    html_text(v->out, verdict->sentence ? verdict->sentence : "Nothing can be said.");
    sbuf_add(v->out,
             "</p>\n<nav><a href=\"#waits\">Waits</a><a href=\"#threads\">Threads</a>"
             "<a href=\"#tree\">Regions and tasks</a><a href=\"#regions\">Regions</a>"
             "<a href=\"#tasks\">Tasks</a><a href=\"#stacks\">Stacks</a><a href=\"#icvs\">ICVs</a></nav>\n");
    problems(v);
    picture(v, "waits", "Waits", v->options->svg_waits);
    html_threads(v);
    picture(v, "tree", "Regions and tasks", v->options->svg_tree);
    html_regions(v);
    html_tasks(v);
    html_stacks(v);
    html_icvs(v);
    sbuf_add(v->out, "</body>\n</html>\n");
}
