/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One page with everything, for a browser without a network: no script, nothing loaded.
 */
#ifndef INSPECT_HTML_H
#define INSPECT_HTML_H

#include "inspect/render/text.h"

void html_page(const struct text_view *v);

/* html_tables.c */
void html_threads(const struct text_view *v);
void html_regions(const struct text_view *v);
void html_tasks(const struct text_view *v);
void html_stacks(const struct text_view *v);
void html_icvs(const struct text_view *v);
/** Text with what HTML reserves written as entities; NULL writes nothing. */
void html_text(struct sbuf *out, const char *text);
/** A table cell. */
void html_cell(struct sbuf *out, const char *text);

#endif
