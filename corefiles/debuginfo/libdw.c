/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * debuginfo.h over libdw (elfutils). If no alternate file is set and a DIE refers to one, libdw opens it by
 * its name; an empty one is set, so that it does not. libdw opens the file with the DIEs of a skeleton unit
 * (-gsplit-dwarf) only in functions that are not used here.
 */
#include "corefiles/debuginfo/libdw.h"

#include <dwarf.h>
#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/source_name.h"

struct debuginfo {
    Dwarf *dwarf;
    bool owned; /**< dwarf is ours */
    struct debuginfo *alt;
    Elf *empty_elf;
    Dwarf *empty; /**< set where there is no alternate file */
};

/** The least that libdw accepts as a file with debug information: an empty .debug_frame. */
struct image {
    Elf64_Ehdr eh;
    Elf64_Shdr sh[3];
    char names[sizeof("\0.debug_frame\0.shstrtab")];
    uint32_t frame; /* a terminator */
};

static struct image image = {
    .eh = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
           .e_type = ET_DYN,
           .e_machine = EM_X86_64,
           .e_version = EV_CURRENT,
           .e_shoff = offsetof(struct image, sh),
           .e_ehsize = sizeof(Elf64_Ehdr),
           .e_shentsize = sizeof(Elf64_Shdr),
           .e_shnum = 3,
           .e_shstrndx = 2},
    .sh = {[1] = {.sh_name = 1,
                  .sh_type = SHT_PROGBITS,
                  .sh_offset = offsetof(struct image, frame),
                  .sh_size = sizeof(uint32_t),
                  .sh_addralign = 1},
           [2] = {.sh_name = sizeof("\0.debug_frame"),
                  .sh_type = SHT_STRTAB,
                  .sh_offset = offsetof(struct image, names),
                  .sh_size = sizeof(((struct image *)NULL)->names),
                  .sh_addralign = 1}},
    .names = "\0.debug_frame\0.shstrtab",
};

static bool set_alt(struct debuginfo *of, struct debuginfo *alt)
{
    of->alt = alt;
    if (!alt) {
        of->empty_elf = elf_memory((char *)&image, sizeof(image));
        of->empty = of->empty_elf ? dwarf_begin_elf(of->empty_elf, DWARF_C_READ, NULL) : NULL;
        if (!of->empty)
            return false;
    }
    dwarf_setalt(of->dwarf, alt ? alt->dwarf : of->empty);
    return true;
}

struct debuginfo *debuginfo_of_libdw(Dwarf *dwarf, struct debuginfo *alt,
                                     void (*no_memory)(void) __attribute__((noreturn)))
{
    struct debuginfo *of = calloc(1, sizeof(*of));

    if (!of)
        return NULL;
    of->dwarf = dwarf;
    if (!set_alt(of, alt)) {
        debuginfo_close(of);
        return NULL;
    }
    if (no_memory)
        dwarf_new_oom_handler(dwarf, no_memory);
    return of;
}

struct debuginfo *debuginfo_open(int fd, struct debuginfo *alt, const char **why)
{
    struct debuginfo *of;
    Dwarf *dwarf;

    elf_version(EV_CURRENT);
    dwarf = dwarf_begin(fd, DWARF_C_READ);
    if (!dwarf) {
        *why = dwarf_errmsg(-1);
        return NULL;
    }
    of = debuginfo_of_libdw(dwarf, alt, NULL);
    if (of) {
        of->owned = true;
    } else {
        *why = "out of memory";
        dwarf_end(dwarf);
    }
    return of;
}

void debuginfo_close(struct debuginfo *of)
{
    if (!of)
        return;
    if (of->owned)
        dwarf_end(of->dwarf);
    if (of->empty)
        dwarf_end(of->empty);
    if (of->empty_elf)
        elf_end(of->empty_elf);
    free(of);
}

static Dwarf_Die theirs(const struct die *die)
{
    return (Dwarf_Die){.addr = (void *)die->own[0],
                       .cu = (struct Dwarf_CU *)die->own[1],
                       .abbrev = (Dwarf_Abbrev *)die->own[2]};
}

static struct die ours(struct debuginfo *of, Dwarf_Die *die)
{
    Dwarf_Half version = 0;
    uint8_t type = 0;
    uint64_t offset = dwarf_dieoffset(die);

    if (of->alt && dwarf_cu_getdwarf(die->cu) == of->alt->dwarf)
        of = of->alt;
    (void)dwarf_cu_info(die->cu, &version, &type, NULL, NULL, NULL, NULL, NULL);
    if (version == 4 && type == DW_UT_type)
        offset |= DIE_IN_TYPES;
    (void)dwarf_tag(die); /* stores the abbreviation in *die, where later calls need it */
    return (struct die){of, offset, {die->addr, die->cu, die->abbrev}};
}

int debuginfo_next_unit(struct debuginfo *of, uint64_t *at, struct die *ret)
{
    const bool types = *at & DIE_IN_TYPES;
    uint64_t start = *at & ~DIE_IN_TYPES, signature;
    Dwarf_Off next, type;
    size_t header;
    Dwarf_Die die;
    int rc = dwarf_next_unit(of->dwarf, start, &next, &header, NULL, NULL, NULL, NULL,
                             types ? &signature : NULL, types ? &type : NULL);

    if (rc > 0 && !types) {
        *at = DIE_IN_TYPES;
        return debuginfo_next_unit(of, at, ret);
    }
    if (rc)
        return rc < 0 && !types ? -1 : 1; /* there is seldom a .debug_types */
    if (!(types ? dwarf_offdie_types : dwarf_offdie)(of->dwarf, start + header, &die))
        return -1;
    *at = next | (types ? DIE_IN_TYPES : 0);
    *ret = ours(of, &die);
    return 0;
}

int debuginfo_die(struct debuginfo *of, uint64_t offset, struct die *ret)
{
    Dwarf_Die die, *found = offset & DIE_IN_TYPES
                                ? dwarf_offdie_types(of->dwarf, offset & ~DIE_IN_TYPES, &die)
                                : dwarf_offdie(of->dwarf, offset, &die);

    if (!found)
        return -1;
    *ret = ours(of, &die);
    return 0;
}

unsigned die_tag(const struct die *die)
{
    Dwarf_Die d = theirs(die);
    int tag = dwarf_tag(&d);

    return tag < 0 ? 0 : (unsigned)tag;
}

/* Damaged information may lead back; the offset of a real child or sibling is larger. */
static int step(const struct die *die, Dwarf_Die *to, int rc, struct die *ret)
{
    struct die next;

    if (rc)
        return rc;
    next = ours(die->of, to);
    if (next.of != die->of || next.offset <= die->offset)
        return -1;
    *ret = next;
    return 0;
}

int die_child(const struct die *die, struct die *ret)
{
    Dwarf_Die d = theirs(die), child;
    int rc = dwarf_child(&d, &child);

    return step(die, &child, rc, ret);
}

int die_sibling(const struct die *die, struct die *ret)
{
    Dwarf_Die d = theirs(die), sibling;
    int rc = dwarf_siblingof(&d, &sibling);

    return step(die, &sibling, rc, ret);
}

int die_unit(const struct die *die, struct die *ret)
{
    Dwarf_Die d = theirs(die), unit;

    if (!dwarf_diecu(&d, &unit, NULL, NULL))
        return -1;
    *ret = ours(die->of, &unit);
    return 0;
}

bool die_has(const struct die *die, unsigned attribute)
{
    Dwarf_Die d = theirs(die);

    return dwarf_hasattr(&d, attribute);
}

const char *die_string(const struct die *die, unsigned attribute)
{
    Dwarf_Die d = theirs(die);
    Dwarf_Attribute attr;

    return dwarf_attr_integrate(&d, attribute, &attr) ? dwarf_formstring(&attr) : NULL;
}

const char *die_name(const struct die *die)
{
    return die_string(die, DW_AT_name);
}

int die_number(const struct die *die, unsigned attribute, int64_t *ret)
{
    Dwarf_Die d = theirs(die);
    Dwarf_Attribute attr;
    Dwarf_Sword value;
    Dwarf_Word bits;

    if (!dwarf_attr_integrate(&d, attribute, &attr))
        return 1;
    switch (dwarf_whatform(&attr)) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
        /* Not as signed: libdw would read 200 in one byte as -56. */
        if (dwarf_formudata(&attr, &bits))
            return -1;
        *ret = (int64_t)bits;
        return 0;
    default:
        if (dwarf_formsdata(&attr, &value))
            return -1;
        *ret = value;
        return 0;
    }
}

int die_reference(const struct die *die, unsigned attribute, struct die *ret)
{
    Dwarf_Die d = theirs(die), to;
    Dwarf_Attribute attr;

    if (!dwarf_attr_integrate(&d, attribute, &attr))
        return 1;
    if (!dwarf_formref_die(&attr, &to))
        return -1;
    *ret = ours(die->of, &to);
    return 0;
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
    Dwarf_Die d = theirs(die);

    return dwarf_bytesize(&d);
}

unsigned die_language(const struct die *die)
{
    Dwarf_Die d = theirs(die), unit;
    int language = dwarf_diecu(&d, &unit, NULL, NULL) ? dwarf_srclang(&unit) : 0;

    return language < 0 ? 0 : (unsigned)language;
}

/* An operation in the form of debuginfo.h; false: its address cannot be found. */
static bool operation(Dwarf_Attribute *attr, const Dwarf_Op *op, struct die_operation *ret)
{
    struct die_operation made = {op->atom, op->number, op->number2};
    Dwarf_Attribute addr;
    Dwarf_Addr at;

    if (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) {
        if (dwarf_getlocation_attr(attr, op, &addr) || dwarf_formaddr(&addr, &at))
            return false;
        made = (struct die_operation){OP_addr, at, 0};
    }
    *ret = made;
    return true;
}

static bool is_expression(Dwarf_Attribute *attr)
{
    switch (dwarf_whatform(attr)) {
    case DW_FORM_exprloc:
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
        return true;
    default:
        return false;
    }
}

int die_operations(const struct die *die, unsigned attribute, uint64_t pc, struct die_operation *ret, int max,
                   int *count)
{
    Dwarf_Die d = theirs(die);
    Dwarf_Attribute attr;
    Dwarf_Op *ops;
    size_t n;

    if (!dwarf_attr_integrate(&d, attribute, &attr))
        return 1;
    if (pc == DIE_EVERYWHERE) {
        if (!is_expression(&attr))
            return 1;
        if (dwarf_getlocation(&attr, &ops, &n))
            return -1;
    } else if (dwarf_getlocation_addr(&attr, pc, &ops, &n, 1) != 1) {
        return 1;
    }
    if (!n)
        return 1; /* optimised out */
    if (n > (size_t)max)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!operation(&attr, &ops[i], &ret[i]))
            return -1;
    *count = (int)n;
    return 0;
}

void die_each_range(const struct die *die, int (*each)(uint64_t start, uint64_t end, void *arg), void *arg)
{
    Dwarf_Die d = theirs(die);
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges(&d, at, &base, &start, &end)) > 0)
        if (each(start, end, arg))
            return;
}

bool die_holds(const struct die *die, uint64_t pc)
{
    Dwarf_Die d = theirs(die);

    return dwarf_haspc(&d, pc) > 0;
}

const char *die_file(const struct die *die, unsigned attribute)
{
    Dwarf_Die d = theirs(die), unit;
    struct die root;
    Dwarf_Attribute attr;
    Dwarf_Files *files;
    Dwarf_Word number;
    const char *name;

    /* The number counts in the unit that has the attribute, which may not be DIE's own. */
    if (!dwarf_attr_integrate(&d, attribute, &attr) || dwarf_formudata(&attr, &number) ||
        !dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
        dwarf_getsrcfiles(&unit, &files, NULL))
        return NULL;
    name = dwarf_filesrc(files, number, NULL, NULL);
    root = ours(die->of, &unit);
    return name ? source_name(die_name(&root), die_string(&root, DW_AT_comp_dir), name) : NULL;
}

/* How many of LINES, which are sorted by address, are before PC. */
static size_t lines_before(Dwarf_Lines *lines, size_t count, uint64_t pc)
{
    size_t low = 0;
    Dwarf_Addr addr;

    for (size_t high = count; low < high;) {
        size_t mid = low + (high - low) / 2;

        if (!dwarf_lineaddr(dwarf_onesrcline(lines, mid), &addr) && addr < pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Of the lines that begin at PC the first or, without FIRST, the last that begins a statement; NULL none.
   With FIRST any is better than none: but the one at which the function before ends begins no statement. */
static Dwarf_Line *line_at(Dwarf_Die *unit, uint64_t pc, bool first)
{
    Dwarf_Line *found = NULL;
    Dwarf_Lines *lines;
    Dwarf_Addr addr;
    size_t count;
    bool end, statement;

    if (dwarf_getsrclines(unit, &lines, &count))
        return NULL;
    for (size_t low = lines_before(lines, count, pc); low < count; low++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, low);

        if (dwarf_lineaddr(line, &addr) || addr != pc)
            break;
        if (dwarf_lineendsequence(line, &end) || end)
            continue;
        statement = !dwarf_linebeginstatement(line, &statement) && statement;
        if (first && statement)
            return line;
        if (first ? !found : statement)
            found = line;
    }
    return found;
}

int unit_line(const struct die *unit, uint64_t pc, bool first, const char **file, int *line)
{
    Dwarf_Die d = theirs(unit);
    Dwarf_Line *found = dwarf_getsrc_die(&d, pc), *better = NULL;
    Dwarf_Addr addr;
    const char *name;
    int number = 0;

    if (found && !dwarf_lineaddr(found, &addr) && (!first || addr == pc))
        better = line_at(&d, addr, first);
    found = better ? better : found;
    name = found && !dwarf_lineno(found, &number) ? dwarf_linesrc(found, NULL, NULL) : NULL;
    if (!name || number < 0 || (!number && !(first && better)))
        return 1;
    *file = source_name(die_name(unit), die_string(unit, DW_AT_comp_dir), name);
    *line = number;
    return 0;
}

int unit_own_line(const struct die *unit, uint64_t start, uint64_t pc, const char *in, const char **file,
                  int *line)
{
    Dwarf_Die d = theirs(unit);
    const char *name = die_name(unit), *folder = die_string(unit, DW_AT_comp_dir), *seen = NULL, *own = in;
    Dwarf_Lines *lines;
    size_t count;

    if (!own) {
        Dwarf_Line *first = line_at(&d, start, true);
        const char *its = first ? dwarf_linesrc(first, NULL, NULL) : NULL;

        own = its ? source_name(name, folder, its) : NULL;
    }
    if (!own || pc == UINT64_MAX || dwarf_getsrclines(&d, &lines, &count))
        return 1;
    for (size_t i = lines_before(lines, count, pc + 1); i > 0; i--) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i - 1);
        const char *its = dwarf_linesrc(at, NULL, NULL), *whole;
        Dwarf_Addr addr;
        bool end;
        int number;

        if (dwarf_lineaddr(at, &addr) || addr < start)
            break;
        if (dwarf_lineendsequence(at, &end) || end || !its || its == seen || dwarf_lineno(at, &number) ||
            number <= 0)
            continue;
        whole = source_name(name, folder, its);
        if (!whole || strcmp(whole, own) != 0) {
            seen = its; /* rows of one file follow one another */
            continue;
        }
        *file = whole;
        *line = number;
        return 0;
    }
    return 1;
}
