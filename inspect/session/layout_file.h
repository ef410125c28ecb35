/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts of runtimes that a user has made with `ompd layout`: read, checked for their form, and handed to
 * the OMPD library, which checks what they say (ompdx_layout_add).
 */
#ifndef INSPECT_LAYOUT_FILE_H
#define INSPECT_LAYOUT_FILE_H

#include "inspect/session/session.h"

/** A file is no larger; libomp's row has 60 KB. */
enum { LAYOUT_FILE_MAX = 4 << 20, LAYOUT_ENTRIES_MAX = 65536 };

#endif
