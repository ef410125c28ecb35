/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Workers of thread pools of well-known libraries, which wait for work: known by the pool's own function that
 * they sleep in.
 */
#ifndef INSPECT_POOLS_H
#define INSPECT_POOLS_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whose pool's worker T is, by its activity and its stack: "OpenBLAS". NULL: it is none, or does not wait
 *  for work. */
const char *pool_of(const struct mdl_thread *t);

#ifdef __cplusplus
}
#endif
#endif
