/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The mapped files of the target, and the file here that is the same: by the target's own name, below a sysroot, in
 * debug directories, from debuginfod. It is used only if its build-id is that in the target's memory.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct memory_reader {
    struct cf_target *t;
    uint64_t base;
};

static bool memory_read(void *arg, uint64_t at, void *buf, uint64_t size)
{
    struct memory_reader *r = arg;

    return !cf_read_target(r->t, r->base + at, buf, size);
}

static bool file_read(void *arg, uint64_t at, void *buf, uint64_t size)
{
    return cf_pread(*(int *)arg, buf, size, at);
}

static char *hexadecimal(const uint8_t *id, uint32_t size)
{
    char *text = malloc(2 * (size_t)size + 1);

    for (uint32_t i = 0; text && i < size; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", id[i]);
    return text;
}

/* "libx.so", "libx.so.1.2" */
static bool names_library(const char *path)
{
    const char *base = strrchr(path, '/'), *end = strstr(base ? base : path, ".so");

    return end && (!end[3] || end[3] == '.');
}

/* What the memory of the target says of a module. */
static void look_at_memory(struct cf_target *t, struct cf_mod *m)
{
    struct memory_reader reader = {t, m->base};
    struct cf_elf elf;
    uint8_t first;

    m->bias = m->base;
    if (cf_elf_read(memory_read, &reader, true, &elf)) {
        m->lost = cf_read_target(t, m->base, &first, 1) && names_library(m->path);
        return;
    }
    m->elf = true;
    m->bias = m->base - elf.first_vaddr;
    m->dynamic = elf.dynamic ? m->bias + elf.dynamic : 0;
    m->id_size = elf.id_size;
    memcpy(m->id, elf.id, elf.id_size);
    m->id_text = elf.id_size ? hexadecimal(elf.id, elf.id_size) : NULL;
    for (uint32_t i = 0; i < elf.part_count; i++) {
        uint64_t end = m->bias + elf.parts[i].vaddr + elf.parts[i].memsz;

        /* A module is no larger than what is mapped there; numbers in a header are not. */
        if (end > m->end && end - m->end < UINT64_C(1) << 32)
            m->end = (end + CF_PAGE - 1) & ~(uint64_t)(CF_PAGE - 1);
    }
    free(elf.parts);
}

static void too_many_modules(struct cf_target *t)
{
    cf_add_problem(t, cf_format("Not all mapped files are looked at."),
                   cf_format("There are more than %d of them, which is the limit.", CF_MODULES_MAX),
                   strdup(""));
}

int cf_modules_load(struct cf_target *t)
{
    static const char gone[] = " (deleted)";
    const struct cf_map *before = NULL;

    for (uint32_t i = 0; i < t->map_count; i++) {
        struct cf_map *map = &t->maps[i];
        struct cf_mod *last = t->module_count ? &t->modules[t->module_count - 1] : NULL;
        size_t length;

        if (map->path[0] != '/')
            continue;
        length = strlen(map->path);
        /* lld lets text share the first page with the header, so that page is mapped twice in a row: one module. */
        bool again =
            before && before->end == map->start && !before->offset && !strcmp(before->path, map->path);

        before = map;
        if (map->offset == 0 && !again && t->module_count == CF_MODULES_MAX) {
            too_many_modules(t);
            break;
        }
        if (map->offset == 0 && !again) {
            if (!cf_grow(&t->modules, t->module_count, sizeof(*t->modules)))
                return -1;
            last = &t->modules[t->module_count++];
            *last = (struct cf_mod){
                .base = map->start, .end = map->end, .path = map->path, .target = t, .fd = -1};
            if (length > sizeof(gone) && !strcmp(map->path + length - sizeof(gone) + 1, gone)) {
                map->path[length - sizeof(gone) + 1] = '\0';
                last->deleted = true;
            }
        } else if (last && !strncmp(last->path, map->path, strlen(last->path)) && map->end > last->end) {
            last->end = map->end;
        }
    }
    for (uint32_t i = 0; i < t->module_count; i++) {
        struct cf_mod *m = &t->modules[i];

        m->listed = i ? m[-1].listed + (m[-1].elf || m[-1].lost) : 0;
        look_at_memory(t, m);
        /* Headers may lie; modules do not overlap. */
        if (i + 1 < t->module_count && t->modules[i].end > t->modules[i + 1].base)
            t->modules[i].end = t->modules[i + 1].base;
        if (t->at_phdr >= t->modules[i].base && t->at_phdr < t->modules[i].end && !t->info.exe)
            t->info.exe = t->modules[i].path;
    }
    return 0;
}

struct cf_mod *cf_module_at(struct cf_target *t, uint64_t addr)
{
    uint32_t low = 0, high = t->module_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->modules[mid].base <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && addr < t->modules[low - 1].end ? &t->modules[low - 1] : NULL;
}

static enum cf_check compare(struct cf_target *t, const struct cf_mod *m, int fd, const struct cf_elf *elf)
{
    uint8_t here[CF_PAGE], there[CF_PAGE];

    if (m->id_size)
        return elf->id_size == m->id_size && !memcmp(elf->id, m->id, m->id_size) ? CF_CHECK_MATCHES
                                                                                 : CF_CHECK_NONE;
    if (cf_read_target(t, m->base, there, sizeof(there)))
        return CF_CHECK_UNSURE;
    return cf_pread(fd, here, sizeof(here), 0) && !memcmp(here, there, sizeof(here)) ? CF_CHECK_MATCHES
                                                                                     : CF_CHECK_NONE;
}

/* Takes FD if it is the module's file. *other: the build-id of one that is not. */
static bool take(struct cf_target *t, struct cf_mod *m, int fd, char *file, char **other)
{
    struct cf_elf elf;

    if (fd < 0 || !file || cf_elf_read(file_read, &fd, false, &elf)) {
        if (fd >= 0)
            close(fd);
        free(file);
        return false;
    }
    m->check = elf.machine == t->arch->machine ? compare(t, m, fd, &elf) : CF_CHECK_NONE;
    if (m->check == CF_CHECK_NONE) {
        if (!*other) {
            char *id = elf.id_size ? hexadecimal(elf.id, elf.id_size) : strdup("none");

            *other = cf_format("%s has the build-id %s", file, id ? id : "?");
            free(id);
        }
        free(elf.parts);
        close(fd);
        free(file);
        return false;
    }
    if (!m->elf) {
        m->bias = m->base - elf.first_vaddr;
        m->dynamic = elf.dynamic ? m->bias + elf.dynamic : 0;
    }
    m->fd = fd;
    m->file = file;
    m->parts = elf.parts;
    m->part_count = elf.part_count;
    return true;
}

static bool take_in(struct cf_target *t, struct cf_mod *m, const struct cf_folder *folder, const char *path,
                    char **other)
{
    char *name;
    int fd = cf_open_in(t, folder, path, &name);

    if (fd < 0 && folder == &t->home)
        m->refused = errno;
    if (!take(t, m, fd, name, other))
        return false;
    m->found = folder;
    return true;
}

static bool take_own(struct cf_target *t, struct cf_mod *m, const char *path, char **other)
{
    int fd = cf_open_own(path);

    if (fd < 0 && !m->refused)
        m->refused = errno;
    return take(t, m, fd, strdup(path), other);
}

/* By build-id and by name in each debug directory. */
static bool take_from_debug_dirs(struct cf_target *t, struct cf_mod *m, char **other)
{
    bool found = false;

    for (uint32_t i = 0; i < t->folder_count && !found; i++) {
        char *path =
            m->id_text && m->id_size > 1 ? cf_format("/.build-id/%.2s/%s", m->id_text, m->id_text + 2) : NULL;

        found = path && take_in(t, m, &t->folders[i], path, other);
        free(path);
        if (!found && take_in(t, m, &t->folders[i], m->path, other)) {
            m->found_as = m->path;
            found = true;
        }
    }
    return found;
}

static bool take_by_name(struct cf_target *t, struct cf_mod *m, char **other)
{
    if (!take_in(t, m, &t->home, m->path, other))
        return false;
    m->found_as = m->path;
    return true;
}

/* Links of the kernel's to files that the process has mapped, also when their names are gone. */
static bool take_from_kernel(struct cf_target *t, struct cf_mod *m, char **other)
{
    char path[96];

    if (m->path == t->info.exe)
        snprintf(path, sizeof(path), "/proc/%lld/exe", (long long)t->live_task);
    else
        snprintf(path, sizeof(path), "/proc/%lld/map_files/%llx-%llx", (long long)t->live_task,
                 (unsigned long long)m->base, (unsigned long long)cf_map_at(t, m->base)->end);
    if (!take_own(t, m, path, other))
        return false;
    m->found = &t->home;
    m->found_as = m->path;
    return true;
}

static bool find_file(struct cf_target *t, struct cf_mod *m, char **other)
{
    if (m->path == t->info.exe && t->options.executable) {
        if (!take_own(t, m, t->options.executable, other))
            return false;
        m->found = cf_folder_of_own(t, m->fd);
        return true;
    }
    return (!(t->live_pid && m->deleted) && take_by_name(t, m, other)) ||
           (t->live_pid && take_from_kernel(t, m, other)) || take_from_debug_dirs(t, m, other);
}

/* A page of text for each of 200 libraries hides what matters: those after the first few of a kind are counted. */
enum { FILES_LISTED = 5 };

/* The executable is always listed. */
void cf_file_problem(struct cf_target *t, const struct cf_mod *m, enum cf_file_kind kind, char *what,
                     char *why, char *remedy)
{
    static const char *const more[] = {
        "Further files of which that could not be checked (%u).", "Further files that are other ones (%u).",
        "Further files that are missing (%u).", "Further debug files that are not used (%u)."};
    struct cf_alike *alike = &t->alike[kind];

    if (m->path == t->info.exe || ++alike->count <= FILES_LISTED) {
        cf_add_problem(t, what, why, remedy);
        return;
    }
    free(what);
    free(why);
    free(remedy);
    what = cf_format(more[kind], alike->count - FILES_LISTED);
    if (alike->count == FILES_LISTED + 1) {
        alike->more = t->problem_count;
        cf_add_problem(t, what, cf_format("With -v ompd names each module's file."), NULL);
    } else if (alike->more < t->problem_count && cf_keep(t, what)) {
        t->problems[alike->more].what = what;
    }
}

static char *why_missing(const struct cf_target *t, const struct cf_mod *m)
{
    const char *id = m->id_text ? m->id_text : "unknown";

    if (m->refused == EINVAL)
        return cf_format("It is no regular file; its build-id is %s.", id);
    if (m->refused == EXDEV)
        return cf_format("It is a link that leads to nothing in %s; its build-id is %s.",
                         *t->home.root ? t->home.root : "/", id);
    return cf_format("It is not there, or may not be read; its build-id is %s.", id);
}

void cf_module_file(struct cf_target *t, struct cf_mod *m)
{
    static const char remedy[] = "Name the right one with --executable, --sysroot or --debug-dir.";
    char *other = NULL;

    if (m->check != CF_CHECK_NOT_YET)
        return;
    m->check = CF_CHECK_NONE; /* also for the reads that the search itself makes */
    if (find_file(t, m, &other)) {
        if (m->check == CF_CHECK_UNSURE)
            cf_file_problem(
                t, m, CF_FILE_UNSURE,
                cf_format("Whether %s is the file of this process could not be checked.", m->file),
                cf_format("The page with its build-id is not in the core."),
                cf_format("Its names are shown; its contents are not taken for memory."));
    } else if (other) {
        cf_file_problem(t, m, CF_FILE_OTHER,
                        cf_format("The file for %s is another one, and is not used.", m->path),
                        cf_format("%s, in memory it is %s.", other, m->id_text ? m->id_text : "none"),
                        cf_format("%s", remedy));
    } else if (m->elf && (!t->no_openat2 || (m->path == t->info.exe && t->options.executable))) {
        cf_file_problem(t, m, CF_FILE_MISSING, cf_format("The file %s is missing.", m->path),
                        why_missing(t, m), cf_format("%s", remedy));
    }
    free(other);
}

static int no_section(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *section,
                      GElf_Word index, const GElf_Shdr *header, Dwarf_Addr *addr)
{
    (void)mod, (void)data, (void)name, (void)base, (void)section, (void)index, (void)header;
    *addr = (Dwarf_Addr)-1;
    return DWARF_CB_OK;
}

/* A module whose file is not here: debuginfod, if the user has configured it; libdwfl asks its client by build-id. */
static void report_by_id(struct cf_target *t, struct cf_mod *m)
{
    Dwfl_Module *mod;

    if (!m->id_size || !cf_debuginfod())
        return;
    mod = dwfl_report_module(t->dwfl, m->path, m->base, m->end);
    cf_belongs_to(mod, m);
    if (mod && !dwfl_module_report_build_id(mod, m->id, m->id_size, 0))
        m->dwfl = mod;
}

static void report(struct cf_target *t, struct cf_mod *m)
{
    int fd;

    cf_module_file(t, m);
    if (m->fd < 0) {
        report_by_id(t, m);
        return;
    }
    fd = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return;
    m->dwfl = dwfl_report_elf(t->dwfl, m->path, m->file, fd, m->base, false);
    if (!m->dwfl)
        close(fd);
    cf_belongs_to(m->dwfl, m);
}

Dwfl *cf_dwfl(struct cf_target *t)
{
    static char nothing[] = ":", *nowhere = nothing;

    if (t->dwfl)
        return t->dwfl;
    /* Without a directory: what libdwfl would open by itself it would not check. */
    t->dwfl_callbacks = (Dwfl_Callbacks){.find_elf = cf_find_elf,
                                         .find_debuginfo = cf_find_debuginfo,
                                         .section_address = no_section,
                                         .debuginfo_path = &nowhere};
    t->dwfl = dwfl_begin(&t->dwfl_callbacks);
    if (!t->dwfl)
        return NULL;
    dwfl_report_begin(t->dwfl);
    for (uint32_t i = 0; i < t->module_count; i++)
        if (t->modules[i].elf || t->modules[i].path == t->info.exe)
            report(t, &t->modules[i]);
    if (dwfl_report_end(t->dwfl, NULL, NULL)) {
        dwfl_end(t->dwfl);
        t->dwfl = NULL;
    }
    return t->dwfl;
}

int cf_module(const struct cf_target *t, uint32_t index, struct cf_module *ret)
{
    uint32_t low = 0, high = t->module_count;
    const struct cf_mod *m;

    /* The last before which so many are listed. */
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->modules[mid].listed <= index)
            low = mid + 1;
        else
            high = mid;
    }
    /* Of one that is lost inspect may want to say that it is. */
    m = low ? &t->modules[low - 1] : NULL;
    if (!m || m->listed != index || (!m->elf && !m->lost))
        return 1;
    *ret = (struct cf_module){m->base, m->end, m->path, m->fd >= 0 ? m->file : NULL, m->id_text};
    return 0;
}
