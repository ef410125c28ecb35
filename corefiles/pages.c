/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Copies of a live process's pages, made when they are first read while it is stopped. Whatever has been
 * read once can be read again after it goes on: so the costly part of an answer, names and stacks, comes when
 * nobody waits for it.
 */
#include "corefiles/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "corefiles/target.h"
#include "inspect/base/hash.h"

/** Pages that are to be copied. */
struct run {
    uint64_t first, count;
};

struct cf_pages {
    struct hash at;   /**< where the copy of a page is, by address / CF_PAGE */
    uint8_t **pieces; /**< of memory, with the copies of one or more pages */
    size_t piece_count;
    struct run *wanted;
    size_t wanted_count;
};

/* The copy of page NUMBER; NULL there is none. */
static const uint8_t *copy_of(const struct cf_pages *p, uint64_t number)
{
    const uint64_t *at = hash_find(&p->at, number, NULL);

    return at ? (const uint8_t *)(uintptr_t)*at : NULL;
}

static uint8_t *new_piece(struct cf_pages *p, uint64_t size)
{
    uint8_t **pieces = size ? array_grow(p->pieces, p->piece_count, sizeof(*pieces)) : NULL;

    if (!pieces)
        return NULL;
    p->pieces = pieces;
    pieces[p->piece_count] = malloc(size);
    return pieces[p->piece_count] ? pieces[p->piece_count++] : NULL;
}

/* Notes where the copies of COUNT pages are. */
static bool take_note(struct cf_pages *p, uint64_t first, uint64_t count, uint8_t *bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *at = hash_add(&p->at, first + i, NULL);

        if (!at)
            return false;
        if (!*at)
            *at = (uintptr_t)(bytes + i * CF_PAGE);
    }
    return true;
}

/* Copies COUNT pages from page FIRST on, none of which is there yet. */
static int fetch(struct cf_target *t, uint64_t first, uint64_t count)
{
    struct cf_pages *p = t->pages;
    const uint64_t size = count * CF_PAGE;
    uint8_t *bytes = new_piece(p, size);
    struct iovec local = {bytes, size}, remote = {(void *)(uintptr_t)(first * CF_PAGE), size};

    if (!bytes)
        return -1;
    t->reads++;
    t->bytes += size;
    if (process_vm_readv((pid_t)t->live_task, &local, 1, &remote, 1, 0) != (ssize_t)size) {
        free(p->pieces[--p->piece_count]);
        return -1;
    }
    return take_note(p, first, count, bytes) ? 0 : -1;
}

static struct cf_pages *pages_of(struct cf_target *t)
{
    if (!t->pages)
        t->pages = calloc(1, sizeof(*t->pages));
    return t->pages;
}

static void want(struct cf_pages *p, uint64_t first, uint64_t count)
{
    struct run *grown = count ? array_grow(p->wanted, p->wanted_count, sizeof(*grown)) : NULL;

    if (!grown)
        return;
    p->wanted = grown;
    grown[p->wanted_count++] = (struct run){first, count};
}

void cf_pages_want(struct cf_target *t, uint64_t addr, uint64_t size)
{
    enum { RUN_MAX = 16 }; /* pages: one that cannot be read does not take more with it */
    const uint64_t last = (addr + size - 1) / CF_PAGE;
    uint64_t missing = 0;

    if (!size || addr + size < addr || !t->stopped || !pages_of(t))
        return;
    for (uint64_t n = addr / CF_PAGE; n <= last; n++) {
        if (copy_of(t->pages, n)) {
            want(t->pages, n - missing, missing);
            missing = 0;
        } else if (++missing == RUN_MAX || n == last) {
            want(t->pages, n + 1 - missing, missing);
            missing = 0;
        }
    }
}

/* The newest piece needs no more than SIZE bytes, which may be none. */
static uint8_t *shrink_piece(struct cf_pages *p, uint64_t size)
{
    uint8_t **last = &p->pieces[p->piece_count - 1], *moved = size ? realloc(*last, size) : NULL;

    if (moved)
        return *last = moved;
    if (size)
        return *last;
    free(*last);
    p->piece_count--;
    return NULL;
}

/* Copies some of COUNT runs by one system call; how many, with one that cannot be read. */
static size_t fetch_some(struct cf_target *t, const struct run *run, size_t count)
{
    enum { RUNS_MAX = 512, BYTES_MAX = 16 << 20 }; /* IOV_MAX is 1024 */
    struct iovec remote[RUNS_MAX], local;
    uint64_t size = 0, whole = 0;
    uint8_t *bytes;
    size_t n = 0, done = 0;
    ssize_t got;

    while (n < count && n < RUNS_MAX && size + run[n].count * CF_PAGE <= BYTES_MAX) {
        remote[n] = (struct iovec){(void *)(uintptr_t)(run[n].first * CF_PAGE), run[n].count * CF_PAGE};
        size += remote[n++].iov_len;
    }
    bytes = new_piece(t->pages, size);
    if (!bytes)
        return count;
    local = (struct iovec){bytes, size};
    t->reads++;
    t->bytes += size;
    got = process_vm_readv((pid_t)t->live_task, &local, 1, remote, n, 0);
    while (done < n && got >= (ssize_t)(whole + remote[done].iov_len))
        whole += remote[done++].iov_len;
    bytes = whole < size ? shrink_piece(t->pages, whole) : bytes;
    for (size_t i = 0; i < done; bytes += remote[i++].iov_len)
        if (!take_note(t->pages, run[i].first, run[i].count, bytes))
            return count;
    return done < n ? done + 1 : n;
}

void cf_pages_fetch(struct cf_target *t)
{
    struct cf_pages *p = t->pages;

    if (!p)
        return;
    for (size_t at = 0; t->stopped && at < p->wanted_count;)
        at += fetch_some(t, p->wanted + at, p->wanted_count - at);
    free(p->wanted);
    p->wanted = NULL;
    p->wanted_count = 0;
}

int cf_pages_keep(struct cf_target *t, uint64_t addr, uint64_t size)
{
    const uint64_t first = addr / CF_PAGE, last = (addr + size - 1) / CF_PAGE;
    uint64_t missing = 0;

    if (!size)
        return 0;
    if (addr + size < addr)
        return -1;
    if (!pages_of(t))
        return -1;
    for (uint64_t n = first; n <= last; n++) {
        bool here = copy_of(t->pages, n);

        missing += !here;
        if (missing && !t->stopped)
            return -1;
        if (missing && (here || n == last)) {
            if (fetch(t, here ? n - missing : n + 1 - missing, missing))
                return -1;
            missing = 0;
        }
    }
    return 0;
}

int cf_pages_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    if (cf_pages_keep(t, addr, size))
        return -1;
    for (uint64_t n = addr / CF_PAGE; size; n++) {
        const uint8_t *bytes = copy_of(t->pages, n);
        uint64_t start = addr % CF_PAGE, part = CF_PAGE - start;

        if (part > size)
            part = size;
        memcpy(buf, bytes + start, part);
        buf = (uint8_t *)buf + part;
        addr += part;
        size -= part;
    }
    return 0;
}

void cf_pages_free(struct cf_pages *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->piece_count; i++)
        free(p->pieces[i]);
    free(p->pieces);
    free(p->wanted);
    hash_free(&p->at);
    free(p);
}
