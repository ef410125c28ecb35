/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/session/discover.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/model.h"
#include "inspect/session/hostcall.h"
#include "inspect/session/library.h"

/* docs/core-note.md */
#define NOTE_OWNER   "OMPC"
#define NOTE_TYPE    1
#define NOTE_DESC    16
#define TABLE_MAGIC  "OMPCLAYT"
#define TABLE_HEADER 32
/* A table of 65,535 entries of 24 bytes has 1.5 MB. */
#define TABLE_MAX (UINT32_C(2) << 20)

#define PAGE_MASK (~UINT64_C(0xfff))

static uint64_t rounded(uint64_t n, uint64_t align)
{
    return (n + align - 1) / align * align;
}

/* One PT_NOTE segment: NOTES has LEFT bytes, which were read at ADDR. */
static bool find_note(const unsigned char *notes, uint64_t left, uint64_t align, uint64_t addr,
                      struct discover_image *ret)
{
    /* The gABI wants 8-byte fields in 64-bit notes, everybody pads to 4; p_align of 8 means 8 (GNU property
       notes). */
    align = align == 8 ? 8 : 4;
    while (left >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr head;
        uint64_t name_at = sizeof(head), desc_at, next;

        memcpy(&head, notes, sizeof(head));
        /* 32-bit sizes in 64-bit sums: they cannot wrap. */
        desc_at = rounded(name_at + head.n_namesz, align);
        next = rounded(desc_at + head.n_descsz, align);
        if (desc_at + head.n_descsz > left)
            return false;
        if (head.n_type == NOTE_TYPE && head.n_namesz == sizeof(NOTE_OWNER) && head.n_descsz >= NOTE_DESC &&
            !memcmp(notes + name_at, NOTE_OWNER, sizeof(NOTE_OWNER))) {
            uint32_t word[4];

            memcpy(word, notes + desc_at, sizeof(word));
            if (word[1] < TABLE_HEADER || word[1] > TABLE_MAX)
                return false;
            ret->table = addr + desc_at + (uint64_t)(int64_t)(int32_t)word[0];
            ret->table_size = word[1];
            ret->table_major = word[2];
            return true;
        }
        if (next >= left)
            return false;
        notes += next;
        left -= next;
        addr += next;
    }
    return false;
}

/* [start, end) of the file in memory, and its bias. Its first PT_LOAD holds the ELF header, so it begins at
 * BASE. */
static void span(const Elf64_Phdr *load, int count, uint64_t base, struct discover_image *ret)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (int i = 0; i < count; i++) {
        uint64_t end = load[i].p_vaddr + load[i].p_memsz;

        if (end < load[i].p_vaddr)
            continue;
        if ((load[i].p_vaddr & PAGE_MASK) < low)
            low = load[i].p_vaddr & PAGE_MASK;
        if (end > high)
            high = end;
    }
    ret->start = base;
    ret->end = base;
    ret->bias = count ? base - low : base;
    if (low < high && high - low < UINT64_MAX - PAGE_MASK - base)
        ret->end = base + rounded(high - low, ~PAGE_MASK + 1);
}

bool discover_parse(const void *page, size_t size, uint64_t base, struct discover_image *ret)
{
    enum { MAX_LOADS = 32 };
    const unsigned char *bytes = page;
    Elf64_Phdr loads[MAX_LOADS];
    int load_count = 0;
    Elf64_Phdr dynamic = {0};
    bool found = false;
    Elf64_Ehdr head;

    *ret = (struct discover_image){0};
    if (size < sizeof(head))
        return false;
    memcpy(&head, bytes, sizeof(head));
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_phentsize < sizeof(Elf64_Phdr) || head.e_phoff > size)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = head.e_phoff + (uint64_t)i * head.e_phentsize;
        Elf64_Phdr ph;

        /* Headers behind the first page are not there for us; the linker puts ours in front. */
        if (at > size - sizeof(ph))
            break;
        memcpy(&ph, bytes + at, sizeof(ph));
        if (ph.p_type == PT_LOAD && load_count < MAX_LOADS)
            loads[load_count++] = ph;
        if (ph.p_type == PT_DYNAMIC)
            dynamic = ph;
        ret->interpreted |= ph.p_type == PT_INTERP;
        if (ph.p_type != PT_NOTE || found || ph.p_offset >= size)
            continue;
        if (ph.p_filesz > size - ph.p_offset)
            ph.p_filesz = size - ph.p_offset;
        found = find_note(bytes + ph.p_offset, ph.p_filesz, ph.p_align, base + ph.p_offset, ret);
    }
    ret->fixed = head.e_type == ET_EXEC;
    span(loads, load_count, base, ret);
    if (dynamic.p_type) {
        ret->dynamic = ret->bias + dynamic.p_vaddr;
        ret->dynamic_size = dynamic.p_memsz;
    }
    return found;
}

enum discover_started discover_started(insp_session *s, const struct insp_known_module *module)
{
    unsigned char head[TABLE_HEADER], zero[8] = {0};
    uint64_t self;

    if (host_read(s, module->table, head, sizeof(head)))
        return DISCOVER_UNREADABLE;
    if (!memcmp(head, zero, sizeof(zero)))
        return DISCOVER_NOT_STARTED;
    memcpy(&self, head + 24, sizeof(self));
    return !memcmp(head, TABLE_MAGIC, 8) && self == module->table ? DISCOVER_STARTED : DISCOVER_DAMAGED;
}

bool discover_foreign(const char *path)
{
    const char *base = mdl_base_name(path);

    return library_code(base) == INSP_CODE_OPENMP && strncmp(base, "libompcompanion", 15) != 0;
}

/* Each page is one read over a debugger's wire, and every process has these. */
bool discover_skipped(const char *path)
{
    enum insp_code code = library_code(mdl_base_name(path));

    return code != INSP_CODE_UNKNOWN && code != INSP_CODE_OPENMP;
}

static int remember(insp_session *s, const struct insp_module *module)
{
    uint64_t *at = hash_find(&s->module_index, module->base, module->path); /* index + 1 */

    if (!at) {
        struct insp_known_module *modules = array_grow(s->modules, (size_t)s->module_count, sizeof(*modules));
        char *path = modules ? strdup(module->path) : NULL;

        s->modules = modules ? modules : s->modules;
        at = path ? hash_add(&s->module_index, module->base, path) : NULL;
        if (!at) {
            free(path);
            return -1;
        }
        modules[s->module_count] =
            (struct insp_known_module){.base = module->base, .path = path, .skipped = discover_skipped(path)};
        *at = (uint64_t)++s->module_count;
    }
    s->modules[*at - 1].seen = s->scan;
    return 0;
}

void discover_look(insp_session *s, struct insp_known_module *m)
{
    unsigned char page[DISCOVER_PAGE];
    struct discover_image image;
    bool note;

    if (m->readable || m->tried == s->scan)
        return;
    m->tried = s->scan;
    if (host_read(s, m->base, page, sizeof(page)))
        return;
    note = discover_parse(page, sizeof(page), m->base, &image);
    if (note && s->runtime_count == INSP_RUNTIMES_MAX) {
        s->more_runtimes = true;
        return; /* asked again when one of the others is gone */
    }
    m->readable = true;
    m->start = image.start;
    m->end = image.end;
    m->bias = image.bias;
    m->dynamic = image.dynamic;
    m->dynamic_size = image.dynamic_size;
    m->fixed = image.fixed;
    m->interpreted = image.interpreted;
    if (!note)
        return;
    s->runtimes[s->runtime_count++] = (int)(m - s->modules);
    m->runtime = true;
    m->table = image.table;
    m->table_size = image.table_size;
    m->table_major = image.table_major;
}

int discover_scan(insp_session *s)
{
    struct insp_module module;
    int rc = 0;

    s->scan++;
    for (uint32_t i = 0; i < UINT32_C(1) << 20; i++) {
        module = (struct insp_module){0};
        rc = host_module(s, i, &module);
        if (rc)
            break;
        if (!module.path)
            module.path = "";
        if (remember(s, &module))
            return -1;
    }
    s->runtime_count = 0;
    s->more_runtimes = false;
    for (int i = 0; i < s->module_count; i++)
        if (s->modules[i].seen == s->scan && s->modules[i].runtime && s->runtime_count < INSP_RUNTIMES_MAX)
            s->runtimes[s->runtime_count++] = i;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->module_count; i++)
            if (s->modules[i].seen == s->scan && !s->modules[i].skipped &&
                (strstr(mdl_base_name(s->modules[i].path), "omp") == NULL) == pass)
                discover_look(s, &s->modules[i]);
    return rc < 0 ? rc : 0;
}

bool discover_own_symbol(const ompd_address_space_context_t *context, const char *symbol, uint64_t *addr)
{
    if (!context->module.table || strcmp(symbol, "rt_layout_table"))
        return false;
    *addr = context->module.table;
    return true;
}
