/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/render/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

size_t text_width(const char *text)
{
    size_t n = 0;

    for (; text && *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

const char *style_on(enum table_style style, bool colour)
{
    static const char *const codes[] = {"", "\033[1m", "\033[33m", "\033[2m"};

    return colour ? codes[style] : "";
}

const char *style_off(enum table_style style, bool colour)
{
    return colour && style != TABLE_PLAIN ? "\033[0m" : "";
}

void table_column(struct table *t, const char *head, bool right, bool flexible)
{
    t->column[t->columns].head = head;
    t->column[t->columns].right = right;
    t->column[t->columns].flexible = flexible;
    t->column[t->columns].set_down = false;
    t->columns++;
}

void table_set_down(struct table *t)
{
    t->column[t->columns - 1].set_down = true;
}

void table_row(struct table *t, enum table_style style)
{
    struct table_row *grown = t->oom ? NULL : array_grow(t->rows, t->count, sizeof(*grown));

    if (!grown) {
        t->oom = true;
        return;
    }
    t->rows = grown;
    grown[t->count++] = (struct table_row){.style = style};
}

void table_cell(struct table *t, int column, const char *format, ...)
{
    char *text = NULL;
    va_list list;
    int n;

    if (t->oom || !t->count)
        return;
    va_start(list, format);
    n = vasprintf(&text, format, list);
    va_end(list);
    if (n < 0) {
        t->oom = true;
        return;
    }
    free(t->rows[t->count - 1].cell[column]);
    t->rows[t->count - 1].cell[column] = text;
}

void table_below(struct table *t, const char *text)
{
    if (t->oom || !t->count || !text || !*text)
        return;
    free(t->rows[t->count - 1].below);
    t->rows[t->count - 1].below = strdup(text);
    t->oom |= !t->rows[t->count - 1].below;
}

void table_free(struct table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        for (int c = 0; c < t->columns; c++)
            free(t->rows[i].cell[c]);
        free(t->rows[i].below);
    }
    free(t->rows);
    *t = (struct table){0};
}

void table_set_cut(struct table *t)
{
    t->column[t->columns - 1].cut = true;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

void table_add_cut(struct sbuf *out, const char *text, size_t width)
{
    size_t n = text_width(text), left = width / 2, right = width - left - 1, column = 0;

    if (n <= width || width < 3) {
        sbuf_add(out, text);
        return;
    }
    for (const char *at = text; *at; at++) {
        column += begins_character(*at);
        if (column <= left || column > n - right)
            sbuf_add_n(out, at, 1);
        else if (column == left + 1 && begins_character(*at))
            sbuf_add(out, "\u2026");
    }
}

/* Cuts the cells of the columns that may be cut. */
static void cut_cells(const struct table *t, const size_t *widths)
{
    for (size_t i = 0; i < t->count; i++) {
        for (int c = 0; c < t->columns; c++) {
            char **cell = &t->rows[i].cell[c];
            struct sbuf text = {0};

            if (!t->column[c].cut || !widths[c] || text_width(*cell) <= widths[c])
                continue;
            table_add_cut(&text, *cell, widths[c]);
            if (text.oom || !text.text) {
                sbuf_free(&text);
                continue; /* it is wrapped instead */
            }
            free(*cell);
            *cell = text.text;
        }
    }
}

/* The width that each column needs, 0 for one without text. */
static void measure(const struct table *t, size_t *widths)
{
    for (int c = 0; c < t->columns; c++) {
        widths[c] = 0;
        for (size_t i = 0; i < t->count; i++) {
            size_t n = text_width(t->rows[i].cell[c]);

            if (n > widths[c])
                widths[c] = n;
        }
        if ((widths[c] || c == 0) && text_width(t->column[c].head) > widths[c])
            widths[c] = text_width(t->column[c].head);
    }
}

/* Narrows the widest flexible column until the table fits or all are at LEAST. True: it fits. */
static bool shrink(const struct table *t, size_t *widths, size_t width, size_t gap, size_t least)
{
    enum { NAME = 10 }; /* columns that a cut name keeps */

    for (;;) {
        size_t total = 0, most = least;
        int widest = -1;

        for (int c = 0; c < t->columns; c++) {
            total += widths[c] ? widths[c] + gap : 0;
            if (t->column[c].flexible && widths[c] > most && widths[c] > text_width(t->column[c].head)) {
                most = widths[c];
                widest = c;
            }
        }
        for (int c = 0; c < t->columns; c++)
            if (t->column[c].cut && widths[c] > NAME)
                widest = c;
        if (total <= width + gap)
            return true;
        if (widest < 0)
            return false;
        widths[widest]--;
    }
}

/* Narrows columns towards WIDTH, none below LEAST, so the table may still be wider. Returns their gap. */
static size_t fit(const struct table *t, size_t *widths, size_t width)
{
    enum { LEAST = 10 };
    size_t start[TABLE_COLUMNS];
    bool names = false;

    for (int c = 0; c < t->columns; c++)
        names |= t->column[c].cut && widths[c];
    memcpy(start, widths, sizeof(start));
    /* A cut name and narrower gaps are better than a broken word. */
    for (size_t gap = GAP; names && gap > 0; gap--) {
        if (shrink(t, widths, width, gap, SIZE_MAX))
            return gap;
        memcpy(widths, start, sizeof(start));
    }
    if (shrink(t, widths, width, GAP, LEAST))
        return GAP;
    /* Narrower gaps are better than broken words. */
    memcpy(widths, start, sizeof(start));
    (void)shrink(t, widths, width, 1, LEAST);
    return 1;
}

/* How many bytes of TEXT go on a line of WIDTH, broken at a blank if there is one; *skip: blanks to leave
   out after them. */
static size_t line_bytes(const char *text, size_t width, size_t *skip)
{
    size_t at = 0, columns = 0, blank = 0;

    *skip = 0;
    while (text[at]) {
        if (text[at] == ' ')
            blank = at;
        if (((unsigned char)text[at] & 0xc0) != 0x80 && columns++ == width)
            break;
        at++;
    }
    if (!text[at])
        return at;
    /* A blank within the leading indentation of a tree is no place to break. */
    if (blank > strspn(text, " ")) {
        *skip = 1;
        return blank;
    }
    return at;
}

/* Whether no cell has a broken word or more than two lines. */
static bool pleasant(const struct table *t, const size_t *widths)
{
    enum { LINES = 2 };

    for (size_t i = 0; i < t->count; i++) {
        for (int c = 0; c < t->columns; c++) {
            const char *text = t->rows[i].cell[c] && !t->column[c].cut ? t->rows[i].cell[c] : "";

            for (int lines = 1; *text; lines++) {
                size_t skip, n = line_bytes(text, widths[c], &skip);

                if (lines > LINES || (text[n] && !skip))
                    return false;
                text += n + skip;
            }
        }
    }
    return true;
}

/* The widths needed when set-down columns are left out. False, and nothing changed: there are none. */
static bool without_set_down(const struct table *t, size_t *widths)
{
    bool any = false;

    for (int c = 0; c < t->columns; c++)
        any |= t->column[c].set_down && widths[c];
    if (!any)
        return false;
    measure(t, widths);
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].set_down)
            widths[c] = 0;
    return true;
}

/* The line below a row, wrapped. */
static void print_below(const char *text, size_t width, struct sbuf *out)
{
    enum { INDENT = 6, NEXT = 8 };
    size_t indent = INDENT;

    while (text && *text) {
        size_t skip, n = line_bytes(text, width > indent + GAP ? width - indent : SIZE_MAX, &skip);

        sbuf_add(out, "\n");
        sbuf_pad(out, ' ', indent);
        sbuf_add_n(out, text, n);
        text += n + skip;
        indent = NEXT;
    }
}

static void print_row(const struct table *t, const size_t *widths, size_t gap, char *const *cells,
                      struct sbuf *out)
{
    const char *rest[TABLE_COLUMNS];
    bool more = true, first = true;

    for (int c = 0; c < t->columns; c++)
        rest[c] = cells[c] ? cells[c] : "";
    while (more) {
        size_t pending = 0; /* blanks, written only when text follows */

        more = false;
        if (!first)
            sbuf_add(out, "\n");
        first = false;
        for (int c = 0; c < t->columns; c++) {
            size_t skip, n, columns = 0;

            if (!widths[c])
                continue;
            n = line_bytes(rest[c], widths[c], &skip);
            for (size_t i = 0; i < n; i++)
                columns += ((unsigned char)rest[c][i] & 0xc0) != 0x80;
            if (n) {
                sbuf_pad(out, ' ', pending + (t->column[c].right ? widths[c] - columns : 0));
                sbuf_add_n(out, rest[c], n);
                pending = (t->column[c].right ? 0 : widths[c] - columns) + gap;
            } else {
                pending += widths[c] + gap;
            }
            rest[c] += n + skip;
            more |= *rest[c] != '\0';
        }
    }
}

/* "Head cell, head cell", wrapped: a row of a table that cannot be made to fit. */
static void print_record(const struct table *t, const struct table_row *row, size_t width, struct sbuf *out)
{
    enum { INDENT = 4, NAME = 16 };
    struct sbuf text = {0};
    size_t indent = 0;

    for (int c = 0; c < t->columns; c++) {
        const char *head = t->column[c].head, *cell = row->cell[c] ? row->cell[c] : "";
        bool blank = false, marked = c == 1 && text.len; /* the mark of the current row precedes it */

        cell += strspn(cell, " ");
        if (!*cell)
            continue;
        head += strspn(head, " ");
        sbuf_printf(&text, "%s%s%s", marked ? " " : text.len ? ", " : "", head, *head ? " " : "");
        if (t->column[c].cut && text_width(cell) > NAME) {
            table_add_cut(&text, cell, width / 2 > NAME ? width / 2 : NAME);
            continue;
        }
        for (; *cell; cell++) {
            if (*cell != ' ' || !blank)
                sbuf_add_n(&text, cell, 1);
            blank = *cell == ' ';
        }
    }
    out->oom |= text.oom;
    for (const char *at = text.text; at && *at;) {
        size_t skip, n = line_bytes(at, width > indent ? width - indent : 1, &skip);

        sbuf_add(out, indent ? "\n" : "");
        sbuf_pad(out, ' ', indent);
        sbuf_add_n(out, at, n);
        at += n + skip;
        indent = INDENT;
    }
    sbuf_free(&text);
}

static size_t total_width(const struct table *t, const size_t *widths, size_t gap)
{
    size_t total = 0;

    for (int c = 0; c < t->columns; c++)
        total += widths[c] ? widths[c] + (total ? gap : 0) : 0;
    return total;
}

void table_print(const struct table *t, int width, bool colour, struct sbuf *out)
{
    size_t widths[TABLE_COLUMNS] = {0}, gap = GAP;
    char *heads[TABLE_COLUMNS];
    bool below, records;

    if (t->oom) {
        out->oom = true;
        return;
    }
    measure(t, widths);
    if (width > 0)
        gap = fit(t, widths, (size_t)width);
    below = width > 0 && !pleasant(t, widths) && without_set_down(t, widths);
    if (below)
        gap = fit(t, widths, (size_t)width);
    records = width > 0 && total_width(t, widths, gap) > (size_t)width;
    if (!records) {
        cut_cells(t, widths);
        for (int c = 0; c < t->columns; c++)
            heads[c] = (char *)t->column[c].head;
        print_row(t, widths, gap, heads, out);
        sbuf_add(out, "\n");
    }
    for (size_t i = 0; i < t->count; i++) {
        sbuf_add(out, style_on(t->rows[i].style, colour));
        if (records)
            print_record(t, &t->rows[i], (size_t)width, out);
        else
            print_row(t, widths, gap, t->rows[i].cell, out);
        if (below && !records)
            print_below(t->rows[i].below, (size_t)width, out);
        sbuf_add(out, style_off(t->rows[i].style, colour));
        sbuf_add(out, "\n");
    }
}
