/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/system_call.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* clang-format off */
static const struct system_call_kind kinds[] = {
    /* name, x86-64, aarch64, kind, descriptor, timeout, its argument, ends with EINTR */
    {"futex", 202, 98, MDL_ACTIVITY_FUTEX, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"futex_waitv", 449, 449, MDL_ACTIVITY_FUTEX, -1, SYSTEM_CALL_MOMENT, 3, false},
    {"futex_wait", 455, 455, MDL_ACTIVITY_FUTEX, -1, SYSTEM_CALL_MOMENT, 4, false},
    {"nanosleep", 35, 101, MDL_ACTIVITY_SLEEP, -1, SYSTEM_CALL_TIMESPEC, 0, false},
    {"clock_nanosleep", 230, 115, MDL_ACTIVITY_SLEEP, -1, SYSTEM_CALL_TIMESPEC, 2, false},
    {"read", 0, 63, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"pread64", 17, 67, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"readv", 19, 65, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"preadv", 295, 69, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"preadv2", 327, 286, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"recvfrom", 45, 207, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"recvmsg", 47, 212, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"recvmmsg", 299, 243, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_TIMESPEC, 4, true},
    {"accept", 43, 202, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"accept4", 288, 242, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"mq_timedreceive", 243, 183, MDL_ACTIVITY_READ, 0, SYSTEM_CALL_MOMENT, 4, true},
    {"write", 1, 64, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"pwrite64", 18, 68, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"writev", 20, 66, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"pwritev", 296, 70, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"pwritev2", 328, 287, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"sendto", 44, 206, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"sendmsg", 46, 211, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"sendmmsg", 307, 269, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"sendfile", 40, 71, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"mq_timedsend", 242, 182, MDL_ACTIVITY_WRITE, 0, SYSTEM_CALL_MOMENT, 4, true},
    {"poll", 7, -1, MDL_ACTIVITY_POLL, -1, SYSTEM_CALL_MILLISECONDS, 2, false},
    {"ppoll", 271, 73, MDL_ACTIVITY_POLL, -1, SYSTEM_CALL_TIMESPEC, 2, false},
    {"select", 23, -1, MDL_ACTIVITY_POLL, -1, SYSTEM_CALL_TIMEVAL, 4, false},
    {"pselect6", 270, 72, MDL_ACTIVITY_POLL, -1, SYSTEM_CALL_TIMESPEC, 4, false},
    {"epoll_wait", 232, -1, MDL_ACTIVITY_POLL, 0, SYSTEM_CALL_MILLISECONDS, 3, true},
    {"epoll_pwait", 281, 22, MDL_ACTIVITY_POLL, 0, SYSTEM_CALL_MILLISECONDS, 3, true},
    {"epoll_pwait2", 441, 441, MDL_ACTIVITY_POLL, 0, SYSTEM_CALL_TIMESPEC, 3, true},
    {"io_uring_enter", 426, 426, MDL_ACTIVITY_IO_URING, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"wait4", 61, 260, MDL_ACTIVITY_CHILD, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"waitid", 247, 95, MDL_ACTIVITY_CHILD, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"vfork", 58, -1, MDL_ACTIVITY_CHILD, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"clone", 56, 220, MDL_ACTIVITY_CHILD, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"clone3", 435, 435, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"pause", 34, -1, MDL_ACTIVITY_SIGNAL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"rt_sigsuspend", 130, 133, MDL_ACTIVITY_SIGNAL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"rt_sigtimedwait", 128, 137, MDL_ACTIVITY_SIGNAL, -1, SYSTEM_CALL_TIMESPEC, 2, true},
    {"semop", 65, 193, MDL_ACTIVITY_SEMAPHORE, -1, SYSTEM_CALL_FOR_EVER, 0, true},
    {"semtimedop", 220, 192, MDL_ACTIVITY_SEMAPHORE, -1, SYSTEM_CALL_TIMESPEC, 3, true},
    {"msgrcv", 70, 188, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"msgsnd", 69, 189, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"io_getevents", 208, 4, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_TIMESPEC, 4, true},
    {"io_pgetevents", 333, 292, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_TIMESPEC, 4, true},
    {"connect", 42, 203, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"flock", 73, 32, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"fcntl", 72, 25, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"ioctl", 16, 29, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"fsync", 74, 82, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"fdatasync", 75, 83, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"splice", 275, 76, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"tee", 276, 77, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"vmsplice", 278, 75, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, true},
    {"copy_file_range", 326, 285, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"close", 3, 57, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"ftruncate", 77, 46, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"fallocate", 285, 47, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"getdents64", 217, 61, MDL_ACTIVITY_SYSTEM_CALL, 0, SYSTEM_CALL_FOR_EVER, 0, false},
    {"open", 2, -1, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, true},
    {"openat", 257, 56, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, true},
    {"stat", 4, -1, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"newfstatat", 262, 79, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"statx", 332, 291, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"mmap", 9, 222, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"mprotect", 10, 226, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"munmap", 11, 215, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"brk", 12, 214, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"mremap", 25, 216, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"msync", 26, 227, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"madvise", 28, 233, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"sched_yield", 24, 124, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"membarrier", 324, 283, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"userfaultfd", 323, 282, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"getrandom", 318, 278, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, true},
    {"ptrace", 101, 117, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"execve", 59, 221, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"exit", 60, 93, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"exit_group", 231, 94, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
    {"sync", 162, 81, MDL_ACTIVITY_SYSTEM_CALL, -1, SYSTEM_CALL_FOR_EVER, 0, false},
};
/* clang-format on */

enum { COUNT = sizeof(kinds) / sizeof(*kinds) };

/* The kernel's own results, which a program never sees: include/linux/errno.h. */
enum {
    ERESTARTSYS = 512,
    ERESTARTNOINTR = 513,
    ERESTARTNOHAND = 514,
    ERESTART_RESTARTBLOCK = 516,
    INTERRUPTED = 4
};

/* sys/wait.h's idtype_t. */
enum { ID_OF_PID = 1, ID_OF_PIDFD = 3 };

static int number_of(const struct system_call_kind *kind, int machine)
{
    return machine == EM_AARCH64 ? kind->aarch64 : machine == EM_X86_64 ? kind->x86_64 : -1;
}

static const struct system_call_kind *kind_of(int machine, int64_t number)
{
    for (int i = 0; i < COUNT && number >= 0; i++)
        if (number_of(&kinds[i], machine) == number)
            return &kinds[i];
    return NULL;
}

/* A thread that slept in a call when it was stopped stands behind it, with a result that says what the kernel
   would do with the call next. */
static bool still_inside(const struct insp_system_call *told, const struct system_call_kind *kind)
{
    switch (-told->result) {
    case ERESTARTSYS:
    case ERESTARTNOINTR:
    case ERESTARTNOHAND:
    case ERESTART_RESTARTBLOCK:
        return true;
    case INTERRUPTED:
        return kind && kind->interrupted;
    default:
        return false;
    }
}

void system_call_of(insp_session *s, int64_t lwp, struct system_call *ret)
{
    struct insp_system_call told = {0};
    int rc;

    *ret = (struct system_call){.number = -1};
    if (!s->host.system_call)
        return;
    rc = host_system_call(s, lwp, &told);
    ret->known = rc >= 0;
    if (rc || told.number < 0)
        return;
    ret->machine = told.machine;
    ret->number = told.number;
    memcpy(ret->arg, told.arg, sizeof(ret->arg));
    ret->kind = kind_of(told.machine, told.number);
    ret->inside = told.inside || still_inside(&told, ret->kind);
    ret->left = !ret->inside;
    ret->first_lost =
        told.machine == EM_AARCH64 && !told.inside && told.arg[0] == (uint64_t)told.result && told.result < 0;
}

bool system_call_goes_on(const struct system_call *call)
{
    return (call->machine == EM_X86_64 && call->number == 219) ||
           (call->machine == EM_AARCH64 && call->number == 128);
}

bool system_call_is(struct system_call *call, const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (!strcmp(kinds[i].name, name) && number_of(&kinds[i], call->machine) >= 0) {
            call->kind = &kinds[i];
            call->number = number_of(&kinds[i], call->machine);
            return true;
        }
    return false;
}

bool system_call_by_code(insp_session *s, struct system_call *call, uint64_t pc)
{
    enum { MOV_EAX = 0xb8, SYSCALL_0 = 0x0f, SYSCALL_1 = 0x05 };
    const struct system_call_kind *kind;
    uint8_t code[7];
    int32_t number;

    if (call->machine != EM_X86_64 || pc < sizeof(code) ||
        still_read(s, pc - sizeof(code), code, sizeof(code)))
        return false;
    if (code[0] != MOV_EAX || code[5] != SYSCALL_0 || code[6] != SYSCALL_1)
        return false;
    memcpy(&number, code + 1, sizeof(number));
    kind = kind_of(call->machine, number);
    if (!kind)
        return false;
    call->kind = kind;
    call->number = number;
    return true;
}

const char *system_call_name(const struct system_call *call, struct arena *a)
{
    if (system_call_goes_on(call))
        return "restart_syscall";
    return call->kind ? call->kind->name : arena_printf(a, "system call %" PRId64, call->number);
}

bool system_call_named(const struct system_call *call, const char *name)
{
    return call->kind && !strcmp(call->kind->name, name);
}

int futex_op(const struct system_call *call)
{
    return (int)(call->arg[1] & FUTEX_OP_MASK);
}

bool futex_is_private(const struct system_call *call)
{
    return call->arg[1] & FUTEX_OP_PRIVATE;
}

bool futex_is_plain_lock(const struct system_call *call)
{
    return system_call_named(call, "futex") && futex_op(call) == FUTEX_OP_WAIT &&
           (uint32_t)call->arg[2] == 2 && !call->arg[3];
}

bool futex_is_pi(const struct system_call *call)
{
    return system_call_named(call, "futex") &&
           (futex_op(call) == FUTEX_OP_LOCK_PI || futex_op(call) == FUTEX_OP_LOCK_PI2);
}

/* The child that a call waits for: -1 any, 0 not known. */
static int64_t child_of(const struct system_call *call)
{
    int32_t pid = -1;

    if (call->first_lost)
        return 0;
    if (system_call_named(call, "wait4"))
        pid = (int32_t)call->arg[0];
    else if (system_call_named(call, "waitid") && (int32_t)call->arg[0] == ID_OF_PID)
        pid = (int32_t)call->arg[1];
    return pid > 0 ? pid : -1;
}

/* vfork and posix_spawn wait until the child runs another program; any other clone returns at once. */
static bool waits_for_child(const struct system_call *call)
{
    const uint64_t clone_vfork = 0x4000;

    return !system_call_named(call, "clone") || call->arg[0] & clone_vfork;
}

void system_call_tell(const struct system_call *call, struct mdl_activity *ret)
{
    const struct system_call_kind *kind = call->kind;

    ret->kind = kind && waits_for_child(call) ? kind->kind : MDL_ACTIVITY_SYSTEM_CALL;
    if (!kind)
        return;
    if (system_call_named(call, "futex"))
        ret->object = call->first_lost ? 0 : call->arg[0];
    if (ret->kind == MDL_ACTIVITY_CHILD)
        ret->child = child_of(call);
    if (kind->descriptor > 0 || (!kind->descriptor && !call->first_lost))
        ret->descriptor = (int32_t)call->arg[kind->descriptor];
    if (system_call_named(call, "waitid") && !call->first_lost && (int32_t)call->arg[0] == ID_OF_PIDFD)
        ret->descriptor = (int32_t)call->arg[1];
    if (ret->descriptor < 0)
        ret->descriptor = -1;
}
