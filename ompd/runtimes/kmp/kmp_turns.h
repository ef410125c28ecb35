/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: who is waited for in ordered loops.
 */
#ifndef OMPD_KMP_TURNS_H
#define OMPD_KMP_TURNS_H

#include "runtimes/kmp/kmp.h"

/** Names the owners of such waits; after tasks are known. */
WARN_UNUSED ompd_rc_t kmp_name_turns(struct kmp *kmp);

#endif
