/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/decoding.h"

#include <string.h>

#include "corefiles/layout/imply.h"

enum { OFFSET_MAX = UINT16_MAX };

void ly_add(struct ly_decoding *d, const char *name, int64_t offset, uint64_t size)
{
    if (offset >= 0 && offset <= OFFSET_MAX && d->count < LY_FACTS_MAX && !ly_named(d->facts, d->count, name))
        d->facts[d->count++] = (struct ly_fact){.name = name, .offset = (uint64_t)offset, .size = size};
}

void ly_claim(struct ly_decoding *d, const char *name, int64_t offset, uint64_t size)
{
    const size_t count = d->count;
    size_t i = 0;

    if (offset < 0 || offset > OFFSET_MAX)
        return;
    while (i < count && strcmp(d->facts[i].name, name) != 0)
        i++;
    ly_add(d, name, offset, size);
    if (d->count > count)
        d->facts[count].standing = LY_CLAIMED;
    else if (i < count && d->facts[i].standing == LY_CLAIMED && d->facts[i].offset != (uint64_t)offset)
        d->facts[i].standing = LY_CONTESTED;
}

void ly_add_array(struct ly_decoding *d, const char *name, int64_t offset)
{
    const size_t count = d->count;

    ly_add(d, name, offset, 0);
    if (d->count > count)
        d->facts[count].is_unsized = true;
}

bool ly_get(const struct ly_decoding *d, const char *name, int32_t *ret)
{
    const struct ly_fact *fact = ly_fact(d->facts, d->count, name);

    if (fact)
        *ret = (int32_t)fact->offset;
    return fact != NULL;
}

bool ly_follow(const struct ly_decoding *d, const char *name, unsigned index, struct ly_trace *ret)
{
    for (size_t i = 0; i < d->image->symbol_count; i++)
        if (!strcmp(d->image->symbols[i].name, name) && index-- == 0)
            return !ly_trace(d->image, d->code, &d->image->symbols[i], ret);
    return false;
}

static bool mentions(const struct ly_code *code, uint64_t start, uint64_t end, int32_t displacement)
{
    for (size_t i = ly_at(code, start); i < code->count && code->list[i].pc < end; i++) {
        const struct x86_instruction *x86 = &code->list[i].x86;
        if (x86->has_modrm && x86->mod != 3 && x86->encoding != X86_EVEX &&
            x86->memory.displacement == displacement)
            return true;
    }
    return false;
}

bool ly_follow_next(const struct ly_decoding *d, int32_t displacement, size_t *at, struct ly_trace *ret)
{
    const uint64_t *starts = d->image->starts;

    while (*at < d->image->start_count) {
        const size_t i = (*at)++;
        const uint64_t end = *at < d->image->start_count ? starts[*at] : UINT64_MAX;
        if (mentions(d->code, starts[i], end, displacement) &&
            !ly_trace_alone(d->image, d->code, starts[i], ret))
            return true;
    }
    return false;
}

void ly_add_first(struct ly_decoding *d, const struct ly_trace *t, uint16_t pointer, unsigned size,
                  unsigned how, const char *member)
{
    const struct ly_access *access = ly_first(t, pointer, size, how);

    if (access)
        ly_add(d, member, access->offset, size);
}

/* Is that another one's place? Functions may read more than what they return. */
static bool is_taken(const struct ly_decoding *d, const struct ly_icv *icv, int64_t offset)
{
    const size_t tag = strcspn(icv->member, ".") + 1;

    for (size_t i = 0; i < d->count; i++)
        if (!strncmp(d->facts[i].name, icv->member, tag) && d->facts[i].offset == (uint64_t)offset)
            return true;
    return false;
}

static const struct ly_access *find_icv(const struct ly_decoding *d, const struct ly_trace *t, uint16_t task,
                                        int32_t icvs, const struct ly_icv *icv)
{
    const struct ly_access *found = NULL;

    for (size_t i = 0; task && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        /* Of a long, an int may be returned. */
        if (access->pointer == task && (access->size == icv->size || (icv->size == 8 && access->size == 4)) &&
            !is_taken(d, icv, (int64_t)access->offset - icvs) &&
            (!found || (access->offset < found->offset) != icv->is_last))
            found = access;
    }
    return found;
}

void ly_add_icvs(struct ly_decoding *d, const struct ly_icv *list, size_t count,
                 uint16_t task(const struct ly_decoding *, const struct ly_trace *), int32_t icvs)
{
    struct ly_trace t;

    for (size_t i = 0; i < count; i++) {
        if (!ly_follow(d, list[i].function, 0, &t))
            continue;
        const struct ly_access *found = find_icv(d, &t, task(d, &t), icvs, &list[i]);
        if (found)
            ly_add(d, list[i].member, (int64_t)found->offset - icvs, list[i].size);
        ly_trace_free(&t);
    }
}
