/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layout providers: each finds, in a process, where the fields of one runtime family are. A family's row in
 * runtimes/families.c names its provider and its adapter.
 */
#ifndef OMPD_PROVIDER_H
#define OMPD_PROVIDER_H

#include "layout.h"

/**
 * Companion's published table (docs/core-note.md): one symbol look-up, one or two reads.
 * Codes: ok; unavailable with *found false: no such runtime; unavailable with *found true: the runtime has
 * not started (after a sentence); incompatible (after a sentence); callback codes. *lay is changed only on
 * ok.
 */
WARN_UNUSED ompd_rc_t published_load(const struct tgt *tgt, struct lay *lay, bool *found);

#endif
