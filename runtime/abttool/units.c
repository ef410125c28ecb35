/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which runtime there is to listen to.
 *
 * The runtime is looked for by its one exported name and not by a dependency: a program may have it under the
 * name of libgomp or libomp. The statically linked one exports nothing, and is not found.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "abttool.h"

bool abttool_argobots_is_here(void)
{
    return dlsym(RTLD_DEFAULT, "ABT_init") != NULL;
}

const struct ompc_units *abttool_units(void)
{
    static _Atomic(const struct ompc_units *) found;
    const struct ompc_units *units = found;
    if (units != NULL)
        return units;
    const struct ompc_units *(*runtime)(uint32_t) =
        (const struct ompc_units *(*)(uint32_t))dlsym(RTLD_DEFAULT, "ompc_units");
    if (runtime == NULL || abttool_argobots_is_here())
        return NULL;
    units = runtime(OMPC_UNITS_VERSION);
    found = units;
    return units;
}
