/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/names.h"

#include <inttypes.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/function.h"
#include "inspect/names/object.h"
#include "inspect/names/path.h"
#include "inspect/target/hostcall.h"

const char *names_parse_critical(char *symbol)
{
    static const char start[] = ".gomp_critical_user_";
    static const char *const ends[] = {".var", ".reduction.var", ".reduction"};
    size_t length;
    char *name;

    if (strncmp(symbol, start, sizeof(start) - 1))
        return NULL;
    name = symbol + sizeof(start) - 1;
    length = strlen(name);
    /* clang writes NAME.var, gcc NAME. The longest ending first would cut a critical called "x.reduction": no
       such id. */
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        size_t n = strlen(ends[i]);

        if (length >= n && !strcmp(name + length - n, ends[i])) {
            name[length - n] = '\0';
            length -= n;
        }
    }
    return name;
}

const char *names_object(struct places *p, const char *kind, uint64_t addr, const struct insp_viewer *viewers,
                         uint32_t count)
{
    const struct insp_place *e;
    struct insp_object object;
    const char *critical;
    char *copy;

    if (!addr)
        return NULL;
    if ((!strcmp(kind, "lock") || !strcmp(kind, "nest_lock") || !strcmp(kind, "sync")) && objects_of(p->s) &&
        !objects_name(p->s->objects, addr, viewers, count, &object)) {
        /* std::atomic<int> is no lock, and its number is inside as well. */
        int length = strcmp(kind, "sync") ? (int)strlen(object.text) : (int)path_outer_length(object.text);

        return arena_printf(p->arena, "%.*s", length, object.text);
    }
    e = places_at(p, addr);
    /* gcc's unnamed critical lies in its runtime and has no variable in the program. A statically linked
       runtime has the program's own criticals around it. */
    if (!strcmp(kind, "critical") && code_at(p->s, addr, e) == INSP_CODE_OPENMP)
        return "(unnamed)";
    if (!e || !e->symbol)
        return NULL;
    copy = arena_str(p->arena, e->symbol);
    critical = copy ? names_parse_critical(copy) : NULL;
    if (critical)
        return *critical ? critical : !strcmp(kind, "critical") ? "(unnamed)" : NULL;
    /* The atomic lock is a variable of the runtime: no name of the user's. */
    if (!strcmp(kind, "critical") || !strcmp(kind, "atomic") || !strcmp(kind, "reduction"))
        return NULL;
    copy = function_variable(p->arena, e->symbol);
    return e->offset && copy ? arena_printf(p->arena, "%s+%" PRIu64, copy, e->offset) : copy;
}
