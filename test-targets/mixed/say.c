/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* One write, so that the lines of several threads do not mix. */
static void put(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        abort();
}

int say_tid(void)
{
    return (int)syscall(SYS_gettid);
}

void say_verdict(int threads, const char *verdict)
{
    char line[256];

    /* Nothing is left behind when a test ends early; a forked child has its own. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    alarm(SAY_LONG / 6);
    snprintf(line, sizeof(line), "SAY {\"pid\": %d, \"threads\": %d, \"verdict\": \"%s\"}\n", (int)getpid(),
             threads, verdict);
    put(line);
}

void say(int line, const char *kind, const char *system, const char *format, ...)
{
    char rest[512], text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(rest, sizeof(rest), format, args);
    va_end(args);
    for (char *c = rest; *c; c++)
        if (*c == '\'')
            *c = '"';
    snprintf(text, sizeof(text),
             "SAY {\"pid\": %d, \"tid\": %d, \"line\": %d, \"kind\": \"%s\", \"system\": \"%s\"%s%s}\n",
             (int)getpid(), say_tid(), line, kind, system, *rest ? ", " : "", rest);
    put(text);
}

void say_object(int line, const char *kind, const char *call, const char *name, const volatile void *object,
                int size, int owner)
{
    char who[32] = "";

    if (owner)
        snprintf(who, sizeof(who), ",'owner':%d", owner);
    say(line, kind, "futex", "'call':'%s','name':'%s','object':'%p','size':%d%s", call, name, (void *)object,
        size, who);
}

void say_sleep(int line)
{
    say(line, "sleep", "clock_nanosleep", "'timeout':%d", SAY_LONG);
}

void say_limited(int line, const char *kind, const char *call, const char *name, const volatile void *object,
                 int size)
{
    say(line, kind, "futex", "'call':'%s','name':'%s','object':'%p','size':%d,'timeout':%d", call, name,
        (void *)object, size, SAY_LONG);
}

void say_foreign(int line, const char *name, const volatile void *object, const char *is, int owner)
{
    char who[32] = "";

    if (owner)
        snprintf(who, sizeof(who), ",'owner':%d", owner);
    say(line, "mutex", "futex",
        "'call':'pthread_mutex_lock','name':'%s','object':'%p','size':40,'owner_is':'%s'%s", name,
        (void *)object, is, who);
}

void say_words(int line, const char *kind, const char *system, const char *words, int owner)
{
    if (owner)
        say(line, kind, system, "%s,'owner':%d", words, owner);
    else
        say(line, kind, system, "%s", words);
}

void say_after(void) {}

void say_set(int *word, int value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

void say_await(const int *word, int value)
{
    const struct timespec nap = {0, 1000000};

    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
        nanosleep(&nap, NULL);
}

int say_silent(void)
{
    int ends[2];

    if (pipe(ends))
        abort();
    return ends[0]; /* the other end stays open */
}
