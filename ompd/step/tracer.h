/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program under ptrace all of whose threads move one instruction at a time, in an order that a seed
 * decides.
 */
#ifndef OMPD_STEP_TRACER_H
#define OMPD_STEP_TRACER_H

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

class Tracer
{
  public:
    /** Starts argv and runs it to its first breakpoint instruction, then stops every thread. */
    explicit Tracer(const std::vector<std::string> &argv);
    ~Tracer();

    struct Thread {
        pid_t tid;
        bool blocked;     /**< in a system call that has not come back */
        uint64_t pthread; /**< the thread pointer, which is pthread_t on x86-64 */
    };

    pid_t pid() const { return pid_; }
    const std::vector<Thread> &threads() const { return threads_; }
    /** Where the file that ends with `name` is mapped (its ELF header), 0 if nowhere. */
    uint64_t base_of(const std::string &name) const;
    bool read(uint64_t address, void *buffer, size_t size) const;
    /** What the program wrote to its standard output before the mark. */
    const std::string &output() const { return output_; }

    enum Result { kMoved, kFinished, kStuck };
    /**
     * One instruction of threads()[index]; kFinished when the main thread has reached its second breakpoint.
     */
    Result step(size_t index);
    /** A thread that can move, chosen with `random`; -1 when all are blocked. */
    int pick(uint32_t random);

  private:
    void stop_all();
    bool wait_stop(Thread &thread, bool patient, int *status);

    pid_t pid_;
    std::string output_;
    std::vector<Thread> threads_;
};

#endif
