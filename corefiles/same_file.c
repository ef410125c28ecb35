/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/same_file.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "corefiles/file.h"
#include "corefiles/memory.h"
#include "corefiles/pages.h"
#include "corefiles/procfs.h"
#include "corefiles/target.h"

enum { DYNAMIC_MAX = 1000 }; /* entries that are compared */

/* What the target has of [at, at + size): equal to BUF, another, or not there. */
static enum cf_check compare(struct cf_target *t, uint64_t at, const uint8_t *buf, uint64_t size)
{
    uint8_t there[CF_PAGE];

    if (cf_read_target(t, at, there, size))
        return CF_CHECK_UNSURE;
    return memcmp(buf, there, size) ? CF_CHECK_NONE : CF_CHECK_MATCHES;
}

static enum cf_check compare_first_page(struct cf_target *t, const struct cf_mod *m, int fd,
                                        const struct stat *st)
{
    uint64_t size = (uint64_t)st->st_size < CF_PAGE ? (uint64_t)st->st_size : CF_PAGE;
    uint8_t here[CF_PAGE];

    return size && cf_pread(fd, here, size, 0) ? compare(t, m->base, here, size) : CF_CHECK_NONE;
}

/* The loader adds the bias to addresses, and keeps one of its own behind DT_DEBUG. */
static bool same_entry(const Elf64_Dyn *here, const Elf64_Dyn *there, uint64_t bias)
{
    return here->d_tag == there->d_tag &&
           (here->d_un.d_val == there->d_un.d_val || here->d_un.d_val + bias == there->d_un.d_val ||
            here->d_tag == DT_DEBUG);
}

static enum cf_check compare_dynamic(struct cf_target *t, const struct cf_mod *m, int fd,
                                     const struct cf_elf *elf)
{
    const uint64_t bias = m->base - elf->first_vaddr;
    Elf64_Dyn here, there;

    for (uint32_t i = 0; elf->dynamic && i < elf->part_count; i++) {
        const struct cf_segment *part = &elf->parts[i];
        uint64_t at = elf->dynamic - part->vaddr;

        if (elf->dynamic < part->vaddr || at >= part->filesz)
            continue;
        for (int k = 0; k < DYNAMIC_MAX; k++, at += sizeof(here)) {
            if (!cf_pread(fd, &here, sizeof(here), part->offset + at))
                return CF_CHECK_NONE;
            if (cf_read_target(t, bias + part->vaddr + at, &there, sizeof(there)))
                return CF_CHECK_UNSURE;
            if (!same_entry(&here, &there, bias))
                return CF_CHECK_NONE;
            if (here.d_tag == DT_NULL)
                break;
        }
        break;
    }
    return CF_CHECK_MATCHES;
}

void cf_same_file_keep(struct cf_target *t, const struct cf_mod *m)
{
    const uint64_t most = DYNAMIC_MAX * sizeof(Elf64_Dyn);

    cf_pages_want(t, m->base, CF_PAGE);
    if (m->dynamic >= m->base && m->dynamic < m->end)
        cf_pages_want(t, m->dynamic, m->end - m->dynamic < most ? m->end - m->dynamic : most);
}

static int64_t in_ns(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* The kernel counts a process' start in ticks since the machine's. */
static bool changed_since_start(const struct cf_target *t, const struct stat *st)
{
    const int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK);
    const int64_t changed =
        in_ns(&st->st_mtim) > in_ns(&st->st_ctim) ? in_ns(&st->st_mtim) : in_ns(&st->st_ctim);
    struct timespec now, up;

    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    return changed > in_ns(&now) - in_ns(&up) + ((int64_t)t->started + 2) * tick;
}

static enum cf_check without_id(struct cf_target *t, const struct cf_mod *m, int fd, const struct cf_elf *elf,
                                const char **why)
{
    struct stat st;
    enum cf_check check;

    if (fstat(fd, &st))
        return CF_CHECK_NONE;
    check = compare_first_page(t, m, fd, &st);
    if (check == CF_CHECK_MATCHES)
        check = compare_dynamic(t, m, fd, elf);
    if (check == CF_CHECK_UNSURE)
        *why = "What it would be compared with cannot be read.";
    if (check != CF_CHECK_MATCHES)
        return check;
    if (!t->live_pid) {
        *why = "It has no build-id, and a core does not say when the process began.";
        return CF_CHECK_ASSUMED;
    }
    if (!changed_since_start(t, &st))
        return CF_CHECK_MATCHES;
    *why = "It has no build-id, and has been changed since the process began.";
    return CF_CHECK_UNSURE;
}

enum cf_check cf_same_file(struct cf_target *t, const struct cf_mod *m, int fd, const struct cf_elf *elf,
                           const char **why)
{
    *why = NULL;
    if (!m->id_size)
        return without_id(t, m, fd, elf, why);
    return elf->id_size == m->id_size && !memcmp(elf->id, m->id, m->id_size) ? CF_CHECK_MATCHES
                                                                             : CF_CHECK_NONE;
}
