/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The machine as far as places need it: which processors share a core, a cache, memory, a socket.
 */
#ifndef RT_TOPOLOGY_H
#define RT_TOPOLOGY_H

#include "cpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** From the outside in. */
enum rt_layer { RT_LAYER_SOCKET, RT_LAYER_NUMA, RT_LAYER_CACHE, RT_LAYER_CORE, RT_LAYER_THREAD, RT_LAYERS };

/** A processor. group[layer] is the lowest number among the processors with which it shares that layer. */
struct rt_cpu {
    int id;
    int group[RT_LAYERS];
};

/** The processors that the process may use and, once they have been read, which of them share what. */
struct rt_machine {
    struct rt_cpus allowed;
    const char *root; /**< prefix of /sys: "" except in tests */
    int count;        /**< entries of cpu, 0 = not read yet */
    /** sorted by socket, memory, cache, core, number: neighbours in the list are close to each other */
    struct rt_cpu *cpus;
};

/** Reads /sys on first use. Defaults where it says nothing: a core per processor, one socket, one memory. */
void rt_machine_read(struct rt_machine *machine);
/** How many processors share a last-level cache, as seen from the first one; 0 unknown. */
int rt_machine_cluster(const struct rt_machine *machine);
/** Sorts the processors that were not read from /sys. */
void rt_machine_sort(struct rt_machine *machine);
/**
 * Restricts the machine as KMP_HW_SUBSET says ("2s,4c,1t"); returns NULL, or what is wrong with the text, and
 * then nothing has changed.
 */
const char *rt_machine_subset(struct rt_machine *machine, const char *text);

#ifdef __cplusplus
}
#endif
#endif
