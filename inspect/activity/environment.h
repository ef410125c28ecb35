/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the process' environment says of it: its rank in MPI, and the job of a batch system.
 */
#ifndef INSPECT_ENVIRONMENT_H
#define INSPECT_ENVIRONMENT_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills rank, size, job, step and name_space. What is not there, or no such number, stays unknown. */
void environment_find(insp_session *s, insp_snapshot *snap);

#ifdef __cplusplus
}
#endif
#endif
