/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/start_routine.h"

#include <string.h>

#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* A descriptor of any glibc is smaller: struct pthread has 2304 bytes. */
enum { DESCRIPTOR = 8192 };

/* An entry of the table: the size in bits, how many of them, and where the first is. */
struct entry {
    uint32_t bits, count, offset;
};

/* Before glibc 2.34 it is libpthread's. A static program has it itself. */
static const char *const libraries[] = {"libc.so.", "libc-2.", "libpthread.so.", "libpthread-2."};

static const struct insp_known_module *library(const insp_session *s, const char *begins)
{
    for (int i = 0; i < s->module_count; i++) {
        const char *slash = strrchr(s->modules[i].path, '/');
        const char *base = slash ? slash + 1 : s->modules[i].path;

        if (s->modules[i].seen == s->scan && !strncmp(base, begins, strlen(begins)))
            return &s->modules[i];
    }
    return NULL;
}

static bool look_up(insp_session *s, const char *name, uint64_t *ret)
{
    bool alone = true;

    for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
        const struct insp_known_module *m = library(s, libraries[i]);

        alone = alone && !m;
        if (m && !host_lookup(s, name, m->path, ret))
            return true;
    }
    return alone && !host_lookup(s, name, NULL, ret);
}

/* Of a member of BITS; 0: not known. */
static uint32_t find_offset(insp_session *s, const char *name, uint32_t bits)
{
    struct entry entry;
    uint64_t at;

    if (!look_up(s, name, &at) || host_read(s, at, &entry, sizeof(entry)) || entry.bits != bits ||
        entry.count != 1 || entry.offset % (bits / 8) || entry.offset > DESCRIPTOR - bits / 8)
        return 0;
    return entry.offset;
}

uint32_t start_routine_tid_offset(insp_session *s)
{
    return find_offset(s, "_thread_db_pthread_tid", 32);
}

bool start_routine_of(insp_session *s, uint64_t pthread, uint64_t *ret)
{
    if (!pthread)
        return false;
    if (s->start_routine_scan != s->scan) {
        s->start_routine_scan = s->scan;
        s->start_routine_offset = find_offset(s, "_thread_db_pthread_start_routine", 64);
    }
    return s->start_routine_offset && !still_read(s, pthread + s->start_routine_offset, ret, sizeof(*ret));
}
