// SPDX-License-Identifier: Apache-2.0
// Who is let go and who waits, by the call's result, its word in memory, and the kernel's letter.
#include "inspect/activity/in_force.h"

#include "inspect/graph/graph_activity.h"
#include "inspect/tests/activity.h"

namespace
{

constexpr uint64_t kOther = kData + 0x100;

struct InForce : Activity {
    void word(uint32_t value, uint64_t at = kData) { host.put(at, &value, sizeof(value)); }
    void letter(char state) { host.kernels[kWaiter] = {state, 0, 0, kWaiter, 0, 0}; }
    bool released()
    {
        of();
        return mdl_thread_by_lwp(snap, kWaiter)->released;
    }
    enum graph_way way()
    {
        of();
        return graph_way(mdl_thread_by_lwp(snap, kWaiter));
    }
};

TEST_F(InForce, TheWordOfAFutex)
{
    stack({"libc:syscall", "user:work"});
    for (int operation : {FUTEX_WAIT_PRIVATE, FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAIT}) {
        in_futex(kData, operation, 7);
        word(7);
        EXPECT_FALSE(released()) << operation;
        EXPECT_EQ(way(), GRAPH_OUTSIDE);
        word(8);
        EXPECT_TRUE(released()) << operation;
        EXPECT_EQ(way(), GRAPH_BY_ITSELF);
    }
    host.memory.erase(kData); // what is not known proves nothing
    EXPECT_FALSE(released());
}

TEST_F(InForce, WhoSleptThoughTheWordHadChanged)
{
    stack({"libc:syscall", "user:work"});
    in_futex(kData, FUTEX_WAIT_PRIVATE, 7);
    word(8);
    letter('S');
    EXPECT_FALSE(released());
    letter('R');
    EXPECT_TRUE(released());
}

TEST_F(InForce, AVectorOfWords)
{
    const struct {
        uint64_t value, address;
        uint32_t flags, reserved;
    } vector[] = {{7, kData, 2, 0}, {9, kOther, 2, 0}};
    host.put(kData + 0x200, vector, sizeof(vector));
    stack({"libc:syscall", "user:work"});
    in_call(449, {kData + 0x200, 2, 0, 0, 0});
    word(7);
    word(9, kOther);
    EXPECT_FALSE(released());
    word(10, kOther);
    EXPECT_TRUE(released());
    in_call(449, {kData + 0x200, 1000, 0, 0, 0}); // the kernel takes no such vector
    EXPECT_FALSE(released());
    in_call(455, {kData, 7, 0xffffffff, 2, 0, 0}); // futex_wait
    EXPECT_FALSE(released());
    word(8);
    EXPECT_TRUE(released());
}

TEST_F(InForce, WhatTheKernelHandsOver)
{
    // A thread has it; nobody has; the kernel has given it to the waiter, who has not run since.
    stack({"libc:", "libc:pthread_mutex_lock", "user:work"});
    in_futex(kData, FUTEX_LOCK_PI_PRIVATE, 0);
    put_mutex(static_cast<int>(0x80000000u | kOwner), kOwner, 0x20);
    EXPECT_EQ(way(), GRAPH_OWNER);
    put_mutex(static_cast<int>(0x80000000u), 0, 0x20);
    EXPECT_EQ(way(), GRAPH_BY_ITSELF);
    put_mutex(static_cast<int>(0x80000000u | kWaiter), 0, 0x20);
    EXPECT_EQ(way(), GRAPH_BY_ITSELF);
    // Of a requeued wait the first word may have changed: it waits for the second one then.
    stack({"libc:syscall", "user:work"});
    in_call(SYS_futex, {kData, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 7, 0, kOther, 0});
    word(7);
    word(0, kOther);
    EXPECT_FALSE(released());
    word(8);
    word(static_cast<uint32_t>(kOwner), kOther);
    EXPECT_FALSE(released());
    word(0, kOther);
    EXPECT_TRUE(released());
}

TEST_F(InForce, WokenForAMutexOfAnotherThread)
{
    wait_for_mutex();
    put_mutex(1, kOwner, 0); // taken meanwhile, by who does not know of waiters
    EXPECT_FALSE(released());
    EXPECT_EQ(way(), GRAPH_OWNER);
    put_mutex(0, 0, 0);
    EXPECT_TRUE(released());
}

TEST_F(InForce, ResultsOfTheKernel)
{
    word(7);
    stack({"libc:", "libc:sem_wait", "user:work"});
    for (int result : {-512, -513, -514, -516}) {
        in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 7}, result);
        EXPECT_FALSE(released()) << result;
    }
    for (int result : {0, -EAGAIN, -ETIMEDOUT}) { // woken, not begun, over
        in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 7}, result);
        EXPECT_TRUE(released()) << result;
    }
}

TEST_F(InForce, AConditionVariableMayHavePassedItOn)
{
    stack({"libc:", "libc:pthread_cond_wait", "user:work"});
    in_futex(kData, FUTEX_WAIT_PRIVATE, 7);
    word(8);
    EXPECT_FALSE(released()); // before glibc 2.25: to the mutex, for which it sleeps then
    letter('R');
    EXPECT_TRUE(released());
}

} // namespace
