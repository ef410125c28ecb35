/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random bytes, at the very end of what can be read: none is read behind them, an instruction is the same
 * whatever follows it, and with a byte less it is none.
 *
 * usage: random_test [COUNT]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "x86/x86.h"

enum { ESCAPES = 8 };

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Half of the instructions begin with what leads to the larger maps. */
static void fill(uint8_t *bytes, size_t size)
{
    static const uint8_t escape[ESCAPES] = {0x0f, 0x48, 0x66, 0xf3, 0x62, 0xc5, 0xc4, 0xf2};
    uint64_t r = draw();

    for (size_t n = 0; n < size; n++)
        bytes[n] = (uint8_t)(draw() >> 24);
    if (r & 1 && size)
        bytes[0] = escape[r >> 8 & (ESCAPES - 1)];
    if (r & 2 && size > 1)
        bytes[1] = 0x0f;
}

static int wrong(const char *what, const uint8_t *bytes, size_t size)
{
    printf("FAILED: %s:", what);
    for (size_t n = 0; n < size; n++)
        printf(" %02x", bytes[n]);
    printf("\n");
    return 1;
}

static int check(uint8_t *end)
{
    size_t size = draw() % (X86_MAX + 3);
    uint8_t *bytes = end - size;
    struct x86_instruction whole = {0}, again = {0};
    int rc;

    fill(bytes, size);
    rc = x86_decode(bytes, size, 0x1000, &whole);
    if (rc == X86_TRUNCATED && size >= X86_MAX)
        return wrong("truncated with all bytes", bytes, size);
    if (rc)
        return 0;
    if (!whole.length || whole.length > size || whole.length > X86_MAX)
        return wrong("the length", bytes, size);
    memmove(end - whole.length, bytes, whole.length);
    if (x86_decode(end - whole.length, whole.length, 0x1000, &again) || memcmp(&whole, &again, sizeof(whole)))
        return wrong("it depends on what follows", end - whole.length, whole.length);
    if (x86_decode(end - whole.length, whole.length - 1U, 0x1000, &again) != X86_TRUNCATED)
        return wrong("a part is taken for the whole", end - whole.length, whole.length);
    return 0;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
        return 1;
    for (long n = 0; n < count; n++)
        if (check(pages + page))
            return 1;
    printf("%ld random instructions\n", count);
    return 0;
}
