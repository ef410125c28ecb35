/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the text printers share: the view, paragraphs, and the words for threads, waits and places.
 */
#ifndef INSPECT_TEXT_H
#define INSPECT_TEXT_H

#include "inspect/model/model.h"
#include "inspect/model/words.h"
#include "inspect/render/table.h"

struct text_view {
    const insp_snapshot *snap;
    const struct insp_render_options *options;
    struct arena *arena; /* for words; ends with the rendering */
    struct sbuf *out;
};

/** Writes the problems, one paragraph each, wrapped. */
void text_problems(const struct text_view *v);
/** COLUMNS, but no more than a third of the view's width: the indentation of a deep nest. */
int text_indent(const struct text_view *v, int columns);
/** A paragraph wrapped at the view's width; leading blanks stay, continuation lines are indented by
 *  INDENT. */
void text_paragraph(const struct text_view *v, int indent, const char *text);
/** The same, without leading blanks, of a line on which BEGUN columns are written already. */
void text_continue(const struct text_view *v, int begun, int indent, const char *text);
/** True, and a sentence written unless problems say it, when no runtime could be read. */
bool text_no_runtime(const struct text_view *v);

/** "working", "waiting", ... */
const char *text_state(const struct mdl_thread *t);
/** "explicit", ...; "" where it is not known. */
const char *text_task_kind(const struct mdl_task *task);
/** Why an edge is there. An object that has a name needs no address, unless addresses are wanted. */
const char *text_because(const struct text_view *v, const struct mdl_edge *e);
/** "lock a, held by thread 3 (LWP 4243)"; "" when the thread does not wait. */
const char *text_wait(const struct text_view *v, const struct mdl_thread *t);
/** A function's name, cut in the middle when it would take more than half of the view's width. */
const char *text_name(const struct text_view *v, const char *function);
/** "function, file.c:14", with what is known; NULL when nothing is. */
const char *text_place(const struct text_view *v, const struct mdl_place *place);
/** "parallel at mixed.c:14" */
const char *text_construct(const struct text_view *v, const char *kind, const struct mdl_place *place);
/** For qsort of int64_t. */
int text_by_number(const void *a, const void *b);
/** "0, 2-5, 9" of ascending numbers. */
const char *text_ranges(const struct text_view *v, const int64_t *numbers, int count);
/** The same in ROOM characters at most, but for a single range: "0, 2, ...". */
const char *text_short_ranges(const struct text_view *v, const int64_t *numbers, int count, size_t room);

#endif
