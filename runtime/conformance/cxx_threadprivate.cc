/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threadprivate objects: construction, copyin, persistence (OpenMP 5.2, 5.2 and 5.7.1).
 */
#include <string>
#include <thread>
#include <vector>
#include "check.h"

struct object {
    static int made, copied, assigned, destroyed;
    std::string text;
    std::vector<int> data;
    explicit object(const char *t) : text(t), data(20, 7) { ADD(made, 1); }
    object() : object("default") {}
    object(const object &o) : text(o.text), data(o.data)
    {
        ADD(made, 1);
        ADD(copied, 1);
    }
    object &operator=(const object &o)
    {
        text = o.text;
        data = o.data;
        ADD(assigned, 1);
        return *this;
    }
    ~object() { ADD(destroyed, 1); }
};
int object::made, object::copied, object::assigned, object::destroyed;

/* Declared first: gcc takes the definition with a constructor for a use. */
extern object with_argument, plain, array[3];
#pragma omp threadprivate(with_argument, plain, array)
object with_argument("a text that is longer than the small-string buffer");
object plain;
object array[3];
static int number = 12;
#pragma omp threadprivate(number)

CASE("each thread's object is constructed before its use")
{
#pragma omp parallel
    {
        CHECK(with_argument.text == "a text that is longer than the small-string buffer");
        CHECK(plain.text == "default" && plain.data.size() == 20 && plain.data[19] == 7);
        CHECK(array[0].text == "default" && array[2].data.size() == 20);
        CHECK(number == 12);
    }
}

CASE("the objects are the threads' own and persist")
{
#pragma omp parallel
    {
        plain.text = "thread " + std::to_string(omp_get_thread_num());
        array[1].data.assign((size_t)omp_get_thread_num() + 1, 3);
    }
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
        {
            CHECK(plain.text == "thread " + std::to_string(omp_get_thread_num()));
            CHECK(array[1].data.size() == (size_t)omp_get_thread_num() + 1);
        }
    }
}

CASE("copyin assigns")
{
    plain.text = "from the primary thread";
    plain.data.assign(5, 1);
    int before = object::assigned;
#pragma omp parallel copyin(plain)
    {
        CHECK(plain.text == "from the primary thread" && plain.data.size() == 5);
        plain.text += "!";
    }
    CHECK(plain.text == "from the primary thread!");
    CHECK(object::assigned - before >= omp_get_max_threads() - 1);
}

CASE("a static object of a function")
{
#pragma omp parallel
    for (int round = 0; round < 5; round++) {
        static int counter = 100;
#pragma omp threadprivate(counter)
        if (round == 0)
            counter = 100;
        counter++;
        CHECK(counter == 101 + round);
    }
}

CASE("copyprivate of a threadprivate object")
{
#pragma omp parallel
    {
        with_argument.text = std::to_string(omp_get_thread_num());
#pragma omp single copyprivate(with_argument)
        with_argument.text = "broadcast to all the threads of the team";
        CHECK(with_argument.text == "broadcast to all the threads of the team");
    }
}

CASE("thread_local beside threadprivate")
{
    static thread_local int local = 3;
#pragma omp parallel
    {
        if (omp_get_thread_num() != 0)
            CHECK(local == 3);
        local = 50 + omp_get_thread_num();
#pragma omp barrier
        CHECK(local == 50 + omp_get_thread_num());
    }
}

CASE("a thread of the program with its own regions has its own copies")
{
    int good = 0;
    number = 12;
    std::thread other([&good] {
        omp_set_dynamic(0);
        number += 5;
        int mine = number;
#pragma omp parallel num_threads(2) shared(good, mine)
        {
            if (omp_get_thread_num() == 0)
                ADD(good, number == mine && mine == 17);
        }
    });
    other.join();
    CHECK(good == 1 && number == 12);
}
