/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Further looks at a living process, where the first one has left its verdict open or has proved a deadlock.
 */
#ifndef CMD_SETTLE_H
#define CMD_SETTLE_H

#include "cmd.h"

/**
 * FIRST was taken of TARGET, which goes on again, with SESSION. Returns it, or a later snapshot in its place:
 * a proof is confirmed without a stop, an open verdict is looked at again for half a second at most.
 */
insp_snapshot *cmd_settle(const struct cmd_args *args, unsigned want, struct cf_target *target,
                          insp_session *session, insp_snapshot *first);

#endif
