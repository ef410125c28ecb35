// SPDX-License-Identifier: Apache-2.0
// A host for tests: a program that this test starts, lets come to rest, and stops with ptrace. No debugger,
// no symbols, and no stacks but for where each thread stands.
#ifndef INSPECT_LIVE_PROCESS_HOST_H
#define INSPECT_LIVE_PROCESS_HOST_H

#include <sys/types.h>
#include <sys/user.h>

#include <string>
#include <vector>

#include "inspect/host.h"

class ProcessHost
{
  public:
    /** Starts the program and waits for its line "TRUTH {...}"; then stops every thread. */
    ProcessHost(const std::vector<std::string> &argv,
                const std::vector<std::pair<std::string, std::string>> &env);
    ~ProcessHost();
    ProcessHost(const ProcessHost &) = delete;
    ProcessHost &operator=(const ProcessHost &) = delete;

    const std::string &truth() const { return truth_; }
    insp_host host();

  private:
    static int process(void *, int64_t *, const char **, const char **, const char **, int32_t *, int64_t *);
    static int module(void *, uint32_t, insp_module *);
    static int read(void *, uint64_t, void *, uint64_t);
    static int thread(void *, uint32_t, insp_thread *);
    static int reg(void *, int64_t, uint32_t, uint64_t *);
    static int frame(void *, int64_t, uint32_t, insp_frame *);
    static int system_call(void *, int64_t, insp_system_call *);
    const user_regs_struct *regs(int64_t) const;

    pid_t pid_;
    int out_;
    std::string exe_, truth_;
    std::vector<std::pair<uint64_t, std::string>> modules_;
    struct Thread {
        pid_t tid;
        user_regs_struct regs;
    };
    std::vector<Thread> threads_;
};

#endif
