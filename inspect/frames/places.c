/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/code.h"
#include "inspect/frames/function.h"
#include "inspect/target/hostcall.h"

enum { SOURCE_MAX = 4096 };

void places_init(struct places *p, insp_session *s, struct arena *arena)
{
    *p = (struct places){.s = s, .arena = arena, .places = {.arena = arena}, .sources = {.arena = arena}};
}

/* What MAP has for ADDR, SIZE bytes; *added: they are new, and zero. */
static void *entry(struct places *p, struct hash *map, uint64_t addr, size_t size, bool *added)
{
    uint64_t *at = addr ? hash_add(map, addr, NULL) : NULL;

    *added = at && !*at;
    if (*added)
        *at = (uint64_t)(uintptr_t)arena_alloc(p->arena, size);
    return at ? (void *)(uintptr_t)*at : NULL;
}

static const char *copy_of(struct arena *arena, const char *text)
{
    return text && *text ? arena_str(arena, text) : NULL;
}

static const char *copy(struct places *p, const char *text)
{
    return copy_of(p->arena, text);
}

const struct insp_place *places_at(struct places *p, uint64_t addr)
{
    struct insp_place place;
    bool added;
    struct insp_place *e = entry(p, &p->places, addr, sizeof(*e), &added);

    if (!e || !added || host_place(p->s, addr, &place))
        return e;
    e->symbol = copy(p, place.symbol);
    e->module = copy(p, place.module);
    e->offset = place.offset;
    e->file = copy(p, place.file);
    e->line = e->file && place.line > 0 ? place.line : 0;
    if (code_is_system_header(e->file) && e->symbol && !function_is_std(e->symbol)) {
        const char *file;
        int line = places_own_line(p->s, p->arena, addr, e->offset, NULL, &file);

        e->line = line ? line : e->line;
        e->file = line ? file : e->file;
    }
    return e;
}

int places_own_line(insp_session *s, struct arena *arena, uint64_t addr, uint64_t offset,
                    const char *declared, const char **file)
{
    const char *found;
    int32_t line;

    if (offset > addr || host_own_line(s, addr - offset, addr, declared, &found, &line) || line <= 0 ||
        code_is_system_header(found))
        return 0;
    *file = copy_of(arena, found);
    return *file ? line : 0;
}

const struct mdl_place *places_source(struct places *p, uint64_t addr)
{
    char text[SOURCE_MAX];
    struct mdl_place place;
    bool added;
    struct mdl_place *e = entry(p, &p->sources, addr, sizeof(*e), &added);

    if (!e || !added || host_read_string(p->s, addr, text, sizeof(text)))
        return e;
    places_parse_source(text, &place);
    e->function = copy(p, place.function);
    e->file = copy(p, place.file);
    e->line = place.line;
    return e;
}

void places_parse_source(char *text, struct mdl_place *ret)
{
    char *part[4] = {NULL, NULL, NULL, NULL};
    char *at = text, *end;
    long line;

    *ret = (struct mdl_place){0};
    if (*at++ != ';')
        return;
    for (int i = 0; i < 4; i++) {
        end = strchr(at, ';');
        if (!end)
            return; /* cut off: no part of it is to be trusted */
        *end = '\0';
        part[i] = at;
        at = end + 1;
    }
    line = strtol(part[2], &end, 10);
    if (*end || line < 0 || line > INT_MAX)
        return;
    /* clang without -g writes ";unknown;unknown;0;0;;". */
    if (*part[1] && strcmp(part[1], "unknown"))
        ret->function = part[1];
    if (*part[0] && strcmp(part[0], "unknown") && line) {
        /* flang writes the name of its module of code. */
        ret->file = strcmp(part[0], "FIRModule") ? part[0] : NULL;
        ret->line = (int)line;
    }
}
