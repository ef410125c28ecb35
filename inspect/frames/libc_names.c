/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/frames/libc_names.h"

#include <stdlib.h>
#include <string.h>

/* Functions of glibc in which threads begin, wait, and call the kernel, by all names that its symbol table
   has for them, from 2.36 to 2.43 (2.41 reaches the kernel by __syscall_cancel). In the order of strcmp. */
/* clang-format would give each a line. */
/* clang-format off */
static const char *const names[] = {
    "_Fork", "_IO_default_uflow", "_IO_do_write", "_IO_fgets", "_IO_file_read", "_IO_file_underflow",
    "_IO_file_write", "_IO_file_xsgetn", "_IO_file_xsputn", "_IO_flockfile", "_IO_fread", "_IO_fwrite",
    "_IO_getline", "_IO_getline_info", "_IO_new_do_write", "_IO_new_file_underflow",
    "_IO_new_file_write", "_IO_new_file_xsputn", "_IO_puts", "___cnd_timedwait", "___dlopen", "___dlsym",
    "___mtx_timedlock", "___pthread_barrier_wait", "___pthread_clockjoin_np",
    "___pthread_cond_broadcast", "___pthread_cond_clockwait", "___pthread_cond_signal",
    "___pthread_cond_timedwait", "___pthread_cond_wait", "___pthread_join", "___pthread_mutex_clocklock",
    "___pthread_mutex_lock", "___pthread_mutex_timedlock", "___pthread_mutex_timedlock64",
    "___pthread_mutex_trylock", "___pthread_mutex_unlock", "___pthread_once",
    "___pthread_rwlock_clockrdlock", "___pthread_rwlock_clockwrlock", "___pthread_rwlock_rdlock",
    "___pthread_rwlock_timedrdlock", "___pthread_rwlock_timedwrlock", "___pthread_rwlock_unlock",
    "___pthread_rwlock_wrlock", "___pthread_timedjoin_np", "___pthread_timedjoin_np64",
    "___sem_clockwait", "___sem_timedwait", "___sem_timedwait64", "___vsnprintf", "__brk", "__call_once",
    "__calloc", "__clock_gettime", "__clock_nanosleep", "__clone", "__clone3", "__clone3_internal",
    "__clone_internal", "__clone_internal_fallback", "__close", "__close_nocancel", "__cnd_timedwait",
    "__cnd_wait", "__connect", "__dl_iterate_phdr", "__dlopen", "__dlsym", "__execve", "__fcntl",
    "__fcntl64", "__flock", "__flockfile", "__fork", "__fprintf", "__free", "__fscanf", "__ftruncate",
    "__futex_abstimed_wait64", "__futex_abstimed_wait_cancelable64", "__futex_abstimed_wait_common",
    "__futex_lock_pi64", "__futimens", "__getdelim", "__getline", "__getrandom", "__gettimeofday",
    "__internal_syscall_cancel", "__ioctl", "__libc_accept", "__libc_alloca_cutoff", "__libc_calloc",
    "__libc_close", "__libc_connect", "__libc_fcntl", "__libc_fcntl64", "__libc_fork", "__libc_free",
    "__libc_malloc", "__libc_memalign", "__libc_msgrcv", "__libc_msgsnd", "__libc_open", "__libc_open64",
    "__libc_pause", "__libc_poll", "__libc_pread", "__libc_pread64", "__libc_pwrite", "__libc_pwrite64",
    "__libc_read", "__libc_realloc", "__libc_recv", "__libc_recvfrom", "__libc_recvmsg", "__libc_select",
    "__libc_send", "__libc_sendmsg", "__libc_sendto", "__libc_sigsuspend", "__libc_sigwait",
    "__libc_sigwaitinfo", "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl",
    "__libc_system", "__libc_waitid", "__libc_write", "__lll_lock_wait", "__lll_lock_wait_private",
    "__lll_lock_wake", "__lll_lock_wake_private", "__longjmp", "__lseek", "__lseek64", "__madvise",
    "__malloc", "__malloc_arena_thread_freeres", "__memalign", "__mmap", "__mmap64", "__mprotect",
    "__mq_timedreceive", "__mremap", "__mtx_lock", "__mtx_timedlock", "__munmap", "__nanosleep",
    "__new_sem_post", "__new_sem_wait", "__new_sem_wait_slow64", "__new_sem_wait_slow64.constprop.0",
    "__open", "__open64", "__open_nocancel", "__openat", "__openat64", "__overflow", "__poll",
    "__posix_memalign", "__posix_spawn", "__ppoll", "__pread", "__pread64", "__printf", "__printf_fp",
    "__pselect", "__pthread_barrier_wait", "__pthread_clockjoin_ex", "__pthread_cond_broadcast",
    "__pthread_cond_clockwait", "__pthread_cond_signal", "__pthread_cond_timedwait",
    "__pthread_cond_wait", "__pthread_create", "__pthread_exit", "__pthread_join", "__pthread_kill",
    "__pthread_mutex_clocklock", "__pthread_mutex_clocklock_common", "__pthread_mutex_cond_lock",
    "__pthread_mutex_cond_lock_full", "__pthread_mutex_lock", "__pthread_mutex_lock_full",
    "__pthread_mutex_timedlock", "__pthread_mutex_trylock", "__pthread_mutex_unlock",
    "__pthread_mutex_unlock_usercnt", "__pthread_once", "__pthread_once_slow",
    "__pthread_once_slow.isra.0", "__pthread_rwlock_rdlock", "__pthread_rwlock_unlock",
    "__pthread_rwlock_wrlock", "__pthread_spin_lock", "__pthread_spin_unlock", "__pwrite", "__pwrite64",
    "__qsort_r", "__read", "__read_nocancel", "__readv", "__realloc", "__recv", "__recvfrom",
    "__recvmmsg", "__recvmsg", "__restore_rt", "__run_exit_handlers", "__sbrk", "__scanf",
    "__sched_yield", "__select", "__semtimedop", "__send", "__sendmsg", "__sendto", "__sigsuspend",
    "__sigtimedwait", "__sigwait", "__sigwaitinfo", "__sleep", "__snprintf", "__sprintf", "__sscanf",
    "__syscall_cancel", "__syscall_cancel_arch", "__syscall_cancel_arch_end",
    "__syscall_cancel_arch_start", "__thrd_join", "__thrd_sleep", "__uflow", "__underflow", "__vfork",
    "__vfprintf", "__vfprintf_internal", "__vprintf", "__vsnprintf", "__wait", "__wait3", "__wait4",
    "__waitid", "__waitpid", "__write", "__write_nocancel", "__writev", "_exit", "_int_free",
    "_int_free_chunk", "_int_free_create_chunk", "_int_free_maybe_consolidate.part.0",
    "_int_free_maybe_trim", "_int_free_merge_chunk", "_int_malloc", "_int_realloc", "_start", "abort",
    "accept", "accept4", "aligned_alloc", "brk", "bsearch", "call_once", "calloc", "clock_gettime",
    "clock_nanosleep", "clone", "clone3", "close", "cnd_timedwait", "cnd_wait", "connect",
    "dl_iterate_phdr", "dlopen", "dlsym", "do_futex_wait", "do_futex_wait.constprop.0", "epoll_pwait",
    "epoll_pwait2", "epoll_wait", "execve", "exit", "fclose", "fcntl", "fcntl64", "fdatasync", "fflush",
    "fgetc", "fgets", "flock", "flockfile", "fopen", "fopen64", "fork", "fprintf", "fputc", "fputs",
    "fread", "free", "fscanf", "fsync", "ftruncate", "futimens", "fwrite", "getaddrinfo", "getc",
    "getdelim", "getline", "getrandom", "gettimeofday", "ioctl", "longjmp", "lseek", "lseek64",
    "madvise", "malloc", "malloc_consolidate", "memalign", "mmap", "mmap64", "mprotect", "mq_receive",
    "mq_timedreceive", "mremap", "msgrcv", "msgsnd", "mtx_lock", "mtx_timedlock", "munmap", "nanosleep",
    "new_do_write", "open", "open64", "openat", "openat64", "pause", "poll", "posix_memalign",
    "posix_spawn", "ppoll", "pread", "pread64", "preadv", "preadv2", "preadv64", "printf", "pselect",
    "pthread_barrier_wait", "pthread_clockjoin_np", "pthread_cond_broadcast", "pthread_cond_clockwait",
    "pthread_cond_signal", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_create",
    "pthread_exit", "pthread_join", "pthread_kill", "pthread_mutex_clocklock", "pthread_mutex_lock",
    "pthread_mutex_timedlock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_once",
    "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock", "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock", "pthread_spin_lock", "pthread_spin_unlock", "pthread_timedjoin_np", "putc",
    "putchar", "puts", "pwrite", "pwrite64", "pwritev", "pwritev2", "pwritev64", "qsort", "qsort_r",
    "raise", "read", "readv", "realloc", "recv", "recvfrom", "recvmmsg", "recvmsg", "sbrk", "scanf",
    "sched_yield", "select", "sem_clockwait", "sem_post", "sem_timedwait", "sem_trywait", "sem_wait",
    "semop", "semtimedop", "send", "sendmmsg", "sendmsg", "sendto", "siglongjmp", "sigsuspend",
    "sigtimedwait", "sigwait", "sigwaitinfo", "sleep", "snprintf", "sprintf", "sscanf", "start_thread",
    "syscall", "sysmalloc", "system", "thrd_join", "thrd_sleep", "thrd_yield", "time", "usleep", "vfork",
    "vfprintf", "vprintf", "vsnprintf", "wait", "wait3", "wait4", "waitid", "waitpid", "write", "writev",
};
/* clang-format on */

static int compare(const void *key, const void *name)
{
    return strcmp(key, *(const char *const *)name);
}

bool libc_has(const char *function)
{
    return bsearch(function, names, sizeof(names) / sizeof(*names), sizeof(*names), compare);
}
