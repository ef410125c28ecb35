/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program under ptrace from its first instruction on, so that one that dies by a signal is caught at it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conf.h"

enum { SECONDS = 60 };

static void nap(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static struct child_thread *thread_at(struct child *child, pid_t tid)
{
    for (int i = 0; i < child->thread_count; i++)
        if (child->threads[i].tid == tid)
            return &child->threads[i];
    if (child->thread_count == child->room) {
        child->room = child->room ? 2 * child->room : 16;
        child->threads = realloc(child->threads, (size_t)child->room * sizeof *child->threads);
        if (!child->threads)
            abort();
    }
    child->threads[child->thread_count] = (struct child_thread){.tid = tid};
    return &child->threads[child->thread_count++];
}

static void drop_thread(struct child *child, pid_t tid)
{
    for (int i = 0; i < child->thread_count; i++)
        if (child->threads[i].tid == tid)
            child->threads[i] = child->threads[--child->thread_count];
    child->ended |= tid == child->pid;
}

/**
 * One report of waitpid. True: the thread is about to take a signal that ends the process, and stays stopped.
 */
static bool report(struct child *child, pid_t tid, int status, bool keep)
{
    if (!WIFSTOPPED(status)) {
        drop_thread(child, tid);
        return false;
    }
    struct child_thread *thread = thread_at(child, tid);
    const int event = status >> 16;
    int sig = event == 0 ? WSTOPSIG(status) : 0;
    thread->stopped = true;
    if (sig == SIGSEGV || sig == SIGABRT)
        return true;
    if (keep) {
        /* A signal that came before our stop is not lost on programs that use none. */
        return false;
    }
    thread->stopped = false;
    ptrace(PTRACE_CONT, tid, NULL, (void *)(long)sig);
    return false;
}

static void read_output(struct child *child)
{
    char part[65536];
    ssize_t n;
    while ((n = read(child->out, part, sizeof part)) > 0) {
        child->text = realloc(child->text, child->length + (size_t)n + 1);
        if (!child->text)
            abort();
        memcpy(child->text + child->length, part, (size_t)n);
        child->length += (size_t)n;
        child->text[child->length] = 0;
    }
}

/** Is there a whole line that begins with MARK? */
static bool has_line(const struct child *child, const char *mark)
{
    const char *at = child->text;
    while (at && (at = strstr(at, mark)) != NULL) {
        if ((at == child->text || at[-1] == '\n') && strchr(at, '\n'))
            return true;
        at++;
    }
    return false;
}

/** Stops what still runs, and takes each thread's report. */
static void stop_all(struct child *child)
{
    for (bool again = true; again && !child->ended;) {
        again = false;
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/task", (int)child->pid);
        DIR *dir = opendir(path);
        struct dirent *entry;
        while (dir && (entry = readdir(dir)) != NULL) {
            const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
            if (tid <= 0 || thread_at(child, tid)->stopped)
                continue;
            again = true;
            int status;
            ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
            if (waitpid(tid, &status, __WALL) == tid)
                (void)report(child, tid, status, true);
        }
        if (dir)
            closedir(dir);
    }
}

/** Runs until MARK or, with UNTIL_SIGNAL, until the signal after it; then stops all. */
static bool run_until(struct child *child, const char *mark, bool until_signal)
{
    bool signalled = false;
    for (int left = SECONDS * 1000; left > 0 && !child->ended; left--) {
        int status;
        pid_t tid;
        while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
            signalled |= report(child, tid, status, false);
        read_output(child);
        if (signalled || (!until_signal && has_line(child, mark))) {
            stop_all(child);
            return !child->ended && has_line(child, mark);
        }
        nap();
    }
    return false;
}

static void run_program(char *const *argv, const char *const *env, const int *out, const int *in, int go)
{
    char byte;
    dup2(out[1], 1);
    dup2(in[0], 0);
    if (read(go, &byte, 1) != 1) /* until the tracer has us */
        _exit(127);
    for (; *env; env += 2)
        setenv(env[0], env[1], 1);
    execv(argv[0], argv);
    _exit(127);
}

bool child_start(struct child *child, char *const *argv, const char *const *env, const char *mark,
                 bool until_signal)
{
    int out[2], in[2], go[2];
    *child = (struct child){0};
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(in, O_CLOEXEC) != 0 || pipe2(go, O_CLOEXEC) != 0)
        return false;
    child->pid = fork();
    if (child->pid == 0)
        run_program(argv, env, out, in, go[0]);
    close(out[1]);
    close(in[0]);
    close(go[0]);
    child->out = out[0];
    child->in = in[1];
    fcntl(child->out, F_SETFL, O_NONBLOCK);
    (void)thread_at(child, child->pid);
    const long options = PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    const bool seized = child->pid > 0 && ptrace(PTRACE_SEIZE, child->pid, NULL, (void *)options) == 0 &&
                        write(go[1], "", 1) == 1;
    close(go[1]);
    return seized && run_until(child, mark, until_signal);
}

static void resume_all(struct child *child)
{
    for (int i = 0; i < child->thread_count; i++) {
        if (child->threads[i].stopped)
            ptrace(PTRACE_CONT, child->threads[i].tid, NULL, NULL);
        child->threads[i].stopped = false;
    }
}

bool child_resume(struct child *child, const char *mark)
{
    if (write(child->in, "\n", 1) != 1)
        return false;
    resume_all(child);
    return run_until(child, mark, false);
}

void child_end(struct child *child)
{
    resume_all(child);
    kill(child->pid, SIGKILL);
    int status;
    pid_t tid;
    /* Each thread's end is reported, the first one's last. */
    while (!child->ended && (tid = waitpid(-1, &status, __WALL)) > 0)
        if (!WIFSTOPPED(status))
            drop_thread(child, tid);
        else
            ptrace(PTRACE_CONT, tid, NULL, NULL);
}

void child_forget(struct child *child)
{
    child_end(child);
    close(child->out);
    close(child->in);
    free(child->threads);
    free(child->text);
    *child = (struct child){0};
}

bool child_read(const struct child *child, uint64_t address, void *buffer, size_t bytes)
{
    struct iovec local = {buffer, bytes}, remote = {(void *)(uintptr_t)address, bytes};
    return !child->ended && process_vm_readv(child->pid, &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}
