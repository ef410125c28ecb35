/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One page with everything, for a browser without a network: no script, nothing loaded.
 */
#ifndef INSPECT_HTML_H
#define INSPECT_HTML_H

#include "inspect/render/text_view.h"

void html_page(const struct text_view *v);

#endif
