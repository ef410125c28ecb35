/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html_frame.h"

#include <string.h>

#include "inspect/render/html_put.h"

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

void html_begin(struct sbuf *out, const char *title)
{
    sbuf_add(out, head);
    sbuf_add(out, "<title>OpenMP: ");
    html_text(out, title);
    sbuf_add(out, "</title>\n");
    sbuf_add(out, style);
    sbuf_add(out, "</head>\n<body>\n");
}

void html_picture(struct sbuf *out, const char *id, const char *title, const char *svg)
{
    const char *start = svg ? strstr(svg, "<svg") : NULL;

    sbuf_printf(out, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
    if (start) {
        sbuf_printf(out,
                    "<input type=\"checkbox\" class=\"zoom\" id=\"zoom-%s\"><label for=\"zoom-%s\"> full "
                    "size</label>\n",
                    id, id);
        sbuf_add(out, "<div class=\"pic\">");
        sbuf_add(out, start);
        sbuf_add(out, "</div>\n");
    } else {
        sbuf_add(out, "<p class=\"dim\">Install Graphviz (the program dot) to have the picture here.</p>\n");
    }
    sbuf_add(out, "</section>\n");
}
