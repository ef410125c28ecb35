/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An ELF core: header, segments, notes. Read piece by piece: a core may be larger than memory, and every number in it
 * is a stranger's.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 2^20 mappings is 16 times the kernel's default limit (vm.max_map_count). A note of this size is no thread's. */
enum { SEGMENTS_MAX = 1 << 20, NOTE_MAX = 1 << 26, PHDR_BATCH = 512 };

static int by_address(const void *a, const void *b)
{
    const struct cf_segment *x = a, *y = b;

    return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* The notes of one PT_NOTE. Ends early, without a word, where the file does: the caller has seen that. */
static int read_notes(struct cf_target *t, uint64_t offset, uint64_t size)
{
    bool out_of_memory = false;
    uint64_t end;

    if (offset > t->core_size)
        return 0;
    end = size > t->core_size - offset ? t->core_size : offset + size;
    while (end - offset >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        uint64_t desc, left;
        uint8_t *buf;

        if (!cf_pread(t->core_fd, &note, sizeof(note), offset))
            return 0;
        /* The kernel and GDB align the notes of a core to 4 bytes, also on 64-bit machines. */
        desc = sizeof(note) + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3));
        left = end - offset;
        if (desc > left || note.n_descsz > left - desc)
            return 0;
        if (note.n_descsz <= NOTE_MAX) {
            buf = malloc((size_t)note.n_descsz + 1);
            if (!buf)
                return -1;
            if (cf_pread(t->core_fd, buf, note.n_descsz, offset + desc))
                cf_core_note(t, note.n_type, buf, note.n_descsz, &out_of_memory);
            free(buf);
            if (out_of_memory)
                return -1;
        }
        desc += ((uint64_t)note.n_descsz + 3) & ~UINT64_C(3);
        if (desc > left)
            return 0;
        offset += desc;
    }
    return 0;
}

static int read_segments(struct cf_target *t, const Elf64_Ehdr *eh, uint64_t count)
{
    uint64_t end = 0;

    t->segments = calloc(count ? count : 1, sizeof(*t->segments));
    if (!t->segments)
        return -1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < count;) {
            Elf64_Phdr ph[PHDR_BATCH];
            uint64_t n = count - i < PHDR_BATCH ? count - i : PHDR_BATCH;

            if (!cf_pread(t->core_fd, ph, n * sizeof(*ph), eh->e_phoff + i * sizeof(*ph))) {
                t->info.truncated = 1;
                break;
            }
            for (uint64_t k = 0; k < n; k++) {
                if (ph[k].p_filesz && ph[k].p_offset + ph[k].p_filesz > end)
                    end = ph[k].p_offset + ph[k].p_filesz;
                if (pass == 1 && ph[k].p_type == PT_NOTE && read_notes(t, ph[k].p_offset, ph[k].p_filesz))
                    return -1;
                if (pass == 0 && ph[k].p_type == PT_LOAD && ph[k].p_memsz &&
                    ph[k].p_vaddr + (ph[k].p_memsz - 1) >= ph[k].p_vaddr)
                    t->segments[t->segment_count++] = (struct cf_segment){
                        ph[k].p_vaddr, ph[k].p_memsz, ph[k].p_offset,
                        ph[k].p_filesz < ph[k].p_memsz ? ph[k].p_filesz : ph[k].p_memsz, ph[k].p_flags};
            }
            i += n;
        }
    }
    if (end > t->core_size)
        t->info.truncated = 1;
    qsort(t->segments, t->segment_count, sizeof(*t->segments), by_address);
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct cf_map *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static char *not_a_core(const struct cf_target *t, const struct stat *st)
{
    unsigned char head[EI_NIDENT + 2];

    if (st->st_size == 0)
        return cf_format("%s is not a core file: it is empty. Was the limit of cores or the disk too small?",
                         t->info.core);
    if (cf_pread(t->core_fd, head, sizeof(head), 0) && !memcmp(head, ELFMAG, SELFMAG))
        return cf_format("%s is not a core file: it is a program or a library.", t->info.core);
    return cf_format("%s is not a core file.", t->info.core);
}

int cf_core_load(struct cf_target *t, char **error)
{
    Elf64_Ehdr eh;
    Elf64_Shdr sh;
    struct stat st;
    uint64_t count;

    if (fstat(t->core_fd, &st) || st.st_size < 0 || !cf_pread(t->core_fd, &eh, sizeof(eh), 0) ||
        memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_type != ET_CORE) {
        *error = not_a_core(t, &st);
        return -1;
    }
    t->core_size = (uint64_t)st.st_size;
    t->arch = cf_arch_of(eh.e_machine);
    if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB || !t->arch) {
        *error =
            cf_format("%s is a core of a machine that is not supported (%s%s ELF machine %u): x86-64 and "
                      "little-endian aarch64 are.",
                      t->info.core, eh.e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit " : "",
                      eh.e_ident[EI_DATA] == ELFDATA2MSB ? "big-endian" : "little-endian", eh.e_machine);
        return -1;
    }
    count = eh.e_phnum;
    /* More than 65534 mappings: the number stands in section header 0 (elf(5), PN_XNUM). */
    if (eh.e_phnum == PN_XNUM)
        count = cf_pread(t->core_fd, &sh, sizeof(sh), eh.e_shoff) ? sh.sh_info : 0;
    if (eh.e_phentsize != sizeof(Elf64_Phdr) || !count || count > SEGMENTS_MAX) {
        *error = cf_format("%s is damaged: it has %llu program headers of %u bytes.", t->info.core,
                           (unsigned long long)count, eh.e_phentsize);
        return -1;
    }
    if (read_segments(t, &eh, count)) {
        *error = cf_format("Out of memory.");
        return -1;
    }
    t->info.machine = t->arch->name;
    if (t->map_count)
        qsort(t->maps, t->map_count, sizeof(*t->maps), by_start);
    if (t->info.truncated)
        cf_add_problem(
            t, cf_format("The core file is not complete."),
            cf_format("It ends after %llu bytes, before what its headers announce: a limit (ulimit -c, "
                      "ProcessSizeMax of systemd-coredump), a full disk or a broken copy.",
                      (unsigned long long)t->core_size),
            cf_format("What is missing is said where it is missed."));
    if (!t->thread_count) {
        *error = cf_format("%s has no threads in it%s.", t->info.core,
                           t->info.truncated ? ": it ends before them" : "");
        return -1;
    }
    return 0;
}
