/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads, and how one is found by its number or by its stack.
 */
#include "corefiles/threads.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/target.h"
#include "ompdx.h"

/** How threads are found; indices into cf_target.threads. */
struct cf_thread_index {
    uint32_t *by_lwp; /**< NULL: not all are known yet */
    uint32_t *by_sp;  /**< of those with registers; NULL not yet */
    uint32_t by_sp_count;
    uint8_t *known; /**< a bit for each number, while threads are collected; NULL before and after */
};

static struct cf_thread_index *index_of(struct cf_target *t)
{
    if (!t->thread_index)
        t->thread_index = calloc(1, sizeof(*t->thread_index));
    return t->thread_index;
}

bool cf_threads_collect(struct cf_target *t)
{
    struct cf_thread_index *x = index_of(t);

    if (x && !x->known)
        x->known = calloc(1, CF_THREADS_MAX / 8);
    return x && x->known;
}

static uint8_t bit(int64_t tid)
{
    return (uint8_t)(1U << tid % 8);
}

bool cf_thread_known(const struct cf_target *t, int64_t tid)
{
    return t->thread_index->known[tid / 8] & bit(tid);
}

void cf_thread_mark(struct cf_target *t, int64_t tid, bool known)
{
    uint8_t *byte = &t->thread_index->known[tid / 8];

    *byte = (uint8_t)(known ? *byte | bit(tid) : *byte & ~bit(tid));
}

void cf_threads_collected(struct cf_target *t)
{
    if (t->thread_index) {
        free(t->thread_index->known);
        t->thread_index->known = NULL;
    }
}

void cf_threads_free(struct cf_thread_index *x)
{
    if (x) {
        free(x->by_lwp);
        free(x->by_sp);
        free(x->known);
    }
    free(x);
}

static int compare_lwps(const void *a, const void *b, void *arg)
{
    const struct cf_thread *threads = arg;
    int64_t x = threads[*(const uint32_t *)a].lwp, y = threads[*(const uint32_t *)b].lwp;

    return x < y ? -1 : x > y;
}

bool cf_threads_sort(struct cf_target *t)
{
    uint32_t *order = malloc((t->thread_count + 1) * sizeof(*order));

    if (!order || !index_of(t)) {
        free(order);
        return false;
    }
    for (uint32_t i = 0; i < t->thread_count; i++)
        order[i] = i;
    qsort_r(order, t->thread_count, sizeof(*order), compare_lwps, t->threads);
    t->thread_index->by_lwp = order;
    return true;
}

struct cf_thread *cf_thread_of(struct cf_target *t, int64_t lwp)
{
    const uint32_t *by_lwp = t->thread_index ? t->thread_index->by_lwp : NULL;
    uint32_t low = 0, high = by_lwp ? t->thread_count : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        struct cf_thread *th = &t->threads[by_lwp[mid]];

        if (th->lwp == lwp)
            return th;
        if (th->lwp < lwp)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static int compare_sps(const void *a, const void *b, void *arg)
{
    const struct cf_target *t = arg;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    uint64_t x = t->threads[i].reg[t->arch->sp], y = t->threads[k].reg[t->arch->sp];

    if (x != y)
        return x < y ? -1 : 1;
    return i > k ? -1 : i < k; /* of equal ones the first thread comes last */
}

/* Those with registers, by their stack pointers. */
static bool sort_by_sp(struct cf_target *t)
{
    struct cf_thread_index *x = t->thread_index;

    if (x->by_sp)
        return true;
    x->by_sp = malloc((t->thread_count + (size_t)1) * sizeof(*x->by_sp));
    for (uint32_t i = 0; x->by_sp && i < t->thread_count; i++)
        if (t->threads[i].has_regs)
            x->by_sp[x->by_sp_count++] = i;
    if (x->by_sp)
        qsort_r(x->by_sp, x->by_sp_count, sizeof(*x->by_sp), compare_sps, t);
    return x->by_sp != NULL;
}

struct cf_thread *cf_stack_owner(struct cf_target *t, uint64_t addr, uint64_t start)
{
    const struct cf_thread_index *x = t->thread_index;
    uint32_t low = 0, high = sort_by_sp(t) ? x->by_sp_count : 0;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->threads[x->by_sp[mid]].reg[t->arch->sp] <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && t->threads[x->by_sp[low - 1]].reg[t->arch->sp] >= start ? &t->threads[x->by_sp[low - 1]]
                                                                          : NULL;
}

void cf_registers(const struct cf_arch *arch, const uint64_t *gregs, struct cf_thread *th)
{
    for (uint32_t i = 0; i < arch->dwarf_count; i++)
        th->reg[i] = gregs[arch->greg_of_dwarf[i]];
    if (arch->tp_greg >= 0)
        th->tp = gregs[arch->tp_greg];
    th->has_regs = true;
    th->call = (struct insp_system_call){.machine = arch->machine,
                                         .number = (int64_t)gregs[arch->call_greg],
                                         .result = (int64_t)gregs[arch->call_result]};
    for (uint32_t i = 0; i < 6; i++)
        th->call.arg[i] = gregs[arch->call_args[i]];
    th->call_known = th->call.number < 0;
    if (arch->machine == EM_X86_64)
        memcpy(th->user, gregs, sizeof(th->user));
}

int cf_host_registers(struct cf_target *t, int64_t lwp, uint64_t reg[CF_X86_64_USER], uint64_t *known)
{
    const struct cf_thread *th = cf_thread_of(t, lwp);

    if (!th || t->arch->machine != EM_X86_64)
        return 1;
    if (t->info.moving && !th->ended && th->pthread) {
        /* Of a thread that runs: libc's handle of it is its thread pointer, which never changes. */
        reg[ompdx_reg_fs_base] = th->pthread;
        *known = UINT64_C(1) << ompdx_reg_fs_base;
        return 0;
    }
    if (!th->has_regs)
        return 1;
    memcpy(reg, th->user, sizeof(th->user));
    *known = (UINT64_C(1) << CF_X86_64_USER) - 1;
    return 0;
}
