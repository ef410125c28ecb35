/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/fuzz/mutate.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

/** The core that is changed. */
struct core {
    uint8_t *data;
    size_t size;
    uint64_t *seed;
};

struct field {
    uint8_t at, size;
};
#define FIELD(type, name)                               \
    {                                                   \
        offsetof(type, name), sizeof(((type *)0)->name) \
    }

static const struct field ehdr_fields[] = {
    FIELD(Elf64_Ehdr, e_ident),    FIELD(Elf64_Ehdr, e_type),      FIELD(Elf64_Ehdr, e_machine),
    FIELD(Elf64_Ehdr, e_phoff),    FIELD(Elf64_Ehdr, e_shoff),     FIELD(Elf64_Ehdr, e_phentsize),
    FIELD(Elf64_Ehdr, e_phnum),    FIELD(Elf64_Ehdr, e_shentsize), FIELD(Elf64_Ehdr, e_shnum),
    FIELD(Elf64_Ehdr, e_shstrndx),
};
static const struct field phdr_fields[] = {
    FIELD(Elf64_Phdr, p_type),  FIELD(Elf64_Phdr, p_flags),  FIELD(Elf64_Phdr, p_offset),
    FIELD(Elf64_Phdr, p_vaddr), FIELD(Elf64_Phdr, p_filesz), FIELD(Elf64_Phdr, p_memsz),
    FIELD(Elf64_Phdr, p_align),
};
static const struct field note_fields[] = {
    FIELD(Elf64_Nhdr, n_namesz),
    FIELD(Elf64_Nhdr, n_descsz),
    FIELD(Elf64_Nhdr, n_type),
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

uint64_t mutate_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static size_t below(const struct core *c, size_t count)
{
    return count ? mutate_random(c->seed) % count : 0;
}

/* The program header INDEX, wrapped around; false where it lies outside. *place: its own. */
static bool header(const struct core *c, uint64_t base, size_t index, Elf64_Phdr *ret, uint64_t *place)
{
    Elf64_Ehdr eh;

    if (base > c->size || c->size - base < sizeof(eh))
        return false;
    memcpy(&eh, c->data + base, sizeof(eh));
    if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || !eh.e_phnum)
        return false;
    *place = base + eh.e_phoff + index % eh.e_phnum * sizeof(*ret);
    if (*place > c->size || c->size - *place < sizeof(*ret))
        return false;
    memcpy(ret, c->data + *place, sizeof(*ret));
    return true;
}

/* A number that has a meaning: a limit, near to what is there, or a place in the core or its memory. */
static uint64_t number(const struct core *c, uint64_t old)
{
    static const uint64_t limits[] = {
        0,         1,          2,          7,         8,          63,         64,
        255,       4095,       4096,       0x7fff,    0xfffe,     0xffff,     0x10000,
        INT32_MAX, 0x80000000, UINT32_MAX, INT64_MAX, 1ULL << 63, UINT64_MAX, UINT64_MAX - 4095};
    Elf64_Phdr ph;
    uint64_t place;

    switch (below(c, 8)) {
    case 0:
    case 1:
        return limits[below(c, COUNT(limits))];
    case 2:
        return old + below(c, 17) - 8;
    case 3:
        return old ^ 1ULL << below(c, 64);
    case 4:
        return mutate_random(c->seed);
    case 5:
        return c->size + below(c, 17) - 8;
    default:
        if (!header(c, 0, mutate_random(c->seed) % 0x10000, &ph, &place))
            return below(c, c->size);
        switch (below(c, 6)) {
        case 0:
            return ph.p_offset;
        case 1:
            return ph.p_vaddr;
        case 2:
            return ph.p_vaddr + ph.p_memsz;
        case 3:
            return ph.p_filesz;
        default:
            return ph.p_vaddr + below(c, ph.p_filesz);
        }
    }
}

static void change(const struct core *c, uint64_t at, size_t size)
{
    uint64_t value = 0;

    if (size > sizeof(value))
        size = sizeof(value);
    if (at > c->size || c->size - at < size)
        return;
    memcpy(&value, c->data + at, size);
    value = number(c, value);
    memcpy(c->data + at, &value, size);
}

/* A word of SIZE bytes at AT or behind it; words are aligned to their size there. */
static void change_word(const struct core *c, uint64_t at, uint64_t size)
{
    const size_t width = !below(c, 4) ? 1 : below(c, 2) ? 8 : 4;

    if (size >= width)
        change(c, at + below(c, size / width) * width, width);
}

/* A note among those in [at, at + size): its header, or a word of what it holds. */
static void change_note(const struct core *c, uint64_t at, uint64_t size)
{
    size_t skip = below(c, 16);
    uint64_t chosen = at, end = at + size;
    Elf64_Nhdr note = {0};

    if (at > c->size || size > c->size - at)
        return;
    do {
        uint64_t next;

        if (end - at < sizeof(note))
            break;
        memcpy(&note, c->data + at, sizeof(note));
        chosen = at;
        next = sizeof(note) + ((uint64_t)note.n_namesz + 3) / 4 * 4 + ((uint64_t)note.n_descsz + 3) / 4 * 4;
        if (next > end - at)
            break;
        at += next;
    } while (skip--);
    if (below(c, 2)) {
        const struct field *f = &note_fields[below(c, COUNT(note_fields))];

        change(c, chosen + f->at, f->size);
    } else {
        change_word(c, chosen + sizeof(note) + ((uint64_t)note.n_namesz + 3) / 4 * 4, note.n_descsz);
    }
}

static void change_elf(const struct core *c, uint64_t base)
{
    Elf64_Phdr ph, other;
    uint64_t place, from;
    const struct field *f;

    if (!header(c, base, mutate_random(c->seed) % 0x10000, &ph, &place))
        return;
    switch (below(c, 8)) {
    case 0:
        f = &ehdr_fields[below(c, COUNT(ehdr_fields))];
        change(c, base + f->at, f->size);
        break;
    case 1: /* one more of a kind, or one less of another */
        if (header(c, base, mutate_random(c->seed) % 0x10000, &other, &from))
            memcpy(c->data + place, &other, sizeof(other));
        break;
    case 2:
    case 3:
        f = &phdr_fields[below(c, COUNT(phdr_fields))];
        change(c, place + f->at, f->size);
        break;
    default:
        if (ph.p_type == PT_NOTE)
            change_note(c, base + ph.p_offset, ph.p_filesz);
        else if (ph.p_type == PT_LOAD && !base && below(c, 2))
            change_elf(c, ph.p_offset); /* the ELF header of a mapped file, if it is one's */
        else
            change_word(c, base + ph.p_offset, ph.p_filesz);
        break;
    }
}

size_t mutate_core(uint8_t *data, size_t size, uint64_t *seed)
{
    struct core c = {data, size, seed};

    if (size > 1 && below(&c, 32) == 0)
        return 1 + below(&c, size - 1);
    if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
        change_elf(&c, 0);
    else
        change_word(&c, 0, size);
    return size;
}
