/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Finding libomptarget.
 *
 * It is found by its file's name among all that is loaded, because it may have come with a library that was
 * opened with RTLD_LOCAL, where no look-up of symbols sees it. It may come late, so that a search in vain is
 * repeated when something else was loaded. Once found it stays loaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "contract.h"
#include "offload.h"

/* Weak, as in resident.c. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dladdr1) dladdr1 __attribute__((weak));
extern __typeof__(dl_iterate_phdr) dl_iterate_phdr __attribute__((weak));

static struct link_map *_Atomic library;
static _Atomic uint64_t loads_in_vain; /**< how many objects had been loaded when it was not among them */

struct search {
    uint64_t loads;
    char path[PATH_MAX]; /**< empty: not found */
};

static int is_libomptarget(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct search *search = argument;
    const char *path = info->dlpi_name, *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    (void)size;
    search->loads = info->dlpi_adds;
    if (search->loads == rt_load(loads_in_vain))
        return 1;
    if (strncmp(file, "libomptarget.so", strlen("libomptarget.so")) != 0 || strlen(path) >= PATH_MAX)
        return 0;
    strcpy(search->path, path); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy): measured above */
    return 1;
}

static struct link_map *find_library(void)
{
    struct link_map *found = rt_acquire(library);
    if (found != NULL || !dlsym || !dladdr1 || !dl_iterate_phdr)
        return found;
    struct search search = {0, ""};
    dl_iterate_phdr(is_libomptarget, &search);
    /* Not by its name: linkers warn of a static program that refers to dlopen(). */
    void *(*open)(const char *, int) = NULL;
    if (search.path[0] != '\0')
        open = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");
    if (open != NULL)
        found = open(search.path, RTLD_LAZY | RTLD_NOLOAD);
    if (found != NULL)
        rt_publish(library, found);
    else
        rt_store(loads_in_vain, search.loads);
    return found;
}

void *rt_offload_find(void *_Atomic *known, const char *name)
{
    struct link_map *in = find_library(), *of = NULL;
    if (in == NULL)
        return NULL;
    void *routine = dlsym(in, name);
    Dl_info info;
    /* What it lacks is looked for in the libraries that it needs, and this is one of them. */
    if (routine == NULL || !dladdr1(routine, &info, (void **)&of, RTLD_DL_LINKMAP) || of != in)
        routine = RT_OFFLOAD_LACKS;
    rt_publish(*known, routine);
    return routine;
}

int rt_offload_present(void)
{
    return find_library() != NULL;
}

int omp_get_num_devices(void);

int rt_offload_devices(void)
{
    int (*theirs)(void) = RT_OFFLOADED(omp_get_num_devices);
    return theirs != NULL ? theirs() : RT_NUM_DEVICES;
}
