/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * debuginfo.h over libdwarf: Debian 12's version (20210528) and those since the rewrite (0.x), which differ
 * in four calls. Each question looks up the DIE by its offset and then frees it: libdwarf frees nothing by
 * itself before the file is closed. It opens no other file: a skeleton unit (-gsplit-dwarf) has no children.
 * Here: a file, its units and its tree of DIEs.
 */
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/libdwarf/handle.h"

/** Of one file. */
enum { UNITS_MAX = 1 << 22 };

void error_drop(struct debuginfo *of, Dwarf_Error e)
{
    if (e)
        dwarf_dealloc_error(of->dbg, e);
}

void handle_release(struct handle *h)
{
    if (h->attr)
        dwarf_dealloc_attribute(h->attr);
    if (h->die)
        dwarf_dealloc_die(h->die);
    *h = (struct handle){0};
}

bool handle_get(const struct die *die, struct handle *h)
{
    Dwarf_Error e = NULL;

    *h = (struct handle){.of = die->of};
    if (dwarf_offdie_b(die->of->dbg, die->offset & ~DIE_IN_TYPES, !(die->offset & DIE_IN_TYPES), &h->die,
                       &e) == DW_DLV_OK)
        return true;
    error_drop(die->of, e);
    h->die = NULL;
    return false;
}

struct unit *unit_at(const struct debuginfo *of, uint64_t offset)
{
    size_t low = 0, high = of->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (of->units[mid].root <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low && offset < of->units[low - 1].next ? &of->units[low - 1] : NULL;
}

static bool offset_of(struct debuginfo *of, Dwarf_Die die, uint64_t types, uint64_t *ret)
{
    Dwarf_Error e = NULL;
    Dwarf_Off offset;

    if (dwarf_dieoffset(die, &offset, &e) != DW_DLV_OK) {
        error_drop(of, e);
        return false;
    }
    *ret = offset | types;
    return true;
}

/* Adds the unit whose header has just been read. False: stop, what follows cannot be read. */
static bool add_unit(struct debuginfo *of, struct unit unit, bool is_info, uint64_t header, uint64_t type)
{
    const uint64_t types = is_info ? 0 : DIE_IN_TYPES;
    Dwarf_Error e = NULL;
    Dwarf_Die root;
    struct unit *units = of->units;
    bool good;

    if (of->count == UNITS_MAX)
        return false;
    if (!(of->count & (of->count - 1)))
        units = realloc(of->units, (of->count ? 2 * of->count : 1) * sizeof(*units));
    if (!units)
        return false;
    of->units = units;
    if (dwarf_siblingof_b(of->dbg, NULL, is_info, &root, &e) != DW_DLV_OK) {
        error_drop(of, e);
        return false;
    }
    good = offset_of(of, root, types, &unit.root);
    dwarf_dealloc_die(root);
    unit.next |= types;
    unit.type = type ? (header + type) | types : 0;
    if (!good || (of->count && unit.root <= units[of->count - 1].root) || unit.next <= unit.root)
        return false;
    units[of->count++] = unit;
    return true;
}

static void read_units(struct debuginfo *of, bool is_info)
{
    Dwarf_Unsigned length, next, type;
    Dwarf_Off abbreviations;
    Dwarf_Half address_size, offset_size, extension, kind;
    struct unit unit;
    uint64_t header = 0;
    Dwarf_Error e;
    int rc;

    for (;;) {
        e = NULL;
        type = 0;
        memset(&unit, 0, sizeof(unit));
        rc = dwarf_next_cu_header_d(of->dbg, is_info, &length, &unit.version, &abbreviations, &address_size,
                                    &offset_size, &extension, &unit.signature, &type, &next, &kind, &e);
        if (rc != DW_DLV_OK) {
            error_drop(of, e);
            return;
        }
        unit.next = next;
        if (kind != DW_UT_type && kind != DW_UT_split_type && is_info)
            type = 0;
        if (!add_unit(of, unit, is_info, header, type))
            return;
        header = next;
    }
}

struct debuginfo *debuginfo_open(int fd, struct debuginfo *alt, const char **why)
{
    struct debuginfo *of = calloc(1, sizeof(*of));
    Dwarf_Error e = NULL;
    int rc;

    if (!of) {
        *why = "out of memory";
        return NULL;
    }
    rc = INIT(fd, &of->dbg, &e);
    if (rc != DW_DLV_OK) {
        *why = rc == DW_DLV_NO_ENTRY ? "no DWARF information" : "libdwarf cannot read it";
        error_drop(of, e);
        free(of);
        return NULL;
    }
    of->alt = alt;
    if (alt && dwarf_set_tied_dbg(of->dbg, alt->dbg, &e) != DW_DLV_OK)
        error_drop(of, e); /* strings of the alternate file are missing then */
    read_units(of, true);
    read_units(of, false);
    return of;
}

void debuginfo_close(struct debuginfo *of)
{
    if (!of)
        return;
    for (size_t i = 0; i < of->count; i++) {
        for (Dwarf_Signed k = 0; k < of->units[i].file_count; k++)
            free(of->units[i].files[k]);
        free(of->units[i].files);
        free(of->units[i].lines);
    }
    free(of->units);
    FINISH(of->dbg);
    free(of);
}

int debuginfo_next_unit(struct debuginfo *of, uint64_t *at, struct die *ret)
{
    if (*at >= of->count)
        return 1;
    *ret = (struct die){.of = of, .offset = of->units[(*at)++].root};
    return 0;
}

int debuginfo_die(struct debuginfo *of, uint64_t offset, struct die *ret)
{
    const struct die die = {.of = of, .offset = offset};
    struct handle h;

    if (!unit_at(of, offset) || !handle_get(&die, &h))
        return -1;
    handle_release(&h);
    *ret = die;
    return 0;
}

unsigned die_tag(const struct die *die)
{
    Dwarf_Error e = NULL;
    struct handle h;
    Dwarf_Half tag = 0;

    if (!handle_get(die, &h))
        return 0;
    if (dwarf_tag(h.die, &tag, &e) != DW_DLV_OK)
        error_drop(h.of, e);
    handle_release(&h);
    return tag;
}

/* Damaged information may lead back; a real child or sibling has a larger offset, in the same unit. */
static int step(struct handle *h, const struct die *die, Dwarf_Die to, int rc, Dwarf_Error e, struct die *ret)
{
    const struct unit *unit = unit_at(die->of, die->offset);
    uint64_t offset;

    handle_release(h);
    if (rc != DW_DLV_OK) {
        error_drop(die->of, e);
        return rc == DW_DLV_NO_ENTRY ? 1 : -1;
    }
    rc = offset_of(die->of, to, die->offset & DIE_IN_TYPES, &offset);
    dwarf_dealloc_die(to);
    if (!rc || !unit || offset <= die->offset || offset >= unit->next)
        return -1;
    *ret = (struct die){.of = die->of, .offset = offset};
    return 0;
}

int die_child(const struct die *die, struct die *ret)
{
    Dwarf_Error e = NULL;
    struct handle h;
    Dwarf_Die child;
    int rc;

    if (!handle_get(die, &h))
        return -1;
    rc = dwarf_child(h.die, &child, &e);
    return step(&h, die, child, rc, e, ret);
}

int die_sibling(const struct die *die, struct die *ret)
{
    Dwarf_Error e = NULL;
    struct handle h;
    Dwarf_Die sibling;
    int rc;

    if (!handle_get(die, &h))
        return -1;
    rc = dwarf_siblingof_b(die->of->dbg, h.die, !(die->offset & DIE_IN_TYPES), &sibling, &e);
    return step(&h, die, sibling, rc, e, ret);
}

int die_unit(const struct die *die, struct die *ret)
{
    const struct unit *unit = unit_at(die->of, die->offset);

    if (!unit)
        return -1;
    *ret = (struct die){.of = die->of, .offset = unit->root};
    return 0;
}
