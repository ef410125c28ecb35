/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names for what lies in the heap: the pointers of the program's variables are followed, breadth first, as
 * far as their types can lead to a lock. A name is given where such a chain, read from this very memory, ends
 * at the address.
 */
#include "corefiles/reach.h"

#include <stdlib.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/malloc.h"
#include "corefiles/memory.h"
#include "corefiles/read.h"
#include "corefiles/target.h"
#include "corefiles/text.h"

/** Objects behind one pointer of which the pointers are followed. */
enum { ELEMENTS_MAX = 8192 };

struct cf_reach *cf_reach_new(struct cf_target *t, uint32_t limit)
{
    struct cf_reach *r = calloc(1, sizeof(*r));

    if (!r)
        return NULL;
    r->t = t;
    r->limit = limit < CF_ALL_READS - t->reach_reads ? limit : CF_ALL_READS - t->reach_reads;
    r->seen_size = 1;
    while (r->seen_size < 2 * limit)
        r->seen_size *= 2;
    r->leads = cf_leads_new();
    if (!r->leads) {
        free(r);
        return NULL;
    }
    return r;
}

void cf_reach_free(struct cf_reach *r)
{
    if (!r)
        return;
    cf_leads_free(r->leads);
    free(r->spots);
    free(r->seen);
    free(r);
}

bool cf_reach_add(struct cf_reach *r, const struct cf_spot *spot)
{
    if (!cf_grow(&r->spots, r->count, sizeof(*r->spots)))
        return false;
    r->spots[r->count++] = *spot;
    return true;
}

/* True when the same objects have been found before, on a way that was not longer. Else the spot is added
 * next. */
static bool known(struct cf_reach *r, const struct cf_spot *spot)
{
    uint64_t at = (spot->start ^ spot->type.offset) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

    if (!r->seen)
        r->seen = calloc(r->seen_size, sizeof(*r->seen));
    for (; r->seen; at++) {
        uint32_t *entry = &r->seen[at & (r->seen_size - 1)];

        if (!*entry) {
            *entry = r->count + 1;
            return false;
        }
        if (r->spots[*entry - 1].start == spot->start && die_same(&r->spots[*entry - 1].type, &spot->type))
            return true;
    }
    return true;
}

bool cf_reach_array(struct cf_target *t, struct die *array, uint64_t object, uint64_t *start, uint64_t *size,
                    int *n, int64_t lower[], int64_t count[])
{
    const struct cf_scene scene = {.t = t, .object = object};
    int64_t data, upper, stride;
    struct die child, of;
    uint64_t all = 1;

    *n = 0;
    if (die_type(array, &of) || !(*size = cf_type_size(&of)) || die_child(array, &child) ||
        cf_number(&scene, array, ATTR_data_location, &data) || !data)
        return false;
    do {
        if (die_tag(&child) != TAG_subrange_type || *n == CF_DIMENSIONS)
            continue;
        if (cf_number(&scene, &child, ATTR_lower_bound, &lower[*n]))
            lower[*n] = 1;
        /* gfortran gives the last index, flang the number. */
        if (cf_number(&scene, &child, ATTR_count, &count[*n]) &&
            (cf_number(&scene, &child, ATTR_upper_bound, &upper) ||
             __builtin_sub_overflow(upper, lower[*n], &count[*n]) ||
             __builtin_add_overflow(count[*n], 1, &count[*n])))
            return false;
        if (count[*n] <= 0)
            return false;
        /* flang gives no stride. What is allocated has none; what is pointed to may be every third
         * element. */
        if (cf_number(&scene, &child, ATTR_byte_stride, &stride) ? !die_has(array, ATTR_allocated)
                                                                 : (uint64_t)stride != all * *size)
            return false;
        if (__builtin_mul_overflow(all, (uint64_t)count[*n], &all))
            return false;
        ++*n;
    } while (!die_sibling(&child, &child));
    *start = (uint64_t)data;
    return *n > 0 && all <= UINT64_MAX / *size;
}

/* Goes where a pointer with VALUE (a descriptor's: its address) leads to; END: 0 or the end of that. */
static void follow(struct cf_reach *r, uint32_t from, const struct cf_pointer *pointer, uint64_t offset,
                   uint64_t value, uint64_t end)
{
    struct cf_spot spot = {.start = value,
                           .count = 1,
                           .type = pointer->to,
                           .from = from,
                           .offset = offset,
                           .how = pointer->how,
                           .hops = r->spots[from].hops + 1};
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    uint64_t region_start, region_end;
    int n;

    if (spot.how == CF_BY_DESCRIPTOR) {
        if (!cf_reach_array(r->t, &spot.type, value, &spot.start, &spot.size, &n, lower, count))
            return;
        for (int i = 0; i < n; i++)
            spot.count *= (uint64_t)count[i];
    } else {
        spot.size = cf_type_size(&spot.type);
    }
    /* What has no size is a type that is only declared, a function, void. */
    if (!spot.size || !cf_region(r->t, spot.start, &region_start, &region_end))
        return;
    if (end) {
        if (end <= value || end > region_end || (end - value) % spot.size)
            return;
        spot.count = (end - value) / spot.size;
        spot.several = spot.ended = true;
    } else if (spot.how == CF_BY_POINTER) {
        spot.count = cf_allocated_count(r->t, value, spot.size, &spot.several);
    }
    if (!known(r, &spot) && !cf_reach_add(r, &spot))
        r->reads = r->limit; /* out of memory */
}

struct expansion {
    struct cf_reach *r;
    uint32_t spot;
    uint64_t base; /* of the element from the spot's start */
};

static int found_pointer(const struct cf_pointer *pointer, void *arg)
{
    const struct expansion *e = arg;
    uint64_t offset = e->base + pointer->offset, start = e->r->spots[e->spot].start, value = start + offset,
             end = 0;

    if (e->r->reads++ >= e->r->limit)
        return 1;
    if (pointer->how != CF_BY_DESCRIPTOR && (cf_read(e->r->t, start + offset, &value, 8) || !value))
        return 0;
    if (pointer->end && (cf_read(e->r->t, start + e->base + pointer->end, &end, 8) || !end))
        return 0;
    follow(e->r, e->spot, pointer, offset, value, end);
    return 0;
}

/* A variable in a register: what it points to, if it is a pointer or a reference. */
static void follow_held(struct cf_reach *r, uint32_t i)
{
    struct cf_pointer pointer = {.how = CF_BY_REFERENCE};
    struct die type = r->spots[i].type;

    (void)cf_type_strip(&type);
    r->reads++;
    if (die_tag(&type) == TAG_pointer_type && !cf_is_fortran(&type))
        pointer.how = CF_BY_POINTER;
    else if (!cf_is_pointer(&type))
        return;
    if (!die_type(&type, &pointer.to))
        follow(r, i, &pointer, 0, r->spots[i].start, 0);
}

void cf_reach_run(struct cf_reach *r)
{
    for (uint32_t i = 0; i < r->count && r->reads < r->limit; i++) {
        const struct cf_spot spot = r->spots[i]; /* they move */
        struct expansion e = {r, i, 0};
        struct die type = spot.type;

        if (spot.held) {
            follow_held(r, i);
            continue;
        }
        if ((spot.hops && spot.how == CF_BY_DESCRIPTOR && die_type(&type, &type)) ||
            !cf_leads(r->leads, &type, CF_HOPS - spot.hops))
            continue;
        for (uint64_t k = 0; k < spot.count && k < ELEMENTS_MAX; k++) {
            e.base = k * spot.size;
            if (cf_each_pointer(r->leads, &type, CF_HOPS - spot.hops, found_pointer, &e))
                break;
        }
    }
    r->t->reach_reads += r->reads < r->limit ? r->reads : r->limit;
}
