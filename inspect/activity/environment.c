/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/environment.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/activity/launcher.h"
#include "inspect/target/hostcall.h"

/* Bounds on what is read: an environment of 128 KiB in 4096 strings is a large one. */
enum { POINTERS = 4096, POINTERS_AT_ONCE = 64, PAGE = 4096, PAGES_MAX = 64 };

struct environment {
    insp_session *session;
    uint64_t page; /* address of `bytes`; 0 none */
    int pages;     /* that were read */
    uint8_t bytes[PAGE];
    struct launcher told;
};

/* One byte; the strings lie behind one another, so a few pages have all of them. */
static bool byte_at(struct environment *e, uint64_t addr, char *ret)
{
    const uint64_t page = addr & ~(uint64_t)(PAGE - 1);

    if (!e->page || e->page != page) {
        e->page = 0;
        if (!page || e->pages >= PAGES_MAX)
            return false;
        e->pages++;
        if (host_read(e->session, page, e->bytes, PAGE))
            return false;
        e->page = page;
    }
    *ret = (char)e->bytes[addr - page];
    return true;
}

/* Does the string at ADDR begin so? Then the address behind it. */
static uint64_t after(struct environment *e, uint64_t addr, const char *start)
{
    char c;

    for (; *start; start++, addr++)
        if (!addr || !byte_at(e, addr, &c) || c != *start)
            return 0;
    return addr;
}

static void take_value(struct environment *e, uint64_t addr, char ret[LAUNCHER_VALUE])
{
    for (int i = 0; i < LAUNCHER_VALUE; i++)
        if (!byte_at(e, addr + (uint64_t)i, &ret[i]) || i == LAUNCHER_VALUE - 1) {
            *ret = '\0'; /* a part of it would be another value */
            return;
        } else if (!ret[i]) {
            return;
        }
}

static void take_string(struct environment *e, uint64_t addr)
{
    const char *name;

    for (int i = 0; (name = launcher_name(i)); i++) {
        uint64_t at = after(e, addr, name);

        at = at ? after(e, at, "=") : 0;
        if (at)
            take_value(e, at, e->told.value[i]);
    }
}

/* As the host knows it. False: it does not. */
static bool take_told(struct environment *e)
{
    const char *text;
    int rc = host_environment(e->session, 0, &text);

    for (uint32_t at = 0; !rc && at < POINTERS; rc = host_environment(e->session, ++at, &text))
        if (text)
            launcher_take(&e->told, text);
    return rc >= 0;
}

/* From the process' own memory. */
static void take_strings(struct environment *e)
{
    uint64_t list, strings[POINTERS_AT_ONCE];

    if (host_lookup(e->session, "environ", NULL, &list) || host_read(e->session, list, &list, sizeof(list)))
        return;
    for (int i = 0; list && list % 8 == 0 && i < POINTERS; i += POINTERS_AT_ONCE) {
        /* Up to a boundary, so that a page behind the list need not be there. */
        size_t count = POINTERS_AT_ONCE - (size_t)(list / 8 % POINTERS_AT_ONCE);

        if (host_read(e->session, list, strings, count * 8))
            return;
        for (size_t k = 0; k < count; k++) {
            if (!strings[k])
                return;
            take_string(e, strings[k]);
        }
        list += count * 8;
    }
}

void environment_find(insp_session *s, insp_snapshot *snap)
{
    struct environment *e = calloc(1, sizeof(*e));
    struct mdl_process *p = &snap->process;
    struct launcher_told told;

    if (!e) {
        snap->arena.oom = true;
        return;
    }
    e->session = s;
    if (!take_told(e))
        take_strings(e);
    launcher_tell(&e->told, &told);
    p->rank = told.rank;
    p->size = told.size;
    if (told.job)
        p->job = arena_str(&snap->arena, told.job);
    if (told.step)
        p->step = arena_str(&snap->arena, told.step);
    if (told.name_space)
        p->name_space = arena_str(&snap->arena, told.name_space);
    free(e);
}
