/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/value.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/class_layout.h"
#include "corefiles/place.h"
#include "corefiles/read.h"
#include "corefiles/type_text.h"
#include "corefiles/types.h"
#include "corefiles/value_scalar.h"
#include "inspect/base/mem.h"

/* DEPTH_MAX: structures in structures. PARTS_MAX, TEXT_MAX: of one value. CHILDREN_MAX: members of a
   structure, static ones and functions too, that are looked at. */
enum { DEPTH_MAX = 2, PARTS_MAX = 1000, TEXT_MAX = 2000, CHILDREN_MAX = 4096 };
/* Characters that are shown of a text for each element of an array. */
enum { CHARACTERS = 8 };

struct printer {
    const struct cf_eval_context *context;
    struct cf_target *t;
    struct sbuf out;
    uint32_t elements, parts;
};

/* Where a part is: at an address, or in a word that a register holds. */
struct spot {
    uint64_t at;
    bool is_value;
};

static void print_value(struct printer *p, const struct die *type, struct spot spot, int depth);

static bool fetch(const struct printer *p, struct spot spot, void *buf, uint64_t size)
{
    if (!spot.is_value)
        return !cf_read(p->t, spot.at, buf, size);
    if (size > sizeof(spot.at))
        return false;
    memcpy(buf, &spot.at, size);
    return true;
}

static void print_unread(struct printer *p, struct spot spot)
{
    if (spot.is_value)
        sbuf_add(&p->out, "<not known: only a part is in a register>");
    else
        sbuf_printf(&p->out, "<0x%" PRIx64 " cannot be read>", spot.at);
}

/* TERMINATED: up to a NUL. MAX: characters that are there at most; 0 is as many as will be shown. */
static void print_text(struct printer *p, uint64_t at, uint64_t max, bool terminated)
{
    const uint64_t shown = (uint64_t)CHARACTERS * p->elements, most = max && max < shown ? max : shown;
    uint8_t c = 0;

    sbuf_add(&p->out, "\"");
    for (uint64_t i = 0; i < most; i++) {
        if (cf_read(p->t, at + i, &c, 1)) {
            sbuf_add(&p->out, "\" ");
            print_unread(p, (struct spot){at + i, false});
            return;
        }
        if (terminated && !c)
            break;
        cf_character_text(&p->out, c, '"');
    }
    sbuf_add(&p->out, "\"");
    if (most == shown && (c || !terminated) && (!max || max > shown))
        sbuf_add(&p->out, "...");
}

static void print_pointer(struct printer *p, const struct die *type, struct spot spot)
{
    struct insp_place place;
    struct die of;
    uint64_t to;

    if (!fetch(p, spot, &to, sizeof(to))) {
        print_unread(p, spot);
        return;
    }
    sbuf_printf(&p->out, "0x%" PRIx64, to);
    if (!to || die_type(type, &of) || !cf_type_plain(&of, &of))
        return;
    if (cf_is_character(&of)) {
        sbuf_add(&p->out, " ");
        print_text(p, to, 0, true);
    } else if (die_tag(&of) == TAG_subroutine_type && !cf_place(p->t, to, &place) && place.symbol) {
        sbuf_printf(&p->out, " <%.200s>", place.symbol);
    }
}

/* What is written like what it refers to. */
static void print_reference(struct printer *p, const struct die *type, struct spot spot, int depth)
{
    struct spot to = {0};
    struct die of;

    if (!fetch(p, spot, &to.at, sizeof(to.at)))
        print_unread(p, spot);
    else if (!to.at)
        sbuf_add(&p->out, cf_type_is_fortran(type) ? "<not associated>" : "<null>");
    else if (die_type(type, &of))
        sbuf_printf(&p->out, "0x%" PRIx64, to.at);
    else
        print_value(p, &of, to, depth);
}

static void print_scalar(struct printer *p, const struct die *type, struct spot spot)
{
    const int64_t size = die_size(type);
    uint8_t bytes[CF_SCALAR_MAX] = {0};

    if (size <= 0 || size > CF_SCALAR_MAX || (size >= 16 && p->t->arch->machine != EM_X86_64))
        sbuf_add(&p->out, "<of a kind that is not shown>");
    else if (!fetch(p, spot, bytes, (uint64_t)size))
        print_unread(p, spot);
    else if (!cf_scalar_text(&p->out, type, bytes, (uint64_t)size))
        sbuf_add(&p->out, "<of a kind that is not shown>");
}

/* ---- structures ------------------------------------------------------------------------- */

/* std::string of libstdc++, if the type has the members of one. */
static bool print_string(struct printer *p, const struct die *type, struct spot spot)
{
    struct debuginfo_place text, length;
    const char *name = die_name(type);
    uint64_t at, size;

    if (!name || strncmp(name, "basic_string<char,", 18) || spot.is_value ||
        debuginfo_member(type, "_M_dataplus._M_p", &text) || text.size != 8 ||
        debuginfo_member(type, "_M_string_length", &length) || length.size != 8)
        return false;
    if (cf_read(p->t, spot.at + text.offset, &at, 8) || cf_read(p->t, spot.at + length.offset, &size, 8))
        print_unread(p, spot);
    else if (!size)
        sbuf_add(&p->out, "\"\"");
    else
        print_text(p, at, size, false);
    return true;
}

/* The first bit of a bit-field, from the start of its structure. */
static bool first_bit(const struct die *member, const struct die *type, int64_t bits, int64_t *ret)
{
    int64_t above, offset = 0, size = die_size(member) > 0 ? die_size(member) : die_size(type);

    if (die_number(member, ATTR_data_bit_offset, ret)) {
        /* DWARF 4, 5.5.6: bits above it, in the word of the member's own size. */
        if (die_number(member, ATTR_bit_offset, &above) || size <= 0 || size > 8 || above < 0 || above > 64 ||
            (die_has(member, ATTR_data_member_location) &&
             (die_number(member, ATTR_data_member_location, &offset) || offset < 0 || offset > UINT32_MAX)))
            return false;
        *ret = 8 * (offset + size) - above - bits;
    }
    return *ret >= 0 && *ret <= 8 * (int64_t)UINT32_MAX;
}

static void print_bits(struct printer *p, const struct die *member, const struct die *type, struct spot spot,
                       int64_t bits)
{
    int64_t from;
    uint64_t word = 0, bytes;

    if (bits > 64 || !first_bit(member, type, bits, &from)) {
        sbuf_add(&p->out, "<a bit-field that is not shown>");
        return;
    }
    bytes = ((uint64_t)(from % 8 + bits) + 7) / 8;
    if (spot.is_value)
        word = from < 64 ? spot.at >> (from - from % 8) : 0;
    spot.at = spot.is_value ? word : spot.at + (uint64_t)from / 8;
    if (bytes > 8 || !fetch(p, spot, &word, bytes))
        print_unread(p, spot);
    else
        cf_bits_text(&p->out, type, word >> from % 8, (uint32_t)bits);
}

/* One member or base class; false: it is neither. */
static bool print_member(struct printer *p, const struct die *member, struct spot spot, bool first, int depth)
{
    const unsigned tag = die_tag(member);
    const char *name = die_name(member);
    int64_t offset = 0, bits;
    struct die type, plain;

    if ((tag != TAG_member && tag != TAG_inheritance) || die_has(member, ATTR_external) ||
        die_has(member, ATTR_declaration) || die_type(member, &type))
        return false;
    sbuf_add(&p->out, first ? "" : ", ");
    if (tag == TAG_inheritance)
        sbuf_printf(&p->out, "<%.200s> = ", die_name(&type) ? die_name(&type) : "base");
    else if (name)
        sbuf_printf(&p->out, "%.200s = ", name);
    if (!die_number(member, ATTR_bit_size, &bits) && bits > 0 && cf_type_plain(&type, &plain)) {
        print_bits(p, member, &plain, spot, bits);
        return true;
    }
    if (die_has(member, ATTR_data_member_location) &&
        (die_number(member, ATTR_data_member_location, &offset) || offset < 0)) {
        sbuf_add(&p->out, "<of a virtual base, not shown>");
        return true;
    }
    if (!spot.is_value)
        spot.at += (uint64_t)offset;
    else if (offset < 8 && (uint64_t)offset + cf_type_size(&type) <= 8)
        spot.at >>= 8 * offset;
    else
        type = (struct die){0};
    if (type.of)
        print_value(p, &type, spot, depth + 1);
    else
        print_unread(p, spot);
    return true;
}

static void print_struct(struct printer *p, const struct die *type, struct spot spot, int depth)
{
    uint32_t shown = 0, looked = 0;
    uint64_t last = 0;
    struct die member;

    if (print_string(p, type, spot))
        return;
    if (die_has(type, ATTR_declaration) || die_size(type) < 0) {
        sbuf_add(&p->out, "<its members are not in the debug information>");
        return;
    }
    if (depth >= DEPTH_MAX) {
        sbuf_add(&p->out, "{...}");
        return;
    }
    sbuf_add(&p->out, "{");
    if (!die_child(type, &member))
        do {
            if (shown == p->elements && die_tag(&member) == TAG_member) {
                sbuf_add(&p->out, ", ...");
                break;
            }
            if (shown < p->elements)
                shown += print_member(p, &member, spot, !shown, depth);
        } while (++looked < CHILDREN_MAX && !die_sibling(&member, &member) && die_is_ahead(&member, &last));
    sbuf_add(&p->out, "}");
}

/* ---- arrays ----------------------------------------------------------------------------- */

struct array {
    struct die of;
    uint64_t size;                   /* of an element */
    uint64_t count[INSP_DIMENSIONS]; /* the outermost first: the one that varies slowest */
    int dimensions;
    bool fortran;
};

/* A bound that is a number, an expression, or another variable's value. */
static bool bound(const struct printer *p, const struct die *range, unsigned which, int64_t *ret)
{
    struct cf_location place;
    struct die variable;
    int64_t value = 0;
    int64_t size;

    if (!die_has(range, which))
        return false;
    if (!cf_number(p->context, range, which, ret))
        return true;
    if (die_reference(range, which, &variable) ||
        cf_evaluate(p->context, &variable, ATTR_location, p->context->pc, &place) ||
        die_type(&variable, &variable))
        return false;
    size = (int64_t)cf_type_size(&variable);
    if (size <= 0 || size > 8 || !fetch(p, (struct spot){place.at, place.is_value}, &value, (uint64_t)size))
        return false;
    *ret = size == 4 ? (int32_t)value : value;
    return true;
}

static bool count_of(const struct printer *p, const struct die *range, bool fortran, uint64_t *ret)
{
    int64_t lower = fortran ? 1 : 0, upper, count;

    (void)bound(p, range, ATTR_lower_bound, &lower);
    if (!bound(p, range, ATTR_count, &count) &&
        (!bound(p, range, ATTR_upper_bound, &upper) || __builtin_sub_overflow(upper, lower, &count) ||
         __builtin_add_overflow(count, 1, &count)))
        return false;
    *ret = count > 0 ? (uint64_t)count : 0;
    return true;
}

/* False: its length is not known. */
static bool dimensions(const struct printer *p, const struct die *type, struct array *ret)
{
    struct die range;
    uint64_t last = 0;
    int looked = 0;

    if (die_child(type, &range))
        return false;
    do {
        if (die_tag(&range) == TAG_subrange_type &&
            !count_of(p, &range, ret->fortran, &ret->count[ret->dimensions++]))
            return false;
    } while (ret->dimensions < INSP_DIMENSIONS && ++looked < 4 * INSP_DIMENSIONS &&
             !die_sibling(&range, &range) && die_is_ahead(&range, &last));
    for (int i = 0; ret->fortran && i < ret->dimensions / 2; i++) {
        uint64_t *a = &ret->count[i], *b = &ret->count[ret->dimensions - 1 - i], other = *a;

        *a = *b;
        *b = other;
    }
    return ret->dimensions > 0;
}

/* The elements from dimension K on; *at moves on behind them. */
static void print_elements(struct printer *p, const struct array *a, int k, uint64_t at, int depth)
{
    uint64_t stride = a->size;

    for (int i = k + 1; i < a->dimensions; i++)
        stride *= a->count[i];
    if (k == a->dimensions - 1 && cf_is_character(&a->of) && !a->fortran && a->count[k]) {
        print_text(p, at, a->count[k], true);
        return;
    }
    sbuf_add(&p->out, a->fortran ? "(" : "{");
    for (uint64_t i = 0; i < a->count[k] && p->parts++ < PARTS_MAX; i++) {
        sbuf_add(&p->out, i ? ", " : "");
        if (i == p->elements) {
            sbuf_printf(&p->out, "... %" PRIu64 " more", a->count[k] - i);
            break;
        }
        if (k == a->dimensions - 1)
            print_value(p, &a->of, (struct spot){at + i * stride, false}, depth + 1);
        else
            print_elements(p, a, k + 1, at + i * stride, depth);
    }
    sbuf_add(&p->out, a->fortran ? ")" : "}");
}

/* A Fortran array whose descriptor is at SPOT. */
static bool described(const struct printer *p, const struct die *type, struct array *ret, uint64_t *at)
{
    struct insp_type found;

    if (cf_host_array(p->t, cf_type_number(p->t, type), *at, &found, at))
        return false;
    ret->dimensions = (int)found.dimensions;
    for (int i = 0; i < ret->dimensions; i++)
        ret->count[i] = found.dimension[ret->dimensions - 1 - i].count;
    return true;
}

static void print_array(struct printer *p, const struct die *type, struct spot spot, int depth)
{
    struct array a = {.fortran = cf_type_is_fortran(type)};
    uint64_t all;

    if (spot.is_value || die_type(type, &a.of) || !(all = a.size = cf_type_size(&a.of))) {
        sbuf_add(&p->out, "<its elements are not known>");
        return;
    }
    if (die_has(type, ATTR_data_location) ? !described(p, type, &a, &spot.at) : !dimensions(p, type, &a)) {
        sbuf_add(&p->out, die_has(type, ATTR_data_location)
                              ? "<not allocated, or its elements do not lie side by side>"
                              : "<its length is not known>");
        return;
    }
    for (int i = 0; i < a.dimensions; i++)
        if (__builtin_mul_overflow(all, a.count[i], &all)) {
            sbuf_add(&p->out, "<larger than memory>");
            return;
        }
    if (!cf_type_plain(&a.of, &a.of))
        return;
    print_elements(p, &a, 0, spot.at, depth);
}

/* Fortran's character(len=...). */
static void print_characters(struct printer *p, const struct die *type, struct spot spot)
{
    int64_t size = die_size(type);
    struct cf_location place;
    int32_t length = 0;

    if (die_has(type, ATTR_string_length)) {
        struct die variable;
        const int rc = die_reference(type, ATTR_string_length, &variable)
                           ? cf_evaluate(p->context, type, ATTR_string_length, p->context->pc, &place)
                           : cf_evaluate(p->context, &variable, ATTR_location, p->context->pc, &place);

        size =
            rc || !fetch(p, (struct spot){place.at, place.is_value}, &length, sizeof(length)) ? -1 : length;
    }
    if (size < 0 || spot.is_value)
        sbuf_add(&p->out, "<its length is not known>");
    else if (!size)
        sbuf_add(&p->out, "\"\"");
    else
        print_text(p, spot.at, (uint64_t)size, false);
}

/* ---- all -------------------------------------------------------------------------------- */

static void print_value(struct printer *p, const struct die *type, struct spot spot, int depth)
{
    struct die plain;

    if (p->parts++ >= PARTS_MAX || p->out.len > TEXT_MAX) {
        sbuf_add(&p->out, p->parts == PARTS_MAX + 1 || p->out.len <= TEXT_MAX ? "..." : "");
        return;
    }
    if (depth > DEPTH_MAX + INSP_DIMENSIONS || !cf_type_plain(type, &plain)) {
        sbuf_add(&p->out, "<of no type that is known>");
        return;
    }
    switch (die_tag(&plain)) {
    case TAG_base_type:
    case TAG_enumeration_type:
        print_scalar(p, &plain, spot);
        break;
    case TAG_pointer_type:
        if (cf_type_is_fortran(&plain))
            print_reference(p, &plain, spot, depth + 1);
        else
            print_pointer(p, &plain, spot);
        break;
    case TAG_reference_type:
    case TAG_rvalue_reference_type:
        print_reference(p, &plain, spot, depth);
        break;
    case TAG_structure_type:
    case TAG_class_type:
    case TAG_union_type:
        print_struct(p, &plain, spot, depth);
        break;
    case TAG_array_type:
        print_array(p, &plain, spot, depth);
        break;
    case TAG_string_type:
        print_characters(p, &plain, spot);
        break;
    default:
        sbuf_add(&p->out, "<of a kind that is not shown>");
    }
}

char *cf_value_text(const struct cf_eval_context *context, const struct die *type,
                    const struct cf_location *place, uint32_t elements)
{
    struct printer p = {.context = context, .t = context->t, .elements = elements};

    print_value(&p, type, (struct spot){place->at, place->is_value}, 0);
    return sbuf_take(&p.out);
}
