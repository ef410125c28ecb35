// SPDX-License-Identifier: Apache-2.0
#include "tracer.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace
{

[[noreturn]] void fail(const std::string &what)
{
    throw std::runtime_error(what + ": " + strerror(errno));
}

char state_of(pid_t pid, pid_t tid)
{
    std::ifstream stat("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/stat");
    std::string line;
    std::getline(stat, line);
    size_t after = line.rfind(") ");
    return after == std::string::npos ? 'X' : line[after + 2];
}

uint64_t thread_pointer(pid_t tid)
{
    user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, tid, nullptr, &regs) != 0)
        fail("registers");
    return regs.fs_base;
}

} // namespace

Tracer::Tracer(const std::vector<std::string> &argv)
{
    int out[2];
    if (pipe(out) != 0)
        fail("pipe");
    pid_ = fork();
    if (pid_ == 0) {
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        setenv("OMP_WAIT_POLICY", "passive", 1); // spinning would be stepped, too
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        std::vector<char *> args;
        for (const std::string &arg : argv)
            args.push_back(const_cast<char *>(arg.c_str()));
        args.push_back(nullptr);
        execv(args[0], args.data());
        _exit(127);
    }
    close(out[1]);
    int status;
    if (waitpid(pid_, &status, 0) != pid_ || !WIFSTOPPED(status))
        fail("start");
    if (ptrace(PTRACE_SETOPTIONS, pid_, nullptr,
               PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC) != 0)
        fail("options");
    ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
    // Free run to the first breakpoint: new threads and the exec report themselves and go on.
    for (;;) {
        pid_t tid = waitpid(-1, &status, __WALL);
        if (tid < 0)
            fail("wait");
        if (!WIFSTOPPED(status)) {
            if (tid == pid_)
                throw std::runtime_error("the program ended before its first mark");
            continue;
        }
        if (tid == pid_ && WSTOPSIG(status) == SIGTRAP && status >> 16 == 0)
            break;
        int signal = WSTOPSIG(status);
        ptrace(PTRACE_CONT, tid, nullptr, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
    }
    stop_all();
    char text[4096];
    ssize_t n = ::read(out[0], text, sizeof text); // written in one piece before the mark
    output_.assign(text, n > 0 ? static_cast<size_t>(n) : 0);
    close(out[0]);
}

Tracer::~Tracer()
{
    kill(pid_, SIGKILL);
    while (waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR) {
    }
}

void Tracer::stop_all()
{
    DIR *dir = opendir(("/proc/" + std::to_string(pid_) + "/task").c_str());
    while (dirent *entry = readdir(dir)) {
        pid_t tid = atoi(entry->d_name);
        if (tid <= 0)
            continue;
        Thread thread{tid, false, 0};
        if (tid != pid_) {
            int status;
            syscall(SYS_tgkill, pid_, tid, SIGSTOP);
            if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
                fail("stop a thread");
        }
        thread.pthread = thread_pointer(tid);
        threads_.push_back(thread);
    }
    closedir(dir);
}

uint64_t Tracer::base_of(const std::string &name) const
{
    std::ifstream maps("/proc/" + std::to_string(pid_) + "/maps");
    std::string line;
    while (std::getline(maps, line))
        if (line.size() > name.size() && line.compare(line.size() - name.size(), name.size(), name) == 0)
            return strtoull(line.c_str(), nullptr, 16);
    return 0;
}

bool Tracer::read(uint64_t address, void *buffer, size_t size) const
{
    iovec local{buffer, size}, remote{reinterpret_cast<void *>(address), size};
    return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

bool Tracer::wait_stop(Thread &thread, bool patient, int *status)
{
    for (int look = 0;; look++) {
        pid_t got = waitpid(thread.tid, status, __WALL | WNOHANG);
        if (got == thread.tid)
            return true;
        if (got < 0)
            fail("wait for a step");
        if (!patient)
            return false;
        // Asleep in the kernel, seen so twice with a look for its stop in between: it will not stop by
        // itself.
        if (look > 20 && state_of(pid_, thread.tid) == 'S') {
            if (waitpid(thread.tid, status, __WALL | WNOHANG) == thread.tid)
                return true;
            if (state_of(pid_, thread.tid) == 'S')
                return false;
        }
    }
}

Tracer::Result Tracer::step(size_t index)
{
    Thread &thread = threads_[index];
    if (ptrace(PTRACE_SINGLESTEP, thread.tid, nullptr, nullptr) != 0)
        fail("step");
    int status = 0;
    if (!wait_stop(thread, true, &status)) {
        thread.blocked = true;
        return kMoved;
    }
    if (!WIFSTOPPED(status))
        throw std::runtime_error("a thread ended while it was stepped");
    if (WSTOPSIG(status) != SIGTRAP)
        throw std::runtime_error("a step ended with signal " + std::to_string(WSTOPSIG(status)));
    if (thread.tid == pid_) {
        siginfo_t info; // a breakpoint instruction comes from the kernel, a step is TRAP_TRACE
        if (ptrace(PTRACE_GETSIGINFO, thread.tid, nullptr, &info) != 0)
            fail("signal information");
        if (info.si_code == SI_KERNEL)
            return kFinished;
    }
    return kMoved;
}

int Tracer::pick(uint32_t random)
{
    // Who has been woken may not have come to its stop yet: only of threads that sleep at two looks, with one
    // for their stops in between, none will come to one.
    for (int asleep = 0; asleep < 2;) {
        for (Thread &thread : threads_) {
            int status;
            if (thread.blocked && wait_stop(thread, false, &status))
                thread.blocked = false;
        }
        size_t n = threads_.size();
        for (size_t k = 0; k < n; k++)
            if (!threads_[(random + k) % n].blocked)
                return static_cast<int>((random + k) % n);
        bool all = true;
        for (const Thread &thread : threads_)
            all = all && state_of(pid_, thread.tid) == 'S';
        asleep = all ? asleep + 1 : 0;
    }
    return -1;
}
