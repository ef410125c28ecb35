/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: records of tasks, and the queues in which they are: rings of nodes inside the tasks or, where
 * tasks have different priorities, a tree of such rings.
 */
#ifndef OMPD_GOMP_QUEUES_H
#define OMPD_GOMP_QUEUES_H

#include "runtimes/gomp/gomp.h"

/** Decodes a task's record. */
WARN_UNUSED ompd_rc_t gomp_decode_task(struct gomp *gomp, const uint8_t *bytes, struct gomp_task *ret);

/** Room for the records of all rows that the world has by now, and one more. */
WARN_UNUSED ompd_rc_t gomp_task_room(struct gomp *gomp);

/**
 * Adds the explicit task at ADDRESS, which belongs to TEAM, if the world does not have it. What cannot be
 * read or is no such task is left out and the world marked as incomplete. *RET is its index, WORLD_NONE.
 * Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_add_task(struct gomp *gomp, uint64_t address, int32_t team, int32_t *ret);

/** The fields that make a sort of queue: the root of its tree, the first node of its ring, and a task's
 *  node. */
struct gomp_queue_sort {
    uint16_t root, tasks, node;
};
struct gomp_queue {
    const struct gomp_queue_sort *sort;
    uint64_t root, tasks;
};
/** Adds all tasks of a queue; none where the layout does not have all fields of its sort. Codes as above. */
WARN_UNUSED ompd_rc_t gomp_add_queue(struct gomp *gomp, const struct gomp_queue *queue, int32_t team);

#endif
