/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The one global structure.
 */

#include "root.h"

struct rt_root rt_root;
