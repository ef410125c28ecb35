/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where a runtime enters the kernel: its threads sleep there.
 */
#ifndef COREFILES_LAYOUT_SITES_H
#define COREFILES_LAYOUT_SITES_H

#include "corefiles/layout/code.h"

/** A system call: the next instruction, bytes from the stack pointer to the caller's there. */
struct ly_site {
    uint64_t pc;
    unsigned frame;
};

/** Returns how many there are, and as many as MAX in ret. */
size_t ly_sites(const struct ly_image *image, const struct ly_code *code, struct ly_site *ret, size_t max);

#endif
