/* SPDX-License-Identifier: Apache-2.0 */
/* What a program of this folder says of its threads: "NAME TID", each before the place where it stays for
   ever. The line of that has a comment with the name. */
#ifndef HANG_H
#define HANG_H

#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void say(const char *name)
{
    char line[64];
    const int length = snprintf(line, sizeof(line), "%s %ld\n", name, syscall(SYS_gettid));

    if (write(1, line, (size_t)length) != length)
        _exit(1);
}

/* Until *WORD is VALUE or more. */
static inline void await(const int *word, int value)
{
    const struct timespec nap = {0, 1000000};

    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < value)
        nanosleep(&nap, NULL);
}

static inline void add(int *word)
{
    __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
}

#endif
