// SPDX-License-Identifier: Apache-2.0
// __kmpc_*_lock and __kmpc_*_nest_lock, also mixed with omp_* on the same lock. A lock has the size that
// all headers give it at least, with a guard behind that nobody may touch.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>

extern "C" {
int __kmpc_global_thread_num(void *loc);
#define DECLARE(kind)                                                                      \
    void __kmpc_init_##kind(void *loc, int gtid, void **lock);                             \
    void __kmpc_init_##kind##_with_hint(void *loc, int gtid, void **lock, uintptr_t hint); \
    void __kmpc_destroy_##kind(void *loc, int gtid, void **lock);                          \
    void __kmpc_set_##kind(void *loc, int gtid, void **lock);                              \
    void __kmpc_unset_##kind(void *loc, int gtid, void **lock);                            \
    int __kmpc_test_##kind(void *loc, int gtid, void **lock);                              \
    void omp_set_##kind(void *lock);                                                       \
    void omp_unset_##kind(void *lock);                                                     \
    int omp_test_##kind(void *lock);
DECLARE(lock)
DECLARE(nest_lock)
}

namespace
{
constexpr int rounds = 20000;
constexpr unsigned char guard = 0xa5;

int me()
{
    thread_local const int number = __kmpc_global_thread_num(nullptr);
    return number;
}

template <int size> struct Lock {
    alignas(8) unsigned char bytes[32];

    Lock() { std::memset(bytes, guard, sizeof bytes); }
    void **get() { return reinterpret_cast<void **>(bytes); }
    ~Lock()
    {
        for (unsigned i = size; i < sizeof bytes; i++)
            EXPECT_EQ(bytes[i], guard) << i;
    }
};

template <class F> void on_two_threads(F f)
{
    std::thread other(f, 1);
    f(0);
    other.join();
}

// What another thread gets from the test routine.
template <class F> int elsewhere(F f)
{
    int result = -1;
    std::thread([&] { result = f(); }).join();
    return result;
}

TEST(LockByPlace, SimpleExcludes)
{
    Lock<4> lock;
    long count = 0;
    __kmpc_init_lock(nullptr, me(), lock.get());
    on_two_threads([&](int thread) {
        for (int i = 0; i < rounds; i++) {
            if (thread == 0)
                __kmpc_set_lock(nullptr, me(), lock.get());
            else
                omp_set_lock(lock.get());
            count++;
            if (i % 2)
                __kmpc_unset_lock(nullptr, me(), lock.get());
            else
                omp_unset_lock(lock.get());
        }
    });
    EXPECT_EQ(count, 2 * rounds);
    EXPECT_EQ(__kmpc_test_lock(nullptr, me(), lock.get()), 1);
    EXPECT_EQ(elsewhere([&] { return __kmpc_test_lock(nullptr, me(), lock.get()); }), 0);
    EXPECT_EQ(elsewhere([&] { return omp_test_lock(lock.get()); }), 0);
    __kmpc_unset_lock(nullptr, me(), lock.get());
    __kmpc_destroy_lock(nullptr, me(), lock.get());
}

TEST(LockByPlace, NestedCounts)
{
    Lock<8> lock;
    __kmpc_init_nest_lock(nullptr, me(), lock.get());
    __kmpc_set_nest_lock(nullptr, me(), lock.get());
    EXPECT_EQ(__kmpc_test_nest_lock(nullptr, me(), lock.get()), 2);
    EXPECT_EQ(omp_test_nest_lock(lock.get()), 3);
    omp_unset_nest_lock(lock.get());
    __kmpc_unset_nest_lock(nullptr, me(), lock.get());
    EXPECT_EQ(elsewhere([&] { return __kmpc_test_nest_lock(nullptr, me(), lock.get()); }), 0);
    __kmpc_unset_nest_lock(nullptr, me(), lock.get());
    EXPECT_EQ(elsewhere([&] {
                  int count = __kmpc_test_nest_lock(nullptr, me(), lock.get());
                  __kmpc_unset_nest_lock(nullptr, me(), lock.get());
                  return count;
              }),
              1);
    long count = 0;
    on_two_threads([&](int) {
        for (int i = 0; i < rounds; i++) {
            __kmpc_set_nest_lock(nullptr, me(), lock.get());
            omp_set_nest_lock(lock.get());
            count++;
            __kmpc_unset_nest_lock(nullptr, me(), lock.get());
            omp_unset_nest_lock(lock.get());
        }
    });
    EXPECT_EQ(count, 2 * rounds);
    __kmpc_destroy_nest_lock(nullptr, me(), lock.get());
}

TEST(LockByPlace, HintsChangeNothing)
{
    Lock<4> lock;
    Lock<8> nest;
    __kmpc_init_lock_with_hint(nullptr, me(), lock.get(), 2);
    __kmpc_init_nest_lock_with_hint(nullptr, me(), nest.get(), 1);
    EXPECT_EQ(__kmpc_test_lock(nullptr, me(), lock.get()), 1);
    EXPECT_EQ(__kmpc_test_nest_lock(nullptr, me(), nest.get()), 1);
    EXPECT_EQ(__kmpc_test_nest_lock(nullptr, me(), nest.get()), 2);
    __kmpc_destroy_lock(nullptr, me(), lock.get());
    __kmpc_destroy_nest_lock(nullptr, me(), nest.get());
}
} // namespace
