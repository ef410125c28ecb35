/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The verdict, and the table of waits.
 */
#ifndef INSPECT_TEXT_WAITS_H
#define INSPECT_TEXT_WAITS_H

#include "inspect/render/text_view.h"

/** Of a wait that no edge can tell of: who holds the object, "a thread that has ended", "process 4711"; ""
 *  where nobody is known to. NULL: there is no such wait. */
const char *text_absent_holder(const struct text_view *v, const struct mdl_thread *t);
void text_waits(const struct text_view *v);

#endif
