/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the text printers share: the view, paragraphs, and the words for threads, waits and places.
 */
#ifndef INSPECT_TEXT_VIEW_H
#define INSPECT_TEXT_VIEW_H

#include "inspect/model/model.h"
#include "inspect/model/words.h"
#include "inspect/render/group.h"
#include "inspect/render/table.h"

struct text_view {
    const insp_snapshot *snap;
    const struct insp_render_options *options;
    struct arena *arena; /* for words; ends with the rendering */
    struct sbuf *out;
    const struct groups *groups; /**< what shares a row; NULL: each thread has its own */
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
/** Is it known what a thread does, though no runtime could be read? */
bool text_has_rows(const struct text_view *v);
/** True, and a sentence written unless problems say it, when no runtime could be read. */
bool text_no_runtime(const struct text_view *v);

/** OpenMP's state of a thread in a word: "serial", "parallel", "waiting", "idle". None says that it computes,
 *  for OpenMP does not know of system calls. */
const char *text_state(const struct mdl_thread *t);
/** What it does: OpenMP's state where it waits or is idle there, else "computes", "sleeps", "in read", or
 *  that it waits for something else. */
const char *text_does(const struct text_view *v, const struct mdl_thread *t);
/** The same, and for what: "waits for lock a, held by LWP 7", "in read for descriptor 0", "computes". MANY:
 *  of several threads. */
const char *text_state_and_wait(const struct text_view *v, const struct mdl_thread *t, bool many);
/** The same in a sentence: "computes in solve at solve.c:90", "waits for lock a, in main at solve.c:12", "is
 *  idle". */
const char *text_doing(const struct text_view *v, const struct mdl_thread *t);
/** Where it does that: "solve, solve.c:90", "in sin(), called from solve at solve.c:90"; NULL where it is
 *  idle, or nothing is known. */
const char *text_at(const struct text_view *v, const struct mdl_thread *t);
/** ", called from phase at x.c:40" of a thread that waits in a wrapper; else "". */
const char *text_caller(const struct text_view *v, const struct mdl_thread *t);
/** The innermost place of the user's code, of which the parts may be absent; at the end of a region that of
 *  its construct. */
const struct mdl_place *text_where(const struct text_view *v, const struct mdl_thread *t);
/** Does it wait, in OpenMP or elsewhere, for an object or another thread? */
bool text_is_waiting(const struct mdl_thread *t);
/** "explicit", ...; "" where it is not known. */
const char *text_task_kind(const struct mdl_task *task);
/** Why an edge is there. An object that has a name needs no address, unless addresses are wanted. */
const char *text_because(const struct text_view *v, const struct mdl_edge *e);
/** "lock a, held by thread 3 (LWP 4243)", "mutex m, for at most 5 s", of a call "descriptor 0 (/dev/pts/0)";
 *  "" when there is nothing to say. */
const char *text_wait(const struct text_view *v, const struct mdl_thread *t);
/** What the thread waits for outside of OpenMP, or all threads that share its row do: "condition variables
 *  c[0] to c[3]". */
const char *text_object(const struct text_view *v, const struct mdl_thread *t);
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
/** Several threads in a stable snapshot: "OpenMP threads 0, 2-5". */
const char *text_stable_threads(const struct text_view *v, const int64_t *lwps, int count, size_t room);

#endif
