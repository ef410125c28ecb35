/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/target/embedded.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/target/discover.h"
#include "inspect/target/hostcall.h"

enum {
    TEXTS = 2,
    TEXT_MAX = 64,        /* of a text, with its end */
    BLOCK_SIZE = 1 << 16, /* one read */
};
/* Of a program that is looked through; a larger one is rare, and over a remote debugger's wire slow. */
#define SEARCHED_MAX (UINT64_C(64) << 20)

/* A text in two parts: whole, it would be in the memory of the tool that searches too. */
struct text {
    const char *first, *rest;
};

/* All texts of a runtime have to be there: a program may set or print one of its variables. */
static const struct {
    enum insp_embedded embedded;
    const char *name;
    struct text text[TEXTS];
} runtimes[] = {
    {INSP_EMBEDDED_GOMP, "libgomp", {{"\nlib", "gomp: "}, {"GOMP_", "SPINCOUNT"}}},
    {INSP_EMBEDDED_KMP, "libomp", {{"__KMP_REGIS", "TERED_LIB_"}, {"KMP_", "BLOCKTIME"}}},
};
enum { RUNTIMES = sizeof(runtimes) / sizeof(*runtimes) };

const char *embedded_name(enum insp_embedded embedded)
{
    for (int i = 0; i < RUNTIMES; i++)
        if (runtimes[i].embedded == embedded)
            return runtimes[i].name;
    return NULL;
}

struct search {
    insp_session *s;
    unsigned char block[BLOCK_SIZE + TEXT_MAX];
    bool found[RUNTIMES][TEXTS];
    uint64_t searched;
    bool gap; /* some of the memory was not looked through */
};

static bool holds(const unsigned char *bytes, size_t size, const struct text *text)
{
    const size_t first = strlen(text->first), rest = strlen(text->rest);

    for (const unsigned char *at = bytes; size >= first + rest; at++) {
        at = memmem(at, (size_t)(bytes + size - at), text->first, first);
        if (!at || (size_t)(bytes + size - at) < first + rest)
            return false;
        if (!memcmp(at + first, text->rest, rest))
            return true;
    }
    return false;
}

/* Each block begins with the end of the one before it: a text may lie across. */
static void search_range(struct search *q, uint64_t start, uint64_t size)
{
    size_t kept = 0;

    for (uint64_t at = 0; at < size; at += BLOCK_SIZE) {
        const size_t n = size - at < BLOCK_SIZE ? (size_t)(size - at) : BLOCK_SIZE;

        if (q->searched >= SEARCHED_MAX || host_read(q->s, start + at, q->block + kept, n)) {
            q->gap = true;
            return;
        }
        q->searched += n;
        for (int i = 0; i < RUNTIMES; i++)
            for (int k = 0; k < TEXTS; k++)
                q->found[i][k] = q->found[i][k] || holds(q->block, kept + n, &runtimes[i].text[k]);
        if (kept + n >= TEXT_MAX) {
            memmove(q->block, q->block + kept + n - TEXT_MAX, TEXT_MAX);
            kept = TEXT_MAX;
        }
    }
}

/* What the program cannot write, which is where a compiler puts texts. */
static void search_program(struct search *q, const struct insp_known_module *m)
{
    unsigned char page[DISCOVER_PAGE];
    Elf64_Ehdr head;

    if (host_read(q->s, m->base, page, sizeof(page))) {
        q->gap = true;
        return;
    }
    memcpy(&head, page, sizeof(head));
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = head.e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);
        Elf64_Phdr ph;

        if (head.e_phoff > sizeof(page) || at > sizeof(page) - sizeof(ph)) {
            q->gap = true;
            return;
        }
        memcpy(&ph, page + at, sizeof(ph));
        if (ph.p_type == PT_LOAD && !(ph.p_flags & PF_W) && ph.p_flags & PF_R)
            search_range(q, m->bias + ph.p_vaddr, ph.p_filesz);
    }
}

static enum insp_embedded look(insp_session *s, const struct insp_known_module *m)
{
    enum insp_embedded found = INSP_EMBEDDED_NONE;
    struct search *q = calloc(1, sizeof(*q));

    if (!q)
        return INSP_EMBEDDED_UNREAD;
    q->s = s;
    search_program(q, m);
    if (q->gap)
        found = INSP_EMBEDDED_UNREAD;
    for (int i = 0; i < RUNTIMES; i++)
        if (q->found[i][0] && q->found[i][1])
            found = runtimes[i].embedded;
    free(q);
    return found;
}

static bool is_program(const struct insp_known_module *m, const char *exe)
{
    return m->readable && (m->fixed || m->interpreted || (exe && !strcmp(m->path, exe)));
}

void embedded_look(insp_session *s, const char *exe, const struct insp_known_module **ret)
{
    *ret = NULL;
    for (int i = 0; i < s->module_count; i++) {
        struct insp_known_module *m = &s->modules[i];

        if (m->seen != s->scan || m->runtime || m->stock || !is_program(m, exe))
            continue;
        if (m->embedded == INSP_EMBEDDED_NOT_ASKED)
            m->embedded = look(s, m);
        *ret = m;
        return;
    }
}
