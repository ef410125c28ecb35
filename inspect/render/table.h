/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tables of text that fit a width: numbers to the right, words to the left, long cells wrapped. Only
 * names may be cut, in the middle: what a thread waits for is the very thing the user looks for.
 */
#ifndef INSPECT_TABLE_H
#define INSPECT_TABLE_H

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TABLE_COLUMNS = 12 };

enum table_style { TABLE_PLAIN, TABLE_BOLD, TABLE_WAIT, TABLE_DIM };

struct table_row {
    char *cell[TABLE_COLUMNS]; /* malloc'ed, NULL empty */
    char *below;               /* malloc'ed: the cells of the set-down columns as words, see table_print */
    enum table_style style;
};

struct table {
    int columns;
    struct {
        const char *head;
        bool right;    /**< numbers */
        bool flexible; /**< may be wrapped when the table is too wide */
        bool cut;      /**< names, cut in the middle before anything is wrapped */
        bool set_down; /**< a table too narrow for it has row.below instead */
    } column[TABLE_COLUMNS];
    struct table_row *rows;
    size_t count;
    bool oom;
};

void table_column(struct table *t, const char *head, bool right, bool flexible);
/** Begins a row; the cells are then set by number. */
void table_row(struct table *t, enum table_style style);
void table_cell(struct table *t, int column, const char *format, ...) INSP_PRINTF(3, 4);
/** The line below the row that is shown when the last column added, and the others that are set
 *  down, have no room. TEXT may be NULL. */
void table_below(struct table *t, const char *text);
/** Sets the last column added down when there is no room. */
void table_set_down(struct table *t);
/** Cuts the last column added in the middle when there is no room. */
void table_set_cut(struct table *t);
/** Writes the table; WIDTH 0: as wide as it needs. Columns without any text are left out, but for the first.
 *  When cells would have more than two lines, or words be cut, the columns to be set down are left out as
 *  well, and what they say is shown below each row. A table that is too wide for WIDTH all the same has each
 *  row as a paragraph, "Head cell, head cell". */
void table_print(const struct table *t, int width, bool colour, struct sbuf *out);
void table_free(struct table *t);

/** Adds TEXT in at most WIDTH columns: what does not fit is left out in the middle, for an ellipsis. */
void table_add_cut(struct sbuf *out, const char *text, size_t width);
/** Columns that TEXT takes (characters; all are taken to be one wide). */
size_t text_width(const char *text);
/** SGR sequence of a style, "" when COLOUR is false or the style is plain. */
const char *style_on(enum table_style style, bool colour);
const char *style_off(enum table_style style, bool colour);

#ifdef __cplusplus
}
#endif
#endif
