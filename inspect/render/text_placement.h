/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What each thread holds, where it runs, and what is wrong with that.
 */
#ifndef INSPECT_TEXT_PLACEMENT_H
#define INSPECT_TEXT_PLACEMENT_H

#include "inspect/model/model.h"
#include "inspect/render/text_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The table, and a paragraph for each finding. */
void text_placement(const struct text_view *v);
/** One object: "lock a", "mutex m". */
const char *placement_hold(struct arena *a, const insp_snapshot *s, const struct mdl_hold *hold,
                           bool address);
/** One finding as a sentence. */
const char *placement_finding(struct arena *a, const insp_snapshot *s, const struct mdl_finding *finding);

#ifdef __cplusplus
}
#endif
#endif
