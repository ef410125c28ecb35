/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What draft_debugger.c debugs: a live process, stopped with ptrace, or a core file. No OMPD in here.
 */
#ifndef DRAFT_PROCESS_H
#define DRAFT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

enum { PROCESS_THREADS_MAX = 512, PROCESS_PIECES_MAX = 4096 };

struct os_thread {
    int lwp;
    uint64_t pthread; /* the thread pointer, which is glibc's pthread_t on x86-64 */
};

/* A range of the target's memory and where its bytes are: in the core, or in the file that was mapped there.
 */
struct piece {
    uint64_t start, size, offset;
    char *path; /* the mapped file's name, NULL: none */
    int fd;     /* to read from, -1: nowhere */
};

/*
 * threads: all of them, stopped. pieces: live, the mapped files, for symbols only; of a core, the core's own
 * memory first and then the mapped files, which stand in for pages that the kernel did not write.
 */
struct process {
    int pid;
    int memory; /* live: /proc/PID/mem; a core: -1 */
    struct os_thread threads[PROCESS_THREADS_MAX];
    int thread_count;
    struct piece pieces[PROCESS_PIECES_MAX];
    int piece_count;
};

/* Both end the program with a sentence when they cannot. */
void process_attach(struct process *process, int pid);
void process_open_core(struct process *process, const char *path);

/* 0: all bytes were read. */
int process_read(const struct process *process, uint64_t address, void *buffer, size_t size);

/* 0: *address is where a global symbol of one of the mapped files lies. */
int process_symbol(const struct process *process, const char *name, uint64_t *address);

void process_add_piece(struct process *process, struct piece piece);
__attribute__((noreturn)) void process_fail(const char *what);

#endif
