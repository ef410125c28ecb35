/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads of the program's own that end by pthread_exit or by cancellation after they had regions, while
 * others go on; and a main thread that ends before them. What they used is given back.
 */
#include <pthread.h>

#include "robust.h"
#include "work.h"

static void *leaves(void *wrong)
{
    *(int *)wrong = work(3);
    pthread_exit(NULL);
}

static void deeper(int *wrong)
{
    *wrong = work(2);
    pthread_exit(NULL);
}

static void *leaves_from_a_call(void *wrong)
{
    deeper(wrong);
    return NULL;
}

static int cleaned;

static void cleanup(void *unused)
{
    (void)unused;
    __atomic_fetch_add(&cleaned, 1, __ATOMIC_SEQ_CST);
}

static void *waits(void *ready)
{
    int wrong = work(3);
    pthread_cleanup_push(cleanup, NULL);
    __atomic_store_n((int *)ready, 1 + wrong, __ATOMIC_SEQ_CST);
    for (;;)
        pause(); /* a cancellation point */
    pthread_cleanup_pop(0);
    return NULL;
}

static void *waits_asynchronously(void *ready)
{
    int wrong = work(2), old;
    pthread_cleanup_push(cleanup, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    __atomic_store_n((int *)ready, 1 + wrong, __ATOMIC_SEQ_CST);
    for (;;)
        __asm__ volatile("" ::: "memory");
    pthread_cleanup_pop(0);
    return NULL;
}

/** A thread whose key destructor still uses OpenMP. */
static pthread_key_t key;
static int in_destructor = -1;

static void last_use(void *unused)
{
    (void)unused;
    in_destructor = work(2);
}

static void *with_key(void *wrong)
{
    pthread_setspecific(key, &key);
    *(int *)wrong = work(2);
    return NULL;
}

static void *goes_on(void *unused)
{
    (void)unused;
    struct timespec moment = {0, 100000000};
    nanosleep(&moment, NULL);
    exit(work(3) == 0 ? 41 : 1);
}

int main(int argc, char **argv)
{
    pthread_t handle;
    void *result;
    if (argc > 1 && strcmp(argv[1], "main-ends") == 0) {
        if (work(3) != 0 || pthread_create(&handle, NULL, goes_on, NULL) != 0)
            return 1;
        pthread_exit(NULL);
    }
    for (int i = 0; i < 40; i++) {
        int wrong = -1;
        EXPECT(pthread_create(&handle, NULL, i % 2 ? leaves : leaves_from_a_call, &wrong) == 0);
        EXPECT(pthread_join(handle, NULL) == 0);
        EXPECT(wrong == 0);
    }
    for (int i = 0; i < 40; i++) {
        int ready = 0;
        EXPECT(pthread_create(&handle, NULL, i % 2 ? waits : waits_asynchronously, &ready) == 0);
        while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) == 0)
            sched_yield();
        EXPECT(ready == 1);
        EXPECT(pthread_cancel(handle) == 0);
        EXPECT(pthread_join(handle, &result) == 0);
        EXPECT(result == PTHREAD_CANCELED);
        EXPECT(work(3) == 0);
    }
    EXPECT(cleaned == 40);
    EXPECT(robust_threads() < 64);

    int wrong = -1;
    pthread_key_create(&key, last_use);
    EXPECT(pthread_create(&handle, NULL, with_key, &wrong) == 0);
    EXPECT(pthread_join(handle, NULL) == 0);
    EXPECT(wrong == 0 && in_destructor == 0);

    struct outcome end = robust_again("main-ends", 15, NULL);
    EXPECT(end.exited == 41 && end.signal == 0 && !end.late);
    EXPECT(work(4) == 0);
    return robust_end();
}
