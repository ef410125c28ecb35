/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A live process for draft_debugger.c: stopped with ptrace, read through /proc.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draft_process.h"

static void stop_threads(struct process *process)
{
    char path[64];
    struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%d/task", process->pid);
    DIR *dir = opendir(path);
    if (dir == NULL)
        process_fail(path);
    while ((entry = readdir(dir)) != NULL) {
        struct user_regs_struct registers;
        int status, lwp = (int)strtol(entry->d_name, NULL, 10);
        if (lwp <= 0)
            continue;
        if (process->thread_count == PROCESS_THREADS_MAX)
            process_fail("too many threads");
        if (ptrace(PTRACE_SEIZE, lwp, NULL, NULL) != 0 || ptrace(PTRACE_INTERRUPT, lwp, NULL, NULL) != 0 ||
            waitpid(lwp, &status, __WALL) != lwp || ptrace(PTRACE_GETREGS, lwp, NULL, &registers) != 0)
            process_fail("ptrace");
        process->threads[process->thread_count++] = (struct os_thread){lwp, registers.fs_base};
    }
    closedir(dir);
}

static void list_files(struct process *process)
{
    char path[64], line[8192];
    snprintf(path, sizeof path, "/proc/%d/maps", process->pid);
    FILE *maps = fopen(path, "re");
    if (maps == NULL)
        process_fail(path);
    while (fgets(line, sizeof line, maps) != NULL) {
        /* start-end access offset device inode path */
        char *at, *path_at = strchr(line, '/');
        if (path_at == NULL)
            continue;
        const uint64_t start = strtoul(line, &at, 16), end = strtoul(at + 1, &at, 16);
        const uint64_t offset = strtoul(at + 6, NULL, 16);
        path_at[strcspn(path_at, "\n")] = 0;
        process_add_piece(process, (struct piece){start, end - start, offset, strdup(path_at), -1});
    }
    fclose(maps);
}

void process_attach(struct process *process, int pid)
{
    char path[64];
    process->pid = pid;
    stop_threads(process);
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    process->memory = open(path, O_RDONLY | O_CLOEXEC);
    if (process->memory < 0)
        process_fail(path);
    list_files(process);
}
