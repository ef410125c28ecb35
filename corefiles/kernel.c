/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the kernel says of threads. Registers tell the system call in which a thread was stopped, also in a
 * core. A live thread's state is read before a stop changes it, and what the descriptors are while the stop
 * lasts: afterwards a number may be that of another file.
 */
#include "corefiles/kernel.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/arch.h"
#include "corefiles/keep.h"
#include "corefiles/memory.h"
#include "corefiles/modules.h"
#include "corefiles/numbers.h"
#include "corefiles/pages.h"
#include "corefiles/procfs.h"
#include "corefiles/read.h"
#include "corefiles/strings.h"
#include "inspect/base/hash.h"

/* LINKS_MAX: to ask for so many takes some 2 ms. SET_MAX: descriptors of one poll or select. AROUND: what
   a futex belongs to begins less than that before it (48 bytes in glibc at most), and what an argument
   points to is no larger. */
enum { LINKS_MAX = 1024, SET_MAX = 256, AROUND = 256 };

/** What a thread was doing before it was stopped. */
struct before {
    int64_t tid;
    struct insp_kernel kernel;
};

/** What a descriptor was. */
struct link {
    int32_t fd;
    char *path; /**< NULL: there was none of that number */
};

struct cf_kernel {
    struct before *before; /**< by number */
    uint32_t before_count;
    struct link *links; /**< by number once the process goes on */
    uint32_t link_count;
    bool waits;        /**< waits: a thread waits for a word, not by a call of an OpenMP runtime */
    char *environment; /**< strings, one behind the other; NULL not known */
    size_t environment_size;
    size_t string, string_at; /**< the one that was asked for last: they are asked for one after the other */
    char *allowed;            /**< what cf_host_allowed has answered last */
    char *link;               /**< what was answered last of a process that is not stopped */
    int clocks;               /**< 1: its clocks are ours, -1: they are not known to be; 0 not looked yet */
};

/** System calls with descriptors in memory, by machine; see <asm/unistd_64.h>, <asm-generic/unistd.h>. */
struct sets {
    uint16_t machine;
    int32_t poll, ppoll, select, pselect, futex; /**< -1 there is none */
};
static const struct sets sets[] = {
    {EM_X86_64, 7, 271, 23, 270, 202},
    {EM_AARCH64, -1, 73, -1, 72, 98},
};

static struct cf_kernel *kernel_of(struct cf_target *t)
{
    if (!t->kernel)
        t->kernel = calloc(1, sizeof(*t->kernel));
    return t->kernel;
}

void cf_kernel_free(struct cf_kernel *k)
{
    if (!k)
        return;
    for (uint32_t i = 0; i < k->link_count; i++)
        free(k->links[i].path);
    free(k->links);
    free(k->before);
    free(k->link);
    free(k->allowed);
    free(k->environment);
    free(k);
}

static int by_tid(const void *a, const void *b)
{
    const struct before *x = a, *y = b;

    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void cf_kernel_before(struct cf_target *t)
{
    struct cf_kernel *k = kernel_of(t);
    struct dirent *entry;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%lld/task", (long long)t->live_pid);
    dir = k ? opendir(path) : NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        struct before one = {.tid = cf_proc_id(entry->d_name)};

        if (one.tid <= 0 || cf_proc_kernel(t->live_pid, one.tid, &one.kernel))
            continue;
        if (!cf_grow(&k->before, k->before_count, sizeof(*k->before)))
            break;
        k->before[k->before_count++] = one;
    }
    if (dir)
        closedir(dir);
    if (k && k->before_count)
        qsort(k->before, k->before_count, sizeof(*k->before), by_tid);
    if (k)
        k->environment = cf_proc_environment(t->live_pid, &k->environment_size);
}

void cf_kernel_thread(struct cf_target *t, struct cf_thread *th)
{
    const struct before key = {.tid = th->lwp},
                        *one = t->kernel && t->kernel->before_count
                                   ? bsearch(&key, t->kernel->before, t->kernel->before_count, sizeof(key),
                                             by_tid)
                                   : NULL;

    th->call_known = -1;
    th->kernel = (struct insp_kernel){.processor = -1};
    if (one) {
        th->kernel = one->kernel;
    } else if (!cf_proc_kernel(t->live_pid, th->lwp, &th->kernel) && t->stopped) {
        th->kernel.state = 0; /* "t", by our own doing */
    }
}

void cf_kernel_ask(struct cf_target *t, struct cf_thread *th)
{
    th->call = (struct insp_system_call){.machine = t->arch->machine, .inside = 1};
    th->call_known = cf_proc_system_call(t->live_pid, th->lwp, &th->call);
}

/* SIZE bytes from ADDR, and those BEFORE it, within its mapping; they are copied by cf_pages_fetch. */
static void keep_around(struct cf_target *t, uint64_t addr, uint64_t size, uint64_t before)
{
    const struct cf_map *map = cf_map_at(t, addr);
    uint64_t start, end;

    if (!map || !(map->flags & PF_R))
        return;
    start = addr - map->start > before ? addr - before : map->start;
    end = map->end - addr > size ? addr + size : map->end;
    cf_pages_want(t, start, end - start);
}

/* The words through which code calls functions of other files: at DT_PLTGOT, or just before it. The name of a
   function that has jumped to another one is known by them only. */
static void keep_calls(struct cf_target *t)
{
    enum { ENTRIES_MAX = 64, PART = 64 << 10 };

    for (uint32_t i = 0; i < t->module_count; i++) {
        uint64_t at = t->modules[i].dynamic, got = 0, size = 0;
        Elf64_Dyn entry;

        for (int k = 0; at && k < ENTRIES_MAX && !cf_read(t, at, &entry, sizeof(entry)); k++) {
            if (entry.d_tag == DT_PLTGOT)
                got = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_PLTRELSZ)
                size = entry.d_un.d_val / sizeof(Elf64_Rela) * 8;
            at = entry.d_tag == DT_NULL ? 0 : at + sizeof(entry);
        }
        if (got && got < t->modules[i].base)
            got += t->modules[i].bias; /* the dynamic linker has not come to it */
        if (got)
            keep_around(t, got, size < PART ? size + CF_PAGE : PART, CF_PAGE);
    }
}

static char *link_of(const struct cf_target *t, int32_t fd)
{
    char name[64], path[4096];
    ssize_t length;

    snprintf(name, sizeof(name), "/proc/%lld/fd/%d", (long long)t->live_task, fd);
    length = readlink(name, path, sizeof(path) - 1);
    return length > 0 ? strndup(path, (size_t)length) : NULL;
}

static const struct link *find_link(const struct cf_kernel *k, int32_t fd)
{
    for (uint32_t i = 0; i < k->link_count; i++)
        if (k->links[i].fd == fd)
            return &k->links[i];
    return NULL;
}

static void keep_link(struct cf_target *t, uint64_t fd)
{
    struct cf_kernel *k = kernel_of(t);

    if (!k || fd > INT32_MAX || k->link_count == LINKS_MAX || find_link(k, (int32_t)fd))
        return;
    if (cf_grow(&k->links, k->link_count, sizeof(*k->links)))
        k->links[k->link_count++] = (struct link){(int32_t)fd, link_of(t, (int32_t)fd)};
}

/* The descriptors of struct pollfd at ADDR. */
static void keep_poll(struct cf_target *t, uint64_t addr, uint64_t count)
{
    struct {
        int32_t fd;
        int16_t events, revents;
    } one;

    for (uint64_t i = 0; i < count && i < SET_MAX; i++)
        if (!cf_read(t, addr + i * sizeof(one), &one, sizeof(one)) && one.fd >= 0)
            keep_link(t, (uint64_t)one.fd);
}

/* Those below COUNT of the fd_set at ADDR. */
static void keep_select(struct cf_target *t, uint64_t addr, uint64_t count)
{
    uint64_t word = 0;

    for (uint64_t i = 0; addr && i < count && i < SET_MAX; i++) {
        if (i % 64 == 0 && cf_read(t, addr + i / 8, &word, sizeof(word)))
            return;
        if (word >> i % 64 & 1)
            keep_link(t, i);
    }
}

/* Has an OpenMP runtime called libc's syscall()? Its words are named when inspect asks for them. */
static bool in_runtime(struct cf_target *t, const struct cf_thread *th)
{
    const struct cf_mod *m;
    const char *name;
    uint64_t back;

    if (cf_read(t, th->reg[t->arch->sp], &back, sizeof(back)) || (m = cf_module_at(t, back)) == NULL)
        return false;
    name = strrchr(m->path, '/');
    name = name ? name + 1 : m->path;
    return !strncmp(name, "libomp", 6) || !strncmp(name, "libgomp", 7) || !strncmp(name, "libiomp", 7);
}

static void keep_call(struct cf_target *t, const struct sets *s, const struct cf_thread *th,
                      const struct insp_system_call *call)
{
    const uint64_t *arg = call->arg;

    for (int i = 0; i < 6; i++)
        keep_around(t, arg[i], AROUND, AROUND);
    if (!s)
        return;
    if (call->number == s->futex) {
        if (!in_runtime(t, th)) {
            cf_wait_note(t, arg[0]);
            t->kernel->waits = true;
        }
    } else if (call->number == s->poll || call->number == s->ppoll) {
        keep_poll(t, arg[0], arg[1]);
    } else if (call->number == s->select || call->number == s->pselect) {
        for (int i = 1; i < 4; i++)
            keep_select(t, arg[i], arg[0]);
    } else {
        keep_link(t, arg[0]);
    }
}

static const struct sets *sets_of(const struct cf_target *t)
{
    for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++)
        if (sets[i].machine == t->arch->machine)
            return &sets[i];
    return NULL;
}

void cf_kernel_keep(struct cf_target *t)
{
    struct insp_system_call call;

    if (!t->stopped || !kernel_of(t))
        return;
    for (uint32_t i = 0; i < t->thread_count; i++)
        if (!cf_host_system_call(t, t->threads[i].lwp, &call))
            keep_call(t, sets_of(t), &t->threads[i], &call);
    if (t->kernel->waits)
        keep_calls(t);
}

/* Is the instruction at PC the one that makes a system call? 1: no, negative: it cannot be read. */
static int makes_call(struct cf_target *t, uint64_t pc)
{
    uint32_t code = 0;

    /* A jump to nowhere has ended there, and not in the kernel. */
    if (cf_read(t, pc, &code, t->arch->call_size))
        return cf_module_at(t, pc) ? -1 : 1;
    return code != t->arch->call_instruction;
}

/* Of a thread that the kernel has moved back to its call: at the stop of arch/arm64/kernel/signal.c, and
   in a core where another thread took the signal (arch_do_signal_or_restart of arch/x86/kernel/signal.c). */
static int begun_anew(struct cf_target *t, const struct cf_thread *th, struct insp_system_call *ret)
{
    enum { ERESTARTSYS = 512, X86_64_RAX = 0 };
    const uint64_t pc = th->reg[t->arch->pc], size = t->arch->call_size;
    int rc = makes_call(t, pc);

    if (rc == 1 && t->arch->call_stays && (pc < size || makes_call(t, pc - size) != 1))
        return -1; /* just over: its result has taken the place of an argument */
    if (rc)
        return rc;
    *ret = th->call;
    if (!t->arch->call_stays)
        ret->number = (int64_t)th->reg[X86_64_RAX];
    ret->result = -ERESTARTSYS;
    return ret->number < 0;
}

int cf_host_system_call(struct cf_target *t, int64_t lwp, struct insp_system_call *ret)
{
    const struct cf_thread *th = cf_thread_of(t, lwp);

    if (!th)
        return -1;
    if (th->has_regs && (th->call_known == 1 || t->arch->call_stays))
        return begun_anew(t, th, ret);
    if (!th->call_known)
        *ret = th->call;
    return th->call_known;
}

/* A time namespace may have clocks of its own (time_namespaces(7)). */
static bool has_our_clocks(struct cf_target *t)
{
    struct cf_kernel *k = kernel_of(t);
    char path[64], its[64], ours[64];
    ssize_t n;

    if (k && !k->clocks) {
        snprintf(path, sizeof(path), "/proc/%lld/ns/time", (long long)t->live_pid);
        n = readlink("/proc/self/ns/time", ours, sizeof(ours));
        k->clocks = n > 0 && readlink(path, its, sizeof(its)) == n && !memcmp(its, ours, (size_t)n) ? 1 : -1;
    }
    return k && k->clocks > 0;
}

static int64_t now(clockid_t clock)
{
    struct timespec time;

    return clock_gettime(clock, &time) ? 0 : time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int cf_host_kernel(struct cf_target *t, int64_t lwp, struct insp_kernel *ret)
{
    const struct cf_thread *th = cf_thread_of(t, lwp);

    if (!t->live_pid || !th || th->kernel.processor < 0)
        return 1;
    *ret = th->kernel;
    /* In our own namespace that is the lwp, as in a core, which cannot say more. */
    ret->target_tid = th->tid != th->lwp ? th->tid : 0;
    ret->realtime = now(CLOCK_REALTIME);
    ret->monotonic = has_our_clocks(t) ? now(CLOCK_MONOTONIC) : 0;
    return 0;
}

int cf_host_allowed(struct cf_target *t, int64_t lwp, const char **ret)
{
    struct cf_kernel *k = kernel_of(t);

    if (!k || !t->live_pid || !cf_thread_of(t, lwp))
        return 1;
    free(k->allowed);
    k->allowed = cf_proc_allowed(t->live_pid, lwp);
    *ret = k->allowed;
    return k->allowed ? 0 : 1;
}

int cf_host_descriptor(struct cf_target *t, int32_t fd, const char **ret)
{
    struct cf_kernel *k = kernel_of(t);
    const struct link *link;

    if (!k || !t->live_pid || fd < 0)
        return 1;
    if (t->resumed && !t->info.moving) {
        link = find_link(k, fd);
        *ret = link ? link->path : NULL;
        return !*ret;
    }
    free(k->link);
    k->link = link_of(t, fd);
    *ret = k->link;
    return !*ret;
}

int cf_host_task(struct cf_target *t, int64_t tid, int64_t *pid, int32_t *parent)
{
    const int64_t own_parent = t->live_pid ? cf_proc_status(t->live_pid, "PPid") : t->info.parent;
    int64_t process;

    if (!t->live_pid) {
        if (!tid || tid != own_parent)
            return -1;
        *pid = tid;
        *parent = 1;
        return 0;
    }
    if (cf_proc_renumbered(t->live_pid) || own_parent < 0)
        return -1;
    process = cf_proc_status(tid, "Tgid");
    if (process <= 0)
        return 1;
    *pid = process;
    *parent = process == own_parent;
    return 0;
}

int cf_host_origin(struct cf_target *t, int32_t *forked, int64_t *parent)
{
    if (t->live_pid)
        return cf_proc_origin(t->live_pid, forked, parent);
    *forked = t->info.forked > 0;
    *parent = 0; /* a core notes who its parent was when it was written: perhaps one that has adopted it */
    return t->info.forked ? 0 : 1;
}

int cf_host_environment(struct cf_target *t, uint32_t index, const char **ret)
{
    struct cf_kernel *k = kernel_of(t);

    if (!k || !k->environment)
        return -1;
    if (index < k->string || !index)
        k->string = k->string_at = 0;
    for (; k->string < index && k->string_at < k->environment_size; k->string++)
        k->string_at += strlen(k->environment + k->string_at) + 1;
    if (k->string_at >= k->environment_size)
        return 1;
    *ret = k->environment + k->string_at;
    return 0;
}
