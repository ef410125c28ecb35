/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/discover.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/model/model.h"
#include "inspect/target/dynamic.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/library.h"

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

struct note {
    Elf64_Nhdr head;
    const unsigned char *name, *desc;
    uint64_t desc_at; /* from the segment's start */
};

/* The note at *AT of a PT_NOTE segment of which SIZE bytes are there; *AT is then behind it. */
static bool next_note(const unsigned char *notes, uint64_t size, uint64_t align, uint64_t *at,
                      struct note *ret)
{
    uint64_t end;

    /* The gABI wants 8-byte fields in 64-bit notes, everybody pads to 4; p_align of 8 means 8 (GNU property
       notes). */
    align = align == 8 ? 8 : 4;
    if (*at > size || size - *at < sizeof(ret->head))
        return false;
    memcpy(&ret->head, notes + *at, sizeof(ret->head));
    /* 32-bit sizes in 64-bit sums: they cannot wrap. */
    ret->desc_at = *at + rounded(sizeof(ret->head) + ret->head.n_namesz, align);
    end = ret->desc_at + ret->head.n_descsz;
    if (end > size)
        return false;
    ret->name = notes + *at + sizeof(ret->head);
    ret->desc = notes + ret->desc_at;
    *at += rounded(end - *at, align);
    return true;
}

static bool is_note(const struct note *n, uint32_t type, const char *owner)
{
    return n->head.n_type == type && n->head.n_namesz == strlen(owner) + 1 &&
           !memcmp(n->name, owner, n->head.n_namesz);
}

static void take_build_id(const struct note *n, uint8_t id[DISCOVER_ID], uint32_t *size)
{
    if (!is_note(n, NT_GNU_BUILD_ID, ELF_NOTE_GNU) || *size || !n->head.n_descsz ||
        n->head.n_descsz > DISCOVER_ID)
        return;
    memcpy(id, n->desc, n->head.n_descsz);
    *size = n->head.n_descsz;
}

/* One PT_NOTE segment: NOTES has SIZE bytes, which were read at ADDR. Whether the runtime's note is there. */
static bool find_notes(const unsigned char *notes, uint64_t size, uint64_t align, uint64_t addr,
                       struct discover_image *ret)
{
    bool found = false;
    uint64_t at = 0;
    struct note n;

    while (!found && next_note(notes, size, align, &at, &n)) {
        uint32_t word[4];

        take_build_id(&n, ret->build_id, &ret->build_id_size);
        if (!is_note(&n, NOTE_TYPE, NOTE_OWNER) || n.head.n_descsz < NOTE_DESC)
            continue;
        memcpy(word, n.desc, sizeof(word));
        if (word[1] < TABLE_HEADER || word[1] > TABLE_MAX)
            return false;
        ret->table = addr + n.desc_at + (uint64_t)(int64_t)(int32_t)word[0];
        ret->table_size = word[1];
        ret->table_major = word[2];
        found = true;
    }
    return found;
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
        found = find_notes(bytes + ph.p_offset, ph.p_filesz, ph.p_align, base + ph.p_offset, ret);
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

/* The notes at ADDR, which a tool has moved out of the first page when it gave the file another name. */
static void read_notes(insp_session *s, struct insp_known_module *m, uint64_t addr, const Elf64_Phdr *ph)
{
    unsigned char notes[DISCOVER_PAGE];
    const uint64_t size = ph->p_filesz < sizeof(notes) ? ph->p_filesz : sizeof(notes);
    struct note n;

    if (host_read(s, addr, notes, size))
        return;
    for (uint64_t at = 0; next_note(notes, size, ph->p_align, &at, &n);)
        take_build_id(&n, m->build_id, &m->build_id_size);
}

void discover_build_id(insp_session *s, struct insp_known_module *m)
{
    enum { SEGMENTS = 4 };
    unsigned char page[DISCOVER_PAGE];
    int left = SEGMENTS;
    Elf64_Ehdr head;

    if (m->build_id_size || m->build_id_asked || !m->readable)
        return;
    m->build_id_asked = true;
    if (host_read(s, m->base, page, sizeof(page)))
        return;
    memcpy(&head, page, sizeof(head));
    for (unsigned i = 0; i < head.e_phnum && left && !m->build_id_size; i++) {
        uint64_t at = head.e_phoff + (uint64_t)i * head.e_phentsize;
        Elf64_Phdr ph;

        if (head.e_phoff > sizeof(page) || at > sizeof(page) - sizeof(ph))
            break;
        memcpy(&ph, page + at, sizeof(ph));
        if (ph.p_type != PT_NOTE || (ph.p_offset < sizeof(page) && ph.p_filesz <= sizeof(page) - ph.p_offset))
            continue;
        read_notes(s, m, m->bias + ph.p_vaddr, &ph);
        left--;
    }
}

bool discover_stock(const struct insp_known_module *m)
{
    return m->stock && !m->runtime;
}

/* Whether a file without our note is a runtime: by its name, or by what it exports. Each question is a read,
   so programs are not asked, nor libraries of the system with names that say something else. */
static bool is_stock(insp_session *s, const struct insp_known_module *m)
{
    const bool named = strstr(mdl_base_name(m->path), "omp") != NULL;
    struct dynamic d;

    if (discover_foreign(m->path))
        return true;
    if (m->skipped || m->fixed || m->interpreted || (library_of_system(m->path) && !named))
        return false;
    return dynamic_read(s, m, &d) &&
           (dynamic_exports(s, &d, "GOMP_parallel") || dynamic_exports(s, &d, "__kmpc_fork_call"));
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
    m->build_id_size = image.build_id_size;
    memcpy(m->build_id, image.build_id, sizeof(m->build_id));
    if (!note) {
        m->stock = is_stock(s, m);
        return;
    }
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
