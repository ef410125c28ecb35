/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The parts of schema 1 that are about call stacks and recorded snapshots.
 */
#ifndef INSPECT_STACKS_JSON_H
#define INSPECT_STACKS_JSON_H

#include "inspect/render/json_put.h"

/** The list `stacks`. LOCALS: with the variables that the snapshot has. */
json_t *stacks_json(const insp_snapshot *s, bool locals);
/** What a recorded snapshot has besides schema 1. */
json_t *snapshot_json(const insp_snapshot *s);

#endif
