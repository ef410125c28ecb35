/* SPDX-License-Identifier: Apache-2.0 */
#include "guess.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cores are kept compressed, too; what is inside is seen when it is unpacked. */
static const struct {
    char bytes[7];
    unsigned char size;
} packed[] = {
    {"\x28\xb5\x2f\xfd", 4},         /* zstd, RFC 8878 3.1.1 */
    {"\x04\x22\x4d\x18", 4},         /* LZ4 frame format */
    {"\xfd\x37\x7a\x58\x5a\x00", 6}, /* xz */
    {"\x1f\x8b", 2},                 /* gzip, RFC 1952 2.3.1 */
};

static enum guess by_elf(const unsigned char *head)
{
    const unsigned char *p = head + offsetof(Elf64_Ehdr, e_type); /* the same in Elf32_Ehdr */
    unsigned type = head[EI_DATA] == ELFDATA2MSB ? p[0] << 8 | p[1] : p[1] << 8 | p[0];

    return type == ET_CORE ? GUESS_CORE : type == ET_EXEC || type == ET_DYN ? GUESS_PROGRAM : GUESS_NOTHING;
}

static enum guess by_content(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    unsigned char head[64] = {0};
    ssize_t got = -1;
    struct stat st;

    if (fd < 0)
        return GUESS_NOTHING;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode))
        got = read(fd, head, sizeof(head));
    close(fd);
    if (got >= 20 && !memcmp(head, ELFMAG, SELFMAG))
        return by_elf(head);
    for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++)
        if (got > packed[i].size && !memcmp(head, packed[i].bytes, packed[i].size))
            return GUESS_CORE;
    /* `ompd record` writes an object. */
    return got > 0 && head[0] == '{' ? GUESS_SNAPSHOT : GUESS_NOTHING;
}

enum guess guess_source(const char *word)
{
    if (*word && !word[strspn(word, "0123456789")])
        return GUESS_PID;
    if (!strncmp(word, "coredumpctl:", 12))
        return GUESS_CORE;
    return by_content(word);
}
