/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The pointers in an object, as far as they can lead to a lock: most of a program's types cannot, and are not
 * looked into.
 */
#include "corefiles/typepath.h"

#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"

/** NESTING_MAX: members within members; nobody writes more. ELEMENTS_MAX: of one array, so that a huge one
 * leaves time
 *  for other variables. TYPES_MAX: that may be looked at in all; a program of 100 MB of debug information
 *  needs fewer. */
enum { NESTING_MAX = 96, ELEMENTS_MAX = 8192, TYPES_MAX = 1 << 22 };

/** What is known of one question. Open addressing, at most half full. */
struct known {
    const struct debuginfo *of; /**< NULL free */
    uint64_t key;               /**< of the type and the hops */
    bool leads;
};

struct cf_leads {
    struct known *table;
    uint32_t size, count, looked;
};

struct cf_leads *cf_leads_new(void)
{
    return calloc(1, sizeof(struct cf_leads));
}

void cf_leads_free(struct cf_leads *leads)
{
    if (leads)
        free(leads->table);
    free(leads);
}

static struct known *find(const struct cf_leads *l, const struct debuginfo *of, uint64_t key)
{
    uint32_t at = (uint32_t)((key ^ (uintptr_t)of) * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (;; at++) {
        struct known *k = &l->table[at & (l->size - 1)];

        if (!k->of || (k->of == of && k->key == key))
            return k;
    }
}

static bool grow(struct cf_leads *l)
{
    struct cf_leads old = *l;

    if (l->size > 2 * l->count)
        return true;
    l->size = l->size ? 2 * l->size : 1024;
    l->table = calloc(l->size, sizeof(*l->table));
    if (!l->table) {
        *l = old;
        return false;
    }
    for (uint32_t i = 0; i < old.size; i++)
        if (old.table[i].of)
            *find(l, old.table[i].of, old.table[i].key) = old.table[i];
    free(old.table);
    return true;
}

bool cf_is_pointer(struct die *type)
{
    unsigned tag = die_tag(type);

    return tag == TAG_pointer_type || tag == TAG_reference_type || tag == TAG_rvalue_reference_type;
}

static bool is_class(struct die *type)
{
    unsigned tag = die_tag(type);

    return tag == TAG_structure_type || tag == TAG_class_type;
}

/* gfortran's locks are integers of 4 bytes, its nest locks of 8, and nothing says that they are locks. */
static bool can_be_lock(struct die *type)
{
    int64_t size = die_size(type), encoding;

    return die_tag(type) == TAG_base_type && (size == 4 || size == 8) && cf_is_fortran(type) &&
           !die_number(type, ATTR_encoding, &encoding) && encoding == ENCODING_signed;
}

bool cf_is_awaited(const struct cf_part *part)
{
    struct die type = part->type;

    return part->lock || can_be_lock(&type);
}

static bool leads(struct cf_leads *l, struct die type, int hops, bool far, int depth);

/* A union tells not which of its members is in use, so what lies in one is not followed. */
static bool member_leads(struct cf_leads *l, struct die *type, int hops, bool far, int depth)
{
    struct die child, of;

    if (die_child(type, &child))
        return false;
    do {
        unsigned tag = die_tag(&child);
        uint64_t at;

        if ((tag == TAG_member || tag == TAG_inheritance) && !die_type(&child, &of) &&
            cf_member_offset(&child, &at) && leads(l, of, hops, far, depth + 1))
            return true;
    } while (!die_sibling(&child, &child));
    return false;
}

/* Is there a lock in TYPE or within HOPS pointers from it; FAR: behind one pointer at least? */
static bool leads(struct cf_leads *l, struct die type, int hops, bool far, int depth)
{
    uint64_t key;
    struct die of;
    bool lock = cf_type_strip(&type) || can_be_lock(&type), result;

    if (lock)
        return !far;
    if (!cf_is_pointer(&type) && !is_class(&type) && die_tag(&type) != TAG_array_type)
        return false;
    /* There are fewer than 8 hops: no two questions of a file have the same key. */
    key = (type.offset << 4) + (uint64_t)hops * 2 + far;
    if (depth > NESTING_MAX || !grow(l) || l->looked > TYPES_MAX)
        return false;
    if (find(l, type.of, key)->of)
        return find(l, type.of, key)->leads;
    /* Until it is known otherwise: a type that holds itself, which only damage makes, ends here. */
    *find(l, type.of, key) = (struct known){type.of, key, false};
    l->count++;
    l->looked++;
    if (is_class(&type))
        result = member_leads(l, &type, hops, far, depth);
    else if (die_type(&type, &of))
        result = false;
    else if (cf_is_pointer(&type) || cf_is_descriptor(&type))
        result = hops > 0 && leads(l, of, hops - 1, false, depth + 1);
    else
        result = leads(l, of, hops, far, depth + 1);
    find(l, type.of, key)->leads = result;
    return result;
}

bool cf_leads(struct cf_leads *l, struct die *type, int hops)
{
    return leads(l, *type, hops, true, 0);
}

struct walk {
    struct cf_leads *leads;
    int hops;
    int (*each)(const struct cf_pointer *pointer, void *arg);
    void *arg;
};

static int visit(const struct walk *w, struct die type, uint64_t offset, uint64_t end, int depth);

static int visit_array(const struct walk *w, struct die *type, uint64_t offset, int depth)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    int n = cf_dimensions(type, false, lower, count), rc = 0;
    uint64_t elements = n > 0, size;
    struct die of;

    if (die_type(type, &of) || !(size = cf_type_size(&of)))
        return 0;
    for (int i = 0; i < n; i++)
        if (count[i] < 0 || __builtin_mul_overflow(elements, (uint64_t)count[i], &elements))
            return 0;
    for (uint64_t i = 0; !rc && i < elements && i < ELEMENTS_MAX; i++)
        rc = visit(w, of, offset + i * size, 0, depth);
    return rc;
}

/* The offset of the member NAME from that of TYPE; 0 when there is none. */
static uint64_t offset_of(struct die *type, const char *name)
{
    struct die child;
    uint64_t at;

    if (!die_child(type, &child))
        do {
            const char *own = die_name(&child);

            if (die_tag(&child) == TAG_member && own && !strcmp(own, name) && cf_member_offset(&child, &at))
                return at;
        } while (!die_sibling(&child, &child));
    return 0;
}

static int visit_members(const struct walk *w, struct die *type, uint64_t offset, int depth)
{
    struct die child, of;
    int rc = 0;

    if (die_child(type, &child))
        return 0;
    do {
        unsigned tag = die_tag(&child);
        const char *name = die_name(&child);
        uint64_t at, end = 0;

        if ((tag != TAG_member && tag != TAG_inheritance) || die_type(&child, &of) ||
            !cf_member_offset(&child, &at))
            continue;
        /* libstdc++'s std::vector: its other two pointers lead to ends. */
        if (name && !strncmp(name, "_M_", 3)) {
            uint64_t finish = offset_of(type, "_M_finish");

            if (finish && !strcmp(name, "_M_start"))
                end = offset + finish;
            else if (finish && (!strcmp(name, "_M_finish") || !strcmp(name, "_M_end_of_storage")))
                continue;
        }
        rc = visit(w, of, offset + at, end, depth);
    } while (!rc && !die_sibling(&child, &child));
    return rc;
}

static int visit(const struct walk *w, struct die type, uint64_t offset, uint64_t end, int depth)
{
    struct cf_pointer pointer = {.offset = offset, .end = end};

    if (depth > NESTING_MAX || cf_type_strip(&type) || !leads(w->leads, type, w->hops, true, 0))
        return 0;
    if (is_class(&type))
        return visit_members(w, &type, offset, depth + 1);
    if (!cf_is_pointer(&type) && !cf_is_descriptor(&type))
        return visit_array(w, &type, offset, depth + 1);
    pointer.how = cf_is_descriptor(&type)                                       ? CF_BY_DESCRIPTOR
                  : die_tag(&type) == TAG_pointer_type && !cf_is_fortran(&type) ? CF_BY_POINTER
                                                                                : CF_BY_REFERENCE;
    pointer.to = type;
    if (!cf_is_pointer(&type) || !die_type(&type, &pointer.to))
        return w->each(&pointer, w->arg);
    return 0;
}

int cf_each_pointer(struct cf_leads *l, struct die *type, int hops,
                    int (*each)(const struct cf_pointer *pointer, void *arg), void *arg)
{
    const struct walk walk = {l, hops, each, arg};

    return visit(&walk, *type, 0, 0, 0);
}
