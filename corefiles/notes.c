/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The notes of a core: threads with registers, process, mapped files (linux/elfcore.h, fs/binfmt_elf.c of
 * Linux 6).
 */
#include "corefiles/notes.h"

#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "machine/arch.h"
#include "corefiles/memory.h"
#include "corefiles/target.h"
#include "corefiles/strings.h"
#include "corefiles/threads.h"

/* In struct elf_prstatus and elf_prpsinfo of 64-bit machines. */
enum {
    PRSTATUS_CURSIG = 12,
    PRSTATUS_PID = 32,
    PRPSINFO_FLAG = 8,
    PRPSINFO_PID = 24,
    PRPSINFO_PPID = 28,
    PRPSINFO_FNAME = 40,
    PRPSINFO_ARGS = 56,
    PRPSINFO_SIZE = 136
};

/* Signals whose action is a core (signal(7)). SIGTRAP is left out: gcore writes it of a process at a
   breakpoint. */
static bool fatal(int signo)
{
    static const int signals[] = {SIGABRT, SIGBUS, SIGFPE,  SIGILL, SIGQUIT,
                                  SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ};

    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (signals[i] == signo)
            return true;
    return false;
}

/** What has been left out. */
struct cf_notes {
    bool skipped; /**< the notes that follow belong to a thread that is left out */
    uint32_t double_threads, odd_threads, odd_files;
};

static bool prstatus(struct cf_target *t, const uint8_t *desc, uint64_t size)
{
    const struct cf_arch *arch = t->arch;
    struct cf_thread th = {0};
    uint64_t gregs[64];
    uint16_t cursig;
    int32_t pid;

    if (size < arch->prstatus_regs + 8 * arch->greg_count)
        return true; /* of another machine */
    memcpy(&pid, desc + PRSTATUS_PID, 4);
    memcpy(&cursig, desc + PRSTATUS_CURSIG, 2);
    memcpy(gregs, desc + arch->prstatus_regs, 8 * arch->greg_count);
    t->notes->skipped = true;
    if (pid < 0 || pid >= CF_THREADS_MAX) {
        t->notes->odd_threads++;
        return true;
    }
    if (cf_thread_known(t, pid)) {
        t->notes->double_threads++;
        return true;
    }
    cf_thread_mark(t, pid, true);
    t->notes->skipped = false;
    th.lwp = th.tid = pid;
    cf_registers(arch, gregs, &th);
    if (!cf_grow(&t->threads, t->thread_count, sizeof(*t->threads)))
        return false;
    /* The kernel writes the thread that took the signal first; gcore the one that was selected. */
    if (!t->thread_count && fatal(cursig)) {
        t->info.signal = cursig;
        t->info.crashed_lwp = pid;
    }
    if (!t->info.pid)
        t->info.pid = pid;
    t->threads[t->thread_count++] = th;
    return true;
}

static void prpsinfo(struct cf_target *t, const uint8_t *desc, uint64_t size)
{
    char text[PRPSINFO_SIZE - PRPSINFO_ARGS + 1] = "";
    uint64_t flags;
    int32_t pid;

    if (size < PRPSINFO_SIZE)
        return;
    memcpy(&pid, desc + PRPSINFO_PID, 4);
    if (pid > 0)
        t->info.pid = pid;
    memcpy(&pid, desc + PRPSINFO_PPID, 4);
    t->info.parent = pid > 0 ? pid : 0;
    memcpy(&flags, desc + PRPSINFO_FLAG, sizeof(flags));
    t->info.forked = !flags ? 0 : flags & CF_PROCESS_FORKED ? 1 : -1;
    memcpy(text, desc + PRPSINFO_ARGS, PRPSINFO_SIZE - PRPSINFO_ARGS);
    for (size_t end = strlen(text); end && text[end - 1] == ' '; end--)
        text[end - 1] = '\0';
    if (!*text)
        memcpy(text, desc + PRPSINFO_FNAME, 16);
    if (!t->info.command)
        t->info.command = cf_keep(t, strdup(text));
}

/* struct of NT_FILE: count, page size, count x {start, end, offset in pages}, count strings. */
static bool files(struct cf_target *t, uint8_t *desc, uint64_t size)
{
    uint64_t count, page, at;
    size_t length;
    const char *path, *end = (const char *)desc + size;

    if (size < 16 || t->map_count)
        return true;
    memcpy(&count, desc, 8);
    memcpy(&page, desc + 8, 8);
    if (count > (size - 16) / 24)
        return true;
    desc[size] = '\0'; /* the caller's buffer has one byte more */
    path = (const char *)desc + 16 + 24 * count;
    for (at = 0; at < count && path < end; at++) {
        struct cf_map map = {0};

        memcpy(&map.start, desc + 16 + 24 * at, 8);
        memcpy(&map.end, desc + 24 + 24 * at, 8);
        memcpy(&map.offset, desc + 32 + 24 * at, 8);
        map.offset *= page;
        length = strlen(path);
        if (map.start >= map.end || length >= CF_PATH_MAX || t->map_count == CF_SEGMENTS_MAX) {
            t->notes->odd_files += map.start < map.end;
            path += length + 1;
            continue;
        }
        map.path = strdup(path);
        if (!map.path || !cf_grow(&t->maps, t->map_count, sizeof(*t->maps))) {
            free(map.path);
            return false;
        }
        t->maps[t->map_count++] = map;
        path += length + 1;
    }
    return true;
}

void cf_auxv_entry(struct cf_target *t, uint64_t type, uint64_t value)
{
    switch (type) {
    case AT_PHDR:
        t->at_phdr = value;
        break;
    case AT_PHNUM:
        t->at_phnum = value;
        break;
    case AT_ENTRY:
        t->at_entry = value;
        break;
    case AT_SYSINFO_EHDR:
        t->at_vdso = value;
        break;
    default:
        break;
    }
}

void cf_core_notes_end(struct cf_target *t)
{
    cf_threads_collected(t);
    if (!t->notes)
        return;
    if (t->notes->double_threads)
        cf_add_problem(
            t, cf_format("The core has threads more than once."),
            cf_format("Of %u threads it has further registers under the same number; the first ones count.",
                      t->notes->double_threads),
            strdup(""));
    if (t->notes->odd_threads)
        cf_add_problem(t, cf_format("The core has threads with impossible numbers."),
                       cf_format("%u are not below %d (the largest kernel.pid_max), and are left out.",
                                 t->notes->odd_threads, CF_THREADS_MAX),
                       strdup(""));
    if (t->notes->odd_files)
        cf_add_problem(t, cf_format("Not all mapped files of the core are looked at."),
                       cf_format("%u are left out: the limits are %d mappings, and names of %d bytes.",
                                 t->notes->odd_files, CF_SEGMENTS_MAX, CF_PATH_MAX - 1),
                       strdup(""));
    free(t->notes);
    t->notes = NULL;
}

int cf_core_note(struct cf_target *t, uint32_t type, uint8_t *desc, uint64_t size, bool *out_of_memory)
{
    siginfo_t info;
    uint64_t pair[2];

    if (!t->notes)
        t->notes = calloc(1, sizeof(*t->notes));
    *out_of_memory = !t->notes || !cf_threads_collect(t);
    if (*out_of_memory)
        return 0;
    switch (type) {
    case NT_PRSTATUS:
        *out_of_memory = !prstatus(t, desc, size);
        break;
    case NT_PRPSINFO:
        prpsinfo(t, desc, size);
        break;
    case NT_FILE:
        *out_of_memory = !files(t, desc, size);
        break;
    case NT_AUXV:
        for (uint64_t at = 0; at + 16 <= size; at += 16) {
            memcpy(pair, desc + at, 16);
            cf_auxv_entry(t, pair[0], pair[1]);
        }
        break;
    case NT_SIGINFO:
        /* Written after the first thread's registers and before the next thread's. */
        if (size >= sizeof(info) && t->thread_count == 1 && t->info.signal && !t->notes->skipped) {
            memcpy(&info, desc, sizeof(info));
            if (info.si_signo == t->info.signal) {
                t->info.signal_known = 1;
                t->info.signal_code = info.si_code;
                t->info.signal_addr = (uintptr_t)info.si_addr;
            }
        }
        break;
    case NT_ARM_TLS:
        if (size >= 8 && t->thread_count && t->arch->tp_greg < 0 && !t->notes->skipped)
            memcpy(&t->threads[t->thread_count - 1].tp, desc, 8);
        break;
    default:
        break;
    }
    return 0;
}
