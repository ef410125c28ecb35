// SPDX-License-Identifier: Apache-2.0
// Executes a program that has been drawn: each construct is a function of its own, so that stacks differ.
#include "motion.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace motion
{

static omp_lock_t simple_lock;
static omp_nest_lock_t nestable_lock;
static std::mutex mutex_a, mutex_b;
static const Program *whole;
static std::atomic<bool> made; /* the mistake: once */

void step()
{
    static std::atomic<unsigned> threads;
    static thread_local unsigned mine = threads++ % 64;

    page->steps[mine].fetch_add(1, std::memory_order_relaxed);
}

void spring()
{
    page->sprung++;
}

__attribute__((noinline)) void work(int units)
{
    volatile double sum = 0;

    for (int i = 0; i < units * 30; i++)
        sum = sum + 1.0 / (i + 1);
    step();
}

void lock(Held what)
{
    switch (what) {
    case SIMPLE:
        omp_set_lock(&simple_lock);
        break;
    case NESTABLE:
        omp_set_nest_lock(&nestable_lock);
        break;
    case MUTEX_A:
        mutex_a.lock();
        break;
    default:
        mutex_b.lock();
    }
}

void unlock(Held what)
{
    switch (what) {
    case SIMPLE:
        omp_unset_lock(&simple_lock);
        break;
    case NESTABLE:
        omp_unset_nest_lock(&nestable_lock);
        break;
    case MUTEX_A:
        mutex_a.unlock();
        break;
    default:
        mutex_b.unlock();
    }
}

static void one_thread(const std::vector<Node> &nodes);

static void some_work(const Node &n)
{
    const struct timespec nap = {0, n.work * 500L};

    work(n.work);
    if (n.variant == 0)
        nanosleep(&nap, NULL);
    if (n.variant == 1)
        sched_yield();
}

static void region(const Node &n);

static void leaf(const Node &n)
{
    if (n.kind == WORK) {
        some_work(n);
        return;
    }
    if (n.kind == NESTED) {
        region(n);
        return;
    }
    with((Held)n.variant, [&n] {
        if (n.kind == NEST_LOCK)
            lock(NESTABLE);
        one_thread(n.body);
        if (n.kind == NEST_LOCK)
            unlock(NESTABLE);
    });
    step();
}

static void one_thread(const std::vector<Node> &nodes)
{
    for (const Node &n : nodes)
        leaf(n);
}

static void loop(const Node &n)
{
    switch (n.variant % 6) {
    case 0:
#pragma omp for schedule(static)
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        break;
    case 1:
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        break;
    case 2:
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        break;
    case 3:
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        break;
    case 4:
#pragma omp for schedule(guided)
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        break;
    default:
#pragma omp for collapse(2)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 3; j++)
                one_thread(n.body);
    }
}

static void ordered(const Node &n)
{
    if (n.variant % 2) {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < n.size; i++) {
            work(n.work / 4);
#pragma omp ordered
            one_thread(n.body);
        }
    } else {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < n.size; i++) {
            work(n.work / 4);
#pragma omp ordered
            one_thread(n.body);
        }
    }
}

static void doacross(const Node &n)
{
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < n.size; i++) {
        work(n.work / 4);
#pragma omp ordered depend(sink : i - 1)
        one_thread(n.body);
#pragma omp ordered depend(source)
    }
}

static void sections(const Node &n)
{
#pragma omp sections
    {
#pragma omp section
        one_thread(n.body);
#pragma omp section
        work(n.work);
#pragma omp section
        one_thread(n.body);
    }
}

static void single(const Node &n)
{
    int copy = 0;

    switch (n.variant % 4) {
    case 0:
#pragma omp single
        one_thread(n.body);
        break;
    case 1:
#pragma omp single nowait
        one_thread(n.body);
        break;
    case 2:
#pragma omp master
        one_thread(n.body);
        break;
    default:
#pragma omp single copyprivate(copy)
    {
        one_thread(n.body);
        copy = 1;
    }
        work(copy);
    }
}

/* What is reduced to must be shared, so it is none of a function's own. Teams that overlap spoil it; nobody
 * reads it. */
static double sum;

static void reduction(const Node &n)
{
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n.size; i++) {
        one_thread(n.body);
        sum += i;
    }
}

static void tree(const Node &n, int size)
{
    if (size < 2) {
        one_thread(n.body);
        return;
    }
#pragma omp task
    tree(n, size / 2);
#pragma omp task if (size > 4)
    tree(n, size - size / 2);
#pragma omp taskwait
    step();
}

static void tasks(const Node &n)
{
    switch (n.variant % 4) {
    case 0:
#pragma omp single
        tree(n, n.size);
        break;
    case 1:
        for (int i = 0; i < n.size; i++) {
#pragma omp task
            one_thread(n.body);
        }
#pragma omp taskwait
        break;
    case 2:
        for (int i = 0; i < n.size; i++) {
#pragma omp task untied
            {
                one_thread(n.body);
#pragma omp taskyield
                work(n.work);
            }
        }
        break;
    default: // whoever comes to the next barrier executes them
#pragma omp single nowait
        for (int i = 0; i < 2 * n.size; i++) {
#pragma omp task
            one_thread(n.body);
        }
    }
}

static void taskgroup(const Node &n)
{
    if (n.variant % 2) {
#pragma omp single
#pragma omp taskloop grainsize(1)
        for (int i = 0; i < n.size; i++)
            one_thread(n.body);
        return;
    }
#pragma omp taskgroup
    for (int i = 0; i < n.size; i++) {
#pragma omp task
        tree(n, 3);
    }
}

static void depend(const Node &n)
{
    int a = 0, b = 0;

#pragma omp single
    {
        for (int i = 0; i < n.size; i++) {
#pragma omp task depend(inout : a) depend(in : b) shared(a, b)
            {
                one_thread(n.body);
                a += b;
            }
            if (i % 3 == 2) {
#pragma omp task depend(out : b) shared(b)
                {
                    work(n.work);
                    b++;
                }
            }
        }
#pragma omp taskwait
    }
}

/** Members meet without OpenMP: all wait for the last one; or all others for what the primary hands out. */
static void condition(const Node &n, Team &team)
{
    const int size = omp_get_num_threads();
    std::unique_lock<std::mutex> has(team.mutex);

    if (n.variant % 2) {
        if (omp_get_thread_num() != 0) {
            team.given.wait(has, [&team] { return team.items > 0; });
            team.items--;
        } else {
            has.unlock();
            for (int i = 1; i < size; i++) {
                work(n.work);
                has.lock();
                team.items++;
                has.unlock();
                team.given.notify_one();
            }
        }
        return;
    }
    const int generation = team.generation;
    if (++team.come == size) {
        team.come = 0;
        team.generation++;
        team.met.notify_all();
    }
    team.met.wait(has, [&] { return team.generation != generation; });
}

/** False: the member leaves the region. */
static bool member(const Node &n, Team &team)
{
    switch (n.kind) {
    case BARRIER:
        work(n.work);
#pragma omp barrier
        break;
    case LOOP:
        loop(n);
        break;
    case ORDERED:
        ordered(n);
        break;
    case DOACROSS:
        doacross(n);
        break;
    case SECTIONS:
        sections(n);
        break;
    case SINGLE:
        single(n);
        break;
    case REDUCTION:
        reduction(n);
        break;
    case TASK:
        tasks(n);
        break;
    case TASKGROUP:
        taskgroup(n);
        break;
    case DEPEND:
        depend(n);
        break;
    case CONDITION:
        condition(n, team);
        break;
    case NESTED:
        region(n);
        break;
    case PLANT:
        return !team.planted || make_mistake(*whole, team);
    default:
        leaf(n);
    }
    return true;
}

/** Many of them change the size of their team, each time by another amount. */
static int size_now(const Node &n)
{
    static std::atomic<unsigned> times;

    switch (n.variant % 4) {
    case 0:
        return 1 + (int)(times++ % (unsigned)n.size);
    case 1:
        return times++ % 8 ? n.size : 1;
    default:
        return n.size;
    }
}

/** Whether the mistake is made now, which is done once. */
static bool is_planted(const Node &n)
{
    if (!whole->doomed() || page->rounds < whole->round)
        return false;
    for (const Node &child : n.body)
        if (child.kind == PLANT)
            return !made.exchange(true);
    return false;
}

static void region(const Node &n)
{
    Team team;
    int size = size_now(n);

    team.planted = is_planted(n);
    if (team.planted)
        size = n.size;
#pragma omp parallel num_threads(size)
    for (const Node &child : n.body) {
        if (!member(child, team))
            break;
        step();
    }
    step();
}

static void regions(const std::vector<Node> &nodes)
{
    for (const Node &n : nodes) {
        if (n.kind == REGION)
            region(n);
        else
            leaf(n);
    }
}

/** Threads that stay, and are told when to begin. */
class Pool
{
  public:
    explicit Pool(const Node &n) : n_(n)
    {
        for (int i = 0; i < n.size; i++)
            threads_.emplace_back([this] { serve(); });
    }

    void round()
    {
        std::unique_lock<std::mutex> has(mutex_);
        generation_++;
        busy_ = n_.size;
        begin_.notify_all();
        done_.wait(has, [this] { return busy_ == 0; });
    }

  private:
    void serve()
    {
        for (uint64_t seen = 0;; seen++) {
            std::unique_lock<std::mutex> has(mutex_);
            begin_.wait(has, [this, seen] { return generation_ != seen; });
            has.unlock();
            regions(n_.body);
            has.lock();
            if (--busy_ == 0)
                done_.notify_one();
        }
    }

    const Node &n_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable begin_, done_;
    uint64_t generation_ = 0;
    int busy_ = 0;
};

static void pool(const Node &n)
{
    static std::unique_ptr<Pool> stays; // no program has two

    if (n.variant == 1) {
        if (!stays)
            stays.reset(new Pool(n));
        stays->round();
        return;
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < n.size; i++)
        threads.emplace_back([&n] { regions(n.body); });
    for (std::thread &one : threads)
        one.join();
}

void run(const Program &program)
{
    whole = &program;
    omp_init_lock(&simple_lock);
    omp_init_nest_lock(&nestable_lock);
    omp_set_dynamic(0);
    omp_set_max_active_levels(4);
    page->pid = (uint64_t)getpid();
    for (;; page->rounds++) {
        for (const Node &n : program.nodes) {
            if (n.kind == POOL)
                pool(n);
            else if (n.kind == REGION)
                region(n);
            else
                leaf(n);
        }
    }
}

} // namespace motion
