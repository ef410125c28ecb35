/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Thread-local addresses and pthread handles, by the descriptors that glibc publishes for libthread_db: words
 * {size in bits, number of elements, offset} under names _thread_db_*, in the dynamic symbols of libc.so.6
 * and in the symbols of a static program. So no version of glibc is known here.
 */
#include "corefiles/tls.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/modules.h"
#include "corefiles/read.h"
#include "corefiles/symbols.h"
#include "corefiles/target.h"
#include "corefiles/threads.h"

enum {
    DB_SIZEOF_PTHREAD,
    DB_PTHREAD_TID,
    DB_PTHREAD_LIST,
    DB_PTHREAD_DTVP,
    DB_DTV_DTV,
    DB_POINTER_VAL,
    DB_L_TLS_MODID,
    DB_LIST_NEXT,
    DB_STACK_USED,
    DB_STACK_USER,
    DB_COUNT
};

static const char *const names[DB_COUNT] = {
    [DB_SIZEOF_PTHREAD] = "_thread_db_sizeof_pthread",
    [DB_PTHREAD_TID] = "_thread_db_pthread_tid",
    [DB_PTHREAD_LIST] = "_thread_db_pthread_list",
    [DB_PTHREAD_DTVP] = "_thread_db_pthread_dtvp",
    [DB_DTV_DTV] = "_thread_db_dtv_dtv",
    [DB_POINTER_VAL] = "_thread_db_dtv_t_pointer_val",
    [DB_L_TLS_MODID] = "_thread_db_link_map_l_tls_modid",
    [DB_LIST_NEXT] = "_thread_db_list_t_next",
    [DB_STACK_USED] = "_thread_db_rtld_global__dl_stack_used",
    [DB_STACK_USER] = "_thread_db_rtld_global__dl_stack_user",
};

struct cf_thread_db {
    uint32_t descriptor[DB_COUNT][3]; /**< [0] is 0 where one is missing */
};

void cf_thread_db_free(struct cf_thread_db *db)
{
    free(db);
}

/* Reads the descriptors, once. False: out of memory. */
static bool read_descriptors(struct cf_target *t)
{
    if (t->thread_db)
        return true;
    t->thread_db = calloc(1, sizeof(*t->thread_db));
    if (!t->thread_db)
        return false;
    for (int i = 0; i < DB_COUNT; i++) {
        uint64_t addr;

        /* sizeof_pthread is one word, not a descriptor. */
        if (cf_lookup(t, names[i], NULL, &addr) ||
            cf_read(t, addr, t->thread_db->descriptor[i], i == DB_SIZEOF_PTHREAD ? 4 : 12))
            t->thread_db->descriptor[i][0] = 0;
    }
    return true;
}

/* The field FIELD, element INDEX, of the structure at BASE. */
static int field(struct cf_target *t, int which, uint64_t base, uint64_t index, uint64_t *ret)
{
    const uint32_t *d = t->thread_db->descriptor[which];
    uint64_t value = 0;

    if ((d[0] != 32 && d[0] != 64) || cf_read(t, base + d[2] + index * (d[0] / 8), &value, d[0] / 8))
        return 1;
    *ret = value;
    return 0;
}

/* The address of the dynamic linker's list of mapped files: DT_DEBUG of the executable (System V gABI,
   <link.h>). */
static int link_map(struct cf_target *t, uint64_t *ret)
{
    for (uint32_t i = 0; i < t->module_count; i++) {
        const struct cf_mod *m = &t->modules[i];
        uint64_t pair[2], map;

        if (m->path != t->info.exe || !m->dynamic)
            continue;
        for (int k = 0; k < 4096; k++) {
            if (cf_read(t, m->dynamic + 16 * (uint64_t)k, pair, sizeof(pair)) || pair[0] == DT_NULL)
                return 1;
            /* struct r_debug: int version, then the list. */
            if (pair[0] == DT_DEBUG && pair[1]) {
                if (cf_read(t, pair[1] + 8, &map, 8))
                    return 1;
                *ret = map;
                return 0;
            }
        }
    }
    return 1;
}

/* The TLS module number of M. struct link_map begins with l_addr, l_name, l_ld, l_next (<link.h>). */
static int tls_module(struct cf_target *t, const struct cf_mod *m, uint64_t *ret)
{
    uint64_t map, words[4];

    if (link_map(t, &map)) {
        *ret = 1; /* a static program: it is the only module */
        return m->path == t->info.exe && !m->dynamic ? 0 : 1;
    }
    for (int i = 0; map && i < 1 << 16; i++) {
        if (cf_read(t, map, words, sizeof(words)))
            return 1;
        if (words[2] == m->dynamic)
            return field(t, DB_L_TLS_MODID, map, 0, ret);
        map = words[3];
    }
    return 1;
}

int cf_tls_address(struct cf_target *t, int64_t lwp, const struct cf_mod *m, uint64_t offset, uint64_t *addr)
{
    struct cf_thread *th = cf_thread_of(t, lwp);
    uint64_t number, dtv, block;

    if (!m || !th || !th->pthread || !read_descriptors(t))
        return 1;
    if (tls_module(t, m, &number) || !number || number > 1 << 20 ||
        field(t, DB_PTHREAD_DTVP, th->pthread, 0, &dtv) || t->thread_db->descriptor[DB_DTV_DTV][0] % 8)
        return 1;
    /* dtv_dtv says how large an element of the vector is, pointer_val where in it the block's address is. */
    dtv += t->thread_db->descriptor[DB_DTV_DTV][2] + number * (t->thread_db->descriptor[DB_DTV_DTV][0] / 8);
    if (field(t, DB_POINTER_VAL, dtv, 0, &block) || !block || block == UINT64_MAX)
        return 1; /* a thread that has not touched it has none */
    *addr = block + offset;
    return 0;
}

int cf_lookup_tls(struct cf_target *t, int64_t lwp, const char *symbol, const char *module, uint64_t *addr)
{
    uint64_t offset;
    struct cf_mod *m;

    return cf_lookup_offset(t, symbol, module, &m, &offset) || cf_tls_address(t, lwp, m, offset, addr);
}

static int compare_tids(const void *a, const void *b, void *arg)
{
    const struct cf_thread *threads = arg;
    int64_t x = threads[*(const uint32_t *)a].tid, y = threads[*(const uint32_t *)b].tid;

    return x < y ? -1 : x > y;
}

/* The threads TID, of which ORDER has all sorted, have this handle. */
static void give(struct cf_target *t, const uint32_t *order, int64_t tid, uint64_t pthread)
{
    uint32_t low = 0, high = t->thread_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (t->threads[order[mid]].tid < tid)
            low = mid + 1;
        else
            high = mid;
    }
    /* Other namespaces have the same numbers, but no two threads of one process have. */
    if (low < t->thread_count && t->threads[order[low]].tid == tid)
        t->threads[order[low]].pthread = pthread;
}

/* Follows one of libc's lists of threads, for threads without registers. A damaged one may be a ring without
   its head; one that changes meanwhile may be longer than our own. */
static void walk(struct cf_target *t, int which, uint64_t rtld, const uint32_t *order)
{
    uint64_t head = rtld + t->thread_db->descriptor[which][2], at, next, tid,
             left = 2 * (uint64_t)t->thread_count + 1024;

    if (!t->thread_db->descriptor[which][0] || !t->thread_db->descriptor[DB_PTHREAD_LIST][0] ||
        field(t, DB_LIST_NEXT, head, 0, &at))
        return;
    for (; at && at != head && left; left--, at = next) {
        uint64_t pthread = at - t->thread_db->descriptor[DB_PTHREAD_LIST][2];

        if (!field(t, DB_PTHREAD_TID, pthread, 0, &tid))
            give(t, order, (int64_t)(int32_t)tid, pthread);
        if (field(t, DB_LIST_NEXT, at, 0, &next))
            return;
    }
}

/* From libc's lists. */
static void walk_lists(struct cf_target *t)
{
    uint32_t *order = malloc((t->thread_count + (size_t)1) * sizeof(*order));
    uint64_t rtld;

    for (uint32_t i = 0; order && i < t->thread_count; i++)
        order[i] = i;
    if (order && !cf_lookup(t, "_rtld_global", NULL, &rtld)) {
        qsort_r(order, t->thread_count, sizeof(*order), compare_tids, t->threads);
        walk(t, DB_STACK_USED, rtld, order);
        walk(t, DB_STACK_USER, rtld, order);
    }
    free(order);
}

void cf_thread_handles(struct cf_target *t)
{
    bool missing = false;

    for (uint32_t i = 0; i < t->thread_count; i++) {
        struct cf_thread *th = &t->threads[i];

        if (th->tp && t->arch->tcb_at_tp) {
            th->pthread = th->tp;
        } else if (th->tp) {
            if (read_descriptors(t) && t->thread_db->descriptor[DB_SIZEOF_PTHREAD][0])
                th->pthread = th->tp - t->thread_db->descriptor[DB_SIZEOF_PTHREAD][0];
        }
        missing |= !th->pthread;
    }
    if (missing && read_descriptors(t))
        walk_lists(t);
}
