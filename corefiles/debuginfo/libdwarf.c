/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * debuginfo.h over libdwarf: Debian 12's version (20210528) and those since the rewrite (0.x), which differ
 * in four calls. Each question looks up the DIE by its offset and then frees it: libdwarf frees nothing by
 * itself before the file is closed. It opens no other file: a skeleton unit (-gsplit-dwarf) has no children.
 */
#include "corefiles/debuginfo/debuginfo.h"

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/source_name.h"

#ifdef DW_LIBDWARF_VERSION /* 0.x */
#define INIT(fd, dbg, e) dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, e)
#define FINISH(dbg)      (void)dwarf_finish(dbg)
#define FREE_RANGES      dwarf_dealloc_ranges
#define FREE_LOCATIONS   dwarf_dealloc_loc_head_c
#else
#define INIT(fd, dbg, e) dwarf_init_b(fd, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, e)
#define FINISH(dbg)      (void)dwarf_finish(dbg, &(Dwarf_Error){NULL})
#define FREE_RANGES      dwarf_ranges_dealloc
#define FREE_LOCATIONS   dwarf_loc_head_c_dealloc
#endif

/** INTEGRATE_MAX: DW_AT_abstract_origin and DW_AT_specification in a row. UNITS_MAX: units of one file. */
enum { INTEGRATE_MAX = 16, UNITS_MAX = 1 << 22 };

/** A record of a line table. */
struct line {
    uint64_t addr;
    uint32_t file, number, index;
    bool end; /**< end_sequence: the first address after its code */
    bool statement;
};

struct unit {
    uint64_t root; /**< as in struct die */
    uint64_t next; /**< where the next begins */
    Dwarf_Half version;
    Dwarf_Sig8 signature; /**< of a type unit */
    uint64_t type;        /**< its type, as in struct die; 0: it is no type unit */

    bool files_tried, lines_tried;
    char **files;
    Dwarf_Signed file_count;
    struct line *lines; /**< sorted */
    Dwarf_Signed line_count;
};

struct debuginfo {
    Dwarf_Debug dbg;
    struct debuginfo *alt;
    struct unit *units; /**< sorted by root: those of .debug_types come last */
    size_t count;
};

/** What libdwarf has for a DIE and one of its attributes. */
struct handle {
    struct debuginfo *of;
    Dwarf_Die die;
    Dwarf_Attribute attr;
};

static void drop(struct debuginfo *of, Dwarf_Error e)
{
    if (e)
        dwarf_dealloc_error(of->dbg, e);
}

static void release(struct handle *h)
{
    if (h->attr)
        dwarf_dealloc_attribute(h->attr);
    if (h->die)
        dwarf_dealloc_die(h->die);
    *h = (struct handle){0};
}

static bool get(const struct die *die, struct handle *h)
{
    Dwarf_Error e = NULL;

    *h = (struct handle){.of = die->of};
    if (dwarf_offdie_b(die->of->dbg, die->offset & ~DIE_IN_TYPES, !(die->offset & DIE_IN_TYPES), &h->die,
                       &e) == DW_DLV_OK)
        return true;
    drop(die->of, e);
    h->die = NULL;
    return false;
}

/* The attribute of this very DIE. */
static bool get_own(const struct die *die, unsigned attribute, struct handle *h)
{
    Dwarf_Error e = NULL;

    if (!get(die, h))
        return false;
    if (dwarf_attr(h->die, (Dwarf_Half)attribute, &h->attr, &e) == DW_DLV_OK)
        return true;
    drop(h->of, e);
    h->attr = NULL;
    release(h);
    return false;
}

static int follow(const struct handle *h, struct die *ret);

/* Also looks in its declaration or abstract instance; *at, when not NULL, is the DIE that has it. */
static bool get_attr(const struct die *die, unsigned attribute, struct handle *h, struct die *at)
{
    static const unsigned sources[] = {DW_AT_abstract_origin, DW_AT_specification};
    struct die from = *die;

    for (int i = 0; i < INTEGRATE_MAX; i++) {
        int rc = 1;

        if (get_own(&from, attribute, h)) {
            if (at)
                *at = from;
            return true;
        }
        for (size_t k = 0; rc && k < sizeof(sources) / sizeof(*sources); k++)
            if (get_own(&from, sources[k], h)) {
                rc = follow(h, &from);
                release(h);
            }
        if (rc)
            return false;
    }
    return false;
}

static struct unit *unit_at(const struct debuginfo *of, uint64_t offset)
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
        drop(of, e);
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
        drop(of, e);
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
            drop(of, e);
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
        drop(of, e);
        free(of);
        return NULL;
    }
    of->alt = alt;
    if (alt && dwarf_set_tied_dbg(of->dbg, alt->dbg, &e) != DW_DLV_OK)
        drop(of, e); /* strings of the alternate file are missing then */
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

    if (!unit_at(of, offset) || !get(&die, &h))
        return -1;
    release(&h);
    *ret = die;
    return 0;
}

unsigned die_tag(const struct die *die)
{
    Dwarf_Error e = NULL;
    struct handle h;
    Dwarf_Half tag = 0;

    if (!get(die, &h))
        return 0;
    if (dwarf_tag(h.die, &tag, &e) != DW_DLV_OK)
        drop(h.of, e);
    release(&h);
    return tag;
}

/* Damaged information may lead back; a real child or sibling has a larger offset, in the same unit. */
static int step(struct handle *h, const struct die *die, Dwarf_Die to, int rc, Dwarf_Error e, struct die *ret)
{
    const struct unit *unit = unit_at(die->of, die->offset);
    uint64_t offset;

    release(h);
    if (rc != DW_DLV_OK) {
        drop(die->of, e);
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

    if (!get(die, &h))
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

    if (!get(die, &h))
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

bool die_has(const struct die *die, unsigned attribute)
{
    struct handle h;

    if (!get_own(die, attribute, &h))
        return false;
    release(&h);
    return true;
}

static int form_of(const struct handle *h)
{
    Dwarf_Error e = NULL;
    Dwarf_Half form;

    if (dwarf_whatform(h->attr, &form, &e) == DW_DLV_OK)
        return form;
    drop(h->of, e);
    return 0;
}

const char *die_string(const struct die *die, unsigned attribute)
{
    Dwarf_Error e = NULL;
    char *text = NULL;
    struct handle h;
    int form;

    if (!get_attr(die, attribute, &h, NULL))
        return NULL;
    form = form_of(&h);
    /* Without an alternate file libdwarf returns a message of its own instead of the string. */
    if (!h.of->alt && (form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)) {
        release(&h);
        return NULL;
    }
    if (dwarf_formstring(h.attr, &text, &e) != DW_DLV_OK) {
        drop(h.of, e);
        text = NULL;
    }
    release(&h);
    return text;
}

const char *die_name(const struct die *die)
{
    return die_string(die, DW_AT_name);
}

int die_number(const struct die *die, unsigned attribute, int64_t *ret)
{
    Dwarf_Error e = NULL;
    Dwarf_Unsigned bits;
    Dwarf_Signed value;
    struct handle h;
    int rc = DW_DLV_ERROR;

    if (!get_attr(die, attribute, &h, NULL))
        return 1;
    switch (form_of(&h)) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
    case DW_FORM_udata:
        rc = dwarf_formudata(h.attr, &bits, &e);
        value = (Dwarf_Signed)bits;
        break;
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
        rc = dwarf_formsdata(h.attr, &value, &e);
        break;
    default:
        break;
    }
    release(&h);
    if (rc != DW_DLV_OK) {
        drop(die->of, e);
        return -1;
    }
    *ret = value;
    return 0;
}

static int type_unit(struct debuginfo *of, const Dwarf_Sig8 *signature, struct die *ret)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->units[i].type && !memcmp(&of->units[i].signature, signature, sizeof(*signature)))
            return debuginfo_die(of, of->units[i].type, ret);
    return -1;
}

/* Where a reference leads to. */
static int follow(const struct handle *h, struct die *ret)
{
    Dwarf_Error e = NULL;
    struct debuginfo *of = h->of;
    Dwarf_Sig8 signature;
    Dwarf_Off offset, own;
    int form = form_of(h);

    if (form == DW_FORM_ref_sig8) {
        if (dwarf_formsig8(h->attr, &signature, &e) == DW_DLV_OK)
            return type_unit(of, &signature, ret);
        drop(of, e);
        return -1;
    }
    if (dwarf_global_formref(h->attr, &offset, &e) != DW_DLV_OK) {
        drop(of, e);
        return -1;
    }
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8)
        return of->alt ? debuginfo_die(of->alt, offset, ret) : -1;
    /* A reference from .debug_types stays there, except DW_FORM_ref_addr, an offset in .debug_info. */
    if (form != DW_FORM_ref_addr && !dwarf_get_die_infotypes_flag(h->die) &&
        dwarf_dieoffset(h->die, &own, &e) == DW_DLV_OK)
        offset |= DIE_IN_TYPES;
    return debuginfo_die(of, offset, ret);
}

int die_reference(const struct die *die, unsigned attribute, struct die *ret)
{
    struct handle h;
    int rc;

    if (!get_attr(die, attribute, &h, NULL))
        return 1;
    rc = follow(&h, ret);
    release(&h);
    return rc;
}

int die_type(const struct die *die, struct die *ret)
{
    struct die type, whole;
    int rc = die_reference(die, DW_AT_type, &type);

    if (rc)
        return rc;
    /* With clang it may refer to a declaration that names a type unit (DW_AT_signature). */
    *ret = !die_reference(&type, DW_AT_signature, &whole) ? whole : type;
    return 0;
}

int64_t die_size(const struct die *die)
{
    int64_t size;

    return die_number(die, DW_AT_byte_size, &size) ? -1 : size;
}

unsigned die_language(const struct die *die)
{
    struct die unit;
    int64_t language;

    return die_unit(die, &unit) || die_number(&unit, DW_AT_language, &language) ? 0 : (unsigned)language;
}

/* An operation in the form of debuginfo.h; false: it cannot be read. */
static bool operation(const struct handle *h, Dwarf_Locdesc_c list, Dwarf_Unsigned i,
                      struct die_operation *ret)
{
    Dwarf_Unsigned first, second, third, branch;
    Dwarf_Error e = NULL;
    Dwarf_Small code;
    Dwarf_Addr addr;

    if (dwarf_get_location_op_value_c(list, i, &code, &first, &second, &third, &branch, &e) != DW_DLV_OK) {
        drop(h->of, e);
        return false;
    }
    /* libdwarf gives OP_lit0 to OP_reg31 the number in their name as an operand. */
    *ret = code >= OP_lit0 && code <= OP_reg31 ? (struct die_operation){code, 0, 0}
                                               : (struct die_operation){code, first, second};
    if (code == DW_OP_addrx || code == DW_OP_GNU_addr_index) {
        if (dwarf_debug_addr_index_to_addr(h->die, first, &addr, &e) != DW_DLV_OK) {
            drop(h->of, e);
            return false;
        }
        *ret = (struct die_operation){OP_addr, addr, 0};
    }
    return true;
}

/* The entry of a location list for PC. A plain expression holds everywhere and is the only entry. */
static int entry(const struct handle *h, Dwarf_Loc_Head_c head, Dwarf_Unsigned count, uint64_t pc,
                 struct die_operation *ret, int max)
{
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        Dwarf_Unsigned raw_low, raw_high, n, expression, offset;
        Dwarf_Locdesc_c list;
        Dwarf_Small kind, source;
        Dwarf_Bool unavailable = 0;
        Dwarf_Addr low, high;
        Dwarf_Error e = NULL;

        if (dwarf_get_locdesc_entry_d(head, i, &kind, &raw_low, &raw_high, &unavailable, &low, &high, &n,
                                      &list, &source, &expression, &offset, &e) != DW_DLV_OK) {
            drop(h->of, e);
            return -1;
        }
        if (pc != DIE_EVERYWHERE && source && kind != DW_LLE_default_location &&
            (unavailable || kind == DW_LLE_base_address || kind == DW_LLE_base_addressx || pc < low ||
             pc >= high))
            continue;
        if (n > (Dwarf_Unsigned)max)
            return -1;
        for (Dwarf_Unsigned k = 0; k < n; k++)
            if (!operation(h, list, k, &ret[k]))
                return -1;
        return (int)n;
    }
    return 0;
}

static bool is_expression(int form)
{
    return form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1 ||
           form == DW_FORM_block2 || form == DW_FORM_block4;
}

int die_operations(const struct die *die, unsigned attribute, uint64_t pc, struct die_operation *ret, int max,
                   int *count)
{
    Dwarf_Loc_Head_c head = NULL;
    Dwarf_Error e = NULL;
    Dwarf_Unsigned n;
    struct handle h;
    int found = -1;

    if (!get_attr(die, attribute, &h, NULL))
        return 1;
    if (pc == DIE_EVERYWHERE && !is_expression(form_of(&h))) {
        release(&h);
        return 1;
    }
    if (dwarf_get_loclist_c(h.attr, &head, &n, &e) == DW_DLV_OK) {
        found = entry(&h, head, n, pc, ret, max);
        FREE_LOCATIONS(head);
    } else {
        drop(h.of, e);
    }
    release(&h);
    if (found <= 0)
        return found < 0 ? -1 : 1;
    *count = found;
    return 0;
}

/* DWARF 5, 2.17.3: .debug_rnglists. */
static void each_in_rnglist(const struct handle *h, int form, Dwarf_Unsigned at,
                            int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    Dwarf_Rnglists_Head head;
    Dwarf_Unsigned count, offset, raw1, raw2, start, end;
    Dwarf_Bool unavailable;
    Dwarf_Error e = NULL;
    unsigned length, kind;

    if (dwarf_rnglists_get_rle_head(h->attr, (Dwarf_Half)form, at, &head, &count, &offset, &e) != DW_DLV_OK) {
        drop(h->of, e);
        return;
    }
    for (Dwarf_Unsigned i = 0; i < count; i++) {
        unavailable = 0;
        if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw1, &raw2, &unavailable, &start,
                                              &end, &e) != DW_DLV_OK) {
            drop(h->of, e);
            break;
        }
        if (kind == DW_RLE_end_of_list)
            break;
        if (kind != DW_RLE_base_address && kind != DW_RLE_base_addressx && !unavailable && start != end &&
            each(start, end, arg))
            break;
    }
    dwarf_dealloc_rnglists_head(head);
}

/* DWARF 4, 2.17.3: .debug_ranges, from the unit's base address. */
static void each_in_ranges(const struct handle *h, Dwarf_Unsigned at, uint64_t base,
                           int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    Dwarf_Unsigned bytes;
    Dwarf_Ranges *ranges;
    Dwarf_Signed count;
    Dwarf_Error e = NULL;
    Dwarf_Off offset;

    if (dwarf_get_ranges_b(h->of->dbg, at, h->die, &offset, &ranges, &count, &bytes, &e) != DW_DLV_OK) {
        drop(h->of, e);
        return;
    }
    for (Dwarf_Signed i = 0; i < count && ranges[i].dwr_type != DW_RANGES_END; i++) {
        if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
            base = ranges[i].dwr_addr2;
        else if (ranges[i].dwr_addr1 != ranges[i].dwr_addr2 &&
                 each(base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2, arg))
            break;
    }
    FREE_RANGES(h->of->dbg, ranges, count);
}

/* DW_AT_low_pc and DW_AT_high_pc. */
static bool bounds(const struct die *die, uint64_t *start, uint64_t *end)
{
    enum Dwarf_Form_Class kind;
    Dwarf_Addr low, high;
    Dwarf_Error e = NULL;
    Dwarf_Half form;
    struct handle h;
    bool good;

    if (!get(die, &h))
        return false;
    *start = 0;
    good = dwarf_lowpc(h.die, &low, &e) == DW_DLV_OK;
    if (good) {
        *start = low;
        good = dwarf_highpc_b(h.die, &high, &form, &kind, &e) == DW_DLV_OK;
    }
    drop(die->of, e);
    release(&h);
    if (good)
        *end = kind == DW_FORM_CLASS_CONSTANT ? low + high : high;
    return good;
}

void die_each_range(const struct die *die, int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    const struct unit *unit = unit_at(die->of, die->offset);
    uint64_t start, end, base = 0;
    Dwarf_Unsigned value;
    Dwarf_Error e = NULL;
    Dwarf_Off offset;
    struct handle h;
    struct die root;
    int form;

    if (bounds(die, &start, &end)) {
        if (start != end)
            (void)each(start, end, arg);
        return;
    }
    if (!unit || !get_own(die, DW_AT_ranges, &h))
        return;
    form = form_of(&h);
    if (form == DW_FORM_rnglistx ? dwarf_formudata(h.attr, &value, &e) == DW_DLV_OK
                                 : dwarf_global_formref(h.attr, &offset, &e) == DW_DLV_OK) {
        if (form != DW_FORM_rnglistx)
            value = offset;
        if (unit->version >= 5) {
            each_in_rnglist(&h, form, value, each, arg);
        } else {
            if (!die_unit(die, &root))
                (void)bounds(&root, &base, &end);
            each_in_ranges(&h, value, base, each, arg);
        }
    } else {
        drop(h.of, e);
    }
    release(&h);
}

struct question {
    uint64_t pc;
    bool held;
};

static int covers(uint64_t start, uint64_t end, void *arg)
{
    struct question *q = arg;

    q->held = q->pc >= start && q->pc < end;
    return q->held;
}

bool die_holds(const struct die *die, uint64_t pc)
{
    struct question q = {.pc = pc};

    die_each_range(die, covers, &q);
    return q.held;
}

/* The names in the unit's line table. */
static void read_files(struct debuginfo *of, struct unit *unit)
{
    const struct die root = {.of = of, .offset = unit->root};
    Dwarf_Signed count;
    Dwarf_Error e = NULL;
    struct handle h;
    char **files;

    if (unit->files_tried || !get(&root, &h))
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
        drop(of, e);
    }
    release(&h);
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

    if (!get_attr(die, attribute, &h, &at))
        return NULL;
    release(&h);
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
        drop(of, e);
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

    if (unit->lines_tried || !get(&root, &h))
        return;
    unit->lines_tried = true;
    if (dwarf_srclines_b(h.die, &version, &tables, &context, &e) != DW_DLV_OK) {
        drop(of, e);
    } else {
        if (dwarf_srclines_from_linecontext(context, &lines, &count, &e) != DW_DLV_OK) {
            drop(of, e);
            count = 0;
        }
        unit->lines = count > 0 && count < UINT32_MAX ? calloc((size_t)count, sizeof(*unit->lines)) : NULL;
        for (Dwarf_Signed i = 0; unit->lines && i < count; i++) {
            unit->lines[unit->line_count].index = (uint32_t)i;
            unit->line_count += read_line(of, lines[i], &unit->lines[unit->line_count]);
        }
        dwarf_srclines_dealloc_b(context);
    }
    if (unit->line_count)
        qsort(unit->lines, (size_t)unit->line_count, sizeof(*unit->lines), by_address);
    release(&h);
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
    const struct line *found = NULL;

    for (Dwarf_Signed i = last; i >= 0 && lines[i].addr == lines[last].addr && !lines[i].end; i--)
        if (first || (!found && lines[i].statement))
            found = &lines[i];
    return found ? found : &lines[last];
}

int unit_line(const struct die *root, uint64_t pc, bool first, const char **file, int *line)
{
    struct unit *unit = unit_at(root->of, root->offset);
    Dwarf_Signed low = 0, high;
    const struct line *at;
    const char *name;
    bool entry;

    if (!unit)
        return -1;
    read_lines(root->of, unit);
    for (high = unit->line_count; low < high;) {
        Dwarf_Signed mid = low + (high - low) / 2;

        if (unit->lines[mid].addr <= pc)
            low = mid + 1;
        else
            high = mid;
    }
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
