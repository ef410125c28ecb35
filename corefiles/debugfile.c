/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Separate debug files: by build-id and by .gnu_debuglink (GDB's manual, "Debugging Information in Separate
 * Files"), and what several of them share (DWARF 5, 7.3.6: .gnu_debugaltlink). elfutils would open these
 * names itself, unchecked, and wait forever at a FIFO: it is handed the open files instead.
 */
#include "corefiles/debugfile.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/debuginfo/libdw.h"
#include "corefiles/elffile.h"
#include "corefiles/file.h"
#include "corefiles/folders.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/shared.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/unpack.h"

/** What is looked for, and the first that is it. */
struct search {
    struct cf_mod *m;
    const void *id; /**< its build-id; without one its CRC decides */
    size_t id_size;
    uint32_t crc;

    int fd;
    const struct cf_folder *folder;
    char *dir;
};

/* Of all of FD. False: errno is EFBIG if it is too large to be gone through, else 0. */
static bool crc_of(struct cf_target *t, int fd, uint64_t size, uint32_t *ret)
{
    enum { PIECE = 1 << 16 };
    uLong crc = crc32(0, NULL, 0);
    uint8_t buf[PIECE];

    errno = size > CF_CRC_MAX - t->summed ? EFBIG : 0;
    if (errno)
        return false;
    t->summed += size;
    for (uint64_t at = 0; at < size;) {
        uint64_t n = size - at < PIECE ? size - at : PIECE;

        if (!cf_pread(fd, buf, n, at) ||
            (t->options.progress && t->options.progress(t->options.arg, "Checking debug files", at, size))) {
            errno = 0;
            return false;
        }
        crc = crc32(crc, buf, (uInt)n);
        at += n;
    }
    *ret = (uint32_t)crc;
    return true;
}

/* Is FD the file that is looked for? Not the module itself, to which a link may lead back. False: errno as
   crc_of has it. */
static bool is_it(const struct search *s, int fd)
{
    struct stat here;
    uint32_t crc;

    errno = 0;
    if (fstat(fd, &here) || (here.st_dev == s->m->device && here.st_ino == s->m->number))
        return false;
    if (!s->id_size)
        return crc_of(s->m->target, fd, (uint64_t)here.st_size, &crc) && crc == s->crc;
    return cf_elf_has_id(fd, s->id, s->id_size);
}

/* The name is there, and must not or cannot be opened. */
static void refused(const struct search *s, const struct cf_folder *folder, const char *name, int error)
{
    const struct cf_target *t = s->m->target;
    const char *root = t->live_pid && !t->options.sysroot ? "" : folder->root;
    char *why;

    if (error == ENOENT || error == ENOTDIR || error == EACCES || error == EBADF || error == ENAMETOOLONG ||
        t->folders->no_openat2 || !name)
        return;
    /* As the process calls it. */
    name += strlen(folder->root) - strlen(root);
    if (error == EINVAL)
        why = cf_format("It is no regular file.");
    else if (error == EXDEV)
        why = cf_format("It is a link that leads to nothing in %s.", *root ? root : "/");
    else if (error == EFBIG)
        why = cf_format("It has no build-id, and is too large to be checked by its CRC (%d GB in all).",
                        CF_CRC_MAX >> 30);
    else
        why = cf_format("%s.", strerror(error));
    cf_file_problem(s->m->target, s->m, CF_FILE_DEBUG,
                    cf_format("The debug file %s is not used for %s.", name, s->m->path), why,
                    cf_format("Put the right file there, or name its directory with --debug-dir."));
}

/* DIR "/" FILE in FOLDER. */
static bool try(struct search *s, const struct cf_folder *folder, const char *dir, const char *file)
{
    char *path = cf_format("%s/%s", dir, file), *name = NULL;
    int fd = path ? cf_open_in(s->m->target, folder, path, &name) : -1;

    if (fd < 0 && path)
        refused(s, folder, name, errno);
    if (fd >= 0 && is_it(s, fd) && (s->dir = strdup(path)) != NULL) {
        *strrchr(s->dir, '/') = '\0';
        s->folder = folder;
        s->fd = fd;
        free(name);
        free(path);
        return true;
    }
    if (fd >= 0) {
        if (errno == EFBIG)
            refused(s, folder, name, EFBIG);
        close(fd);
    }
    free(name);
    free(path);
    return false;
}

static bool try_by_id(struct search *s)
{
    const struct cf_target *t = s->m->target;
    char file[2 * CF_ID_MAX + 32];
    const uint8_t *id = s->id;
    int at;

    if (s->id_size < 2 || s->id_size > CF_ID_MAX)
        return false;
    at = snprintf(file, sizeof(file), ".build-id/%02x/", id[0]);
    for (size_t i = 1; i < s->id_size; i++)
        at += snprintf(file + at, sizeof(file) - (size_t)at, "%02x", id[i]);
    snprintf(file + at, sizeof(file) - (size_t)at, ".debug");
    for (uint32_t i = 0; i < t->folders->debug_count; i++)
        if (try(s, &t->folders->debug[i], "", file))
            return true;
    return false;
}

/* Beside the module, which lies in DIR of its folder, in .debug there, and in DIR below each debug
   directory. */
static bool try_around(struct search *s, const char *dir, const char *file)
{
    const struct cf_target *t = s->m->target;
    char *hidden = cf_format("%s/.debug", dir);
    bool found =
        s->m->found && (try(s, s->m->found, dir, file) || (hidden && try(s, s->m->found, hidden, file)));

    free(hidden);
    for (uint32_t i = 0; i < t->folders->debug_count && !found; i++)
        found = &t->folders->debug[i] != s->m->found && try(s, &t->folders->debug[i], dir, file);
    return found;
}

static bool try_by_link(struct search *s, const char *file)
{
    struct cf_mod *m = s->m;
    char *named = m->found_as ? strdup(m->found_as) : NULL;
    char *real = m->real ? strdup(m->real) : NULL;
    size_t above = m->found ? strlen(m->found->dir) : 0;
    bool found = false;

    /* What is named absolutely is not beside anything. */
    if (*file && *file != '/') {
        if (named && strrchr(named, '/')) {
            *strrchr(named, '/') = '\0';
            found = try_around(s, named, file);
        }
        /* The name may be a link's, and the debug file beside what it leads to. */
        if (!found && real && m->found && !strncmp(real, m->found->dir, above) &&
            strrchr(real + above, '/')) {
            *strrchr(real + above, '/') = '\0';
            found = (!named || strcmp(named, real + above)) && try_around(s, real + above, file);
        }
    }
    free(named);
    free(real);
    return found;
}

/** What was found for a module. */
struct cf_debugfile {
    const struct cf_folder *folder; /**< where its separate debug file is; NULL it has none */
    const char *dir;                /**< the directory below that */
    struct debuginfo *debuginfo;    /**< NULL none */
    Dwarf_Addr bias;
    struct debuginfo *alt; /**< what several debug files share (DWARF 5, 7.3.6); NULL none */
    int alt_fd;
};

/* libelf unpacks sections in memory, as large as the file says that they are. */
static bool is_too_large(const struct cf_mod *m, uint64_t room)
{
    const uint64_t most = m->target->options.file_room;

    if (!most || room <= most)
        return false;
    cf_file_problem(
        m->target, m, CF_FILE_DEBUG, cf_format("The debug information of %s is not read.", m->path),
        cf_format("Unpacked it would take %llu MB, more than a quarter of the memory that is allowed.",
                  (unsigned long long)(room >> 20)),
        cf_format("Allow more with --memory-limit."));
    return true;
}

static bool is_left_out(const struct cf_mod *m, int fd)
{
    uint64_t room;

    return cf_is_packed(fd, &room) && is_too_large(m, room);
}

int cf_debug_file(struct cf_mod *m, const char *link, uint32_t crc)
{
    struct search s = {.m = m, .id = m->id, .id_size = m->id_size, .crc = crc, .fd = -1};
    const char *base = strrchr(m->path, '/');
    char *usual = NULL;

    if (!link && s.id_size && base)
        link = usual = cf_format("%s.debug", base + 1);
    if (m->image && !try_by_id(&s) && link)
        (void)try_by_link(&s, link);
    free(usual);
    if (s.fd < 0)
        return -1;
    if (is_left_out(m, s.fd)) {
        close(s.fd);
        free(s.dir);
        return -1;
    }
    if (!m->debug)
        m->debug = calloc(1, sizeof(*m->debug));
    if (m->debug) {
        m->debug->folder = s.folder;
        m->debug->dir = cf_keep(m->target, s.dir);
    }
    return cf_shared_unpacked(m->target, s.fd);
}

/* The alternate file of M's debug file, or of M itself when that has its own debug information. */
static void find_alt(struct cf_mod *m, Dwarf *dwarf)
{
    struct search s = {.m = m, .fd = -1};
    const char *file = NULL, *why;
    const void *id = NULL;
    ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf, &file, &id);

    if (size <= 0)
        return;
    s.id = id;
    s.id_size = (size_t)size;
    if (!try_by_id(&s)) {
        if (*file == '/')
            (void)try(&s, &m->target->folders->home, "", file + 1);
        else if (m->debug->dir)
            (void)try(&s, m->debug->folder, m->debug->dir, file);
        else
            (void)try_by_link(&s, file);
    }
    if (s.fd >= 0 && is_left_out(m, s.fd)) {
        close(s.fd);
        free(s.dir);
        return;
    }
    if (s.fd >= 0)
        s.fd = cf_shared_unpacked(m->target, s.fd);
    m->debug->alt = s.fd >= 0 ? debuginfo_open(s.fd, NULL, &why) : NULL;
    if (m->debug->alt) {
        m->debug->alt_fd = s.fd;
    } else {
        if (s.fd >= 0)
            close(s.fd);
        cf_file_problem(
            m->target, m, CF_FILE_DEBUG,
            cf_format("The file %s, with debug information of %s, is missing.", file, m->path),
            cf_format("It is not there, or has another build-id."),
            cf_format("Put it there, or name its directory with --debug-dir: some names of variables and "
                      "types are in it."));
    }
    free(s.dir);
}

struct debuginfo *cf_debuginfo(struct cf_mod *m, uint64_t *bias)
{
    struct cf_debugfile *debug;
    Dwarf_Addr dwarf_bias = 0;
    Dwarf *dwarf;

    if (!m->debuginfo_tried) {
        m->debuginfo_tried = true;
        /* libdwfl may call cf_debug_file. */
        dwarf = !is_too_large(m, m->room) ? dwfl_module_getdwarf(m->dwfl, &dwarf_bias) : NULL;
        debug = m->debug ? m->debug : calloc(1, sizeof(*debug));
        m->debug = debug;
        if (dwarf && debug) {
            find_alt(m, dwarf);
            debug->bias = dwarf_bias;
            debug->debuginfo = debuginfo_of_libdw(dwarf, debug->alt, m->target->options.no_memory);
        }
    }
    if (!m->debug)
        return NULL;
    *bias = m->debug->bias;
    return m->debug->debuginfo;
}

void cf_debugfile_free(struct cf_debugfile *debug)
{
    if (!debug)
        return;
    debuginfo_close(debug->debuginfo);
    debuginfo_close(debug->alt);
    if (debug->alt)
        close(debug->alt_fd);
    free(debug);
}
