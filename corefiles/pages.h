/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Copies of a live process's pages.
 */
#ifndef COREFILES_PAGES_H
#define COREFILES_PAGES_H

#include "corefiles/target.h"

/** The memory of a process that is or was stopped. Negative: a byte is not mapped or, after its stop, was not
 *  read. */
int cf_pages_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size) CF_WARN_UNUSED;
/** Copies it, so that it can be read later. */
int cf_pages_keep(struct cf_target *t, uint64_t addr, uint64_t size) CF_WARN_UNUSED;
/** Copies it together with what else is wanted: cf_pages_fetch reads all that in a few system calls. What
 *  cannot be read is left out. */
void cf_pages_want(struct cf_target *t, uint64_t addr, uint64_t size);
void cf_pages_fetch(struct cf_target *t);
void cf_pages_free(struct cf_pages *pages);

#endif
