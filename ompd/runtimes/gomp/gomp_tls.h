/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: where a thread's record is. It is a thread-local variable, and the library's code comes by it
 * in one of the ways of ELF (U. Drepper, "ELF Handling For Thread-Local Storage"): by its distance from the
 * thread pointer, by the number of a module and an offset in that, or by a descriptor, which holds either.
 */
#ifndef OMPD_GOMP_TLS_H
#define OMPD_GOMP_TLS_H

#include "runtimes/gomp/gomp.h"

struct gomp_tls {
    uint64_t module; /**< 0: the record is OFFSET bytes from the thread pointer */
    int64_t offset;
};

/** Most bytes between a thread pointer and a record: static thread-local storage is small. */
#define GOMP_TLS_BYTES_MAX (64 * 1024)

/** Does the layout say how the code comes by records? */
bool gomp_has_tls(const struct lay *lay);
/** Codes: ok; error, after a sentence: what is there is no such distance or number; those of tgt_read. */
WARN_UNUSED ompd_rc_t gomp_find_tls(struct gomp *gomp, struct gomp_tls *ret);
/** The record of the thread whose thread pointer is BASE. *ret 0: it has none yet. Codes: ok; nomem. */
WARN_UNUSED ompd_rc_t gomp_record_at(struct gomp *gomp, const struct gomp_tls *tls, uint64_t base,
                                     uint64_t *ret);

#endif
