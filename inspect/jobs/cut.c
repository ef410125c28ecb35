/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/cut.h"

#include <string.h>

#include "inspect/base/printable.h"

const char *cut_text(struct arena *a, const char *text, size_t most)
{
    static const char end[] = "...";
    const char *shown = printable_str(a, text);
    size_t n = most - (sizeof(end) - 1);
    char *cut;

    if (!shown || strlen(shown) <= most)
        return shown;
    /* Not within a character. */
    while (n && ((unsigned char)shown[n] & 0xc0) == 0x80)
        n--;
    cut = arena_alloc(a, n + sizeof(end));
    if (cut) {
        memcpy(cut, shown, n);
        memcpy(cut + n, end, sizeof(end));
    }
    return cut;
}
