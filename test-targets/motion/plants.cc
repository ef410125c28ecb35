// SPDX-License-Identifier: Apache-2.0
// Mistakes after which a program stops for ever. What two members take first, they take in the order of
// all others, so that each gets it whatever these do; then they wait for each other (Team.has) and go in.
#include "motion.h"

#include <omp.h>
#include <sched.h>

#include <thread>

namespace motion
{

static void has(Team &team, int which)
{
    team.has[which] = 1;
}

static void await(Team &team, int which)
{
    while (!team.has[which])
        sched_yield();
}

static void take(Held what)
{
    spring();
    with(what, step);
}

static void crossed(const Program &p, Team &team, int me)
{
    if (me == 0) {
        with(p.first, [&] {
            has(team, 0);
            await(team, 1);
            take(p.second);
        });
    } else if (me == 1) {
        await(team, 0);
        with(p.second, [&] {
            has(team, 1);
            take(p.first);
        });
    }
}

static void held_at_barrier(const Program &p, Team &team, int me)
{
    if (me == 0) {
        with(p.first, [&] {
            has(team, 0);
            spring();
            [] {
#pragma omp barrier
            }();
        });
    } else if (me == 1) {
        await(team, 0);
        take(p.first);
    }
}

static void wait_for_task(Held what)
{
#pragma omp task firstprivate(what)
    take(what);
    spring();
#pragma omp taskwait
}

static void turn(const Program &p, Team &team)
{
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            await(team, 1);
            take(p.first);
        } else {
            lock(p.first);
            has(team, 1);
            spring();
        }
#pragma omp ordered
        step();
    }
}

static void sink()
{
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            spring();
#pragma omp ordered depend(sink : i - 1)
            step();
        }
        if (i == 1) {
#pragma omp ordered depend(source)
        }
    }
}

static void unsignalled(Team &team)
{
    std::unique_lock<std::mutex> lock(team.mutex);
    std::condition_variable never;

    spring();
    never.wait(lock);
}

static void join(Held what)
{
    with(what, [what] {
        std::thread other([what] { take(what); });
        spring();
        other.join();
    });
}

bool make_mistake(const Program &p, Team &team)
{
    const int me = omp_get_thread_num(), size = omp_get_num_threads();
    const bool mine = me == p.member % size;

    switch (p.mistake) {
    case CROSSED:
        crossed(p, team, me);
        break;
    case AGAIN:
        if (mine)
            with(p.first, [&p] { take(p.first); });
        break;
    case HELD_AT_BARRIER:
        held_at_barrier(p, team, me);
        break;
    case MISSED: // not the primary thread: it would destroy the team that the others are in
        if (me == 1 + p.member % (size - 1)) {
            spring();
            return false;
        }
#pragma omp barrier
        break;
    case TASKWAIT:
        if (mine)
            with(p.first, [&p] { wait_for_task(p.first); });
        break;
    case TURN:
        turn(p, team);
        break;
    case SINK:
        sink();
        break;
    case UNSIGNALLED:
        if (mine)
            unsignalled(team);
        break;
    case OWNER_ENDED:
        if (mine) {
            std::thread([&p] { lock(p.first); }).join();
            take(p.first);
        }
        break;
    case JOIN:
        if (mine)
            join(p.first);
        break;
    default:
        break;
    }
    return true;
}

} // namespace motion
