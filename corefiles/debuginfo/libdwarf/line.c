/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names of source files, and lines.
 */
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/libdwarf/handle.h"
#include "corefiles/debuginfo/source_name.h"

/* The names in the unit's line table. */
static void read_files(struct debuginfo *of, struct unit *unit)
{
    const struct die root = {.of = of, .offset = unit->root};
    Dwarf_Signed count;
    Dwarf_Error e = NULL;
    struct handle h;
    char **files;

    if (unit->files_tried || !handle_get(&root, &h))
        return;
    unit->files_tried = true;
    if (dwarf_srcfiles(h.die, &files, &count, &e) == DW_DLV_OK) {
        unit->files = count > 0 ? calloc((size_t)count, sizeof(*unit->files)) : NULL;
        for (Dwarf_Signed i = 0; i < count; i++) {
            if (unit->files)
                unit->files[i] = strdup(files[i]);
            dwarf_dealloc(of->dbg, files[i], DW_DLA_STRING);
        }
        unit->file_count = unit->files ? count : 0;
        dwarf_dealloc(of->dbg, files, DW_DLA_LIST);
    } else {
        error_drop(of, e);
    }
    handle_release(&h);
}

/* File NUMBER of DW_AT_decl_file and of the line table: they count from 0 in DWARF 5, before that from 1. */
static const char *file_name(struct debuginfo *of, struct unit *unit, uint64_t number)
{
    const struct die root = {.of = of, .offset = unit->root};
    const char *name;

    read_files(of, unit);
    number -= unit->version < 5;
    if (number >= (uint64_t)unit->file_count)
        return NULL;
    name = unit->files[number];
    return name ? source_name(die_name(&root), die_string(&root, DW_AT_comp_dir), name) : NULL;
}

const char *die_file(const struct die *die, unsigned attribute)
{
    struct die at = *die;
    struct handle h;
    struct unit *unit;
    int64_t number;

    if (!handle_get_any(die, attribute, &h, &at))
        return NULL;
    handle_release(&h);
    unit = unit_at(at.of, at.offset);
    return unit && !die_number(&at, attribute, &number) && number >= 0
               ? file_name(at.of, unit, (uint64_t)number)
               : NULL;
}

/* By address; at one address an end_sequence comes first, the others stay in the order of the table. */
static int by_address(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->end != y->end)
        return x->end ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool read_line(struct debuginfo *of, Dwarf_Line line, struct line *ret)
{
    Dwarf_Unsigned number = 0, file = 0;
    Dwarf_Error e = NULL;
    Dwarf_Addr addr;
    Dwarf_Bool end, statement;

    if (dwarf_lineaddr(line, &addr, &e) != DW_DLV_OK || dwarf_lineno(line, &number, &e) != DW_DLV_OK ||
        dwarf_lineendsequence(line, &end, &e) != DW_DLV_OK ||
        dwarf_linebeginstatement(line, &statement, &e) != DW_DLV_OK ||
        dwarf_line_srcfileno(line, &file, &e) != DW_DLV_OK) {
        error_drop(of, e);
        return false;
    }
    ret->addr = addr;
    ret->number = (uint32_t)number;
    ret->file = (uint32_t)file;
    ret->end = end;
    ret->statement = statement;
    return true;
}

static void read_lines(struct debuginfo *of, struct unit *unit)
{
    const struct die root = {.of = of, .offset = unit->root};
    Dwarf_Line_Context context;
    Dwarf_Unsigned version;
    Dwarf_Signed count = 0;
    Dwarf_Line *lines;
    Dwarf_Error e = NULL;
    Dwarf_Small tables;
    struct handle h;

    if (unit->lines_tried || !handle_get(&root, &h))
        return;
    unit->lines_tried = true;
    if (dwarf_srclines_b(h.die, &version, &tables, &context, &e) != DW_DLV_OK) {
        error_drop(of, e);
    } else {
        if (dwarf_srclines_from_linecontext(context, &lines, &count, &e) != DW_DLV_OK) {
            error_drop(of, e);
            count = 0;
        }
        unit->lines = count > 0 && count < UINT32_MAX ? calloc((size_t)count, sizeof(*unit->lines)) : NULL;
        for (Dwarf_Signed i = 0; unit->lines && i < count; i++) {
            unit->lines[unit->line_count].index = (uint32_t)i;
            unit->line_count += read_line(of, lines[i], &unit->lines[unit->line_count]);
        }
        dwarf_srclines_dealloc_b(context);
    }
    if (unit->lines)
        qsort(unit->lines, (size_t)unit->line_count, sizeof(*unit->lines), by_address);
    handle_release(&h);
}

/* Debian 12's libdwarf starts a DWARF 5 line table with file 0 instead of 1 (6.2.2), so a 0 that it returns
   may mean either file. */
static bool is_doubtful(struct debuginfo *of, struct unit *unit, uint64_t file)
{
#ifdef DW_LIBDWARF_VERSION
    (void)of, (void)unit, (void)file;
    return false;
#else
    read_files(of, unit);
    return unit->version >= 5 && !file && unit->file_count > 1 &&
           (!unit->files[0] || !unit->files[1] || strcmp(unit->files[0], unit->files[1]) != 0);
#endif
}

/* Of the lines at one address, whose last is number LAST: see unit_line. */
static const struct line *line_among(const struct line *lines, Dwarf_Signed last, bool first)
{
    const struct line *found = NULL, *any = &lines[last];

    for (Dwarf_Signed i = last; i >= 0 && lines[i].addr == lines[last].addr && !lines[i].end; i--) {
        if (lines[i].statement && (first || !found))
            found = &lines[i];
        if (first)
            any = &lines[i];
    }
    return found ? found : any;
}

/* How many of the unit's lines are at PC or before. */
static Dwarf_Signed lines_until(const struct unit *unit, uint64_t pc)
{
    Dwarf_Signed low = 0;

    for (Dwarf_Signed high = unit->lines ? unit->line_count : 0; low < high;) {
        Dwarf_Signed mid = low + (high - low) / 2;

        if (unit->lines[mid].addr <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

int unit_line(const struct die *root, uint64_t pc, bool first, const char **file, int *line)
{
    struct unit *unit = unit_at(root->of, root->offset);
    const struct line *at;
    const char *name;
    Dwarf_Signed low;
    bool entry;

    if (!unit)
        return -1;
    read_lines(root->of, unit);
    low = lines_until(unit, pc);
    entry = low && first && unit->lines[low - 1].addr == pc;
    at = low ? line_among(unit->lines, low - 1, entry) : NULL;
    if (!at || at->end || (!at->number && !entry) || at->number > INT32_MAX)
        return 1;
    if (is_doubtful(root->of, unit, at->file))
        return -1;
    name = file_name(root->of, unit, at->file);
    if (!name)
        return 1;
    *file = name;
    *line = (int)at->number;
    return 0;
}

/* The file of the first line at START; NULL: there is none, or which it is is doubtful. */
static const char *first_file(struct debuginfo *of, struct unit *unit, uint64_t start)
{
    Dwarf_Signed low = lines_until(unit, start);
    const struct line *first = low ? line_among(unit->lines, low - 1, true) : NULL;

    if (!first || first->addr != start || first->end || is_doubtful(of, unit, first->file))
        return NULL;
    return file_name(of, unit, first->file);
}

int unit_own_line(const struct die *root, uint64_t start, uint64_t pc, const char *in, const char **file,
                  int *line)
{
    struct unit *unit = unit_at(root->of, root->offset);
    const char *own = in;

    if (!unit)
        return -1;
    read_lines(root->of, unit);
    if (!unit->lines)
        return 1;
    if (!own)
        own = first_file(root->of, unit, start);
    for (Dwarf_Signed i = lines_until(unit, pc) - 1; own && i >= 0 && unit->lines[i].addr >= start; i--) {
        const struct line *at = &unit->lines[i];
        const char *its = file_name(root->of, unit, at->file);

        if (at->end || is_doubtful(root->of, unit, at->file) || !its || strcmp(its, own) != 0 ||
            !at->number || at->number > INT32_MAX)
            continue;
        *file = its;
        *line = (int)at->number;
        return 0;
    }
    return 1;
}
