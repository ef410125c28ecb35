// SPDX-License-Identifier: Apache-2.0
// Threads in MPI, and of which rank and job the process is.
// Numbers of system calls are those of the kernel's own headers, layouts those of <pthread.h>.
#include "inspect/tests/activity.h"

namespace
{

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
