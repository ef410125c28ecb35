/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Objects of tasks that are cancelled: each copy that was made is destroyed, whether its task ran or not
 * (OpenMP 5.2, 5.4.4, 11.5).
 */
#include "check.h"

namespace
{
struct object {
    static int alive, made;
    int value;
    explicit object(int v) : value(v) { count(1); }
    object(const object &o) : value(o.value) { count(1); }
    object &operator=(const object &o) = default;
    ~object() { count(-1); }
    static void count(int n)
    {
        ADD(alive, n);
        if (n > 0)
            ADD(made, 1);
    }
};
int object::alive, object::made;
} // namespace

CASE("firstprivate objects of tasks that a cancelled taskgroup drops")
{
    for (int round = 0; round < 20; round++) {
        int ran = 0;
#pragma omp parallel shared(ran)
        {
            object o(round);
#pragma omp single
#pragma omp taskgroup
            for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(o, i) shared(ran)
                {
                    object inner(i);
                    ADD(ran, 1);
#pragma omp cancellation point taskgroup
                    if (i == 5) {
#pragma omp cancel taskgroup
                    }
                }
            }
        }
        CHECK(ran <= 100);
        CHECK(object::alive == 0);
    }
    CHECK(object::made > 0);
}

CASE("children of a task that cancels the taskgroup around both")
{
    int ran = 0;
#pragma omp parallel shared(ran)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task shared(ran)
        {
            object o(1);
            for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(o) shared(ran)
                ADD(ran, o.value);
            }
#pragma omp cancel taskgroup
        }
    }
    CHECK(object::alive == 0 && ran <= 30);
}

CASE("taskloop in a taskgroup that is cancelled")
{
    int ran = 0;
#pragma omp parallel shared(ran)
#pragma omp single
    {
        object o(1);
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup num_tasks(40) firstprivate(o) shared(ran)
            for (int i = 0; i < 400; i++) {
                ADD(ran, o.value);
                if (i == 77) {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    CHECK(object::alive == 0 && ran >= 1 && ran <= 400);
}

CASE("tasks of a parallel region that is cancelled")
{
#pragma omp parallel
    {
        object o(2);
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(o)
            o.value++;
        }
#pragma omp cancel parallel
    }
    CHECK(object::alive == 0);
}
