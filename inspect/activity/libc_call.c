/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/libc_call.h"

#include <string.h>

#include "inspect/activity/mpi.h"
#include "inspect/frames/code.h"
#include "inspect/frames/function.h"

/* What waits in the kernel always does it by futex. */
struct libc_function {
    const char *name; /* plain: without what glibc puts before and behind */
    enum mdl_activity_kind kind;
    const char *call; /* as programs call it, where that is another name */
};

/* clang-format off */
static const struct libc_function functions[] = {
    {"pthread_mutex_lock", MDL_ACTIVITY_MUTEX, NULL},
    {"pthread_mutex_timedlock", MDL_ACTIVITY_MUTEX, NULL},
    {"pthread_mutex_clocklock", MDL_ACTIVITY_MUTEX, NULL},
    {"pthread_mutex_lock_full", MDL_ACTIVITY_MUTEX, "pthread_mutex_lock"},
    {"pthread_mutex_cond_lock", MDL_ACTIVITY_MUTEX, "pthread_cond_wait"},
    {"pthread_mutex_cond_lock_full", MDL_ACTIVITY_MUTEX, "pthread_cond_wait"},
    {"pthread_mutex_clocklock_common", MDL_ACTIVITY_MUTEX, "pthread_mutex_timedlock"},
    {"mtx_lock", MDL_ACTIVITY_MUTEX, NULL},
    {"mtx_timedlock", MDL_ACTIVITY_MUTEX, NULL},
    {"pthread_rwlock_rdlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_wrlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_timedrdlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_timedwrlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_clockrdlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_clockwrlock", MDL_ACTIVITY_RWLOCK, NULL},
    {"pthread_rwlock_rdlock_full", MDL_ACTIVITY_RWLOCK, "pthread_rwlock_rdlock"},
    {"pthread_rwlock_wrlock_full", MDL_ACTIVITY_RWLOCK, "pthread_rwlock_wrlock"},
    {"pthread_spin_lock", MDL_ACTIVITY_SPINLOCK, NULL},
    {"pthread_cond_wait", MDL_ACTIVITY_CONDITION, NULL},
    {"pthread_cond_timedwait", MDL_ACTIVITY_CONDITION, NULL},
    {"pthread_cond_clockwait", MDL_ACTIVITY_CONDITION, NULL},
    {"pthread_cond_wait_common", MDL_ACTIVITY_CONDITION, "pthread_cond_wait"},
    {"cnd_wait", MDL_ACTIVITY_CONDITION, NULL},
    {"cnd_timedwait", MDL_ACTIVITY_CONDITION, NULL},
    {"pthread_barrier_wait", MDL_ACTIVITY_BARRIER, NULL},
    {"sem_wait", MDL_ACTIVITY_SEMAPHORE, NULL},
    {"sem_timedwait", MDL_ACTIVITY_SEMAPHORE, NULL},
    {"sem_clockwait", MDL_ACTIVITY_SEMAPHORE, NULL},
    {"sem_wait_slow", MDL_ACTIVITY_SEMAPHORE, "sem_wait"},
    {"pthread_join", MDL_ACTIVITY_JOIN, NULL},
    {"pthread_timedjoin_np", MDL_ACTIVITY_JOIN, NULL},
    {"pthread_clockjoin_np", MDL_ACTIVITY_JOIN, NULL},
    {"pthread_clockjoin_ex", MDL_ACTIVITY_JOIN, "pthread_join"},
    {"thrd_join", MDL_ACTIVITY_JOIN, NULL},
    {"pthread_once", MDL_ACTIVITY_ONCE, NULL},
    {"pthread_once_slow", MDL_ACTIVITY_ONCE, "pthread_once"},
    {"call_once", MDL_ACTIVITY_ONCE, NULL},
    {"malloc", MDL_ACTIVITY_MALLOC, NULL},
    {"calloc", MDL_ACTIVITY_MALLOC, NULL},
    {"realloc", MDL_ACTIVITY_MALLOC, NULL},
    {"reallocarray", MDL_ACTIVITY_MALLOC, NULL},
    {"free", MDL_ACTIVITY_MALLOC, NULL},
    {"cfree", MDL_ACTIVITY_MALLOC, "free"},
    {"memalign", MDL_ACTIVITY_MALLOC, NULL},
    {"aligned_alloc", MDL_ACTIVITY_MALLOC, NULL},
    {"posix_memalign", MDL_ACTIVITY_MALLOC, NULL},
    {"valloc", MDL_ACTIVITY_MALLOC, NULL},
    {"pvalloc", MDL_ACTIVITY_MALLOC, NULL},
    {"malloc_trim", MDL_ACTIVITY_MALLOC, NULL},
    {"malloc_stats", MDL_ACTIVITY_MALLOC, NULL},
    {"malloc_info", MDL_ACTIVITY_MALLOC, NULL},
    {"mallinfo", MDL_ACTIVITY_MALLOC, NULL},
    {"mallinfo2", MDL_ACTIVITY_MALLOC, NULL},
    {"mallopt", MDL_ACTIVITY_MALLOC, NULL},
    {"dlopen", MDL_ACTIVITY_LOADER, NULL},
    {"dlmopen", MDL_ACTIVITY_LOADER, NULL},
    {"dlclose", MDL_ACTIVITY_LOADER, NULL},
    {"dlsym", MDL_ACTIVITY_LOADER, NULL},
    {"dlvsym", MDL_ACTIVITY_LOADER, NULL},
    {"dladdr", MDL_ACTIVITY_LOADER, NULL},
    {"dladdr1", MDL_ACTIVITY_LOADER, NULL},
    {"dlinfo", MDL_ACTIVITY_LOADER, NULL},
    {"dl_iterate_phdr", MDL_ACTIVITY_LOADER, NULL},
    {"tls_get_addr", MDL_ACTIVITY_LOADER, "__tls_get_addr"},
};
/* Of the C++ library: identifiers that its functions' names contain, mangled or not. A later one counts more:
   latches and semaphores wait by what atomics wait by. */
static const struct libc_function cxx_functions[] = {
    {"__platform_wait", MDL_ACTIVITY_ATOMIC, "std::atomic::wait"},
    {"__atomic_wait_address", MDL_ACTIVITY_ATOMIC, "std::atomic::wait"},
    {"__atomic_wait", MDL_ACTIVITY_ATOMIC, "std::atomic::wait"},
    {"__cxx_atomic_wait", MDL_ACTIVITY_ATOMIC, "std::atomic::wait"},
    {"__libcpp_atomic_wait", MDL_ACTIVITY_ATOMIC, "std::atomic::wait"},
    {"__atomic_semaphore", MDL_ACTIVITY_SEMAPHORE, "std::counting_semaphore::acquire"},
    {"counting_semaphore", MDL_ACTIVITY_SEMAPHORE, "std::counting_semaphore::acquire"},
    {"__tree_barrier", MDL_ACTIVITY_BARRIER, "std::barrier::wait"},
    {"St5latch4wait", MDL_ACTIVITY_BARRIER, "std::latch::wait"},
    {"std::latch::wait", MDL_ACTIVITY_BARRIER, "std::latch::wait"},
    {"_M_futex_wait_until", MDL_ACTIVITY_FUTURE, "std::future::wait"},
    {"__atomic_futex_unsigned", MDL_ACTIVITY_FUTURE, "std::future::wait"},
    {"__assoc_sub_state", MDL_ACTIVITY_FUTURE, "std::future::wait"},
    {"__cxa_guard_acquire", MDL_ACTIVITY_ONCE, "__cxa_guard_acquire"},
};
/* Calls that the kernel goes on with after a stop, and who calls them. */
static const struct {
    const char *name, *call;
} interrupted[] = {
    {"nanosleep", "clock_nanosleep"}, {"clock_nanosleep", "clock_nanosleep"}, {"sleep", "clock_nanosleep"},
    {"usleep", "clock_nanosleep"},    {"thrd_sleep", "clock_nanosleep"},      {"poll", "poll"},
};
/* clang-format on */

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* So many frames are looked at: what a library calls before it waits is not deeper. */
enum { FRAMES = 64, NAME = 128 };

static const char *skip(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);

    return strncmp(name, prefix, n) || !name[n] ? name : name + n;
}

/*
 * glibc's own names of one function: pthread_mutex_lock is ___pthread_mutex_lock or __GI___pthread_mutex_lock
 * in its symbol table, and pthread_mutex_lock@@GLIBC_2.2.5 for some tools; 64 marks a time of 64 bits.
 */
static void plain(const char *name, char ret[NAME])
{
    size_t n;

    name = skip(name, "__GI_");
    while (*name == '_')
        name++;
    name = skip(skip(skip(name, "libc_"), "new_"), "IO_");
    n = strcspn(name, "@.");
    if (n > 2 && !strncmp(name + n - 2, "64", 2))
        n -= 2;
    n = n < NAME ? n : NAME - 1;
    memcpy(ret, name, n);
    ret[n] = '\0';
}

static const struct libc_function *function_named(const char *symbol)
{
    char name[NAME];

    plain(symbol, name);
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (!strcmp(functions[i].name, name))
            return &functions[i];
    return NULL;
}

static const struct libc_function *libc_function(const struct mdl_frame *f)
{
    return f->code == INSP_CODE_LIBC && f->symbol ? function_named(f->symbol) : NULL;
}

/* The linker's piece of code that jumps into a library; GDB has a name for it. */
static bool is_linkage(const char *symbol)
{
    const size_t n = symbol ? strlen(symbol) : 0;

    return n > 4 && !strcmp(symbol + n - 4, "@plt");
}

bool frame_is_users(const struct mdl_frame *f)
{
    return code_is_users(f->code) && !function_is_std(f->symbol) && !is_linkage(f->symbol) &&
           !mpi_is_function(f);
}

int frame_of_user(const struct mdl_thread *t, int from)
{
    for (int i = from > 0 ? from : 0; i < t->frame_count; i++)
        if (frame_is_users(&t->frames[i]))
            return i;
    return -1;
}

/* In a static program a function of libc's that is not known to be one stands between others of it. */
static bool ends_search(const struct mdl_frame *f)
{
    return frame_is_users(f) && !(f->code == INSP_CODE_UNKNOWN && f->module);
}

/* The dynamic linker's own code, which has called a lock of libc's. */
static bool is_loader(const struct mdl_frame *f)
{
    const char *base = f->module ? mdl_base_name(f->module) : "";

    return f->code == INSP_CODE_LIBC && !strncmp(base, "ld", 2) &&
           (base[2] == '.' || base[2] == '-' || strstr(base, "ld-linux"));
}

static const struct libc_function *cxx_function(const struct mdl_frame *f)
{
    const struct libc_function *found = NULL;

    if (!f->symbol || (f->code != INSP_CODE_CXX && !function_is_std(f->symbol)))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(cxx_functions); i++)
        if (strstr(f->symbol, cxx_functions[i].name))
            found = &cxx_functions[i];
    return found;
}

/* Waits of the C++ library, which it makes of the kernel's futex or of libc's condition variables. */
static void find_cxx(const struct mdl_thread *t, int end, struct libc_call *ret)
{
    const struct libc_function *best = NULL;

    for (int i = 0; i < end; i++) {
        const struct libc_function *f = cxx_function(&t->frames[i]);

        if (!f || (best && f < best))
            continue;
        best = f;
        *ret = (struct libc_call){.kind = f->kind,
                                  .name = f->call,
                                  .frame = i,
                                  .spins = f->kind == MDL_ACTIVITY_ATOMIC,
                                  .cxx = true};
    }
}

static struct libc_call answer(const struct libc_function *f, int frame)
{
    return (struct libc_call){.kind = f->kind,
                              .name = f->call ? f->call : f->name,
                              .frame = frame,
                              .spins = f->kind == MDL_ACTIVITY_SPINLOCK,
                              .local = f->call};
}

/* Functions of libc's around the innermost one that call it for the same purpose: mtx_lock. */
static void take_outer(const struct mdl_thread *t, int end, struct libc_call *ret)
{
    for (int i = ret->frame + 1; i < end && t->frames[i].code == INSP_CODE_LIBC; i++) {
        const struct libc_function *f = libc_function(&t->frames[i]);
        bool loader = is_loader(&t->frames[i]) || (f && f->kind == MDL_ACTIVITY_LOADER);

        if (loader && (ret->kind == MDL_ACTIVITY_MUTEX || ret->kind == MDL_ACTIVITY_LOADER)) {
            ret->mutex |= ret->kind == MDL_ACTIVITY_MUTEX;
            ret->kind = MDL_ACTIVITY_LOADER;
            ret->name = f ? f->call ? f->call : f->name : ret->name;
        } else if (f && (f->kind == ret->kind ||
                         (ret->kind == MDL_ACTIVITY_MUTEX && f->kind == MDL_ACTIVITY_CONDITION))) {
            ret->name = answer(f, i).name;
            ret->local = f->call;
        } else if (f) {
            return;
        }
        ret->frame = i;
    }
}

int libc_call_unnamed(const struct mdl_thread *t)
{
    int i = 0;

    while (i < t->frame_count && i < FRAMES && t->frames[i].code == INSP_CODE_LIBC &&
           !libc_function(&t->frames[i]))
        i++;
    return i && i < t->frame_count ? i : 0;
}

bool libc_call_named(const char *symbol, int frame, struct libc_call *ret)
{
    const struct libc_function *f = function_named(symbol);

    if (f)
        *ret = answer(f, frame);
    return f;
}

bool libc_call_find(const struct mdl_thread *t, struct libc_call *ret)
{
    const struct libc_function *f = NULL;
    int end = 0;

    while (end < t->frame_count && end < FRAMES && !ends_search(&t->frames[end]))
        end++;
    *ret = (struct libc_call){0};
    for (int i = 0; i < end && !f; i++) {
        f = libc_function(&t->frames[i]);
        if (f)
            *ret = answer(f, i);
    }
    if (f)
        take_outer(t, end, ret);
    if (!f || f->kind == MDL_ACTIVITY_CONDITION)
        find_cxx(t, end, ret);
    return ret->kind != MDL_ACTIVITY_UNKNOWN;
}

const char *libc_call_interrupted(const struct mdl_thread *t)
{
    char name[NAME];

    for (int i = 0; i < t->frame_count && i < FRAMES && !ends_search(&t->frames[i]); i++) {
        const struct libc_function *f = libc_function(&t->frames[i]);

        if (f && f->kind != MDL_ACTIVITY_MALLOC && f->kind != MDL_ACTIVITY_LOADER)
            return "futex";
        if (t->frames[i].code != INSP_CODE_LIBC || !t->frames[i].symbol)
            continue;
        plain(t->frames[i].symbol, name);
        for (size_t k = 0; k < ARRAY_SIZE(interrupted); k++)
            if (!strcmp(interrupted[k].name, name))
                return interrupted[k].call;
    }
    return NULL;
}

const char *frame_called(const struct mdl_thread *t, int user, const char *kernel, struct arena *a)
{
    char name[NAME];

    for (int i = user - 1; i >= 0; i--) {
        const struct mdl_frame *f = &t->frames[i];

        if (!f->symbol || function_is_std(f->symbol) || code_is_users(f->code))
            continue;
        if (f->code != INSP_CODE_LIBC)
            return f->code == INSP_CODE_CXX ? NULL : arena_str(a, f->symbol);
        plain(f->symbol, name);
        /* What system() jumps to. */
        if (!strcmp(name, "do_system"))
            return "system";
        /* With underscores inside it may be a name of glibc's alone, which nobody could look up then. */
        if (strchr(name, '_') && (!kernel || strcmp(name, kernel)))
            return arena_printf(a, "%.*s", (int)strcspn(f->symbol, "@"), f->symbol);
        return arena_str(a, name);
    }
    return NULL;
}
