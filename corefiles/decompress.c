/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Compressed cores, as systemd-coredump stores them: unpacked once into a temporary file without a name, in
 * which pages of zeros take no room, so that the reader can go anywhere in it.
 */
#include "corefiles/decompress.h"

#include <elf.h>
#include <errno.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zstd.h>

#include "corefiles/file.h"
#include "corefiles/target.h"
#include "corefiles/temporary.h"
#include "corefiles/strings.h"

enum { IN_SIZE = 1 << 17, OUT_SIZE = 1 << 18, ASK_AGAIN = 1 << 24, CANCELLED = -2 };

/** One of the two formats. `next` unpacks; *hint 0: a frame is complete. Negative: damaged. */
struct unpacker {
    void *state;
    int (*next)(void *state, const uint8_t *in, size_t *in_size, uint8_t *out, size_t *out_size,
                size_t *hint);
};

static int next_zstd(void *state, const uint8_t *in, size_t *in_size, uint8_t *out, size_t *out_size,
                     size_t *hint)
{
    ZSTD_inBuffer from = {in, *in_size, 0};
    ZSTD_outBuffer to = {out, *out_size, 0};

    *hint = ZSTD_decompressStream(state, &to, &from);
    *in_size = from.pos;
    *out_size = to.pos;
    return ZSTD_isError(*hint) ? -1 : 0;
}

static int next_lz4(void *state, const uint8_t *in, size_t *in_size, uint8_t *out, size_t *out_size,
                    size_t *hint)
{
    *hint = LZ4F_decompress(state, out, out_size, in, in_size, NULL);
    return LZ4F_isError(*hint) ? -1 : 0;
}

static bool cancelled(const struct cf_target *t, uint64_t done)
{
    return t->options.progress && t->options.progress(t->options.arg, "unpacking the core", done, 0);
}

/* Writes BUF at OFFSET but for its pages of zeros: those stay holes. */
static bool write_sparse(int fd, const uint8_t *buf, size_t size, uint64_t offset)
{
    static const uint8_t zeros[CF_PAGE];

    while (size) {
        size_t n = CF_PAGE - offset % CF_PAGE;

        if (n > size)
            n = size;
        if (memcmp(buf, zeros, n) && pwrite(fd, buf, n, (off_t)offset) != (ssize_t)n)
            return false;
        buf += n;
        size -= n;
        offset += n;
    }
    return true;
}

/** A core on its way into a temporary file. */
struct unpacking {
    struct cf_target *t;
    int out;
    uint64_t to;    /**< bytes that have come */
    uint64_t spend; /**< bytes that may still be written before the file system is asked again */
    uint64_t until; /**< where its headers say that it ends; 0: they have not all come */
    uint64_t wait;  /**< bytes that are needed to know more */
};

enum { PHDR_BATCH = 512, SLACK = 1 << 20 };

/* Where what comes first in the file, its program headers, ends; 0: it is no core. *count: how many there
   are. */
static uint64_t headers_end(const Elf64_Ehdr *eh, uint64_t *count)
{
    if (memcmp(eh->e_ident, ELFMAG, SELFMAG) || eh->e_ident[EI_CLASS] != ELFCLASS64 ||
        eh->e_type != ET_CORE || eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phoff > CF_SEGMENTS_MAX)
        return 0;
    *count = eh->e_phnum;
    return eh->e_phoff + *count * sizeof(Elf64_Phdr);
}

/* Learns from the headers in the file how far the core reaches. */
static void announced(struct unpacking *u)
{
    uint64_t count, end, sections;
    Elf64_Phdr ph[PHDR_BATCH];
    Elf64_Ehdr eh;

    if (!cf_pread(u->out, &eh, sizeof(eh), 0) || !(u->wait = headers_end(&eh, &count))) {
        u->until = u->to; /* the reader says what is wrong with it */
        return;
    }
    /* With more than 65534 of them the number is behind everything (elf(5), PN_XNUM). They end before the
       first piece of contents, which the first of them names. */
    if (count == PN_XNUM && u->to >= eh.e_phoff + sizeof(*ph) &&
        cf_pread(u->out, ph, sizeof(*ph), eh.e_phoff) && ph->p_offset > eh.e_phoff) {
        count = (ph->p_offset - eh.e_phoff) / sizeof(*ph);
        count = count < CF_SEGMENTS_MAX ? count : CF_SEGMENTS_MAX;
        u->wait = eh.e_phoff + count * sizeof(*ph);
    }
    if (u->to < u->wait)
        return;
    end = u->wait;
    for (uint64_t i = 0; i < count; i++) {
        if (i % PHDR_BATCH == 0 &&
            !cf_pread(u->out, ph, (count - i < PHDR_BATCH ? count - i : PHDR_BATCH) * sizeof(*ph),
                      eh.e_phoff + i * sizeof(*ph)))
            break;
        if (ph[i % PHDR_BATCH].p_filesz && ph[i % PHDR_BATCH].p_offset <= CF_UNPACKED_MAX &&
            ph[i % PHDR_BATCH].p_filesz <= CF_UNPACKED_MAX &&
            ph[i % PHDR_BATCH].p_offset + ph[i % PHDR_BATCH].p_filesz > end)
            end = ph[i % PHDR_BATCH].p_offset + ph[i % PHDR_BATCH].p_filesz;
    }
    /* gcore writes section headers, and their names behind them. */
    sections = eh.e_shoff + (eh.e_shnum ? eh.e_shnum : 1) * (uint64_t)eh.e_shentsize;
    if (eh.e_shoff && eh.e_shoff <= CF_UNPACKED_MAX && sections > end)
        end = sections;
    u->until = (end < CF_UNPACKED_MAX ? end : CF_UNPACKED_MAX) + SLACK;
}

/* What is written from here on may take SIZE bytes of the file system, of which a twentieth stays free. */
static bool room_for(struct unpacking *u, uint64_t size)
{
    struct statvfs fs;
    uint64_t kept, room;

    if (u->spend >= size) {
        u->spend -= size;
        return true;
    }
    if (fstatvfs(u->out, &fs))
        return true; /* the write will fail if there is none */
    kept = (uint64_t)fs.f_blocks / CF_FREE_PART;
    room = (uint64_t)fs.f_bavail > kept ? ((uint64_t)fs.f_bavail - kept) * fs.f_frsize : 0;
    u->spend = room < ASK_AGAIN ? room : ASK_AGAIN;
    if (u->spend < size)
        return false;
    u->spend -= size;
    return true;
}

/* Adds SIZE bytes. 1: that is enough, or all that there is room for; the user is told. */
static int add(struct unpacking *u, const uint8_t *buf, uint64_t size)
{
    if (u->until && u->to + size > u->until)
        size = u->to < u->until ? u->until - u->to : 0;
    if (!room_for(u, size)) {
        u->t->info.truncated = 1;
        cf_add_problem(
            u->t, cf_format("The core is unpacked only in part."),
            cf_format("After %llu bytes the file system has no more room: a twentieth of it is kept free.",
                      (unsigned long long)u->to),
            cf_format("TMPDIR names another directory."));
        return 1;
    }
    if (!write_sparse(u->out, buf, size, u->to))
        return -1;
    if (u->to < CF_TEMPORARY_LARGE && u->to + size >= CF_TEMPORARY_LARGE)
        cf_temporary_free_later(u->out);
    u->to += size;
    if (!u->until && u->to >= u->wait)
        announced(u);
    if (!u->until || u->to < u->until)
        return 0;
    if (u->until > SLACK && u->wait)
        cf_add_problem(u->t, cf_format("The core is unpacked only in part."),
                       cf_format("Its headers account for %llu bytes%s, and there are more.",
                                 (unsigned long long)(u->until - SLACK),
                                 u->until - SLACK < CF_UNPACKED_MAX ? "" : ", which is the limit"),
                       strdup(""));
    return 1;
}

/* Unpacks one piece of input. 1: no more of it is wanted; negative: *error may say why. *cut: it is
   damaged. */
static int piece(struct unpacking *u, const struct unpacker *by, uint8_t *buf, size_t got, bool *cut,
                 size_t *hint)
{
    size_t at = 0, made = OUT_SIZE;
    int rc = 0;

    /* Also when all input is taken: a full output buffer may leave more behind. */
    while (!rc && (at < got || made == OUT_SIZE)) {
        size_t taken = got - at;

        made = OUT_SIZE;
        *cut = by->next(by->state, buf + at, &taken, buf + IN_SIZE, &made, hint) < 0;
        if (*cut)
            return 1;
        at += taken;
        rc = add(u, buf + IN_SIZE, made);
        if (!rc && cancelled(u->t, u->to))
            return CANCELLED;
        if (!taken && !made)
            break;
    }
    return rc;
}

/* *cut: the input ended within a frame or was damaged; what came before it is there. */
static int unpack(struct cf_target *t, int in, int out, const struct unpacker *by, bool *cut, char **error)
{
    struct unpacking u = {.t = t, .out = out, .wait = sizeof(Elf64_Ehdr)};
    uint8_t *buf = malloc(IN_SIZE + OUT_SIZE);
    uint64_t from = 0;
    size_t hint = 1;
    int rc = buf ? 0 : -1;

    while (!rc) {
        ssize_t got = pread(in, buf, IN_SIZE, (off_t)from);

        if (got <= 0) {
            *cut = got < 0 || hint != 0;
            break;
        }
        from += (uint64_t)got;
        rc = piece(&u, by, buf, (size_t)got, cut, &hint);
    }
    if (rc >= 0 && ftruncate(out, (off_t)u.to))
        rc = -1;
    if (rc == CANCELLED)
        *error = cf_format("Cancelled.");
    else if (rc < 0)
        *error = cf_format("The core cannot be unpacked: %s. TMPDIR names another directory for it.",
                           strerror(buf ? errno : ENOMEM));
    free(buf);
    return rc < 0 ? -1 : 0;
}

int cf_decompress(struct cf_target *t, int fd, bool *cut, char **error)
{
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd}, lz4[] = {0x04, 0x22, 0x4d, 0x18},
                         xz[] = {0xfd, '7', 'z'}, gzip[] = {0x1f, 0x8b};
    struct unpacker u = {NULL, NULL};
    LZ4F_dctx *lz4_state = NULL;
    ZSTD_DCtx *zstd_state = NULL;
    uint8_t magic[4];
    int out = -1;

    if (!cf_pread(fd, magic, sizeof(magic), 0))
        return fd;
    if (!memcmp(magic, zstd, sizeof(zstd))) {
        zstd_state = ZSTD_createDCtx();
        u = (struct unpacker){zstd_state, next_zstd};
    } else if (!memcmp(magic, lz4, sizeof(lz4))) {
        if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4_state, LZ4F_VERSION)))
            lz4_state = NULL;
        u = (struct unpacker){lz4_state, next_lz4};
    } else if (!memcmp(magic, xz, sizeof(xz)) || !memcmp(magic, gzip, sizeof(gzip))) {
        *error = cf_format("%s is compressed by %s: unpack it first (zstd and lz4 are read as they are).",
                           t->info.core, magic[0] == xz[0] ? "xz" : "gzip");
        return -1;
    } else {
        return fd;
    }
    if (!u.state)
        *error = cf_format("Out of memory.");
    else
        out = cf_temporary(error);
    if (out >= 0 && unpack(t, fd, out, &u, cut, error)) {
        close(out);
        out = -1;
    }
    ZSTD_freeDCtx(zstd_state);
    LZ4F_freeDecompressionContext(lz4_state);
    return out;
}
