/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts of runtimes that a user has made with `ompd layout`: read, checked for their form, and handed to
 * the OMPD library, which checks what they say (ompdx_layout_add).
 */
#ifndef INSPECT_LAYOUT_FILE_H
#define INSPECT_LAYOUT_FILE_H

#include "inspect/target/session.h"

/** A file is no larger; libomp's row has 60 KB. */
enum { LAYOUT_FILE_MAX = 4 << 20, LAYOUT_ENTRIES_MAX = 65536 };

#ifdef __cplusplus
extern "C" {
#endif

/** Remembers a runtime that the library has no layout for: insp_layout_wanted. */
void layout_unknown(insp_session *s, uint64_t base);
/** Did a tool make the layout NAME, of a file, without being told to? */
bool layout_made(const insp_session *s, const char *name);
void layout_forget(insp_session *s);

#ifdef __cplusplus
}
#endif
#endif
