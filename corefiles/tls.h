/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Thread-local addresses and pthread handles.
 */
#ifndef COREFILES_TLS_H
#define COREFILES_TLS_H

#include "corefiles/target.h"

/** Where a thread has what lies at OFFSET of the thread-local storage of M. 1: M is NULL, or the thread has
 *  none of it yet. */
int cf_tls_address(struct cf_target *t, int64_t lwp, const struct cf_mod *m, uint64_t offset,
                   uint64_t *addr) CF_WARN_UNUSED;
int cf_lookup_tls(struct cf_target *t, int64_t lwp, const char *symbol, const char *module,
                  uint64_t *addr) CF_WARN_UNUSED;
/** Fills pthread of threads from their thread pointers, or from libc's lists when registers are not to be
 *  had. */
void cf_thread_handles(struct cf_target *t);
void cf_thread_db_free(struct cf_thread_db *db);

#endif
