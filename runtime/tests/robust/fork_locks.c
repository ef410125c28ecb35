/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork() by the thousand while other threads are in the middle of everything that has a lock in the runtime:
 * the child, which does the same, ends by itself. Outside of regions, inside of one, and with the runtime's
 * statistics listening.
 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "robust.h"

#define FORKS   120
#define PATIENT 60 /* seconds after which a child is said to hang */

/* The runtime's, whichever compiler's names the program is linked with. */
void *__kmpc_threadprivate_cached(void *loc, int32_t gtid, void *data, size_t size, void ***cache)
    __attribute__((weak));
void __kmpc_push_num_threads_list(void *loc, int32_t gtid, uint32_t n, int32_t *list) __attribute__((weak));
void GOMP_add_alloc(void *) __attribute__((weak));
_Bool GOMP_is_alloc(void *) __attribute__((weak));
void GOMP_atomic_start(void) __attribute__((weak));
void GOMP_atomic_end(void) __attribute__((weak));
int __omp_collector_api(void *) __attribute__((weak));

/* ---- what the threads do, and the child ---------------------------------------------------------------- */

static void set_format(void)
{
    omp_set_affinity_format("thread %n of %N");
}

static void get_format(void)
{
    char text[100];
    omp_get_affinity_format(text, sizeof text);
    omp_capture_affinity(text, sizeof text, NULL);
}

static void make_allocator(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1 << 20}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, traits);
    omp_free(omp_alloc(64, allocator), allocator);
    omp_destroy_allocator(allocator);
}

static void note_allocatable(void)
{
    static char there[64];
    if (GOMP_add_alloc == NULL)
        return;
    char *mine = &there[(uintptr_t)pthread_self() / 4096 % sizeof there];
    GOMP_add_alloc(mine);
    (void)GOMP_is_alloc(mine);
}

static void have_private_copies(void)
{
    static int variables[400];
    static void **caches[400];
    static _Thread_local unsigned next;
    if (__kmpc_threadprivate_cached == NULL)
        return;
    unsigned at = next++ % 400;
    int *mine = __kmpc_threadprivate_cached(NULL, 0, &variables[at], sizeof variables[at], &caches[at]);
    __atomic_fetch_add(mine, 1, __ATOMIC_RELAXED);
}

static void push_list(void)
{
    static _Thread_local int32_t next;
    int32_t list[3] = {1, 1 + next++ % 50, 1};
    if (__kmpc_push_num_threads_list != NULL)
        __kmpc_push_num_threads_list(NULL, 0, 3, list);
}

/** A session of the collector's interface: begun and ended. */
static void listen_in(void)
{
    int32_t requests[9] = {16, 0, 0, 0, 16, 6, 0, 0, 0}; /* size, request (0 start, 6 stop), answer, room */
    if (__omp_collector_api != NULL)
        __omp_collector_api(requests);
}

static void have_region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    if (sum != 2)
        abort();
}

static void (*const outside[])(void) = {set_format,          get_format, make_allocator, note_allocatable,
                                        have_private_copies, push_list,  listen_in,      have_region};

static void have_task(void)
{
#pragma omp task
    __asm__ volatile("");
#pragma omp taskwait
}

static void have_urgent_task(void)
{
#pragma omp task priority(2)
    __asm__ volatile("");
#pragma omp task priority(1)
    __asm__ volatile("");
#pragma omp taskwait
}

static void have_tasks_in_order(void)
{
    int at = 0;
#pragma omp task depend(inout : at) shared(at)
    at++;
#pragma omp task depend(inout : at) shared(at)
    at++;
#pragma omp taskwait
    if (at != 2)
        abort();
}

static void reduce_in_tasks(void)
{
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum++;
#pragma omp task in_reduction(+ : sum)
        sum++;
    }
    if (sum != 2)
        abort();
}

static void update(void)
{
    static long double sum;
    if (GOMP_atomic_start == NULL)
        return;
    GOMP_atomic_start();
    sum++;
    GOMP_atomic_end();
}

static void (*const inside[])(void) = {set_format,      get_format,       make_allocator,
                                       have_task,       have_urgent_task, have_tasks_in_order,
                                       reduce_in_tasks, update,           have_private_copies};

/* ---- forks --------------------------------------------------------------------------------------------- */

/** How many of the children did not end by themselves: stops at the first. */
static int children(void (*what)(void))
{
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            alarm(PATIENT);
            what();
            what();
            _exit(0);
        }
        if (waitpid(child, &status, 0) != child || status != 0) {
            printf("child %d ended with %#x\n", i, status);
            return 1;
        }
    }
    return 0;
}

struct busy {
    void (*what)(void);
    volatile int stop;
};

static void *repeat(void *argument)
{
    struct busy *busy = argument;
    while (!busy->stop)
        busy->what();
    return NULL;
}

static int outside_of_regions(void (*what)(void))
{
    struct busy busy = {what, 0};
    pthread_t threads[2];
    what();
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, repeat, &busy) != 0)
            abort();
    int hung = children(what);
    busy.stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return hung;
}

/** Thread `forker` of three forks. */
static int inside_of_one(void (*what)(void), int forker)
{
    int hung = 0, stop = 0;
#pragma omp parallel num_threads(3) shared(hung, stop)
    {
        if (omp_get_thread_num() == forker) {
            hung = children(what);
            __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
        } else {
            while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST))
                what();
        }
    }
    return hung;
}

static int all(void)
{
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        EXPECT(outside_of_regions(outside[i]) == 0 || !printf("outside, %zu\n", i));
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        EXPECT(inside_of_one(inside[i], (int)i % 3) == 0 || !printf("inside, %zu\n", i));
    return robust_end();
}

int main(int argc, char **argv)
{
    static const char *const alone[] = {"OMP_MAX_TASK_PRIORITY=10", NULL};
    static const char *const heard[] = {"OMP_MAX_TASK_PRIORITY=10", "KMP_STATS_FILE=/dev/null", NULL};
    (void)argv;
    if (argc > 1)
        return all();
    for (int i = 0; i < 2; i++) {
        struct outcome outcome = robust_again("all", 600, i == 0 ? alone : heard);
        EXPECT(outcome.exited == 0);
        if (outcome.exited != 0)
            printf("%s: %d, signal %d\n%s", i == 0 ? "alone" : "heard", outcome.exited, outcome.signal,
                   outcome.words);
    }
    return robust_end();
}
