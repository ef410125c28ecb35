/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the target's fields are: offsets, sizes and masks of one runtime instance, by the ids of its family:
 * Companion's are those of runtime/layout.def, libgomp's and libomp's those of providers/gomp.def and
 * kmp.def.
 *
 * A provider (providers/) fills a `struct lay`; nothing else here or in the adapters knows where it came
 * from. No offset is compiled into them: of the lists this library takes the ids and names alone.
 */
#ifndef OMPD_LAYOUT_H
#define OMPD_LAYOUT_H

#include "target.h"

/**
 * Ids: LAY_S_<struct>, LAY_F_<struct>_<member>, LAY_B_<struct>_<bits>, LAY_V_<variable>, LAY_C_<constant>.
 */
enum lay_id {
#define RT_STRUCT(id, tag, comment)                   LAY_S_##tag = (id),
#define RT_FIELD(id, tag, member, comment)            LAY_F_##tag##_##member = (id),
#define RT_BITS(id, tag, member, name, mask, comment) LAY_B_##tag##_##name = (id),
#define RT_VAR(id, variable, comment)                 LAY_V_##variable = (id),
#define RT_CONST(id, name, value, comment)            LAY_C_##name = (id),
#include "runtime/layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
    LAY_ID_LIMIT =
        512 /**< ids of a newer runtime that are not below are ignored: nobody here could use them */
};

#define STOCK_STRUCT(id, tag, comment)                             LAY_S_##tag = (id),
#define STOCK_FIELD(id, tag, member, path, bytes, behind, comment) LAY_F_##tag##_##member = (id),
#define STOCK_VAR(id, variable, comment)                           LAY_V_##variable = (id),
/** Those of libgomp: a number is an id in a `struct lay` whose names are lay_gomp. */
enum lay_gomp_id {
#define STOCK_CONST(id, name, comment) LAY_C_gomp_##name = (id),
#include "providers/gomp.def"
#undef STOCK_CONST
    LAY_GOMP_IDS
};
/** Those of libomp, with lay_kmp. */
enum lay_kmp_id {
#define STOCK_CONST(id, name, comment) LAY_C_kmp_##name = (id),
#include "providers/kmp.def"
#undef STOCK_CONST
    LAY_KMP_IDS
};
#undef STOCK_STRUCT
#undef STOCK_FIELD
#undef STOCK_VAR

/** What the ids of a family mean. */
struct lay_names;
extern const struct lay_names lay_companion, lay_gomp, lay_kmp;

/** Entries of layout.def as this library was compiled: what one guess at the table's length reads. */
uint32_t lay_known_entries(void);

/** Kinds of an entry; the numbers of the published table. 0: the target has no such entry. */
enum lay_kind { LAY_ABSENT, LAY_STRUCT, LAY_FIELD, LAY_BITS, LAY_VARIABLE, LAY_CONSTANT };

struct lay_entry {
    uint8_t kind;
    int32_t offset; /**< in the structure; variable: from the table */
    uint32_t size;  /**< bytes; of one element for an array */
    uint32_t count; /**< elements */
    uint64_t mask;  /**< bits: the mask; constant: the value */
};

struct lay {
    const struct lay_names *names;
    const char *what; /**< what it was taken from, for messages: "layout table", the name of a row */
    uint64_t table;   /**< where the table is, to which variables are relative */
    uint32_t major, minor;
    uint32_t entries; /**< in the target's table, known ones or not */
    struct lay_entry entry[LAY_ID_LIMIT];
};

/** "rt_thread.serial" and the like, for messages and, of libgomp and libomp, as rows have it. */
const char *lay_name(const struct lay_names *names, unsigned id);

/** The id of an entry of KIND by its name, 0 none. */
unsigned lay_find(const struct lay_names *names, enum lay_kind kind, const char *name);

/** The structure that a field or bits belong to, 0 for others. */
unsigned lay_owner(const struct lay_names *names, unsigned id);

/**
 * Checks that the target has each of IDS (ended by 0) and that each makes sense: sizes that numbers have,
 * fields inside their structures. Codes: ok, incompatible (after a sentence that names the id).
 */
WARN_UNUSED ompd_rc_t lay_require(const struct lay *lay, const uint16_t *ids);

/** As lay_require of all entries that the target has. */
WARN_UNUSED ompd_rc_t lay_require_sense(const struct lay *lay);

/** As lay_require for fields that are taken as one number each (lay_get). */
WARN_UNUSED ompd_rc_t lay_require_number(const struct lay *lay, unsigned id);

/**
 * What stands for an entry that a runtime older than it lacks: each lay_get then gives VALUE. Nothing when it
 * is there.
 */
void lay_default(struct lay *lay, unsigned id, uint64_t value);

static inline const struct lay_entry *lay_at(const struct lay *lay, unsigned id)
{
    return &lay->entry[id];
}
static inline bool lay_has(const struct lay *lay, unsigned id)
{
    return lay->entry[id].kind != LAY_ABSENT;
}
/** Bytes from the start of the structure to the field. */
static inline uint32_t lay_offset(const struct lay *lay, unsigned id)
{
    return (uint32_t)lay->entry[id].offset;
}
static inline uint64_t lay_constant(const struct lay *lay, unsigned id)
{
    return lay->entry[id].mask;
}
static inline uint32_t lay_size(const struct lay *lay, unsigned id)
{
    return lay->entry[id].size;
}
/** Address of a variable. */
static inline uint64_t lay_variable(const struct lay *lay, unsigned id)
{
    return lay->table + (uint64_t)(int64_t)lay->entry[id].offset;
}

/** Takes a scalar field or bits out of BYTES, a copy of the field's structure. */
WARN_UNUSED ompd_rc_t lay_get(const struct tgt *tgt, const struct lay *lay, const void *bytes, unsigned id,
                              uint64_t *ret);
/** As lay_get for a signed field. */
WARN_UNUSED ompd_rc_t lay_get_signed(const struct tgt *tgt, const struct lay *lay, const void *bytes,
                                     unsigned id, int64_t *ret);

/** One field to take and the 64-bit member of a host structure to put it into. */
struct lay_wanted {
    uint16_t id;
    uint16_t at;
    bool is_signed;
};
/** Takes COUNT fields at once. The member of one that the layout lacks stays as it is. */
WARN_UNUSED ompd_rc_t lay_decode(const struct tgt *tgt, const struct lay *lay, const void *bytes,
                                 const struct lay_wanted *wanted, size_t count, void *ret);

#endif
