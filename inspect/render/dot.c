/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/utf8.h"
#include "inspect/model/phrases.h"
#include "inspect/render/dot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void dot_begin(struct sbuf *out, const char *name, const char *direction)
{
    sbuf_printf(
        out,
        "digraph %s {\n"
        "  graph [rankdir=%s, fontname=\"Helvetica,sans-serif\", bgcolor=\"white\", nodesep=0.25, "
        "ranksep=0.55, pad=0.2];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef2f7\", color=\"#7a8aa0\", "
        "fontname=\"Helvetica,sans-serif\", fontsize=11, margin=\"0.14,0.08\"];\n"
        "  edge [color=\"#8391a5\", fontname=\"Helvetica,sans-serif\", fontsize=10, fontcolor=\"#566377\", "
        "arrowsize=0.7];\n",
        name, direction);
}

void dot_end(struct sbuf *out)
{
    sbuf_add(out, "}\n");
}

/* Long lines (templates) make boxes that push all others out of sight: they are broken, then cut. */
enum { BREAK_AT = 32, CUT_AT = 46, LINES_MAX = 3 };

void dot_line(struct sbuf *out, const char *text)
{
    int column = 0, lines = 1;

    if (!text || !*text)
        return;
    for (size_t n; *text && (n = utf8_len(text)) > 0; text += n) {
        if (column >= CUT_AT || (lines == LINES_MAX && column >= BREAK_AT)) {
            sbuf_add(out, "…");
            break;
        }
        if (*text == ' ' && column + strcspn(text + 1, " ") >= BREAK_AT && lines < LINES_MAX) {
            sbuf_add(out, "\\n");
            lines++;
            column = 0;
            continue;
        }
        if (*text == '"' || *text == '\\')
            sbuf_add(out, "\\");
        sbuf_add_n(out, text, n);
        column++;
    }
    sbuf_add(out, "\\n");
}

const char *dot_place(const struct text_view *v, const struct mdl_place *p)
{
    const char *f = p->function;

    if (f && p->file && p->line > 0 && (*f == '.' || strstr(f, "omp_outlined") || strstr(f, "._omp_fn")))
        return arena_printf(v->arena, "%s:%d", mdl_base_name(p->file), p->line);
    return text_place(v, p);
}
