/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/layout/relocations.h"

#include <gelf.h>
#include <stdlib.h>

enum { RELOCATIONS_MAX = 1 << 17 /* no runtime has more */ };

/* What the loader makes read-only when it is done. */
struct range {
    uint64_t start, end;
};

static struct range read_only(const struct ly_image *image)
{
    size_t count = 0;
    GElf_Phdr head;

    if (elf_getphdrnum(image->elf, &count))
        count = 0;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(image->elf, (int)i, &head) && head.p_type == PT_GNU_RELRO)
            return (struct range){head.p_vaddr, head.p_vaddr + head.p_memsz};
    return (struct range){0, 0};
}

/* The address of symbol INDEX of the table that section LINK is; 0: another file has it. */
static uint64_t symbol_address(const struct ly_image *image, size_t link, size_t index)
{
    Elf_Scn *section = elf_getscn(image->elf, link);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Sym symbol;

    if (!data || index > RELOCATIONS_MAX || !gelf_getsym(data, (int)index, &symbol) ||
        symbol.st_shndx == SHN_UNDEF)
        return 0;
    return symbol.st_value;
}

static uint64_t target(const struct ly_image *image, const struct range *constant, size_t link,
                       const GElf_Rela *rela)
{
    switch (GELF_R_TYPE(rela->r_info)) {
    case R_X86_64_RELATIVE:
        return rela->r_offset >= constant->start && rela->r_offset < constant->end ? (uint64_t)rela->r_addend
                                                                                   : 0;
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        return symbol_address(image, link, GELF_R_SYM(rela->r_info));
    default:
        return 0;
    }
}

static int by_address(const void *a, const void *b)
{
    const struct ly_relocation *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

static int by_words(const void *a, const void *b)
{
    const struct ly_tls *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

static bool is_tls(const GElf_Rela *rela)
{
    return GELF_R_TYPE(rela->r_info) == R_X86_64_DTPMOD64 || GELF_R_TYPE(rela->r_info) == R_X86_64_TLSDESC;
}

static const char *read_section(struct ly_image *image, Elf_Scn *section, const GElf_Shdr *head,
                                const struct range *constant)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count =
        data && head->sh_entsize == sizeof(Elf64_Rela) ? data->d_size / sizeof(Elf64_Rela) : 0;
    struct ly_relocation *larger;
    struct ly_tls *more;
    GElf_Rela rela;

    if (count > RELOCATIONS_MAX - image->relocation_count || count > RELOCATIONS_MAX - image->tls_count)
        return "it has more relocations than any runtime";
    larger = reallocarray(image->relocations, image->relocation_count + count + 1, sizeof *larger);
    if (!larger)
        return "no memory";
    image->relocations = larger;
    more = reallocarray(image->tls, image->tls_count + count + 1, sizeof *more);
    if (!more)
        return "no memory";
    image->tls = more;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getrela(data, (int)i, &rela))
            continue;
        const uint64_t to = target(image, constant, head->sh_link, &rela);
        if (to)
            larger[image->relocation_count++] = (struct ly_relocation){rela.r_offset, to};
        if (is_tls(&rela))
            more[image->tls_count++] =
                (struct ly_tls){rela.r_offset, GELF_R_TYPE(rela.r_info) == R_X86_64_TLSDESC};
    }
    return NULL;
}

const char *ly_read_relocations(struct ly_image *image)
{
    const struct range constant = read_only(image);
    Elf_Scn *section = NULL;
    const char *why = NULL;
    GElf_Shdr head;

    while (!why && (section = elf_nextscn(image->elf, section)))
        if (gelf_getshdr(section, &head) && head.sh_type == SHT_RELA && head.sh_flags & SHF_ALLOC)
            why = read_section(image, section, &head, &constant);
    if (!why && image->relocation_count)
        qsort(image->relocations, image->relocation_count, sizeof *image->relocations, by_address);
    if (!why && image->tls_count)
        qsort(image->tls, image->tls_count, sizeof *image->tls, by_words);
    return why;
}

uint64_t ly_target(const struct ly_image *image, uint64_t at)
{
    const struct ly_relocation key = {.at = at}, *found = NULL;

    if (image->relocation_count)
        found = bsearch(&key, image->relocations, image->relocation_count, sizeof key, by_address);
    return found ? found->target : 0;
}

const struct ly_tls *ly_tls(const struct ly_image *image, uint64_t at)
{
    const struct ly_tls key = {.at = at};

    return image->tls_count ? bsearch(&key, image->tls, image->tls_count, sizeof key, by_words) : NULL;
}
