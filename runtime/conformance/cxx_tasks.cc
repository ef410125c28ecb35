/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Objects in tasks: copies are made when the task is made, and each is destroyed once (OpenMP 5.2, 5.4.4).
 */
#include <memory>
#include <vector>
#include "check.h"

namespace
{
struct object {
    static int made, copied, destroyed;
    int value;
    std::vector<int> data;
    explicit object(int v) : value(v), data(100, v) { ADD(made, 1); }
    object() : object(0) {}
    object(const object &o) : value(o.value), data(o.data)
    {
        ADD(made, 1);
        ADD(copied, 1);
    }
    object &operator=(const object &o) = default;
    ~object()
    {
        value = -1;
        ADD(destroyed, 1);
    }
    bool good(int v) const { return value == v && data.size() == 100 && data[99] == v; }
};
int object::made, object::copied, object::destroyed;

void reset()
{
    object::made = object::copied = object::destroyed = 0;
}
bool balanced()
{
    return object::made == object::destroyed;
}
} // namespace

CASE("firstprivate objects of deferred tasks")
{
    reset();
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
            object o(i);
#pragma omp task firstprivate(o, i) shared(good)
            {
                ADD(good, o.good(i));
                o.value = 1000;
            }
        } /* the original is gone before the task runs, perhaps */
    }
    CHECK(good == 50 && balanced());
    CHECK(object::copied >= 50);
}

CASE("of undeferred and final tasks")
{
    reset();
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
            object o(i);
#pragma omp task if (0) firstprivate(o, i) shared(good)
            good += o.good(i);
#pragma omp task final(1) firstprivate(o, i) shared(good)
            ADD(good, o.good(i));
#pragma omp taskwait
        }
    }
    CHECK(good == 40 && balanced());
}

CASE("of tasks with dependences")
{
    reset();
    int x = 0, good = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 40; i++) {
            object o(i);
#pragma omp task firstprivate(o, i) depend(inout : x) shared(x, good)
            {
                good += o.good(i) && x == i;
                x++;
            }
        }
    }
    CHECK(good == 40 && balanced());
}

CASE("private objects of tasks are constructed and destroyed")
{
    reset();
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            object o(7);
            for (int i = 0; i < 20; i++) {
#pragma omp task private(o) shared(good)
                ADD(good, o.good(0));
            }
#pragma omp taskwait
        }
    }
    CHECK(good == 20 && balanced());
}

CASE("untied tasks")
{
    reset();
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
            object o(i);
#pragma omp task untied firstprivate(o, i) shared(good)
            ADD(good, o.good(i));
        }
    }
    CHECK(good == 20 && balanced());
}

CASE("taskloop: a copy for each task")
{
    reset();
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            object o(9);
#pragma omp taskloop firstprivate(o) num_tasks(8) shared(good)
            for (int i = 0; i < 64; i++)
                ADD(good, o.good(9));
        }
    }
    CHECK(good == 64 && balanced());
}

CASE("taskloop with lastprivate")
{
    reset();
    object o(1);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop lastprivate(o) num_tasks(8)
            for (int i = 0; i < 64; i++)
                o = object(i);
        }
    }
    CHECK(o.good(63));
    CHECK(object::made == object::destroyed + 1);
}

CASE("tasks that keep shared_ptr copies")
{
    std::shared_ptr<int> p(new int(5));
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(p) shared(good)
            ADD(good, *p == 5);
        }
    }
    CHECK(good == 100 && p.use_count() == 1);
}

CASE("lambdas and references in tasks")
{
    std::vector<int> v(100, 0);
    auto set = [&v](int i) { v[(size_t)i] = i; };
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(i)
            set(i);
        }
    }
    for (int i = 0; i < 100; i++)
        CHECK(v[(size_t)i] == i);
}

CASE("a member function that makes tasks on its members")
{
    struct tree {
        int n = 0;
        std::vector<tree> below;
        void grow(int depth)
        {
            n = depth;
            if (depth == 0)
                return;
            below.resize(3);
            for (auto &b : below) {
                tree *t = &b;
#pragma omp task firstprivate(t, depth)
                t->grow(depth - 1);
            }
#pragma omp taskwait
        }
        int count() const
        {
            int c = 1;
            for (const auto &b : below)
                c += b.count();
            return c;
        }
    } root;
#pragma omp parallel
    {
#pragma omp single
        root.grow(5);
    }
    CHECK(root.count() == (729 - 1) / 2);
}
