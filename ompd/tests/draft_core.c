/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A core file for draft_debugger.c, read by hand after elf(5) and core(5); and what cores and processes
 * share.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <unistd.h>

#include "draft_process.h"

void process_fail(const char *what)
{
    perror(what);
    exit(3);
}

void process_add_piece(struct process *process, struct piece piece)
{
    if (process->piece_count == PROCESS_PIECES_MAX)
        process_fail("too many mappings");
    process->pieces[process->piece_count++] = piece;
}

/* A whole file, to look into; NULL: there is none. */
static const unsigned char *map_file(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        *size = (size_t)status.st_size;
        bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static void take_note(struct process *process, const Elf64_Nhdr *note, const unsigned char *content)
{
    if (note->n_type == NT_PRSTATUS && note->n_descsz >= sizeof(struct elf_prstatus)) {
        struct elf_prstatus status;
        struct user_regs_struct registers;
        memcpy(&status, content, sizeof status);
        memcpy(&registers, status.pr_reg, sizeof registers);
        if (process->thread_count == PROCESS_THREADS_MAX)
            process_fail("too many threads");
        process->threads[process->thread_count++] = (struct os_thread){status.pr_pid, registers.fs_base};
    } else if (note->n_type == NT_FILE) {
        /* Count, page size, then three words for each mapping, then the names. */
        const uint64_t *words = (const uint64_t *)content;
        const char *name = (const char *)(words + 2 + 3 * words[0]);
        for (uint64_t i = 0; i < words[0]; i++, name += strlen(name) + 1) {
            const uint64_t *map = words + 2 + 3 * i;
            process_add_piece(process, (struct piece){map[0], map[1] - map[0], map[2] * words[1],
                                                      strdup(name), open(name, O_RDONLY | O_CLOEXEC)});
        }
    }
}

void process_open_core(struct process *process, const char *path)
{
    size_t size;
    const unsigned char *bytes = map_file(path, &size);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (bytes == NULL || fd < 0 || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        process_fail(path);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(bytes + header->e_phoff);
    process->memory = -1;
    for (int i = 0; i < header->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && part[i].p_filesz != 0)
            process_add_piece(process,
                              (struct piece){part[i].p_vaddr, part[i].p_filesz, part[i].p_offset, NULL, fd});
    for (int i = 0; i < header->e_phnum; i++) {
        if (part[i].p_type != PT_NOTE)
            continue;
        const unsigned char *at = bytes + part[i].p_offset, *end = at + part[i].p_filesz;
        while (at + sizeof(Elf64_Nhdr) <= end) {
            const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;
            const unsigned char *content = at + sizeof *note + (note->n_namesz + 3u) / 4 * 4;
            take_note(process, note, content);
            at = content + (note->n_descsz + 3u) / 4 * 4;
        }
    }
}

int process_read(const struct process *process, uint64_t address, void *buffer, size_t size)
{
    char *to = buffer;
    if (process->memory >= 0)
        return pread(process->memory, buffer, size, (off_t)address) == (ssize_t)size ? 0 : -1;
    while (size > 0) {
        const struct piece *in = NULL;
        for (int i = 0; i < process->piece_count && in == NULL; i++)
            if (process->pieces[i].fd >= 0 && address - process->pieces[i].start < process->pieces[i].size)
                in = &process->pieces[i];
        if (in == NULL)
            return -1;
        const uint64_t skip = address - in->start;
        const size_t part = in->size - skip < size ? (size_t)(in->size - skip) : size;
        if (pread(in->fd, to, part, (off_t)(in->offset + skip)) != (ssize_t)part)
            return -1;
        address += part;
        to += part;
        size -= part;
    }
    return 0;
}

/* 0: the file at `path` defines the symbol; *value is its address before loading. */
static int value_in_file(const char *path, const char *name, uint64_t *value, uint64_t *first)
{
    size_t size;
    int found = -1;
    const unsigned char *bytes = map_file(path, &size);
    if (bytes == NULL)
        return -1;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    const Elf64_Shdr *section = (const Elf64_Shdr *)(bytes + header->e_shoff);
    const Elf64_Phdr *part = (const Elf64_Phdr *)(bytes + header->e_phoff);
    if (memcmp(bytes, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_shoff + (uint64_t)header->e_shnum * sizeof *section > size)
        goto out;
    for (int i = 0; i < header->e_shnum && found != 0; i++) {
        if (section[i].sh_type != SHT_SYMTAB && section[i].sh_type != SHT_DYNSYM)
            continue;
        const Elf64_Sym *symbol = (const Elf64_Sym *)(bytes + section[i].sh_offset);
        const char *names = (const char *)bytes + section[section[i].sh_link].sh_offset;
        for (uint64_t k = 0; k < section[i].sh_size / sizeof *symbol && found != 0; k++)
            if (symbol[k].st_shndx != SHN_UNDEF && strcmp(names + symbol[k].st_name, name) == 0) {
                *value = symbol[k].st_value;
                found = 0;
            }
    }
    *first = 0; /* of the loaded part: what the file's first mapping stands for */
    for (int i = header->e_phnum - 1; i >= 0; i--)
        if (part[i].p_type == PT_LOAD)
            *first = part[i].p_vaddr & ~(uint64_t)4095;
out:
    munmap((void *)(uintptr_t)bytes, size);
    return found;
}

int process_symbol(const struct process *process, const char *name, uint64_t *address)
{
    for (int i = 0; i < process->piece_count; i++) {
        const struct piece *file = &process->pieces[i];
        uint64_t value, first;
        if (file->path != NULL && file->offset == 0 && value_in_file(file->path, name, &value, &first) == 0) {
            *address = file->start + value - first;
            return 0;
        }
    }
    return -1;
}
