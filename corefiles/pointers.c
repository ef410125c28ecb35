/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The pointers in an object, as far as they can lead to a lock: most of a program's types cannot, and are not looked into.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "typepath.h"

/** NESTING_MAX: members within members; nobody writes more. ELEMENTS_MAX: of one array, so that a huge one leaves time
 *  for other variables. TYPES_MAX: that may be looked at in all; a program of 100 MB of debug information needs fewer. */
enum { NESTING_MAX = 96, ELEMENTS_MAX = 8192, TYPES_MAX = 1 << 22 };

/** What is known of one question. Open addressing, at most half full. */
struct known {
    uintptr_t key; /**< of the type and the hops; 0 free */
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

static struct known *find(const struct cf_leads *l, uintptr_t key)
{
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (;; at++) {
        struct known *k = &l->table[at & (l->size - 1)];

        if (!k->key || k->key == key)
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
        if (old.table[i].key)
            *find(l, old.table[i].key) = old.table[i];
    free(old.table);
    return true;
}

bool cf_is_pointer(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

static bool is_class(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* gfortran's locks are integers of 4 bytes, its nest locks of 8, and nothing says that they are locks. */
static bool can_be_lock(Dwarf_Die *type)
{
    Dwarf_Attribute attr;
    Dwarf_Word encoding;
    int size = dwarf_bytesize(type);

    return dwarf_tag(type) == DW_TAG_base_type && (size == 4 || size == 8) && cf_is_fortran(type) &&
           dwarf_attr(type, DW_AT_encoding, &attr) && !dwarf_formudata(&attr, &encoding) &&
           encoding == DW_ATE_signed;
}

bool cf_is_awaited(const struct cf_part *part)
{
    Dwarf_Die type = part->type;

    return part->lock || can_be_lock(&type);
}

static bool leads(struct cf_leads *l, Dwarf_Die type, int hops, bool far, int depth);

/* A union tells not which of its members is in use, so what lies in one is not followed. */
static bool member_leads(struct cf_leads *l, Dwarf_Die *type, int hops, bool far, int depth)
{
    Dwarf_Die child, of;

    if (dwarf_child(type, &child))
        return false;
    do {
        int tag = dwarf_tag(&child);
        uint64_t at;

        if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && cf_type_of(&child, &of) &&
            cf_member_offset(&child, &at) && leads(l, of, hops, far, depth + 1))
            return true;
    } while (!dwarf_siblingof(&child, &child));
    return false;
}

/* Is there a lock in TYPE or within HOPS pointers from it; FAR: behind one pointer at least? */
static bool leads(struct cf_leads *l, Dwarf_Die type, int hops, bool far, int depth)
{
    uintptr_t key;
    Dwarf_Die of;
    bool lock = cf_type_strip(&type) || can_be_lock(&type), result;

    if (lock)
        return !far;
    if (!cf_is_pointer(&type) && !is_class(&type) && dwarf_tag(&type) != DW_TAG_array_type)
        return false;
    /* A DIE takes more than 2 bytes, and there are fewer than 8 hops: no two questions have the same key. */
    key = ((uintptr_t)type.addr << 4) + (uintptr_t)hops * 2 + far;
    if (depth > NESTING_MAX || !grow(l) || l->looked > TYPES_MAX)
        return false;
    if (find(l, key)->key)
        return find(l, key)->leads;
    /* Until it is known otherwise: a type that holds itself, which only damage makes, ends here. */
    *find(l, key) = (struct known){key, false};
    l->count++;
    l->looked++;
    if (is_class(&type))
        result = member_leads(l, &type, hops, far, depth);
    else if (!cf_type_of(&type, &of))
        result = false;
    else if (cf_is_pointer(&type) || cf_is_descriptor(&type))
        result = hops > 0 && leads(l, of, hops - 1, false, depth + 1);
    else
        result = leads(l, of, hops, far, depth + 1);
    find(l, key)->leads = result;
    return result;
}

bool cf_leads(struct cf_leads *l, Dwarf_Die *type, int hops)
{
    return leads(l, *type, hops, true, 0);
}

struct walk {
    struct cf_leads *leads;
    int hops;
    int (*each)(const struct cf_pointer *pointer, void *arg);
    void *arg;
};

static int visit(const struct walk *w, Dwarf_Die type, uint64_t offset, uint64_t end, int depth);

static int visit_array(const struct walk *w, Dwarf_Die *type, uint64_t offset, int depth)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    int n = cf_dimensions(type, false, lower, count), rc = 0;
    uint64_t elements = n > 0, size;
    Dwarf_Die of;

    if (!cf_type_of(type, &of) || !(size = cf_type_size(&of)))
        return 0;
    for (int i = 0; i < n; i++)
        if (count[i] < 0 || __builtin_mul_overflow(elements, (uint64_t)count[i], &elements))
            return 0;
    for (uint64_t i = 0; !rc && i < elements && i < ELEMENTS_MAX; i++)
        rc = visit(w, of, offset + i * size, 0, depth);
    return rc;
}

/* The offset of the member NAME from that of TYPE; 0 when there is none. */
static uint64_t offset_of(Dwarf_Die *type, const char *name)
{
    Dwarf_Die child;
    uint64_t at;

    if (!dwarf_child(type, &child))
        do {
            const char *own = dwarf_diename(&child);

            if (dwarf_tag(&child) == DW_TAG_member && own && !strcmp(own, name) &&
                cf_member_offset(&child, &at))
                return at;
        } while (!dwarf_siblingof(&child, &child));
    return 0;
}

static int visit_members(const struct walk *w, Dwarf_Die *type, uint64_t offset, int depth)
{
    Dwarf_Die child, of;
    int rc = 0;

    if (dwarf_child(type, &child))
        return 0;
    do {
        int tag = dwarf_tag(&child);
        const char *name = dwarf_diename(&child);
        uint64_t at, end = 0;

        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !cf_type_of(&child, &of) ||
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
    } while (!rc && !dwarf_siblingof(&child, &child));
    return rc;
}

static int visit(const struct walk *w, Dwarf_Die type, uint64_t offset, uint64_t end, int depth)
{
    struct cf_pointer pointer = {.offset = offset, .end = end};

    if (depth > NESTING_MAX || cf_type_strip(&type) || !leads(w->leads, type, w->hops, true, 0))
        return 0;
    if (is_class(&type))
        return visit_members(w, &type, offset, depth + 1);
    if (!cf_is_pointer(&type) && !cf_is_descriptor(&type))
        return visit_array(w, &type, offset, depth + 1);
    pointer.how = cf_is_descriptor(&type)                                            ? CF_BY_DESCRIPTOR
                  : dwarf_tag(&type) == DW_TAG_pointer_type && !cf_is_fortran(&type) ? CF_BY_POINTER
                                                                                     : CF_BY_REFERENCE;
    pointer.to = type;
    if (!cf_is_pointer(&type) || cf_type_of(&type, &pointer.to))
        return w->each(&pointer, w->arg);
    return 0;
}

int cf_each_pointer(struct cf_leads *l, Dwarf_Die *type, int hops,
                    int (*each)(const struct cf_pointer *pointer, void *arg), void *arg)
{
    const struct walk walk = {l, hops, each, arg};

    return visit(&walk, *type, 0, 0, 0);
}
