/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program's locks are its own, so threads of two copies may wait for the same one. They give their threads
 * the same lock numbers, so a word's number does not tell a debugger the owner any more. Each copy's file has
 * a note (owner "OMPC", type 2) whose descriptor leads to a function of that copy, to be called by others.
 * Copies in other link namespaces (dlmopen) are not found.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <string.h>

#include "base.h"
#include "mutex.h"
#include "numbers.h"
#include "other_copies.h"

/* Weak: a fully static program, which has one copy, need not have it. */
extern __typeof__(dl_iterate_phdr) dl_iterate_phdr __attribute__((weak));

#define OWNER     "OMPC"
#define NOTE_TYPE 2

/** Called by another copy, maybe before this one has started. */
__attribute__((visibility("hidden"))) void rt_other_copy_is_there(void);
void rt_other_copy_is_there(void)
{
    rt_mutex_share();
    atomic_fetch_or_explicit(&rt_root.lock_numbers_reused, RT_NUMBERS_SHARED, memory_order_release);
}

/* As the note of layout_table.c. The descriptor: the function's address minus that of the descriptor. */
__asm__(".pushsection .note.ompc, \"a\", @note\n\t"
        ".p2align 2\n\t"
        ".long 5, 4, 2\n\t" /* name and descriptor sizes, type */
        ".asciz \"OMPC\"\n\t"
        ".p2align 2\n\t"
        ".long rt_other_copy_is_there - .\n\t"
        ".popsection");

/** Tells the copy whose note it is, unless that is this one. */
static void tell(const char *descriptor)
{
    int32_t offset;
    memcpy(&offset, descriptor, sizeof offset);
    void (*is_there)(void) = (void (*)(void))(uintptr_t)(descriptor + offset);
    if (is_there == rt_other_copy_is_there)
        return;
    is_there();
    rt_other_copy_is_there();
}

static void look_through(const char *notes, size_t size, size_t align)
{
    ElfW(Nhdr) note;
    for (size_t at = 0; at < size && size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note;
        size_t descriptor = (name + note.n_namesz + align - 1) & ~(align - 1);
        if (descriptor > size || note.n_descsz > size - descriptor)
            return;
        if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof OWNER && note.n_descsz == sizeof(int32_t) &&
            memcmp(notes + name, OWNER, sizeof OWNER) == 0)
            tell(notes + descriptor);
        at = (descriptor + note.n_descsz + align - 1) & ~(align - 1);
    }
}

static int look_at_file(struct dl_phdr_info *file, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &file->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            look_through(
                (const char *)(file->dlpi_addr + segment->p_vaddr), /* NOLINT(performance-no-int-to-ptr) */
                segment->p_memsz, segment->p_align == 8 ? 8 : 4);
    }
    return 0;
}

void rt_other_copies_start(void)
{
    if (dl_iterate_phdr)
        dl_iterate_phdr(look_at_file, NULL);
}
