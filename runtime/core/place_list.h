/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Places: the list that OMP_PLACES gives, and which place each thread of a team gets (OpenMP 5.2 sections
 * 10.1.3, 21.1.6). Nothing here depends on the machine that it runs on: the topology comes as data.
 */
#ifndef RT_PLACE_LIST_H
#define RT_PLACE_LIST_H

#include "cpus.h"
#include "topology.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RT_PLACE_MAX 8192

struct rt_place_list {
    int count, room;
    struct rt_cpus *places;
};

/** Drops processors that may not be used, and places that become empty; returns the number of these. */
int rt_places_filter(struct rt_place_list *list, const struct rt_cpus *allowed);
/**
 * A place for each unit of a layer, neighbours next to each other: at most `limit` (0 all), every step-th.
 */
void rt_places_of_layer(struct rt_machine *machine, enum rt_layer layer, long limit, long step,
                        struct rt_place_list *list);
/**
 * A place for each unit of a layer in KMP_AFFINITY's order: processors sorted by socket, core, thread, with
 * the `permute` innermost of these made the most significant, in inverted order; the list starts at its
 * offset-th place.
 */
void rt_places_sorted(struct rt_machine *machine, enum rt_layer layer, int permute, int offset,
                      struct rt_place_list *list);
int rt_places_add(struct rt_place_list *list, const struct rt_cpus *place);
void rt_places_free(struct rt_place_list *list);
/** The list as OMP_PLACES would have it, as snprintf writes. */
size_t rt_places_text(const struct rt_place_list *list, char *buffer, size_t size);

/** omp_proc_bind_t, and one of our own that KMP_AFFINITY asks for: round the places, one by one. */
enum rt_bind { RT_BIND_FALSE, RT_BIND_TRUE, RT_BIND_PRIMARY, RT_BIND_CLOSE, RT_BIND_SPREAD, RT_BIND_CYCLE };

/** What the placement of a team depends on. */
struct rt_placing {
    enum rt_bind policy; /**< PRIMARY, CLOSE, SPREAD or CYCLE */
    int threads;
    int parent;                 /**< place of the primary thread when it meets the region */
    int part_first, part_count; /**< place-partition-var of its implicit task */
};
struct rt_placement {
    int place, part_first, part_count;
};
struct rt_placement rt_placement_of(const struct rt_placing *in, int thread_num);

#ifdef __cplusplus
}
#endif
#endif
