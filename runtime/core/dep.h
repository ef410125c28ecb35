/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's description of a dependence.
 */
#ifndef RT_DEP_H
#define RT_DEP_H

#include "base.h"

/** clang's kmp_depend_info (docs/abi/kmpc.md 1.3). */
struct rt_dep {
    uint64_t address;
    uint64_t length;
    uint8_t type;
    uint8_t padding[7];
};

#endif
