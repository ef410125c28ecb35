/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: threads that wait for a lock, a critical region or an atomic one, and who has it.
 */
#ifndef OMPD_GOMP_MUTEX_H
#define OMPD_GOMP_MUTEX_H

#include "runtimes/gomp/gomp_call.h"

/**
 * Fills the wait of a thread whose address belongs to no team, task or pool. CALL: how it came there. Codes:
 * ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_mutex_wait(struct gomp *gomp, const struct gomp_native *native,
                                      const struct gomp_call *call);

#endif
