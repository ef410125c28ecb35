/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/debuginfo/source_name.h"

#include <string.h>

const char *source_name(const char *unit, const char *dir, const char *name)
{
    size_t length = dir ? strlen(dir) : 0;

    /* Where the unit's name is in a file of its own (DW_AT_dwo_name), nearly all have been relative ones. */
    if (unit && *unit == '/')
        return name;
    return length && !strncmp(name, dir, length) && name[length] == '/' ? name + length + 1 : name;
}
