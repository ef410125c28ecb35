/* SPDX-License-Identifier: Apache-2.0 */
#include "layout.h"

#include <string.h>

#include "text.h"

/** No structure of a runtime is larger; a table that says so is broken. */
#define STRUCT_BYTES_MAX (1u << 20)

struct known {
    uint16_t id, owner;
    uint8_t kind;
    const char *name;
};

struct lay_names {
    const struct known *list;
    size_t count;
    const char *remedy; /**< end of a sentence that refuses */
};

static const struct known companion[] = {
#define RT_STRUCT(id, tag, comment)                   {id, 0, LAY_STRUCT, #tag},
#define RT_FIELD(id, tag, member, comment)            {id, LAY_S_##tag, LAY_FIELD, #tag "." #member},
#define RT_BITS(id, tag, member, name, mask, comment) {id, LAY_S_##tag, LAY_BITS, #tag "." #member ":" #name},
#define RT_VAR(id, variable, comment)                 {id, 0, LAY_VARIABLE, #variable},
#define RT_CONST(id, name, value, comment)            {id, 0, LAY_CONSTANT, #name},
#include "runtime/layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
};

#define STOCK_STRUCT(id, tag, comment) {id, 0, LAY_STRUCT, #tag},
#define STOCK_FIELD(id, tag, member, path, bytes, behind, comment) \
    {id, LAY_S_##tag, LAY_FIELD, #tag "." path},
#define STOCK_VAR(id, variable, comment) {id, 0, LAY_VARIABLE, #variable},
#define STOCK_CONST(id, name, comment)   {id, 0, LAY_CONSTANT, #name},
static const struct known gomp[] = {
#include "providers/gomp.def"
};
static const struct known kmp[] = {
#include "providers/kmp.def"
};
#undef STOCK_STRUCT
#undef STOCK_FIELD
#undef STOCK_VAR
#undef STOCK_CONST

_Static_assert((int)LAY_GOMP_IDS <= (int)LAY_ID_LIMIT && (int)LAY_KMP_IDS <= (int)LAY_ID_LIMIT,
               "an id has no room in struct lay");

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
const struct lay_names lay_companion = {companion, COUNT(companion),
                                        ", so this library does not fit the runtime.\n"};
const struct lay_names lay_gomp = {gomp, COUNT(gomp), ", so it cannot explain libgomp.\n"};
const struct lay_names lay_kmp = {kmp, COUNT(kmp), ", so it cannot explain libomp.\n"};

uint32_t lay_known_entries(void)
{
    return COUNT(companion);
}

static const struct known *find_known(const struct lay_names *names, unsigned id)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].id == id)
            return &names->list[i];
    return NULL;
}

const char *lay_name(const struct lay_names *names, unsigned id)
{
    const struct known *row = find_known(names, id);
    return row != NULL ? row->name : "?";
}

unsigned lay_find(const struct lay_names *names, enum lay_kind kind, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].kind == kind && strcmp(names->list[i].name, name) == 0)
            return names->list[i].id;
    return 0;
}

unsigned lay_owner(const struct lay_names *names, unsigned id)
{
    const struct known *row = find_known(names, id);
    return row != NULL ? row->owner : 0;
}

static ompd_rc_t refuse(const struct lay *lay, unsigned id, const char *why)
{
    struct text text = {0};
    text_add(&text, "libompd: the runtime's ");
    text_add(&text, lay->what);
    text_add(&text, " ");
    text_add(&text, why);
    text_add(&text, " ");
    text_add(&text, lay_name(lay->names, id));
    text_add(&text, " (id ");
    text_add_uint(&text, id);
    text_add(&text, ")");
    text_add(&text, lay->names->remedy);
    tgt_say(text.buffer);
    return ompd_rc_incompatible;
}

static bool is_number_size(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static ompd_rc_t check_member(const struct lay *lay, unsigned id)
{
    const struct lay_entry *entry = lay_at(lay, id);
    const struct lay_entry *owner = lay_at(lay, lay_owner(lay->names, id));
    if (owner->kind != LAY_STRUCT)
        return refuse(lay, lay_owner(lay->names, id), "lacks");
    uint64_t bytes = (uint64_t)entry->size * entry->count;
    const bool empty = entry->size == 0 && lay->names == &lay_companion; /* rows have arrays without a size */
    if (entry->offset < 0 || empty || entry->count == 0 || bytes > owner->size ||
        (uint64_t)entry->offset + bytes > owner->size)
        return refuse(lay, id, "has no sensible place for");
    if (entry->kind == LAY_BITS && (entry->mask == 0 || entry->count != 1 || !is_number_size(entry->size)))
        return refuse(lay, id, "has no sensible mask for");
    return ompd_rc_ok;
}

ompd_rc_t lay_require(const struct lay *lay, const uint16_t *ids)
{
    for (; *ids != 0; ids++) {
        const struct lay_entry *entry = lay_at(lay, *ids);
        const struct known *row = find_known(lay->names, *ids);
        if (entry->kind == LAY_ABSENT)
            return refuse(lay, *ids, "lacks");
        const bool bits = row != NULL && row->kind == LAY_FIELD && entry->kind == LAY_BITS &&
                          lay->names != &lay_companion; /* a row says of each field what it is */
        if (row == NULL || (row->kind != entry->kind && !bits))
            return refuse(lay, *ids, "has the wrong kind of entry for");
        switch (entry->kind) {
        case LAY_STRUCT:
            if (entry->size == 0 || entry->size > STRUCT_BYTES_MAX)
                return refuse(lay, *ids, "has no sensible size for");
            break;
        case LAY_FIELD:
        case LAY_BITS:
            TRY(check_member(lay, *ids));
            break;
        default:
            break;
        }
    }
    return ompd_rc_ok;
}

ompd_rc_t lay_require_sense(const struct lay *lay)
{
    for (size_t i = 0; i < lay->names->count; i++) {
        const uint16_t ids[] = {lay->names->list[i].id, 0};
        if (lay_has(lay, ids[0]))
            TRY(lay_require(lay, ids));
    }
    return ompd_rc_ok;
}

ompd_rc_t lay_require_number(const struct lay *lay, unsigned id)
{
    const uint16_t ids[] = {(uint16_t)id, 0};
    TRY(lay_require(lay, ids));
    if (!is_number_size(lay_at(lay, id)->size))
        return refuse(lay, id, "has no sensible size for");
    return ompd_rc_ok;
}

void lay_default(struct lay *lay, unsigned id, uint64_t value)
{
    if (lay->entry[id].kind == LAY_ABSENT)
        lay->entry[id] = (struct lay_entry){.kind = LAY_CONSTANT, .size = 8, .count = 1, .mask = value};
}

ompd_rc_t lay_get(const struct tgt *tgt, const struct lay *lay, const void *bytes, unsigned id, uint64_t *ret)
{
    const struct lay_entry *entry = lay_at(lay, id);
    uint64_t number;
    if (entry->kind == LAY_CONSTANT) { /* lay_default */
        *ret = entry->mask;
        return ompd_rc_ok;
    }
    TRY(tgt_number(tgt, (const uint8_t *)bytes + entry->offset, entry->size, &number));
    if (entry->kind == LAY_BITS)
        number = (number & entry->mask) >> __builtin_ctzll(entry->mask);
    *ret = number;
    return ompd_rc_ok;
}

ompd_rc_t lay_get_signed(const struct tgt *tgt, const struct lay *lay, const void *bytes, unsigned id,
                         int64_t *ret)
{
    uint64_t number;
    TRY(lay_get(tgt, lay, bytes, id, &number));
    const unsigned shift = 64 - 8 * lay_at(lay, id)->size;
    *ret = (int64_t)(number << shift) >> shift;
    return ompd_rc_ok;
}

ompd_rc_t lay_decode(const struct tgt *tgt, const struct lay *lay, const void *bytes,
                     const struct lay_wanted *wanted, size_t count, void *ret)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        if (!lay_has(lay, wanted[i].id))
            continue;
        if (wanted[i].is_signed) {
            int64_t value;
            TRY(lay_get_signed(tgt, lay, bytes, wanted[i].id, &value));
            number = (uint64_t)value;
        } else {
            TRY(lay_get(tgt, lay, bytes, wanted[i].id, &number));
        }
        memcpy((char *)ret + wanted[i].at, &number, sizeof number);
    }
    return ompd_rc_ok;
}
