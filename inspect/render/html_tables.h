/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The tables of the page.
 */
#ifndef INSPECT_HTML_TABLES_H
#define INSPECT_HTML_TABLES_H

#include "inspect/render/text_view.h"

void html_threads(const struct text_view *v);
void html_regions(const struct text_view *v);
void html_tasks(const struct text_view *v);
void html_stacks(const struct text_view *v);
void html_icvs(const struct text_view *v);

#endif
