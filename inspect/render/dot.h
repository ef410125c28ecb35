/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the pictures (Graphviz text) have in common: dot_tree.h and dot_waits.h. A picture holds at most
 * DOT_NODES boxes, DOT_CHILDREN below one: equal things share one with a count, and what does not fit is
 * counted in one.
 */
#ifndef INSPECT_DOT_H
#define INSPECT_DOT_H

#include "inspect/render/text_view.h"

enum { DOT_NODES = 60, DOT_CHILDREN = 8 };

/** Beginning and end of both. */
void dot_begin(struct sbuf *out, const char *name, const char *direction);
void dot_end(struct sbuf *out);
/** A place without the names that compilers give to outlined functions. */
const char *dot_place(const struct text_view *v, const struct mdl_place *place);
/** A line of a label between quotes, broken where it is long; NULL is left out. */
void dot_line(struct sbuf *out, const char *text);

#endif
