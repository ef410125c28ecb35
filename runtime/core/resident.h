/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * For the static archive.
 */
#ifndef RT_RESIDENT_H
#define RT_RESIDENT_H

#include "base.h"

/** For the static archive: a shared library that holds the runtime is never unmapped. */
void rt_stay_resident(void);

#endif
