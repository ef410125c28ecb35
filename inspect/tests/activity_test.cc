// SPDX-License-Identifier: Apache-2.0
// What threads do, in fake processes: registers, frames and memory as Linux, glibc and the C++ library leave
// them.
// Numbers of system calls are those of the kernel's own headers, layouts those of <pthread.h>.
#include "inspect/activity/activity.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "inspect/model/model.h"
#include "inspect/model/words.h"
#include "inspect/tests/fake_host.h"

namespace
{

constexpr uint64_t kProgram = 0x555500000000, kLibc = 0x710000000000, kMpi = 0x720000000000,
                   kCxx = 0x730000000000, kLoader = 0x740000000000, kMusl = 0x750000000000, kSize = 0x200000,
                   kData = 0x600000000000;
constexpr int64_t kPid = 4242, kWaiter = 4243, kOwner = 4244;
constexpr int kRestartSys = -512, kRestartNoHand = -514, kRestartBlock = -516;

struct Activity : testing::Test {
    FakeHost host;
    insp_session *session = nullptr;
    insp_snapshot *snap = nullptr;
    unsigned want = INSP_THREADS | INSP_STACKS;
    uint64_t none_reads = 0;

    void SetUp() override
    {
        const std::pair<uint64_t, const char *> files[] = {{kProgram, "/apps/u/mixed"},
                                                           {kLibc, "/lib/x86_64-linux-gnu/libc.so.6"},
                                                           {kMpi, "/usr/lib/libmpi.so.40"},
                                                           {kCxx, "/usr/lib/libstdc++.so.6"},
                                                           {kLoader, "/lib64/ld-linux-x86-64.so.2"},
                                                           {kMusl, "/opt/musl/lib/libc.so"}};
        host.registers = true;
        for (auto &[base, path] : files) {
            std::vector<uint8_t> page = elf_page(0, 0, 0, kSize);
            host.put(base, page.data(), page.size());
            host.modules.push_back({base, path});
        }
        for (int64_t lwp : {kPid, kWaiter, kOwner})
            host.threads.push_back({lwp, 0, 0, lwp == kPid, 0});
    }
    void TearDown() override
    {
        insp_free(snap);
        insp_close(session);
    }

    // The thread stood so when it was stopped in the call of that number.
    void in_call(int64_t number, std::vector<uint64_t> args = {}, int64_t result = kRestartSys,
                 int64_t lwp = kWaiter)
    {
        insp_system_call call = {EM_X86_64, number, {}, result, 0};
        for (size_t i = 0; i < args.size(); i++)
            call.arg[i] = args[i];
        host.system_calls[lwp] = call;
    }
    void in_futex(uint64_t addr, int op, uint32_t value, uint64_t timeout = 0)
    {
        in_call(SYS_futex, {addr, static_cast<uint64_t>(op), value, timeout},
                timeout ? kRestartBlock : kRestartSys);
    }
    // Innermost first: "libc:name", "c++:", "mpi:", "loader:", "musl:", "user:"; no name: no symbol.
    void stack(const std::vector<std::string> &frames, int64_t lwp = kWaiter)
    {
        uint64_t at = 0x1000;
        host.frames[lwp].clear();
        for (const std::string &frame : frames) {
            std::string file = frame.substr(0, frame.find(':')), name = frame.substr(frame.find(':') + 1);
            uint64_t base = file == "libc"     ? kLibc
                            : file == "c++"    ? kCxx
                            : file == "mpi"    ? kMpi
                            : file == "loader" ? kLoader
                            : file == "musl"   ? kMusl
                                               : kProgram;
            bool user = file == "user";
            host.frames[lwp].push_back({base + at, name, user ? "mixed.cpp" : "", user ? 17 : 0, ""});
            at += 0x100;
        }
    }
    const mdl_activity &of(int64_t lwp = kWaiter)
    {
        insp_host table = host.table();
        insp_free(snap);
        insp_close(session);
        session = insp_open(&table, nullptr, nullptr);
        snap = insp_take(session, want, nullptr);
        return mdl_thread_by_lwp(snap, lwp)->activity;
    }
    std::string kind(int64_t lwp = kWaiter) { return mdl_word(&mdl_activity_words, of(lwp).kind); }
    std::string owner() const
    {
        const mdl_activity &a = mdl_thread_by_lwp(snap, kWaiter)->activity;
        return mdl_word(&mdl_owner_words, a.owner);
    }
    std::string unknown(const char *field) const
    {
        const mdl_thread *t = mdl_thread_by_lwp(snap, kWaiter);
        for (int i = 0; i < t->unknown_count; i++)
            if (!strcmp(t->unknown[i].field, field))
                return t->unknown[i].reason;
        return "";
    }
    // What is read of the process when no thread is in a call.
    uint64_t reads_of_none()
    {
        if (!none_reads) {
            auto calls = host.system_calls;
            insp_snapshot *kept = snap;
            snap = nullptr;
            host.system_calls.clear();
            of();
            none_reads = snap->stats.reads;
            insp_free(snap);
            snap = kept;
            host.system_calls = calls;
        }
        return none_reads;
    }
    // A mutex of glibc's at kData.
    void put_mutex(int lock, int owner, int mutex_kind)
    {
        pthread_mutex_t m = {};
        m.__data.__lock = lock;
        m.__data.__owner = owner;
        m.__data.__nusers = 1;
        m.__data.__kind = mutex_kind;
        host.put(kData, &m, sizeof(m));
    }
    void wait_for_mutex(int op = FUTEX_WAIT_PRIVATE, uint32_t value = 2)
    {
        in_futex(kData, op, value);
        stack({"libc:", "libc:pthread_mutex_lock", "user:work", "user:main"});
    }
};

// ---- in a call, or out of it ----------------------------------------

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

// ---- mutexes ----------------------------------------

TEST_F(Activity, MutexAndItsOwner)
{
    for (int type : {PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP,
                     PTHREAD_MUTEX_ADAPTIVE_NP}) {
        put_mutex(2, kOwner, type);
        wait_for_mutex();
        const mdl_activity &a = of();
        EXPECT_EQ(a.kind, MDL_ACTIVITY_MUTEX);
        EXPECT_STREQ(a.call, "pthread_mutex_lock");
        EXPECT_EQ(a.object, kData);
        EXPECT_EQ(a.owner, MDL_OWNER_THREAD);
        EXPECT_EQ(a.owner_how, MDL_HOW_RECORDED);
        EXPECT_EQ(a.owner_tid, kOwner);
        EXPECT_EQ(a.owner_lwp, kOwner);
        EXPECT_EQ(a.owner_doubt, nullptr);
    }
}

TEST_F(Activity, NamesOfLibcWithItsDebugSymbols)
{
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"libc:futex_wait", "libc:__GI___lll_lock_wait", "libc:___pthread_mutex_lock", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_STREQ(of().call, "pthread_mutex_lock");
    stack({"libc:__GI___lll_lock_wait", "libc:___pthread_mutex_lock", "libc:mtx_lock", "user:work"});
    EXPECT_STREQ(of().call, "mtx_lock");
    stack({"libc:", "libc:pthread_mutex_lock@@GLIBC_2.2.5", "user:work"});
    EXPECT_STREQ(of().call, "pthread_mutex_lock");
    EXPECT_EQ(owner(), "thread");
}

TEST_F(Activity, KernelsMutexes)
{
    const uint32_t waiters = FUTEX_WAITERS;
    put_mutex(static_cast<int>(waiters | kOwner), kOwner, 0x10); // robust
    wait_for_mutex(FUTEX_WAIT_PRIVATE, waiters | kOwner);
    EXPECT_EQ(of().owner_lwp, kOwner);
    put_mutex(static_cast<int>(waiters | kOwner), kOwner, 0x20); // with priority inheritance
    wait_for_mutex(FUTEX_LOCK_PI_PRIVATE, 0);
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().owner_how, MDL_HOW_KERNEL);
    // Without a name on the stack the operation says what it is.
    stack({"libc:", "libc:", "user:work"});
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(of().owner_lwp, kOwner);
    put_mutex(static_cast<int>(waiters | FUTEX_OWNER_DIED | 777), 777, 0x10);
    wait_for_mutex();
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(owner(), "ended");
    EXPECT_NE(of().owner_doubt, nullptr); // the kernel gives it to a waiter
}

TEST_F(Activity, OwnersThatAreNoThreadsHere)
{
    wait_for_mutex();
    put_mutex(2, 5000, 0); // created after this process
    of();
    EXPECT_EQ(owner(), "ended");
    EXPECT_EQ(of().owner_doubt, nullptr);
    EXPECT_EQ(of().owner_tid, 5000);
    put_mutex(2, 99, 0); // a core does not say whose that was
    of();
    EXPECT_EQ(owner(), "ended");
    EXPECT_NE(of().owner_doubt, nullptr);
    host.tasks_known = true;
    host.tasks[99] = {98, true};
    of();
    EXPECT_EQ(owner(), "before_fork");
    EXPECT_EQ(of().owner_pid, 98);
    EXPECT_EQ(of().owner_doubt, nullptr);
    host.tasks[99] = {98, false}; // the number is another process' now
    of();
    EXPECT_EQ(owner(), "ended");
    EXPECT_EQ(of().owner_pid, 0);
    EXPECT_EQ(of().owner_doubt, nullptr);
    put_mutex(2, 99, 0x80); // process-shared
    of();
    EXPECT_EQ(owner(), "process");
    EXPECT_EQ(of().owner_pid, 98);
    host.tasks.clear();
    of();
    EXPECT_EQ(owner(), "ended");
    host.tasks_known = false;
    of();
    EXPECT_EQ(owner(), "process");
    EXPECT_EQ(of().owner_pid, 0);
}

TEST_F(Activity, NumbersOfAnotherPidNamespace)
{
    host.kernels[kPid] = {'S', 0, 0, 1, 0, 0};
    host.kernels[kWaiter] = {'S', 0, 0, 7, 0, 0};
    host.kernels[kOwner] = {'S', 0, 0, 8, 0, 0};
    wait_for_mutex();
    put_mutex(2, 8, 0);
    EXPECT_EQ(of().owner_lwp, kOwner);
    put_mutex(2, kOwner, 0); // a number that only the host has
    of();
    EXPECT_EQ(owner(), "ended");
}

TEST_F(Activity, MutexesThatMakeNoSense)
{
    wait_for_mutex();
    const struct {
        int lock, owner, kind;
    } cases[] = {{3, kOwner, 0},          {2, -5, 0},     {2, 1 << 30, 0},
                 {2, kOwner, 0x7fffffff}, {2, kOwner, 4}, {-1, 5, 0}};
    for (auto &c : cases) {
        put_mutex(c.lock, c.owner, c.kind);
        of();
        EXPECT_EQ(owner(), "unknown") << c.lock << " " << c.owner << " " << c.kind;
        EXPECT_EQ(unknown("activity.owner_lwp"), "what lies in its memory is no such object of glibc's");
        EXPECT_EQ(of().owner_lwp, 0);
    }
    host.memory.erase(kData);
    of();
    EXPECT_EQ(owner(), "unknown");
    EXPECT_EQ(unknown("activity.owner_lwp"), "its memory cannot be read");
    put_mutex(0, 0, 0);
    of();
    EXPECT_EQ(owner(), "none");
    put_mutex(2, 0, 0);
    of();
    EXPECT_EQ(owner(), "unknown");
}

TEST_F(Activity, AboutToWaitForAMutex)
{
    put_mutex(1, kOwner, 0);
    wait_for_mutex();
    host.system_calls.clear();
    EXPECT_EQ(kind(), "mutex");
    EXPECT_FALSE(of().asleep);
    EXPECT_EQ(of().object, 0u);
    EXPECT_EQ(owner(), "unknown");
}

TEST_F(Activity, AnotherLibc)
{
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"musl:__timedwait_cp", "musl:pthread_mutex_lock", "user:work"});
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "the C library is not glibc, whose mutexes are known");
    host.modules.back().path = "/lib/ld-musl-x86_64.so.1";
    EXPECT_EQ(kind(), "futex");
    EXPECT_EQ(of().owner, MDL_OWNER_NONE);
}

TEST_F(Activity, StaticPrograms)
{
    host.memory[kProgram][16] = ET_EXEC; // and no dynamic linker is named
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"user:__lll_lock_wait", "user:pthread_mutex_lock", "user:work"});
    for (int i = 0; i < 2; i++) {
        host.frames[kWaiter][static_cast<size_t>(i)].file = "";
        host.frames[kWaiter][static_cast<size_t>(i)].line = 0;
    }
    EXPECT_EQ(kind(), "mutex");
    EXPECT_STREQ(of().at.function, "work");
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "the C library is not glibc, whose mutexes are known");
    host.symbols["__libc_setup_tls"] = kProgram + 0x900;
    EXPECT_EQ(of().owner_lwp, kOwner);
    // Stripped, it may wait in whatever it runs.
    host.frames[kWaiter] = {{kProgram + 0x1000, "", "", 0, ""}, {kProgram + 0x1100, "", "", 0, ""}};
    EXPECT_EQ(kind(), "futex");
    host.system_calls.clear();
    EXPECT_EQ(kind(), "unknown");
    EXPECT_STREQ(of().why, "it is in no system call, and its function has no name: it may be one that waits");
}

TEST_F(Activity, ManyWaitersReadOneMutexOnce)
{
    put_mutex(2, kOwner, 0);
    for (int64_t lwp = 5000; lwp < 5256; lwp++) {
        host.threads.push_back({lwp, 0, 0, 0, 0});
        in_call(SYS_futex, {kData, FUTEX_WAIT_PRIVATE, 2}, kRestartSys, lwp);
        stack({"libc:", "libc:pthread_mutex_lock", "user:work"}, lwp);
        host.frames[lwp].push_back({kProgram + 0x2000, "main", "mixed.cpp", 30, ""});
    }
    want = INSP_THREADS | INSP_ACTIVITY;
    EXPECT_EQ(of(5000).owner_lwp, kOwner);
    EXPECT_EQ(of(5255).owner_lwp, kOwner);
    uint64_t reads = snap->stats.reads;
    host.threads.resize(4);
    of(5000);
    EXPECT_EQ(snap->stats.reads, reads);
    EXPECT_EQ(snap->stats.lookups, 0u);
    EXPECT_EQ(mdl_thread_by_lwp(snap, 5000)->frame_count, 3); // as far as the user's code
}

// ---- other objects of the thread library ----------------------------------------

TEST_F(Activity, ReadWriteLocks)
{
    struct {
        uint64_t before;
        pthread_rwlock_t lock;
    } memory = {};
    const uint64_t lock = kData + 8;
    const uint64_t words[] = {lock + offsetof(pthread_rwlock_t, __data.__wrphase_futex),
                              lock + offsetof(pthread_rwlock_t, __data.__writers_futex)};
    memory.lock.__data.__readers = 3; // held by a writer, in its phase
    memory.lock.__data.__cur_writer = kOwner;
    memory.lock.__data.__wrphase_futex = 3;
    memory.lock.__data.__writers_futex = 3;
    host.put(kData, &memory, sizeof(memory));
    stack({"libc:pthread_rwlock_rdlock", "user:work"});
    for (uint64_t word : words) {
        in_futex(word, FUTEX_WAIT_BITSET_PRIVATE, 3);
        EXPECT_EQ(kind(), "rwlock");
        EXPECT_EQ(of().object, lock);
        EXPECT_EQ(of().owner_lwp, kOwner);
    }
    memory.lock.__data.__readers = 5 * 8 | 4; // five readers, and one who waits for a writer in the queue
    memory.lock.__data.__cur_writer = 0;
    host.put(kData, &memory, sizeof(memory));
    in_futex(lock, FUTEX_WAIT_BITSET_PRIVATE, 5 * 8 | 4);
    EXPECT_EQ(of().object, lock);
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    EXPECT_EQ(unknown("activity.owner_lwp"), "it is locked for reading, and does not note by whom");
    memset(&memory, 0xa5, sizeof(memory));
    host.put(kData, &memory, sizeof(memory));
    in_futex(words[0], FUTEX_WAIT_BITSET_PRIVATE, 3);
    EXPECT_EQ(kind(), "rwlock");
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
    in_futex(4, FUTEX_WAIT_BITSET_PRIVATE, 3); // before it there is nothing
    EXPECT_EQ(of().owner, MDL_OWNER_UNKNOWN);
}

TEST_F(Activity, ConditionVariables)
{
    // The word that is waited for lies at +40 in glibc 2.36 and at +32 in 2.41.
    for (uint64_t word : {kData + 40, kData + 32}) {
        in_futex(word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0);
        stack({"libc:", "libc:pthread_cond_wait",
               "c++:_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "user:work"});
        EXPECT_EQ(kind(), "condition");
        EXPECT_EQ(of().object, word);
        EXPECT_EQ(of().owner, MDL_OWNER_NONE);
        EXPECT_STREQ(of().call, "pthread_cond_wait");
    }
    // Signalled, it waits for the mutex again.
    put_mutex(2, kOwner, 0);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    EXPECT_EQ(kind(), "mutex");
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_STREQ(of().call, "pthread_cond_wait");
}

TEST_F(Activity, JoinsKnowTheThread)
{
    in_futex(0x7fff00000000, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, kOwner);
    stack({"libc:", "libc:pthread_join", "c++:_ZNSt6thread4joinEv", "user:work"});
    EXPECT_EQ(kind(), "join");
    EXPECT_EQ(of().object, 0u);
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().owner_how, MDL_HOW_KERNEL);
    // A jump leaves no frame of pthread_join: the word that is waited for lies in that thread's descriptor.
    stack({"libc:", "libc:", "user:work"});
    EXPECT_EQ(kind(), "futex");
    host.threads[2].pthread = 0x7fff00000000 - 0x2d0;
    EXPECT_EQ(kind(), "join");
    EXPECT_EQ(of().owner_lwp, kOwner);
    host.threads[2].pthread = 0x7fff00000000 + 0x2d0;
    EXPECT_EQ(kind(), "futex");
}

TEST_F(Activity, FunctionsOfLibcThatLookAlikeToTheKernel)
{
    const std::pair<const char *, const char *> cases[] = {
        {"sem_wait", "semaphore"},      {"__new_sem_wait_slow64.constprop.0", "semaphore"},
        {"sem_timedwait", "semaphore"}, {"pthread_barrier_wait", "barrier"},
        {"pthread_once", "once"},       {"__pthread_once_slow", "once"},
        {"cnd_wait", "condition"},      {"thrd_join", "join"},
        {"malloc", "malloc"},           {"__GI___libc_free", "malloc"},
        {"dl_iterate_phdr", "loader"},  {"fputs", "futex"},
    };
    in_futex(kData, FUTEX_WAIT_PRIVATE, 0);
    for (auto &[function, expected] : cases) {
        stack({"libc:", std::string("libc:") + function, "user:work"});
        EXPECT_EQ(kind(), expected) << function;
        EXPECT_TRUE(of().asleep);
    }
    // A semaphore of the user's own is none of libc's.
    stack({"libc:syscall", "user:sem_wait", "user:work"});
    EXPECT_EQ(kind(), "futex");
    // A function of the user's in the middle of libc's: what is outside of it does not wait.
    stack({"libc:syscall", "user:init", "libc:pthread_once", "user:work"});
    EXPECT_EQ(kind(), "futex");
    host.system_calls.clear();
    stack({"user:init", "libc:pthread_once", "user:work"});
    EXPECT_EQ(kind(), "computes");
}

TEST_F(Activity, LocksOfTheLoader)
{
    put_mutex(2, kOwner, PTHREAD_MUTEX_RECURSIVE_NP);
    in_futex(kData, FUTEX_WAIT_PRIVATE, 2);
    stack({"libc:", "libc:pthread_mutex_lock", "loader:_dl_open", "libc:", "libc:dlopen", "user:work"});
    EXPECT_EQ(kind(), "loader");
    EXPECT_STREQ(of().call, "dlopen");
    EXPECT_EQ(of().owner_lwp, kOwner);
    EXPECT_EQ(of().name, nullptr);
    EXPECT_STREQ(of().at.function, "work");
    stack({"libc:", "libc:pthread_mutex_lock", "user:plugin_init", "loader:call_init", "libc:dlopen",
           "user:work"});
    EXPECT_EQ(kind(), "mutex");
}

TEST_F(Activity, Spinlocks)
{
    stack({"libc:pthread_spin_lock", "user:work"});
    host.reg[{kWaiter, 5}] = kData;
    EXPECT_EQ(kind(), "spinlock");
    EXPECT_FALSE(of().asleep);
    EXPECT_EQ(of().object, kData);
}

TEST_F(Activity, CxxWaits)
{
    const std::pair<const char *, const char *> cases[] = {
        {"__cxa_guard_acquire", "once"},
        {"_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
         "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
         "IlS3_ILl1ELl1000000000EEEE",
         "future"},
        {"_ZNSt8__detail15__platform_waitIiEEvPKT_i", "atomic"},
        {"_ZNSt8__detail16__platform_mutexEv", "futex"},
    };
    in_futex(kData, FUTEX_WAIT_PRIVATE, 0);
    for (auto &[function, expected] : cases) {
        stack({"libc:syscall", std::string("c++:") + function, "user:work"});
        EXPECT_EQ(kind(), expected) << function;
        EXPECT_EQ(of().object, kData);
        EXPECT_STREQ(of().at.function, "work");
    }
    // Templates are made in the user's file, and a semaphore waits by what an atomic waits by.
    stack({"libc:syscall", "user:_ZNSt8__detail15__platform_waitIiEEvPKT_i",
           "user:_ZNSt18__atomic_semaphore10_M_acquireEv", "user:work"});
    EXPECT_EQ(kind(), "semaphore");
    EXPECT_STREQ(of().at.function, "work");
    // What it spins for before it sleeps is the same.
    host.system_calls.clear();
    EXPECT_EQ(kind(), "semaphore");
    EXPECT_FALSE(of().asleep);
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

// ---- MPI ---------------------------------------------------------------------------------

TEST_F(Activity, MpiWaitsWhetherItPollsOrSleeps)
{
    const std::vector<std::string> stacks[] = {
        {"mpi:mca_btl_poll", "mpi:ompi_request_default_wait", "mpi:MPI_Recv", "user:work"},
        {"mpi:", "mpi:PMPI_Recv", "user:work"},
        {"mpi:PMPI_Recv", "mpi:mpi_recv_", "user:work"},
        {"mpi:PMPI_Recv", "mpi:MPI_RECV", "user:work"},
        {"mpi:PMPI_Recv", "mpi:ompi_recv_f", "user:work"},
        {"mpi:PMPI_Recv", "mpi:mpi_recv_f08_", "user:work"},
        {"mpi:PMPI_Recv", "user:MPI_Recv", "user:work"},                   // a tool's wrapper
        {"user:poll_all", "user:MPIR_Wait", "user:MPI_Recv", "user:work"}, // a static program
    };
    for (auto &frames : stacks) {
        stack(frames);
        host.system_calls.clear();
        EXPECT_EQ(kind(), "mpi");
        EXPECT_STREQ(of().call, "MPI_Recv") << frames[frames.size() - 2];
        EXPECT_STREQ(of().at.function, "work");
        EXPECT_FALSE(of().asleep);
        in_call(SYS_poll, {kData, 3, 10}, kRestartBlock);
        EXPECT_EQ(kind(), "mpi");
        EXPECT_TRUE(of().asleep);
        EXPECT_EQ(of().timeout_ns, MDL_TIMEOUT_NONE);
        EXPECT_STREQ(of().at.function, "work");
    }
}

TEST_F(Activity, NotInMpi)
{
    // A function that was given to MPI computes.
    stack({"user:my_sum", "mpi:ompi_op_reduce", "mpi:MPI_Allreduce", "user:work"});
    EXPECT_EQ(kind(), "computes");
    // A function of the user's with a name like MPI's.
    stack({"user:mpi_exchange_", "user:work"});
    EXPECT_EQ(kind(), "computes");
    EXPECT_STREQ(of().at.function, "mpi_exchange_");
    // MPI's own thread.
    in_call(SYS_epoll_wait, {5, kData, 1, static_cast<uint64_t>(-1)}, -4);
    stack({"libc:epoll_wait", "mpi:opal_libevent_loop", "mpi:progress_engine", "libc:start_thread"});
    EXPECT_EQ(kind(), "poll");
}

TEST_F(Activity, RankAndJob)
{
    const uint64_t list = kData + 0x1000, strings = kData + 0x2000;
    const std::vector<std::string> all = {
        "HOME=/root",        "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8",
        "SLURM_JOB_ID=4711", "SLURM_STEP_ID=2",        "SLURM_PROCID=5"};
    std::string text;
    std::vector<uint64_t> pointers;
    for (const std::string &one : all) {
        pointers.push_back(strings + text.size());
        text += one + std::string(1, '\0');
    }
    pointers.push_back(0);
    host.symbols["environ"] = kData;
    host.put(kData, &list, 8);
    host.put(list, pointers.data(), pointers.size() * 8);
    host.put(strings, text.data(), text.size());
    of();
    EXPECT_EQ(snap->process.rank, 3);
    EXPECT_EQ(snap->process.size, 8);
    EXPECT_STREQ(snap->process.job, "4711");
    EXPECT_STREQ(snap->process.step, "2");
    want = INSP_THREADS; // `info threads` asks for no more
    of();
    EXPECT_EQ(snap->process.rank, -1);
    EXPECT_EQ(snap->stats.lookups, 0u);
    want = INSP_THREADS | INSP_STACKS;
    // What is no number, or larger than its size, is not said.
    for (const char *bad : {"OMPI_COMM_WORLD_RANK=-1", "OMPI_COMM_WORLD_RANK=9999999999999999999999",
                            "OMPI_COMM_WORLD_RANK=3x", "OMPI_COMM_WORLD_RANK=", "OMPI_COMM_WORLD_RANKS=3"}) {
        host.put(strings, bad, strlen(bad) + 1);
        pointers = {strings, 0};
        host.put(list, pointers.data(), 16);
        of();
        EXPECT_EQ(snap->process.rank, -1) << bad;
    }
    // A list without an end, and strings that are not there.
    host.put(list, std::vector<uint64_t>(512, 0x10).data(), 4096);
    of();
    EXPECT_EQ(snap->process.rank, -1);
    // A batch script is no rank.
    text = std::string("SLURM_PROCID=0") + '\0' + "SLURM_JOB_ID=5" + '\0';
    pointers = {strings, strings + 15, 0};
    host.put(strings, text.data(), text.size());
    host.put(list, pointers.data(), 24);
    of();
    EXPECT_EQ(snap->process.rank, -1);
    EXPECT_STREQ(snap->process.job, "5");
    EXPECT_EQ(snap->process.step, nullptr);
}

TEST_F(Activity, RankOfAHostThatKnowsTheEnvironment)
{
    host.environment = {"PATH=/bin", "PMI_RANK=2", "PMI_SIZE=4", "PMI_SIZES=9",
                        "SLURM_JOB_ID=" + std::string(200, '1')};
    of();
    EXPECT_EQ(snap->process.rank, 2);
    EXPECT_EQ(snap->process.size, 4);
    EXPECT_EQ(snap->process.job, nullptr);
    EXPECT_EQ(snap->stats.lookups, 0u);
}

TEST_F(Activity, HashesOfRegisters)
{
    stack({"user:work"});
    of();
    uint64_t before = mdl_thread_by_lwp(snap, kWaiter)->registers;
    EXPECT_NE(before, 0u);
    of();
    EXPECT_EQ(mdl_thread_by_lwp(snap, kWaiter)->registers, before);
    host.reg[{kWaiter, 7}] = 0x7ffff000;
    of();
    EXPECT_NE(mdl_thread_by_lwp(snap, kWaiter)->registers, before);
}

} // namespace
