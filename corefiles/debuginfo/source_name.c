/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/debuginfo/source_name.h"

#include <string.h>

const char *source_name(const struct die *unit, const char *name)
{
    const char *own = die_name(unit), *dir;
    size_t length;

    /* Where the name is in a file of its own (DW_AT_dwo_name), nearly all have been relative ones. */
    if (own && *own == '/')
        return name;
    dir = die_string(unit, ATTR_comp_dir);
    length = dir ? strlen(dir) : 0;
    return length && !strncmp(name, dir, length) && name[length] == '/' ? name + length + 1 : name;
}
