/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The frame of a conformance program: CASE("name") { ... } is one numbered check, run in the file's order.
 *
 * CHECK(condition) may be used by any thread. main() is here: it runs all cases (or those whose name has one
 * of its arguments in it), prints `cases N` and returns 1 when a check failed. A program that is stopped or
 * crashes says in which case that was. Nothing is decided by time; the bound in WAIT_FOR only turns a hang
 * into a failure.
 */
#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H

#include <omp.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define CLANG_AT_LEAST(v) (__clang_major__ >= (v))
#define GCC_AT_LEAST(v)   0
#else
#define CLANG_AT_LEAST(v) 0
#define GCC_AT_LEAST(v)   (__GNUC__ >= (v))
#endif

#define CHECK_UNUSED   __attribute__((unused))
#define CHECK_NOINLINE __attribute__((noinline))

/** More threads than any program here runs with. */
#define MAX_THREADS 256

/** Counters that threads share; sequentially consistent whatever becomes of the construct under test. */
#define LOAD(x)     __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define STORE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_SEQ_CST)
#define ADD(x, n)   __atomic_add_fetch(&(x), (n), __ATOMIC_SEQ_CST)

struct check_case {
    const char *name;
    void (*run)(void);
};
static struct check_case check_list[128];
static int check_count, check_failures;
static const char *volatile check_current = "start";

static CHECK_UNUSED void check_add(const char *name, void (*run)(void))
{
    if (check_count == (int)(sizeof check_list / sizeof check_list[0]))
        abort();
    check_list[check_count].name = name;
    check_list[check_count++].run = run;
}

static CHECK_UNUSED void check_fail(const char *file, int line, const char *expression)
{
    /* A check in a loop fails thousands of times at once: the first time tells it all. */
    static int told[4096];
    if (ADD(told[line % 4096], 1) == 1 && ADD(check_failures, 1) <= 20)
        printf("%s:%d: %s: failed: %s (thread %d of %d)\n", file, line, check_current, expression,
               omp_get_thread_num(), omp_get_num_threads());
}

#define CHECK(...) ((__VA_ARGS__) ? (void)0 : check_fail(__FILE__, __LINE__, #__VA_ARGS__))

#define CHECK_PASTE2(a, b) a##b
#define CHECK_PASTE(a, b)  CHECK_PASTE2(a, b)
#define CASE(name)                                                                  \
    static void CHECK_PASTE(case_, __LINE__)(void);                                 \
    __attribute__((constructor)) static void CHECK_PASTE(add_case_, __LINE__)(void) \
    {                                                                               \
        check_add(name, CHECK_PASTE(case_, __LINE__));                              \
    }                                                                               \
    static void CHECK_PASTE(case_, __LINE__)(void)

static CHECK_UNUSED double check_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Waits for what another thread does; gives up after 30 s, as a failure. */
#define WAIT_FOR(...)                                                       \
    do {                                                                    \
        double check_deadline = check_seconds() + 30;                       \
        while (!(__VA_ARGS__)) {                                            \
            if (check_seconds() > check_deadline) {                         \
                check_fail(__FILE__, __LINE__, "waited for " #__VA_ARGS__); \
                break;                                                      \
            }                                                               \
            sched_yield();                                                  \
        }                                                                   \
    } while (0)

/** Lets other threads run in the middle of something that must not be interleaved. */
static CHECK_UNUSED void check_disturb(int i)
{
    if (i % 4 == 0)
        sched_yield();
}

static void check_say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(3);
}

static void check_signal(int number)
{
    check_say(number == SIGTERM ? "stopped in case: " : "crashed in case: ");
    check_say(check_current);
    check_say("\n");
    signal(number, SIG_DFL);
    raise(number);
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    int ran = 0;
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], check_signal);
    setvbuf(stdout, NULL, _IOLBF, 0);
#ifndef CHECK_KEEPS_DYNAMIC
    /* With dyn-var false a team has as many threads as asked for; its initial value may be either. */
    omp_set_dynamic(0);
#endif
    for (int i = 0; i < check_count; i++) {
        int wanted = argc < 2;
        for (int j = 1; j < argc; j++)
            wanted |= strstr(check_list[i].name, argv[j]) != NULL;
        if (!wanted)
            continue;
        check_current = check_list[i].name;
        check_list[i].run();
        ran++;
    }
    check_current = "end";
    printf("cases %d\n", ran);
    return check_failures != 0;
}

#endif
