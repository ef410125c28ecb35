/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A snapshot of a document that is read already: a recorded one, or a whole report.
 */
#ifndef INSPECT_LOAD_H
#define INSPECT_LOAD_H

#include "inspect/base/doc.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** NULL with *error, insp_string_free, for whatever is neither. */
insp_snapshot *load_doc(const struct doc *root, char **error);
/** Members of such a document of which nothing is taken (doc_read): what is concluded is concluded anew. */
extern const char *const load_unread[];

#ifdef __cplusplus
}
#endif
#endif
