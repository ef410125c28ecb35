/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Groups of what is shown in one row. Threads that differ in nothing but their number form one: same state,
 * region, wait, place and stack; or they sleep alike for objects of one kind, which nobody holds. All idle
 * workers of a library's pool form one, too. Tasks: task_groups.h.
 */
#ifndef INSPECT_GROUP_H
#define INSPECT_GROUP_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct groups {
    int *first; /**< group -> its first member: a thread, or a task */
    int *next;  /**< member -> next member of its group, -1 */
    int *of;    /**< member -> its group, -1: it has none */
    int *size;  /**< group -> members */
    int count;
    int *last; /**< group -> its last member */
};

/** Room for MEMBERS, all without a group. False out of memory. */
bool groups_init(struct groups *g, struct arena *a, int members) INSP_WARN_UNUSED;
/** Puts a member behind the others of its group. *at: the number of the group and 1; 0: the member begins
 *  one, and *at is set. */
void groups_add(struct groups *g, int member, uint64_t *at);

enum {
    GROUP_EXPAND = 1, /**< each thread alone */
    GROUP_LOCALS = 2  /**< apart, if local variables differ */
};
/** Those bits as the options want them: variables that are not shown do not count. */
static inline unsigned group_how(const struct insp_render_options *o)
{
    return (o->expand ? GROUP_EXPAND : 0U) | (o->locals ? GROUP_LOCALS : 0U);
}
/** Groups the threads, in the order of their first ones. HOW: the bits above. False out of memory. */
bool group_threads(const insp_snapshot *s, unsigned how, struct arena *a,
                   struct groups *ret) INSP_WARN_UNUSED;

/** What the threads of THREAD's group wait for, if each of them waits for another object: "condition
 *  variables c[0] to c[3]"; else NULL. */
const char *group_objects(const insp_snapshot *s, const struct groups *g, int thread, struct arena *a);

#ifdef __cplusplus
}
#endif
#endif
