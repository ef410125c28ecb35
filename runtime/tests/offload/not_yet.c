/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Target tasks whose device has not finished, until it is told to: who goes on, and who waits.
 *
 * A test that something waits tells the device to finish only after the waiting thread was seen asleep, again
 * and again, or has asked after the device: so a wait that ends too early is seen, and one that spins is one
 * that never sleeps.
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "check.h"
#include "standin.h"

/* ---- a thread that watches the waiting ones ------------------------------------------------------------ */

struct watch {
    struct work *work;
    int tid;    /**< of the thread to be seen asleep */
    int *early; /**< what may become 1 only when the work has finished */
    pthread_t thread;
};

/** How often a thread has given its processor away to sleep. */
static long sleeps(int tid)
{
    char path[64], line[256];
    long count = -1;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    FILE *status = fopen(path, "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return count;
}

static void *watch(void *argument)
{
    struct watch *w = argument;
    WAIT_FOR(LOAD(w->work->asked) > 0);
    long before = sleeps(w->tid);
    WAIT_FOR(sleeps(w->tid) >= before + 3);
    CHECK(w->early == NULL || LOAD(*w->early) == 0);
    STORE(w->work->finished, 1);
    return NULL;
}

static void watch_begin(struct watch *w, struct work *work, int *early)
{
    *w = (struct watch){.work = work, .tid = (int)syscall(SYS_gettid), .early = early};
    CHECK(pthread_create(&w->thread, NULL, watch, w) == 0);
}

static void watch_end(struct watch *w)
{
    pthread_join(w->thread, NULL);
}

/* ---- outside parallel regions: a team of one ----------------------------------------------------------- */

CASE("alone: the creator goes on, taskwait waits")
{
    static struct work work;
    struct watch w;
    int over = 0;
#pragma omp target nowait
    standin_start(&work);
    CHECK(!LOAD(work.finished) && !LOAD(work.waited));
    watch_begin(&w, &work, &over);
#pragma omp taskwait
    STORE(over, 1);
    CHECK(LOAD(work.finished));
    watch_end(&w);
}

CASE("alone: a dependent task runs when the device has finished, the others before")
{
    static struct work work;
    struct watch w;
    int x = 0, dependent = 0, other = 0;
#pragma omp target nowait depend(out : x)
    standin_start(&work);
#pragma omp task depend(in : x) shared(dependent)
    STORE(dependent, 1 + LOAD(work.finished));
#pragma omp task shared(other)
    STORE(other, 1);
    CHECK(LOAD(other) == 1 && LOAD(dependent) == 0);
    watch_begin(&w, &work, &dependent);
#pragma omp taskwait
    CHECK(LOAD(dependent) == 2);
    watch_end(&w);
}

CASE("alone: taskgroup waits, also for what depends on the device")
{
    static struct work work;
    struct watch w;
    int x = 0, dependent = 0;
#pragma omp taskgroup
    {
#pragma omp target nowait depend(out : x)
        standin_start(&work);
#pragma omp task depend(in : x) shared(dependent)
        STORE(dependent, 1 + LOAD(work.finished));
        watch_begin(&w, &work, &dependent);
    }
    CHECK(LOAD(dependent) == 2);
    watch_end(&w);
}

CASE("alone: taskwait depend waits for one device and not for another")
{
    static struct work first, second;
    struct watch w;
    int x = 0, y = 0, over = 0;
#pragma omp target nowait depend(out : x)
    standin_start(&first);
#pragma omp target nowait depend(out : y)
    standin_start(&second);
    watch_begin(&w, &second, &over);
#pragma omp taskwait depend(in : y)
    STORE(over, 1);
    CHECK(LOAD(second.finished) && !LOAD(first.finished));
    watch_end(&w);
    STORE(first.finished, 1);
#pragma omp taskwait
}

CASE("alone: taskyield asks after the device")
{
    static struct work work;
    int x = 0, dependent = 0;
#pragma omp target nowait depend(out : x)
    standin_start(&work);
#pragma omp task depend(in : x) shared(dependent)
    STORE(dependent, 1);
    STORE(work.finished, 1);
    for (double begin = check_seconds(); !LOAD(dependent) && check_seconds() < begin + 30;) {
#pragma omp taskyield
    }
    CHECK(LOAD(dependent));
#pragma omp taskwait
}

/* ---- teams --------------------------------------------------------------------------------------------- */

CASE("the team goes on, its barrier waits")
{
    static struct work work;
    struct watch w;
    int over = 0, others = 0, ran = 0;
#pragma omp parallel num_threads(4) shared(over, others, ran, w)
    {
#pragma omp single nowait
        {
#pragma omp target nowait
            standin_start(&work);
#pragma omp task shared(ran)
            STORE(ran, 1);
            WAIT_FOR(LOAD(others) == 3);
            watch_begin(&w, &work, &over);
        }
        ADD(others, 1);
#pragma omp barrier
        STORE(over, 1);
        CHECK(LOAD(work.finished) && LOAD(ran));
    }
    watch_end(&w);
    CHECK(!LOAD(work.waited));
}

CASE("the region's end waits")
{
    static struct work work;
    struct watch w;
    int over = 0;
    for (int threads = 2; threads <= 3; threads++) {
        work = (struct work){0, 0, 0};
        over = 0;
#pragma omp parallel num_threads(threads) shared(over, w)
#pragma omp master
        {
#pragma omp target nowait
            standin_start(&work);
            watch_begin(&w, &work, &over);
        }
        STORE(over, 1);
        CHECK(LOAD(work.finished));
        watch_end(&w);
    }
}

/** Whether a thread sleeps, as the kernel has it. */
static int sleeping(int tid)
{
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE *stat = fopen(path, "r");
    if (stat == NULL || fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
        state = '?';
    if (stat != NULL)
        fclose(stat);
    return state == 'S';
}

CASE("a thread that slept before the device was started asks after it")
{
    static struct work work;
    static struct {
        int begun, other, done;
    } seen; /* a target region would have its own of each */
    int x = 0;
#pragma omp parallel num_threads(2) shared(x)
    if (omp_get_thread_num() == 0) {
        STORE(seen.other, (int)syscall(SYS_gettid));
        WAIT_FOR(LOAD(seen.begun)); /* now it cannot take that task itself */
    } else {
#pragma omp target nowait depend(out : x)
        {
            STORE(seen.begun, 1);
            WAIT_FOR(LOAD(seen.other) && sleeping(LOAD(seen.other)));
            standin_start(&work);
            STORE(work.finished, 1);
        }
#pragma omp task depend(in : x)
        STORE(seen.done, 1);
        while (!LOAD(seen.begun)) {
#pragma omp taskyield
        }
        WAIT_FOR(LOAD(seen.done)); /* and does nothing for the device */
    }
    CHECK(LOAD(work.asked) > 0);
}

CASE("chains over devices and the host")
{
    enum { LENGTH = 20 };
    static struct work works[LENGTH];
    int x = 0;
#pragma omp parallel num_threads(3) shared(x)
#pragma omp single
    {
        for (int i = 0; i < LENGTH; i++) {
            struct work *work = &works[i];
#pragma omp target nowait depend(inout : x) firstprivate(work)
            standin_start(work);
#pragma omp task depend(inout : x) firstprivate(i) shared(x)
            {
                CHECK(x == i && LOAD(works[i].finished));
                x = i + 1;
            }
        }
#pragma omp task
        for (int i = 0; i < LENGTH; i++) {
            WAIT_FOR(LOAD(works[i].asked) > 0);
            STORE(works[i].finished, 1);
        }
#pragma omp taskwait
        CHECK(x == LENGTH);
    }
}

CASE("many devices, which finish in the other order")
{
    enum { MANY = 200 };
    static struct work works[MANY];
    static int done[MANY];
    int all = 0;
#pragma omp parallel num_threads(4) shared(all)
    {
#pragma omp single nowait
        for (int i = 0; i < MANY; i++) {
            struct work *work = &works[i];
#pragma omp target nowait depend(out : done[i]) firstprivate(work)
            standin_start(work);
#pragma omp task depend(in : done[i]) shared(all)
            ADD(all, 1);
        }
#pragma omp single nowait
        for (int i = MANY - 1; i >= 0; i--)
            STORE(works[i].finished, 1);
#pragma omp barrier
        CHECK(LOAD(all) == MANY);
    }
}

/* ---- where the device is waited for -------------------------------------------------------------------- */

static void *finish(void *argument)
{
    struct work *work = argument;
    WAIT_FOR(LOAD(work->waited));
    STORE(work->finished, 1);
    return NULL;
}

CASE("a target task of a final task is complete when its creator goes on")
{
    static struct work work;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, finish, &work) == 0);
#pragma omp task final(1)
    {
#pragma omp target nowait
        standin_start(&work);
        CHECK(LOAD(work.finished) && LOAD(work.waited));
    }
    pthread_join(thread, NULL);
}

CASE("no other task leaves its device")
{
    static struct work works[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, finish, &works[i]) == 0);
    standin_start(&works[0]);
#pragma omp task
    standin_start(&works[1]);
#pragma omp parallel num_threads(2)
#pragma omp single
    standin_start(&works[2]);
#pragma omp taskwait
    for (int i = 0; i < 3; i++) {
        CHECK(LOAD(works[i].waited));
        pthread_join(threads[i], NULL);
    }
}
