// SPDX-License-Identifier: Apache-2.0
// What threads do: which call they are in, and since when.
// Numbers of system calls are those of the kernel's own headers, layouts those of <pthread.h>.
#include "inspect/tests/activity.h"

namespace
{

TEST_F(Activity, ReadsUntilTheStop)
{
    in_call(SYS_read, {7, kData, 100});
    host.descriptors[7] = "pipe:[4711]";
    stack({"libc:read", "user:work"});
    const mdl_activity &a = of();
    EXPECT_EQ(a.kind, MDL_ACTIVITY_READ);
    EXPECT_TRUE(a.asleep);
    EXPECT_STREQ(a.call, "read");
    EXPECT_EQ(a.descriptor, 7);
    EXPECT_STREQ(a.file, "pipe:[4711]");
    EXPECT_STREQ(a.at.function, "work");
    EXPECT_EQ(a.at.line, 17);
    EXPECT_EQ(a.timeout_ns, MDL_TIMEOUT_NONE);
}

TEST_F(Activity, HasJustLeftTheCall)
{
    stack({"libc:read", "user:work"});
    for (int64_t result : {100, 0, -4 - 7 /* EAGAIN */, -14 /* EFAULT */}) {
        in_call(SYS_read, {7, kData, 100}, result);
        const mdl_activity &a = of();
        EXPECT_EQ(a.kind, MDL_ACTIVITY_COMPUTES) << result;
        EXPECT_FALSE(a.asleep);
        EXPECT_EQ(a.descriptor, -1);
    }
    // futex(2) never ends so; epoll_wait(2) does at every stop.
    in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 0}, -4);
    EXPECT_FALSE(of().asleep);
    in_call(SYS_epoll_wait, {5, kData, 1, static_cast<uint64_t>(-1)}, -4);
    EXPECT_EQ(kind(), "poll");
    EXPECT_EQ(of().descriptor, 5);
}

TEST_F(Activity, InNoCall)
{
    stack({"user:work", "user:main"});
    EXPECT_EQ(kind(), "computes");
    EXPECT_FALSE(of().asleep);
    in_call(-1);
    EXPECT_EQ(kind(), "computes");
    stack({"libc:__memcpy_avx_unaligned", "user:work"});
    EXPECT_EQ(kind(), "computes");
    stack({});
    EXPECT_EQ(kind(), "unknown");
    EXPECT_STREQ(of().why, "it is in no system call, and its stack cannot be unwound");
}

TEST_F(Activity, NobodySaysWhetherItIsInACall)
{
    host.registers = false;
    stack({"user:work", "user:main"});
    EXPECT_EQ(kind(), "unknown");
    EXPECT_STREQ(of().why, "this debugger does not say whether it is in a system call");
    stack({"libc:", "libc:pthread_mutex_lock", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_FALSE(of().asleep);
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "the debugger does not say whether it is in a system call");
}

TEST_F(Activity, Running)
{
    host.threads[1].running = 1;
    EXPECT_EQ(kind(), "unknown");
    EXPECT_STREQ(of().why, "it is running");
    // procfs says it without a stop.
    host.system_calls[kWaiter] = {EM_X86_64, SYS_read, {3}, 0, 1};
    EXPECT_EQ(kind(), "read");
    EXPECT_EQ(of().descriptor, 3);
}

TEST_F(Activity, RestartedCalls)
{
    const int restart = SYS_restart_syscall;
    in_call(restart, {kData}, kRestartBlock);
    stack({"libc:clock_nanosleep@@GLIBC_2.17", "libc:nanosleep", "libc:sleep", "user:work"});
    EXPECT_EQ(kind(), "sleep");
    EXPECT_STREQ(of().call, "sleep");
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_SOME);
    in_call(restart, {kData, 1, 1500}, kRestartBlock);
    stack({"libc:__GI___poll", "user:work"});
    EXPECT_EQ(kind(), "poll");
    EXPECT_EQ(of().timeout_ns, 1500000000);
    in_call(restart, {kData, FUTEX_WAIT_BITSET_PRIVATE, 0, kData + 64}, kRestartBlock);
    stack({"libc:", "libc:pthread_cond_timedwait", "user:work"});
    EXPECT_EQ(kind(), "condition");
    EXPECT_EQ(of().object, kData);
    // Without a name of libc's the instructions say it: mov $230,%eax; syscall.
    const uint8_t code[] = {0xb8, 230, 0, 0, 0, 0x0f, 0x05};
    in_call(restart, {0, 0, kData}, kRestartBlock);
    stack({"user:my_sleep", "user:work"});
    host.put(kProgram + 0x1000 - sizeof(code), code, sizeof(code));
    EXPECT_EQ(kind(), "sleep");
    // And without those it is not known.
    stack({"user:", "user:work"});
    host.memory.erase(kProgram + 0x1000 - sizeof(code));
    EXPECT_EQ(kind(), "system_call");
    EXPECT_STREQ(of().call, "restart_syscall");
}

TEST_F(Activity, TimesAreAtMostWhatTheCallSays)
{
    stack({"libc:poll", "user:work"});
    in_call(SYS_poll, {kData, 1, 5000}, kRestartBlock);
    EXPECT_EQ(of().timeout_ns, INT64_C(5000000000));
    in_call(SYS_poll, {kData, 1, 0xffffffff}, kRestartBlock); // -1 of an int
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_NONE);
    in_call(SYS_ppoll, {kData, 1, kData, 0, 8}, kRestartNoHand);
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_SOME);
    in_call(SYS_ppoll, {kData, 1, 0, 0, 8}, kRestartNoHand);
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_NONE);
    stack({"libc:syscall", "user:work"});
    const int64_t times[][2] = {{5, 500}, {5, -1}, {-1, 0}, {INT64_MAX, 0}, {1, 1000000000}};
    const int64_t expected[] = {INT64_C(5000000500), MDL_TIMEOUT_SOME, MDL_TIMEOUT_SOME, MDL_TIMEOUT_SOME,
                                MDL_TIMEOUT_SOME};
    for (int i = 0; i < 5; i++) {
        host.put(kData + 64, times[i], 16);
        in_futex(kData, FUTEX_WAIT_PRIVATE, 0, kData + 64);
        EXPECT_EQ(of().timeout_ns, expected[i]) << i;
    }
    host.memory.erase(kData + 64);
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_SOME);
    in_futex(kData, FUTEX_WAIT_BITSET_PRIVATE, 0, kData + 64); // a moment, not a length
    host.put(kData + 64, times[0], 16);
    EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_SOME);
}

// The call has the time of its end: what is left of it is known while the clock is.
TEST_F(Activity, MomentsOfAClock)
{
    const int64_t second = 1000000000, time[2] = {1000, 500};
    const uint64_t at = kData + 64;
    const struct {
        int64_t number;
        std::vector<uint64_t> args;
        int64_t expected;
    } calls[] = {
        {SYS_futex, {kData, FUTEX_WAIT_BITSET_PRIVATE, 0, at}, 3 * second + 500},
        {SYS_futex, {kData, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, at}, 10 * second + 500},
        {SYS_futex, {kData, FUTEX_LOCK_PI_PRIVATE, 0, at}, 10 * second + 500},
        {SYS_futex, {kData, 13 | FUTEX_PRIVATE_FLAG, 0, at}, 3 * second + 500}, // FUTEX_LOCK_PI2
        {SYS_futex, {kData, FUTEX_WAIT_BITSET_PRIVATE, 0, 0}, MDL_TIMEOUT_NONE},
        {SYS_clock_nanosleep, {CLOCK_MONOTONIC, TIMER_ABSTIME, at, 0}, 3 * second + 500},
        {SYS_clock_nanosleep, {CLOCK_REALTIME, TIMER_ABSTIME, at, 0}, 10 * second + 500},
        {SYS_clock_nanosleep, {CLOCK_TAI, TIMER_ABSTIME, at, 0}, MDL_TIMEOUT_SOME},
        {SYS_mq_timedreceive, {3, kData, 1, 0, at}, 10 * second + 500},
        {455, {kData, 0, 0, 2, at, CLOCK_MONOTONIC}, 3 * second + 500}, // futex_wait
        {449, {kData, 1, 0, at, CLOCK_REALTIME}, 10 * second + 500},    // futex_waitv
    };
    stack({"libc:syscall", "user:work"});
    host.put(at, time, 16);
    host.kernels[kWaiter] = {'S', 0, 0, 0, 990 * second, 997 * second};
    for (auto &call : calls) {
        in_call(call.number, call.args);
        EXPECT_EQ(of().timeout_ns, call.expected) << call.number << " " << call.args[1];
    }
    // It ends now, or has ended; or that clock is not known.
    for (auto [realtime, monotonic] : {std::pair(990 * second, 1001 * second), {990 * second, INT64_C(0)}}) {
        host.kernels[kWaiter] = {'S', 0, 0, 0, realtime, monotonic};
        in_call(SYS_futex, calls[0].args);
        EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_SOME);
        in_call(SYS_futex, calls[1].args);
        EXPECT_EQ(of().timeout_ns, 10 * second + 500);
    }
}

TEST_F(Activity, LengthsOfOtherCalls)
{
    const int64_t time[2] = {5, 250};
    const uint64_t at = kData + 64, ring[3] = {0, 8, at}, ring_for_ever[3] = {0, 8, 0};
    const struct {
        int64_t number;
        std::vector<uint64_t> args;
        int64_t expected;
    } calls[] = {
        {SYS_nanosleep, {at, 0}, INT64_C(5000000250)},
        {SYS_clock_nanosleep, {CLOCK_MONOTONIC, 0, at, 0}, INT64_C(5000000250)},
        {SYS_clock_nanosleep, {CLOCK_MONOTONIC, TIMER_ABSTIME, at, 0}, MDL_TIMEOUT_SOME},
        {SYS_ppoll, {0, 0, at, 0, 8}, INT64_C(5000000250)},
        {SYS_select, {0, 0, 0, 0, at}, INT64_C(5000250000)}, // microseconds
        {SYS_select, {0, 0, 0, 0, 0}, MDL_TIMEOUT_NONE},
        {SYS_pselect6, {0, 0, 0, 0, at, 0}, INT64_C(5000000250)},
        {SYS_rt_sigtimedwait, {kData, 0, at, 8}, INT64_C(5000000250)},
        {SYS_semtimedop, {1, kData, 1, at}, INT64_C(5000000250)},
        {SYS_mq_timedreceive, {3, kData, 1, 0, at}, MDL_TIMEOUT_SOME}, // a moment
        {SYS_io_uring_enter, {4, 0, 1, 1, 0, 8}, MDL_TIMEOUT_NONE},
        {SYS_io_uring_enter, {4, 0, 1, 1 | 8, kData + 128, 24}, INT64_C(5000000250)},
        {SYS_io_uring_enter, {4, 0, 1, 1 | 8 | 32, kData + 128, 24}, MDL_TIMEOUT_SOME},
        {SYS_io_uring_enter, {4, 0, 1, 1 | 8, kData + 192, 24}, MDL_TIMEOUT_NONE},
        {SYS_io_uring_enter, {4, 0, 1, 1 | 8, kData + 4096, 24}, MDL_TIMEOUT_SOME}, // not readable
    };
    host.put(at, time, sizeof(time));
    host.put(kData + 128, ring, sizeof(ring));
    host.put(kData + 192, ring_for_ever, sizeof(ring_for_ever));
    stack({"libc:syscall", "user:work"});
    for (auto &call : calls) {
        in_call(call.number, call.args);
        EXPECT_EQ(of().timeout_ns, call.expected) << call.number;
        EXPECT_LE(snap->stats.reads - reads_of_none(), 3u) << call.number;
    }
}

TEST_F(Activity, DescriptorsThatPollAndSelectWaitFor)
{
    const pollfd polled[] = {{7, POLLIN, 0}, {-1, POLLIN, 0}, {7, POLLOUT, 0}, {9, POLLIN, 0}};
    fd_set one, other, both, none;
    host.put(kData, polled, sizeof(polled));
    host.descriptors[7] = "pipe:[4711]";
    stack({"libc:poll", "user:work"});
    const int expected[] = {-1, 7, 7, 7, -1, -1};
    for (uint64_t count = 0; count < 6; count++) { // of five the last is not readable
        in_call(SYS_poll, {kData, count, 0xffffffff});
        EXPECT_EQ(of().descriptor, expected[count]) << count;
        EXPECT_STREQ(of().file, expected[count] < 0 ? nullptr : "pipe:[4711]");
    }
    in_call(SYS_poll, {kData, UINT64_MAX / 4, 0xffffffff});
    EXPECT_EQ(of().descriptor, -1);
    for (fd_set *set : {&one, &other, &both, &none})
        FD_ZERO(set);
    FD_SET(7, &one);
    FD_SET(66, &other);
    FD_SET(7, &both);
    FD_SET(66, &both);
    int i = 0;
    for (fd_set *set : {&one, &other, &both, &none})
        host.put(kData + 1024 + 128 * i++, set, sizeof(*set));
    const uint64_t first = kData + 1024;
    const struct {
        uint64_t count, read, write, except;
        int expected;
    } selects[] = {{8, first, 0, 0, 7},
                   {7, first, 0, 0, -1},
                   {67, first + 128, 0, 0, 66},
                   {67, first + 256, 0, 0, -1},
                   {8, first, first, 0, 7},
                   {67, first, first + 128, 0, -1},
                   {67, first + 384, first, 0, 7},
                   {8, 0, 0, first, 7},
                   {8, first, first, first, -1},
                   {8, kData + 8192, 0, 0, -1},
                   {UINT64_MAX, first, 0, 0, -1}};
    for (auto &s : selects) {
        in_call(SYS_select, {s.count, s.read, s.write, s.except, 0});
        EXPECT_EQ(of().descriptor, s.expected) << s.count << " " << s.read - first << " " << s.write;
        EXPECT_LE(snap->stats.reads - reads_of_none(), 3u);
    }
}

TEST_F(Activity, Children)
{
    stack({"libc:wait4", "user:work"});
    in_call(SYS_wait4, {4711});
    EXPECT_EQ(kind(), "child");
    EXPECT_EQ(of().child, 4711);
    in_call(SYS_wait4, {0xffffffff});
    EXPECT_EQ(of().child, -1);
    in_call(SYS_waitid, {P_PID, 4712});
    EXPECT_EQ(of().child, 4712);
    in_call(SYS_waitid, {P_ALL, 0});
    EXPECT_EQ(of().child, -1);
    in_call(SYS_clone, {0x4000 | 0x100 | 17});
    EXPECT_EQ(kind(), "child");
    in_call(SYS_clone, {17}, -513);
    EXPECT_EQ(kind(), "system_call");
}

TEST_F(Activity, OtherCalls)
{
    stack({"libc:syscall", "user:work"});
    in_call(9999);
    EXPECT_EQ(kind(), "system_call");
    EXPECT_STREQ(of().call, "system call 9999");
    in_call(SYS_io_uring_enter, {9, 0, 1, 1}, -4);
    EXPECT_EQ(kind(), "io_uring");
    EXPECT_EQ(of().descriptor, 9);
    in_call(SYS_pause, {}, kRestartNoHand);
    EXPECT_EQ(kind(), "signal");
    in_call(SYS_read, {0xffffffffffffffff});
    EXPECT_EQ(of().descriptor, -1);
    in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 0});
    EXPECT_EQ(kind(), "futex");
    EXPECT_STREQ(of().call, "futex");
    EXPECT_EQ(of().object, kData);
}

// aarch64's registers have the result where the first argument was.
TEST_F(Activity, TheFirstArgumentIsLost)
{
    const uint64_t lost = static_cast<uint64_t>(kRestartSys);
    host.system_calls[kWaiter] = {EM_AARCH64, 98, {lost, FUTEX_WAIT_PRIVATE, 2}, kRestartSys, 0};
    stack({"libc:", "libc:pthread_mutex_lock", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_TRUE(of().asleep);
    EXPECT_EQ(of().object, 0u);
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    stack({"libc:read", "user:work"});
    host.system_calls[kWaiter] = {EM_AARCH64, 63, {lost, kData, 100}, kRestartSys, 0};
    EXPECT_EQ(kind(), "read");
    EXPECT_EQ(of().descriptor, -1);
    host.system_calls[kWaiter] = {EM_AARCH64, 260, {lost, kData}, kRestartSys, 0};
    EXPECT_EQ(kind(), "child");
    EXPECT_EQ(of().child, 0);
    host.system_calls[kWaiter] = {EM_AARCH64, 63, {5, kData, 100}, 0, 1}; // procfs has them all
    EXPECT_EQ(of().descriptor, 5);
}

TEST_F(Activity, KernelStates)
{
    in_call(SYS_read, {7});
    stack({"libc:read", "user:work"});
    const std::pair<char, const char *> states[] = {{'S', "read"},   {'R', "read"},   {'T', "stopped"},
                                                    {'t', "traced"}, {'Z', "zombie"}, {'D', "kernel"}};
    for (auto [state, expected] : states) {
        host.kernels[kWaiter] = {state, 5000, 1, 77, 0, 0};
        EXPECT_EQ(kind(), expected);
        EXPECT_TRUE(of().asleep);
        EXPECT_EQ(mdl_thread_by_lwp(snap, kWaiter)->cpu_ns, 5000u);
        EXPECT_EQ(mdl_thread_by_lwp(snap, kWaiter)->target_tid, 77);
    }
    // A page that is fetched: in no call, and yet it does not compute.
    host.system_calls.clear();
    host.kernels[kWaiter].state = 'D';
    EXPECT_EQ(kind(), "kernel");
}

// ---- calls that leave no frame ----------------------------------------

TEST_F(Activity, TheLinkersPieceOfCodeIsNotTheUsers)
{
    host.system_calls[kWaiter] = {EM_X86_64, -1, {}, 0, 0};
    stack({"user:__kmpc_omp_taskyield@plt", "user:work"});
    EXPECT_EQ(kind(), "computes");
    EXPECT_STREQ(of().at.function, "work");
}

// What users have not called by that name.
TEST_F(Activity, SystemEndsInAJump)
{
    in_call(SYS_wait4, {77});
    stack({"libc:wait4", "libc:do_system", "user:work"});
    EXPECT_STREQ(of().call, "system");
}

TEST_F(Activity, WhatTheCallerHasCalled)
{
    const uint64_t back = kProgram + 0x1200, entry = kProgram + 0x400, slot = kProgram + 0x4000,
                   function = kLibc + 0x5000;
    auto relative = [](std::vector<uint8_t> code, uint64_t next, uint64_t target) {
        int32_t offset = static_cast<int32_t>(target - next);
        auto *bytes = reinterpret_cast<uint8_t *>(&offset);
        code.insert(code.end(), bytes, bytes + 4);
        return code;
    };
    auto put = [&](uint64_t addr, const std::vector<uint8_t> &code) {
        host.put(addr, code.data(), code.size());
    };
    const std::vector<uint8_t> call = relative({0x90, 0xe8}, back, entry),
                               table = relative({0xff, 0x15}, back, slot);
    in_futex(kData, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0);
    // A local function of glibc's says what is waited for, and not by which function.
    stack({"libc:", "libc:__new_sem_wait_slow64", "user:work"});
    EXPECT_STREQ(of().call, "sem_wait");
    host.put(slot, &function, 8);
    host.places[function] = {"sem_timedwait", "", 0, 64};
    put(back - 6, table);
    EXPECT_STREQ(of().call, "sem_timedwait");
    host.memory.erase(slot);
    host.memory.erase(back - 6);
    stack({"libc:", "libc:", "user:work"});
    EXPECT_EQ(kind(), "futex");
    host.put(slot, &function, 8);
    host.places[function] = {"sem_wait", "", 0, 64};
    put(back - 6, call);
    put(entry, relative({0xff, 0x25}, entry + 6, slot));
    EXPECT_EQ(kind(), "semaphore");
    EXPECT_STREQ(of().call, "sem_wait");
    EXPECT_STREQ(of().at.function, "work");
    put(entry, relative({0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25}, entry + 11, slot)); // -fcf-protection
    EXPECT_EQ(kind(), "semaphore");
    put(back - 6, table); // -fno-plt
    EXPECT_EQ(kind(), "semaphore");
    host.places[function].symbol = "printf"; // of which no more is known
    EXPECT_EQ(kind(), "futex");
    host.places[function].symbol = "sem_wait";
    put(back - 6, {0x90, 0x90, 0x90, 0x90, 0xff, 0xd0}); // call *%rax
    EXPECT_EQ(kind(), "futex");
    put(back - 6, call); // a debugger that names entries
    host.memory.erase(entry);
    host.places[entry] = {"sem_wait@plt", "", 0, 16};
    EXPECT_EQ(kind(), "semaphore");
}

} // namespace
