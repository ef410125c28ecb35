/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Symbols of the files that a process has mapped, from their tables: .symtab and .dynsym.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"

/* Libraries and programs are few, and the runtime is asked for some twenty names. */
enum { KEPT = 64 };
static struct kept {
    char name[64];
    uint64_t address;
} kept[KEPT];
static int kept_count;

void symbols_forget(void)
{
    kept_count = 0;
}

/** The first PT_LOAD's address: symbols are relative to where that is mapped. */
static uint64_t link_base(Elf *elf)
{
    size_t count = 0;
    GElf_Phdr header;
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
            return header.p_vaddr;
    return 0;
}

static bool find_in_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name,
                          uint64_t *ret)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t count = header->sh_entsize && data ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
            GELF_ST_TYPE(symbol.st_info) == STT_TLS)
            continue;
        const char *text = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (text && strcmp(text, name) == 0) {
            *ret = symbol.st_value;
            return true;
        }
    }
    return false;
}

static bool find_in_file(const char *path, uint64_t base, const char *name, uint64_t *ret)
{
    bool found = false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Shdr header;
    Elf_Scn *section = NULL;
    while (elf && !found && (section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB))
            found = find_in_table(elf, section, &header, name, ret);
    if (found)
        *ret += base - link_base(elf);
    elf_end(elf);
    close(fd);
    return found;
}

bool symbol_find(const struct child *child, const char *name, uint64_t *ret)
{
    for (int i = 0; i < kept_count; i++)
        if (strcmp(kept[i].name, name) == 0) {
            *ret = kept[i].address;
            return true;
        }
    char path[64], line[4500], file[4100], last[4100] = "";
    uint64_t base, offset;
    bool found = false;
    elf_version(EV_CURRENT);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)child->pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit. */
        if (sscanf(line, "%lx-%*x %*s %lx %*s %*s %4099[^\n]", &base, &offset, file) != 3 || offset != 0 ||
            file[0] != '/' || strcmp(file, last) == 0)
            continue;
        strcpy(last, file);
        found = find_in_file(file, base, name, ret);
    }
    if (maps)
        fclose(maps);
    if (found && kept_count < KEPT && strlen(name) < sizeof kept->name) {
        strcpy(kept[kept_count].name, name);
        kept[kept_count++].address = *ret;
    }
    return found;
}
