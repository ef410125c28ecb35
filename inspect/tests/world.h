// SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A small random OpenMP process, for the property test of the verdict: told as a snapshot to the code under
 * test, and searched through by brute force, move by move, by code that knows nothing of graphs.
 *
 * Region A has members 0 .. members-1. Region B, if there is one, lies inside: its primary is one of those,
 * its workers are further threads; who is left is idle or no OpenMP thread. A thread's stack of tasks is:
 * implicit of A, explicit ones of A, implicit of B, explicit ones of B.
 */
#ifndef INSPECT_TESTS_WORLD_H
#define INSPECT_TESTS_WORLD_H

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "inspect/model/model.h"

struct World {
    // From kMutex on it waits outside of OpenMP: for lock number kPthread, for the end of a thread, for
    // input, for a time.
    enum Wait {
        kWorks,
        kIdle,
        kLock,
        kBarrier,
        kTaskwait,
        kTaskgroup,
        kDepend,
        kEvent,
        kMutex,
        kJoin,
        kRead,
        kSleep
    };
    enum State { kReady, kBlocked, kCreated, kOnStack, kCompleting };
    enum { kNobody = -1, kEnded = -2 };
    static constexpr int kImplicit = 100; // task number kImplicit + 10 * region + thread: an implicit task

    static constexpr int kPthread = 3; // the lock that is a pthread mutex

    struct Thread {
        Wait wait = kWorks;
        bool foreign = false;      // no OpenMP thread
        int lock = 0;              // of kLock and kMutex
        int joins = 0;             // of kJoin
        bool own_just_now = false; // it owns the lock already and is about to notice
        // What it waited for has come, and it has not run since: it works, and its row still says SHOWS.
        bool released = false;
        Wait shows = kWorks;
        bool unbegun =
            false; // a member that was called, and has not begun its part: it works, and seems idle
        std::vector<int> stack; // task numbers, current one last
    };
    struct Task {
        int region, generator;
        State state;
        bool untied = false;
        int group = -1;          // thread whose taskgroup it is in
        std::vector<int> before; // depends on
    };
    std::vector<Thread> threads;
    std::vector<Task> tasks;
    std::vector<int> depends[6]; // of a thread in kDepend
    int members = 1, primary_of_b = -1, workers_of_b = 0;
    int owner[4]; // kPthread is a pthread mutex, the others are OpenMP's
    bool arrived[2][6] = {};
    int seed = 0; // even: who has arrived at a barrier is not told where members are in motion

    static World Random(std::mt19937_64 &rng);
    Wait Shown(int i) const; // what the row of a thread says
    void Elsewhere(std::mt19937_64 &rng, int thread);
    void SetInMotion(std::mt19937_64 &rng);
    bool InRegion(int region, int thread) const;
    int Region(int thread) const; // of its current task, -1 none

    // What may happen beside what the threads do.
    struct Powers {
        bool gives = false;  // code that runs may give back a lock whose owner waits for it itself
        bool events = true;  // what nothing is known of: an event is fulfilled, dependences come true
        bool outside = true; // input comes
    };
    // For each thread: whether there is a schedule in which it gets past what it waits for.
    std::vector<bool> Search(const Powers &powers) const;

    struct Free {
        void operator()(insp_snapshot *s) const { insp_free(s); }
    };
    std::unique_ptr<insp_snapshot, Free> Snapshot() const;
    std::string Text() const;
};

#endif
