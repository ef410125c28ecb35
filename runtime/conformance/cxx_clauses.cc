/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Objects in data-sharing clauses of regions and loops: constructors, copies, assignments, destructors
 * (OpenMP 5.2, 5.4, 5.7).
 */
#include <vector>
#include "check.h"

namespace
{
struct object {
    static int made, copied, assigned, destroyed;
    int value;
    std::vector<int> data;
    explicit object(int v) : value(v), data(10, v) { ADD(made, 1); }
    object() : object(0) {}
    object(const object &o) : value(o.value), data(o.data)
    {
        ADD(made, 1);
        ADD(copied, 1);
    }
    object &operator=(const object &o)
    {
        value = o.value;
        data = o.data;
        ADD(assigned, 1);
        return *this;
    }
    ~object() { ADD(destroyed, 1); }
    bool good(int v) const { return value == v && data.size() == 10 && data[9] == v; }
};
int object::made, object::copied, object::assigned, object::destroyed;
void reset()
{
    object::made = object::copied = object::assigned = object::destroyed = 0;
}
} // namespace

CASE("private: a default object for each thread")
{
    reset();
    {
        object o(5);
        int good = 0;
#pragma omp parallel private(o) num_threads(4) shared(good)
        {
            ADD(good, o.good(0));
            o = object(omp_get_thread_num());
        }
        CHECK(good == 4 && o.good(5));
    }
    CHECK(object::made == object::destroyed && object::copied == 0);
}

CASE("firstprivate: a copy for each thread")
{
    reset();
    {
        object o(5);
        int good = 0;
#pragma omp parallel firstprivate(o) num_threads(4) shared(good)
        {
            ADD(good, o.good(5));
            o = object(77);
        }
        CHECK(good == 4 && o.good(5));
    }
    CHECK(object::made == object::destroyed && object::copied >= 4);
}

CASE("lastprivate: assigned from the last iteration")
{
    reset();
    {
        object o(5), p(6);
#pragma omp parallel for lastprivate(o) firstprivate(p) lastprivate(p) num_threads(4)
        for (int i = 0; i < 40; i++) {
            o = object(i);
            if (i == 39)
                p = object(3 * i);
        }
        CHECK(o.good(39) && p.good(117));
    }
    CHECK(object::made == object::destroyed);
}

CASE("copyprivate: assigned to each other thread")
{
    reset();
    {
        int good = 0;
#pragma omp parallel num_threads(4) shared(good)
        {
            object o(omp_get_thread_num());
#pragma omp single copyprivate(o)
            o = object(42);
            ADD(good, o.good(42));
        }
        CHECK(good == 4);
    }
    CHECK(object::made == object::destroyed && object::assigned >= 3);
}

CASE("arrays of objects")
{
    reset();
    {
        object a[5] = {object(0), object(1), object(2), object(3), object(4)};
        int good = 0;
#pragma omp parallel firstprivate(a) num_threads(3) shared(good)
        for (int i = 0; i < 5; i++)
            ADD(good, a[i].good(i));
        CHECK(good == 15);
    }
    CHECK(object::made == object::destroyed);
}

CASE("sections and single")
{
    reset();
    {
        object o(8);
        int good = 0;
#pragma omp parallel num_threads(2) shared(good)
        {
#pragma omp sections firstprivate(o)
            {
#pragma omp section
                ADD(good, o.good(8));
#pragma omp section
                ADD(good, o.good(8));
            }
#pragma omp single firstprivate(o)
            ADD(good, o.good(8));
        }
        CHECK(good == 3);
    }
    CHECK(object::made == object::destroyed);
}

CASE("references are what they refer to")
{
    int target = 3;
    int &r = target;
    int sum = 0;
#pragma omp parallel private(r) num_threads(4) shared(sum)
    {
        r = omp_get_thread_num();
        ADD(sum, r);
    }
    CHECK(target == 3 && sum == 6);
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < 100; i++)
        r += i;
    CHECK(target == 4953);
}
