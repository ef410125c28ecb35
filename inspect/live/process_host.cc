// SPDX-License-Identifier: Apache-2.0
#include "process_host.h"

#include <elf.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

ProcessHost::ProcessHost(const std::vector<std::string> &argv,
                         const std::vector<std::pair<std::string, std::string>> &env)
    : exe_(argv[0])
{
    int out[2];
    if (pipe(out) != 0)
        throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        for (const auto &variable : env)
            setenv(variable.first.c_str(), variable.second.c_str(), 1);
        std::vector<char *> args;
        for (const std::string &arg : argv)
            args.push_back(const_cast<char *>(arg.c_str()));
        args.push_back(nullptr);
        execv(args[0], args.data());
        _exit(127);
    }
    close(out[1]);
    out_ = out[0];
    std::string text;
    char part[65536];
    for (;;) {
        ssize_t n = ::read(out_, part, sizeof part);
        if (n <= 0)
            throw std::runtime_error(exe_ + " ended before it told its truth");
        text.append(part, static_cast<size_t>(n));
        size_t at = text.find("TRUTH "), end = at == std::string::npos ? at : text.find('\n', at);
        if (end != std::string::npos) {
            truth_ = text.substr(at + 6, end - at - 6);
            break;
        }
    }
    DIR *dir = opendir(("/proc/" + std::to_string(pid_) + "/task").c_str());
    while (dirent *entry = readdir(dir)) {
        pid_t tid = atoi(entry->d_name);
        if (tid <= 0)
            continue;
        int status = 0;
        user_regs_struct regs;
        // A thread that ends just now is none of those at rest.
        if (ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) != 0 && errno == ESRCH)
            continue;
        ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
        if (waitpid(tid, &status, __WALL) == tid && !WIFSTOPPED(status))
            continue;
        if (!WIFSTOPPED(status) || ptrace(PTRACE_GETREGS, tid, nullptr, &regs) != 0) {
            kill(pid_, SIGKILL);
            throw std::runtime_error("cannot stop a thread");
        }
        threads_.push_back({tid, regs}); // fs_base is pthread_t on x86-64
    }
    closedir(dir);
    std::ifstream maps("/proc/" + std::to_string(pid_) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        std::string range, access, offset, device, inode, path;
        fields >> range >> access >> offset >> device >> inode >> path;
        if (!path.empty() && path[0] == '/' && strtoull(offset.c_str(), nullptr, 16) == 0)
            modules_.emplace_back(strtoull(range.c_str(), nullptr, 16), path);
    }
}

ProcessHost::~ProcessHost()
{
    kill(pid_, SIGKILL);
    // In any order: the first thread's end is reported only when all others' have been taken.
    while (waitpid(-1, nullptr, __WALL) > 0) {
    }
    close(out_);
}

insp_host ProcessHost::host()
{
    insp_host host;
    memset(&host, 0, sizeof host);
    host.version = INSP_HOST_VERSION;
    host.size = sizeof host;
    host.ctx = this;
    host.process = process;
    host.module = module;
    host.read = read;
    host.thread = thread;
    host.reg = reg;
    host.frame = frame;
    host.system_call = system_call;
    return host;
}

int ProcessHost::process(void *ctx, int64_t *pid, const char **exe, const char **core, const char **hostname,
                         int32_t *signal, int64_t *crashed_lwp)
{
    ProcessHost *self = static_cast<ProcessHost *>(ctx);
    *pid = self->pid_;
    *exe = self->exe_.c_str();
    *core = nullptr;
    *hostname = nullptr;
    *signal = 0;
    *crashed_lwp = 0;
    return 0;
}

int ProcessHost::module(void *ctx, uint32_t index, insp_module *ret)
{
    ProcessHost *self = static_cast<ProcessHost *>(ctx);
    if (index >= self->modules_.size())
        return 1;
    ret->base = self->modules_[index].first;
    ret->path = self->modules_[index].second.c_str();
    return 0;
}

int ProcessHost::read(void *ctx, uint64_t addr, void *buf, uint64_t size)
{
    ProcessHost *self = static_cast<ProcessHost *>(ctx);
    iovec local{buf, size}, remote{reinterpret_cast<void *>(addr), size};
    return process_vm_readv(self->pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size) ? 0 : -1;
}

int ProcessHost::thread(void *ctx, uint32_t index, insp_thread *ret)
{
    ProcessHost *self = static_cast<ProcessHost *>(ctx);
    if (index >= self->threads_.size())
        return 1;
    memset(ret, 0, sizeof *ret);
    ret->lwp = self->threads_[index].tid;
    ret->pthread = self->threads_[index].regs.fs_base;
    return 0;
}

int ProcessHost::reg(void *ctx, int64_t lwp, uint32_t dwarf_reg, uint64_t *value)
{
    enum { kRip = 16 };
    const user_regs_struct *regs = static_cast<ProcessHost *>(ctx)->regs(lwp);
    if (regs == nullptr || dwarf_reg != kRip)
        return 1;
    *value = regs->rip;
    return 0;
}

const user_regs_struct *ProcessHost::regs(int64_t lwp) const
{
    for (const Thread &thread : threads_)
        if (thread.tid == lwp)
            return &thread.regs;
    return nullptr;
}

int ProcessHost::frame(void *ctx, int64_t lwp, uint32_t index, insp_frame *ret)
{
    const user_regs_struct *regs = static_cast<ProcessHost *>(ctx)->regs(lwp);
    if (regs == nullptr || index != 0)
        return 1;
    ret->pc = regs->rip;
    return 0;
}

int ProcessHost::system_call(void *ctx, int64_t lwp, insp_system_call *ret)
{
    const user_regs_struct *regs = static_cast<ProcessHost *>(ctx)->regs(lwp);
    if (regs == nullptr)
        return -1;
    if (static_cast<int64_t>(regs->orig_rax) < 0)
        return 1;
    *ret = {EM_X86_64,
            static_cast<int64_t>(regs->orig_rax),
            {regs->rdi, regs->rsi, regs->rdx, regs->r10, regs->r8, regs->r9},
            static_cast<int64_t>(regs->rax),
            0};
    return 0;
}
