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

static const struct known known[] = {
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

#define KNOWN (sizeof known / sizeof known[0])

uint32_t lay_known_entries(void)
{
    return KNOWN;
}

static const struct known *find_known(unsigned id)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].id == id)
            return &known[i];
    return NULL;
}

const char *lay_name(unsigned id)
{
    const struct known *row = find_known(id);
    return row != NULL ? row->name : "?";
}

unsigned lay_owner(unsigned id)
{
    const struct known *row = find_known(id);
    return row != NULL ? row->owner : 0;
}

static ompd_rc_t refuse(unsigned id, const char *why)
{
    struct text text = {0};
    text_add(&text, "libompd: the runtime's layout table ");
    text_add(&text, why);
    text_add(&text, " ");
    text_add(&text, lay_name(id));
    text_add(&text, " (id ");
    text_add_uint(&text, id);
    text_add(&text, "), so this library does not fit the runtime.\n");
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
    const struct lay_entry *owner = lay_at(lay, lay_owner(id));
    if (owner->kind != LAY_STRUCT)
        return refuse(lay_owner(id), "lacks");
    uint64_t bytes = (uint64_t)entry->size * entry->count;
    if (entry->offset < 0 || entry->size == 0 || entry->count == 0 || bytes > owner->size ||
        (uint64_t)entry->offset + bytes > owner->size)
        return refuse(id, "has no sensible place for");
    if (entry->kind == LAY_BITS && (entry->mask == 0 || entry->count != 1 || !is_number_size(entry->size)))
        return refuse(id, "has no sensible mask for");
    return ompd_rc_ok;
}

ompd_rc_t lay_require(const struct lay *lay, const uint16_t *ids)
{
    for (; *ids != 0; ids++) {
        const struct lay_entry *entry = lay_at(lay, *ids);
        const struct known *row = find_known(*ids);
        if (entry->kind == LAY_ABSENT)
            return refuse(*ids, "lacks");
        if (row == NULL || row->kind != entry->kind)
            return refuse(*ids, "has the wrong kind of entry for");
        switch (entry->kind) {
        case LAY_STRUCT:
            if (entry->size == 0 || entry->size > STRUCT_BYTES_MAX)
                return refuse(*ids, "has no sensible size for");
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

ompd_rc_t lay_require_number(const struct lay *lay, unsigned id)
{
    const uint16_t ids[] = {(uint16_t)id, 0};
    TRY(lay_require(lay, ids));
    if (!is_number_size(lay_at(lay, id)->size))
        return refuse(id, "has no sensible size for");
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
