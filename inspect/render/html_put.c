/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/html_put.h"

void html_text(struct sbuf *out, const char *text)
{
    for (; text && *text; text++)
        switch (*text) {
        case '<':
            sbuf_add(out, "&lt;");
            break;
        case '>':
            sbuf_add(out, "&gt;");
            break;
        case '&':
            sbuf_add(out, "&amp;");
            break;
        case '"':
            sbuf_add(out, "&quot;");
            break;
        default:
            sbuf_add_n(out, text, 1);
        }
}

void html_cell(struct sbuf *out, const char *text)
{
    sbuf_add(out, "<td>");
    html_text(out, text);
    sbuf_add(out, "</td>");
}
