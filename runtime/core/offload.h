/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomptarget, LLVM's library for devices: its routines, where it is in the process.
 */
#ifndef RT_OFFLOAD_H
#define RT_OFFLOAD_H

#include "base.h"

/** For a caller's `known`: there is libomptarget, and it has no such routine. */
#define RT_OFFLOAD_LACKS ((void *)1)

/** See RT_OFFLOADED; *known is NULL. */
void *rt_offload_find(void *_Atomic *known, const char *name);
static inline void *rt_offload_routine(void *_Atomic *known, const char *name)
{
    void *routine = rt_acquire(*known);
    if (routine == NULL)
        routine = rt_offload_find(known, name);
    return routine != RT_OFFLOAD_LACKS ? routine : NULL;
}

/** Whether libomptarget is in the process. */
int rt_offload_present(void);
/** Devices beside the host. */
int rt_offload_devices(void);

/** libomptarget's routine of this name, which is declared; NULL if it has none, or is not in the process. */
#define RT_OFFLOADED(name)                                      \
    ({                                                          \
        static void *_Atomic known;                             \
        (__typeof__(&(name)))rt_offload_routine(&known, #name); \
    })

/** In a routine that libomptarget has too: there its own answers, whose devices they are. */
#define RT_FORWARD(name, ...)                            \
    do {                                                 \
        __typeof__(&(name)) theirs = RT_OFFLOADED(name); \
        if (theirs != NULL)                              \
            return theirs(__VA_ARGS__);                  \
    } while (0)

#endif
