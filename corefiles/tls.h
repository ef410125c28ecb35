/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Thread-local addresses and pthread handles.
 */
#ifndef COREFILES_TLS_H
#define COREFILES_TLS_H

#include "corefiles/target.h"

int cf_lookup_tls(struct cf_target *t, int64_t lwp, const char *symbol, const char *module,
                  uint64_t *addr) CF_WARN_UNUSED;
/** Fills pthread of threads from their thread pointers, or from libc's lists when registers are not to be
 *  had. */
void cf_thread_handles(struct cf_target *t);
void cf_thread_db_free(struct cf_thread_db *db);

#endif
