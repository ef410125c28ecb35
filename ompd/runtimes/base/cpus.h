/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sets of processors, as runtimes keep those of their places.
 */
#ifndef OMPD_CPUS_H
#define OMPD_CPUS_H

#include "grown.h"

/** Bytes of a set that are looked at: 8192 processors. */
#define CPUS_BYTES_MAX 1024u

struct cpus {
    uint8_t bytes[CPUS_BYTES_MAX];
    uint32_t words, size; /**< words of so many bytes */
};

/** Adds "{0,2,4:3}" to TEXT: a run of three or more is an interval. */
WARN_UNUSED ompd_rc_t cpus_text(const struct tgt *tgt, const struct cpus *set, struct grown *text);

#endif
