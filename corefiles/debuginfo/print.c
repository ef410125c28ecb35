/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/debuginfo/print.h"

#include <inttypes.h>

enum { OPERATIONS_MAX = 64, NESTING_MAX = 256 };

static void print_operations(FILE *out, const struct die *die, unsigned attribute, uint64_t pc,
                             const char *what)
{
    struct die_operation ops[OPERATIONS_MAX];
    int count, rc = die_operations(die, attribute, pc, ops, OPERATIONS_MAX, &count);

    if (rc > 0)
        return;
    fprintf(out, " %s=", what);
    if (rc < 0)
        fprintf(out, "?");
    for (int i = 0; !rc && i < count; i++) {
        /* For other operations the two libraries give different operands. */
        bool plain = ops[i].code <= OP_plus_uconst || (ops[i].code >= OP_lit0 && ops[i].code <= OP_nop);

        fprintf(out, "%s%02x", i ? "," : "", ops[i].code);
        if (plain)
            fprintf(out, ":%" PRIx64 ":%" PRIx64, ops[i].number, ops[i].number2);
    }
}

struct ranges {
    FILE *out;
    int count;
    uint64_t first, end; /* of the first range */
};

static int print_range(uint64_t start, uint64_t end, void *arg)
{
    struct ranges *r = arg;

    fprintf(r->out, " [%" PRIx64 ",%" PRIx64 ")", start, end);
    if (!r->count++) {
        r->first = start;
        r->end = end;
    }
    return 0;
}

static void print_numbers(FILE *out, const struct die *die)
{
    static const struct {
        unsigned attribute;
        const char *name;
    } numbers[] = {
        {ATTR_data_member_location, "at"}, {ATTR_data_bit_offset, "bit"}, {ATTR_bit_size, "bits"},
        {ATTR_lower_bound, "lower"},       {ATTR_upper_bound, "upper"},   {ATTR_count, "count"},
        {ATTR_encoding, "encoding"},       {ATTR_const_value, "value"},   {ATTR_decl_line, "line"},
        {ATTR_call_line, "call"},
    };
    int64_t number;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (!die_number(die, numbers[i].attribute, &number))
            fprintf(out, " %s=%" PRId64, numbers[i].name, number);
}

static void print_die(FILE *out, const struct die *unit, const struct die *die, int depth)
{
    const char *name = die_name(die), *linkage = die_string(die, ATTR_linkage_name);
    const char *file = die_file(die, ATTR_decl_file);
    struct ranges ranges = {.out = out};
    struct die type;
    int rc = die_type(die, &type), line;

    fprintf(out, "%*s%" PRIx64 " %02x %s", depth, "", die->offset, die_tag(die), name ? name : "-");
    if (linkage)
        fprintf(out, " linkage=%s", linkage);
    if (!rc)
        fprintf(out, " type=%" PRIx64 "%s:%s", type.offset, type.of == die->of ? "" : "alt",
                die_name(&type) ? die_name(&type) : "-");
    else if (rc < 0)
        fprintf(out, " type=?");
    if (die_size(die) >= 0)
        fprintf(out, " size=%" PRId64, die_size(die));
    print_numbers(out, die);
    if (file)
        fprintf(out, " file=%s", file);
    if (die_has(die, ATTR_declaration))
        fprintf(out, " declaration");
    die_each_range(die, print_range, &ranges);
    print_operations(out, die, ATTR_location, DIE_EVERYWHERE, "location");
    print_operations(out, die, ATTR_data_location, DIE_EVERYWHERE, "data");
    if (ranges.count) {
        print_operations(out, die, ATTR_frame_base, ranges.first, "frame");
        if (!unit_line(unit, ranges.first, true, &file, &line))
            fprintf(out, " first=%s:%d", file, line);
        if (!unit_own_line(unit, ranges.first, ranges.end - 1, NULL, &file, &line))
            fprintf(out, " last=%s:%d", file, line);
    }
    fprintf(out, "\n");
}

static void print_tree(FILE *out, const struct die *unit, const struct die *die, int depth, uint64_t *last)
{
    struct die child;

    print_die(out, unit, die, depth);
    if (depth == NESTING_MAX || die_child(die, &child))
        return;
    while (die_is_ahead(&child, last)) {
        print_tree(out, unit, &child, depth + 1, last);
        if (die_sibling(&child, &child))
            break;
    }
}

void debuginfo_print(struct debuginfo *of, FILE *out)
{
    struct die unit;
    uint64_t at = 0, last;

    while (!debuginfo_next_unit(of, &at, &unit)) {
        last = unit.offset;
        print_tree(out, &unit, &unit, 0, &last);
    }
}
