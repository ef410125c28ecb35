/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: frames joined by semicolons, a blank, a count. The first line is no stack: flamegraph.pl and
 * others leave out what does not end with a number.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "inspect/profile/profile.h"
#include "inspect/profile/store.h"

static void add_word(struct sbuf *out, const char *word)
{
    for (; *word; word++)
        sbuf_add_n(out, *word == ';' ? ":" : word, 1);
}

static bool add_stacks(const struct profile *p, const struct profile_thread *thread, struct sbuf *out)
{
    uint64_t *counts = store_counts(p, thread);
    struct arena arena = {0};
    const char *name = thread ? store_thread_name(&arena, thread) : NULL;

    for (size_t i = 0; counts && i < p->stack_count; i++) {
        if (!counts[i])
            continue;
        if (name)
            sbuf_printf(out, "%s;", name);
        for (uint32_t k = 0; k < p->stacks[i].count; k++) {
            sbuf_add(out, k ? ";" : "");
            add_word(out, p->frames[p->stacks[i].frame[k]].name);
        }
        sbuf_printf(out, " %" PRIu64 "\n", counts[i]);
    }
    free(counts);
    arena_free(&arena);
    return counts;
}

char *profile_folded(const struct profile *p, bool per_thread)
{
    char *summary = profile_summary(p);
    struct sbuf out = {0};
    bool good = summary;

    if (good)
        sbuf_printf(&out, "# ompd profile of %s (PID %" PRId64 "): %s\n", p->exe ? p->exe : "?", p->pid,
                    summary);
    if (good && !per_thread)
        good = add_stacks(p, NULL, &out);
    for (size_t i = 0; good && per_thread && i < p->thread_count; i++)
        good = add_stacks(p, &p->threads[i], &out);
    free(summary);
    out.oom |= !good;
    return sbuf_take(&out);
}
