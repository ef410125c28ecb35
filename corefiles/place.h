/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What inspect shows of an address.
 */
#ifndef COREFILES_PLACE_H
#define COREFILES_PLACE_H

#include "corefiles/target.h"

int cf_place(struct cf_target *t, uint64_t addr, struct insp_place *ret) CF_WARN_UNUSED;

#endif
