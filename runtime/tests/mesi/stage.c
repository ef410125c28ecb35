/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/tests/mesi/stage.h"

/** Accesses in a row that its own cache serves, after which a thread is taken to wait for another one. */
#define QUIET 400
/** So often all who wait may look again, none of them with a result, before that is a deadlock. */
#define VAIN 64

struct player {
    uint32_t baton; /* futex: 1 when it is this thread's turn */
    enum { READY, QUIETLY, ASLEEP, MEETING, SETTLING, ENDED } state;
    uint64_t clock, lot;
    uint32_t quiet;
    int late;         /* its clock has gone on: others may come first */
    const void *word; /* that it sleeps on */
    uint32_t bits;
    struct lines_counts counts;
    uint64_t counted; /* transfers when stage_most() was last called */
    void *(*code)(void *);
    void *argument;
};

static struct player players[LINES_THREADS + 1];
static int count, meeting, vain, lottery, on;
static uint64_t seed, switches;
static uint64_t stay; /* by lot: accesses between two lots, on average */
static __thread int self = -1;

/* ---- whose turn it is ---------------------------------------------------------------------------------- */

/** xorshift64*: the order of a run follows from its seed. */
static uint64_t lot(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 0x2545f4914f6cdd1du;
}

static int before(const struct player *a, const struct player *b)
{
    return a->clock != b->clock ? a->clock < b->clock : a->lot < b->lot;
}

/** Who goes on of those that can; -1 nobody. */
static int choose(void)
{
    int best = -1;
    uint64_t ready = 0;
    for (int i = 0; i < count; i++) {
        if (players[i].state != READY)
            continue;
        ready++;
        if (lottery ? lot() % ready == 0 : best < 0 || before(&players[i], &players[best]))
            best = i;
    }
    return best;
}

static void deadlock(void)
{
    static const char *const names[] = {
        "runs",     "looks at what nobody changes", "sleeps", "is at a meeting", "lets the others settle",
        "has ended"};
    fprintf(stderr, "deadlock\n");
    for (int i = 0; i < count; i++)
        fprintf(stderr, "thread %d %s (word %p, bits %x)\n", i, names[players[i].state], players[i].word,
                players[i].bits);
    _exit(3);
}

/**
 * As nobody can go on, who lets the others settle does. Else those that seem to wait look again: perhaps they
 * were only busy with their own.
 */
static int look_again(void)
{
    int quiet = 0;
    for (int i = 0; i < count; i++)
        if (players[i].state == SETTLING) {
            players[i].state = READY;
            return 1;
        }
    for (int i = 0; i < count; i++)
        if (players[i].state == QUIETLY) {
            players[i].state = READY;
            players[i].quiet = 0;
            quiet = 1;
        }
    return quiet && vain++ < VAIN;
}

static void baton_wait(uint32_t *baton)
{
    while (!__atomic_exchange_n(baton, 0, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, baton, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

/** Another one goes on, or the caller (0). */
static int pass_on(void)
{
    int next;
    while ((next = choose()) < 0)
        if (!look_again())
            deadlock();
    if (next == self)
        return 0;
    switches++;
    __atomic_store_n(&players[next].baton, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &players[next].baton, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return 1;
}

/** Returns when it is the caller's turn again. */
static void give_way(void)
{
    if (pass_on())
        baton_wait(&players[self].baton);
}

/* ---- accesses ------------------------------------------------------------------------------------------ */

static void lost(int thread, uint64_t when)
{
    struct player *player = &players[thread];
    if (player->state != QUIETLY)
        return;
    player->state = READY;
    player->quiet = 0;
    if (player->clock < when)
        player->clock = when;
}

static void by_time(struct player *player, const void *address, int write)
{
    if (player->late) {
        player->late = 0;
        while (choose() != self)
            give_way();
    }
    if (lines_hit(self, address, write)) {
        if (++player->quiet < QUIET)
            return;
        player->state = QUIETLY;
        give_way();
        /* What was written meanwhile is read from where it is now. */
    }
    for (int next; !lines_hit(self, address, write); give_way()) {
        next = choose();
        if (next != self)
            continue;
        player->clock = lines_access(self, player->clock, address, write, &player->counts, lost);
        player->quiet = 0;
        player->late = 1;
        vain = 0;
        return;
    }
}

void stage_touch(const void *address, int write)
{
    if (self < 0 || !on)
        return;
    if (lottery) {
        if (lot() % stay == 0)
            give_way();
        return;
    }
    by_time(&players[self], address, write);
}

/* ---- what the threads call otherwise ------------------------------------------------------------------- */

void __wrap_rt_futex_wait_bits(uint32_t *word, uint32_t value, uint32_t bits);
int __wrap_rt_futex_wake_bits(uint32_t *word, int most, uint32_t bits);
void __wrap_rt_futex_wait(uint32_t *word, uint32_t value);
int __wrap_rt_futex_wake(uint32_t *word, int most);
int __wrap_sched_getcpu(void);
int __wrap_sched_yield(void);
int __real_sched_yield(void);
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*code)(void *), void *arg);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*code)(void *), void *arg);

void __wrap_rt_futex_wait_bits(uint32_t *word, uint32_t value, uint32_t bits)
{
    stage_touch(word, 0);
    if (*word != value)
        return;
    players[self].word = word;
    players[self].bits = bits;
    players[self].state = ASLEEP;
    give_way();
}

int __wrap_rt_futex_wake_bits(uint32_t *word, int most, uint32_t bits)
{
    int woken = 0;
    for (int i = 0; i < count && woken < most; i++) {
        struct player *player = &players[i];
        if (player->state != ASLEEP || player->word != word || (player->bits & bits) == 0)
            continue;
        player->state = READY;
        player->word = NULL;
        if (player->clock < players[self].clock)
            player->clock = players[self].clock;
        woken++;
    }
    return woken;
}

void __wrap_rt_futex_wait(uint32_t *word, uint32_t value)
{
    __wrap_rt_futex_wait_bits(word, value, UINT32_MAX);
}

int __wrap_rt_futex_wake(uint32_t *word, int most)
{
    return __wrap_rt_futex_wake_bits(word, most, UINT32_MAX);
}

/** Unknown: on which real processor a thread is would decide what it does. */
int __wrap_sched_getcpu(void)
{
    return -1;
}

/** Who gives his slice away waits for another one. */
int __wrap_sched_yield(void)
{
    if (self < 0 || !on)
        return __real_sched_yield();
    if (!lottery)
        players[self].state = QUIETLY;
    give_way();
    return 0;
}

static void *play(void *argument)
{
    struct player *player = argument;
    self = (int)(player - players);
    baton_wait(&player->baton);
    void *result = player->code(player->argument);
    player->state = ENDED;
    pass_on();
    self = -1;
    return result;
}

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*code)(void *), void *arg)
{
    if (self < 0 || !on)
        return __real_pthread_create(id, attributes, code, arg);
    if (count == LINES_THREADS)
        abort();
    players[count] = (struct player){
        .state = READY, .clock = players[self].clock, .lot = lot(), .code = code, .argument = arg};
    int failed = __real_pthread_create(id, attributes, play, &players[count]);
    if (failed == 0)
        count++;
    return failed;
}

/* ---- the scenario's own -------------------------------------------------------------------------------- */

void stage_begin(int cluster, uint64_t first_seed, int by_lot)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one); /* one runs at a time: nearest to where the last one ran */
    lines_start(cluster);
    seed = first_seed * 2 + 1;
    lottery = by_lot;
    stay = (uint64_t[]){1, 8, 64}[first_seed / 3 % 3];
    self = 0;
    count = 1;
    on = 1;
}

int stage_self(void)
{
    return self;
}

static void rewind_time(void)
{
    lines_rewind();
    for (int i = 0; i < count; i++) {
        players[i].clock = 0;
        players[i].lot = lot();
    }
}

void stage_meet(int threads, void (*all_here)(void))
{
    players[self].state = MEETING;
    if (++meeting == threads) {
        meeting = 0;
        all_here();
        rewind_time();
        for (int i = 0; i < count; i++)
            if (players[i].state == MEETING)
                players[i].state = READY;
    }
    give_way();
}

void stage_settle(void)
{
    players[self].state = SETTLING;
    give_way();
    rewind_time();
}

uint64_t stage_clock(void)
{
    return players[self].clock;
}

struct lines_counts stage_counts(void)
{
    struct lines_counts sum = {0};
    for (int i = 0; i < count; i++) {
        sum.near += players[i].counts.near;
        sum.far += players[i].counts.far;
        sum.cold += players[i].counts.cold;
        sum.invalidated += players[i].counts.invalidated;
    }
    return sum;
}

uint64_t stage_most(void)
{
    uint64_t most = 0;
    for (int i = 0; i < count; i++) {
        uint64_t now = players[i].counts.near + players[i].counts.far;
        if (now - players[i].counted > most)
            most = now - players[i].counted;
        players[i].counted = now;
    }
    return most;
}

uint64_t stage_switches(void)
{
    return switches;
}

void stage_end(void)
{
    on = 0;
}
