/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The start of the runtime.
 */
#ifndef RT_START_H
#define RT_START_H

#include "base.h"

/** Once; the constructor has done it, if it has run. */
void rt_start(void);

#endif
