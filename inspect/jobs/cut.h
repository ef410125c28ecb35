/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Texts that somebody else has written, as they are kept.
 */
#ifndef INSPECT_JOBS_CUT_H
#define INSPECT_JOBS_CUT_H

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most bytes of a name, and of what is said of a state in words. */
enum { CUT_NAME = 500, CUT_WORDS = 20000 };

/** What may be shown of TEXT, no more than MOST bytes: "..." ends what is cut, and cut again it is the same.
 *  In A where it is not TEXT itself; NULL for NULL, and out of memory. */
const char *cut_text(struct arena *a, const char *text, size_t most);

#ifdef __cplusplus
}
#endif
#endif
