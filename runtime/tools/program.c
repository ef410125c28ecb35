/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of the process are compiled with, as far as a tool has to know.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "program.h"

/* Weak, as in core/resident.c: a fully static program need not have them. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dl_iterate_phdr) dl_iterate_phdr __attribute__((weak));

struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * relocations[2];
    size_t sizes[2];
};

/** glibc relocates a file's dynamic section in place; the vDSO's has offsets. */
static const void *at(const struct dl_phdr_info *file, ElfW(Addr) address)
{
    return (const void *)(address < file->dlpi_addr
                              ? address + file->dlpi_addr /* NOLINT(performance-no-int-to-ptr) */
                              : address);
}

static void tables_of(const struct dl_phdr_info *file, const ElfW(Dyn) * entry, struct tables *ret)
{
    for (; entry->d_tag != DT_NULL; entry++)
        switch (entry->d_tag) {
        case DT_SYMTAB:
            ret->symbols = at(file, entry->d_un.d_ptr);
            break;
        case DT_STRTAB:
            ret->strings = at(file, entry->d_un.d_ptr);
            break;
        case DT_RELA:
            ret->relocations[0] = at(file, entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            ret->sizes[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_JMPREL:
            ret->relocations[1] = at(file, entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            ret->sizes[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
}

/** By its relocations: of a file's own symbols nothing in memory says how many there are. */
static int calls_gomp(struct dl_phdr_info *file, size_t size, void *unused)
{
    struct tables tables = {0};
    (void)size, (void)unused;
    for (int i = 0; i < file->dlpi_phnum; i++)
        if (file->dlpi_phdr[i].p_type == PT_DYNAMIC)
            tables_of(file, at(file, file->dlpi_phdr[i].p_vaddr + file->dlpi_addr), &tables);
    if (tables.symbols == NULL || tables.strings == NULL)
        return 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; tables.relocations[k] != NULL && i < tables.sizes[k]; i++) {
            size_t number = ELF64_R_SYM(tables.relocations[k][i].r_info);
            const ElfW(Sym) *symbol = &tables.symbols[number];
            if (number != 0 && symbol->st_shndx == SHN_UNDEF &&
                strncmp(tables.strings + symbol->st_name, "GOMP_", 5) == 0)
                return 1;
        }
    return 0;
}

int program_has_gcc_code(void)
{
#ifdef RT_STATIC
    const int linked_in = 1; /* into the file that calls it, and nothing says who does */
#else
    const int linked_in = 0;
#endif
    return linked_in || !dl_iterate_phdr || dl_iterate_phdr(calls_gomp, NULL);
}

int program_has_tsan(void)
{
    return dlsym && dlsym(RTLD_DEFAULT, "__tsan_func_entry") != NULL;
}
