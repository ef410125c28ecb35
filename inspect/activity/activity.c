/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/activity.h"

#include <elf.h>
#include <string.h>

#include "inspect/activity/call_memory.h"
#include "inspect/activity/call_site.h"
#include "inspect/activity/in_force.h"
#include "inspect/activity/libc_call.h"
#include "inspect/activity/mpi.h"
#include "inspect/activity/object_names.h"
#include "inspect/activity/pools.h"
#include "inspect/activity/pthread.h"
#include "inspect/frames/code.h"
#include "inspect/owner/holders.h"
#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* One insp_take. */
struct search {
    insp_session *s;
    insp_snapshot *snap;
    struct arena *arena;
    struct owners owners;
    struct lock_words locks;
    struct call_sites calls;
    struct clocks now;
    int glibc; /* of a static program: whether its libc is glibc; -1 not asked yet */
};

/* All that is known of one thread. */
struct evidence {
    struct mdl_thread *thread;
    char state; /* the kernel's letter, 0 unknown */
    struct system_call call;
    struct libc_call libc;
    bool in_libc;    /* libc is valid */
    const char *mpi; /* the call of MPI, NULL none */
    int user;        /* the innermost frame of the user's outside of what it waits in, -1 none */
};

bool activity_is_openmp(const struct mdl_thread *t)
{
    return t->wait.kind != MDL_WAIT_NONE || (t->openmp && t->released) ||
           (t->state == MDL_STATE_IDLE && !t->strays);
}

/* ---- evidence ---------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    const uint64_t prime = UINT64_C(0x100000001b3);

    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> (8 * i) & 0xff)) * prime;
    return hash;
}

/* FNV-1a of what differs when a thread has moved. */
static uint64_t hash_registers(insp_session *s, const struct mdl_thread *t, const struct system_call *call)
{
    enum { DWARF_X86_64_RSP = 7, DWARF_AARCH64_SP = 31 };
    uint64_t hash = UINT64_C(0xcbf29ce484222325), sp = 0;

    if (!t->frame_count)
        return 0;
    hash = mix(hash, t->frames[0].pc);
    if (!host_reg(s, t->lwp, call->machine == EM_AARCH64 ? DWARF_AARCH64_SP : DWARF_X86_64_RSP, &sp))
        hash = mix(hash, sp);
    hash = mix(hash, (uint64_t)call->number);
    hash = mix(hash, call->inside);
    for (int i = 0; i < 6 && call->number >= 0; i++)
        hash = mix(hash, call->arg[i]);
    return hash ? hash : 1;
}

/* The same of all that the program computes with, but not of where it is: rip, the flags, and what a system
   call leaves behind. */
static uint64_t hash_values(insp_session *s, const struct mdl_thread *t)
{
    static const uint64_t place = UINT64_C(1) << ompdx_reg_rip | UINT64_C(1) << ompdx_reg_eflags |
                                  UINT64_C(1) << ompdx_reg_orig_rax | UINT64_C(1) << ompdx_reg_rcx |
                                  UINT64_C(1) << ompdx_reg_r11;
    uint64_t reg[27], known, hash = UINT64_C(0xcbf29ce484222325);

    if (still_registers(s, t->lwp, reg, &known))
        return 0;
    for (int i = 0; i < 27; i++)
        if ((known & ~place) >> i & 1)
            hash = mix(hash, reg[i]);
    return hash ? hash : 1;
}

/* Which call goes on: libc's function knows, else the instructions before it do. */
static void resume_call(struct search *f, struct evidence *e)
{
    const struct mdl_thread *t = e->thread;
    const char *name;

    if (!system_call_goes_on(&e->call))
        return;
    name = libc_call_interrupted(t);
    if (name && system_call_is(&e->call, name))
        return;
    /* aarch64 has no poll: libc calls ppoll there. */
    if (name && !strcmp(name, "poll") && system_call_is(&e->call, "ppoll"))
        return;
    if (t->frame_count)
        (void)!system_call_by_code(f->s, &e->call, t->frames[0].pc);
}

/* The word in which the kernel notes that a thread has ended lies in the thread's own descriptor. */
static bool is_joined(const struct search *f, const struct system_call *call)
{
    enum { DESCRIPTOR = 4096 };
    const uint64_t *at = hash_find(&f->owners.by_tid, (uint32_t)call->arg[2], NULL);
    const uint64_t pthread = at ? f->snap->threads[*at - 1].pthread : 0;

    return pthread && call->arg[0] > pthread && call->arg[0] - pthread < DESCRIPTOR;
}

/* Where libc's frames have no names: what has called them, else what only one function of libc's asks of the
   kernel. */
static bool find_by_caller(struct search *f, struct evidence *e)
{
    const struct mdl_thread *t = e->thread;
    const int caller = libc_call_unnamed(t);
    const char *symbol;

    if (!caller)
        return false;
    symbol = call_site_symbol(f->s, &f->calls, t->frames[caller].pc);
    if (symbol && libc_call_named(symbol, caller - 1, &e->libc))
        return true;
    symbol = futex_is_pi(&e->call) ? "pthread_mutex_lock" : is_joined(f, &e->call) ? "pthread_join" : NULL;
    return symbol && libc_call_named(symbol, caller - 1, &e->libc);
}

/* With glibc's debug symbols a local function has a name, but who has jumped to it is known to the caller
   only. */
static void name_by_caller(struct search *f, struct evidence *e)
{
    const struct mdl_thread *t = e->thread;
    const int caller = e->libc.frame + 1;
    struct libc_call named;
    const char *symbol;

    if (!e->libc.local || caller >= t->frame_count || t->frames[caller].code == INSP_CODE_LIBC)
        return;
    symbol = call_site_symbol(f->s, &f->calls, t->frames[caller].pc);
    if (symbol && libc_call_named(symbol, e->libc.frame, &named) && named.kind == e->libc.kind)
        e->libc.name = named.name;
}

/* The innermost frame of the user's from number FROM on, -1 none. */
static int user_outside(const struct mdl_thread *t, int from)
{
    const int first = frame_of_user(t, from);

    /* In a static program functions of libc's that are not known as such come before it. */
    for (int i = first; i >= 0 && i < t->frame_count; i++)
        if (t->frames[i].code == INSP_CODE_USER && frame_is_users(&t->frames[i]))
            return i;
    /* The user's code may be within a function of the C++ library that was made for it. */
    for (int i = from; first < 0 && i < t->frame_count; i++)
        if (code_is_users(t->frames[i].code) && !mpi_is_function(&t->frames[i]))
            return i;
    return first;
}

static void gather(struct search *f, struct evidence *e)
{
    struct mdl_thread *t = e->thread;
    int inner = 0;

    system_call_of(f->s, t->lwp, &e->call);
    t->registers = t->running ? 0 : hash_registers(f->s, t, &e->call);
    if (f->snap->want & INSP_MOTION && !t->running && !e->call.inside)
        t->values = hash_values(f->s, t);
    e->mpi = mpi_call(t, f->arena, &inner);
    e->in_libc = libc_call_find(t, &e->libc);
    resume_call(f, e);
    if (!e->in_libc && system_call_named(&e->call, "futex"))
        e->in_libc = find_by_caller(f, e);
    else if (e->in_libc && e->call.inside)
        name_by_caller(f, e);
    e->user = user_outside(t, e->mpi ? inner + 1 : e->in_libc ? e->libc.frame + 1 : 0);
}

/* ---- what waits for an object ---------------------------------------------------------------- */

/* The layouts are glibc's: another libc has other ones, perhaps by the same file name. */
static bool is_glibc(struct search *f, const struct mdl_thread *t, int frame)
{
    const char *base = t->frames[frame].module ? mdl_base_name(t->frames[frame].module) : "";
    uint64_t addr;

    if (!strncmp(base, "libc.so.6", 9) || !strncmp(base, "libpthread.so.0", 15) ||
        !strncmp(base, "libc-2.", 7) || !strncmp(base, "libpthread-2.", 13) || !strncmp(base, "ld-linux", 8))
        return true;
    if (strstr(base, ".so"))
        return false;
    /* It is in every static program with glibc, and in none with musl. */
    if (f->glibc < 0)
        f->glibc = !host_lookup(f->s, "__libc_setup_tls", NULL, &addr);
    return f->glibc;
}

static void no_owner(struct search *f, struct mdl_thread *t, const char *why)
{
    t->activity.owner = MDL_OWNER_UNKNOWN;
    mdl_unknown(f->snap, &t->unknown, &t->unknown_count, "activity.owner_lwp", why);
}

static void tell_lock(struct search *f, const struct evidence *e, const struct lock_word *word)
{
    struct mdl_activity *a = &e->thread->activity;

    if (!word || (!word->tid && !word->free)) {
        no_owner(f, e->thread, word ? word->why : "out of memory");
        return;
    }
    if (word->free) {
        a->owner = MDL_OWNER_NONE;
        return;
    }
    owner_fill(&f->owners, word->tid, word->shared, word->by_kernel ? MDL_HOW_KERNEL : MDL_HOW_RECORDED, a);
    if (word->dead && a->owner != MDL_OWNER_THREAD) {
        a->owner = MDL_OWNER_ENDED;
        a->owner_doubt = "the kernel gives such a mutex to one of those that wait for it";
    }
}

/* A thread that slept in the kernel for the object of libc's function. */
static void tell_object(struct search *f, const struct evidence *e)
{
    struct mdl_thread *t = e->thread;
    struct mdl_activity *a = &t->activity;
    const struct lock_word *word;

    if (a->kind == MDL_ACTIVITY_LOADER && !e->libc.mutex)
        return;
    if (!a->object &&
        (a->kind == MDL_ACTIVITY_LOADER || a->kind == MDL_ACTIVITY_MUTEX || a->kind == MDL_ACTIVITY_RWLOCK)) {
        no_owner(f, t, "the registers do not say which object it is");
        return;
    }
    switch (a->kind) {
    case MDL_ACTIVITY_MUTEX:
    case MDL_ACTIVITY_LOADER:
        if (!is_glibc(f, t, e->libc.frame)) {
            no_owner(f, t, "the C library is not glibc, whose mutexes are known");
            return;
        }
        tell_lock(f, e, lock_of_mutex(f->s, &f->locks, a->object));
        return;
    case MDL_ACTIVITY_RWLOCK:
        if (!is_glibc(f, t, e->libc.frame)) {
            no_owner(f, t, "the C library is not glibc, whose read-write locks are known");
            return;
        }
        word = lock_of_rwlock(f->s, &f->locks, a->object, (uint32_t)e->call.arg[2]);
        if (word && word->start)
            a->object = word->start;
        tell_lock(f, e, word);
        return;
    case MDL_ACTIVITY_JOIN:
        /* The kernel clears the word when the thread ends; until then it is the thread's number. */
        a->object = 0;
        if (owner_is_tid((int64_t)(uint32_t)e->call.arg[2]))
            owner_fill(&f->owners, (int64_t)(uint32_t)e->call.arg[2], false, MDL_HOW_KERNEL, a);
        else
            no_owner(f, t, "the number of the thread is not known");
        return;
    default:
        return;
    }
}

/* In a condition variable's function a thread may wait for the mutex again. */
static enum mdl_activity_kind libc_kind(const struct evidence *e)
{
    if (e->libc.kind == MDL_ACTIVITY_CONDITION && (futex_is_plain_lock(&e->call) || futex_is_pi(&e->call)))
        return MDL_ACTIVITY_MUTEX;
    return e->libc.kind;
}

/* ---- the answer ---------------------------------------------------------------- */

static void tell_inside(struct search *f, const struct evidence *e)
{
    struct mdl_activity *a = &e->thread->activity;
    const bool futex = system_call_named(&e->call, "futex");

    a->asleep = true;
    a->call = system_call_name(&e->call, f->arena);
    system_call_tell(&e->call, a);
    if (!e->mpi)
        call_memory_tell(f->s, f->arena, &f->now, &e->call, a);
    if (e->mpi) {
        /* How MPI waits is its own affair, and changes all the time. */
        *a = (struct mdl_activity){.kind = MDL_ACTIVITY_MPI,
                                   .asleep = true,
                                   .call = e->mpi,
                                   .timeout_ns = MDL_TIMEOUT_NONE,
                                   .descriptor = -1,
                                   .at = a->at};
    } else if (e->in_libc && futex) {
        a->kind = libc_kind(e);
        a->call = e->libc.name;
        tell_object(f, e);
    } else if (e->user >= 0) {
        const char *called = frame_called(e->thread, e->user, a->call, f->arena);

        /* syscall() is how a program makes any call. */
        if (called && strcmp(called, "syscall"))
            a->call = called;
    }
}

/*
 * Has the kernel let it go, or will it as soon as it looks? Its letter is of the moment before the stop: who
 * still slept then, though the word had changed, is woken by nobody, or by who stands between the two. And a
 * mutex that another thread has is still that one's.
 */
static bool is_released(struct search *f, const struct evidence *e)
{
    const struct mdl_activity *a = &e->thread->activity;

    if (e->mpi || e->state == 'S' || e->state == 'D' || futex_word_of(f->s, &e->call) != FUTEX_WORD_CHANGED)
        return false;
    /* A condition variable of glibc before 2.25 passes who waits on to the mutex, and the word changes. */
    if (a->kind == MDL_ACTIVITY_CONDITION && e->state != 'R')
        return false;
    return a->kind == MDL_ACTIVITY_JOIN || a->owner == MDL_OWNER_NONE || a->owner == MDL_OWNER_UNKNOWN;
}

/* rdi holds its argument as long as glibc's function on x86-64 runs, which calls nothing. */
static uint64_t spinlock_of(struct search *f, const struct evidence *e)
{
    enum { DWARF_X86_64_RDI = 5 };
    uint64_t addr = 0;

    if (e->libc.frame || e->call.machine == EM_AARCH64 || !is_glibc(f, e->thread, 0) ||
        host_reg(f->s, e->thread->lwp, DWARF_X86_64_RDI, &addr))
        return 0;
    return addr;
}

/* In a file that has libraries and no names: a stripped static program. */
static bool is_hidden(const struct mdl_frame *f)
{
    return f->code == INSP_CODE_UNKNOWN && f->module && !f->symbol;
}

/* A thread that is in no system call, or of which nobody can say that. */
static void tell_outside(struct search *f, const struct evidence *e)
{
    struct mdl_thread *t = e->thread;
    struct mdl_activity *a = &t->activity;
    const bool waits =
        e->in_libc && e->libc.kind != MDL_ACTIVITY_MALLOC && e->libc.kind != MDL_ACTIVITY_LOADER;

    if (e->user >= 0)
        a->call = frame_called(t, e->user, NULL, f->arena);
    if (e->mpi) {
        a->kind = MDL_ACTIVITY_MPI;
        a->call = e->mpi;
    } else if (waits) {
        a->kind = e->libc.kind;
        a->call = e->libc.name;
        if (a->kind == MDL_ACTIVITY_SPINLOCK)
            a->object = spinlock_of(f, e);
        if (a->kind == MDL_ACTIVITY_MUTEX || a->kind == MDL_ACTIVITY_RWLOCK || a->kind == MDL_ACTIVITY_JOIN)
            no_owner(f, t,
                     e->call.known ? "the thread does not sleep there: it is about to wait, or to go on"
                                   : "the debugger does not say whether it is in a system call");
        /* All but the spinlock sleep while they have to wait. */
        t->released = e->call.known && a->kind != MDL_ACTIVITY_SPINLOCK;
    } else if (!e->call.known) {
        a->why = f->s->host.system_call ? "whether it is in a system call cannot be known"
                                        : "this debugger does not say whether it is in a system call";
    } else if (!t->frame_count) {
        a->why = "it is in no system call, and its stack cannot be unwound";
    } else if (is_hidden(&t->frames[0])) {
        a->why = "it is in no system call, and its function has no name: it may be one that waits";
    } else {
        a->kind = MDL_ACTIVITY_COMPUTES;
    }
}

/* What the kernel says beats all else, but not why a thread is in the kernel for a child; and that it waits
   for another thread holds also where the process is stopped. */
static void tell_state(const struct evidence *e)
{
    struct mdl_activity *a = &e->thread->activity;

    switch (e->state) {
    case 'T':
        if (a->kind == MDL_ACTIVITY_MUTEX || a->kind == MDL_ACTIVITY_RWLOCK || a->kind == MDL_ACTIVITY_JOIN)
            return;
        a->kind = MDL_ACTIVITY_STOPPED;
        break;
    case 't':
        a->kind = MDL_ACTIVITY_TRACED;
        break;
    case 'Z':
    case 'X':
        a->kind = MDL_ACTIVITY_ZOMBIE;
        break;
    case 'D':
        if (a->kind == MDL_ACTIVITY_CHILD)
            return;
        a->kind = MDL_ACTIVITY_KERNEL;
        break;
    default:
        return;
    }
    a->asleep = true;
    a->why = NULL;
}

static void find_one(struct search *f, struct mdl_thread *t, char state)
{
    struct mdl_activity *a = &t->activity;
    struct evidence e = {.thread = t, .state = state};

    gather(f, &e);
    if (e.user >= 0)
        a->at = t->frames[e.user].place;
    if (e.call.inside) {
        tell_inside(f, &e);
        t->released |= is_released(f, &e);
    } else if (t->running) {
        a->why = "it is running";
    } else {
        tell_outside(f, &e);
    }
    tell_state(&e);
    a->pool = pool_of(t);
}

/* The kernel's letter for a thread, and what else it knows. */
static char ask_kernel(struct search *f, struct mdl_thread *t)
{
    struct insp_kernel kernel;

    if (host_kernel(f->s, t->lwp, &kernel))
        return 0;
    f->now = (struct clocks){kernel.realtime, kernel.monotonic};
    t->cpu_ns = kernel.cpu_ns;
    if (!t->target_tid && owner_is_tid(kernel.target_tid))
        t->target_tid = kernel.target_tid;
    return kernel.state;
}

/* Of a static variable in a function: who makes it. Of once flags nobody records it. */
static void tell_initialiser(struct search *f, struct mdl_activity *a)
{
    if (a->kind != MDL_ACTIVITY_ONCE || !a->object || !a->call || strcmp(a->call, "__cxa_guard_acquire") != 0)
        return;
    a->owner_lwp = holders_of_guard(f->s, f->snap, a->object);
    if (!a->owner_lwp)
        return;
    a->owner = MDL_OWNER_THREAD;
    a->owner_how = MDL_HOW_CODE;
}

void activity_find(insp_session *s, insp_snapshot *snap, struct places *places)
{
    struct search f = {.s = s,
                       .snap = snap,
                       .arena = &snap->arena,
                       .locks = {.arena = &snap->arena, .by_address = {.arena = &snap->arena}},
                       .calls = {.arena = &snap->arena, .by_address = {.arena = &snap->arena}},
                       .glibc = -1};
    char *state = arena_alloc(&snap->arena, (size_t)snap->thread_count + 1);

    for (int i = 0; state && i < snap->thread_count; i++)
        if (activity_is_openmp(&snap->threads[i]))
            snap->threads[i].activity.kind = MDL_ACTIVITY_OPENMP;
        else if (snap->want & (INSP_ACTIVITY | INSP_STACKS))
            state[i] = ask_kernel(&f, &snap->threads[i]);
    if (!state || !(snap->want & (INSP_ACTIVITY | INSP_STACKS)))
        return;
    owners_init(&f.owners, s, snap);
    for (int i = 0; i < snap->thread_count; i++)
        if (snap->threads[i].activity.kind != MDL_ACTIVITY_OPENMP)
            find_one(&f, &snap->threads[i], state[i]);
    for (int i = 0; i < snap->thread_count; i++)
        tell_initialiser(&f, &snap->threads[i].activity);
    object_names(snap, places);
}
