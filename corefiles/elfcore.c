/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An ELF core: header, segments, notes. Read piece by piece: a core may be larger than memory, and every
 * number in it is a stranger's.
 */
#include "corefiles/elfcore.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/arch.h"
#include "corefiles/file.h"
#include "corefiles/memory.h"
#include "corefiles/notes.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/vdso.h"

/* A note of this size is no thread's. */
enum { NOTE_MAX = 1 << 26, PHDR_BATCH = 512 };

/** The PT_NOTEs of a core. */
struct note_parts {
    struct cf_segment *part; /**< offset and filesz, in the order of the headers */
    uint32_t count;
};

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

static int by_offset(const void *a, const void *b)
{
    const struct cf_segment *x = *(const struct cf_segment *const *)a,
                            *y = *(const struct cf_segment *const *)b;

    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Each byte of notes counts once: of those that overlap the first in the file stays. Else few bytes, named by
   thousands of headers, would be as many threads. */
static bool drop_overlaps(struct cf_target *t, struct note_parts *notes)
{
    struct cf_segment **order = malloc((notes->count + (size_t)1) * sizeof(struct cf_segment *));
    uint32_t dropped = 0;
    uint64_t end = 0;

    if (!order)
        return false;
    for (uint32_t i = 0; i < notes->count; i++)
        order[i] = &notes->part[i];
    qsort(order, notes->count, sizeof(*order), by_offset);
    for (uint32_t i = 0; i < notes->count; i++) {
        if (order[i]->offset < end) {
            order[i]->filesz = 0;
            dropped++;
        } else {
            end = order[i]->filesz > UINT64_MAX - order[i]->offset ? UINT64_MAX
                                                                   : order[i]->offset + order[i]->filesz;
        }
    }
    free(order);
    if (dropped)
        cf_add_problem(
            t, cf_format("Parts of the core's notes overlap."),
            cf_format("%u of %u program headers for notes name bytes that an earlier one has, and are "
                      "left out.",
                      dropped, notes->count),
            strdup(""));
    return true;
}

static int read_all_notes(struct cf_target *t, struct note_parts *notes)
{
    int rc = drop_overlaps(t, notes) ? 0 : -1;

    /* The first thread is the one that took the signal, so their order is that of the headers. */
    for (uint32_t i = 0; i < notes->count && !rc; i++)
        if (notes->part[i].filesz)
            rc = read_notes(t, notes->part[i].offset, notes->part[i].filesz);
    cf_core_notes_end(t);
    return rc;
}

/* One program header. *end: how far the contents reach. */
static bool take_header(struct cf_target *t, const Elf64_Phdr *ph, struct note_parts *notes, uint64_t *end)
{
    if (ph->p_filesz && ph->p_offset + ph->p_filesz > *end)
        *end = ph->p_offset + ph->p_filesz;
    if (ph->p_type == PT_LOAD && ph->p_memsz && ph->p_vaddr + (ph->p_memsz - 1) >= ph->p_vaddr) {
        if (!cf_grow(&t->segments, t->segment_count, sizeof(*t->segments)))
            return false;
        t->segments[t->segment_count++] =
            (struct cf_segment){ph->p_vaddr, ph->p_memsz, ph->p_offset,
                                ph->p_filesz < ph->p_memsz ? ph->p_filesz : ph->p_memsz, ph->p_flags};
    }
    if (ph->p_type == PT_NOTE && ph->p_filesz) {
        if (!cf_grow(&notes->part, notes->count, sizeof(*notes->part)))
            return false;
        notes->part[notes->count++] = (struct cf_segment){.offset = ph->p_offset, .filesz = ph->p_filesz};
    }
    return true;
}

static int read_segments(struct cf_target *t, const Elf64_Ehdr *eh, uint64_t count)
{
    struct note_parts notes = {0};
    uint64_t end = 0;
    int rc = 0;

    for (uint64_t i = 0; i < count && !rc;) {
        Elf64_Phdr ph[PHDR_BATCH];
        uint64_t n = count - i < PHDR_BATCH ? count - i : PHDR_BATCH;

        if (!cf_pread(t->core_fd, ph, n * sizeof(*ph), eh->e_phoff + i * sizeof(*ph))) {
            t->info.truncated = 1;
            break;
        }
        for (uint64_t k = 0; k < n && !rc; k++)
            rc = take_header(t, &ph[k], &notes, &end) ? 0 : -1;
        i += n;
    }
    if (end > t->core_size)
        t->info.truncated = 1;
    if (t->segment_count)
        qsort(t->segments, t->segment_count, sizeof(*t->segments), by_address);
    if (!rc)
        rc = read_all_notes(t, &notes);
    free(notes.part);
    return rc;
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
    /* More than 65534 mappings: the number is in section header 0 (elf(5), PN_XNUM). */
    if (eh.e_phnum == PN_XNUM)
        count = cf_pread(t->core_fd, &sh, sizeof(sh), eh.e_shoff) ? sh.sh_info : 0;
    if (eh.e_phentsize != sizeof(Elf64_Phdr) || !count || count > CF_SEGMENTS_MAX) {
        *error = cf_format("%s is damaged: it has %llu program headers of %u bytes.", t->info.core,
                           (unsigned long long)count, eh.e_phentsize);
        return -1;
    }
    if (read_segments(t, &eh, count)) {
        *error = cf_format("Out of memory.");
        return -1;
    }
    t->info.machine = t->arch->name;
    if (cf_vdso_map(t)) {
        *error = cf_format("Out of memory.");
        return -1;
    }
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
