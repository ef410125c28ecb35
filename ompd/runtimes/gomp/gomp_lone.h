/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: threads of which it has no record and that are in one of its calls. A thread gets a record with
 * its first region, task or control variable; a lock or a critical region needs none.
 */
#ifndef OMPD_GOMP_LONE_H
#define OMPD_GOMP_LONE_H

#include "runtimes/gomp/gomp.h"

/** Looks at a thread whose record is empty. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_find_lone(struct gomp *gomp, struct gomp_native *native);

#endif
