// SPDX-License-Identifier: Apache-2.0
// A process on libomp made by hand: memory, threads with their call stacks, and the tool's callbacks on it.
// Its structures are as in libomp 14; its code is a few functions with the names that count.
#ifndef OMPD_TESTS_KMP_PROCESS_H
#define OMPD_TESTS_KMP_PROCESS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "omp-tools.h"
#include "ompdx.h"

namespace kmp
{

// Offsets in the records of libomp 14.
enum : uint64_t {
    INFO_PTHREAD = 24,
    INFO_TID = 32,
    INFO_GTID = 36,
    INFO_TEAM = 64,
    INFO_DISPATCH = 88,
    INFO_SPIN_HERE = 392,
    INFO_IDENT = 416,
    INFO_TASK_TEAM = 432,
    INFO_TASK = 440,
    INFO_BAR = 512,
    INFO_NEXT_WAITING = 1088,
    INFO_BYTES = 1408,
    BAR_GO = 48,
    BAR_ARRIVED = 64,
    BAR_BYTES = 192,
    TEAM_BAR = 64,
    TEAM_MASTER_TID = 384,
    TEAM_PARENT = 400,
    TEAM_DISPATCH = 416,
    TEAM_NPROC = 524,
    TEAM_THREADS = 832,
    TEAM_TASKDATA = 840,
    TEAM_LEVEL = 848,
    TEAM_ACTIVE_LEVEL = 924,
    TEAM_CANCEL = 1992,
    TEAM_BYTES = 2048,
    TEAM_BAR_BYTES = 64,
    TASK_FLAGS = 4,
    TASK_TEAM = 8,
    TASK_PARENT = 24,
    TASK_CHILDREN = 132,
    TASK_GROUP = 136,
    TASK_BYTES = 320,
    TASK_TEAM_UNFINISHED = 128,
    LOCK_TAIL = 16,
    LOCK_HEAD = 20,
    LOCK_DEPTH = 36,
};
enum Barrier { PLAIN, FORKJOIN, REDUCTION };

struct Row {
    int number;
    ompd_word_t state;
    ompdx_thread_info_t info;
};

class Process
{
  public:
    Process();
    ~Process();

    // ---- memory
    void Map(uint64_t address, uint64_t bytes);
    void Put(uint64_t address, unsigned size, uint64_t value);
    uint64_t New(uint64_t bytes); // zeroed, at the start of a line

    // ---- OpenMP: member 0 is the thread that the process began with
    void Team(int members);
    uint64_t Thread(int member) const { return threads_[static_cast<size_t>(member)].record; }
    uint64_t Arrived(int member, Barrier bar) const
    {
        return Thread(member) + INFO_BAR + bar * BAR_BYTES + BAR_ARRIVED;
    }
    void Own(int member, Barrier bar, uint64_t count) { Put(Arrived(member, bar), 8, count); }
    void Go(int member, Barrier bar, uint64_t value)
    {
        Put(Thread(member) + INFO_BAR + bar * BAR_BYTES + BAR_GO, 8, value);
    }
    void OfTeam(Barrier bar, uint64_t count) { Put(team + TEAM_BAR + bar * TEAM_BAR_BYTES, 8, count); }
    // An explicit task of the region, which MEMBER executes.
    uint64_t Runs(int member);
    // MEMBER is in a region of one thread inside.
    void Inside(int member);
    // All are in an ordered loop of ITERATIONS, in which member i has the iteration FIRST[i].
    void Ordered(uint64_t turn, const std::vector<int> &first, uint64_t iterations);

    // ---- stacks
    // In the user's code.
    void Works(int member);
    // In a call of the runtime from the user's code; WORDS lie in its frames. DEEP: functions inside of the
    // entry point; LIBC: of the C library inside of those.
    void Calls(int member, const std::string &name, const std::vector<uint64_t> &words = {}, int deep = 2,
               bool libc = false);
    // As the last, in a task that is executed there.
    void RunsIn(int member, const std::string &name, const std::vector<uint64_t> &words);
    // In a worker's loop.
    void Docked(int member, const std::vector<uint64_t> &words = {});
    // The primary thread makes the region.
    void Forks();
    // The innermost function of the runtime is the one that polls a number.
    void Polls(int member);
    // Register rbx in the frame of the entry point: where a call for a lock keeps the address of the user's.
    void Rbx(int member, uint64_t value);

    // ---- answers
    ompd_address_space_handle_t *Open();
    std::map<int, Row> Rows(); // by the member that the thread is of the region
    std::vector<int> Arrivals(bool *known = nullptr);
    std::map<int, int32_t> TaskStates(); // of the implicit tasks, by thread number

    uint64_t team = 0, initial_team = 0, tasks = 0;

  private:
    struct Native {
        uint64_t record, stack;
        ompdx_native_thread_t native;
        std::vector<ompdx_frame_t> frames;
    };
    static ompd_rc_t Read(ompd_address_space_context_t *, ompd_thread_context_t *thread,
                          const ompd_address_t *address, ompd_size_t bytes, void *buffer);
    static const ompd_callbacks_t *Callbacks();
    bool Copy(uint64_t address, uint64_t bytes, void *buffer) const;
    ompd_rc_t ReadSegment(uint64_t segment, uint64_t at, const Native *thread, uint64_t bytes, void *buffer);
    void AddLayout();
    void Frame(Native *thread, uint64_t pc, uint64_t sp, int64_t code);
    void Runtime(Native *thread, const std::string &name);
    void Outside(Native *thread);
    void Begin(Native *thread, const std::string &name, const std::vector<uint64_t> &words, int deep,
               bool libc);
    uint64_t Task(uint64_t at, uint64_t of_team, uint64_t parent, bool is_explicit);

    static Process *current_;
    std::map<uint64_t, std::vector<uint8_t>> memory_;
    std::vector<Native> threads_;
    std::map<std::string, uint64_t> functions_;
    uint64_t next_ = 0x600000000000, sp_ = 0;
    ompd_address_space_handle_t *space_ = nullptr;
};

} // namespace kmp

#endif
