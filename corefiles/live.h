/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A live process is stopped and let go.
 */
#ifndef COREFILES_LIVE_H
#define COREFILES_LIVE_H

#include "corefiles/target.h"

int cf_live_stop(struct cf_target *t, char **error) CF_WARN_UNUSED;
void cf_live_detach(struct cf_target *t);
/** As cf_resume, where nothing more is asked of the process: nothing is copied. */
void cf_let_go(struct cf_target *t);

#endif
