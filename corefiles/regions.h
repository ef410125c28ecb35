/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What an address lies in.
 */
#ifndef COREFILES_REGIONS_H
#define COREFILES_REGIONS_H

#include "corefiles/target.h"

int cf_host_region(struct cf_target *t, uint64_t addr, struct insp_region *ret) CF_WARN_UNUSED;
int cf_host_mapping(struct cf_target *t, uint64_t addr, struct insp_mapping *ret) CF_WARN_UNUSED;
int cf_host_data(struct cf_target *t, uint32_t index, uint64_t *start, uint64_t *end,
                 const char **module) CF_WARN_UNUSED;
void cf_regions_free(struct cf_regions *regions);

#endif
