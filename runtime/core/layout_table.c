/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The published table: what ../layout.def lists, with the offsets and sizes of this build
 * (docs/core-note.md).
 *
 * It is filled at start-up rather than by the linker: writing dirties its pages, and a kernel core keeps only
 * dirty pages of a library. So the core alone is enough to explain the process.
 */
#include <string.h>

#include "arch.h"
#include "doacross.h"
#include "env.h"
#include "held.h"
#include "layout_table.h"
#include "workshare.h"

#define ENTRY_STRUCT 1
#define ENTRY_FIELD  2
#define ENTRY_BITS   3
#define ENTRY_VAR    4
#define ENTRY_CONST  5

struct table_entry {
    uint16_t id, what;
    int32_t offset;
    uint32_t size, count;
    uint64_t mask;
};

enum {
    ENTRIES = 0
#define RT_STRUCT(...) +1
#define RT_FIELD(...)  +1
#define RT_BITS(...)   +1
#define RT_VAR(...)    +1
#define RT_CONST(...)  +1
#include "../layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
};

struct table {
    char magic[8];
    uint16_t major, minor;
    uint32_t count, entry_size, header_size;
    uint64_t self;
    struct table_entry entries[ENTRIES];
};
_Static_assert(sizeof(struct table_entry) == 24 && offsetof(struct table, entries) == 32,
               "docs/core-note.md");

/*
 * Exported for readers that have symbols; the hidden alias lets the note refer to it by a number known to the
 * linker.
 */
RT_EXPORT struct table rt_layout_table __attribute__((aligned(RT_PAGE_BYTES)));
extern struct table rt_layout_table_here __attribute__((alias("rt_layout_table"), visibility("hidden")));

/*
 * The code, by symbols that linkers define: all of the shared library; in the archive a section with a name
 * of its own.
 */
#ifdef RT_STATIC
#define rt_code_start __start_ompcompanion_text
#define rt_code_end   __stop_ompcompanion_text
#else
#define rt_code_start __ehdr_start
#define rt_code_end   _end
#endif
extern const char rt_code_start[1] __attribute__((visibility("hidden"), weak));
extern const char rt_code_end[1] __attribute__((visibility("hidden"), weak));

/*
 * An array member's element type is the member's own, so its count is sizeof / sizeof [0]; scalars count 1.
 */
#define MEMBER(tag, member) (((struct tag *)0)->member)
#define COUNT_OF(tag, member)                                                 \
    _Generic(&MEMBER(tag, member), char(*)[64] : 64, int32_t(*)[RT_NEST_LIST] \
             : RT_NEST_LIST, struct rt_slab(*)[RT_ROOT_SLABS]                 \
             : RT_ROOT_SLABS, struct rt_slab(*)[RT_BLOCK_SLABS]               \
             : RT_BLOCK_SLABS, uint8_t(*)[RT_NEST_LIST]                       \
             : RT_NEST_LIST, uint64_t(*)[RT_CPU_WORDS]                        \
             : RT_CPU_WORDS, struct rt_held_place(*)[RT_HELD_MAX]             \
             : RT_HELD_MAX, default : 1)

void rt_layout_fill(void)
{
    /* The alias: the exported name may be another copy's, when several libraries hold the archive. */
    struct table *table = &rt_layout_table_here;
    const struct table_entry entries[ENTRIES] = {
#define RT_STRUCT(id, tag, comment) {id, ENTRY_STRUCT, 0, sizeof(struct tag), 1, 0},
#define RT_FIELD(id, tag, member, comment)               \
    {id,                                                 \
     ENTRY_FIELD,                                        \
     offsetof(struct tag, member),                       \
     sizeof MEMBER(tag, member) / COUNT_OF(tag, member), \
     COUNT_OF(tag, member),                              \
     0},
#define RT_BITS(id, tag, member, name, bits, comment) \
    {id, ENTRY_BITS, offsetof(struct tag, member), sizeof MEMBER(tag, member), 1, bits},
#define RT_VAR(id, variable, comment) \
    {id, ENTRY_VAR, (int32_t)((char *)&(variable) - (char *)table), sizeof(variable), 1, 0},
#define RT_CONST(id, name, value, comment) {id, ENTRY_CONST, 0, 0, 0, value},
#include "../layout.def"
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
#undef RT_CONST
    };
    memcpy(table->entries, entries, sizeof entries);
    table->major = 1;
    table->minor = 9;
    table->count = ENTRIES;
    table->entry_size = sizeof(struct table_entry);
    table->header_size = offsetof(struct table, entries);
    table->self = (uint64_t)(uintptr_t)table;
    atomic_thread_fence(memory_order_release);
    memcpy(table->magic, "OMPCLAYT", 8);
}

/*
 * The ELF note that leads from the library's first page to the table (docs/core-note.md). In a function,
 * because only there can assembly take a size from C; it emits no instruction.
 */
__attribute__((used)) static void emit_note(void)
{
    __asm__(".pushsection .note.ompc, \"a\", @note\n\t"
            ".p2align 2\n\t"
            ".long 5, 16, 1\n\t" /* name and descriptor sizes, type */
            ".asciz \"OMPC\"\n\t"
            ".p2align 2\n\t"
            ".long rt_layout_table_here - ., %c0, 1, 0\n\t"
            ".popsection"
            :
            : "i"(sizeof(struct table)));
}
