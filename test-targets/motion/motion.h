// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Programs drawn by lot that go on for ever, or stop for ever at a moment that is drawn too. Each counts what
 * it does in a file (Page), so that whoever reads the file knows what the program does without looking at the
 * process.
 *
 *     motion PAGE SEED THREADS KIND PLANT    runs until it is killed; PAGE "-" only prints the program
 *
 * A program is a tree of constructs (Node), drawn from SEED and executed again and again: a round. KIND is
 * the construct that it mostly consists of. Every tree is correct: locks are taken in one order, all members
 * of a team meet each barrier and loop in the same order, and no task waits with a lock. PLANT is the mistake
 * that is made once, in a region and a round that are drawn as well ("-": none).
 */
#ifndef MOTION_H
#define MOTION_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace motion
{

/** In this order, which is that of the table; WORK and PLANT are no kinds of programs. */
enum Kind {
    REGION,
    BARRIER,
    LOOP,
    ORDERED,
    DOACROSS,
    SECTIONS,
    SINGLE,
    CRITICAL,
    LOCK,
    NEST_LOCK,
    MUTEX,
    REDUCTION,
    TASK,
    TASKGROUP,
    DEPEND,
    CONDITION,
    POOL,
    NESTED,
    KINDS,
    WORK = KINDS,
    PLANT
};
extern const char *const kind_names[];

/** What one thread at a time has. Taken in this order. */
enum Held { CRITICAL_A, CRITICAL_B, SIMPLE, NESTABLE, MUTEX_A, MUTEX_B, HELD };
extern const char *const held_names[];

enum Mistake {
    NO_MISTAKE = -1,
    CROSSED,         /**< two members take two locks in opposite orders */
    AGAIN,           /**< a member takes what it has */
    HELD_AT_BARRIER, /**< a member is at a barrier with a lock that another one needs to come there */
    MISSED,          /**< a member leaves out a barrier */
    TASKWAIT,        /**< a member waits with a lock for its task, which needs it */
    TURN,        /**< the next iteration's member waits for its turn with a lock that the one before needs */
    SINK,        /**< an iteration is never posted */
    UNSIGNALLED, /**< nobody signals a condition variable */
    OWNER_ENDED, /**< the thread that has a lock has ended */
    JOIN,        /**< a member joins with a lock a thread that needs it */
    MISTAKES
};
extern const char *const mistake_names[];

struct Node {
    Kind kind = WORK;
    int size = 1;    /**< threads, iterations, sections or tasks */
    int variant = 0; /**< of the construct */
    int work = 0;    /**< how long, in units of some tenths of a microsecond */
    std::vector<Node> body;
};

struct Program {
    std::vector<Node> nodes; /**< run by the initial thread: regions and pools */
    Mistake mistake = NO_MISTAKE;
    Held first = HELD, second = HELD; /**< of the mistake, where it has them */
    int member = 0;                   /**< who makes the mistake, modulo the team's size */
    uint64_t round = 0;               /**< from which on */

    /** How many threads will have said that they go into the mistake: Page.sprung. */
    uint64_t doomed() const;
    /** Where it is provable: "everywhere" (glibc notes the owners), "owners" (on a runtime that notes
     * those of its locks), "nowhere". */
    const char *proof() const;
    std::string words() const;
};

/** SEED alone decides. KIND, MISTAKE: KINDS and MISTAKES draw one, NO_MISTAKE is none. */
Program draw(uint64_t seed, int threads, Kind kind, Mistake mistake);

/** The file that others read. */
struct Page {
    std::atomic<uint64_t> pid;    /**< written last at the start */
    std::atomic<uint64_t> rounds; /**< whole ones of the initial thread */
    std::atomic<uint64_t> doomed, sprung;
    std::atomic<uint64_t> steps[64]; /**< each thread counts in one of them, after each piece of work */
    char proof[16];
    char words[512];
};
extern Page *page;

/** The members of a region. */
struct Team {
    bool planted = false; /**< the mistake is made in this execution of the region */
    std::mutex mutex;
    std::condition_variable met, given;
    int come = 0, generation = 0, items = 0;
    std::atomic<int> has[2] = {{0}, {0}}; /**< of the mistake */
};

/** What the calling thread does by itself, counted. */
void work(int units);
void step();
/** It goes into the mistake, and will not come back. */
void spring();

void run(const Program &program);
/** The member's part of the mistake. False: it leaves the region at once. */
bool make_mistake(const Program &program, Team &team);
void lock(Held what);
void unlock(Held what);

/** A critical region is a block, so what is done in it is handed over. */
template <class Body> void with(Held what, const Body &body)
{
    switch (what) {
    case CRITICAL_A:
#pragma omp critical(a)
        body();
        break;
    case CRITICAL_B:
#pragma omp critical(b)
        body();
        break;
    default:
        lock(what);
        body();
        unlock(what);
        break;
    }
}

} // namespace motion

#endif
