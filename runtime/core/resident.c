/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Keeps the file that holds the runtime in the process.
 *
 * Threads of the pool rest in the runtime's code for the life of the process, so the code must never be
 * unmapped. libompcompanion.so is linked with -z nodelete; the archive may be in any user's shared library,
 * which dlclose() would unmap under the sleeping threads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#include "resident.h"

/* Weak: a fully static program need not have them, and must not get them from libc.a for this. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dladdr1) dladdr1 __attribute__((weak));

void rt_stay_resident(void)
{
    static const char here;
    struct link_map *map = NULL;
    Dl_info info;

    if (!dlsym || !dladdr1)
        return;
    /* The program itself, static ones too, has an empty name; it is never unmapped. */
    if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !map->l_name || !*map->l_name)
        return;
    /* Not by its name: linkers warn of a static program that refers to dlopen(). */
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");
    /* Not closed again: that is the point. Nothing can be done about a failure. */
    if (open)
        (void)open(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
