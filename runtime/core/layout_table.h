/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The table of the contract with a debugger.
 */
#ifndef RT_LAYOUT_TABLE_H
#define RT_LAYOUT_TABLE_H

#include "base.h"

void rt_layout_fill(void);

#endif
