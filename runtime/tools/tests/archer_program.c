/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * For Archer: archer_program NAME runs one case. The names that begin with "race" have a data race, the
 * others share variables as well, but something of OpenMP orders each access. Built with -fsanitize=thread
 * and without optimisation, which may read a variable before the branch that asks whether this thread may
 * (sections).
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define ROUNDS  20

static int shared, other, many[64];

/* Counting by relaxed operations, which order nothing. */
static void count(int *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void until(const int *counter, int n)
{
    while (__atomic_load_n(counter, __ATOMIC_RELAXED) < n)
        ;
}

/** All threads are here. */
static void meet(int *counter, int n)
{
    count(counter);
    until(counter, n);
}

/* ---- correct -------------------- */

static void regions(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        shared++;
#pragma omp parallel num_threads(THREADS)
        many[omp_get_thread_num()] = shared;
        shared += many[0] + many[THREADS - 1];
    }
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = omp_get_thread_num();
        many[mine] = 1;
#pragma omp parallel num_threads(2)
        many[2 + 2 * mine + omp_get_thread_num()] = many[mine];
        many[mine] += many[2 + 2 * mine] + many[3 + 2 * mine];
    }
    shared = many[0] + many[1];
}

static void barriers(void)
{
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
        if (omp_get_thread_num() == i % THREADS)
            shared = i;
#pragma omp barrier
        many[omp_get_thread_num()] += shared;
#pragma omp barrier
    }
}

static void criticals(void)
{
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
        shared++;
#pragma omp critical(named) hint(omp_sync_hint_contended)
        other++;
    }
}

static void locks(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
        omp_set_lock(&lock);
        shared++;
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            shared++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        other++;
        omp_unset_nest_lock(&nest_lock);
        other++;
        omp_unset_nest_lock(&nest_lock);
        if (omp_test_nest_lock(&nest_lock)) {
            other++;
            omp_unset_nest_lock(&nest_lock);
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
}

static void atomics(void)
{
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp atomic
        shared++;
    }
}

static void ordered(void)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < ROUNDS; i++) {
#pragma omp ordered
            shared += i;
        }
#pragma omp for ordered schedule(static, 2)
        for (int i = 0; i < ROUNDS; i++) {
#pragma omp ordered
            shared += i;
        }
    }
}

static void worksharing(void)
{
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
        int own = 0;
#pragma omp for schedule(static)
        for (int k = 0; k < 64; k++)
            many[k]++;
#pragma omp for schedule(dynamic, 3)
        for (int k = 0; k < 64; k++)
            many[k]++;
#pragma omp for schedule(guided)
        for (int k = 0; k < 64; k++)
            many[63 - k]++;
#pragma omp single
        shared += many[0];
#pragma omp single copyprivate(own)
        own = ++shared;
        many[omp_get_thread_num()] += own;
#pragma omp sections
        {
#pragma omp section
            shared++;
#pragma omp section
            other++;
        }
#pragma omp masked
        shared += other;
#pragma omp barrier
    }
}

static void reductions(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        int sum = 0, array[3] = {0};
        double product = 1;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum, array) reduction(* : product)
        {
            sum += omp_get_thread_num();
            array[omp_get_thread_num() % 3]++;
            product *= 2;
        }
        shared += sum + array[0] + (int)product;
#pragma omp parallel for num_threads(THREADS) reduction(max : shared)
        for (int k = 0; k < 64; k++)
            shared = shared > k ? shared : k;
    }
}

static void tasks(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
        shared++;
        for (int k = 0; k < 8; k++) {
#pragma omp task firstprivate(k)
            {
                many[k] = shared;
#pragma omp task
                many[8 + k] = many[k];
#pragma omp taskwait
                many[k] += many[8 + k];
            }
        }
#pragma omp taskwait
        shared += many[0] + many[7];
    }
    /* The barrier waits for tasks, too. */
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp task
        many[16 + omp_get_thread_num()] = 1;
#pragma omp barrier
#pragma omp single
        shared = many[16];
    }
}

static void included(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
#pragma omp task if (0)
        shared++;
        shared++;
#pragma omp task final(1)
        {
#pragma omp task
            shared++;
            shared++;
        }
#pragma omp taskwait
        shared++;
    }
}

static void taskgroups(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp taskgroup
        {
#pragma omp task
            {
                many[0]++;
#pragma omp task /* a grandchild, for which taskwait would not wait */
                many[1]++;
            }
        }
        shared = many[0] + many[1];
#pragma omp taskloop num_tasks(8)
        for (int k = 0; k < 64; k++)
            many[k]++;
        shared += many[5];
    }
}

static void dependences(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task depend(out : shared)
        shared = i;
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(in : shared) firstprivate(k)
            many[k] = shared;
        }
#pragma omp task depend(inout : shared)
        shared += many[0] + many[3];
#pragma omp task depend(inout : shared) depend(out : other)
        other = shared;
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(mutexinoutset : other)
            other++;
        }
#pragma omp task depend(in : other) if (0)
        many[9] = other;
    }
}

/** What an undeferred task and a taskwait wait for has run in another thread. */
static void dependences_waited(void)
{
    int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task depend(out : shared) shared(done)
        {
            shared = i;
            count(&done);
        }
        if (i % 2 == 0)
            until(&done, i + 1); /* else it may be waited for */
#pragma omp task depend(inout : shared) if (0)
        shared++;
        shared++;
#pragma omp task depend(out : other)
        other = i;
#pragma omp taskwait depend(in : other)
        other++;
#pragma omp taskwait
        __atomic_store_n(&done, i + 1, __ATOMIC_RELAXED);
    }
}

static void reductions_of_tasks(void)
{
    int here, sum = 0, array[3] = {0};
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
        here = 0;
#pragma omp taskgroup task_reduction(+ : sum, array)
        for (int k = 0; k < 3; k++) {
#pragma omp task in_reduction(+ : sum, array) shared(here)
            {
                count(&here);
                until(&here, 2); /* so two threads have a copy */
                sum += k;
                array[k]++;
            }
        }
        sum++;
#pragma omp taskloop reduction(+ : sum) num_tasks(8)
        for (int k = 0; k < 64; k++)
            sum += k;
        sum++;
    }
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(THREADS) reduction(task, + : sum)
        {
            sum++;
#pragma omp task in_reduction(+ : sum)
            sum++;
#pragma omp for reduction(task, * : array)
            for (int k = 0; k < 8; k++) {
#pragma omp task in_reduction(* : array)
                array[k % 3]++;
            }
        }
        shared = sum + array[0];
    }
}

static void untied(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task untied
        {
            int mine = i;
#pragma omp task shared(mine)
            mine++;
#pragma omp taskyield
#pragma omp taskwait
            many[i] = mine;
        }
    }
    shared = many[0];
}

static void detached(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(out : shared)
        shared = 1;
#pragma omp task firstprivate(event)
        {
            other = i;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        many[0] = shared + other;
    }
}

static void detached_undeferred(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < ROUNDS; i++) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(out : shared) if (0)
        shared = 1;
        shared++;
#pragma omp task firstprivate(event)
        {
            other = i;
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : shared)
        many[0] =
            shared; /* not `other`: Archer is not told that this task waits for the event (docs/tools.md) */
#pragma omp taskwait
        many[0] += other;
    }
}

static void persistent(void)
{
    static int own;
#pragma omp threadprivate(own)
    own = 5;
#pragma omp parallel num_threads(THREADS) copyin(own)
    own++;
#pragma omp parallel num_threads(THREADS)
#pragma omp critical
    shared += own;
}

/* ---- correct, in memory that other tasks have had -------------------- */
/*
 * A task's private data lie in the runtime's memory, which soon is another task's. Here the program itself
 * finds out when a task has nearly ended: so nothing of OpenMP orders the tasks that have the same memory.
 */
static void recycled(void)
{
    int done = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < 2000; i++) {
#pragma omp task firstprivate(i) shared(done)
        {
            i++;
            count(&done);
        }
        if (i % 64 == 63)
            until(&done, i - 1);
    }
}

static void recycled_large(void)
{
    int done = 0;
    struct {
        int first, more[2000];
    } large = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(large, i) shared(done)
        {
            large.first = i++;
            count(&done);
        }
        until(&done, i + 1);
    }
}

/** A set of dependences holds a task that has ended until a later one takes its place. */
static void recycled_dependence(void)
{
    int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 512; i++) {
#pragma omp task firstprivate(i) shared(done) depend(inout : many)
        {
            i++;
            count(&done);
        }
        until(&done, i);
    }
}

/** Here a child holds it: it outlives its parent, which has run in another thread. */
static void recycled_parent(void)
{
    int done = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int i = 0; i < 256; i++) {
#pragma omp task firstprivate(i) shared(done)
        {
#pragma omp task firstprivate(i) shared(done)
            {
                until(&done, 2 * i + 1);
                count(&done);
            }
            i++;
            count(&done);
        }
        until(&done, 2 * i + 2);
    }
}

static void *one_task(void *counter)
{
    int i = 0;
#pragma omp task firstprivate(i)
    i++;
    count(counter);
    return NULL;
}

/** The memory of a thread that has ended is another thread's. */
static void recycled_thread(void)
{
    int done = 0;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &detached, one_task, &done) != 0)
            return;
        until(&done, i + 1);
    }
    pthread_attr_destroy(&detached);
}

/* ---- races -------------------- */

/** Often: of two accesses at the very same time ThreadSanitizer may see none. */
static void touch(int *variable)
{
    for (int i = 0; i < 1000; i++)
        ++*variable;
}

static void race_region(void)
{
    int here = 0;
#pragma omp parallel num_threads(THREADS)
    {
        meet(&here, THREADS);
        touch(&shared);
    }
}

static void race_lock(void)
{
    omp_lock_t lock;
    int here = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        meet(&here, 2);
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            touch(&shared);
            omp_unset_lock(&lock);
        } else {
            touch(&shared);
        }
    }
    omp_destroy_lock(&lock);
}

static void race_nowait(void)
{
    int here = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static) nowait
        for (int k = 0; k < 2; k++)
            many[k] = k;
        meet(&here, 2);
        touch(&many[1]);
    }
}

static void race_tasks(void)
{
    int here = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            meet(&here, 2);
            touch(&shared);
        }
#pragma omp task
        {
            meet(&here, 2);
            touch(&shared);
        }
    }
}

static void race_dependence(void)
{
    int here = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : shared)
        {
            meet(&here, 2);
            touch(&other);
        }
#pragma omp task depend(out : many)
        {
            meet(&here, 2);
            touch(&other);
        }
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"regions", regions},
             {"nested", nested},
             {"barriers", barriers},
             {"criticals", criticals},
             {"locks", locks},
             {"atomics", atomics},
             {"ordered", ordered},
             {"worksharing", worksharing},
             {"reductions", reductions},
             {"tasks", tasks},
             {"included", included},
             {"taskgroups", taskgroups},
             {"dependences", dependences},
             {"dependences_waited", dependences_waited},
             {"reductions_of_tasks", reductions_of_tasks},
             {"untied", untied},
             {"detached", detached},
             {"detached_undeferred", detached_undeferred},
             {"persistent", persistent},
             {"recycled", recycled},
             {"recycled_large", recycled_large},
             {"recycled_dependence", recycled_dependence},
             {"recycled_parent", recycled_parent},
             {"recycled_thread", recycled_thread},
             {"race_region", race_region},
             {"race_lock", race_lock},
             {"race_nowait", race_nowait},
             {"race_tasks", race_tasks},
             {"race_dependence", race_dependence}};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc < 2)
            puts(cases[i].name);
        else if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    return 0;
}
