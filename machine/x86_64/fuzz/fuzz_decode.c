/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input is bytes, and the instruction at each of them is looked at. An instruction is
 * the same whatever follows it, with a byte less it is none, and nothing is read behind what is there.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/x86_64/x86.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PC = 0x1000 };

static void must(int holds)
{
    if (!holds)
        abort();
}

/* SIZE bytes that end where what can be read ends, for a sanitizer. */
static int decode(const uint8_t *bytes, size_t size, struct x86_instruction *ret)
{
    uint8_t *copy = malloc(size + (size == 0));
    int rc;

    must(copy != NULL);
    memcpy(copy, bytes, size);
    memset(ret, 0, sizeof(*ret));
    rc = x86_decode(copy, size, PC, ret);
    free(copy);
    return rc;
}

static void check(const uint8_t *bytes, size_t size)
{
    struct x86_instruction whole, again;
    const int rc = decode(bytes, size, &whole);

    must(rc == X86_OK || rc == X86_INVALID || (rc == X86_TRUNCATED && size < X86_MAX));
    if (rc != X86_OK)
        return;
    must(whole.length > 0 && whole.length <= size && whole.length <= X86_MAX);
    must(decode(bytes, whole.length, &again) == X86_OK);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): both were cleared as a whole. */
    must(!memcmp(&whole, &again, sizeof(whole)));
    must(decode(bytes, whole.length - 1U, &again) == X86_TRUNCATED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t at = 0; at <= size; at++)
        check(data + at, size - at);
    return 0;
}
