/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/image.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corefiles/debuginfo/dwarf5.h"

/* No runtime exports more, nor by longer names, nor has so much to be loaded. They are compared with each
   other, and that is searched. */
enum { SYMBOLS_MAX = 1 << 14, NAME_MAX_BYTES = 256, LOADED_MAX = 1 << 28 };

const uint8_t *ly_bytes(const struct ly_image *image, uint64_t address, size_t *left)
{
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct ly_segment *segment = &image->segments[i];
        if (address < segment->address || address - segment->address >= segment->size)
            continue;
        *left = segment->size - (address - segment->address);
        return image->bytes + segment->offset + (address - segment->address);
    }
    return NULL;
}

uint64_t ly_find(const struct ly_image *image, const void *bytes, size_t count)
{
    for (unsigned i = 0; i < image->segment_count; i++) {
        const uint8_t *start = image->bytes + image->segments[i].offset;
        const uint8_t *found = memmem(start, image->segments[i].size, bytes, count);
        if (found)
            return image->segments[i].address + (uint64_t)(found - start);
    }
    return 0;
}

bool ly_code(const struct ly_image *image, unsigned index, uint64_t *start, uint64_t *end)
{
    Elf_Scn *section = NULL;
    GElf_Shdr head;

    while ((section = elf_nextscn(image->elf, section))) {
        if (!gelf_getshdr(section, &head) || head.sh_type != SHT_PROGBITS || !(head.sh_flags & SHF_EXECINSTR))
            continue;
        if (index-- > 0)
            continue;
        *start = head.sh_addr;
        *end = head.sh_addr + head.sh_size;
        return true;
    }
    return false;
}

const struct ly_function *ly_function(const struct ly_image *image, const char *name)
{
    for (size_t i = 0; i < image->symbol_count; i++)
        if (!strcmp(image->symbols[i].name, name))
            return &image->symbols[i];
    return NULL;
}

bool ly_frame_base(void *frame, uint64_t *number, int64_t *offset)
{
    Dwarf_Op *ops;
    size_t count;

    if (dwarf_frame_cfa(frame, &ops, &count) || count != 1)
        return false;
    if (ops[0].atom == DW_OP_bregx) {
        *number = ops[0].number;
        *offset = (int64_t)ops[0].number2;
        return true;
    }
    *number = ops[0].atom - DW_OP_breg0;
    *offset = (int64_t)ops[0].number;
    return ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31;
}

unsigned ly_frame(const struct ly_image *image, uint64_t pc)
{
    Dwarf_Frame *frame = NULL;
    uint64_t number;
    int64_t offset;
    bool found;

    if (!image->cfi || dwarf_cfi_addrframe(image->cfi, pc, &frame))
        return 0;
    found = ly_frame_base(frame, &number, &offset) && number == 7 /* rsp: psABI, figure 3.36 */;
    free(frame);
    return found ? (unsigned)offset : 0;
}

/* ---- starts of functions ------------------------------------------------------------------------------- */

/* .eh_frame_hdr: four bytes (version, encodings), where .eh_frame is, how many entries there are, then pairs
   of a function's start and its entry, all relative to its own address (LSB, Exception Frames). */
enum { INDEX_VERSION = 1, INDEX_HEAD = 12, INDEX_PAIR = 8, STARTS_MAX = 1 << 16 };

static int by_address(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;

    return one < two ? -1 : one > two;
}

static const char *read_index(struct ly_image *image, uint64_t address)
{
    static const uint8_t head[] = {INDEX_VERSION, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                   DW_EH_PE_datarel | DW_EH_PE_sdata4};
    size_t left = 0;
    const uint8_t *bytes = ly_bytes(image, address, &left);
    uint32_t count;
    int32_t start;

    if (!bytes || left < INDEX_HEAD || memcmp(bytes, head, sizeof head) != 0)
        return NULL;
    memcpy(&count, bytes + INDEX_HEAD - sizeof count, sizeof count);
    if (count > STARTS_MAX || count > (left - INDEX_HEAD) / INDEX_PAIR)
        return NULL;
    image->starts = calloc(count + 1, sizeof *image->starts);
    if (!image->starts)
        return "no memory";
    for (size_t i = 0; i < count; i++) {
        memcpy(&start, bytes + INDEX_HEAD + i * INDEX_PAIR, sizeof start);
        image->starts[i] = address + (uint64_t)(int64_t)start;
    }
    image->start_count = count;
    qsort(image->starts, count, sizeof *image->starts, by_address);
    return NULL;
}

uint64_t ly_start_before(const struct ly_image *image, uint64_t pc)
{
    size_t low = 0, high = image->start_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (image->starts[middle] <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? image->starts[low - 1] : 0;
}

bool ly_is_start(const struct ly_image *image, uint64_t pc)
{
    return image->start_count && ly_start_before(image, pc) == pc;
}

/* ---- exported functions -------------------------------------------------------------------------------- */

/* The less the better: the name that programs call. Compilers' own entry points come before what users
   call, and Fortran's names after C's. */
static int rank(const char *name)
{
    size_t length = strlen(name);
    bool fortran = length && name[length - 1] == '_';

    if (!strncmp(name, "__kmpc_", 7))
        return 0;
    if (!strncmp(name, "GOMP_", 5) || (!strncmp(name, "omp_", 4) && !fortran))
        return 1;
    if (!strncmp(name, "__kmp", 5))
        return 2;
    return fortran ? 4 : 3;
}

static int compare(const void *a, const void *b)
{
    const struct ly_function *one = a, *two = b;
    size_t length_one = strlen(one->name), length_two = strlen(two->name);

    if (one->start != two->start)
        return one->start < two->start ? -1 : 1;
    if (rank(one->name) != rank(two->name))
        return rank(one->name) - rank(two->name);
    if (length_one != length_two)
        return length_one < length_two ? -1 : 1;
    return strcmp(one->name, two->name);
}

/* One name an address, and no two that overlap. */
static size_t disjoint(struct ly_function *list, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (!kept || list[i].start >= list[kept - 1].end)
            list[kept++] = list[i];
    return kept;
}

/* Names are printed as they are. */
static bool is_name(const char *name)
{
    return name && *name && strnlen(name, NAME_MAX_BYTES) < NAME_MAX_BYTES &&
           !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$")];
}

/* The dynamic symbols; NULL: there are none. */
static Elf_Data *exports(const struct ly_image *image, GElf_Shdr *head)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(image->elf, section)))
        if (gelf_getshdr(section, head) && head->sh_type == SHT_DYNSYM)
            break;
    return section && head->sh_entsize == sizeof(Elf64_Sym) ? elf_getdata(section, NULL) : NULL;
}

bool ly_object(const struct ly_image *image, const char *name, uint64_t *address, uint64_t *size)
{
    GElf_Shdr head;
    GElf_Sym symbol;
    Elf_Data *data = exports(image, &head);

    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *its = elf_strptr(image->elf, head.sh_link, symbol.st_name);
        if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || !its || strcmp(its, name) != 0)
            continue;
        *address = symbol.st_value;
        *size = symbol.st_size;
        return true;
    }
    return false;
}

static const char *read_functions(struct ly_image *image)
{
    GElf_Shdr head;
    GElf_Sym symbol;
    Elf_Data *data = exports(image, &head);

    if (!data)
        return "it exports nothing";
    size_t all = head.sh_size / head.sh_entsize;
    if (all > SYMBOLS_MAX)
        return "it exports more than any runtime";
    image->functions = calloc(all + 1, sizeof *image->functions);
    image->symbols = calloc(all + 1, sizeof *image->symbols);
    if (!image->functions || !image->symbols)
        return "no memory";
    for (size_t i = 0; i < all; i++) {
        if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
            continue;
        const char *name = elf_strptr(image->elf, head.sh_link, symbol.st_name);
        if (is_name(name))
            image->symbols[image->symbol_count++] =
                (struct ly_function){symbol.st_value, symbol.st_value + symbol.st_size, name};
    }
    qsort(image->symbols, image->symbol_count, sizeof *image->symbols, compare);
    memcpy(image->functions, image->symbols, image->symbol_count * sizeof *image->symbols);
    image->count = disjoint(image->functions, image->symbol_count);
    return NULL;
}

/* An entry of the unwind tables is a program, which is run from its start for each address in it. The
   longest of libgomp and libomp have 260 bytes, one of Intel's has 960. */
enum { ENTRY_MAX = 2048 };

static bool has_long_entries(struct ly_image *image, const Elf_Data *data)
{
    const unsigned char *ident = (const unsigned char *)elf_getident(image->elf, NULL);
    Dwarf_Off at = 0, next = 0;
    Dwarf_CFI_Entry entry;
    int rc;

    while ((rc = dwarf_next_cfi(ident, (Elf_Data *)data, true, at, &next, &entry)) != 1 && next > at) {
        if (next - at > ENTRY_MAX)
            return true;
        at = next;
    }
    return rc != 1;
}

/* Tables that no runtime has are none. */
static void read_tables(struct ly_image *image)
{
    Elf_Scn *section = NULL;
    const Elf_Data *data;
    GElf_Shdr head;
    size_t names;

    if (elf_getshdrstrndx(image->elf, &names))
        return;
    while ((section = elf_nextscn(image->elf, section))) {
        const char *name = gelf_getshdr(section, &head) ? elf_strptr(image->elf, names, head.sh_name) : NULL;

        if (name && !strcmp(name, ".eh_frame") &&
            (!(data = elf_rawdata(section, NULL)) || has_long_entries(image, data)))
            return;
    }
    image->cfi = dwarf_getcfi_elf(image->elf);
}

static void read_build_id(struct ly_image *image)
{
    const void *id = NULL;
    ssize_t size = dwelf_elf_gnu_build_id(image->elf, &id);

    for (ssize_t i = 0; i < size && i < 64; i++) {
        image->build_id[2 * i] = "0123456789abcdef"[((const uint8_t *)id)[i] >> 4];
        image->build_id[2 * i + 1] = "0123456789abcdef"[((const uint8_t *)id)[i] & 15];
    }
}

static const char *read_segments(struct ly_image *image)
{
    uint64_t all = 0;
    GElf_Phdr head;
    size_t count = 0;
    uint64_t table = 0;

    if (elf_getphdrnum(image->elf, &count))
        return NULL;
    for (size_t i = 0; i < count && image->segment_count < LY_SEGMENTS_MAX; i++) {
        if (!gelf_getphdr(image->elf, (int)i, &head))
            continue;
        if (head.p_type == PT_GNU_EH_FRAME)
            table = head.p_vaddr;
        if (head.p_type == PT_LOAD && head.p_offset <= image->size &&
            head.p_filesz <= image->size - head.p_offset)
            image->segments[image->segment_count++] =
                (struct ly_segment){head.p_vaddr, head.p_offset, head.p_filesz};
    }
    for (size_t i = 0; i < image->segment_count; i++)
        if (image->segments[i].size > LOADED_MAX || (all += image->segments[i].size) > LOADED_MAX)
            return "it has more to be loaded than any runtime";
    return table ? read_index(image, table) : NULL;
}

static const char *read_file(struct ly_image *image)
{
    struct stat status;
    GElf_Ehdr head;

    if (fstat(image->fd, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0)
        return "it is no file";
    image->size = (size_t)status.st_size;
    image->bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, image->fd, 0);
    if (image->bytes == MAP_FAILED) {
        image->bytes = NULL;
        return "it cannot be read";
    }
    elf_version(EV_CURRENT);
    image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
    if (!image->elf || !gelf_getehdr(image->elf, &head) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_machine != EM_X86_64 || head.e_type != ET_DYN)
        return "it is no shared library for x86-64";
    read_tables(image);
    read_build_id(image);
    const char *why = read_segments(image);
    return why ? why : read_functions(image);
}

const char *ly_open(const char *path, struct ly_image *ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait for a writer */
    const char *why = ly_open_fd(fd, ret);

    if (fd >= 0)
        close(fd);
    return why;
}

const char *ly_open_fd(int fd, struct ly_image *ret)
{
    struct ly_image image = {.fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1};
    const char *why = image.fd >= 0 ? read_file(&image) : "it cannot be opened";

    if (why)
        ly_close(&image);
    else
        *ret = image;
    return why;
}

void ly_close(struct ly_image *image)
{
    if (image->cfi)
        dwarf_cfi_end(image->cfi);
    if (image->elf)
        elf_end(image->elf);
    if (image->bytes)
        munmap((void *)(uintptr_t)image->bytes, image->size);
    if (image->fd >= 0)
        close(image->fd);
    free(image->functions);
    free(image->symbols);
    free(image->starts);
    free(image->relocations);
    free(image->tls);
}
