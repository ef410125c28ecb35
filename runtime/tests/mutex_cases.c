/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See mutex_cases.h.
 */
#define _GNU_SOURCE
#include "runtime/tests/mutex_cases.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/core/futex.h"
#include "runtime/core/membarrier.h"
#include "runtime/core/mutex.h"

void omp_set_lock(uint32_t *lock);
void omp_unset_lock(uint32_t *lock);

static atomic_int refused, fences, asleep;

int __real_rt_membarrier(void);
int __wrap_rt_membarrier(void);
int __wrap_rt_membarrier(void)
{
    fences++;
    return refused ? 0 : __real_rt_membarrier();
}

void __real_rt_futex_wait(_Atomic uint32_t *word, uint32_t value);
void __wrap_rt_futex_wait(_Atomic uint32_t *word, uint32_t value);
void __wrap_rt_futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    asleep++;
    __real_rt_futex_wait(word, value);
}

void __real_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns);
void __wrap_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns);
void __wrap_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns)
{
    asleep++;
    __real_rt_futex_wait_bits_for(word, value, bits, ns);
}

void mutex_forget(void)
{
    memset((void *)rt_mutex_uses, RT_MUTEX_QUIET, sizeof rt_mutex_uses);
    atomic_fetch_and(&rt_wanted, ~RT_MUTEX_NOT_ALL_QUIET);
    fences = 0;
}

int mutex_is_quiet(const uint32_t *lock)
{
    return rt_load(*rt_mutex_use_of((const _Atomic uint32_t *)lock)) == RT_MUTEX_QUIET;
}

void mutex_refuse(int on)
{
    refused = on;
}

void mutex_begin(void)
{
    int works = rt_membarrier_works;
    rt_membarrier_works = works && !refused;
    rt_mutex_start();
    rt_membarrier_works = works;
}

int mutex_fences(void)
{
    return fences;
}

static atomic_int got;

static void *take(void *lock)
{
    omp_set_lock(lock);
    got++;
    omp_unset_lock(lock);
    return NULL;
}

int mutex_sleep_once(uint32_t *lock)
{
    pthread_t other;
    uint32_t spin = rt_root.spin;
    got = 0;
    asleep = 0;
    omp_set_lock(lock);
    rt_root.spin = 0; /* passive: who waits sleeps at once */
    if (pthread_create(&other, NULL, take, lock) != 0)
        abort();
    while (!asleep)
        usleep(1000);
    int too_early = got;
    omp_unset_lock(lock);
    pthread_join(other, NULL);
    rt_root.spin = spin;
    return !too_early && got == 1;
}

/* ---- a release in single steps ------------------------------------------------------------------------- */

static struct {
    int at; /* instructions before the other thread begins */
    volatile int done, over;
    atomic_int begin;
} step;

static void stepped(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    if (step.over)
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)0x100;
    else if (step.done++ == step.at)
        for (step.begin = 1; !asleep && !got;)
            sched_yield();
}

static void *take_when_told(void *lock)
{
    while (!step.begin)
        sched_yield();
    return take(lock);
}

/** Whether the release had so many instructions. */
static int release_with_a_sleeper_at(uint32_t *lock, enum mutex_state state, int at)
{
    pthread_t other;
    mutex_forget();
    if (state == MUTEX_OTHERS_NOT_QUIET)
        rt_mutex_not_all_quiet();
    else if (state == MUTEX_CONTENDED)
        rt_mutex_share();
    omp_set_lock(lock);
    got = asleep = step.begin = step.done = step.over = 0;
    step.at = at;
    if (pthread_create(&other, NULL, take_when_told, lock) != 0)
        abort();
    __asm__ volatile("sub $128, %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tadd $128, %%rsp" ::
                         : "memory", "cc");
    omp_unset_lock(lock);
    step.over = 1;
    __asm__ volatile("nop" ::: "memory"); /* the flag is off behind it */
    int reached = step.begin;
    step.begin = 1;
    pthread_join(other, NULL);
    return reached;
}

int mutex_can_be_quiet(void)
{
    return rt_membarrier_works;
}

int mutex_release_in_steps(uint32_t *lock, enum mutex_state state)
{
    struct sigaction action = {.sa_sigaction = stepped, .sa_flags = SA_SIGINFO}, before;
    uint32_t spin = rt_root.spin;
    int steps = 0;
    sigaction(SIGTRAP, &action, &before);
    rt_root.spin = 0;
    while (release_with_a_sleeper_at(lock, state, steps))
        steps++;
    rt_root.spin = spin;
    sigaction(SIGTRAP, &before, NULL);
    return steps;
}

/* ---- many ---------------------------------------------------------------------------------------------- */

#define TURNS 3 /* of each thread in a round */
static struct {
    pthread_barrier_t barrier;
    int rounds;
    uint32_t lock;
    atomic_int inside, overlaps;
} crowd;

static void *be_one(void *first)
{
    for (int round = 0; round < crowd.rounds; round++) {
        pthread_barrier_wait(&crowd.barrier);
        if (first != NULL)
            mutex_forget();
        pthread_barrier_wait(&crowd.barrier);
        for (int turn = 0; turn < TURNS; turn++) {
            omp_set_lock(&crowd.lock);
            crowd.overlaps += atomic_fetch_add(&crowd.inside, 1) != 0;
            atomic_fetch_sub(&crowd.inside, 1);
            omp_unset_lock(&crowd.lock);
        }
    }
    return first;
}

int mutex_crowd(int threads, int rounds)
{
    pthread_t ids[16];
    uint32_t spin = rt_root.spin;
    pthread_barrier_init(&crowd.barrier, NULL, (unsigned)threads);
    crowd.rounds = rounds;
    crowd.overlaps = 0;
    rt_root.spin = 0;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, be_one, i == 0 ? ids : NULL) != 0)
            abort();
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    rt_root.spin = spin;
    pthread_barrier_destroy(&crowd.barrier);
    return crowd.overlaps;
}
