/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The compilation unit and the source line at an address. libdwfl finds it by .debug_aranges, which clang
 * does not write; the units' own ranges are always there.
 */
#include "corefiles/units.h"

#include <stdlib.h>

#include "corefiles/debugfile.h"
#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/dwfl.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"

struct range {
    uint64_t start, end; /**< as in the file */
    uint64_t unit;
};

/** The ranges of one module, sorted by start. */
struct cf_units {
    struct debuginfo *debuginfo;
    uint64_t bias;
    struct range *ranges;
    uint32_t count;
};

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

struct collection {
    struct cf_units *units;
    uint64_t unit;
};

static int note_range(uint64_t start, uint64_t end, void *arg)
{
    const struct collection *c = arg;

    if (!cf_grow(&c->units->ranges, c->units->count, sizeof(*c->units->ranges)))
        return 1;
    c->units->ranges[c->units->count++] = (struct range){start, end, c->unit};
    return 0;
}

/* Only the root of what -gsplit-dwarf leaves in a file of its own. */
static bool is_split(const struct die *unit)
{
    return die_tag(unit) == TAG_skeleton_unit || die_has(unit, ATTR_GNU_dwo_name);
}

static void split_problem(const struct cf_mod *m)
{
    cf_file_problem(
        m->target, m, CF_FILE_DEBUG, cf_format("Part of the debug information of %s is not read.", m->path),
        cf_format("It is in .dwo or .dwp files (-gsplit-dwarf)."),
        cf_format("Names of variables and inlined functions need a build without -gsplit-dwarf."));
}

static struct cf_units *units_of(struct cf_mod *m)
{
    struct collection collection;
    uint64_t at = 0;
    bool split = false;
    struct die unit;

    if (m->units || !cf_dwfl_module(m))
        return m->units;
    collection.units = m->units = calloc(1, sizeof(*m->units));
    if (!m->units)
        return NULL;
    m->units->debuginfo = cf_debuginfo(m, &m->units->bias);
    while (m->units->debuginfo && !debuginfo_next_unit(m->units->debuginfo, &at, &unit)) {
        collection.unit = unit.offset;
        split |= is_split(&unit);
        die_each_range(&unit, note_range, &collection);
    }
    if (split)
        split_problem(m);
    if (m->units->count)
        qsort(m->units->ranges, m->units->count, sizeof(*m->units->ranges), by_start);
    return m->units;
}

void cf_units_free(struct cf_units *units)
{
    if (units)
        free(units->ranges);
    free(units);
}

int cf_unit_at(struct cf_target *t, uint64_t addr, struct die *ret, uint64_t *bias)
{
    struct cf_mod *m = cf_module_at(t, addr);
    struct cf_units *units = m ? units_of(m) : NULL;
    uint32_t low = 0, high = units ? units->count : 0;
    uint64_t at = units ? addr - units->bias : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (units->ranges[mid].start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low || at >= units->ranges[low - 1].end ||
        debuginfo_die(units->debuginfo, units->ranges[low - 1].unit, ret))
        return 1;
    *bias = units->bias;
    return 0;
}

int cf_line_at(struct cf_target *t, uint64_t addr, bool first, const char **file, int *line)
{
    uint64_t bias;
    struct die unit;

    return cf_unit_at(t, addr, &unit, &bias) || unit_line(&unit, addr - bias, first, file, line) ? 1 : 0;
}

int cf_own_line(struct cf_target *t, uint64_t start, uint64_t addr, const char *in, const char **file,
                int *line)
{
    uint64_t bias;
    struct die unit;

    return cf_unit_at(t, start, &unit, &bias) ||
                   unit_own_line(&unit, start - bias, addr - bias, in, file, line)
               ? 1
               : 0;
}
