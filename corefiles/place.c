/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What inspect shows of an address: symbol, and source line of code.
 */
#include "corefiles/place.h"

#include <stdlib.h>
#include <string.h>

#include "corefiles/modules.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/units.h"

int cf_place(struct cf_target *t, uint64_t addr, struct insp_place *ret)
{
    struct cf_mod *m = cf_module_at(t, addr);
    struct insp_place place = {0};
    const char *symbol;
    uint64_t offset;
    const char *file;
    char *name = NULL;
    int line = 0;

    if (!m || t->nameless)
        return 1;
    if (!cf_symbol_at(t, addr, &symbol, &offset)) {
        name = strndup(symbol, strcspn(symbol, "@")); /* libc's: clock_nanosleep@GLIBC_2.2.5 */
        place.offset = offset;
    }
    if (!cf_line_at(t, addr, name && !place.offset, &file, &line)) {
        place.file = file;
        place.line = line;
    }
    place.symbol = cf_say(t, CF_SAY_PLACE, name);
    place.module = m->path;
    /* Of a stripped library it is worth saying which it is; GDB does not tell it of the program either. */
    if (!place.symbol && !place.file && m->path == t->info.exe)
        return 1;
    *ret = place;
    return 0;
}
