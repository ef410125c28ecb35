/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Program headers and build-id of an ELF file, from disk or from the memory that maps it. Every number is a
 * stranger's.
 */
#include "corefiles/elffile.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/file.h"
#include "corefiles/memory.h"

enum { PHDRS_MAX = 4096, NOTES_MAX = 1 << 16 };

/* The GNU build-id among the notes in BUF. */
static void find_id(const uint8_t *buf, uint64_t size, uint64_t align, struct cf_elf *ret)
{
    uint64_t at = 0;

    align = align == 8 ? 8 : 4;
    while (size - at >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        uint64_t desc, next;

        memcpy(&note, buf + at, sizeof(note));
        desc = at + sizeof(note) + ((note.n_namesz + align - 1) & ~(align - 1));
        next = desc + ((note.n_descsz + align - 1) & ~(align - 1));
        if (desc > size || note.n_descsz > size - desc)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            !memcmp(buf + at + sizeof(note), "GNU", 4) && note.n_descsz && note.n_descsz <= CF_ID_MAX) {
            memcpy(ret->id, buf + desc, note.n_descsz);
            ret->id_size = note.n_descsz;
            return;
        }
        if (next > size)
            return;
        at = next;
    }
}

static void read_notes(cf_reader *read, void *arg, bool mapped, const Elf64_Phdr *ph, struct cf_elf *ret)
{
    uint8_t *buf;

    if (!ph->p_filesz || ph->p_filesz > NOTES_MAX || ret->id_size)
        return;
    buf = malloc(ph->p_filesz);
    if (buf && read(arg, mapped ? ph->p_vaddr - ret->first_vaddr : ph->p_offset, buf, ph->p_filesz))
        find_id(buf, ph->p_filesz, ph->p_align, ret);
    free(buf);
}

int cf_elf_read(cf_reader *read, void *arg, bool mapped, struct cf_elf *ret)
{
    struct cf_elf elf = {0};
    Elf64_Phdr *ph;
    Elf64_Ehdr eh;

    if (!read(arg, 0, &eh, sizeof(eh)) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
        eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
        (eh.e_type != ET_EXEC && eh.e_type != ET_DYN) || eh.e_phentsize != sizeof(*ph) || !eh.e_phnum ||
        eh.e_phnum > PHDRS_MAX)
        return -1;
    elf.type = eh.e_type;
    elf.machine = eh.e_machine;
    ph = calloc(eh.e_phnum, sizeof(*ph));
    elf.parts = calloc(eh.e_phnum, sizeof(*elf.parts));
    if (!ph || !elf.parts || !read(arg, eh.e_phoff, ph, eh.e_phnum * sizeof(*ph))) {
        free(ph);
        free(elf.parts);
        return -1;
    }
    for (int i = 0; i < eh.e_phnum; i++) {
        if (ph[i].p_type == PT_LOAD) {
            if (!elf.part_count)
                elf.first_vaddr = ph[i].p_vaddr - ph[i].p_offset;
            elf.parts[elf.part_count++] = (struct cf_segment){ph[i].p_vaddr, ph[i].p_memsz, ph[i].p_offset,
                                                              ph[i].p_filesz, ph[i].p_flags};
        } else if (ph[i].p_type == PT_DYNAMIC) {
            elf.dynamic = ph[i].p_vaddr;
        }
    }
    for (int i = 0; i < eh.e_phnum; i++)
        if (ph[i].p_type == PT_NOTE)
            read_notes(read, arg, mapped, &ph[i], &elf);
    free(ph);
    *ret = elf;
    return 0;
}

enum { SECTIONS_MAX = 256 };

static bool is_constant(const Elf64_Shdr *sh)
{
    return (sh->sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_TLS)) == SHF_ALLOC && sh->sh_type != SHT_NOBITS &&
           sh->sh_size;
}

void cf_elf_constants(cf_reader *read, void *arg, struct cf_elf *elf)
{
    const uint32_t loads = elf->part_count;
    struct cf_segment *grown;
    Elf64_Ehdr eh;
    Elf64_Shdr sh;

    if (!read(arg, 0, &eh, sizeof(eh)) || eh.e_shentsize != sizeof(sh) || !eh.e_shnum ||
        eh.e_shnum > SECTIONS_MAX)
        return;
    grown = reallocarray(elf->parts, loads + eh.e_shnum, sizeof(*grown));
    if (!grown)
        return;
    elf->parts = grown;
    for (unsigned i = 0; i < eh.e_shnum; i++) {
        if (!read(arg, eh.e_shoff + i * sizeof(sh), &sh, sizeof(sh)))
            return;
        for (uint32_t k = 0; is_constant(&sh) && k < loads; k++) {
            const struct cf_segment *p = &grown[k];
            uint64_t at = sh.sh_addr - p->vaddr;

            if ((p->flags & PF_W) && at < p->filesz && sh.sh_size <= p->filesz - at)
                grown[elf->part_count++] = (struct cf_segment){sh.sh_addr, sh.sh_size, p->offset + at,
                                                               sh.sh_size, PF_R | CF_CONSTANT};
        }
    }
}

bool cf_elf_has_id(int fd, const void *id, size_t size)
{
    struct cf_elf elf = {0};
    Elf64_Shdr sh;
    Elf64_Ehdr eh;

    if (!cf_pread(fd, &eh, sizeof(eh), 0) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
        eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
        eh.e_shentsize != sizeof(sh))
        return false;
    /* Not by program headers: in a debug file they are the program's, and what they stand for is not
       there. */
    for (int i = 0; i < eh.e_shnum && !elf.id_size; i++) {
        uint8_t *buf;

        if (!cf_pread(fd, &sh, sizeof(sh), eh.e_shoff + (uint64_t)i * sizeof(sh)))
            return false;
        if (sh.sh_type != SHT_NOTE || !sh.sh_size || sh.sh_size > NOTES_MAX)
            continue;
        buf = malloc(sh.sh_size);
        if (buf && cf_pread(fd, buf, sh.sh_size, sh.sh_offset))
            find_id(buf, sh.sh_size, sh.sh_addralign, &elf);
        free(buf);
    }
    return elf.id_size && elf.id_size == size && !memcmp(elf.id, id, size);
}
