/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Stopping a live process and letting it go (ptrace(2)). PTRACE_SEIZE and PTRACE_INTERRUPT send no signal: a
 * process that was stopped by its user stays so, and a system call that was interrupted is started again by
 * the kernel, as after SIGSTOP and SIGCONT (those of signal(7), "Interruption of system calls ... by stop
 * signals", return EINTR).
 */
#include "corefiles/live.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/arch.h"
#include "corefiles/keep.h"
#include "corefiles/kernel.h"
#include "corefiles/memory.h"
#include "corefiles/modulefile.h"
#include "corefiles/modules.h"
#include "corefiles/numbers.h"
#include "corefiles/pages.h"
#include "corefiles/procfs.h"
#include "corefiles/same_file.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"
#include "corefiles/tracees.h"

/* A thread in an uninterruptible wait (a dead NFS server) does not stop; it is shown as running. Any other
   stops as soon as it gets a processor, which takes its time on a machine with too much to do. */
#define STOP_NS    UINT64_C(500000000)
#define LONGEST_NS UINT64_C(10000000000)
/* Another ompd holds a process for some milliseconds. */
#define OTHER_NS UINT64_C(2000000000)
enum {
    SLEEP_NS = 50 * 1000,
    LONG_SLEEP_NS = 5 * 1000 * 1000,
    OTHER_SLEEP_NS = 10 * 1000 * 1000,
    SCANS = 1000,
};

static uint64_t now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static int64_t word_of(const char *path)
{
    FILE *f = fopen(path, "re");
    char line[64];
    const char *at = line;
    int64_t value = -1;

    if (f && fgets(line, sizeof(line), f) && !cf_next_signed(&at, &value))
        value = -1;
    if (f)
        fclose(f);
    return value;
}

/* The process that traces one of the threads of PID, perhaps not the first; 0 none. */
static int64_t tracer_of(int64_t pid)
{
    char path[64];
    struct dirent *entry;
    int64_t tracer = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%lld/task", (long long)pid);
    dir = opendir(path);
    while (dir && tracer <= 0 && (entry = readdir(dir)) != NULL)
        if (cf_proc_id(entry->d_name))
            tracer = cf_proc_status(cf_proc_id(entry->d_name), "TracerPid");
    if (dir)
        closedir(dir);
    return tracer > 0 ? tracer : 0;
}

static bool is_ompd(int64_t pid)
{
    char path[64], name[16] = "";
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%lld/comm", (long long)pid);
    f = fopen(path, "re");
    if (f && fscanf(f, "%15[^\n]", name) != 1)
        name[0] = '\0';
    if (f)
        fclose(f);
    return !strcmp(name, "ompd");
}

/* The kernel asks the same for this as for a tracer, but that there is none already. */
static bool may_trace(int64_t pid)
{
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%lld/mem", (long long)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Was it refused because another one looks, who lets it go in a moment, or has done so already? */
static bool another_looks(int64_t pid, int error)
{
    const int64_t tracer = error == EPERM ? tracer_of(pid) : 0;

    return error == EPERM && tracer != getpid() && (tracer ? is_ompd(tracer) : may_trace(pid));
}

/* Why the kernel refused, and what helps. */
static char *refused(int64_t pid, int error)
{
    int64_t tracer = tracer_of(pid);
    long scope = word_of("/proc/sys/kernel/yama/ptrace_scope");

    if (cf_proc_zombie(pid))
        return cf_format(
            "Process %lld has ended, and nothing of it is left to read: its parent has not asked for its "
            "status yet (a zombie).",
            (long long)pid);
    if (error == ESRCH || cf_proc_status(pid, "Pid") < 0)
        return cf_format("There is no process %lld.", (long long)pid);
    if (tracer == getpid())
        return cf_format("Process %lld could not be stopped again (%s). Try once more, or use --no-stop.",
                         (long long)pid, strerror(error));
    if (tracer > 0 && is_ompd(tracer))
        return cf_format(
            "Another ompd, process %lld, is looking at process %lld. Try again when that has ended, "
            "or use --no-stop.",
            (long long)tracer, (long long)pid);
    if (tracer > 0)
        return cf_format("Process %lld is being debugged by process %lld: let that detach, or use --no-stop.",
                         (long long)pid, (long long)tracer);
    if (error == EPERM && may_trace(pid))
        return cf_format(
            "Process %lld is traced by others again and again, perhaps by another ompd. Try once "
            "more, or use --no-stop.",
            (long long)pid);
    if (scope == 3)
        return cf_format(
            "Process %lld may not be read: kernel.yama.ptrace_scope is 3, which nothing but a reboot "
            "changes. Let it dump core instead (kill -ABRT).",
            (long long)pid);
    if (scope == 1 || scope == 2)
        return cf_format(
            "Process %lld may not be read: kernel.yama.ptrace_scope is %ld. Run this as root, or "
            "with the capability CAP_SYS_PTRACE%s.",
            (long long)pid, scope, scope == 1 ? ", or set it to 0 (sysctl kernel.yama.ptrace_scope=0)" : "");
    return cf_format(
        "Process %lld may not be read (%s): it belongs to another user, or this is a container without "
        "ptrace. Run this as that user or as root; in a container add the capability CAP_SYS_PTRACE "
        "(--cap-add=SYS_PTRACE), or run it on the host.",
        (long long)pid, strerror(error));
}

static struct cf_thread *add(struct cf_target *t, int64_t tid, bool renumbered)
{
    struct cf_thread *th;

    if (!cf_grow(&t->threads, t->thread_count, sizeof(*t->threads)))
        return NULL;
    th = &t->threads[t->thread_count++];
    *th = (struct cf_thread){.lwp = tid,
                             .tid = renumbered ? cf_proc_inner_tid(t->live_pid, tid) : tid,
                             .running = !t->options.no_stop};
    cf_kernel_thread(t, th);
    cf_thread_mark(t, tid, true);
    return th;
}

/* Looks once for threads not known yet and, unless no_stop, seizes them, which stops none of them. Number of
   new ones; negative: errno.
   *remains: 1 for a first thread that has ended: it stays until the last one does; others go at once. */
static int scan(struct cf_target *t, bool renumbered, int64_t *remains)
{
    char path[64];
    struct dirent *entry;
    int found = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%lld/task", (long long)t->live_pid);
    *remains = 0;
    dir = opendir(path);
    if (!dir)
        return -ESRCH;
    while (found >= 0 && (entry = readdir(dir)) != NULL) {
        pid_t tid = cf_proc_id(entry->d_name);

        if (tid <= 0 || tid >= CF_THREADS_MAX || cf_thread_known(t, tid))
            continue;
        if (t->options.no_stop) {
            if (cf_proc_ended(t->live_pid, tid)) {
                *remains |= tid == t->live_pid;
                continue;
            }
        } else {
            if (!cf_tracee_take(tid) && ptrace(PTRACE_SEIZE, tid, NULL, NULL)) {
                int error = errno;

                /* It has ended meanwhile; that is refused with EPERM too. */
                if (!cf_proc_ended(t->live_pid, tid))
                    found = -error;
                *remains |= tid == t->live_pid;
                continue;
            }
        }
        found = add(t, tid, renumbered) ? found + 1 : -ENOMEM;
    }
    closedir(dir);
    return found;
}

/* Has a seized thread stopped? When it has ended instead, it is forgotten. */
static void look_for_stop(struct cf_target *t, struct cf_thread *th)
{
    int status;
    pid_t got = waitpid((pid_t)th->lwp, &status, __WALL | WNOHANG);

    if (!got || (got < 0 && errno == EINTR))
        return;
    th->running = 0;
    if (got < 0 || !WIFSTOPPED(status)) {
        cf_thread_mark(t, th->lwp, false); /* its number may be given to another */
        th->ended = true;
    } else if (status >> 16 == 0) {
        /* A signal that was on its way when the stop came is kept and given back. */
        th->pending = WSTOPSIG(status);
    }
}

/* Does one of the threads from FIRST on only need a processor to stop? */
static bool some_will_stop(const struct cf_target *t, uint32_t first)
{
    for (uint32_t i = first; i < t->thread_count; i++)
        if (t->threads[i].running && !cf_proc_uninterruptible(t->live_pid, t->threads[i].lwp))
            return true;
    return false;
}

/* Waits for the stops of the threads from FIRST on, all at once. One that does not stop in time runs on, and
   nothing is claimed of it. */
static void wait_for(struct cf_target *t, uint32_t first)
{
    uint64_t passed;
    uint32_t left;

    for (;;) {
        left = 0;
        for (uint32_t i = first; i < t->thread_count; i++) {
            if (t->threads[i].running)
                look_for_stop(t, &t->threads[i]);
            left += t->threads[i].running != 0;
        }
        passed = now() - t->stop_start;
        if (!left || passed > LONGEST_NS || (passed > STOP_NS && !some_will_stop(t, first)))
            return;
        nanosleep(&(struct timespec){0, passed > STOP_NS ? LONG_SLEEP_NS : SLEEP_NS}, NULL);
    }
}

static void read_registers(struct cf_target *t, struct cf_thread *th)
{
    uint64_t gregs[64];
    struct iovec iov = {gregs, sizeof(gregs)};

    if (th->running || ptrace(PTRACE_GETREGSET, (pid_t)th->lwp, NT_PRSTATUS, &iov) ||
        iov.iov_len < 8 * t->arch->greg_count)
        return;
    cf_registers(t->arch, gregs, th);
    if (t->arch->tp_greg < 0) {
        iov = (struct iovec){&th->tp, sizeof(th->tp)};
        (void)ptrace(PTRACE_GETREGSET, (pid_t)th->lwp, NT_ARM_TLS, &iov);
    }
}

static const struct cf_arch *own_arch(void)
{
    struct utsname name;

    if (uname(&name))
        return NULL;
    return cf_arch_of(!strcmp(name.machine, "x86_64")    ? EM_X86_64
                      : !strcmp(name.machine, "aarch64") ? EM_AARCH64
                                                         : EM_NONE);
}

/* One round: looks for new threads, and waits for their stops. Their number; negative: errno. */
static int stop_new(struct cf_target *t, bool renumbered, int64_t *remains)
{
    const uint32_t first = t->thread_count;
    int found = scan(t, renumbered, remains);
    uint32_t left = first;

    if (!t->stop_start)
        t->stop_start = now();
    for (uint32_t i = first; i < t->thread_count && !t->options.no_stop; i++)
        (void)ptrace(PTRACE_INTERRUPT, (pid_t)t->threads[i].lwp, NULL, NULL);
    if (!t->options.no_stop)
        wait_for(t, first);
    for (uint32_t i = first; i < t->thread_count; i++)
        if (!t->threads[i].ended)
            t->threads[left++] = t->threads[i];
    t->thread_count = left;
    return found;
}

/* The first thread, which has ended before the others: there is nothing of it to stop. It comes last, because
   /proc has no memory of it. */
static bool add_ended(struct cf_target *t, bool renumbered)
{
    struct cf_thread *th = add(t, t->live_pid, renumbered);

    if (!th)
        return false;
    th->running = false;
    th->ended = true;
    th->call_known = 1;
    th->kernel.state = 'Z';
    return true;
}

/* Finds all threads and, unless no_stop, stops them. 0, or an errno. */
static int stop_all(struct cf_target *t)
{
    const bool renumbered = cf_proc_renumbered(t->live_pid);
    int64_t remains;
    int found = 0;

    /* A thread that is not stopped yet may start another: until a look finds none that is new. */
    for (int round = 0; round < SCANS; round++) {
        found = stop_new(t, renumbered, &remains);
        /* A listing may end early when the thread that it has reached does. So the kernel's count decides:
           when it is that of the stopped ones, nobody is left who could start one. */
        if (found < 0 || (!found && (t->options.no_stop || now() > t->stop_start + STOP_NS ||
                                     cf_proc_status(t->live_pid, "Threads") == t->thread_count + remains)))
            break;
    }
    if (found < 0)
        return -found;
    if (!t->thread_count)
        return ESRCH;
    return remains && !add_ended(t, renumbered) ? ENOMEM : 0;
}

/* Where the stack of TH ends: not above its own descriptor. Several stacks may lie in one mapping: the guards
   of glibc 2.42 (MADV_GUARD_INSTALL) are in no list of the kernel's. */
static uint64_t stack_end(const struct cf_thread *th, const struct cf_map *map, uint64_t sp)
{
    const uint64_t descriptor = th->tp + CF_PAGE;

    return th->tp > sp && descriptor < map->end ? descriptor : map->end;
}

/* What lies above each stack pointer, MOST bytes of it. A frame below a system call needs no red zone. */
static void keep_stacks(struct cf_target *t, uint64_t most)
{
    for (uint32_t i = 0; t->stopped && i < t->thread_count; i++) {
        const struct cf_thread *th = &t->threads[i];
        const uint64_t at = th->reg[t->arch->sp];
        const struct cf_map *map = th->has_regs ? cf_map_at(t, at) : NULL;

        if (map) {
            const uint64_t size = stack_end(th, map, at) - at;

            cf_pages_want(t, at, size < most ? size : most);
        }
    }
    cf_pages_fetch(t);
}

/* What there is to know of them while they stand still. 0, or an errno. */
static int look(struct cf_target *t)
{
    enum { STACK_TOP = 2 * CF_PAGE }; /* frames of a runtime, which waits */

    t->live_task = t->threads[0].lwp;
    for (uint32_t i = 0; i < t->thread_count; i++) {
        struct cf_thread *th = &t->threads[i];

        if (th->ended)
            continue;
        if (t->options.no_stop || th->running)
            cf_kernel_ask(t, th);
        else
            read_registers(t, th);
    }
    errno = 0;
    if (!cf_proc_maps(t) && !cf_proc_auxv(t) && t->map_count) {
        keep_stacks(t, STACK_TOP);
        return 0;
    }
    return errno ? errno : ESRCH;
}

/* 0, or an errno; then nothing is held. */
static int try_stop(struct cf_target *t)
{
    int failed;

    if (!cf_threads_collect(t))
        return ENOMEM;
    if (!t->options.no_stop)
        cf_kernel_before(t);
    t->stopped = !t->options.no_stop;
    failed = stop_all(t);
    if (!failed)
        failed = look(t);
    cf_threads_collected(t);
    if (failed) {
        cf_live_detach(t);
        t->thread_count = 0;
        t->stop_start = 0;
    }
    return failed;
}

int cf_live_stop(struct cf_target *t, char **error)
{
    const uint64_t until = now() + OTHER_NS;
    int failed;

    t->arch = own_arch();
    if (!t->arch) {
        *error = cf_format("This machine is not supported: x86-64 and aarch64 are.");
        return -1;
    }
    t->info.machine = t->arch->name;
    while ((failed = try_stop(t)) && another_looks(t->live_pid, failed) && now() < until) {
        if (t->options.progress &&
            t->options.progress(t->options.arg, "another ompd is looking at the process", 0, 1))
            break;
        nanosleep(&(struct timespec){0, OTHER_SLEEP_NS}, NULL);
    }
    if (failed) {
        *error = failed == ENOMEM ? cf_format("Out of memory.") : refused(t->live_pid, failed);
        return -1;
    }
    return 0;
}

/* Takes note of the end of a thread that was killed while we held it: before its tracer has done so, nobody
   learns of the end of its process. The process itself is left to its parent, if that is this process. */
static void reap(const struct cf_target *t, const struct cf_thread *th, uint64_t until)
{
    struct timespec nap = {0, SLEEP_NS};

    if (th->lwp == t->live_pid && cf_proc_status(t->live_pid, "PPid") == getpid())
        return;
    while (waitpid((pid_t)th->lwp, NULL, __WALL | WNOHANG) == 0 && now() < until)
        nanosleep(&nap, NULL);
}

void cf_live_detach(struct cf_target *t)
{
    const uint64_t until = now() + STOP_NS;
    bool killed = false;

    if (!t->stopped)
        return;
    for (uint32_t i = 0; i < t->thread_count; i++) {
        struct cf_thread *th = &t->threads[i];

        /* Only what has stopped can be detached. */
        if (th->running)
            cf_tracee_leave(t, th->lwp);
        else if (!th->ended && ptrace(PTRACE_DETACH, (pid_t)th->lwp, NULL, (void *)(uintptr_t)th->pending))
            killed = true;
    }
    /* The first thread's end comes when the others' has been seen. */
    for (uint32_t i = t->thread_count; killed && i-- > 0;)
        if (!t->threads[i].running && !t->threads[i].ended)
            reap(t, &t->threads[i], until);
    t->stopped = false;
    t->info.stopped_ns = now() - t->stop_start;
}

void cf_let_go(struct cf_target *t)
{
    for (uint32_t i = 0; i < t->module_count; i++)
        if (t->modules[i].elf && !t->modules[i].id_size && t->modules[i].check == CF_CHECK_NOT_YET)
            cf_same_file_keep(t, &t->modules[i]);
    cf_pages_fetch(t);
    cf_live_detach(t);
    /* The process may end any moment now, and with it its files that have no name any more. */
    for (uint32_t i = 0; i < t->module_count; i++)
        if (t->modules[i].elf && t->modules[i].deleted)
            cf_module_file(t, &t->modules[i]);
    t->resumed = true;
}

void cf_resume(struct cf_target *t)
{
    enum { STACK_MIN = 128 << 10, STACK_MAX = 4 << 20 }; /* as far as frames can be */
    const uint64_t all = 512 << 20;
    uint64_t most = t->thread_count ? all / t->thread_count : 0;

    if (!t->live_pid || t->resumed)
        return;
    if (most < STACK_MIN)
        most = STACK_MIN;
    keep_stacks(t, most < STACK_MAX ? most : STACK_MAX);
    cf_kernel_keep(t);
    cf_pages_fetch(t);
    cf_heap_keep(t);
    cf_let_go(t);
}
