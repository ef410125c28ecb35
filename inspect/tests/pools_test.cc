// SPDX-License-Identifier: Apache-2.0
// Whose pool's worker a thread is, by the function that it sleeps in.
#include "inspect/activity/pools.h"

#include <gtest/gtest.h>

#include "inspect/tests/hand.h"

namespace
{

struct Frame {
    insp_code code;
    const char *function, *module;
};

constexpr char kLibc[] = "/lib/x86_64-linux-gnu/libc.so.6", kJax[] = "/w/jaxlib/libjax_common.so",
               kBlas[] = "/usr/lib/libopenblasp-r0.3.21.so";
const Frame kWait = {INSP_CODE_LIBC, "pthread_cond_wait", kLibc}, kStart = {INSP_CODE_LIBC, nullptr, kLibc};

std::string Pool(const std::vector<Frame> &frames, mdl_activity_kind kind = MDL_ACTIVITY_CONDITION,
                 bool asleep = true)
{
    Hand h(1);
    mdl_thread *t = &h.s->threads[0];

    for (size_t i = 0; i < frames.size(); i++) {
        h.Frame(0, frames[i].code, frames[i].function);
        t->frames[i].module = frames[i].module;
    }
    t->activity.kind = kind;
    t->activity.asleep = asleep;
    const char *pool = pool_of(t);
    return pool ? pool : "none";
}

TEST(Pools, ByTheFunctionThatWaits)
{
    const insp_code user = INSP_CODE_USER;

    EXPECT_EQ(Pool({kWait, {user, "blas_thread_server", kBlas}, kStart}), "OpenBLAS");
    EXPECT_EQ(Pool({kWait,
                    {INSP_CODE_CXX, "std::condition_variable::wait", "libstdc++.so.6"},
                    {user, "Eigen::EventCount::CommitWait", kJax},
                    {user, "Eigen::ThreadPoolTempl<tsl::thread::EigenEnvironment>::WorkerLoop", kJax},
                    kStart}),
              "Eigen");
    EXPECT_EQ(Pool({{INSP_CODE_LIBC, "syscall", kLibc},
                    {user, "nsync::futex", kJax},
                    {user, "nsync::nsync_cv_wait", kJax},
                    {user, "Eigen::ThreadPoolTempl<T>::WaitForWork", kJax},
                    kStart},
                   MDL_ACTIVITY_FUTEX),
              "Eigen");
    EXPECT_EQ(Pool({kWait, {user, "thread_main", "/w/torch/lib/libtorch_cpu.so"}, kStart}), "pthreadpool");
    EXPECT_EQ(
        Pool({kWait, {user, "tbb::detail::r1::rml::private_worker::run", "/usr/lib/libtbb.so.12"}, kStart}),
        "TBB");
}

TEST(Pools, StrippedLibraries)
{
    EXPECT_EQ(Pool({kWait, {INSP_CODE_USER, nullptr, kBlas}, kStart}), "OpenBLAS");
    // The program has called the library, or the stack does not go on to its foot.
    EXPECT_EQ(Pool({kWait, {INSP_CODE_USER, nullptr, kBlas}, {INSP_CODE_USER, "main", "/a"}, kStart}),
              "none");
    EXPECT_EQ(Pool({kWait, {INSP_CODE_USER, nullptr, kBlas}}), "none");
}

TEST(Pools, NotIdle)
{
    const Frame server = {INSP_CODE_USER, "blas_thread_server", kBlas};

    // A function of the program's waits, called by the pool.
    EXPECT_EQ(
        Pool({kWait, {INSP_CODE_USER, "stage", "/a"}, {INSP_CODE_USER, "Eigen::EventCount::Wait", kJax}}),
        "none");
    EXPECT_EQ(Pool({kWait, {INSP_CODE_USER, "thread_main", "/apps/server"}, kStart}), "none");
    EXPECT_EQ(Pool({kWait, server, kStart}, MDL_ACTIVITY_CONDITION, false), "none");
    EXPECT_EQ(Pool({kWait, server, kStart}, MDL_ACTIVITY_MUTEX), "none");
    EXPECT_EQ(Pool({kWait, server, kStart}, MDL_ACTIVITY_COMPUTES), "none");
    EXPECT_EQ(Pool({}), "none");
}

} // namespace
