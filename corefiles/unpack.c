/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Debug sections that are compressed take libelf most of the time that an answer needs, in each process anew.
 * Here a file is unpacked once for many. Every number in it is a stranger's; whatever is not plain is left to
 * libelf, so that the answer is the same as without this.
 */
#include "corefiles/unpack.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "corefiles/file.h"

enum { SECTIONS_MAX = 4096, ALIGN_MAX = 4096, PIECE = 1 << 16 };

struct file {
    int fd;
    uint64_t size; /**< as it is, then as it will be */
    uint64_t sections_at;
    Elf64_Shdr section[SECTIONS_MAX];
    uint32_t count;
};

/* Libelf unpacks no others either. */
static bool is_packed(const Elf64_Shdr *sh)
{
    return (sh->sh_flags & (SHF_COMPRESSED | SHF_ALLOC)) == SHF_COMPRESSED && sh->sh_type != SHT_NOBITS &&
           sh->sh_type != SHT_NULL;
}

static bool read_sections(struct file *f, int fd)
{
    struct stat st;
    Elf64_Ehdr eh;

    if (fstat(fd, &st) || !cf_pread(fd, &eh, sizeof(eh), 0) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
        eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
        eh.e_shentsize != sizeof(Elf64_Shdr) || !eh.e_shnum || eh.e_shnum > SECTIONS_MAX)
        return false;
    *f =
        (struct file){.fd = fd, .size = (uint64_t)st.st_size, .sections_at = eh.e_shoff, .count = eh.e_shnum};
    return cf_pread(fd, f->section, f->count * sizeof(*f->section), f->sections_at);
}

/* Where a section begins that is appended. */
static uint64_t aligned(uint64_t at, uint64_t align)
{
    return (at + align - 1) & ~(align - 1);
}

/* *ret: how a section is packed. False: not by zlib, or not so that one can rely on it. */
static bool read_packing(const struct file *f, const Elf64_Shdr *sh, Elf64_Chdr *ret)
{
    return sh->sh_size > sizeof(*ret) && sh->sh_size <= f->size && sh->sh_offset <= f->size - sh->sh_size &&
           cf_pread(f->fd, ret, sizeof(*ret), sh->sh_offset) && ret->ch_type == ELFCOMPRESS_ZLIB &&
           ret->ch_size && ret->ch_size < UINT64_C(1) << 40 && ret->ch_addralign &&
           ret->ch_addralign <= ALIGN_MAX && !(ret->ch_addralign & (ret->ch_addralign - 1));
}

bool cf_is_packed(int fd, uint64_t *size)
{
    struct file *f = malloc(sizeof(*f));
    bool any = false, good = f && read_sections(f, fd);
    uint64_t end = good ? f->size : 0;
    Elf64_Chdr how;

    for (uint32_t i = 0; good && i < f->count; i++) {
        if (!is_packed(&f->section[i]))
            continue;
        good = read_packing(f, &f->section[i], &how);
        if (good)
            end = aligned(end, how.ch_addralign) + how.ch_size;
        any = true;
    }
    free(f);
    if (good && any)
        *size = end;
    return good && any;
}

static bool write_all(int fd, const uint8_t *buf, size_t size, uint64_t at)
{
    while (size) {
        ssize_t n = pwrite(fd, buf, size, (off_t)at);

        if (n <= 0)
            return false;
        buf += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* From FROM in the file, PACKED bytes that make SIZE, to TO in OUT. Exactly these: libelf also accepts
   several streams in a row. */
static bool inflate_to(const struct file *f, uint64_t from, uint64_t packed, int out, uint64_t to,
                       uint64_t size, uint8_t *buf)
{
    const uint64_t end = to + size;
    z_stream z = {0};
    int rc = Z_OK;

    if (inflateInit(&z) != Z_OK)
        return false;
    while (rc == Z_OK && (packed || z.avail_in)) {
        uint64_t n = packed < PIECE ? packed : PIECE;
        size_t made;

        if (!z.avail_in) {
            if (!cf_pread(f->fd, buf, n, from))
                break;
            z.next_in = buf;
            z.avail_in = (uInt)n;
            from += n;
            packed -= n;
        }
        z.next_out = buf + PIECE;
        z.avail_out = PIECE;
        rc = inflate(&z, Z_NO_FLUSH);
        made = PIECE - z.avail_out;
        if ((rc != Z_OK && rc != Z_STREAM_END) || made > end - to || !write_all(out, buf + PIECE, made, to))
            break;
        to += made;
    }
    packed += z.avail_in;
    (void)inflateEnd(&z);
    return rc == Z_STREAM_END && to == end && !packed;
}

static bool copy(int out, const struct file *f)
{
    off_t at = 0;

    while ((uint64_t)at < f->size)
        if (sendfile(out, f->fd, &at, f->size - (uint64_t)at) <= 0)
            return false;
    return true;
}

static bool unpack_section(struct file *f, Elf64_Shdr *sh, int out, uint8_t *buf)
{
    Elf64_Chdr how;
    uint64_t to;

    if (!read_packing(f, sh, &how))
        return false;
    to = aligned(f->size, how.ch_addralign);
    if (!inflate_to(f, sh->sh_offset + sizeof(how), sh->sh_size - sizeof(how), out, to, how.ch_size, buf))
        return false;
    sh->sh_offset = to;
    sh->sh_size = how.ch_size;
    sh->sh_addralign = how.ch_addralign;
    sh->sh_flags &= ~(uint64_t)SHF_COMPRESSED;
    f->size = to + how.ch_size;
    return true;
}

int cf_unpack(int fd)
{
    enum { SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };
    struct file *f = malloc(sizeof(*f));
    uint8_t *buf = malloc(2 * PIECE);
    int out = f && buf ? memfd_create("ompd-unpacked", MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;
    bool good = out >= 0 && read_sections(f, fd) && copy(out, f);

    for (uint32_t i = 0; good && i < f->count; i++)
        good = !is_packed(&f->section[i]) || unpack_section(f, &f->section[i], out, buf);
    good = good && write_all(out, (uint8_t *)f->section, f->count * sizeof(*f->section), f->sections_at) &&
           !fcntl(out, F_ADD_SEALS, SEALS);
    free(buf);
    free(f);
    if (good)
        return out;
    if (out >= 0)
        close(out);
    return -1;
}
