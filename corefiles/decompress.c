/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Compressed cores, as systemd-coredump stores them: unpacked once into a temporary file without a name, in which
 * pages of zeros take no room, so that the reader can go anywhere in it.
 */
#include "internal.h"

#include <errno.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum { IN_SIZE = 1 << 17, OUT_SIZE = 1 << 18 };

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

/* *cut: the input ended within a frame or was damaged; what came before it is there. */
static int unpack(struct cf_target *t, int in, int out, const struct unpacker *u, bool *cut, char **error)
{
    uint8_t *buf = malloc(IN_SIZE + OUT_SIZE);
    uint64_t from = 0, to = 0;
    size_t hint = 1;
    int rc = buf ? 0 : -1;

    while (!rc) {
        ssize_t got = pread(in, buf, IN_SIZE, (off_t)from);
        size_t at = 0, made = OUT_SIZE;

        if (got <= 0) {
            *cut = got < 0 || hint != 0;
            break;
        }
        /* Also when all input is taken: a full output buffer may leave more behind. */
        while (!rc && !*cut && (at < (size_t)got || made == OUT_SIZE)) {
            size_t taken = (size_t)got - at;

            made = OUT_SIZE;
            *cut = u->next(u->state, buf + at, &taken, buf + IN_SIZE, &made, &hint) < 0;
            if (*cut)
                break;
            at += taken;
            rc = write_sparse(out, buf + IN_SIZE, made, to) ? 0 : -1;
            to += made;
            if (!taken && !made)
                break;
        }
        if (*cut)
            break;
        from += (uint64_t)got;
        if (t->options.progress && t->options.progress(t->options.arg, "unpacking the core", from, 0)) {
            *error = cf_format("Cancelled.");
            rc = -1;
        }
    }
    if (!rc && ftruncate(out, (off_t)to))
        rc = -1;
    if (rc && !*error)
        *error = cf_format("The core cannot be unpacked: %s. TMPDIR names another directory for it.",
                           strerror(buf ? errno : ENOMEM));
    free(buf);
    return rc;
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
