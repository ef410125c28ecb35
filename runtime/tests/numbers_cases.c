/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers of threads when there were many: locks behind 2^30 threads, gtids and threadprivate copies behind
 * 20,000; and barriers when there were 2^32. The counters are set as if they had been; each case is a process
 * of its own (numbers_test.cc).
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "runtime/core/attach.h"
#include "runtime/core/mutex.h"
#include "runtime/core/threadprivate.h"

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)
#define ADD(variable, value) __atomic_add_fetch(&(variable), (value), __ATOMIC_SEQ_CST)
#define GET(variable)        __atomic_load_n(&(variable), __ATOMIC_SEQ_CST)
#define PUT(variable, value) __atomic_store_n(&(variable), (value), __ATOMIC_SEQ_CST)
#define UNTIL(...)         \
    while (!(__VA_ARGS__)) \
    sched_yield()

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_barrier(void);
void __kmpc_copyprivate(struct rt_loc *loc, int32_t gtid, size_t size, void *data,
                        void (*copy)(void *to, void *from), int32_t mine);
int omp_get_thread_num(void);
void omp_set_lock(uint32_t *lock);
void omp_unset_lock(uint32_t *lock);
int omp_test_lock(uint32_t *lock);
void omp_set_nest_lock(void *lock);
void omp_unset_nest_lock(void *lock);
int omp_test_nest_lock(void *lock);
int32_t __kmpc_global_thread_num(struct rt_loc *loc);
void *__kmpc_threadprivate_cached(struct rt_loc *loc, int32_t gtid, void *data, size_t size, void ***cache);
void __kmpc_threadprivate_register(struct rt_loc *loc, void *data, rt_ctor ctor, rt_cctor cctor,
                                   rt_dtor dtor);

#define ALL         \
    ((1ULL << 30) - \
     1) /* threads that a word of 32 bits tells apart: one says that somebody sleeps, one that
                                  it is a task */

static void were(uint64_t threads)
{
    omp_get_thread_num(); /* this one is the first */
    rt_store(rt_root.next_thread_serial, threads + 1);
}

static pthread_t start(void *(*code)(void *), void *data)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, code, data) != 0)
        abort();
    return thread;
}

/* ---- exclusion ----------------------------------------------------------------------------------------- */

static uint32_t shared_lock;
static int team, arrived, inside, overlaps, passed;

static void *pass(void *unused)
{
    ADD(arrived, 1);
    for (int i = 0; i < 20; i++) {
        omp_set_lock(&shared_lock);
        ADD(inside, 1);
        UNTIL(GET(arrived) == team);
        for (int k = 0; k < 200; k++) { /* time for others to come in */
            overlaps += GET(inside) != 1;
            sched_yield();
        }
        ADD(inside, -1);
        omp_unset_lock(&shared_lock);
    }
    ADD(passed, 1);
    return unused;
}

/** The threads come one by one, as many as are on both sides of the last number. */
static int exclusion(int threads)
{
    pthread_t ids[16];
    were(ALL - 2);
    team = threads;
    for (int i = 0; i < threads; i++)
        ids[i] = start(pass, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    CHECK(overlaps == 0 && passed == threads && shared_lock == 0);
    return 0;
}

/* ---- each living thread has a number of its own -------------------------------------------------------- */

enum { LIVING = 300, LATER = 2000 };
static uint32_t living_locks[LIVING];
static int held, let_go;

static void *hold(void *lock)
{
    omp_set_lock(lock);
    ADD(held, 1);
    UNTIL(GET(let_go));
    omp_unset_lock(lock);
    return NULL;
}

static uint32_t later_word;

static void *note_word(void *unused)
{
    uint32_t lock = 0;
    omp_set_lock(&lock);
    PUT(later_word, lock);
    omp_unset_lock(&lock);
    return unused;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/** What thread has which word is seen in the words alone: what tells an owner from "free" and from others. */
static int distinct(int threads)
{
    pthread_t ids[LIVING];
    uint32_t sorted[LIVING];
    (void)threads;
    were(ALL - LIVING / 2); /* one half has numbers of the first round, the other of the second */
    for (int i = 0; i < LIVING; i++)
        ids[i] = start(hold, &living_locks[i]);
    UNTIL(GET(held) == LIVING);
    memcpy(sorted, living_locks, sizeof sorted);
    qsort(sorted, LIVING, sizeof *sorted, by_value);
    for (int i = 0; i < LIVING; i++)
        CHECK(sorted[i] >> 1 != 0 && (sorted[i] & 1) == 0 && (i == 0 || sorted[i] != sorted[i - 1]));
    for (int i = 0; i < LATER; i++) {
        pthread_join(start(note_word, NULL), NULL);
        CHECK(later_word >> 1 != 0 && bsearch(&later_word, sorted, LIVING, sizeof *sorted, by_value) == NULL);
    }
    PUT(let_go, 1);
    for (int i = 0; i < LIVING; i++)
        pthread_join(ids[i], NULL);
    return 0;
}

/** Threads of the second round live on into the third. */
static int third_round(int threads)
{
    (void)threads;
    pthread_t ids[LIVING];
    uint32_t sorted[LIVING];
    were(ALL);
    for (int i = 0; i < LIVING; i++)
        ids[i] = start(hold, &living_locks[i]);
    UNTIL(GET(held) == LIVING);
    rt_lock(&rt_root.lock);
    rt_root.next_lock_number = ALL + 1;
    rt_unlock(&rt_root.lock);
    memcpy(sorted, living_locks, sizeof sorted);
    qsort(sorted, LIVING, sizeof *sorted, by_value);
    for (int i = 0; i < LATER; i++) {
        pthread_join(start(note_word, NULL), NULL);
        CHECK(later_word >> 1 != 0 && bsearch(&later_word, sorted, LIVING, sizeof *sorted, by_value) == NULL);
    }
    PUT(let_go, 1);
    for (int i = 0; i < LIVING; i++)
        pthread_join(ids[i], NULL);
    return 0;
}

/* ---- nestable locks ------------------------------------------------------------------------------------ */

static uint64_t nest[2];
static int nest_line, nest_stage;

static int nest_steps(void)
{
    for (int i = 1; i <= 3; i++)
        CHECK(omp_test_nest_lock(nest) == i);
    PUT(nest_stage, 1);
    UNTIL(GET(nest_stage) == 2); /* the other thread has tried */
    for (int i = 0; i < 2; i++)
        omp_unset_nest_lock(nest);
    CHECK(omp_test_nest_lock(nest) == 2);
    omp_unset_nest_lock(nest);
    omp_unset_nest_lock(nest);
    return 0;
}

static void *nest_owner(void *unused)
{
    nest_line = nest_steps();
    PUT(nest_stage, 3);
    return unused;
}

static int nest_lock(int threads)
{
    (void)threads;
    were(ALL);
    pthread_t owner = start(nest_owner, NULL);
    UNTIL(GET(nest_stage) == 1);
    CHECK(omp_test_nest_lock(nest) == 0);
    PUT(nest_stage, 2);
    omp_set_nest_lock(nest); /* free only when the owner has given back what it took */
    UNTIL(GET(nest_stage) == 3);
    pthread_join(owner, NULL);
    omp_unset_nest_lock(nest);
    CHECK(nest_line == 0);
    return 0;
}

/* ---- the child of fork() ------------------------------------------------------------------------------- */

static _Atomic uint32_t reduction;
static const struct rt_wait_as as_reduction = {RT_STATE_MUTEX, RT_WAIT_REDUCTION};
static int in_reduction, child_wants, child_has;

static void *reduce_for_ever(void *unused)
{
    rt_mutex_lock(rt_me(), &reduction, as_reduction, &reduction, 0);
    PUT(in_reduction, 1);
    UNTIL(GET(let_go));
    rt_mutex_unlock(&reduction);
    return unused;
}

static void *reduce_in_child(void *unused)
{
    rt_me();
    PUT(child_wants, 1);
    rt_mutex_lock(rt_me(), &reduction, as_reduction, &reduction, 0);
    PUT(child_has, 1);
    rt_mutex_unlock(&reduction);
    return unused;
}

/** What a thread of the parent holds is free in the child; what the child's own threads hold is not. */
static int in_child(int gone_gtid)
{
    rt_mutex_lock(rt_me(), &reduction, as_reduction, &reduction, 0);
    pthread_t other = start(reduce_in_child, NULL);
    UNTIL(GET(child_wants));
    for (int i = 0; i < 200; i++)
        sched_yield();
    CHECK(!GET(child_has));
    rt_mutex_unlock(&reduction);
    pthread_join(other, NULL);
    CHECK(child_has);
    /* A thread that is gone has given its number back. */
    CHECK(gone_gtid == 1 && __kmpc_global_thread_num(NULL) == 0);
    for (int i = 0; i < 100; i++) {
        pthread_join(start(note_word, NULL), NULL);
        CHECK(later_word >> 1 != 0 && later_word != rt_mutex_mine(rt_me()));
    }
    return 0;
}

static int forked(uint64_t threads)
{
    int status;
    were(threads);
    pthread_t gone = start(reduce_for_ever, NULL);
    UNTIL(GET(in_reduction));
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(in_child(1) == 0 ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    PUT(let_go, 1);
    pthread_join(gone, NULL);
    return 0;
}

static int fork_early(int threads)
{
    (void)threads;
    return forked(1);
}

static int fork_late(int threads)
{
    (void)threads;
    return forked(ALL);
}

/* ---- gtids and threadprivate variables ----------------------------------------------------------------- */

enum { CHURN = 20000 };
static int variable = 7, constructed, destroyed, largest, wrong;
static void **cache;

static void *construct(void *copy)
{
    ADD(constructed, 1);
    *(int *)copy = 7;
    return copy;
}

static void destroy(void *copy)
{
    ADD(destroyed, 1);
    *(int *)copy = -1;
}

static int *mine(void)
{
    return __kmpc_threadprivate_cached(NULL, __kmpc_global_thread_num(NULL), &variable, sizeof variable,
                                       &cache);
}

static void *live_a_little(void *unused)
{
    int gtid = __kmpc_global_thread_num(NULL);
    if (gtid > largest)
        largest = gtid;
    wrong += *mine() != 7;
    *mine() = 100 + gtid;
    wrong += *mine() != 100 + gtid;
    return unused;
}

static int churn(int threads)
{
    (void)threads;
    __kmpc_threadprivate_register(NULL, &variable, construct, NULL, destroy);
    CHECK(__kmpc_global_thread_num(NULL) == 0);
    *mine() = 5;
    for (int i = 0; i < CHURN; i++)
        pthread_join(start(live_a_little, NULL), NULL);
    CHECK(wrong == 0 && largest == 1);
    CHECK(constructed == CHURN && destroyed == CHURN);
    CHECK(*mine() == 5 && variable == 5);
    return 0;
}

static int gtids[200];

static void *take_number(void *at)
{
    *(int *)at = __kmpc_global_thread_num(NULL);
    ADD(held, 1);
    UNTIL(GET(let_go) || GET(*(int *)at) == -1);
    return NULL;
}

/**
 * Of the numbers 1 .. 200 those of every third thread become free: the next threads have just these,
 * ascending.
 */
static int smallest(int threads)
{
    pthread_t ids[200];
    (void)threads;
    CHECK(__kmpc_global_thread_num(NULL) == 0);
    for (int i = 0; i < 200; i++) {
        ids[i] = start(take_number, &gtids[i]);
        UNTIL(GET(held) == i + 1);
        CHECK(gtids[i] == i + 1);
    }
    for (int i = 2; i < 200; i += 3) {
        PUT(gtids[i], -1);
        pthread_join(ids[i], NULL);
    }
    for (int i = 2; i < 200; i += 3) {
        int before = GET(held);
        ids[i] = start(take_number, &gtids[i]);
        UNTIL(GET(held) == before + 1);
        CHECK(gtids[i] == i + 1);
    }
    PUT(let_go, 1);
    for (int i = 0; i < 200; i++)
        pthread_join(ids[i], NULL);
    return 0;
}

/* ---- copyprivate at the barrier 2^32 ------------------------------------------------------------------- */

enum { COPIES = 8 };
static int copies_given, copies_taken, copies_wrong;

/** By gcc's entry points. The values come late, and are others each time. */
static void copy_gcc(void *unused)
{
    static int values[COPIES];
    (void)unused;
    for (int i = 0; i < COPIES; i++) {
        const int *from = GOMP_single_copy_start();
        if (from == NULL) {
            for (int k = 0; k < 200; k++)
                sched_yield();
            values[i] = i + 1;
            ADD(copies_given, 1); /* by one thread each time: the others find its values, not NULL */
            GOMP_single_copy_end(&values[i]);
        } else {
            ADD(copies_wrong, from != &values[i] || *from != i + 1);
        }
        ADD(copies_taken, 1);
        GOMP_barrier();
    }
}

static void copy_int(void *to, void *from)
{
    *(int *)to = *(const int *)from;
}

/** By clang's, where the same thread has the values each time. */
static void copy_clang(void *unused)
{
    int me = omp_get_thread_num();
    (void)unused;
    for (int i = 0; i < COPIES; i++) {
        int value = 0;
        if (me == 0) {
            for (int k = 0; k < 200; k++)
                sched_yield();
            value = i + 1;
            ADD(copies_given, 1);
        }
        __kmpc_copyprivate(NULL, me, sizeof value, &value, copy_int, me == 0);
        ADD(copies_wrong, value != i + 1);
        ADD(copies_taken, 1);
    }
}

static void idle(void *unused)
{
    (void)unused;
}

/** The team of the next region has passed so many barriers; it must not have had a copyprivate. */
static void had_barriers(int threads, uint32_t barriers)
{
    GOMP_parallel(idle, NULL, (unsigned)threads, 0);
    struct rt_team *team = rt_me()->implicit->member->hot;
    rt_store(team->bar_gen, barriers);
    rt_store(team->meets, 2 * (uint64_t)barriers);
}

static int copied(void (*region)(void *), int threads)
{
    for (uint32_t before = 0; before < 4; before++) {
        copies_given = copies_taken = copies_wrong = 0;
        had_barriers(threads, UINT32_MAX - before);
        GOMP_parallel(region, NULL, (unsigned)threads, 0);
        CHECK(copies_given == COPIES && copies_taken == COPIES * threads && copies_wrong == 0);
    }
    return 0;
}

static int copies_pair_gcc(int threads)
{
    (void)threads;
    return copied(copy_gcc, 2);
}

static int copies_gcc(int threads)
{
    return copied(copy_gcc, threads);
}

static int copies_pair_clang(int threads)
{
    (void)threads;
    return copied(copy_clang, 2);
}

static int copies_clang(int threads)
{
    return copied(copy_clang, threads);
}

#define CASE(name)  \
    {               \
#name, name \
    }
const struct omp_case numbers_cases[] = {
    CASE(exclusion),       CASE(distinct),   CASE(third_round),       CASE(nest_lock),
    CASE(churn),           CASE(smallest),   CASE(fork_early),        CASE(fork_late),
    CASE(copies_pair_gcc), CASE(copies_gcc), CASE(copies_pair_clang), CASE(copies_clang),
};
const int numbers_case_count = sizeof numbers_cases / sizeof *numbers_cases;
