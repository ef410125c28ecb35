/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the pages have in common: their head with the style, and pictures.
 */
#ifndef INSPECT_HTML_FRAME_H
#define INSPECT_HTML_FRAME_H

#include "inspect/base/mem.h"

/** All up to the beginning of the body. */
void html_begin(struct sbuf *out, const char *title);
/** A section with the picture SVG, as insp_svg makes it; NULL: it says how to get one. */
void html_picture(struct sbuf *out, const char *id, const char *title, const char *svg);

#endif
