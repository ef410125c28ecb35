/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program's types, each asked of the host once, and what a search for locks asks of them.
 */
#ifndef INSPECT_NAMES_TYPES_H
#define INSPECT_NAMES_TYPES_H

#include "inspect/base/hash.h"
#include "inspect/names/limits.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct name_field {
    const char
        *name; /**< NULL: of a base class or an anonymous member, whose members count as those around it */
    uint32_t type; /**< index; 0: nothing is known of it */
    uint64_t offset;
    bool bits; /**< a bit-field */
};

struct name_dimension {
    int64_t lower;
    uint64_t count; /**< 0 not known */
};

/** As insp_type; types are indices in name_types.list, 0 none. */
struct name_type {
    uint64_t handle;
    enum insp_type_kind kind;
    bool fortran, described, fields_known;
    bool lock;                            /**< by its name one of OpenMP's locks, or the next */
    bool sync;                            /**< one of the thread library's: any byte of it stands for it */
    uint8_t reach[NAMES_POINTERS + 1][2]; /**< memory of type_can_reach_lock: 0 not asked yet, 1 no, 2 yes */
    uint8_t empty;                        /**< the same of type_is_empty */
    const char *name;
    uint64_t size, target_handle;
    uint32_t dimension_count;
    const struct name_dimension *dimensions;
    uint32_t field_count;
    uint32_t stripped; /**< memory of type_strip: index + 1 */
    const struct name_field *fields;
};

struct name_types {
    insp_session *session;
    struct arena arena;
    struct hash by_handle; /**< index */
    struct name_type **list;
    uint32_t count, field_count;
    uint32_t steps; /**< done of NAMES_ALL_STEPS */
    uint64_t text;  /**< bytes of names, of NAMES_TEXT */
};

/** The index of a type of the host's; 0 when it has none or there are too many. */
uint32_t type_index(struct name_types *types, uint64_t handle);
/** The type, valid as long as the types. */
const struct name_type *type_of(const struct name_types *types, uint32_t type);
/** What a pointer, reference or alias leads to; an array's elements. 0 none. */
uint32_t type_target(struct name_types *types, uint32_t type);
/** Bytes of an object; 0 not known. */
uint64_t type_size(struct name_types *types, uint32_t type);
/** Without aliases, down to a lock's own; 0 not known. */
uint32_t type_strip(struct name_types *types, uint32_t type);
/** The fields of a structure or union, by offset as the host lists them; *count. NULL none. Valid as long
 *  as the types. */
const struct name_field *type_fields(struct name_types *types, uint32_t type, uint32_t *count);
/** A lock, or in Fortran an integer that can be one. TYPE is stripped. */
bool type_is_lock(const struct name_types *types, uint32_t type);
bool type_is_pointer(const struct name_types *types, uint32_t type);
/** A class without data, which takes a byte in theory, and none where it is a base: nothing lies in it. */
bool type_is_empty(struct name_types *types, uint32_t type);
/** Can a lock be found behind pointers of an object of TYPE, one at least and POINTERS at most? */
bool type_can_reach_lock(struct name_types *types, uint32_t type, int pointers);
/** Takes an array that the host has described (insp_host.array) into *ret's dimensions. False: it makes no
 *  sense. */
bool type_dimensions(struct name_types *types, const struct insp_type *array,
                     const struct name_dimension **ret);
void types_free(struct name_types *types);

#ifdef __cplusplus
}
#endif
#endif
