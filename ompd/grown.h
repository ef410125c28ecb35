/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Text of any length, in memory of the tool: ICVs and settings (a list of places has no useful limit). The
 * first step that fails is remembered and the later ones do nothing, so that only grown_give() need be asked.
 */
#ifndef OMPD_GROWN_H
#define OMPD_GROWN_H

#include "target.h"

/** What is longer is cut: a damaged target must not fill the tool's memory. */
#define GROWN_BYTES_MAX (1u << 20)

struct grown {
    char *bytes; /**< NULL while empty; ends with NUL */
    uint64_t length, room;
    bool cut;
    ompd_rc_t rc;
};
/** Declares one that is freed at the end of scope. */
#define GROWN(name) __attribute__((cleanup(grown_free))) struct grown name = {0}
void grown_free(struct grown *text);

void grown_add_bytes(struct grown *text, const char *bytes, uint64_t count);
void grown_add(struct grown *text, const char *string);
void grown_add_int(struct grown *text, int64_t number);
/**
 * Adds the NUL-terminated string at ADDRESS of the target, read by pages. Nothing is added for address 0.
 */
void grown_add_target(struct grown *text, const struct tgt *tgt, uint64_t address);

/**
 * Hands the text over. Codes: ok; incomplete: *ret is what there was room for; that of the step that failed.
 */
WARN_UNUSED ompd_rc_t grown_give(struct grown *text, const char **ret);

#endif
