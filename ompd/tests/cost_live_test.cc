// SPDX-License-Identifier: Apache-2.0
// What a debugger without a bracket makes libompd read of a living process: the calls of LLVM's GDB plugin
// for each of its commands, against what LLVM's own library reads of its own runtime for them. Its numbers
// were counted with its plugin, by the callbacks, at 64 threads: ompd threads 134 reads of 816 bytes, ompd
// parallel 799 of 5100, one thread found 3 of 20. Ours may take four times the bytes, and twice the reads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "ompd/tests/image.h"

namespace
{

std::string program;

struct Counts {
    uint64_t reads, bytes;
} counts;

/** The target, held; read through /proc. */
class Target
{
  public:
    Target(int threads, const char *mode) : tids(threads), pthreads(threads)
    {
        int out[2];
        if (pipe(out) != 0)
            return;
        pid_ = fork();
        if (pid_ == 0) {
            dup2(out[1], 1);
            close(out[0]);
            execl(program.c_str(), program.c_str(), std::to_string(threads).c_str(), mode, (char *)nullptr);
            _exit(127);
        }
        close(out[1]);
        FILE *lines = fdopen(out[0], "r");
        char line[256];
        while (fgets(line, sizeof line, lines) != nullptr) {
            std::istringstream words(line);
            std::string word;
            unsigned number;
            words >> word;
            if (word == "HELD") {
                words >> table;
                break;
            }
            words >> number;
            words >> tids.at(number) >> pthreads.at(number);
        }
        fclose(lines);
        memory_ = open(("/proc/" + std::to_string(pid_) + "/mem").c_str(), O_RDONLY);
    }
    ~Target()
    {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        close(memory_);
    }
    bool Read(uint64_t address, void *buffer, size_t bytes) const
    {
        return pread(memory_, buffer, bytes, (off_t)address) == (ssize_t)bytes;
    }
    uint64_t table = 0;
    std::vector<uint64_t> tids, pthreads;

  private:
    pid_t pid_ = -1;
    int memory_ = -1;
};

// ---- the tool
ompd_rc_t Allocate(ompd_size_t bytes, void **ret)
{
    *ret = malloc(bytes);
    return ompd_rc_ok;
}
ompd_rc_t Free(void *block)
{
    free(block);
    return ompd_rc_ok;
}
ompd_rc_t Print(const char *text, int)
{
    ADD_FAILURE() << text;
    return ompd_rc_ok;
}
ompd_rc_t Sizes(ompd_address_space_context_t *, ompd_device_type_sizes_t *sizes)
{
    *sizes = {1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}
ompd_rc_t Symbol(ompd_address_space_context_t *context, ompd_thread_context_t *, const char *name,
                 ompd_address_t *ret, const char *)
{
    if (strcmp(name, "rt_layout_table") != 0)
        return ompd_rc_error;
    *ret = {0, reinterpret_cast<Target *>(context)->table};
    return ompd_rc_ok;
}
ompd_rc_t ReadMemory(ompd_address_space_context_t *context, ompd_thread_context_t *,
                     const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    counts.reads++;
    counts.bytes += bytes;
    return reinterpret_cast<Target *>(context)->Read(address->address, buffer, bytes) ? ompd_rc_ok
                                                                                      : ompd_rc_error;
}
ompd_rc_t Convert(ompd_address_space_context_t *, const void *in, ompd_size_t unit, ompd_size_t count,
                  void *out)
{
    memmove(out, in, unit * count);
    return ompd_rc_ok;
}

/** A debugger that has found the threads of a region and looks at them. */
class Cost : public testing::Test
{
  protected:
    void SetUp() override
    {
        static ompd_callbacks_t callbacks = {};
        callbacks.alloc_memory = Allocate;
        callbacks.free_memory = Free;
        callbacks.print_string = Print;
        callbacks.sizeof_type = Sizes;
        callbacks.symbol_addr_lookup = Symbol;
        callbacks.read_memory = ReadMemory;
        callbacks.device_to_host = Convert;
        callbacks.host_to_device = Convert;
        ASSERT_EQ(ompd_initialize(201811, &callbacks), ompd_rc_ok);
    }
    void TearDown() override
    {
        for (ompd_thread_handle_t *thread : threads)
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
        EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        EXPECT_EQ(ompd_finalize(), ompd_rc_ok);
    }
    void Start(Target &target)
    {
        ASSERT_NE(target.table, 0u);
        ASSERT_EQ(
            ompd_process_initialize(reinterpret_cast<ompd_address_space_context_t *>(&target), &process),
            ompd_rc_ok);
    }
    /** Finds all threads by one of their numbers, and gives the counts of that. */
    Counts FindAll(Target &target, ompd_thread_id_t kind)
    {
        counts = {};
        for (size_t i = 0; i < target.tids.size(); i++) {
            const uint64_t native = kind == OMPD_THREAD_ID_LWP ? target.tids[i] : target.pthreads[i];
            ompd_thread_handle_t *thread = nullptr;
            EXPECT_EQ(ompd_get_thread_handle(process, kind, 8, &native, &thread), ompd_rc_ok) << i;
            threads.push_back(thread);
        }
        return counts;
    }
    ompd_word_t State(ompd_thread_handle_t *thread, ompd_wait_id_t *wait)
    {
        ompd_word_t state = -1;
        EXPECT_EQ(ompd_get_state(thread, &state, wait), ompd_rc_ok);
        return state;
    }
    /** Waits until all threads but the first have come to where they stay. */
    void AllStay(ompd_word_t expected)
    {
        ompd_wait_id_t wait;
        for (size_t i = 1; i < threads.size(); i++)
            while (State(threads[i], &wait) != expected)
                usleep(1000);
    }
    /** `ompd threads`. */
    Counts States(ompd_word_t expected)
    {
        ompd_wait_id_t first_wait = 0, wait;
        counts = {};
        for (size_t i = 0; i < threads.size(); i++) {
            const ompd_word_t state = State(threads[i], &wait);
            EXPECT_EQ(state, i == 0 ? (ompd_word_t)ompt_state_work_parallel : expected) << i;
            first_wait = i == 1 ? wait : first_wait;
            EXPECT_EQ(wait, i == 0 ? 0 : first_wait) << i; /* all wait for the same */
        }
        EXPECT_NE(first_wait, 0u);
        return counts;
    }
    /** `ompd parallel`: what the plugin asks of each member, state and wait id separately. */
    Counts Members()
    {
        ompd_parallel_handle_t *region;
        counts = {};
        EXPECT_EQ(ompd_get_curr_parallel_handle(threads[0], &region), ompd_rc_ok);
        for (size_t i = 0; i < threads.size(); i++) {
            ompd_thread_handle_t *thread;
            ompd_task_handle_t *task;
            ompd_address_t function;
            ompd_wait_id_t wait;
            int same = -1;
            EXPECT_EQ(ompd_get_thread_in_parallel(region, (int)i, &thread), ompd_rc_ok);
            EXPECT_EQ(ompd_thread_handle_compare(thread, threads[i], &same), ompd_rc_ok);
            EXPECT_EQ(same, 0) << i;
            EXPECT_EQ(State(thread, &wait), State(thread, &wait));
            EXPECT_EQ(ompd_get_task_in_parallel(region, (int)i, &task), ompd_rc_ok);
            EXPECT_EQ(ompd_get_task_function(task, &function), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
            EXPECT_EQ(ompd_rel_task_handle(task), ompd_rc_ok);
        }
        EXPECT_EQ(ompd_rel_parallel_handle(region), ompd_rc_ok);
        return counts;
    }
    ompd_address_space_handle_t *process = nullptr;
    std::vector<ompd_thread_handle_t *> threads;
};

TEST_F(Cost, ThreadsAreFoundByTheSystemsNumber)
{
    Target target(64, "barrier");
    Start(target);
    const Counts found = FindAll(target, OMPD_THREAD_ID_LWP);
    printf("64 threads by LWP: %llu reads, %llu bytes\n", (unsigned long long)found.reads,
           (unsigned long long)found.bytes);
    EXPECT_LE(found.bytes, 4 * (64 * 20u + 24));
    EXPECT_LE(found.reads, 2 * (64 * 3u + 3));
}

TEST_F(Cost, FindingThemGrowsWithTheirNumberOnly)
{
    Counts found[2];
    for (int i = 0; i < 2; i++) {
        Target target(i == 0 ? 32 : 128, "barrier");
        Start(target);
        found[i] = FindAll(target, OMPD_THREAD_ID_PTHREAD);
        for (ompd_thread_handle_t *thread : threads)
            EXPECT_EQ(ompd_rel_thread_handle(thread), ompd_rc_ok);
        threads.clear();
        if (i == 0) {
            EXPECT_EQ(ompd_rel_address_space_handle(process), ompd_rc_ok);
        }
    }
    EXPECT_LE(found[1].bytes, 4 * found[0].bytes);
    EXPECT_LE(found[1].reads, 4 * found[0].reads);
}

TEST_F(Cost, AtABarrier)
{
    Target target(64, "barrier");
    Start(target);
    FindAll(target, OMPD_THREAD_ID_LWP);
    AllStay(ompt_state_wait_barrier_explicit);
    const Counts states = States(ompt_state_wait_barrier_explicit), members = Members();
    printf("states %llu reads, %llu bytes; members %llu reads, %llu bytes\n",
           (unsigned long long)states.reads, (unsigned long long)states.bytes,
           (unsigned long long)members.reads, (unsigned long long)members.bytes);
    EXPECT_LE(states.bytes, 4 * 816u);
    EXPECT_LE(states.reads, 2 * 134u);
    EXPECT_LE(members.bytes, 4 * 5100u);
    EXPECT_LE(members.reads, 2 * 799u);
}

TEST_F(Cost, AtALock)
{
    Target target(64, "lock");
    Start(target);
    FindAll(target, OMPD_THREAD_ID_LWP);
    AllStay(ompt_state_wait_lock);
    const Counts states = States(ompt_state_wait_lock), members = Members();
    printf("states %llu reads, %llu bytes; members %llu reads, %llu bytes\n",
           (unsigned long long)states.reads, (unsigned long long)states.bytes,
           (unsigned long long)members.reads, (unsigned long long)members.bytes);
    EXPECT_LE(states.bytes, 4 * 816u);
    EXPECT_LE(states.reads, 2 * 134u);
    EXPECT_LE(members.bytes, 4 * 5100u);
    EXPECT_LE(members.reads, 2 * 799u);
}

} // namespace

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    program = argv[1];
    return RUN_ALL_TESTS();
}
