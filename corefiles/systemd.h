/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Cores that systemd-coredump has stored.
 */
#ifndef COREFILES_SYSTEMD_H
#define COREFILES_SYSTEMD_H

#include "corefiles/corefiles.h"

/** An open file with the core of process PID; -1 with *error. */
int cf_coredumpctl(const char *pid, char **error) CF_WARN_UNUSED;

#endif
