/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/read.h"
#include "corefiles/type_text.h"
#include "corefiles/types.h"

/* BASES_MAX: classes around a member; CHILDREN_MAX: members of a structure that are looked at, and of what is
   in it. */
enum { BASES_MAX = 16, CHILDREN_MAX = 65536, STARS_MAX = 8 };

static const char too_much[] = "it is more than names, members and indices; GDB's `ompd print -team` knows "
                               "all expressions of the language";

/* ---- the text ---------------------------------------------------------------------------- */

static const char *after_blanks(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Takes a name, with "::" in it where SCOPED. NULL: there is none. */
static const char *take_name(const char **at, char **to, bool scoped)
{
    const char *p = after_blanks(*at), *name = *to;

    if (!begins_name(*p))
        return NULL;
    while (isalnum((unsigned char)*p) || *p == '_' ||
           (scoped && p[0] == ':' && p[1] == ':' && begins_name(p[2]))) {
        if (*p == ':')
            *(*to)++ = *p++;
        *(*to)++ = *p++;
    }
    *(*to)++ = '\0';
    *at = after_blanks(p);
    return name;
}

/* Adds a step. There is room for the stars, which come last. */
static int add_step(struct cf_expression *ret, struct cf_step step, const char **why)
{
    if (ret->steps >= CF_STEPS_MAX - STARS_MAX) {
        *why = "it has more members and indices than anybody would write";
        return -1;
    }
    ret->step[ret->steps++] = step;
    return 0;
}

/* "[3]", "(3)", "(3, 4)"; the last index is the innermost step. */
static int take_indices(const char **at, struct cf_expression *ret, const char **why)
{
    const char close = **at == '[' ? ']' : ')';
    const char *p = *at;
    char *end;

    do {
        int64_t index;

        errno = 0;
        p = after_blanks(p + 1);
        index = strtoll(p, &end, 0);
        *why = errno ? "an index is too large" : too_much;
        if (end == p || errno || add_step(ret, (struct cf_step){.kind = CF_STEP_INDEX, .index = index}, why))
            return -1;
        p = after_blanks(end);
    } while (*p == ',' && close == ')');
    *why = too_much;
    if (*p != close)
        return -1;
    *at = after_blanks(p + 1);
    return 0;
}

static int take_steps(const char *p, char *to, struct cf_expression *ret, const char **why)
{
    while (*p) {
        const char *name;

        *why = too_much;
        if (*p == '[' || *p == '(') {
            if (take_indices(&p, ret, why))
                return -1;
            continue;
        }
        if (p[0] == '-' && p[1] == '>')
            p += 2;
        else if (*p == '.' || *p == '%')
            p++;
        else
            return -1;
        name = take_name(&p, &to, false);
        if (!name || add_step(ret, (struct cf_step){.kind = CF_STEP_MEMBER, .name = name}, why))
            return -1;
    }
    return 0;
}

int cf_expression_parse(const char *text, struct cf_expression *ret, const char **why)
{
    const char *p = after_blanks(text);
    char *to = ret->text;
    int stars = 0;

    *ret = (struct cf_expression){0};
    *why = "it is too long";
    if (strlen(text) >= CF_EXPRESSION_MAX / 2)
        return -1;
    for (; *p == '*' && stars < STARS_MAX; p = after_blanks(p + 1))
        stars++;
    *why = too_much;
    ret->name = take_name(&p, &to, true);
    if (!ret->name || take_steps(p, to, ret, why))
        return -1;
    while (stars--)
        ret->step[ret->steps++] = (struct cf_step){.kind = CF_STEP_STAR};
    return 0;
}

/* ---- the value --------------------------------------------------------------------------- */

/* What a pointer or reference of TYPE at PLACE leads to. */
static int go_to_target(const struct cf_eval_context *context, struct die *type, struct cf_location *place,
                        const char **why)
{
    uint64_t to = place->at;
    struct die of;

    *why = "what a pointer leads to has no type";
    if (die_type(type, &of))
        return -1;
    *why = "a pointer in it cannot be read";
    if (!place->is_value && cf_read(context->t, place->at, &to, sizeof(to)))
        return -1;
    *why = "a pointer in it is null";
    if (!to)
        return -1;
    *type = of;
    *place = (struct cf_location){.at = to};
    return 0;
}

/* References, and in Fortran pointers, stand for what they refer to. */
static int plain_object(const struct cf_eval_context *context, struct die *type, struct cf_location *place,
                        const char **why)
{
    struct die plain;

    for (int i = 0; i < BASES_MAX; i++) {
        *why = "a part of it is of no type that is known";
        if (!cf_type_plain(type, &plain))
            return -1;
        *type = plain;
        if (die_tag(&plain) != TAG_reference_type && die_tag(&plain) != TAG_rvalue_reference_type &&
            !(die_tag(&plain) == TAG_pointer_type && cf_type_is_fortran(&plain)))
            return 0;
        if (go_to_target(context, type, place, why))
            return -1;
    }
    return -1;
}

static int offset_of(const struct die *member, int64_t *ret)
{
    *ret = 0;
    if (!die_has(member, ATTR_data_member_location))
        return 0;
    return die_number(member, ATTR_data_member_location, ret) || *ret < 0 ? -1 : 0;
}

/* Finds member NAME of the structure TYPE, also in its bases and in members without a name, among *LEFT
   members. 0 found. */
static int find_member(const struct die *type, const char *name, int depth, int *left, struct die *member,
                       int64_t *ret)
{
    struct die child, inner;
    uint64_t last = 0;
    int64_t offset, below;

    if (depth == BASES_MAX || die_child(type, &child))
        return 1;
    do {
        const unsigned tag = die_tag(&child);
        const char *own = tag == TAG_member ? die_name(&child) : NULL;
        const bool passes = tag == TAG_inheritance || (tag == TAG_member && (!own || !*own));

        if (own && !strcmp(own, name) && !die_has(&child, ATTR_external) &&
            !die_has(&child, ATTR_declaration)) {
            *member = child;
            return offset_of(&child, ret);
        }
        if (!passes || offset_of(&child, &offset) || die_type(&child, &inner) ||
            !cf_type_plain(&inner, &inner))
            continue;
        if (!find_member(&inner, name, depth + 1, left, member, &below)) {
            *ret = offset + below;
            return 0;
        }
    } while (--*left > 0 && !die_sibling(&child, &child) && die_is_ahead(&child, &last));
    return 1;
}

static int go_to_member(const struct cf_eval_context *context, const char *name, struct die *type,
                        struct cf_location *place, const char **why)
{
    struct die member;
    int64_t offset = 0;
    int left = CHILDREN_MAX;

    if (die_tag(type) == TAG_pointer_type &&
        (go_to_target(context, type, place, why) || plain_object(context, type, place, why)))
        return -1;
    *why = "it has no member of that name";
    if ((die_tag(type) != TAG_structure_type && die_tag(type) != TAG_class_type &&
         die_tag(type) != TAG_union_type) ||
        find_member(type, name, 0, &left, &member, &offset))
        return -1;
    *why = "that member is a bit-field; the structure that has it can be printed";
    if (die_has(&member, ATTR_bit_size) || die_type(&member, type))
        return -1;
    *why = "only a part of it is in a register";
    if (place->is_value && (offset >= 8 || (uint64_t)offset + cf_type_size(type) > 8))
        return -1;
    if (place->is_value)
        place->at >>= 8 * offset;
    else
        place->at += (uint64_t)offset;
    return 0;
}

/* The bounds of one dimension. */
static int range_of(const struct cf_eval_context *context, const struct die *range, bool fortran,
                    int64_t *lower, int64_t *count)
{
    int64_t upper;

    *lower = fortran ? 1 : 0;
    (void)!(die_has(range, ATTR_lower_bound) && cf_number(context, range, ATTR_lower_bound, lower));
    if (die_has(range, ATTR_count) && !cf_number(context, range, ATTR_count, count))
        return 0;
    if (!die_has(range, ATTR_upper_bound) || cf_number(context, range, ATTR_upper_bound, &upper) ||
        __builtin_sub_overflow(upper, *lower, count) || __builtin_add_overflow(*count, 1, count))
        return -1;
    return 0;
}

/* All indices of an array at once: as many as it has dimensions. *USED: so many steps. */
static int go_to_element(const struct cf_eval_context *context, const struct cf_step *step, int left,
                         struct die *type, struct cf_location *place, int *used, const char **why)
{
    const bool fortran = cf_type_is_fortran(type);
    int64_t lower, count, offset[INSP_DIMENSIONS], counts[INSP_DIMENSIONS], element = 0;
    uint64_t last = 0, bytes;
    struct die range, of;
    int n = 0;

    *why = "arrays with a descriptor are printed as a whole only";
    if (die_has(type, ATTR_data_location))
        return -1;
    *why = "the length of an array is not known";
    if (place->is_value || die_type(type, &of) || !(bytes = cf_type_size(&of)) || die_child(type, &range))
        return -1;
    do {
        if (die_tag(&range) != TAG_subrange_type)
            continue;
        if (range_of(context, &range, fortran, &lower, &count))
            return -1;
        *why = "an array needs an index for each of its dimensions";
        if (n == left || step[n].kind != CF_STEP_INDEX)
            return -1;
        *why = "an index is outside of the array";
        if (__builtin_sub_overflow(step[n].index, lower, &offset[n]) || offset[n] < 0 || offset[n] >= count)
            return -1;
        counts[n++] = count;
    } while (n < INSP_DIMENSIONS && !die_sibling(&range, &range) && die_is_ahead(&range, &last));
    for (int i = 0; i < n; i++) {
        const int k = fortran ? n - 1 - i : i; /* the one that varies slowest first */

        if (__builtin_mul_overflow(element, counts[k], &element) ||
            __builtin_add_overflow(element, offset[k], &element))
            return -1;
    }
    if (!n || (uint64_t)element > UINT64_MAX / bytes)
        return -1;
    place->at += (uint64_t)element * bytes;
    *type = of;
    *used = n;
    return 0;
}

static int go_to_index(const struct cf_eval_context *context, const struct cf_step *step, int left,
                       struct die *type, struct cf_location *place, int *used, const char **why)
{
    uint64_t bytes;

    if (die_tag(type) == TAG_array_type)
        return go_to_element(context, step, left, type, place, used, why);
    *why = "what has an index there is no array and no pointer; a container's elements are known to GDB's "
           "`ompd print -team`";
    if (die_tag(type) != TAG_pointer_type || go_to_target(context, type, place, why))
        return -1;
    *why = "the size of an element is not known";
    bytes = cf_type_size(type);
    if (!bytes)
        return -1;
    place->at += (uint64_t)step->index * bytes;
    *used = 1;
    return 0;
}

int cf_expression_follow(const struct cf_eval_context *context, const struct cf_expression *e,
                         struct die *type, struct cf_location *place, const char **why)
{
    for (int i = 0, used = 1; i < e->steps; i += used) {
        const struct cf_step *step = &e->step[i];
        int rc;

        used = 1;
        if (plain_object(context, type, place, why))
            return -1;
        if (step->kind == CF_STEP_MEMBER) {
            rc = go_to_member(context, step->name, type, place, why);
        } else if (step->kind == CF_STEP_INDEX) {
            rc = go_to_index(context, step, e->steps - i, type, place, &used, why);
        } else {
            rc = -1;
            *why = "a star is before what is no pointer";
            if (die_tag(type) == TAG_pointer_type)
                rc = go_to_target(context, type, place, why);
        }
        if (rc)
            return -1;
    }
    return 0;
}

int cf_check_expression(const char *text, const char **why)
{
    struct cf_expression e;

    return cf_expression_parse(text, &e, why);
}
