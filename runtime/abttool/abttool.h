/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of libompcompanion-abttool.so share.
 */
#ifndef ABTTOOL_H
#define ABTTOOL_H

#include <stdbool.h>

#include "include/abt_tool.h"
#include "runtime/tools/units.h"

#define ABTTOOL_EXPORT __attribute__((visibility("default")))

/** The runtime of this process; NULL: there is no Companion, or Argobots itself is there. */
const struct ompc_units *abttool_units(void);
/** Whether Argobots itself (ABT_init) is in this process. */
bool abttool_argobots_is_here(void);
/** The event is over: a unit that is freed loses its values. */
void abttool_keys_event(const struct ompc_unit_event *event);

/** fork(): the lists of values are held over it. */
void abttool_keys_before_fork(void);
void abttool_keys_after_fork(void);
/** In the child, where a registration that had not ended is none. */
void abttool_tool_after_fork(void);

#endif
