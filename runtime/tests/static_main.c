/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without OpenMP of its own that uses two parts, one and two (static_part.c), which are linked in
 * or loaded.
 *
 *   static_main count            both parts' counters, as often as it takes for every path
 *   static_main share [LIBRARY]  threads of both parts wait for one lock; or of part one and of part three,
 *                                which LIBRARY holds
 *   static_main cross            a thread of part one holds a lock, one of part two waits for it
 *   static_main hold             part one calls part two inside its region
 *   static_main reverse          the other way round
 *   static_main close LIBRARY    loads a library that holds part one, counts, unloads it, several times
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef WITHOUT_PARTS
int one_count(int n);
int two_count(int n);
void one_share(void *lock, int *count, int n, int threads);
void two_share(void *lock, int *count, int n, int threads);
void one_take(void *lock, int *taken);
void two_take(void *lock, int *taken);
void one_hold(void (*inner)(void));
void two_hold(void (*inner)(void));

static void hold_one(void)
{
    one_hold(NULL);
}

static void hold_two(void)
{
    two_hold(NULL);
}

static void *hold(void *reverse)
{
    if (reverse)
        two_hold(hold_one);
    else
        one_hold(hold_two);
    return NULL;
}

static void *lock[4]; /* free, as of a lock that was initialised */
static int counted;
enum { ROUNDS = 200 };

static void *share_one(void *threads)
{
    one_share(lock, &counted, ROUNDS, *(int *)threads);
    return NULL;
}

/* With one thread in each part first: then a runtime's own threads never wait for each other. */
static int share(const char *path)
{
    void (*other)(void *, int *, int, int) = two_share;

    if (path)
        *(void **)&other = dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "three_share");
    if (!other) {
        printf("%s\n", dlerror());
        return 1;
    }
    for (int threads = 1; threads <= 2; threads++) {
        pthread_t thread;

        counted = 0;
        if (pthread_create(&thread, NULL, share_one, &threads))
            return 1;
        other(lock, &counted, ROUNDS, threads);
        pthread_join(thread, NULL);
        printf("counted %d of %d\n", counted, 2 * threads * ROUNDS);
        if (counted != 2 * threads * ROUNDS)
            return 1;
    }
    return 0;
}

static void *take_one(void *taken)
{
    one_take(lock, taken);
    return NULL;
}

static int cross(void)
{
    static int taken;
    pthread_t thread;

    if (pthread_create(&thread, NULL, take_one, &taken))
        return 1;
    while (!__atomic_load_n(&taken, __ATOMIC_ACQUIRE))
        usleep(1000);
    two_take(lock, &taken);
    return 1;
}

/* Both runtimes know the thread before it enters a region. */
static int use_parts(const char *what, const char *library)
{
    for (int i = 0; i < 20; i++)
        if (one_count(100) != 400 || two_count(100) != 400) {
            printf("wrong count\n");
            return 1;
        }
    if (!strcmp(what, "count"))
        return 0;
    if (!strcmp(what, "share"))
        return share(library);
    if (!strcmp(what, "cross"))
        return cross();
    (void)hold(!strcmp(what, "reverse") ? "reverse" : NULL);
    return 1;
}
#else
static int use_parts(const char *what, const char *library)
{
    (void)library;
    printf("no parts for %s\n", what);
    return 1;
}
#endif

/*
 * Counts in a library that is loaded for it and unloaded afterwards; the last time it is a thread's that then
 * ends.
 */
static void *load_and_count(void *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*count)(int) = NULL;
    int n;

    if (library)
        *(void **)&count = dlsym(library, "one_count");
    if (!count) {
        printf("%s\n", dlerror());
        return NULL;
    }
    n = count(100);
    if (dlclose(library) || n != 400)
        return NULL;
    /* Threads that would run in unmapped code get their time to do it. */
    usleep(20000);
    return path;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *done = NULL;

    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "close"))
        return use_parts(argv[1], argc > 2 ? argv[2] : NULL);
    for (int i = 0; i < 5; i++)
        if (argc < 3 || !load_and_count(argv[2]))
            return 1;
    if (pthread_create(&thread, NULL, load_and_count, argv[2]) || pthread_join(thread, &done))
        return 1;
    return done ? 0 : 1;
}
