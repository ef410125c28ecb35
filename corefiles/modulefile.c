/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The file here that is a module's: by the target's own name, below a sysroot, in debug directories. It is
 * used only if its build-id is that in the target's memory.
 */
#include "corefiles/modulefile.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/arch.h"
#include "corefiles/elffile.h"
#include "corefiles/file.h"
#include "corefiles/folders.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/same_file.h"
#include "corefiles/shared.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/unpack.h"
#include "corefiles/vdso.h"

static bool file_read(void *arg, uint64_t at, void *buf, uint64_t size)
{
    return cf_pread(*(int *)arg, buf, size, at);
}

/* What of a file is read lies in memory then, and a process may have thousands of them: none stays open. */
static Elf *image_of(int fd)
{
    Elf *image = elf_begin(fd, ELF_C_READ_MMAP, NULL);

    if (image && elf_cntl(image, ELF_C_FDREAD)) {
        elf_end(image);
        return NULL;
    }
    return image;
}

/* FD is the module's: what is read of it later. False: it cannot be read. */
static bool keep(struct cf_target *t, struct cf_mod *m, int fd, struct cf_elf *elf)
{
    struct stat st;
    int unpacked;

    if (fstat(fd, &st) || !(m->image = image_of(fd)))
        return false;
    m->device = st.st_dev;
    m->number = st.st_ino;
    if (!cf_is_packed(fd, &m->room))
        m->room = 0;
    unpacked = m->room && t->options.files ? cf_shared_unpacked(t, fcntl(fd, F_DUPFD_CLOEXEC, 0)) : -1;
    m->unpacked = unpacked >= 0 ? image_of(unpacked) : NULL;
    if (unpacked >= 0)
        close(unpacked);
    cf_elf_constants(file_read, &fd, elf);
    m->parts = elf->parts;
    m->part_count = elf->part_count;
    if (!m->elf) {
        m->bias = m->base - elf->first_vaddr;
        m->dynamic = elf->dynamic ? m->bias + elf->dynamic : 0;
    }
    return true;
}

/* What to say of a file that is not the module's. */
static void note_other(const struct cf_elf *elf, const char *file, char **other)
{
    char *id;

    if (*other)
        return;
    id = elf->id_size ? cf_id_text(elf->id, elf->id_size) : strdup("none");
    *other = cf_format("%s has the build-id %s", file, id ? id : "?");
    free(id);
}

/* Takes FD, which lies in FOLDER (NULL: not known), if it is the module's file. *other: the build-id of one
   that is not. */
static bool take(struct cf_target *t, struct cf_mod *m, const struct cf_folder *folder, int fd, char *file,
                 char **other)
{
    struct cf_elf elf = {0};
    bool taken = false;

    if (fd >= 0 && file && !cf_elf_read(file_read, &fd, false, &elf)) {
        m->check = elf.machine == t->arch->machine ? cf_same_file(t, m, fd, &elf, &m->unsure) : CF_CHECK_NONE;
        if (m->check == CF_CHECK_NONE)
            note_other(&elf, file, other);
        else
            taken = keep(t, m, fd, &elf);
    }
    if (taken) {
        m->file = file;
        m->found = folder;
        m->real = folder ? cf_path_below(folder->fd, fd) : NULL;
    } else {
        m->check = CF_CHECK_NONE;
        free(elf.parts);
        free(file);
    }
    if (fd >= 0)
        close(fd);
    return taken;
}

static bool take_in(struct cf_target *t, struct cf_mod *m, const struct cf_folder *folder, const char *path,
                    char **other)
{
    char *name;
    int fd = cf_open_in(t, folder, path, &name);

    if (fd < 0 && folder == &t->folders->home)
        m->refused = errno;
    return take(t, m, folder, fd, name, other);
}

/* FOLDER NULL: whichever it lies in. */
static bool take_own(struct cf_target *t, struct cf_mod *m, const struct cf_folder *folder, const char *path,
                     char **other)
{
    int fd = cf_open_own(path);

    if (fd < 0 && !m->refused)
        m->refused = errno;
    if (!folder && fd >= 0)
        folder = cf_folder_of_own(t, fd);
    return take(t, m, folder, fd, strdup(path), other);
}

/* By build-id and by name in each debug directory. */
static bool take_from_debug_dirs(struct cf_target *t, struct cf_mod *m, char **other)
{
    bool found = false;

    for (uint32_t i = 0; i < t->folders->debug_count && !found; i++) {
        char *path =
            m->id_text && m->id_size > 1 ? cf_format("/.build-id/%.2s/%s", m->id_text, m->id_text + 2) : NULL;

        found = path && take_in(t, m, &t->folders->debug[i], path, other);
        free(path);
        if (!found && take_in(t, m, &t->folders->debug[i], m->path, other)) {
            m->found_as = m->path;
            found = true;
        }
    }
    return found;
}

static bool take_by_name(struct cf_target *t, struct cf_mod *m, char **other)
{
    if (!take_in(t, m, &t->folders->home, m->path, other))
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
    if (!take_own(t, m, &t->folders->home, path, other))
        return false;
    m->found_as = m->path;
    return true;
}

static bool find_file(struct cf_target *t, struct cf_mod *m, char **other)
{
    if (cf_is_vdso(m->path))
        return take(t, m, NULL, cf_vdso_copy(t, m->base, m->end), strdup("the process's memory"), other);
    if (m->path == t->info.exe && t->options.executable)
        return take_own(t, m, NULL, t->options.executable, other);
    return (!(t->live_pid && m->deleted) && take_by_name(t, m, other)) ||
           (t->live_pid && take_from_kernel(t, m, other)) || take_from_debug_dirs(t, m, other);
}

/** Problems with the files of libraries: one is told in full, more are counted in its place. */
struct cf_file_problems {
    uint32_t count[CF_FILE_KINDS], all;
    uint32_t at;       /**< index of the one problem that stands for them */
    const char *first; /**< path of the first */
    uint8_t *told;     /**< of each module the kinds that are counted, a bit each */
};

static struct cf_file_problems *file_problems(struct cf_target *t)
{
    struct cf_file_problems *p = t->file_problems;

    if (!p)
        p = t->file_problems = calloc(1, sizeof(*p));
    if (p && !p->told)
        p->told = calloc(t->module_count + 1, 1);
    return p && p->told ? p : NULL;
}

static char *count_text(const struct cf_file_problems *p)
{
    static const char *const kinds[] = {"not checked", "different", "missing",
                                        "without all debug information"};
    char list[128];
    int n = 0;

    for (int kind = 0; kind < CF_FILE_KINDS; kind++)
        if (p->count[kind])
            n += snprintf(list + n, sizeof(list) - (size_t)n, "%s%u %s", n ? ", " : "", p->count[kind],
                          kinds[kind]);
    return cf_format("The files of %u libraries are not, or may not be, those of the process: %s; the "
                     "first is %s.",
                     p->all, list, p->first);
}

/* The executable's are always told. */
void cf_file_problem(struct cf_target *t, const struct cf_mod *m, enum cf_file_kind kind, char *what,
                     char *why, char *remedy)
{
    struct cf_file_problems *p = m->path == t->info.exe ? NULL : file_problems(t);
    const uint32_t count = cf_problem_count(t);

    if (!p || !p->all) {
        cf_add_problem(t, what, why, remedy);
    } else {
        free(what);
        free(why);
        free(remedy);
    }
    if (!p || p->told[m - t->modules] & 1 << kind || (!p->all && cf_problem_count(t) == count))
        return;
    p->told[m - t->modules] |= (uint8_t)(1 << kind);
    p->count[kind]++;
    if (++p->all == 1) {
        p->at = count;
        p->first = m->path;
        return;
    }
    cf_change_problem(t, p->at, count_text(p), cf_format("With -v ompd names each module's file."));
}

void cf_file_problems_free(struct cf_file_problems *problems)
{
    if (problems)
        free(problems->told);
    free(problems);
}

static char *why_missing(const struct cf_target *t, const struct cf_mod *m)
{
    const char *id = m->id_text ? m->id_text : "unknown";

    if (m->refused == EINVAL)
        return cf_format("It is no regular file; its build-id is %s.", id);
    if (m->refused == EXDEV)
        return cf_format("It is a link that leads to nothing in %s; its build-id is %s.",
                         *t->folders->home.root ? t->folders->home.root : "/", id);
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
        if (m->check != CF_CHECK_MATCHES)
            cf_file_problem(
                t, m, CF_FILE_UNSURE,
                cf_format("Whether %s is the file of this process could not be checked.", m->file),
                cf_format("%s", m->unsure),
                cf_format(m->check == CF_CHECK_ASSUMED
                              ? "It is used: what the core has of it is the same."
                              : "Its names are shown; its contents are not taken for memory."));
    } else if (other) {
        cf_file_problem(t, m, CF_FILE_OTHER,
                        cf_format("The file for %s is another one, and is not used.", m->path),
                        cf_format("%s, in memory it is %s.", other, m->id_text ? m->id_text : "none"),
                        cf_format("%s", remedy));
    } else if (m->elf && !cf_is_vdso(m->path) &&
               (!t->folders->no_openat2 || (m->path == t->info.exe && t->options.executable))) {
        cf_file_problem(t, m, CF_FILE_MISSING, cf_format("The file %s is missing.", m->path),
                        why_missing(t, m), cf_format("%s", remedy));
    }
    free(other);
}

bool cf_module_file_read(const struct cf_mod *m, void *buf, uint64_t size, uint64_t offset)
{
    size_t length;
    const char *bytes = elf_rawfile(m->image, &length);

    if (!bytes || offset > length || size > length - offset)
        return false;
    memcpy(buf, bytes + offset, size);
    return true;
}

int cf_module_file_open(const struct cf_mod *m)
{
    int fd = m->file ? cf_open_own(m->file) : -1;
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) || st.st_dev != m->device || st.st_ino != m->number)) {
        close(fd);
        return -1;
    }
    return fd;
}

void cf_module_file_free(struct cf_mod *m)
{
    free(m->file);
    free(m->real);
    free(m->parts);
    elf_end(m->unpacked);
    elf_end(m->image);
}
