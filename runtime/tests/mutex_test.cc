// SPDX-License-Identifier: Apache-2.0
// Mutexes that nobody has slept on are released by a store, others by an exchange; and nobody is left asleep
// where one becomes the other. A thread that is left asleep hangs the test.
#include <gtest/gtest.h>

extern "C" {
#include "runtime/tests/mutex_cases.h"
void omp_set_lock(uint32_t *lock);
void omp_unset_lock(uint32_t *lock);
}

namespace
{
class Mutex : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (!mutex_can_be_quiet())
            GTEST_SKIP() << "the kernel has no membarrier(2), so no mutex is ever quiet";
        mutex_refuse(0);
        mutex_forget();
    }
    ~Mutex() override
    {
        mutex_refuse(0);
        mutex_forget();
    }
    int QuietOnes() const
    {
        int quiet = 0;
        for (const uint32_t &lock : locks)
            quiet += mutex_is_quiet(&lock);
        return quiet;
    }
    static constexpr int kLocks = 1000;
    uint32_t locks[kLocks] = {};
};

TEST_F(Mutex, IsQuietWhileNobodySleeps)
{
    for (uint32_t &lock : locks) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        EXPECT_EQ(lock, 0u);
    }
    EXPECT_EQ(QuietOnes(), kLocks);
    EXPECT_EQ(mutex_fences(), 0);
}

TEST_F(Mutex, OneSleeperDisturbsFewOthers)
{
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_FALSE(mutex_is_quiet(&locks[5]));
    EXPECT_GT(QuietOnes(), kLocks * 9 / 10);
    EXPECT_EQ(mutex_fences(), 1);
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_EQ(mutex_fences(), 1); // the first sleeper of all
    for (uint32_t &lock : locks)
        EXPECT_EQ(lock, 0u);
}

TEST_F(Mutex, AddressesAreSpread)
{
    int used = 0;
    for (uint32_t &lock : locks)
        if (mutex_is_quiet(&lock)) {
            EXPECT_TRUE(mutex_sleep_once(&lock));
            used++;
        }
    EXPECT_EQ(mutex_fences(), used);
    EXPECT_GT(used, 200); // of 256 hashes
    EXPECT_LE(used, 256);
}

TEST_F(Mutex, SleeperIsWokenWhereverTheReleaseIs)
{
    for (mutex_state state : {MUTEX_ALL_QUIET, MUTEX_OTHERS_NOT_QUIET, MUTEX_CONTENDED})
        EXPECT_GT(mutex_release_in_steps(&locks[5], state), 5);
}

TEST_F(Mutex, NobodyIsLeftAsleepWhenItChanges)
{
    EXPECT_EQ(mutex_crowd(2, 10000), 0);
    EXPECT_EQ(mutex_crowd(3, 5000), 0);
    EXPECT_EQ(mutex_crowd(7, 500), 0);
}

TEST_F(Mutex, NobodySleepsForLongWhereTheKernelBeginsToRefuse)
{
    mutex_refuse(1);
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_GE(mutex_fences(), 2); // each sleeper tries
    EXPECT_EQ(mutex_crowd(3, 300), 0);
    mutex_refuse(0);
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_EQ(mutex_crowd(3, 300), 0);
}

TEST_F(Mutex, NoneIsQuietWhereTheKernelHasRefusedFromTheStart)
{
    mutex_refuse(1);
    mutex_begin();
    EXPECT_EQ(QuietOnes(), 0);
    EXPECT_TRUE(mutex_sleep_once(&locks[5]));
    EXPECT_EQ(mutex_fences(), 0);
    mutex_forget();
    mutex_refuse(0);
    mutex_begin();
    EXPECT_EQ(QuietOnes(), kLocks);
}
} // namespace
