/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Text in HTML.
 */
#ifndef INSPECT_HTML_PUT_H
#define INSPECT_HTML_PUT_H

#include "inspect/base/mem.h"

/** Text with what HTML reserves written as entities; NULL writes nothing. */
void html_text(struct sbuf *out, const char *text);
/** A table cell. */
void html_cell(struct sbuf *out, const char *text);

#endif
